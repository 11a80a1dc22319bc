// Kernels' names as compilers write them.
#pragma once

#include <string_view>

namespace roofline {

/// "void at::native::gemm<float>(int)" -> "at::native::gemm".
[[nodiscard]] inline std::string_view short_kernel_name(std::string_view kernel) {
  if (kernel.substr(0, 5) == "void ") kernel.remove_prefix(5);
  constexpr std::string_view anonymous = "(anonymous namespace)";
  std::size_t end = 0;
  while (end < kernel.size() && kernel[end] != '<' && (kernel[end] != '(' || kernel.substr(end, anonymous.size()) == anonymous))
    end += kernel.substr(end, anonymous.size()) == anonymous ? anonymous.size() : 1;
  return end == 0 ? kernel : kernel.substr(0, end);
}

}  // namespace roofline
