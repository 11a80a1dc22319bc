// Text cut into lines, words and parts.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The parts between separators; an empty text has one empty part.
[[nodiscard]] inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// The lines of a text, a line break's carriage return left out.
[[nodiscard]] inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out = split(text, '\n');
  if (out.back().empty()) out.pop_back();
  for (std::string_view& line : out)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return out;
}

/// The words of a line, which spaces, tabs and carriage returns separate.
[[nodiscard]] inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t\r", end);
  }
  return out;
}

[[nodiscard]] inline std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace roofline
