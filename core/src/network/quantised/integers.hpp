// Quantisation that a network states as pairs of nodes, quantise and dequantise, around floats: which nodes a compiler runs on integers
// (or FP8) instead, and how it stores the tensors between them. All file formats use it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// When a node runs on integers.
enum class IntegerRole : std::uint8_t {
  float_only,              ///< never
  needs_quantised_result,  ///< if its float inputs are dequantised and its result is quantised
  keeps_type,              ///< also if its readers use integers: ReLU, max pooling, views
  product,                 ///< if both operands are dequantised; its result stays in floats unless it is quantised
  quantise,
  dequantise,
  fake_quantise,  ///< both in one node: FakeQuantize
};

struct QuantisedNode {
  IntegerRole role = IntegerRole::float_only;
  std::vector<TensorId> reads;   ///< a product's operands come first; no_tensor: left out
  std::vector<TensorId> writes;  ///< no_tensor: left out
  TensorType stored = {};        ///< type that quantise writes, dequantise reads, or FakeQuantize rounds to
};

struct QuantisedExecution {
  bool vanishes = false;                         ///< the node does nothing: another node reads or writes integers instead
  bool not_fusible = false;                      ///< it reads integers from memory: no compiler merges it into the node that writes them
  std::map<TensorId, TensorType> compute_types;  ///< of tensors that the node reads or writes in another type than the file's
};

/// How a compiler runs each of a graph's `nodes`, which are in execution order. Sets the tensors' `compiled_type` and
/// `alias_when_compiled`.
[[nodiscard]] std::vector<QuantisedExecution> use_integers(const std::vector<QuantisedNode>& nodes,
                                                           const std::vector<TensorId>& graph_outputs, std::vector<SizedTensor>& tensors);

/// The network as a compiler stores it: each tensor has its `compiled_type` and is a view of its `alias_when_compiled`.
[[nodiscard]] SizedNetwork with_compiled_types(SizedNetwork network);

/// Four-bit integers with one scale per `block` elements.
[[nodiscard]] TensorType int4_type(double block);

}  // namespace roofline
