// A file of operations as commands open it.
#pragma once

#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "scenario.hpp"

namespace roofline::cli {

/// The operations of a file ("-": standard input), with those of the registries known. `assumed`: the format of those that name none.
[[nodiscard]] Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries,
                                              FormatId assumed = no_format);

/// One or two files as one workload, and the machine that one of them was measured as.
struct Opened {
  Workload workload;
  std::string machine;  ///< the file of a machine, for --machine; empty: none was given
};

/// The operations of `file`; with `second` that file's times or work, joined by name, or the machine that it is. In either order.
[[nodiscard]] Outcome<Opened> read_workloads(const std::string& file, const std::string& second, const std::vector<std::string>& registries,
                                             FormatId assumed = no_format);

/// A profiler's trace, launch by launch, for place_kernels().
[[nodiscard]] Outcome<Opened> read_trace(const std::string& file);

/// The scenario that the file's own machine, where it states one, starts from; a stated machine that is none leaves a diagnostic.
[[nodiscard]] Scenario stated_scenario(Workload& workload);

}  // namespace roofline::cli
