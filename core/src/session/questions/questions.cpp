#include "session/questions/questions.hpp"

#include <algorithm>
#include <vector>

namespace roofline {

// The answers, each from its question's file.
using Answers = Result<Answer>(const QuestionContext& of, const Json& request);
Answers ask_distribution, ask_fit, ask_fusion, ask_heatmap, ask_listed, ask_parity, ask_precision, ask_precision_layers, ask_categories,
    ask_steps, ask_model, ask_model_map, ask_model_sweep, ask_formats, ask_machine_formats, ask_machines, ask_scenario, ask_sweep,
    ask_unsupported_formats, ask_which_machine;
Result<Answer> ask_compare(const Plan& before, const Plan& after, const Comparison& changes, const Json& request);

OpSet asked_for(const QuestionContext& of, const Json& request) {
  const double op = number_of(member(request, "op"));
  const bool one = op >= 0 && op < static_cast<double>(of.plan().workload().size());
  return one ? OpSet::of(of.plan(), static_cast<std::uint32_t>(op)) : of.ops;
}

std::size_t count_in(const Json& request, const char* key, std::size_t otherwise, std::size_t most) {
  const double count = number_of(member(request, key));
  return count >= 0 ? static_cast<std::size_t>(std::min(count, static_cast<double>(most))) : otherwise;
}

std::span<const Question> questions() {
  static const std::vector<Question> all = {
      {"compare", nullptr, ask_compare},
      {"distribution", ask_distribution},
      {"fit", ask_fit},
      {"fusion", ask_fusion},
      {"heatmap", ask_heatmap},
      {"listed", ask_listed},
      {"parity", ask_parity},
      {"precision", ask_precision},
      {"precision_layers", ask_precision_layers},
      {"model", ask_model},
      {"model_map", ask_model_map},
      {"model_sweep", ask_model_sweep},
      {"categories", ask_categories},
      {"steps", ask_steps},
      {"formats", ask_formats},
      {"machines", ask_machines},
      {"machine_formats", ask_machine_formats},
      {"scenario", ask_scenario},
      {"sweep", ask_sweep},
      {"unsupported_formats", ask_unsupported_formats},
      {"which_machine", ask_which_machine},
  };
  return all;
}

const Question* find_question(std::string_view name) {
  for (const Question& question : questions())
    if (question.name == name) return &question;
  return nullptr;
}

}  // namespace roofline
