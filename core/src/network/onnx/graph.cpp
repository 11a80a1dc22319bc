#include "network/onnx/graph.hpp"

#include <functional>
#include <queue>
#include <unordered_map>

namespace roofline::onnx {
namespace {

constexpr int most_nested = 100;  // functions and bodies within each other
constexpr std::size_t most_tensors = 8'000'000;
constexpr std::size_t most_nodes = 2'000'000;  // functions that call functions could be any number

/// Names of one graph. A body sees those of the graph around it.
struct Scope {
  const Scope* around = nullptr;
  std::unordered_map<std::string, TensorId> ids = {};
};

class Placing {
 public:
  explicit Placing(const Model& model) : model_(model) {
    for (const Function& f : model.functions) functions_[call_name(f.domain, f.name, f.overload)] = &f;
  }

  Result<PlacedGraph> place() {
    Scope scope;
    place_graph(model_.graph, scope, "", out_.main, 0, nullptr);
    if (!fault_.empty()) return roofline::fail(fault_);
    return std::move(out_);
  }

 private:
  static std::string call_name(const std::string& domain, const std::string& type, const std::string& overload) {
    return domain + ':' + type + ':' + overload;
  }

  void fault(std::string message) {
    if (fault_.empty()) fault_ = std::move(message);
  }

  TensorId add(const std::string& name, Scope& scope) {
    if (out_.tensors.size() >= most_tensors) fault("its functions come to more than 8,000,000 tensors");
    const auto [at, is_new] = scope.ids.emplace(name, static_cast<TensorId>(out_.tensors.size()));
    if (is_new) out_.tensors.push_back({name});
    return at->second;
  }
  /// A tensor that is read: of this graph, or of one around it. One that nothing makes is unknown, not a fault.
  TensorId read(const std::string& name, Scope& scope) {
    if (name.empty()) return no_tensor;
    for (const Scope* s = &scope; s; s = s->around)
      if (const auto found = s->ids.find(name); found != s->ids.end()) return found->second;
    out_.missing.push_back(name);
    return add(name, scope);
  }

  /// `call`: of the function that the graph is a body in; null: of none.
  void place_graph(const Graph& graph, Scope& scope, const std::string& prefix, Block& block, int depth, const PlacedNode* call) {
    if (depth > most_nested) return fault("bodies and functions are nested more than 100 deep");
    for (const Constant& c : graph.constants) {
      const TensorId id = add(c.name, scope);
      if (out_.tensors[id].constant) return fault("the weight \"" + c.name + "\" is in the file twice: expected one of that name");
      out_.tensors[id].constant = &c;
    }
    for (const ValueInfo& v : graph.inputs) {
      const TensorId id = add(v.name, scope);
      if (out_.tensors[id].constant) continue;  // a default value, as files of 2017 list all weights among the inputs
      out_.tensors[id].declared = &v;
      block.inputs.push_back(id);
    }
    // All that is made here has a number before it is read: nodes need not be in order.
    for (const Node& node : graph.nodes) make_outputs(node, scope);
    place_nodes(graph.nodes, scope, prefix, block, depth, call);
    for (const std::vector<ValueInfo>* list : {&graph.inner, &graph.outputs})
      for (const ValueInfo& v : *list)
        if (const auto found = scope.ids.find(v.name); found != scope.ids.end() && !out_.tensors[found->second].declared)
          out_.tensors[found->second].declared = &v;
    for (const ValueInfo& v : graph.outputs) block.outputs.push_back(read(v.name, scope));
    sort(block);
  }

  void make_outputs(const Node& node, Scope& scope) {
    for (const std::string& name : node.outputs) {
      if (name.empty()) continue;
      // Some exporters write a constant twice.
      if (scope.ids.contains(name) && node.type != "Constant")
        return fault("the tensor \"" + name + "\" is made twice: expected one node that makes it, and no weight or input of that name");
      add(name, scope);
    }
  }

  /// The nodes of a graph or of a function's body, in which `call` is what calls it.
  void place_nodes(const std::vector<Node>& nodes, Scope& scope, const std::string& prefix, Block& block, int depth,
                   const PlacedNode* call) {
    for (const Node& node : nodes) {
      if (!fault_.empty()) return;
      if (++nodes_ > most_nodes) return fault("its functions come to more than 2,000,000 nodes");
      PlacedNode placed;
      placed.node = &node;
      placed.name = prefix + name_of(node, static_cast<std::size_t>(&node - nodes.data()));
      placed.unnamed = node.name.empty() && prefix.empty();
      if ((nodes_ += node.inputs.size() / 16) > most_nodes) return fault("its functions come to more than 2,000,000 nodes");
      for (const std::string& name : node.inputs) placed.inputs.push_back(read(name, scope));
      for (const std::string& name : node.outputs) placed.outputs.push_back(read(name, scope));
      if (call) resolve_attributes(node, *call, placed);
      const auto function = functions_.find(call_name(node.domain, node.type, node.overload));
      if (function != functions_.end()) {
        inline_call(*function->second, placed, block, depth);
        continue;
      }
      for (const Attribute& a : node.attributes)
        for (const auto& graph : a.graphs) {
          Scope inner{&scope};
          placed.bodies.emplace_back();
          place_graph(*graph, inner, placed.name + '/', placed.bodies.back(), depth + 1, call);
        }
      block.nodes.push_back(std::move(placed));
    }
  }

  /// A node without a name takes that of its first output; if that is a number, its type and index, as in ONNX Runtime's profiles.
  static std::string name_of(const Node& node, std::size_t place) {
    if (!node.name.empty() || node.outputs.empty()) return node.name;
    const std::string& output = node.outputs[0];
    const bool number = output.find_first_not_of("0123456789") == std::string::npos;
    return number ? node.type + '_' + std::to_string(place) : output;
  }

  /// Attributes that stand for one of the call's, or for the function's default.
  static void resolve_attributes(const Node& node, const PlacedNode& call, PlacedNode& placed) {
    placed.resolved = true;
    for (const Attribute& a : node.attributes) {
      if (a.refers_to.empty()) {
        placed.attributes.push_back(a);
      } else if (const Attribute* given = call.find(a.refers_to)) {
        placed.attributes.push_back(*given);
        placed.attributes.back().name = a.name;
      }
    }
  }

  void inline_call(const Function& function, PlacedNode& call, Block& block, int depth) {
    if (depth > most_nested) return fault("functions are nested more than 100 deep, or call themselves");
    if (!call.resolved) call.attributes = call.node->attributes;
    call.resolved = true;
    for (const Attribute& a : function.defaults)
      if (!call.find(a.name)) call.attributes.push_back(a);
    Scope scope;
    for (std::size_t i = 0; i < function.inputs.size(); ++i) scope.ids[function.inputs[i]] = call.input(i);  // no_tensor: left out
    for (std::size_t i = 0; i < function.outputs.size(); ++i)
      if (call.output(i) != no_tensor) scope.ids[function.outputs[i]] = call.output(i);
    for (const Node& node : function.nodes)
      for (const std::string& name : node.outputs)
        if (!name.empty()) add(name, scope);
    place_nodes(function.nodes, scope, call.name + '/', block, depth + 1, &call);
  }

  /// Nodes behind those that feed them, otherwise in the file's order: real files are not always sorted.
  void sort(Block& block) {
    std::unordered_map<TensorId, std::size_t> maker;
    for (std::size_t i = 0; i < block.nodes.size(); ++i)
      for (const TensorId id : block.nodes[i].outputs)
        if (id != no_tensor) maker.emplace(id, i);
    std::vector<std::vector<std::size_t>> readers(block.nodes.size());
    std::vector<std::size_t> waits_for(block.nodes.size(), 0);
    for (std::size_t i = 0; i < block.nodes.size(); ++i)
      each_read(block.nodes[i], [&](TensorId id) {
        const auto made = maker.find(id);
        if (made == maker.end()) return;
        readers[made->second].push_back(i);
        ++waits_for[i];
      });
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < waits_for.size(); ++i)
      if (waits_for[i] == 0) ready.push(i);
    std::vector<PlacedNode> sorted;
    sorted.reserve(block.nodes.size());
    while (!ready.empty()) {
      const std::size_t i = ready.top();
      ready.pop();
      sorted.push_back(std::move(block.nodes[i]));
      for (const std::size_t reader : readers[i])
        if (--waits_for[reader] == 0) ready.push(reader);
    }
    if (sorted.size() < block.nodes.size()) {
      for (std::size_t i = 0; i < waits_for.size(); ++i)
        if (waits_for[i] > 0) return fault("nodes feed each other in a circle, \"" + block.nodes[i].name + "\" among them");
    }
    block.nodes = std::move(sorted);
  }

  const Model& model_;
  PlacedGraph out_;
  std::unordered_map<std::string, const Function*> functions_;
  std::string fault_;
  std::size_t nodes_ = 0;
};

}  // namespace

const Attribute* PlacedNode::find(std::string_view attribute) const {
  for (const Attribute& a : resolved ? attributes : node->attributes)
    if (a.name == attribute) return &a;
  return nullptr;
}

double PlacedNode::number(std::string_view attribute, double otherwise) const {
  const Attribute* a = find(attribute);
  return a && a->number ? *a->number : otherwise;
}

std::string_view PlacedNode::text(std::string_view attribute, std::string_view otherwise) const {
  const Attribute* a = find(attribute);
  return a && a->text ? std::string_view(*a->text) : otherwise;
}

std::vector<double> PlacedNode::numbers(std::string_view attribute) const {
  const Attribute* a = find(attribute);
  return a ? a->numbers : std::vector<double>();
}

Result<PlacedGraph> place(const Model& model) { return Placing(model).place(); }

}  // namespace roofline::onnx
