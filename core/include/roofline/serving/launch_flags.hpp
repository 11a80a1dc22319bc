// A searched deployment as command lines: to start it in vLLM, SGLang or TensorRT-LLM, and to measure it.
#pragma once

#include <roofline/serving/frontier.hpp>
#include <string>

namespace roofline {

/// One command to a line; several where prefill has machines of its own. Comments say whether the checkpoint is
/// published or a placeholder, and how often a command runs.
struct LaunchFlags {
  std::string vllm, sglang;
  std::string trtllm;     ///< the YAML of trtllm-serve's --config
  std::string benchmark;  ///< vLLM's client, with the point's lengths and users
};
/// `request`: in the point's format; `weights`: that format as it was asked for.
[[nodiscard]] LaunchFlags launch_flags(const FrontierPoint& point, const ServingRequest& request, const std::string& weights,
                                       const Scenario& scenario);

}  // namespace roofline
