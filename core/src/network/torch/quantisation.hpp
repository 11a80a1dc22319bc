// Quantisation as pairs of quantize and dequantize calls.
#pragma once

#include <vector>

#include "network/quantised/integers.hpp"
#include "network/torch/sized_call.hpp"

namespace roofline::torch_export {

[[nodiscard]] bool is_dequantize(const Call& call);

/// How a compiler runs each of `calls`; see use_integers() in network/quantised.
[[nodiscard]] std::vector<QuantisedExecution> use_integers(const std::vector<Call>& calls, const std::vector<TensorId>& graph_outputs,
                                                           std::vector<SizedTensor>& tensors, const Lengths& expressions);

}  // namespace roofline::torch_export
