#include "network/fold.hpp"

#include <optional>
#include <roofline/operators/operator.hpp>
#include <set>
#include <unordered_map>

#include "base/json.hpp"
#include "read/operations/json_record.hpp"

namespace roofline {
namespace {

std::optional<Work> work_of(const RecordText& text) {
  const Operator* op = find_operator(text.type());
  if (!op) return std::nullopt;
  static const Keys keys;
  const Json json = Json::parse("{\"type\":" + json_quoted(text.type()) + text.members() + '}', nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  Record record(keys.size());
  fill(record, keys, json);
  const Result<Work> work = op->derive(record, nullptr);
  return work ? std::optional<Work>(*work) : std::nullopt;
}

class Folding {
 public:
  explicit Folding(SizedNetwork& network) : network_(network), readers_(network.tensors.size(), 0), maker_(network.tensors.size(), none) {
    for (const SizedNode& node : network.nodes)
      for (const TensorId id : std::set(node.reads.begin(), node.reads.end())) ++readers_[id];
    for (const TensorId id : network.outputs)
      if (id != no_tensor) ++readers_[id];
    // What a body gives back is read by the node that has it.
    for (const SizedNode& node : network.nodes)
      if (!node.body.empty())
        for (const TensorId id : node.writes) kept_.insert(id);
  }

  void run() {
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      SizedNode& node = network_.nodes[i];
      std::size_t into = node.fusing == Fusing::none ? none : producer(node);
      if (into != none && network_.nodes[into].body != node.body) into = none;
      if (node.fusing == Fusing::vanishes) node.records.clear();
      if (into != none && node.fusing == Fusing::follows && !node.records.empty()) fold(node, network_.nodes[into]);
      // The output of a folded or vanished node is now its producer's.
      const std::size_t maker = node.records.empty() && node.not_counted.empty() && into != none ? into : node.records.empty() ? none : i;
      for (const TensorId id : node.writes) maker_[id] = maker;
    }
    for (std::size_t i = 0; i < network_.nodes.size(); ++i)
      if (const auto found = extra_.find(i); found != extra_.end())
        network_.nodes[i].records.front().set("fused_flops", found->second.flops).set("fused_elements", found->second.elements);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  struct Extra {
    double flops = 0, elements = 0;
  };

  /// The node with work that makes a node's first computed input, where only this one reads it.
  [[nodiscard]] std::size_t producer(const SizedNode& node) const {
    for (const TensorId id : node.reads) {
      if (network_.tensors[id].constant) continue;
      return readers_[id] == 1 && maker_[id] != none && (!kept_.contains(id) || !node.body.empty()) ? maker_[id] : none;
    }
    return none;
  }

  void fold(SizedNode& node, const SizedNode& into) {
    Extra extra;
    double elements = 0;
    for (const RecordText& record : node.records) {
      const std::optional<Work> work = work_of(record);
      if (!work) return;
      extra.flops += work->vector_flops;
    }
    std::set<TensorId> besides(node.reads.begin(), node.reads.end());
    for (const TensorId id : node.reads)
      if (!network_.tensors[id].constant) {
        besides.erase(id);  // what the producer made
        break;
      }
    for (const TensorId id : besides) elements += known_or(network_.tensors[id].elements(), 0);
    Extra& sum = extra_[static_cast<std::size_t>(&into - network_.nodes.data())];
    sum.flops += extra.flops;
    sum.elements += elements;
    node.records.clear();
  }

  SizedNetwork& network_;
  std::vector<std::size_t> readers_, maker_;
  std::set<TensorId> kept_;
  std::unordered_map<std::size_t, Extra> extra_;
};

}  // namespace

void fold(SizedNetwork& network) { Folding(network).run(); }

}  // namespace roofline
