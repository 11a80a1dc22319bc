#include "workload/layer_nodes.hpp"

#include <algorithm>

namespace roofline {
namespace {

/// A node's name without the additions of ONNX Runtime's optimisers: "fused conv1", "mul1/LayerNormFusion/", "conv1_nhwc", and "_token_7",
/// which tells equal names apart.
std::string_view original_node(std::string_view name) {
  if (name.starts_with("fused ")) name.remove_prefix(6);
  const std::size_t token = name.rfind("_token_");
  if (token != std::string_view::npos && name.find_first_not_of("0123456789", token + 7) == std::string_view::npos)
    name = name.substr(0, token);
  if (name.ends_with('/')) name.remove_suffix(1);
  if (const std::size_t slash = name.rfind('/'); name.ends_with("Fusion") && slash != std::string_view::npos) name = name.substr(0, slash);
  for (const std::string_view layout : {"_nhwc", "_nchwc"})
    if (name.ends_with(layout)) name.remove_suffix(layout.size());
  return name;
}

constexpr int most_nested = 64;  // deeper, a name is taken as it is

void add_nodes(std::string_view layer, std::vector<std::string>& nodes, int depth = 0) {
  if (depth == most_nested) return nodes.emplace_back(layer), void();
  for (const std::string_view separator : {" + ", " || "})
    if (const std::size_t at = layer.find(separator); at != std::string_view::npos) {
      add_nodes(layer.substr(0, at), nodes, depth + 1);
      return add_nodes(layer.substr(at + separator.size()), nodes, depth);
    }
  if (layer.starts_with("PWN(") && layer.ends_with(')')) {  // TensorRT's pointwise nodes, which may hold others
    layer = layer.substr(4, layer.size() - 5);
    const std::size_t end = layer.rfind(", ");
    if (end != std::string_view::npos) add_nodes(layer.substr(0, end), nodes, depth + 1);
    return add_nodes(end == std::string_view::npos ? layer : layer.substr(end + 2), nodes, depth + 1);
  }
  if (!layer.empty()) nodes.emplace_back(original_node(layer));
}

}  // namespace

std::vector<std::string> nodes_in(std::string_view layer) {
  std::vector<std::string> nodes;
  if (layer.starts_with("Reformatting CopyNode")) return nodes;
  const std::size_t close = layer.rfind("]:"), colon = layer.find(':');
  if (layer.starts_with('[') && close != std::string_view::npos) {
    for (std::size_t at = 1; at <= close;) {
      const std::size_t end = std::min(layer.find(", ", at), close);
      nodes.emplace_back(layer.substr(at, end - at));
      at = end + 2;
    }
    return nodes;
  }
  const bool typed =
      colon < layer.find_first_of("/ ") && layer.find_first_not_of("0123456789", colon + 1) < layer.size() && layer[colon + 1] != ':';
  if (typed) layer.remove_prefix(colon + 1);
  add_nodes(layer, nodes);
  return nodes;
}

}  // namespace roofline
