// The nodes of a network in the names that engines give to its layers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The nodes that a layer consists of, by its name in a profile: "conv1 + relu1", "PWN(a, b)" and "a || b" (TensorRT), "Conv:conv1" (RKNN),
/// "[conv1, conv2]:7" (TFLite), "fused conv1" and "matmul1/MatMulAddFusion" (ONNX Runtime). Empty: a layer that the engine added.
[[nodiscard]] std::vector<std::string> nodes_in(std::string_view layer);

}  // namespace roofline
