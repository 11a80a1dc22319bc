#include "read/text/kernel_name.hpp"

namespace roofline {

void KernelNames::add(std::string_view kernel) {
  bool is_new = false;
  const std::uint32_t id = short_.intern(short_kernel_name(kernel), &is_new), whole = whole_.intern(kernel);
  if (is_new) first_.push_back(whole);
  if (first_[id] != whole) first_[id] = several;
}

std::string_view KernelNames::shown(std::string_view kernel) {
  const std::string_view brief = short_kernel_name(kernel);
  if (first_[short_.intern(brief)] != several) return brief;
  return kernel.substr(kernel.starts_with("void ") ? 5 : 0);
}

}  // namespace roofline
