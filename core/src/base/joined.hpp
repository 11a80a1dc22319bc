// Text from pieces, for messages: one call where a chain of operator+ would be ten, which counts in the page's module.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace roofline {

[[gnu::noinline]] inline std::string joined(std::initializer_list<std::string_view> pieces) {
  std::string out;
  for (const std::string_view piece : pieces) out += piece;
  return out;
}

}  // namespace roofline
