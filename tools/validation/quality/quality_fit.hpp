// Fits what quantisation costs to measured KL divergences.
#pragma once

#include <roofline/llm/quality_table.hpp>
#include <vector>

#include "kld_tables.hpp"

namespace roofline::validation {

/// * types: ln KLD of the median model in each; kinds and parameters_exponent: the level of a model, the same in each type, by medians.
///   Bands are the errors on architectures left out.
/// * weights: of each class the median over the models of its mean in inner layers, relative to the model's feed-forward tensors;
///   models whose measurements do not resolve small tensors count only for classes that no other has.
/// * shares: the median of the head's and the embedding's share of the sum over all tensors; depth: of the first and the last layer
/// relative to the inner ones.
/// * measured: the tables themselves.
/// Outliers (is_outlier()) are left out. Only Qwen3-4B's has a tied embedding: without it, that share is the
/// preset's.
[[nodiscard]] QualityTable fit_quality(const std::vector<const KldTable*>& tables);

/// ln of predicted / measured KLD in a type.
[[nodiscard]] double log_error(const QualityTable& quality, const KldTable& table, const std::string& type);

[[nodiscard]] std::vector<const KldTable*> without_architecture_of(const KldTable& table, const std::vector<const KldTable*>& tables);

[[nodiscard]] double median_of(std::vector<double> values);
[[nodiscard]] double quantile_of(std::vector<double> values, double q);

}  // namespace roofline::validation
