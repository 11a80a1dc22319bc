// How fast a request is: times and rates from the sums over its passes.
#pragma once

#include <roofline/llm/answer.hpp>

namespace roofline {

[[nodiscard]] LlmTotals total(const LlmPasses& passes);

/// "memory"; empty where nothing known bounds.
[[nodiscard]] std::string name_of(std::optional<ResourceKind> bound);

/// Tokens that a run yields; of a prefill, those that it reads.
[[nodiscard]] double tokens(const LlmRun& run, const std::optional<Speculation>& speculation);

struct LlmPerformance {
  LlmSpeed bound, estimate;
  LlmTotals totals;  ///< of the phase
};
/// Of the inference's own request. `passes` is room to work in.
[[nodiscard]] LlmPerformance performance(const LlmInference& inference, LlmPasses& passes);

}  // namespace roofline
