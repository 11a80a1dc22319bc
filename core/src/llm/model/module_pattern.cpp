#include "llm/model/module_pattern.hpp"

namespace roofline {
namespace {

bool matches_glob(std::string_view pattern, std::string_view text) {
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

/// Removes the name that multimodal models give their language part.
std::string without_language_prefix(std::string text) {
  for (const std::string_view part : {"language_model\\.", "language_model."})
    if (const std::size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
  return text;
}

}  // namespace

std::optional<ModulePattern> ModulePattern::parse(std::string_view pattern, PatternSyntax syntax) {
  constexpr std::string_view prefix = "re:";
  const bool prefixed = syntax == PatternSyntax::glob_or_re && pattern.starts_with(prefix);
  if (prefixed) pattern.remove_prefix(prefix.size());
  ModulePattern out;
  out.text_ = without_language_prefix(std::string(pattern));
  out.at_start_ = syntax != PatternSyntax::regex_anywhere;
  const bool special = out.text_.find_first_of("*+?^$()[]{}|\\") != std::string::npos;
  if (!prefixed && syntax != PatternSyntax::regex_from_start && !(syntax == PatternSyntax::regex_anywhere && special)) return out;
  out.regex_ = ModuleRegex::parse(out.text_);
  if (!out.regex_) return std::nullopt;
  return out;
}

bool ModulePattern::matches(std::string_view module) const {
  if (text_.empty()) return false;
  if (regex_) return regex_->matches(module, at_start_);
  return is_literal() ? has_parts(module, text_) : matches_glob(text_, module) || matches_glob(text_ + ".*", module);
}

}  // namespace roofline
