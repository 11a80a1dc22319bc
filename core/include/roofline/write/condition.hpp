// Conditions on the summary of a document, for pipelines: the registry's expressions over its members.
#pragma once

#include <optional>
#include <roofline/registry/expression.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// What a condition is about: a document's summary, or judged_comparison_json().
enum class Summarised : std::uint8_t { analysis, llm, comparison };

class Condition {
 public:
  /// Over members that are one value and parts of those that are objects: efficiency, by_status['memory-bound']. `roofline schema` says
  /// what they mean; an unknown name is answered with those near it.
  [[nodiscard]] static Result<Condition> compile(std::string_view text, Summarised what);

  struct Verdict {
    bool holds = false;
    std::string sentence;  ///< "efficiency < 0.5: efficiency is 0.31"
  };
  /// `summary`: of a document of that kind, as JSON. Fails where something that it takes is not known.
  [[nodiscard]] Result<Verdict> test(std::string_view summary) const;

  [[nodiscard]] const std::string& text() const { return expression_.text(); }

 private:
  struct Asked {
    std::string name;               ///< as it is written
    std::vector<std::string> path;  ///< of the member, and of its part
    std::optional<double> absent;   ///< what the schema says it is where the document leaves it out; else it is not known then
  };
  Condition(Keys keys, Expression expression, std::vector<Asked> values)
      : keys_(std::move(keys)), expression_(std::move(expression)), values_(std::move(values)) {}
  Keys keys_;
  Expression expression_;
  std::vector<Asked> values_;
};

}  // namespace roofline
