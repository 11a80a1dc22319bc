#include "network.hpp"

#include <cstdio>
#include <roofline/network/network.hpp>
#include <roofline/read/read.hpp>

#include "core/network/onnx_file.hpp"
#include "timing.hpp"

namespace {

using namespace roofline;

volatile double sink;

/// Blocks of a convolution by weights of its own, an activation and a residual sum, as the file of an ONNX model.
std::string residual_network(int nodes) {
  onnx_file::Graph graph;
  graph.inputs.push_back(onnx_file::value("t0", onnx_file::fp32, {"batch", 16, 28, 28}));
  for (int i = 0; i < nodes; ++i) {
    const std::string before = "t" + std::to_string(i), after = "t" + std::to_string(i + 1);
    if (i % 3 == 0) {
      const std::string weight = "w" + std::to_string(i);
      graph.constants.push_back(onnx_file::tensor(weight, onnx_file::fp32, {16, 16, 1, 1}));
      graph.nodes.push_back(onnx_file::node("Conv", {before, weight}, {after}, {onnx_file::ints("kernel_shape", {1, 1})}));
    } else if (i % 3 == 1) {
      graph.nodes.push_back(onnx_file::node("Relu", {before}, {after}));
    } else {
      graph.nodes.push_back(onnx_file::node("Add", {before, "t" + std::to_string(i - 2)}, {after}));
    }
  }
  graph.outputs.push_back(onnx_file::value("t" + std::to_string(nodes), onnx_file::fp32, {"batch", 16, 28, 28}));
  return onnx_file::model(graph);
}

std::size_t operations(const Network& network, const char* batch) {
  return read(*network_commands(network, {{"batch", batch}}, ToolChain::none), {})->size();
}

double opening_ms(int runs, const std::string& file) {
  const BytesAtHand bytes(file);
  return median(runs, [&] { sink = static_cast<double>(operations(**open_network("network.onnx", bytes), "1")); });
}

}  // namespace

std::string network_figures() {
  const std::string small = residual_network(500);
  const BytesAtHand bytes(small);
  const auto network = open_network("network.onnx", bytes);
  const double small_ms = opening_ms(9, small), resize_ms = median(9, [&] { sink = static_cast<double>(operations(**network, "8")); }),
               large_ms = opening_ms(3, residual_network(50000));
  char text[120];
  std::snprintf(text, sizeof text, "\"network_500_ms\": %.2f, \"network_resize_500_ms\": %.2f, \"network_50k_ms\": %.1f", small_ms,
                resize_ms, large_ms);
  return text;
}
