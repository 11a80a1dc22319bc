// Kernels' names as tables show them.
#pragma once

#include <string_view>

namespace roofline {

/// Without return type, template arguments and parameters: "void at::native::gemm<float>(int)" -> "at::native::gemm".
[[nodiscard]] std::string_view short_name(std::string_view kernel);

}  // namespace roofline
