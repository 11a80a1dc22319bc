#include "network/node_name.hpp"

#include <algorithm>

namespace roofline {

std::string module_in(std::string_view name) {
  constexpr std::string_view converted = "__module.";  // OpenVINO's names for what it converts from PyTorch
  if (name.starts_with(converted)) return std::string(name.substr(0, name.find('/')).substr(converted.size()));
  if (name.starts_with('/')) name.remove_prefix(1);
  const std::size_t end = name.rfind('/');
  if (end == std::string_view::npos) return {};
  std::string out(name.substr(0, end));
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace roofline
