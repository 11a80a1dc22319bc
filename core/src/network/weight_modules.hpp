// Modules from the names of weights, for files whose nodes state no module.
#pragma once

#include "network/sized.hpp"

namespace roofline {

/// Gives nodes of the main graph without a module that of a weight or bias which no other node reads, as PyTorch names these:
/// "layers.0.linear" of "layers.0.linear.weight".
void name_modules_by_weights(SizedNetwork& network);

}  // namespace roofline
