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

/// The same where nodes run together: `into` has for each node one that stands for its group (fused_into()). A group runs at the place of
/// its last node, and a tensor that only its own nodes make and read takes nothing. 0 for its other nodes, which do not run alone.
[[nodiscard]] std::vector<double> activation_bytes(const SizedNetwork& network, const std::vector<std::size_t>& into);

}  // namespace roofline
