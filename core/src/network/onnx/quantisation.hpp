// Quantisation as pairs of QuantizeLinear and DequantizeLinear: which nodes a compiler runs on integers, and which weights it dequantises.
#pragma once

#include <unordered_map>
#include <vector>

#include "network/onnx/sizes.hpp"

namespace roofline::onnx {

class Quantised {
 public:
  /// Whether a node (by its place in the block) does nothing of its own: it says what another reads or writes.
  [[nodiscard]] bool vanishes(std::size_t node) const { return node < vanishes_.size() && vanishes_[node]; }
  /// Has a node see its tensors as it computes with them.
  void see(std::size_t node, NodeSizes& sizes) const;

 private:
  friend class QuantisedFinder;
  std::vector<bool> vanishes_;
  std::unordered_map<std::size_t, std::vector<std::pair<TensorId, TensorType>>> seen_;
};

[[nodiscard]] Quantised find_quantised(const Block& block, const std::vector<TensorSize>& sizes);

}  // namespace roofline::onnx
