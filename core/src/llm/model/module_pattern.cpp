#include "llm/model/module_pattern.hpp"

namespace roofline {
namespace {

constexpr std::size_t max_length = 512;  // bounds the memory and the time of hostile files

/// Whether `pattern` matches the whole text, or all before a dot.
bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*')
      star = p++, from = t;
    else if (p < pattern.size() && pattern[p] == text[t])
      ++p, ++t;
    else if (p == pattern.size() && text[t] == '.')
      return true;
    else if (star != std::string_view::npos)
      p = star + 1, t = ++from;
    else
      return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
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
  const bool is_regex = prefixed || syntax == PatternSyntax::regex_from_start || (syntax == PatternSyntax::regex_anywhere && special);
  if (out.text_.size() > max_length) return std::nullopt;
  if (!is_regex) return out;
  out.regex_ = ModuleRegex::parse(out.text_);
  if (!out.regex_) return std::nullopt;
  return out;
}

std::string_view ModulePattern::prefix() const {
  if (regex_) return at_start_ ? regex_->prefix() : std::string_view();
  return std::string_view(text_).substr(0, text_.find('*'));
}

bool ModulePattern::matches(std::string_view module, int& steps) const {
  if (text_.empty() || steps == 0) return false;
  if (regex_) return regex_->matches(module, at_start_, steps);
  --steps;
  return matches_glob(text_, module);
}

}  // namespace roofline
