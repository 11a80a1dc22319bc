// The ways to lay a model out on machines.
#pragma once

#include <roofline/serving/request.hpp>
#include <vector>

namespace roofline {

/// Tensor, expert and pipeline parallelism of one replica.
struct ReplicaLayout {
  double tp = 1, ep = 1, pp = 1;
  [[nodiscard]] double machines() const { return (tp > ep ? tp : ep) * pp; }
  /// Machines of a stage that each take whole sequences.
  [[nodiscard]] bool attention_dp() const { return ep > tp; }
};

/// Every replica on up to `most` machines whose degrees are powers of two that divide what they share; with `exact`, those of which a whole
/// number makes `most`.
[[nodiscard]] std::vector<ReplicaLayout> replica_layouts(const Model& model, double most, bool exact);

}  // namespace roofline
