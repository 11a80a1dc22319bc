// Sums over the parts of a run.
#pragma once

#include <optional>
#include <roofline/llm/answer.hpp>

namespace roofline {

[[nodiscard]] LlmTotals total(const LlmParts& parts);

/// What bounds most of the predicted time.
[[nodiscard]] LlmBound most_of(const LlmTotals& totals);

/// Tokens that a run yields; of a prefill, those that it reads.
[[nodiscard]] double tokens(const LlmMeasurement& run, const std::optional<Speculation>& speculation);

/// How fast the request's own phase is, and what bounds it.
struct LlmSpeed {
  double ttft_s = unknown, tpot_s = unknown, total_s = unknown;  ///< the last of a generation only
  double tokens_per_s = unknown, tokens_per_s_per_user = unknown;
};
struct LlmOutcome {
  LlmSpeed ideal, typical;  ///< at the machine's rates, and at the fractions of them that real kernels reach, with launches
  LlmTotals totals;         ///< of the phase
};
/// `parts` is room to work in.
[[nodiscard]] LlmOutcome outcome(const LlmStudy& study, LlmParts& parts);

}  // namespace roofline
