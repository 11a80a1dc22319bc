// Fusion as compilers of networks do it.
#pragma once

#include <roofline/network/tool_chain.hpp>

#include "network/sized.hpp"

namespace roofline {

/// Of each node, the one that it becomes part of: itself, or the maker of one of its inputs that nothing else reads, where `by` fuses the
/// two. Views and changes of layout join what makes their input.
[[nodiscard]] std::vector<std::size_t> fused_into(const SizedNetwork& network, ToolChain by);

/// Merges as fused_into() says, and returns how many nodes with work it merged: their records are dropped, and the record of what they
/// join gets what they compute ("fused_flops") and read besides ("fused_elements"). Views and changes of layout vanish.
std::size_t fold(SizedNetwork& network, ToolChain by);

}  // namespace roofline
