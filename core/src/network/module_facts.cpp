#include "network/module_facts.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace roofline {
namespace {

class FactsByModule {
 public:
  explicit FactsByModule(const SizedNetwork& network) : network_(network), seen_(network.tensors.size(), false) {}

  std::vector<ModuleFacts> sum() {
    for (const SizedNode& node : network_.nodes) {
      const std::size_t place = place_of(node.module, node.body);
      ++modules_[place].nodes;
      modules_[place].not_counted += node.not_counted.empty() ? 0 : 1;
      if (makes_constants(node))
        for (const TensorId id : node.writes) makers_[id] = &node;
      else
        for (const TensorId id : node.reads) take_weights_behind(id, modules_[place]);
    }
    for (TensorId id = 0; id < network_.tensors.size(); ++id)
      if (network_.tensors[id].weight && !seen_[id]) take_weights_behind(id, modules_[place_of({}, {})]);
    return std::move(modules_);
  }

 private:
  std::size_t place_of(const std::string& module, const std::string& body) {
    const auto [place, is_new] = places_.try_emplace({body, module}, modules_.size());
    if (is_new) modules_.push_back({module, body});
    return place->second;
  }

  bool makes_constants(const SizedNode& node) const {
    return !node.writes.empty() && node.records.empty() && std::all_of(node.writes.begin(), node.writes.end(), [&](TensorId id) {
      return network_.tensors[id].constant && !network_.tensors[id].weight;
    });
  }

  /// Adds the tensor's weights that no node had before: itself, what it is a view of, or what it was made of.
  void take_weights_behind(TensorId read, ModuleFacts& module) {
    for (std::vector<TensorId> left = {read}; !left.empty();) {
      const TensorId id = left.back();
      left.pop_back();
      if (seen_[id]) continue;
      seen_[id] = true;
      const SizedTensor& tensor = network_.tensors[id];
      if (tensor.weight) {
        module.weights_bytes += tensor.bytes();
        if (tensor.learnt) module.parameters += tensor.elements();
      } else if (tensor.view_of != no_tensor) {
        left.push_back(tensor.view_of);
      } else if (const auto made = makers_.find(id); made != makers_.end()) {
        left.insert(left.end(), made->second->reads.begin(), made->second->reads.end());
      }
    }
  }

  const SizedNetwork& network_;
  std::vector<bool> seen_;
  std::unordered_map<TensorId, const SizedNode*> makers_;  // of constants that nodes make of weights
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<ModuleFacts> modules_;
};

}  // namespace

std::vector<ModuleFacts> module_facts(const SizedNetwork& network) { return FactsByModule(network).sum(); }

}  // namespace roofline
