// Quantisation as FakeQuantize, which rounds floats, and as weights that layers dequantise.
#pragma once

#include "network/openvino/layer_sizes.hpp"
#include "network/quantised/integers.hpp"

namespace roofline::openvino {

/// Sets the stored types of a layer's constant outputs: those of the weights that it dequantises (Convert, less their zero points, times
/// their scales), or integers if it rounds to 256 levels or fewer.
void set_stored_types(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
                      std::vector<TensorSize>& sizes);

/// How a compiler runs each layer of a block; see use_integers() in network/quantised. `inputs`, `outputs`: the tensors of each layer.
[[nodiscard]] std::vector<QuantisedExecution> use_integers(const Block& block, const std::vector<std::vector<TensorId>>& inputs,
                                                           const std::vector<std::vector<TensorId>>& outputs,
                                                           const std::vector<TensorSize>& sizes, std::vector<SizedTensor>& tensors);

}  // namespace roofline::openvino
