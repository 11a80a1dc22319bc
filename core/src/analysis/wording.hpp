// Phrases that findings, diagnoses and comparisons share.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <string>

namespace roofline {

/// "1,000,000".
[[nodiscard]] std::string with_commas(std::size_t n);
/// With a capital letter, as a sentence begins.
[[nodiscard]] std::string capitalised(std::string text);
/// "1 op", "1,000 ops".
[[nodiscard]] std::string quantity(std::size_t n, const char* one, const char* many);
/// "1.05x", "1.5x", "12x".
[[nodiscard]] std::string times(double factor);
/// "1.5x to 4.0x faster", "2.0x faster", "1.2x slower".
[[nodiscard]] std::string faster(double low, double high);
/// " on an assumed NPU" where nobody said which machine it is, else nothing.
[[nodiscard]] std::string on_assumed(const Scenario& scenario);
/// "compute-bound"; "without a bound" for no_resource.
[[nodiscard]] std::string bound_word(const Plan& plan, std::uint8_t resource);

}  // namespace roofline
