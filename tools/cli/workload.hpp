// A file of operations as commands open it.
#pragma once

#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "scenario.hpp"

namespace roofline::cli {

/// The operations of a file ("-": standard input), with those of the registries known.
[[nodiscard]] Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries);

/// The scenario that the file's own machine, where it states one, starts from; a stated machine that is none leaves a diagnostic.
[[nodiscard]] Scenario stated_scenario(Workload& workload);

}  // namespace roofline::cli
