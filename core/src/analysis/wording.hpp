// Phrases that findings, diagnoses and comparisons share.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/base/text.hpp>
#include <string>

namespace roofline {

/// With a capital letter, as a sentence begins.
[[nodiscard]] std::string capitalised(std::string text);
/// "1 op", "1,000 ops".
[[nodiscard]] std::string quantity(std::size_t n, const char* one, const char* many);
/// "1.5x to 4x faster", "2x faster", "1.2x slower".
[[nodiscard]] std::string faster(double low, double high);
/// " on an assumed NPU" where nobody said which machine it is, else nothing.
[[nodiscard]] std::string on_assumed(const Scenario& scenario);
/// "compute-bound"; "without a bound" for no_resource.
[[nodiscard]] std::string bound_word(const Plan& plan, std::uint8_t resource);

}  // namespace roofline
