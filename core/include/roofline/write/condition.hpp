// Conditions on the summary of a document, for pipelines: the registry's expressions over its members.
#pragma once

#include <roofline/registry/expression.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

enum class Summarised : std::uint8_t { analysis, llm, comparison };

/// The members of a summary that conditions may ask for: those that are one value. `roofline schema` says what they mean.
[[nodiscard]] std::vector<std::string> condition_names(Summarised what);

class Condition {
 public:
  /// An unknown name is answered with those near it.
  [[nodiscard]] static Result<Condition> compile(std::string_view text, const std::vector<std::string>& names);

  struct Verdict {
    bool holds = false;
    std::string sentence;  ///< "efficiency < 0.5: efficiency is 0.31"
  };
  /// `summary`: a document's, as JSON. Fails where something that it takes is not known.
  [[nodiscard]] Result<Verdict> test(std::string_view summary) const;

  [[nodiscard]] const std::string& text() const { return expression_.text(); }

 private:
  Condition(Keys keys, Expression expression) : keys_(std::move(keys)), expression_(std::move(expression)) {}
  Keys keys_;
  Expression expression_;
};

}  // namespace roofline
