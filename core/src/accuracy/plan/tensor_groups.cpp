#include "accuracy/plan/tensor_groups.hpp"

#include <algorithm>
#include <map>

#include "base/parse_number.hpp"

namespace roofline {
namespace {

struct Name {
  int layer = -1;
  std::string base;
};

/// Of "blk.3.ffn_down.weight".
Name split(std::string_view name) {
  Name out;
  if (name.starts_with("blk.")) {
    const std::size_t dot = name.find('.', 4);
    const double layer = parse_number(name.substr(4, dot == std::string_view::npos ? dot : dot - 4));
    if (layer >= 0 && layer < 1e6 && dot != std::string_view::npos) out.layer = static_cast<int>(layer), name.remove_prefix(dot + 1);
  }
  if (name.ends_with(".weight")) name.remove_suffix(7);
  out.base = name;
  return out;
}

}  // namespace

std::vector<TensorGroup> tensor_groups(const FormatPlan& plan) {
  std::vector<TensorGroup> out;
  std::map<std::pair<std::string, FormatId>, std::size_t> places;
  std::map<std::string, std::size_t> formats;  // of each name
  for (const PlannedTensor& tensor : plan.tensors) {
    const Name name = split(tensor.name);
    const auto [place, is_new] = places.try_emplace({name.base, tensor.chosen.format}, out.size());
    if (is_new) {
      ++formats[name.base];
      out.push_back({name.base, tensor.module, tensor.chosen.format, {}, false, 0});
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

std::string ranges(const std::vector<int>& layers) {
  std::string out;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end + 1 < layers.size() && layers[end + 1] == layers[end] + 1) ++end;
    out += (out.empty() ? "" : ", ") + std::to_string(layers[i]) + (end > i ? "-" + std::to_string(layers[end]) : "");
    i = end + 1;
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
