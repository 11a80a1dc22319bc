// The sentence about a request whose context is longer than the one that its model was trained for.
#pragma once

#include <roofline/llm/llm.hpp>
#include <string>

#include "analysis/wording.hpp"

namespace roofline {

/// "The context of 100,999 tokens is longer than the 8,192 that the model was trained for. "; empty: it is not longer, or a length is not
/// known.
[[nodiscard]] inline std::string beyond_training_sentence(const LlmRequest& request) {
  MemoryVerdict verdict;
  verdict.context = request.longest();
  verdict.trained_context = request.setup.model.trained_context;
  return verdict.beyond_training() ? capitalised(verdict.training_text()) + ". " : std::string();
}

}  // namespace roofline
