#include "network/recurrent/recurrent.hpp"

namespace roofline::work {

void recurrent(SizedNode& node, const RecurrentSizes& s, const Types& types, std::string_view part) {
  const double inner = s.input + s.state;
  const std::size_t before = node.records.size();
  linear(node, {s.rows, inner}, s.gate_outputs, inner, s.biases > 0, types, part);
  if (node.records.size() == before) return;
  const double read = s.rows * (s.reads_state ? inner : s.input), weights = s.gate_outputs * inner + s.biases;
  // The gates' own outputs stay in the layer.
  node.records.back().set("bytes", (read * types.data.bits + weights * types.weight.bits + s.output_elements * types.output.bits) / 8);
}

}  // namespace roofline::work
