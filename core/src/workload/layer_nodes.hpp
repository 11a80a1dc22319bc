// The nodes of a network in the names and types that engines give to its layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The nodes that a layer consists of, by its name in a profile: "conv1 + relu1", "PWN(a, b)" and "a || b" (TensorRT), "Conv:conv1" (RKNN),
/// "[conv1, conv2]:7" (TFLite). Empty: a layer that the engine added.
[[nodiscard]] std::vector<std::string> nodes_in(std::string_view layer);

/// A node's name without what ONNX Runtime's optimisers and quantiser add: "fused conv1", "matmul1/MatMulAddFusion",
/// "norm1/LayerNormFusion/", "conv1_nhwc", "conv1_quant", and "conv1_token_7", which tells equal names apart. Nodes may have such names:
/// look for the whole name first.
[[nodiscard]] std::string_view original_node(std::string_view name);

/// An operator's name without the parts by which ONNX Runtime marks it as fused, quantised or in another layout: "Conv" of "FusedConv",
/// "NhwcFusedConv", "QLinearConv_nhwc" and "ConvInteger". Any other type is returned as it is.
[[nodiscard]] std::string_view original_type(std::string_view type);

/// TensorRT runs a region of nodes as one layer, "{ForeignNode[first...last]}".
struct NodeRegion {
  std::vector<std::string> first, last;  ///< nodes_in() of its ends; empty: the layer is no region
};
[[nodiscard]] NodeRegion region_in(std::string_view layer);

}  // namespace roofline
