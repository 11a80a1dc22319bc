#include "network/module_facts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace roofline {
namespace {

/// A module of the main graph or of a body. Its texts are those of nodes.
struct Place {
  std::string_view body, module;
};

/// "layers" of "layers.0" and "layers.1".
std::string_view common_module(std::string_view a, std::string_view b) {
  std::size_t equal = 0;
  while (equal < std::min(a.size(), b.size()) && a[equal] == b[equal]) ++equal;
  const auto ends_at = [&](std::string_view path) { return equal == path.size() || path[equal] == '.'; };
  if (ends_at(a) && ends_at(b)) return a.substr(0, equal);
  const std::size_t dot = a.substr(0, equal).rfind('.');
  return a.substr(0, dot == std::string_view::npos ? 0 : dot);
}

Place innermost_of_both(const Place& a, const Place& b) {
  return a.body == b.body ? Place{a.body, common_module(a.module, b.module)} : Place{};
}

class FactsByModule {
 public:
  explicit FactsByModule(const SizedNetwork& network) : network_(network), readers_(network.tensors.size()) {}

  std::vector<ModuleFacts> sum() {
    for (const SizedNode& node : network_.nodes) {
      ModuleFacts& module = at({node.body, node.module});
      ++module.nodes;
      module.not_counted += node.not_counted.empty() ? 0 : 1;
    }
    for (std::size_t i = network_.nodes.size(); i-- > 0;) place_weights(network_.nodes[i]);
    for (TensorId id = 0; id < network_.tensors.size(); ++id) {
      const SizedTensor& tensor = network_.tensors[id];
      if (!tensor.weight) continue;
      ModuleFacts& module = at(readers_[id].value_or(Place{}));
      module.weights_bytes += tensor.bytes();
      if (tensor.learnt) module.parameters += tensor.elements();
    }
    return std::move(modules_);
  }

 private:
  ModuleFacts& at(const Place& place) {
    const auto [found, is_new] = places_.try_emplace({std::string(place.body), std::string(place.module)}, modules_.size());
    if (is_new) modules_.push_back({std::string(place.module), std::string(place.body)});
    return modules_[found->second];
  }

  bool makes_constants(const SizedNode& node) const {
    return !node.writes.empty() && node.records.empty() && std::all_of(node.writes.begin(), node.writes.end(), [&](TensorId id) {
      return network_.tensors[id].constant && !network_.tensors[id].weight;
    });
  }

  void add_reader(TensorId id, const Place& place) {
    if (!network_.tensors[id].weight && network_.tensors[id].view_of != no_tensor) id = network_.tensors[id].view_of;
    readers_[id] = readers_[id] ? innermost_of_both(*readers_[id], place) : place;
  }

  /// In reverse order: what a node makes of weights alone is part of those that read it.
  void place_weights(const SizedNode& node) {
    std::optional<Place> place;
    if (makes_constants(node))
      for (const TensorId id : node.writes)
        if (readers_[id]) place = place ? innermost_of_both(*place, *readers_[id]) : *readers_[id];
    for (const TensorId id : node.reads) add_reader(id, place.value_or(Place{node.body, node.module}));
  }

  const SizedNetwork& network_;
  std::vector<std::optional<Place>> readers_;  ///< of each tensor, the innermost module with all nodes that read it
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<ModuleFacts> modules_;
};

}  // namespace

std::vector<ModuleFacts> module_facts(const SizedNetwork& network) { return FactsByModule(network).sum(); }

}  // namespace roofline
