// Quantisation as pairs of quantize and dequantize calls: which calls a compiler runs on integers, and which weights it widens.
#pragma once

#include <vector>

#include "network/torch/sized_call.hpp"

namespace roofline::torch_export {

/// Weights of four bits with a scale for each `group`.
[[nodiscard]] TensorType int4_type(double group);

[[nodiscard]] bool is_dequantize(const Call& call);

/// What `calls` compute with. Their tensors' types, `seen`, become those of the integers behind them.
/// The result: for each call, whether it does nothing of its own, since it only says what another reads or writes.
[[nodiscard]] std::vector<bool> see_integers(const std::vector<Call>& calls, const std::vector<TensorId>& kept,
                                             const std::vector<SizedTensor>& tensors, const Lengths& expressions, SeenTypes& seen);

}  // namespace roofline::torch_export
