// Quantisation as pairs of QuantizeLinear and DequantizeLinear.
#pragma once

#include "network/onnx/sizes.hpp"
#include "network/quantised/integers.hpp"

namespace roofline::onnx {

/// How each node of a block uses integers; see use_integers() of all formats.
[[nodiscard]] std::vector<IntegerUse> use_integers(const Block& block, std::vector<SizedTensor>& tensors);

}  // namespace roofline::onnx
