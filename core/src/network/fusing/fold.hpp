// Fusion as compilers of networks do it.
#pragma once

#include <roofline/machine/tool_chain.hpp>

#include "network/sized.hpp"

namespace roofline {

/// For each node, the node it is merged into: itself, or the producer of an input that nothing else reads, if `by` fuses the two. Views
/// and changes of layout are merged into the producer of their input.
[[nodiscard]] std::vector<std::size_t> fused_into(const SizedNetwork& network, ToolChain by);

/// Merges as fused_into() says, and returns how many nodes with work it merged. Their records are dropped; the record that they are merged
/// into gets their FLOPs ("fused_flops") and the elements of their other inputs and outputs ("fused_elements"). Views and changes of layout
/// vanish.
std::size_t fold(SizedNetwork& network, ToolChain by);

}  // namespace roofline
