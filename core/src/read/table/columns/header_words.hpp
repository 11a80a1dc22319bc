// The words of a column's header, whatever way they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// "Kernel Time (µs)_mean" -> kernel time us mean; "arithmeticIntensity" -> arithmetic intensity; "GB/s" -> gb per s; "%" is a word.
[[nodiscard]] std::vector<std::string> header_words(std::string_view header);

/// Whether `word` is among the words of `list`, which blanks separate.
[[nodiscard]] bool is_one_of(std::string_view word, std::string_view list);

/// A column with this word (lower case) states what somebody expected, not what was measured: "predicted", "theoretical".
[[nodiscard]] bool is_prediction(std::string_view word);

/// A header without the words for a statistic: the same for "Kernel Time (µs)_mean" and "Kernel Time (µs)_std".
[[nodiscard]] std::string without_statistic(std::string_view header);

}  // namespace roofline
