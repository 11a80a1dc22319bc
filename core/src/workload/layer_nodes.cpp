#include "workload/layer_nodes.hpp"

#include <algorithm>

namespace roofline {
namespace {

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
  if (!layer.empty()) nodes.emplace_back(layer);
}

bool only_digits(std::string_view text) { return text.find_first_not_of("0123456789") == std::string_view::npos; }

/// "Conv" of "Conv:conv1"; empty where no type comes first: "onnx::MatMul_12", "Identity:0".
std::string_view leading_type(std::string_view layer) {
  constexpr std::string_view word = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  const std::size_t colon = layer.find_first_not_of(word);
  if (colon == std::string_view::npos || layer[colon] != ':') return {};
  const std::string_view rest = layer.substr(colon + 1);
  return rest.starts_with(':') || only_digits(rest) ? std::string_view() : layer.substr(0, colon);
}

}  // namespace

std::vector<std::string> nodes_in(std::string_view layer) {
  std::vector<std::string> nodes;
  if (layer.starts_with("Reformatting CopyNode")) return nodes;
  const std::size_t close = layer.rfind("]:");
  if (layer.starts_with('[') && close != std::string_view::npos) {
    for (std::size_t at = 1; at <= close;) {
      const std::size_t end = std::min(layer.find(", ", at), close);
      nodes.emplace_back(layer.substr(at, end - at));
      at = end + 2;
    }
    return nodes;
  }
  if (const std::string_view type = leading_type(layer); !type.empty()) layer.remove_prefix(type.size() + 1);
  add_nodes(layer, nodes);
  return nodes;
}

std::string_view original_node(std::string_view name) {
  if (name.starts_with("fused ")) name.remove_prefix(6);
  constexpr std::string_view token = "_token_";
  if (const std::size_t at = name.rfind(token); at != std::string_view::npos) {
    const std::string_view number = name.substr(at + token.size());
    if (!number.empty() && only_digits(number)) name = name.substr(0, at);
  }
  if (name.ends_with('/')) name.remove_suffix(1);
  if (const std::size_t slash = name.rfind('/'); name.ends_with("Fusion") && slash != std::string_view::npos) name = name.substr(0, slash);
  for (const std::string_view added : {"_nhwc", "_nchwc", "_quant"})
    if (name.ends_with(added)) name.remove_suffix(added.size());
  return name;
}

std::string_view original_type(std::string_view type) {
  if (type == "DynamicQuantizeLinear") return type;  // it quantises, and is no quantised Linear
  for (const std::string_view library : {"aten::cudnn_", "aten::miopen_", "aten::mkldnn_"})
    if (type.starts_with(library)) return type.substr(library.size());
  const std::string_view whole = type;
  for (const std::string_view layout : {"_nhwc", "_nchwc"})
    if (type.ends_with(layout)) type.remove_suffix(layout.size());
  for (const std::string_view prefix : {"Nhwc", "Fused", "QLinear", "DynamicQuantize"})
    if (type.starts_with(prefix)) type.remove_prefix(prefix.size());
  for (const std::string_view suffix : {"IntegerToFloat", "Integer"})
    if (type.ends_with(suffix)) type.remove_suffix(suffix.size());
  return type.empty() || type[0] < 'A' || type[0] > 'Z' ? whole : type;
}

NodeRegion region_in(std::string_view layer) {
  constexpr std::string_view start = "{ForeignNode[", between = "...", end = "]}";
  if (!layer.starts_with(start) || !layer.ends_with(end) || layer.size() < start.size() + end.size()) return {};
  layer = layer.substr(start.size(), layer.size() - start.size() - end.size());
  const std::size_t at = layer.find(between);
  if (at == std::string_view::npos) return {nodes_in(layer), nodes_in(layer)};
  return {nodes_in(layer.substr(0, at)), nodes_in(layer.substr(at + between.size()))};
}

}  // namespace roofline
