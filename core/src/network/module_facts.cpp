#include "network/module_facts.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace roofline {
namespace {

class ModuleSums {
 public:
  explicit ModuleSums(const SizedNetwork& network) : network_(network), taken_(network.tensors.size(), false) {}

  std::vector<ModuleFacts> sum() {
    for (const SizedNode& node : network_.nodes) {
      ModuleFacts& module = of(node.module, node.body);
      ++module.nodes;
      module.not_counted += node.not_counted.empty() ? 0 : 1;
      std::vector<TensorId> weights;
      for (const TensorId id : node.reads) add_weights_behind(id, weights);
      if (makes_constants(node))
        for (const TensorId id : node.writes) behind_[id] = weights;
      else
        for (const TensorId id : weights) take(id, module);
    }
    for (TensorId id = 0; id < network_.tensors.size(); ++id)
      if (network_.tensors[id].weight && !taken_[id]) take(id, of({}, {}));
    return std::move(modules_);
  }

 private:
  ModuleFacts& of(const std::string& module, const std::string& body) {
    const auto [place, is_new] = places_.try_emplace({body, module}, modules_.size());
    if (is_new) modules_.push_back({module, body});
    return modules_[place->second];
  }

  bool makes_constants(const SizedNode& node) const {
    return !node.writes.empty() && node.records.empty() && std::all_of(node.writes.begin(), node.writes.end(), [&](TensorId id) {
      return network_.tensors[id].constant && !network_.tensors[id].weight;
    });
  }

  void add_weights_behind(TensorId id, std::vector<TensorId>& weights) const {
    if (!network_.tensors[id].weight && network_.tensors[id].view_of != no_tensor) id = network_.tensors[id].view_of;
    if (network_.tensors[id].weight) return weights.push_back(id);
    if (const auto made = behind_.find(id); made != behind_.end()) weights.insert(weights.end(), made->second.begin(), made->second.end());
  }

  void take(TensorId id, ModuleFacts& module) {
    if (taken_[id]) return;
    taken_[id] = true;
    const SizedTensor& tensor = network_.tensors[id];
    module.weights_bytes += tensor.bytes();
    if (tensor.learnt) module.parameters += tensor.elements();
  }

  const SizedNetwork& network_;
  std::vector<bool> taken_;
  std::unordered_map<TensorId, std::vector<TensorId>> behind_;  // of constants that nodes make of weights
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<ModuleFacts> modules_;
};

}  // namespace

std::vector<ModuleFacts> module_facts(const SizedNetwork& network) { return ModuleSums(network).sum(); }

}  // namespace roofline
