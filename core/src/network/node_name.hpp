// Names of nodes, where they are paths of the modules that a network was made of.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// "layers.0.attention" of "/layers.0/attention/MatMul", "layers.0.linear" of "__module.layers.0.linear/aten::linear/MatMul"; empty where a
/// name is no path.
[[nodiscard]] std::string module_in(std::string_view name);

}  // namespace roofline
