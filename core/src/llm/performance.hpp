// How fast a request is: times and rates from the sums over its passes.
#pragma once

#include <roofline/llm/inference.hpp>

namespace roofline {

[[nodiscard]] LlmTotals total(const LlmPasses& passes);

/// "memory"; empty where nothing known bounds.
[[nodiscard]] std::string name_of(std::optional<ResourceKind> bound);

/// Tokens that a run yields; of a prefill, those that it reads.
[[nodiscard]] double tokens(const LlmRun& run, const std::optional<Speculation>& speculation);

struct LlmSpeed {
  double ttft_s = unknown, tpot_s = unknown, total_s = unknown;  ///< the last of a generation only
  double tokens_per_s = unknown, tokens_per_s_per_user = unknown;
};
struct LlmPerformance {
  LlmSpeed ideal, typical;  ///< by the bounds, and by the typical times
  LlmTotals totals;         ///< of the phase
};
/// Of the inference's own request. `passes` is room to work in.
[[nodiscard]] LlmPerformance performance(const LlmInference& inference, LlmPasses& passes);

}  // namespace roofline
