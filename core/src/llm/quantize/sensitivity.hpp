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
};

/// Of one model in each type: measured if it was, else predicted from its size and kind.
class TypeDivergences {
 public:
  TypeDivergences(const QualityTable& table, const Model& model);  ///< keeps `table`
  [[nodiscard]] TypeDivergence of(const Format& format) const;
  [[nodiscard]] bool measured() const { return measured_ != nullptr; }

 private:
  const QualityTable& table_;
  ModelKind kind_;
  double active_parameters_;
  const QualityTable::Numbers* measured_ = nullptr;
};

/// The upper end of a range, for files made without an importance matrix.
[[nodiscard]] double widened_without_imatrix(double high, bool imatrix);

}  // namespace roofline
