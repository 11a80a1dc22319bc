#include "network/fusing/fold.hpp"

#include <numeric>
#include <optional>
#include <roofline/workload/workload.hpp>
#include <set>
#include <unordered_map>

#include "network/fusing/decomposed.hpp"
#include "network/record_work.hpp"
#include "network/tensor_uses.hpp"

namespace roofline {
namespace {

/// FLOPs of a node's records; nullopt where an operator cannot derive one.
std::optional<double> vector_flops(const SizedNode& node) {
  double flops = 0;
  for (const RecordText& record : node.records) {
    const std::optional<Work> work = record_work(record);
    if (!work) return std::nullopt;
    flops += work->vector_flops + known_or(number_of(member(record_json(record), "fused_flops")), 0);
  }
  return flops;
}

class Fusions {
 public:
  Fusions(const SizedNetwork& network, ToolChain by)
      : network_(network),
        by_(by),
        uses_(tensor_uses(network)),
        made_by_(network.tensors.size(), no_node),
        kept_(network.tensors.size(), false),
        kinds_(network.nodes.size(), FusionKind::other),
        into_(network.nodes.size()) {
    std::iota(into_.begin(), into_.end(), std::size_t{0});
    // The node that has a body reads the body's outputs.
    for (const SizedNode& node : network.nodes)
      if (!node.body.empty())
        for (const TensorId id : node.writes) kept_[id] = true;
  }

  std::vector<std::size_t> find() {
    if (by_ == ToolChain::none) return into_;
    result_of_.assign(network_.nodes.size(), no_node);
    for (const DecomposedFunction& function : decomposed_functions(network_, uses_, by_)) take(function);
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      const SizedNode& node = network_.nodes[i];
      const bool first = result_of_[i] != no_node, within = into_[i] != i;  // of a function's nodes
      if (!first) kinds_[i] = fusion_kind(node, network_);
      const bool works = !node.records.empty() && node.fusing != Fusing::vanishes;
      if (within)
        into_[i] = into_[into_[i]];
      else if ((first || node.fusing != Fusing::none) && (works || node.not_counted.empty()))
        if (const std::size_t into = producer(i); into != no_node) into_[i] = into;
      for (const TensorId id : node.writes) made_by_[id] = works || into_[i] != i ? into_[i] : no_node;
    }
    return into_;
  }

 private:
  /// Merges the nodes of a function into the first of them.
  void take(const DecomposedFunction& function) {
    const std::size_t first = function.nodes.front();
    kinds_[first] = function.kind;
    result_of_[first] = function.nodes.back();
    for (const std::size_t node : function.nodes) into_[node] = first;
    uses_[function.input].readers -= function.input_readers - 1;
  }

  /// The latest node that node `i` can merge into: it has work, and makes an input of `i` that is as large as the output of `i`.
  [[nodiscard]] std::size_t producer(std::size_t i) const {
    const SizedNode& node = network_.nodes[i];
    const SizedNode& last = network_.nodes[result_of_[i] == no_node ? i : result_of_[i]];
    std::size_t out = no_node;
    for (const TensorId id : node.reads) {
      const std::size_t maker = made_by_[id];
      if (maker == no_node || uses_[id].readers != 1 || (kept_[id] && node.body.empty()) || network_.nodes[maker].body != node.body)
        continue;
      if (node.fusing != Fusing::vanishes &&
          (!fuses(by_, kinds_[maker], kinds_[i]) || last.writes.empty() || !same_size(id, last.writes[0])))
        continue;
      if (out == no_node || maker > out) out = maker;
    }
    return out;
  }

  [[nodiscard]] bool same_size(TensorId a, TensorId b) const { return network_.tensors[a].elements() == network_.tensors[b].elements(); }

  const SizedNetwork& network_;
  ToolChain by_;
  std::vector<TensorUse> uses_;
  std::vector<std::size_t> made_by_;  // of each tensor: the node that its maker is merged into
  std::vector<bool> kept_;
  std::vector<FusionKind> kinds_;
  std::vector<std::size_t> into_;
  std::vector<std::size_t> result_of_;  // of a function's first node: its last one
};

/// Tensors that operations merged into the node need not read from memory: its outputs and, if it computes no products, its inputs, which
/// it reads element by element.
std::set<TensorId> at_hand(const SizedNode& node) {
  std::set<TensorId> out(node.writes.begin(), node.writes.end());
  const std::optional<Work> work = node.records.size() == 1 ? record_work(node.records.front()) : std::nullopt;
  if (work && work->matrix_flops == 0) out.insert(node.reads.begin(), node.reads.end());
  return out;
}

/// Elements of the node's inputs that are not in `made`.
double elements_besides(const SizedNode& node, const std::set<TensorId>& made, const SizedNetwork& network) {
  double elements = 0;
  for (const TensorId id : std::set(node.reads.begin(), node.reads.end()))
    if (!made.contains(id)) elements += known_or(network.tensors[id].elements(), 0);
  return elements;
}

/// Elements of the outputs of a merged node, besides its first, that nodes outside of the merge or the network's user read.
double elements_written_besides(const SizedNetwork& network, std::size_t node, const std::vector<std::size_t>& into,
                                const std::vector<TensorUse>& uses) {
  double elements = 0;
  const std::vector<TensorId>& writes = network.nodes[node].writes;
  for (std::size_t i = 1; i < writes.size(); ++i) {
    const TensorUse& use = uses[writes[i]];
    const bool stays = use.readers == 0 || (use.readers == 1 && use.reader != no_node && into[use.reader] == into[node]);
    if (!stays) elements += known_or(network.tensors[writes[i]].elements(), 0);
  }
  return elements;
}

}  // namespace

std::vector<std::size_t> fused_into(const SizedNetwork& network, ToolChain by) { return Fusions(network, by).find(); }

std::size_t fold(SizedNetwork& network, ToolChain by) {
  if (by == ToolChain::none) return 0;
  struct Joined {
    double flops = 0, elements = 0;
    std::set<TensorId> made;  // by the node and those merged into it, or at_hand()
    std::string written;      // the output format of the last of them
    std::string names;        // of those with work
  };
  std::unordered_map<std::size_t, Joined> joined;
  std::size_t count = 0;
  const std::vector<std::size_t> into = fused_into(network, by);
  const std::vector<TensorUse> uses = tensor_uses(network);
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    SizedNode& node = network.nodes[i];
    if (node.fusing == Fusing::vanishes && !node.records.empty()) {
      node.records.clear();
      ++count;
    }
    if (into[i] == i) continue;
    const SizedNode& root = network.nodes[into[i]];
    Joined& sum = joined.try_emplace(into[i], Joined{0, 0, at_hand(root), {}, {}}).first->second;
    if (!node.records.empty()) {
      const std::optional<double> flops = vector_flops(node);
      if (!flops) continue;
      sum.flops += *flops;
      sum.elements += elements_besides(node, sum.made, network) + elements_written_besides(network, i, into, uses);
      const RecordText& last = node.records.back();
      sum.written = last.text("output_type").empty() ? last.text("data_type") : last.text("output_type");
      sum.names.append(sum.names.empty() ? "" : merged_separator).append(node.name);
      node.records.clear();
      ++count;
    }
    sum.made.insert(node.writes.begin(), node.writes.end());
  }
  for (const auto& [root, sum] : joined) {
    if (sum.written.empty()) continue;  // views alone
    std::vector<RecordText>& records = network.nodes[root].records;
    records.front().add("fused_flops", sum.flops).add("fused_elements", sum.elements).set("merged", sum.names);
    RecordText& last = records.back();
    if (last.text(last.text("output_type").empty() ? "data_type" : "output_type") != sum.written) last.replace("output_type", sum.written);
  }
  return count;
}

}  // namespace roofline
