// Kernels' names as compilers write them.
#pragma once

#include <map>
#include <set>
#include <string>
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

/// Names of a profile's kernels as they are shown: short, and whole where two kernels have the same short one.
class KernelNames {
 public:
  void add(std::string_view kernel) { whole_[std::string(short_kernel_name(kernel))].emplace(kernel); }
  [[nodiscard]] std::string_view shown(std::string_view kernel) const {
    const auto same = whole_.find(std::string(short_kernel_name(kernel)));
    if (same == whole_.end() || same->second.size() < 2) return short_kernel_name(kernel);
    return kernel.substr(kernel.starts_with("void ") ? 5 : 0);
  }

 private:
  std::map<std::string, std::set<std::string>> whole_;  // by the short one
};

}  // namespace roofline
