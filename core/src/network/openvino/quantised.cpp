#include "network/openvino/quantised.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "network/openvino/rules.hpp"

namespace roofline::openvino {
namespace {

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

constexpr std::array<std::string_view, 7> dequantising = {"Convert",   "Subtract", "Multiply", "Reshape",
                                                          "Transpose", "Squeeze",  "Unsqueeze"};
constexpr std::array<std::string_view, 18> type_preserving = {
    "Reshape",      "Transpose", "Squeeze", "Unsqueeze", "MaxPool", "Concat", "Split", "VariadicSplit", "Slice",
    "StridedSlice", "Gather",    "Pad",     "ReLU",      "Relu",    "Clamp",  "PReLU", "PRelu",         "Interpolate"};
constexpr std::array<std::string_view, 6> products = {
    "Convolution", "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData", "MatMul", "FullyConnected"};

/// Of 4 bits with a scale for each block of a row: [rows, blocks, length of a block] times [rows, blocks, 1].
TensorType with_blocks(TensorType type, const Lengths& weight, const Lengths& scale) {
  if (type.bits != 4 || !type.integer || weight.size() < 3 || scale.size() != weight.size()) return type;
  const double block = weight.back();
  if (scale.back() == 1 && scale[scale.size() - 2] == weight[weight.size() - 2] && block > 1) return int4_type(block);
  return type;
}

TensorType rounded_to(double levels, TensorType otherwise) {
  if (levels >= 2 && levels <= 4) return element_type("int2");
  if (levels > 4 && levels <= 16) return element_type("int4");
  if (levels > 16 && levels <= 256) return element_type("int8");
  return otherwise;
}

TensorType rounded_type(const Layer& layer, const TensorType& otherwise) { return rounded_to(layer.number("levels", 256), otherwise); }

IntegerRole role_of(const Layer& layer, const TensorSize& out) {
  if (out.constant) return out.stored_type.bits < out.type.bits ? IntegerRole::dequantise : IntegerRole::float_only;
  if (!find_rule(layer.type)) return IntegerRole::float_only;
  if (layer.type == "FakeQuantize") return rounded_type(layer, out.type).integer ? IntegerRole::fake_quantise : IntegerRole::float_only;
  if (is_one_of(products, layer.type)) return IntegerRole::product;
  return is_one_of(type_preserving, layer.type) ? IntegerRole::keeps_type : IntegerRole::needs_quantised_result;
}

}  // namespace

void set_stored_types(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
                      std::vector<TensorSize>& sizes) {
  if (inputs.empty() || inputs[0] == no_tensor) return;
  const TensorSize& in = sizes[inputs[0]];
  for (const TensorId id : outputs) {
    TensorSize& out = sizes[id];
    if (!out.constant) continue;
    if (layer.type == "FakeQuantize")
      out.stored_type = rounded_type(layer, out.type);
    else if (is_one_of(type_preserving, layer.type) && in.stored_type.integer && !in.type.integer)
      out.stored_type = in.stored_type;
    else if (is_one_of(dequantising, layer.type) && in.stored_type.bits < out.type.bits)
      out.stored_type = layer.type == "Multiply" && inputs.size() > 1 && inputs[1] != no_tensor
                            ? with_blocks(in.stored_type, in.shape, sizes[inputs[1]].shape)
                            : in.stored_type;
  }
}

std::vector<QuantisedExecution> use_integers(const Block& block, const std::vector<std::vector<TensorId>>& inputs,
                                             const std::vector<std::vector<TensorId>>& outputs, const std::vector<TensorSize>& sizes,
                                             std::vector<SizedTensor>& tensors) {
  std::vector<QuantisedNode> nodes;
  std::vector<TensorId> graph_outputs;
  for (std::size_t i = 0; i < block.layers.size(); ++i) {
    const Layer& layer = block.layers[i];
    QuantisedNode entry{IntegerRole::float_only, inputs[i], outputs[i]};
    if (layer.type == "Result") graph_outputs.insert(graph_outputs.end(), inputs[i].begin(), inputs[i].end());
    if (!outputs[i].empty() && !inputs[i].empty()) {
      const TensorSize& out = sizes[outputs[i][0]];
      entry.role = role_of(layer, out);
      entry.stored = entry.role == IntegerRole::fake_quantise ? rounded_type(layer, out.type) : out.stored_type;
    }
    nodes.push_back(std::move(entry));
  }
  return roofline::use_integers(nodes, graph_outputs, tensors);
}

}  // namespace roofline::openvino
