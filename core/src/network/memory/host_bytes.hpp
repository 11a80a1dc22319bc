// The bytes that a chip without device memory exchanges with its host.
#pragma once

#include <roofline/network/network.hpp>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// Bytes between host and chip in one run, for the operation that each node becomes once fold() has merged it with others; they are given
/// to the node that the others are merged into, and 0 to the others. The network's inputs and outputs cross; so do activations of
/// operations at which the chip's memory cannot hold all that are alive, and weights that do not fit beside the activations: those of the
/// first operations are kept. NaN: not known.
[[nodiscard]] std::vector<double> host_bytes(const SizedNetwork& network, const NetworkTarget& target);

/// Gives operations `only_format` instead of floats. Returns whether there were any.
bool round_floats(SizedNetwork& network, FormatId only_format);

}  // namespace roofline
