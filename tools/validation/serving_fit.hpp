// The figures of the stacks that serve, fitted to serving runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "robust_fit.hpp"
#include "serving_runs.hpp"

namespace roofline::validation {

/// A figure that one or several stacks share.
struct ServingParameter {
  std::string_view key;
  std::vector<std::string> stacks;
};
[[nodiscard]] const std::vector<ServingParameter>& serving_parameters();

/// Ids of the stacks that have them.
[[nodiscard]] std::vector<std::string> fitted_serving_stacks();
/// Whether a run is fitted to: aggregated, or a static batch of an engine of 2024.
[[nodiscard]] bool is_in_serving_fit(const ServingRun& run);

[[nodiscard]] Values serving_values_of_presets();
[[nodiscard]] StackTerms serving_terms_under(const Values& values, const Stack& stack);

/// Fits the times per token and, with less weight, the times to first token; throughput where a run states nothing else.
[[nodiscard]] Values fitted_to_serving(const std::vector<const ServingRun*>& runs);

/// The estimate of each run, with all runs of its machine and model held back: blocks fall into `folds` parts by their name and
/// `salt`.
[[nodiscard]] std::vector<ServingFigures> serving_held_back(const std::vector<const ServingRun*>& runs, std::size_t folds,
                                                            const std::string& salt = "");

/// A run and its estimate.
struct EstimatedRun {
  const ServingRun* run;
  ServingFigures estimate;
};
/// Nested cross-validation, for choosing the form of the estimate: each part in turn stays unseen, the runs of the others are split once
/// more, and each of those parts is held back.
[[nodiscard]] std::vector<EstimatedRun> serving_held_back_inside(const std::vector<const ServingRun*>& runs, std::size_t folds);

}  // namespace roofline::validation
