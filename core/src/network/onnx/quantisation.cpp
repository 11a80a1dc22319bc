#include "network/onnx/quantisation.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace roofline::onnx {
namespace {

/// Operators that keep what they get in its type: integers go in and out.
bool keeps_type(const PlacedNode& node) {
  constexpr std::array types = {"Relu",     "Clip",      "LeakyRelu", "MaxPool",      "Reshape",     "Flatten", "Transpose",
                                "Squeeze",  "Unsqueeze", "Slice",     "Split",        "Gather",      "Concat",  "Pad",
                                "Identity", "Resize",    "Expand",    "DepthToSpace", "SpaceToDepth"};
  return std::find(types.begin(), types.end(), std::string_view(node.node->type)) != types.end();
}

}  // namespace

void Quantised::see(std::size_t node, NodeSizes& sizes) const {
  if (const auto found = seen_.find(node); found != seen_.end())
    for (const auto& [tensor, type] : found->second) sizes.set_compute_type(tensor, type);
}

class QuantisedFinder {
 public:
  QuantisedFinder(const Block& block, const std::vector<TensorSize>& sizes) : block_(block), sizes_(sizes) {
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      for (const TensorId id : block.nodes[i].inputs)
        if (id != no_tensor && (readers_[id].empty() || readers_[id].back() != i)) readers_[id].push_back(i);
      for (const TensorId id : block.nodes[i].outputs)
        if (id != no_tensor) maker_[id] = i;
    }
    for (const TensorId id : block.outputs) kept_.emplace(id, true);
  }

  Quantised find() {
    const bool any = std::any_of(block_.nodes.begin(), block_.nodes.end(), [](const PlacedNode& n) { return is_dequantize(n); });
    if (!any) return {};
    out_.vanishes_.resize(block_.nodes.size());
    for (std::size_t i = 0; i < block_.nodes.size(); ++i) look_at(i);
    for (std::size_t i = 0; i < block_.nodes.size(); ++i) put_vanishing(i);
    return std::move(out_);
  }

 private:
  static bool is_quantize(const PlacedNode& n) { return n.node->type == "QuantizeLinear"; }
  static bool is_dequantize(const PlacedNode& n) { return n.node->type == "DequantizeLinear"; }

  /// The integers behind a tensor: those that were dequantised to it, or those that a node before already computes with.
  [[nodiscard]] std::optional<TensorType> integers_behind(TensorId id) const {
    if (const auto found = integers_.find(id); found != integers_.end()) return found->second;
    const auto made = maker_.find(id);
    if (made == maker_.end() || !is_dequantize(block_.nodes[made->second])) return std::nullopt;
    return stored_type(block_.nodes[made->second]);
  }

  /// What a DequantizeLinear reads. Weights with a scale for each block have a format of their own.
  [[nodiscard]] TensorType stored_type(const PlacedNode& dequantize) const {
    TensorType type = dequantize.input(0) == no_tensor ? TensorType() : sizes_[dequantize.input(0)].type;
    const double block = dequantize.number("block_size", 0);
    if (block > 0 && type.bits == 4) type.format = element_type(block <= 32 ? "int4_g32" : block <= 64 ? "int4_g64" : "int4_g128").format;
    return type;
  }

  /// The integers that all readers of a tensor quantise it to.
  [[nodiscard]] std::optional<TensorType> quantised_to(TensorId id, int depth = 0) {
    if (const auto found = quantised_to_.find(id); found != quantised_to_.end()) return found->second;
    return quantised_to_[id] = find_quantised_to(id, depth);
  }
  [[nodiscard]] std::optional<TensorType> find_quantised_to(TensorId id, int depth) {
    const auto readers = readers_.find(id);
    if (kept_.contains(id) || readers == readers_.end() || depth > 16) return std::nullopt;
    std::optional<TensorType> out;
    for (const std::size_t reader : readers->second) {
      const PlacedNode& node = block_.nodes[reader];
      std::optional<TensorType> type;
      if (is_quantize(node) && node.input(0) == id && node.output(0) != no_tensor)
        type = sizes_[node.output(0)].type;
      else if (keeps_type(node) && node.input(0) == id && node.output(0) != no_tensor)
        type = quantised_to(node.output(0), depth + 1);
      if (!type) return std::nullopt;
      out = type;
    }
    return out;
  }

  void look_at(std::size_t i) {
    const PlacedNode& node = block_.nodes[i];
    if (is_quantize(node) || is_dequantize(node)) return;
    bool data_are_integers = true, some = false;
    std::vector<std::pair<TensorId, TensorType>> seen, weights;
    for (const TensorId id : node.inputs) {
      if (id == no_tensor) continue;
      const std::optional<TensorType> integers = integers_behind(id);
      const bool constant = sizes_[id].constant;
      if (integers) (constant ? weights : seen).emplace_back(id, *integers);
      if (constant || sizes_[id].type.integer) continue;
      some = true;
      data_are_integers = data_are_integers && integers;
    }
    const TensorId output = node.output(0);
    if (some && data_are_integers && output != no_tensor)
      if (const std::optional<TensorType> to = quantised_to(output)) {
        for (const TensorId id : node.outputs)
          if (id != no_tensor) {
            seen.emplace_back(id, *to);
            integers_[id] = *to;
          }
        seen.insert(seen.end(), weights.begin(), weights.end());
        out_.seen_[i] = std::move(seen);
        runs_on_integers_[i] = true;
        return;
      }
    if (!weights.empty()) out_.seen_[i] = std::move(weights);
  }

  /// A dequantisation whose readers all compute with the integers, and a quantisation of what is computed in them already.
  void put_vanishing(std::size_t i) {
    const PlacedNode& node = block_.nodes[i];
    if (is_dequantize(node) && node.output(0) != no_tensor) {
      const auto readers = readers_.find(node.output(0));
      const bool weight = sizes_[node.output(0)].constant;
      out_.vanishes_[i] = weight || (!kept_.contains(node.output(0)) && readers != readers_.end() &&
                                     std::all_of(readers->second.begin(), readers->second.end(),
                                                 [&](std::size_t r) { return runs_on_integers_.contains(r); }));
    }
    if (is_quantize(node) && node.input(0) != no_tensor) {
      const auto made = maker_.find(node.input(0));
      out_.vanishes_[i] = made != maker_.end() && runs_on_integers_.contains(made->second);
    }
  }

  const Block& block_;
  const std::vector<TensorSize>& sizes_;
  std::unordered_map<TensorId, std::vector<std::size_t>> readers_;
  std::unordered_map<TensorId, std::size_t> maker_;
  std::unordered_map<TensorId, bool> kept_;
  std::unordered_map<TensorId, std::optional<TensorType>> quantised_to_;
  std::unordered_map<TensorId, TensorType> integers_;
  std::unordered_map<std::size_t, bool> runs_on_integers_;
  Quantised out_;
};

Quantised find_quantised(const Block& block, const std::vector<TensorSize>& sizes) { return QuantisedFinder(block, sizes).find(); }

}  // namespace roofline::onnx
