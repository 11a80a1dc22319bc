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

/// The engine that wrote the file of a run, as the tool chain by whose rules it merges networks; none: not known.
[[nodiscard]] ToolChain engine_of(const Workload& run);

/// Joins two workloads that complete each other, in either order: the operations of one get the times of the other by name, of equal names
/// the first the first time, and so on. Operations of a network are also matched with the nodes in layers' names (nodes_in()), and with
/// the nodes merged into them; times of several layers that are one operation add up. A region of nodes that ran as one layer (region_in())
/// is appended, time only: its operations get no times. The count of an operation becomes that of its time. Unmatched times
/// are appended, time only; unmatched work keeps its prediction. The first diagnostics list how many operations have a time, and the rest
/// of both. An error if the two do not complete each other, less than half of the names match, or a limit is exceeded.
[[nodiscard]] Result<Workload> join(const Workload& a, const Workload& b, const WorkloadLimits& limits = {});

}  // namespace roofline
