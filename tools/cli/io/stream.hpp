// analyze --stream: operations as they come, one on each line, in constant memory.
#pragma once

#include <string>
#include <vector>

#include "options/scenario.hpp"

namespace roofline::cli {

/// Of each line of `file` ("-": standard input) its analysis on a line; with `summary` what all of them add up to instead.
[[nodiscard]] int analyze_stream(const std::string& file, const std::vector<std::string>& registries, const Scenario& scenario,
                                 bool summary);

}  // namespace roofline::cli
