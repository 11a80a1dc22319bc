#include <iterator>
#include <roofline/machine/tool_chain.hpp>

namespace roofline {

std::string_view title_of(ToolChain tool_chain) {
  constexpr std::string_view titles[] = {"no compiler",        "an ideal compiler",
                                         "ONNX Runtime (CPU)", "ONNX Runtime (CUDA)",
                                         "TensorRT",           "OpenVINO (CPU)",
                                         "OpenVINO (NPU)",     "TFLite with XNNPACK",
                                         "Arm Vela",           "RKNN",
                                         "Qualcomm QNN",       "torch.compile (Inductor)"};
  static_assert(std::size(titles) == names_of<ToolChain>.size());
  return titles[static_cast<std::size_t>(tool_chain)];
}

}  // namespace roofline
