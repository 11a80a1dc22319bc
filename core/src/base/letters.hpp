// ASCII letters and digits without a locale, and what a text contains and begins with.
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

/// A lower-case identifier, with a hyphen for each other character: "NVIDIA H100 PCIe" -> "nvidia-h100-pcie".
[[nodiscard]] inline std::string hyphenated(std::string_view text) {
  std::string out = lower(text);
  for (char& c : out)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '-';
  return out;
}

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[nodiscard]] constexpr bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
[[nodiscard]] constexpr bool contains(std::string_view text, char c) { return text.find(c) != std::string_view::npos; }

/// The first character that is not white space; NUL: there is none.
[[nodiscard]] constexpr char first_visible(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : text[at];
}

/// Whether the text begins with a JSON object or array, after white space.
[[nodiscard]] constexpr bool begins_json(std::string_view text) { return first_visible(text) == '{' || first_visible(text) == '['; }

}  // namespace roofline
