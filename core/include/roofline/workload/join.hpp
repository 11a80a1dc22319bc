// A file of times and a file of work, of the same layers, as one workload.
#pragma once

#include <roofline/base/result.hpp>
#include <roofline/workload/limits.hpp>
#include <roofline/workload/workload.hpp>
#include <string_view>

namespace roofline {

/// "work": there are times and nothing that was done in them; "times": there is work and no time; else empty.
[[nodiscard]] std::string_view lacking(const Workload& workload);

/// Whether one of the two states times and nothing that was done in them, and the other work and no time; or one is a network that nobody
/// has run, and the other a run with times.
[[nodiscard]] bool complete_each_other(const Workload& a, const Workload& b);

/// The engine that a run's file is from, where networks are merged by its rules; none: not known.
[[nodiscard]] ToolChain engine_of(const Workload& run);

/// Two workloads that complete each other, in either order: the operations of the one with the times of the other, by name (of a
/// network also by the nodes that engines' layers name, nodes_in(), and by those that are merged into an operation: the times of several
/// layers that are one operation add up); of equal names the first has the first time, and so on. Work counts as often as its time was
/// taken. Times of other names are appended, time only; work of other names keeps its prediction. How many have their time, and what is
/// left over, stands first in the diagnostics. An error where they do not complete each other, less than half of the names are in both, or
/// the limits are passed.
[[nodiscard]] Result<Workload> join(const Workload& a, const Workload& b, const WorkloadLimits& limits = {});

}  // namespace roofline
