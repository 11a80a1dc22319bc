// Plans of formats judged on models that the fit has not seen.
#pragma once

#include <string>
#include <vector>

#include "kld_tables.hpp"

namespace roofline::validation {

/// A plan of at most a mixture's bytes, and the best mixture of at most the same. Divergences are sums over the tensors of the
/// measured one times the type's; their scale means nothing.
struct PlanTrial {
  std::string model, row, mixture;  ///< `row`: the low type of the tensors' measurements; `mixture`: whose size it is
  double bits = 0;                  ///< per weight, of that mixture
  double plan = 0, best_mixture = 0;
};

/// The same plans judged twice. Each tensor was measured in one low type; its divergence in another is scaled by the model's measured
/// divergences in both types, or by the squared errors of both on normally distributed weights.
struct PlanTrials {
  std::vector<PlanTrial> measured, by_relative_error;
};

/// Each table with a preset is left out of the fit, with those of the same architecture.
[[nodiscard]] PlanTrials judge_plans(const std::vector<KldTable>& tables);

/// The share of trials that the plan wins, of those of a model; of all if `model` is empty.
[[nodiscard]] double share_won(const std::vector<PlanTrial>& trials, const std::string& model = {});

/// docs/reference/validation-quantisation.md, and the figure that it shows.
[[nodiscard]] std::string plan_page(const std::vector<KldTable>& tables, const PlanTrials& trials);
[[nodiscard]] std::string plan_figure(const std::vector<PlanTrial>& trials);

}  // namespace roofline::validation
