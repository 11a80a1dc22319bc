// Quantisation as FakeQuantize, which rounds floats, and as weights that layers only widen.
#pragma once

#include "network/openvino/layer_sizes.hpp"
#include "network/quantised/integers.hpp"

namespace roofline::openvino {

/// Sets how a layer's constant outputs are stored: where it only widens weights (Convert, less their zero points, times their scales), as
/// these are; where it rounds to 256 levels or fewer, as integers.
void set_stored_types(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
                      std::vector<TensorSize>& sizes);

/// How each layer of a block uses integers; see use_integers() of all formats. `inputs`, `outputs`: the tensors of each layer.
[[nodiscard]] std::vector<IntegerUse> use_integers(const Block& block, const std::vector<std::vector<TensorId>>& inputs,
                                                   const std::vector<std::vector<TensorId>>& outputs, const std::vector<TensorSize>& sizes,
                                                   std::vector<SizedTensor>& tensors);

}  // namespace roofline::openvino
