#include "network/module_names.hpp"

#include <algorithm>

namespace roofline {
namespace {

std::string_view module_of_parameter(std::string_view name) {
  for (const std::string_view ending : {".weight", ".bias"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return {};
}

}  // namespace

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

void name_modules_by_weights(SizedNetwork& network) {
  std::vector<std::size_t> readers(network.tensors.size(), 0);
  for (const SizedNode& node : network.nodes)
    for (const TensorId id : node.reads) ++readers[id];
  std::vector<std::string_view> modules(network.tensors.size());  // of weights, and of constants that are made of one
  for (TensorId id = 0; id < network.tensors.size(); ++id)
    if (network.tensors[id].weight) modules[id] = module_of_parameter(network.tensors[id].name);
  for (SizedNode& node : network.nodes) {
    std::string_view module;
    for (const TensorId id : node.reads)
      if (module.empty() && readers[id] == 1) module = modules[id];
    const bool makes_constants =
        std::all_of(node.writes.begin(), node.writes.end(), [&](TensorId id) { return network.tensors[id].constant; });
    if (makes_constants)
      for (const TensorId id : node.writes) modules[id] = module;
    else if (node.module.empty() && node.body.empty())
      node.module = module;
  }
}

}  // namespace roofline
