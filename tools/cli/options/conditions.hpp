// --fail-if: conditions on the summary of what a command prints.
#pragma once

#include <functional>
#include <roofline/write/condition.hpp>
#include <string>
#include <vector>

#include "options/scenario.hpp"

namespace roofline::cli {

/// Repeatable; `texts` are compiled by compile_conditions() before anything is read.
void add_fail_if_option(CLI::App& command, std::vector<std::string>& texts);

[[nodiscard]] Outcome<std::vector<Condition>> compile_conditions(const std::vector<std::string>& texts, Summarised what);

/// After a document has been printed, which ended with `printed`: each condition that holds, and each that cannot be told, in a line on
/// standard error. `summary` makes the document's; it is asked only where there are conditions.
[[nodiscard]] int judge(int printed, const std::vector<Condition>& conditions, const std::function<std::string()>& summary);

}  // namespace roofline::cli
