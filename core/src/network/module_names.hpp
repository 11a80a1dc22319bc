// The modules that nodes belong to, from names: of nodes that are paths, of weights in files whose nodes state no module.
#pragma once

#include <string>
#include <string_view>

#include "network/sized.hpp"

namespace roofline {

/// "layers.0.attention" of "/layers.0/attention/MatMul", "layers.0.linear" of "__module.layers.0.linear/aten::linear/MatMul"; empty where a
/// name is no path.
[[nodiscard]] std::string module_in(std::string_view name);

/// Gives each node of the main graph without a module that of a weight or bias that only this node reads, as PyTorch names these:
/// "layers.0.linear" of "layers.0.linear.weight".
void name_modules_by_weights(SizedNetwork& network);

}  // namespace roofline
