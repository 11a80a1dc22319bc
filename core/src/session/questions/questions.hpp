// What the page asks beyond the frame. One question is one file here and one line in questions.cpp.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/compare.hpp>
#include <roofline/session/session.hpp>
#include <string_view>

#include "base/json.hpp"

namespace roofline {

struct Question {
  std::string_view name;
  /// `plan` is of the open workload under the settings in force; `request` is a JSON object of the question's own.
  Result<Answer> (*answer)(const Plan& plan, const Json& request) = nullptr;
  /// In place of `answer`, for a question about what the view's filters let through, in the view's order.
  Result<Answer> (*answer_shown)(const Plan& plan, const FrameRequest& view, const Json& request) = nullptr;
  /// For a question about two runs: the one kept (Session::keep) and the open one.
  Result<Answer> (*answer_compared)(const Plan& before, const Plan& after, const Comparison& changes, const Json& request) = nullptr;
};

Result<Answer> ask_compare(const Plan& before, const Plan& after, const Comparison& changes, const Json& request);
Result<Answer> ask_distribution(const Plan& plan, const FrameRequest& view, const Json& request);
Result<Answer> ask_fit(const Plan& plan, const Json& request);
Result<Answer> ask_heatmap(const Plan& plan, const FrameRequest& view, const Json& request);
Result<Answer> ask_listed(const Plan& plan, const FrameRequest& view, const Json& request);
Result<Answer> ask_parity(const Plan& plan, const Json& request);
Result<Answer> ask_precision(const Plan& plan, const Json& request);
Result<Answer> ask_categories(const Plan& plan, const FrameRequest& view, const Json& request);
Result<Answer> ask_steps(const Plan& plan, const FrameRequest& view, const Json& request);

Result<Answer> ask_model(const Plan& plan, const Json& question);
Result<Answer> ask_model_map(const Plan& plan, const Json& question);
Result<Answer> ask_model_machines(const Plan& plan, const Json& question);
Result<Answer> ask_model_sweep(const Plan& plan, const Json& question);
[[nodiscard]] Result<Answer> ask_formats(const Plan& plan, const Json& request);
[[nodiscard]] Result<Answer> ask_machines(const Plan& plan, const Json& request);
[[nodiscard]] Result<Answer> ask_sweep(const Plan& plan, const Json& request);

[[nodiscard]] const Question* find_question(std::string_view name);  ///< null: there is none

}  // namespace roofline
