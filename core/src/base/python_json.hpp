// JSON as Python's json module writes it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace roofline {

/// `text` with null for Python's bare Infinity, -Infinity and NaN, which are not JSON. Quoted texts stay.
inline std::string plain_json(std::string_view text) {
  std::string out(text);
  if (text.find("Infinity") == std::string_view::npos && text.find("NaN") == std::string_view::npos) return out;
  bool quoted = false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (quoted && out[i] == '\\')
      ++i;
    else if (out[i] == '"')
      quoted = !quoted;
    else if (!quoted)
      for (const std::string_view word : {std::string_view("-Infinity"), std::string_view("Infinity"), std::string_view("NaN")})
        if (out.compare(i, word.size(), word) == 0)
          out.replace(i, word.size(), std::string("null") + std::string(std::max<std::size_t>(word.size(), 4) - 4, ' '));
  }
  return out;
}

}  // namespace roofline
