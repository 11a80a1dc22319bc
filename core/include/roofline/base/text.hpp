// Numbers, lists and tables as a person reads them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

// The rules are in docs/reference/conventions.md, examples of each function in tests/data/numbers.json. NaN is "unknown".

/// Up to three significant digits and an SI prefix: (1.2345e9, "B/s") -> "1.23 GB/s".
[[nodiscard]] std::string with_unit(double value, std::string_view unit);
/// "12.3 ms", "850 µs", "2.5 min", "2.5 h".
[[nodiscard]] std::string seconds(double value);
/// "46%", "3.2%", "0.05%".
[[nodiscard]] std::string percent(double fraction);
/// A factor: "7.5x".
[[nodiscard]] std::string times(double factor);
/// Up to three significant digits, from a thousand on all before the point: "1.5", "0.125", "640", "12,345".
[[nodiscard]] std::string number(double value);
/// "1,000,000".
[[nodiscard]] std::string with_commas(std::size_t n);
/// "1 entry", "1,000 entries".
[[nodiscard]] std::string quantity(std::size_t n, std::string_view one, std::string_view many);
/// The same for a noun whose plural takes an s: "1 row", "1,000 rows".
[[nodiscard]] std::string quantity(std::size_t n, std::string_view noun);
/// All digits of a whole number that is exact, else six: "224", "2.5", "1e+300".
[[nodiscard]] std::string plain(double value);
/// A cell of a table: text(value), or with_unit(value, unit). "-" for NaN.
[[nodiscard]] std::string or_dash(double value, std::string (*text)(double));
[[nodiscard]] std::string or_dash(double value, std::string_view unit);
/// Valid UTF-8, whatever came in: bytes that are not become U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);
/// valid_utf8 on one line that is safe to send to a terminal: control characters become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);
/// The text as printable() has it, cut behind `most_characters` and marked with "…" where it has more.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most_characters);
/// The words of a list with `separator` between them, and `last` before the last.
template <class Words>
[[nodiscard]] std::string joined(const Words& words, std::string_view separator, std::string_view last) {
  std::string out;
  std::size_t left = words.size();
  for (const std::string_view word : words) {
    if (!out.empty()) out += left == 1 ? last : separator;
    out += word;
    --left;
  }
  return out;
}
template <class Words>
[[nodiscard]] std::string joined(const Words& words, std::string_view separator) {
  return joined(words, separator, separator);
}
/// Rows of cells as lines, each column as wide as its widest cell. `sides` has an 'l' or an 'r' per column.
[[nodiscard]] std::string align(const std::vector<std::vector<std::string>>& rows, std::string_view sides);

}  // namespace roofline
