// An OpenVINO model at chosen lengths: open ones carried through it as far as they follow, and each layer's work.
#pragma once

#include <roofline/network/network.hpp>

#include "network/openvino/model.hpp"

namespace roofline::openvino {

/// Names of the lengths that a model leaves open. What a stateful model keeps from earlier tokens, and the tokens that attention over a
/// paged cache attends to, is no Parameter's: all layers share these.
[[nodiscard]] std::string dimension_name(const Layer& layer, std::size_t dimension);
inline constexpr const char* context_name = "kv_length";

/// `model` must outlive the result.
[[nodiscard]] SizedNetwork size_network(const Block& model, const std::vector<Dimension>& dimensions);

}  // namespace roofline::openvino
