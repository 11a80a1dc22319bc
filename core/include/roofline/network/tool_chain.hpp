// Compilers and runtimes of networks: which operations each merges into one.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/machine/machine.hpp>
#include <string>
#include <string_view>

namespace roofline {

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

/// Where its rules are stated; several sources are separated by "; ". Empty for `none`.
[[nodiscard]] std::string fusion_sources(ToolChain tool_chain);

/// The tool chain of an NPU, by the machine's id. `all`: its compiler's rules are not published; `none`: the machine is no NPU.
[[nodiscard]] ToolChain usual_tool_chain(const Machine& machine);

/// The tool chain that --fold names; "": `usual`; "usual": `usual`, or `all` if that is `none`. nullopt: there is no such tool chain.
[[nodiscard]] std::optional<ToolChain> chosen_tool_chain(std::string_view fold, ToolChain usual);

}  // namespace roofline
