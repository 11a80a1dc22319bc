#include "llm/model/module_pattern.hpp"

namespace roofline {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*')
      star = p++, from = t;
    else if (p < pattern.size() && pattern[p] == text[t])
      ++p, ++t;
    else if (star != std::string_view::npos)
      p = star + 1, t = ++from;
    else
      return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool has_parts(std::string_view module, std::string_view parts) {
  const auto ends = [&](std::size_t i) { return i == module.size() || module[i] == '.'; };
  for (std::size_t at = module.find(parts); at != std::string_view::npos; at = module.find(parts, at + 1))
    if ((at == 0 || module[at - 1] == '.') && ends(at + parts.size())) return true;
  return false;
}

}  // namespace

std::optional<std::string> module_pattern(std::string_view pattern) {
  if (!pattern.starts_with("re:")) return std::string(pattern);
  pattern.remove_prefix(3);
  std::string out;
  bool ended = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '^' && i == 0) continue;
    if (c == '$' && i + 1 == pattern.size()) {
      ended = true;
    } else if (c == '.' && pattern.substr(i, 2) == ".*") {
      out += '*';
      ++i;
    } else if (c == '\\' && pattern.substr(i, 2) == "\\.") {
      out += '.';
      ++i;
    } else if (std::string_view("\\()[]{}|+?*^$").find(c) != std::string_view::npos) {
      return std::nullopt;
    } else {
      out += c;  // an unescaped '.' nearly always means a literal one
    }
  }
  return ended ? out : out + '*';
}

bool names_module(std::string_view pattern, std::string_view module) {
  if (pattern.empty()) return false;
  return pattern.find('*') == std::string_view::npos ? has_parts(module, pattern) : matches(pattern, module);
}

}  // namespace roofline
