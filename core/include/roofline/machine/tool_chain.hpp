// Compilers and runtimes of networks.
#pragma once

#include <cstdint>
#include <roofline/base/enum_names.hpp>
#include <string_view>

namespace roofline {

/// The compiler or runtime by whose rules operations of a network are merged.
enum class ToolChain : std::uint8_t {
  none,  ///< each node is an operation
  all,   ///< every merge that one kernel could do: for machines whose compiler is not documented
  onnxruntime_cpu,
  onnxruntime_cuda,
  tensorrt,
  openvino,
  openvino_npu,
  xnnpack,
  vela,
  rknn,
  qnn,
  inductor,
};
template <>
inline constexpr auto names_of<ToolChain> =
    std::to_array<const char*>({"none", "all", "onnxruntime-cpu", "onnxruntime-cuda", "tensorrt", "openvino", "openvino-npu", "xnnpack",
                                "vela", "rknn", "qnn", "inductor"});

/// "Arm Vela".
[[nodiscard]] std::string_view title_of(ToolChain tool_chain);

}  // namespace roofline
