// Text from pieces, for messages: one call where a chain of operator+ would be ten, which counts in the page's module.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

[[gnu::noinline]] inline std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

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

/// "a, b and c".
[[nodiscard]] inline std::string listed(const std::vector<std::string>& words) { return joined(words, ", ", " and "); }

}  // namespace roofline
