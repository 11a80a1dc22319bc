// ASCII letters without a locale, and what a text begins with.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

[[nodiscard]] constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

/// The first character that is no white space; NUL where there is none.
[[nodiscard]] constexpr char first_visible(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

/// Whether an object or an array begins there.
[[nodiscard]] constexpr bool begins_json(std::string_view text) { return first_visible(text) == '{' || first_visible(text) == '['; }

}  // namespace roofline
