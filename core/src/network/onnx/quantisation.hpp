// Quantisation as pairs of QuantizeLinear and DequantizeLinear.
#pragma once

#include "network/onnx/sizes.hpp"
#include "network/quantised/integers.hpp"

namespace roofline::onnx {

/// How a compiler runs each node of a block; see use_integers() in network/quantised.
[[nodiscard]] std::vector<QuantisedExecution> use_integers(const Block& block, std::vector<SizedTensor>& tensors);

}  // namespace roofline::onnx
