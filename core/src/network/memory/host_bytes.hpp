// The bytes that a chip without device memory exchanges with its host.
#pragma once

#include <roofline/network/network.hpp>
#include <vector>

#include "network/sized.hpp"

namespace roofline {

/// Bytes between host and chip in one run, per node; merged nodes have 0, and the node they are merged into has their bytes. These cross:
/// * the network's inputs and outputs, once;
/// * activations of operations at which the live activations exceed the chip's memory;
/// * weights that do not fit next to the activations, in execution order: earlier weights stay on the chip.
/// NaN: not known.
[[nodiscard]] std::vector<double> host_bytes(const SizedNetwork& network, const NetworkTarget& target);

/// Gives operations `only_format` instead of floats. Returns whether there were any.
bool round_floats(SizedNetwork& network, FormatId only_format);

}  // namespace roofline
