// JSON as Python's json module writes it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace roofline {

/// `text` with null for Python's bare Infinity, -Infinity and NaN, which are not JSON. Quoted texts stay.
inline std::string plain_json(std::string_view text) {
  if (text.find("Infinity") == std::string_view::npos && text.find("NaN") == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size() + text.size() / 4);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view bare;
    if (!quoted)
      for (const std::string_view word : {std::string_view("-Infinity"), std::string_view("Infinity"), std::string_view("NaN")})
        if (text.substr(i).starts_with(word)) bare = word;
    if (!bare.empty()) {
      out.append("null").append(std::max<std::size_t>(bare.size(), 4) - 4, ' ');  // what follows keeps its column
      i += bare.size() - 1;
      continue;
    }
    out += text[i];
    if (quoted && text[i] == '\\' && i + 1 < text.size())
      out += text[++i];
    else if (text[i] == '"')
      quoted = !quoted;
  }
  return out;
}

}  // namespace roofline
