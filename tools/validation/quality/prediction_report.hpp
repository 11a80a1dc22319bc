// Predicted KL divergences judged on models that the fit has not seen.
#pragma once

#include <string>
#include <vector>

#include "kld_tables.hpp"

namespace roofline::validation {

/// A model in a type: |ln| of the factor by which each predictor is off, both without the tables of the same architecture.
struct PredictionTrial {
  std::string model, type;
  double predicted = 0;
  double beyond_level = 0;   ///< the same, if the model's median error were known
  double plain = 0;          ///< the median of the other models in the type
  bool within_band = false;  ///< of the same fit
};

/// Each table is left out once, outliers aside.
[[nodiscard]] std::vector<PredictionTrial> judge_predictions(const std::vector<KldTable>& tables);

struct PredictionErrors {
  double median = 0, p90 = 0;              ///< factors
  double plain_median = 0, plain_p90 = 0;  ///< of the plain predictor
  double beyond_level = 0;                 ///< median factor of the prediction, were each model's median error known
  double within_band = 0;                  ///< a fraction
  double least_within_band = 0;            ///< of the type with the fewest models in the band
  double improvement = 0;                  ///< 1 - ln(median) / ln(plain_median): how much less the log error is
};
[[nodiscard]] PredictionErrors errors_of(const std::vector<PredictionTrial>& trials);

/// Of an outlier's table, the median of measured / predicted.
[[nodiscard]] double outlier_factor(const std::vector<KldTable>& tables);

/// The part of docs/reference/validation-quantisation.md about predictions.
[[nodiscard]] std::string prediction_section(const std::vector<KldTable>& tables);

}  // namespace roofline::validation
