// Recurrent layers: the products of all gates, of which only the state leaves the layer.
#pragma once

#include "network/work.hpp"

namespace roofline::work {

/// Lengths, and elements of what is in memory once.
struct RecurrentSizes {
  double rows = unknown;             ///< steps x batch; of a cell, which does one step, the batch
  double input = unknown;            ///< of each row
  double state = unknown;            ///< likewise: its output of the step before
  double gate_outputs = unknown;     ///< of each row: of all gates and directions
  double biases = 0;                 ///< elements
  double output_elements = unknown;  ///< of the result
  bool reads_state = false;          ///< a cell reads its state from memory; a sequence keeps it
};

/// Each step multiplies the input and the last state by the weights. A layer that keeps them near reads the weights once.
void recurrent(SizedNode& node, const RecurrentSizes& sizes, const Types& types, std::string_view part = {});

}  // namespace roofline::work
