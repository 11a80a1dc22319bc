#include "network/quantised/integers.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

namespace roofline {
namespace {

class IntegerFinder {
 public:
  IntegerFinder(const std::vector<QuantisedNode>& nodes, const std::vector<TensorId>& graph_outputs, std::vector<SizedTensor>& tensors)
      : nodes_(nodes),
        tensors_(tensors),
        graph_outputs_(graph_outputs.begin(), graph_outputs.end()),
        executions_(nodes.size()),
        runs_on_integers_(nodes.size(), false) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const TensorId id : nodes[i].reads)
        if (id != no_tensor && (readers_[id].empty() || readers_[id].back() != i)) readers_[id].push_back(i);
      for (const TensorId id : nodes[i].writes)
        if (id != no_tensor) maker_[id] = i;
    }
  }

  std::vector<QuantisedExecution> find() {
    const auto dequantises = [](const QuantisedNode& s) {
      return s.role == IntegerRole::dequantise || s.role == IntegerRole::fake_quantise;
    };
    if (std::none_of(nodes_.begin(), nodes_.end(), dequantises)) return std::move(executions_);
    // Backwards: the readers of a result come after its node.
    for (std::size_t i = nodes_.size(); i-- > 0;)
      if (const TensorId out = output(nodes_[i]); out != no_tensor)
        if (const std::optional<TensorType> to = find_quantised_to(out)) quantised_to_[out] = *to;
    for (std::size_t i = 0; i < nodes_.size(); ++i) decide_execution(i);
    for (std::size_t i = nodes_.size(); i-- > 0;)
      if (const TensorId out = output(nodes_[i]); out != no_tensor) mark_integer_readers(out);
    for (std::size_t i = 0; i < nodes_.size(); ++i) record_use(i);
    return std::move(executions_);
  }

 private:
  static TensorId data(const QuantisedNode& node) { return node.reads.empty() ? no_tensor : node.reads[0]; }
  static TensorId output(const QuantisedNode& node) { return node.writes.empty() ? no_tensor : node.writes[0]; }
  [[nodiscard]] std::optional<TensorType> integer_type_of(TensorId id) const {
    const auto found = integer_types_.find(id);
    return id == no_tensor || found == integer_types_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The integers that all readers of a tensor quantise it to.
  [[nodiscard]] std::optional<TensorType> find_quantised_to(TensorId id) const {
    const auto readers = readers_.find(id);
    if (graph_outputs_.contains(id) || readers == readers_.end()) return std::nullopt;
    std::optional<TensorType> out;
    for (const std::size_t r : readers->second) {
      const QuantisedNode& reader = nodes_[r];
      const auto passed = quantised_to_.find(output(reader));
      if ((reader.role == IntegerRole::quantise || reader.role == IntegerRole::fake_quantise) && data(reader) == id)
        out = reader.stored;
      else if (reader.role == IntegerRole::keeps_type && passed != quantised_to_.end())
        out = passed->second;
      else
        return std::nullopt;
    }
    return out;
  }

  /// Decides whether a node runs on integers. If not, its weights alone may be integers, which it dequantises.
  void decide_execution(std::size_t i) {
    const QuantisedNode& node = nodes_[i];
    const TensorId out = output(node);
    if (out == no_tensor || node.role == IntegerRole::float_only || node.role == IntegerRole::quantise) return;
    if (node.role == IntegerRole::dequantise || node.role == IntegerRole::fake_quantise) {
      integer_types_[out] = node.stored;
      return;
    }
    std::map<TensorId, TensorType> compute_types, weights;
    bool all = true, some = false;
    for (const TensorId id : node.reads) {
      if (id == no_tensor) continue;
      const std::optional<TensorType> integers = integer_type_of(id);
      const bool constant = tensors_[id].constant;
      if (integers) (constant ? weights : compute_types).emplace(id, *integers);
      if (constant || tensors_[id].type.integer) continue;
      some = true;
      all = all && integers;
    }
    const auto to = quantised_to_.find(out);
    if (node.role == IntegerRole::product)
      runs_on_integers_[i] = node.reads.size() > 1 && can_multiply(integer_type_of(node.reads[0]), integer_type_of(node.reads[1]));
    else
      runs_on_integers_[i] = some && all && to != quantised_to_.end();
    if (runs_on_integers_[i]) {
      if (to != quantised_to_.end())
        for (const TensorId id : node.writes)
          if (id != no_tensor && !tensors_[id].type.integer) {
            compute_types[id] = to->second;
            integer_types_[id] = to->second;
            written_as_integers_.insert(id);
          }
      weights.merge(compute_types);
    } else if (node.role == IntegerRole::keeps_type && all && integer_type_of(data(node)) &&
               tensors_[data(node)].constant == tensors_[out].constant) {  // rows of a table are floats once they are looked up
      integer_types_[out] = *integer_type_of(data(node));
    }
    executions_[i].compute_types = std::move(weights);
  }

  /// Whether machines have instructions for a product of both types.
  static bool can_multiply(const std::optional<TensorType>& a, const std::optional<TensorType>& b) {
    return a && b && a->integer == b->integer && (a->integer || std::max(a->bits, b->bits) <= 8);
  }

  /// Whether a node of role keeps_type passes on the integers that its input is dequantised from.
  [[nodiscard]] bool passes_integers(const QuantisedNode& node) const {
    return node.role == IntegerRole::keeps_type && integer_type_of(data(node)) && integer_type_of(output(node));
  }

  /// Marks a tensor whose readers use integers, directly or after nodes that keep the type.
  void mark_integer_readers(TensorId id) {
    const auto readers = readers_.find(id);
    if (readers == readers_.end()) return;
    bool all = !graph_outputs_.contains(id), some = false;
    for (const std::size_t r : readers->second) {
      const bool passes = !runs_on_integers_[r] && passes_integers(nodes_[r]);
      all = all && (passes ? all_readers_use_integers_.contains(output(nodes_[r])) : runs_on_integers_[r]);
      some = some || (passes ? some_readers_use_integers_.contains(output(nodes_[r])) : runs_on_integers_[r]);
    }
    if (all) all_readers_use_integers_.insert(id);
    if (some) some_readers_use_integers_.insert(id);
  }

  void record_use(std::size_t i) {
    const QuantisedNode& node = nodes_[i];
    const TensorId in = data(node), out = output(node);
    if (in == no_tensor || out == no_tensor) return;
    QuantisedExecution& execution = executions_[i];
    if (tensors_[out].constant) {
      execution.vanishes = node.role == IntegerRole::dequantise;
      return;
    }
    const auto made = maker_.find(in);
    switch (node.role) {
      case IntegerRole::quantise:
        execution.vanishes = written_as_integers_.contains(in);
        break;
      case IntegerRole::dequantise:
        execution.vanishes = all_readers_use_integers_.contains(out);
        execution.not_fusible = !execution.vanishes && made != maker_.end() && nodes_[made->second].role == IntegerRole::quantise &&
                                !executions_[made->second].vanishes;
        break;
      case IntegerRole::fake_quantise:
        record_fake_quantise(node, execution);
        break;
      case IntegerRole::keeps_type:
        if (!runs_on_integers_[i] && passes_integers(node) && all_readers_use_integers_.contains(out)) {
          execution.compute_types = {{in, *integer_type_of(in)}, {out, *integer_type_of(in)}};
          tensors_[out].compiled_type = *integer_type_of(in);
        }
        break;
      default:
        break;
    }
    for (const TensorId id : node.writes)
      if (written_as_integers_.contains(id)) tensors_[id].compiled_type = *integer_type_of(id);
    if (execution.vanishes) tensors_[out].alias_when_compiled = in;
  }

  /// Its result is stored as integers if a reader uses integers.
  void record_fake_quantise(const QuantisedNode& node, QuantisedExecution& execution) {
    const TensorId in = data(node), out = output(node);
    if (written_as_integers_.contains(in)) execution.compute_types[in] = *integer_type_of(in);
    if (!some_readers_use_integers_.contains(out)) return;
    execution.compute_types[out] = node.stored;
    tensors_[out].compiled_type = node.stored;
    execution.vanishes = written_as_integers_.contains(in);
  }

  const std::vector<QuantisedNode>& nodes_;
  std::vector<SizedTensor>& tensors_;
  const std::set<TensorId> graph_outputs_;
  std::vector<QuantisedExecution> executions_;
  std::vector<bool> runs_on_integers_;  // by node
  std::unordered_map<TensorId, std::vector<std::size_t>> readers_;
  std::unordered_map<TensorId, std::size_t> maker_;
  std::unordered_map<TensorId, TensorType> quantised_to_;
  std::unordered_map<TensorId, TensorType> integer_types_;  // the type that a tensor is dequantised from, or stored in
  std::set<TensorId> written_as_integers_;
  std::set<TensorId> all_readers_use_integers_, some_readers_use_integers_;
};

}  // namespace

std::vector<QuantisedExecution> use_integers(const std::vector<QuantisedNode>& nodes, const std::vector<TensorId>& graph_outputs,
                                             std::vector<SizedTensor>& tensors) {
  return IntegerFinder(nodes, graph_outputs, tensors).find();
}

SizedNetwork with_compiled_types(SizedNetwork network) {
  std::vector<SizedTensor>& tensors = network.tensors;
  for (SizedTensor& tensor : tensors) {
    if (known(tensor.compiled_type.bits)) tensor.type = tensor.compiled_type;
    if (tensor.alias_when_compiled != no_tensor) tensor.view_of = tensor.alias_when_compiled;
  }
  // Each round skips twice as many views of views. A damaged file has circles of them: a tensor that still is in one owns its elements.
  constexpr int rounds = 32;
  bool nested = true;
  for (int round = 1; nested && round <= rounds; ++round) {
    nested = false;
    for (SizedTensor& tensor : tensors) {
      if (tensor.view_of == no_tensor || tensors[tensor.view_of].view_of == no_tensor) continue;
      tensor.view_of = round < rounds ? tensors[tensor.view_of].view_of : no_tensor;
      nested = true;
    }
  }
  return network;
}

TensorType int4_type(double block) {
  TensorType out = element_type(block <= 32 ? "int4_g32" : block <= 64 ? "int4_g64" : "int4_g128");
  out.bits = 4;
  return out;
}

}  // namespace roofline
