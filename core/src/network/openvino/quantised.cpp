#include "network/openvino/quantised.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roofline::openvino {
namespace {

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

constexpr std::array<std::string_view, 7> widening = {"Convert", "Subtract", "Multiply", "Reshape", "Transpose", "Squeeze", "Unsqueeze"};
constexpr std::array<std::string_view, 12> moving = {"Reshape", "Transpose",     "Squeeze", "Unsqueeze",    "MaxPool", "Concat",
                                                     "Split",   "VariadicSplit", "Slice",   "StridedSlice", "Gather",  "Pad"};

/// Of 4 bits with a scale for each block of a row: [rows, blocks, length of a block] times [rows, blocks, 1].
TensorType with_blocks(TensorType type, const Lengths& weight, const Lengths& scale) {
  if (type.bits != 4 || !type.integer || weight.size() < 3 || scale.size() != weight.size()) return type;
  const double block = weight.back();
  if (scale.back() == 1 && scale[scale.size() - 2] == weight[weight.size() - 2] && block > 1)
    type.format = element_type(block <= 32 ? "int4_g32" : block <= 64 ? "int4_g64" : "int4_g128").format;
  return type;
}

TensorType rounded_to(double levels, TensorType otherwise) {
  if (levels >= 2 && levels <= 4) return element_type("int2");
  if (levels > 4 && levels <= 16) return element_type("int4");
  if (levels > 16 && levels <= 256) return element_type("int8");
  return otherwise;
}

}  // namespace

void see_quantised(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
                   std::vector<TensorSize>& tensors) {
  if (inputs.empty() || inputs[0] == no_tensor) return;
  const TensorSize& in = tensors[inputs[0]];
  for (const TensorId id : outputs) {
    TensorSize& out = tensors[id];
    if (layer.type == "FakeQuantize")
      out.seen = rounded_to(layer.number("levels", 256), out.type);
    else if (out.constant && is_one_of(widening, layer.type) && in.seen.bits < out.type.bits)
      out.seen = layer.type == "Multiply" && inputs.size() > 1 && inputs[1] != no_tensor
                     ? with_blocks(in.seen, in.shape, tensors[inputs[1]].shape)
                     : in.seen;
    else if (is_one_of(moving, layer.type) && in.seen.integer && !in.type.integer)
      out.seen = in.seen;
  }
}

}  // namespace roofline::openvino
