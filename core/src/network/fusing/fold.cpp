#include "network/fusing/fold.hpp"

#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

#include "network/fusing/fusion_rules.hpp"
#include "network/record_work.hpp"

namespace roofline {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// FLOPs of a node's records; nullopt where an operator cannot derive one.
std::optional<double> vector_flops(const SizedNode& node) {
  double flops = 0;
  for (const RecordText& record : node.records) {
    const std::optional<Work> work = record_work(record);
    if (!work) return std::nullopt;
    flops += work->vector_flops;
  }
  return flops;
}

class Fusions {
 public:
  Fusions(const SizedNetwork& network, ToolChain by)
      : network_(network),
        by_(by),
        readers_(network.tensors.size(), 0),
        maker_(network.tensors.size(), none),
        kept_(network.tensors.size(), false),
        kinds_(network.nodes.size(), FusionKind::other),
        into_(network.nodes.size()) {
    std::iota(into_.begin(), into_.end(), std::size_t{0});
    for (const SizedNode& node : network.nodes)
      for (const TensorId id : std::set(node.reads.begin(), node.reads.end())) ++readers_[id];
    for (const TensorId id : network.outputs)
      if (id != no_tensor) ++readers_[id];
    // The node that has a body reads the body's outputs.
    for (const SizedNode& node : network.nodes)
      if (!node.body.empty())
        for (const TensorId id : node.writes) kept_[id] = true;
  }

  std::vector<std::size_t> find() {
    if (by_ == ToolChain::none) return into_;
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      const SizedNode& node = network_.nodes[i];
      kinds_[i] = fusion_kind(node, network_);
      const bool works = !node.records.empty() && node.fusing != Fusing::vanishes;
      if (node.fusing != Fusing::none && (works || node.not_counted.empty()))
        if (const std::size_t into = producer(i); into != none) into_[i] = into;
      for (const TensorId id : node.writes) maker_[id] = works || into_[i] != i ? into_[i] : none;
    }
    return into_;
  }

 private:
  /// The latest node that node `i` can merge into: it has work, and makes an input of `i` that is as large as the output of `i`.
  [[nodiscard]] std::size_t producer(std::size_t i) const {
    const SizedNode& node = network_.nodes[i];
    std::size_t out = none;
    for (const TensorId id : node.reads) {
      const std::size_t maker = maker_[id];
      if (maker == none || readers_[id] != 1 || (kept_[id] && node.body.empty()) || network_.nodes[maker].body != node.body) continue;
      if (node.fusing != Fusing::vanishes &&
          (!fuses(by_, kinds_[maker], kinds_[i]) || node.writes.empty() || !same_size(id, node.writes[0])))
        continue;
      if (out == none || maker > out) out = maker;
    }
    return out;
  }

  [[nodiscard]] bool same_size(TensorId a, TensorId b) const { return network_.tensors[a].elements() == network_.tensors[b].elements(); }

  const SizedNetwork& network_;
  ToolChain by_;
  std::vector<std::size_t> readers_, maker_;
  std::vector<bool> kept_;
  std::vector<FusionKind> kinds_;
  std::vector<std::size_t> into_;
};

/// Elements of the node's inputs that are not in `made`.
double elements_besides(const SizedNode& node, const std::set<TensorId>& made, const SizedNetwork& network) {
  double elements = 0;
  for (const TensorId id : std::set(node.reads.begin(), node.reads.end()))
    if (!made.contains(id)) elements += known_or(network.tensors[id].elements(), 0);
  return elements;
}

}  // namespace

std::vector<std::size_t> fused_into(const SizedNetwork& network, ToolChain by) { return Fusions(network, by).find(); }

std::size_t fold(SizedNetwork& network, ToolChain by) {
  if (by == ToolChain::none) return 0;
  struct Joined {
    double flops = 0, elements = 0;
    std::set<TensorId> made;  // by the node and those merged into it
    std::string written;      // the output format of the last of them
  };
  std::unordered_map<std::size_t, Joined> joined;
  std::size_t count = 0;
  const std::vector<std::size_t> into = fused_into(network, by);
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    SizedNode& node = network.nodes[i];
    if (node.fusing == Fusing::vanishes) node.records.clear();
    if (into[i] == i) continue;
    const SizedNode& root = network.nodes[into[i]];
    Joined& sum = joined.try_emplace(into[i], Joined{0, 0, {root.writes.begin(), root.writes.end()}, {}}).first->second;
    if (!node.records.empty()) {
      const std::optional<double> flops = vector_flops(node);
      if (!flops) continue;
      sum.flops += *flops;
      sum.elements += elements_besides(node, sum.made, network);
      const RecordText& last = node.records.back();
      sum.written = last.text("output_type").empty() ? last.text("data_type") : last.text("output_type");
      node.records.clear();
      ++count;
    }
    sum.made.insert(node.writes.begin(), node.writes.end());
  }
  for (const auto& [root, sum] : joined) {
    if (sum.written.empty()) continue;  // views alone
    std::vector<RecordText>& records = network.nodes[root].records;
    records.front().set("fused_flops", sum.flops).set("fused_elements", sum.elements);
    RecordText& last = records.back();
    if (last.text(last.text("output_type").empty() ? "data_type" : "output_type") != sum.written) last.replace("output_type", sum.written);
  }
  return count;
}

}  // namespace roofline
