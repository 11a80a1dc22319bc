// Python source text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace roofline {

/// Between quotes: JSON's escapes are Python's, too.
[[nodiscard]] inline std::string python_text(const std::string& text) { return compact(Json(text)); }

/// `name = [...]`, one string a line.
[[nodiscard]] inline std::string python_list(const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return name + " = []\n";
  std::string out = name + " = [\n";
  for (const std::string& text : texts) out += "    " + python_text(text) + ",\n";
  return out + "]\n";
}

/// The finding as comments, whatever is in it.
[[nodiscard]] inline std::string python_comment(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return "# " + text + '\n';
}

}  // namespace roofline
