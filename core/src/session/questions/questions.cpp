#include "session/questions/questions.hpp"

#include <vector>

namespace roofline {

const Question* find_question(std::string_view name) {
  static const std::vector<Question> questions = {
      {"compare", nullptr, ask_compare},
      {"distribution", ask_distribution},
      {"fit", ask_fit},
      {"heatmap", ask_heatmap},
      {"listed", ask_listed},
      {"parity", ask_parity},
      {"precision", ask_precision},
      {"precision_layers", ask_precision_layers},
      {"model", ask_model},
      {"model_map", ask_model_map},
      {"model_machines", ask_model_machines},
      {"model_sweep", ask_model_sweep},
      {"categories", ask_categories},
      {"steps", ask_steps},
      {"formats", ask_formats},
      {"machines", ask_machines},
      {"machine_formats", ask_machine_formats},
      {"sweep", ask_sweep},
      {"which_machine", ask_which_machine},
  };
  for (const Question& question : questions)
    if (question.name == name) return &question;
  return nullptr;
}

}  // namespace roofline
