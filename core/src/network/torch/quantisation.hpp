// Quantisation as pairs of quantize and dequantize calls.
#pragma once

#include <vector>

#include "network/quantised/integers.hpp"
#include "network/torch/sized_call.hpp"

namespace roofline::torch_export {

[[nodiscard]] bool is_dequantize(const Call& call);

/// How each of `calls` uses integers; see use_integers() of all formats.
[[nodiscard]] std::vector<IntegerUse> use_integers(const std::vector<Call>& calls, const std::vector<TensorId>& kept,
                                                   std::vector<SizedTensor>& tensors, const Lengths& expressions);

}  // namespace roofline::torch_export
