#include "session/questions/questions.hpp"

#include <vector>

namespace roofline {

const Question* find_question(std::string_view name) {
  static const std::vector<Question> questions = {
      {"compare", nullptr, nullptr, ask_compare},
      {"distribution", nullptr, ask_distribution},
      {"fit", ask_fit},
      {"heatmap", nullptr, ask_heatmap},
      {"listed", nullptr, ask_listed},
      {"parity", ask_parity},
      {"precision", ask_precision},
      {"model", ask_model},
      {"model_map", ask_model_map},
      {"model_machines", ask_model_machines},
      {"model_sweep", ask_model_sweep},
      {"categories", nullptr, ask_categories},
      {"steps", nullptr, ask_steps},
      {"formats", ask_formats},
      {"machines", ask_machines},
      {"sweep", ask_sweep},
  };
  for (const Question& question : questions)
    if (question.name == name) return &question;
  return nullptr;
}

}  // namespace roofline
