#include "accuracy/plan/tensor_groups.hpp"

#include <algorithm>
#include <map>

#include "tensor/gguf_tensor_name.hpp"

namespace roofline {

std::vector<TensorGroup> tensor_groups(const FormatPlan& plan) {
  std::vector<TensorGroup> out;
  std::map<std::pair<std::string, FormatId>, std::size_t> places;
  std::map<std::string, std::size_t> formats;  // of each name
  for (const PlannedTensor& tensor : plan.tensors) {
    const GgufTensorName name = split_gguf_name(tensor.name);
    const std::string base(name.base);
    const auto [place, is_new] = places.try_emplace({base, tensor.chosen.format}, out.size());
    if (is_new) {
      ++formats[base];
      out.push_back({base, tensor.module, tensor.chosen.format, {}, false, 0});
      std::string& module = out.back().module;
      const std::string number = "." + std::to_string(name.layer) + ".";
      if (const std::size_t at = module.find(number); name.layer >= 0 && at != std::string::npos) module.replace(at, number.size(), ".N.");
    }
    TensorGroup& group = out[place->second];
    if (name.layer >= 0) group.layers.push_back(name.layer);
    group.bytes += tensor.chosen.bytes;
  }
  for (TensorGroup& group : out) {
    std::sort(group.layers.begin(), group.layers.end());
    group.every_layer = !group.layers.empty() && formats[group.base] == 1;
  }
  return out;
}

std::string layer_pattern(const TensorGroup& group) {
  if (group.every_layer) return "\\d+";
  std::string out;
  for (const int layer : group.layers) out += (out.empty() ? "" : "|") + std::to_string(layer);
  return group.layers.size() == 1 ? out : '(' + out + ')';
}

}  // namespace roofline
