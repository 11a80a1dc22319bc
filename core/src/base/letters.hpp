// ASCII letters and digits without a locale, and the first character of a text.
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

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The first character that is not white space; NUL: there is none.
[[nodiscard]] constexpr char first_visible(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

/// Whether the text begins with a JSON object or array, after white space.
[[nodiscard]] constexpr bool begins_json(std::string_view text) { return first_visible(text) == '{' || first_visible(text) == '['; }

}  // namespace roofline
