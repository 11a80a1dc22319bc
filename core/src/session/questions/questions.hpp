// The page's questions beyond the frame. To add one, add its file here and its name in questions.cpp.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/compare.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/session/session.hpp>
#include <span>
#include <string_view>

#include "base/json.hpp"

namespace roofline {

/// What a question is about: the operations that the view lets through, under the settings in force, in the view's order.
struct QuestionContext {
  const OpSet& ops;
  const FrameRequest& view;
  const Keys& keys;  ///< with the registry, what records mean
  const Registry& registry;
  std::function<const DistinctOps&()> distinct;  ///< of `ops`, kept from one question to the next
  std::function<bool()> machine_mismatch;        ///< Summary::machine_mismatch of all that is in scope, kept likewise
  [[nodiscard]] const Plan& plan() const { return ops.plan(); }
};

/// What the request's "op" names: that row alone, or where it is null or none, all that the view lets through.
[[nodiscard]] OpSet asked_for(const QuestionContext& of, const Json& request);

/// The request's member `key`, at most `most`; `otherwise` where it has none.
[[nodiscard]] std::size_t count_in(const Json& request, const char* key, std::size_t otherwise, std::size_t most);

struct Question {
  std::string_view name;
  /// `request` is a JSON object of the question's own.
  Result<Answer> (*answer)(const QuestionContext& of, const Json& request) = nullptr;
  /// In place of `answer`, for a question about two runs: the one kept (Session::keep) and the open one.
  Result<Answer> (*answer_compared)(const Plan& before, const Plan& after, const Comparison& changes, const Json& request) = nullptr;
};

[[nodiscard]] std::span<const Question> questions();
[[nodiscard]] const Question* find_question(std::string_view name);  ///< null: there is none

}  // namespace roofline
