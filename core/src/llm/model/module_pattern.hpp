// Patterns by which quantisation tools name a model's modules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llm/model/module_regex.hpp"

namespace roofline {

/// How a tool writes patterns.
enum class PatternSyntax {
  glob_or_re,        ///< "re:" begins a regular expression from a name's start; else '*' stands for any text
  regex_from_start,  ///< GPTQModel
  regex_anywhere     ///< AutoRound: names, or where they have a regular expression's characters, one
};

class ModulePattern {
 public:
  /// nullopt: too long, or a regular expression that ModuleRegex does not support.
  [[nodiscard]] static std::optional<ModulePattern> parse(std::string_view pattern, PatternSyntax syntax = PatternSyntax::glob_or_re);

  /// Whether it is no literal and matches "model.layers.3.self_attn.q_proj"; with a '*', as a whole or up to a dot. Takes its time from
  /// `steps`, as ModuleRegex does.
  [[nodiscard]] bool matches(std::string_view module, int& steps) const;
  /// Begins every module that matches.
  [[nodiscard]] std::string_view prefix() const;
  /// Whether it is parts of a dotted name: "self_attn", "model.layers.3", "lm_head".
  [[nodiscard]] bool is_literal() const { return !regex_ && text_.find('*') == std::string::npos; }
  /// Without the "language_model." of multimodal models.
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::optional<ModuleRegex> regex_;
  bool at_start_ = true;
};

}  // namespace roofline
