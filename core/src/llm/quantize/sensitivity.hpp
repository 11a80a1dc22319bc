// What each tensor and each type contribute to the KL divergence of a quantised model, by a table of qualities.
#pragma once

#include <roofline/llm/quality_table.hpp>
#include <roofline/llm/quantize.hpp>
#include <vector>

namespace roofline {

/// The share of each tensor in a model's divergence, by its class and its layer; together 1.
[[nodiscard]] std::vector<double> divergence_shares(const QualityTable& table, const Model& model, const std::vector<GgufTensor>& tensors);

struct TypeDivergence {
  double kld = unknown;   ///< nats per token, all tensors in the type; NaN: not known
  double band = unknown;  ///< four in five models are within this factor, up or down; NaN: not known
  bool measured = false;  ///< of this model
};

/// Of one model in each type: measured if it was, else predicted from its size and kind.
class TypeDivergences {
 public:
  TypeDivergences(const QualityTable& table, const Model& model);  ///< keeps `table`
  [[nodiscard]] TypeDivergence of(const Format& format) const;

 private:
  const QualityTable& table_;
  ModelKind kind_;
  double active_parameters_;
  const QualityTable::Numbers* measured_ = nullptr;
};

/// The divergence of a file: the sum of its tensors' parts.
class DivergenceSum {
 public:
  /// `kld`: what the tensor contributes; `type`: that of its format.
  void add(double kld, const TypeDivergence& type, FormatId format);
  /// `imatrix`: whether the file is made with an importance matrix, as those that were measured are; without one the range is wider.
  [[nodiscard]] Divergence result(bool imatrix) const;

 private:
  Divergence sum_{0, 0, 0};
  bool all_measured_ = true, one_format_ = true;
  FormatId format_ = no_format;  ///< of the first tensor
};

}  // namespace roofline
