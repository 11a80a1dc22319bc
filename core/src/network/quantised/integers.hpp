// Quantisation that a network states as pairs of nodes, quantise and dequantise, around floats: which nodes a compiler runs on integers
// (or FP8) instead, and how it stores the tensors between them. The same for every file format.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// What quantisation makes of a node.
enum class IntegerRole : std::uint8_t {
  floats,      ///< never runs on integers
  computes,    ///< does where all its floats are dequantised and its result is quantised
  keeps_type,  ///< does too where its readers compute with integers, as it gives integers for integers: ReLU, max pooling, views
  product,     ///< does where both operands are dequantised; its result stays in floats unless it is quantised
  quantize,
  dequantize,
  rounds,  ///< both in one: FakeQuantize
};

struct IntegerStep {
  IntegerRole role = IntegerRole::floats;
  std::vector<TensorId> reads;   ///< of a product, its operands first; no_tensor: left out
  std::vector<TensorId> writes;  ///< likewise
  TensorType stored = {};        ///< what quantize writes, dequantize reads, and FakeQuantize rounds to
};

struct IntegerUse {
  bool vanishes = false;     ///< the node does nothing: it says how another one reads or writes
  bool stays_apart = false;  ///< it reads integers that are in memory: no compiler merges it into what writes these
  std::vector<std::pair<TensorId, TensorType>> seen;  ///< tensors that the node reads or writes in another type than the file states
};

/// How each of `steps`, a graph's nodes in execution order, uses integers. `kept`: what the graph gives out. Sets the tensors' `integers`
/// and `integers_of`.
[[nodiscard]] std::vector<IntegerUse> use_integers(const std::vector<IntegerStep>& steps, const std::vector<TensorId>& kept,
                                                   std::vector<SizedTensor>& tensors);

/// The network with its tensors as a compiler keeps them: `integers` is their type, and of `integers_of` they are views.
[[nodiscard]] SizedNetwork keeping_integers(SizedNetwork network);

/// Four-bit integers with a scale for each `block`.
[[nodiscard]] TensorType int4_type(double block);

}  // namespace roofline
