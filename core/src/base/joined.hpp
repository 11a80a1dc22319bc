// Text from pieces, for messages: one call where a chain of operator+ would be ten, which counts in the page's module.
#pragma once

#include <initializer_list>
#include <roofline/base/text.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

[[gnu::noinline]] inline std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

/// "expected one of a, b". Empty where nothing is.
template <class Words>
[[nodiscard]] std::string expected_one_of(const Words& words) {
  return words.empty() ? "" : "expected one of " + joined(words, ", ");
}

/// "a, b and c".
[[nodiscard]] inline std::string listed(const std::vector<std::string>& words) { return joined(words, ", ", " and "); }

}  // namespace roofline
