// Functions that exporters write as several nodes: GELU, layer norm and others.
#pragma once

#include <vector>

#include "network/fusing/fusion_rules.hpp"
#include "network/tensor_uses.hpp"

namespace roofline {

/// Nodes of the main graph that compute one function of one tensor; nothing else reads what is between them.
struct DecomposedFunction {
  FusionKind kind = FusionKind::other;
  std::vector<std::size_t> nodes;  ///< ascending; the last one makes the result
  TensorId input = no_tensor;
  std::size_t input_readers = 0;  ///< how many of these nodes read `input`
};

/// The functions that `by` recognises; no two share a node. `uses`: tensor_uses(network).
[[nodiscard]] std::vector<DecomposedFunction> decomposed_functions(const SizedNetwork& network, const std::vector<TensorUse>& uses,
                                                                   ToolChain by);

}  // namespace roofline
