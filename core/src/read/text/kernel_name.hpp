// Kernels' names as compilers write them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/interner.hpp"

namespace roofline {

/// "void at::native::gemm<float>(int)" -> "at::native::gemm". Nsight Compute writes an anonymous namespace as "<unnamed>::", or without
/// its "<".
[[nodiscard]] inline std::string_view short_kernel_name(std::string_view kernel) {
  for (const std::string_view prefix : {"void ", "<unnamed>::", "unnamed>::"})
    if (kernel.starts_with(prefix)) kernel.remove_prefix(prefix.size());
  constexpr std::string_view anonymous = "(anonymous namespace)";
  std::size_t end = 0;
  while (end < kernel.size() && kernel[end] != '<' && (kernel[end] != '(' || kernel.substr(end, anonymous.size()) == anonymous))
    end += kernel.substr(end, anonymous.size()) == anonymous ? anonymous.size() : 1;
  return end == 0 ? kernel : kernel.substr(0, end);
}

/// Names of a profile's kernels as they are shown: short, and whole where two kernels have the same short one.
class KernelNames {
 public:
  void add(std::string_view kernel);
  /// Of one that was added.
  [[nodiscard]] std::string_view shown(std::string_view kernel);

 private:
  static constexpr std::uint32_t several = 0xffffffff;
  Interner short_, whole_;
  std::vector<std::uint32_t> first_;  // by the short name: the whole one
};

}  // namespace roofline
