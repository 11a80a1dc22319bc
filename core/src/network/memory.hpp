// What a network's activations need in memory while it runs.
#pragma once

#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// Bytes alive while each node of the main graph runs, in execution order: what goes in and comes out of it, and all that is read later.
/// Inputs of the network live from the start to their last reader, its outputs to the end; weights and constants are not among them.
/// Views take nothing, and keep alive what they are of.
/// Nothing is overwritten in place, and nothing is lost to alignment. NaN where a shape is not known.
[[nodiscard]] std::vector<double> activation_bytes(const SizedNetwork& network);

}  // namespace roofline
