// Which operation a tool chain merges into which: a table of rules, each with its source.
#pragma once

#include <roofline/network/fusion.hpp>

#include "network/sized.hpp"

namespace roofline {

/// The kinds of operations in fusion rules.
enum class FusionKind : std::uint8_t {
  other,
  convolution,
  product,
  attention,
  pooling,
  reduction,  ///< softmax too
  norm,       ///< layer, group and instance norm
  add_constant,
  scale,     ///< times a constant, or a batch norm
  addition,  ///< of two computed tensors
  relu,      ///< and other clamps
  leaky_relu,
  prelu,
  elu,
  sigmoid,
  tanh,
  gelu,
  swish,      ///< SiLU and hard swish
  pointwise,  ///< any other element-wise operation
  cast,       ///< quantisation too
};

/// Of a node with work.
[[nodiscard]] FusionKind fusion_kind(const SizedNode& node, const SizedNetwork& network);

/// Whether `by` merges `follower` into `producer`, whose result nothing else reads.
[[nodiscard]] bool fuses(ToolChain by, FusionKind producer, FusionKind follower);

/// Whether `by` merges the several nodes that exporters write such a function with.
[[nodiscard]] bool recognises(ToolChain by, FusionKind function);

}  // namespace roofline
