// Which formats the page compares where the user names none.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/finding.hpp>

namespace roofline {

/// All but the types of GGUF, which are for language models: not for networks, and not for operations on an NPU.
[[nodiscard]] bool is_offered(const Plan& plan, FormatId format);

/// Adds a sentence if the what-if changes more than formats: formats are compared on the unchanged machine, so those changes are ignored.
void say_left_out(Finding& finding, const Scenario& scenario);

}  // namespace roofline
