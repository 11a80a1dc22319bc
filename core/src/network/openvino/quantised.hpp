// Types as layers compute with them: weights as they are stored, and data that FakeQuantize has rounded.
#pragma once

#include "network/openvino/layer_sizes.hpp"

namespace roofline::openvino {

/// Sets how a layer's output is seen: where it only widens stored weights (Convert, less their zero points, times their scales), as these
/// are stored; where it rounds to 256 levels or fewer, as integers; where it only moves such integers, as they are.
void see_quantised(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
                   std::vector<TensorSize>& tensors);

}  // namespace roofline::openvino
