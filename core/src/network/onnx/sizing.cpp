#include "network/onnx/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "network/length_expression.hpp"
#include "network/module_names.hpp"
#include "network/onnx/quantisation.hpp"
#include "network/onnx/rules.hpp"
#include "network/rule_index.hpp"

namespace roofline::onnx {
namespace {

constexpr std::size_t highest_rank = 64;

/// A whole number whose products with others still count exactly.
bool is_length(double length) { return length >= 0 && length <= 0x1p53 && length == std::floor(length); }

class Sizing {
 public:
  Sizing(const PlacedGraph& graph, const Model& model, const std::vector<Dimension>& dimensions)
      : graph_(graph), opset_(model.opset()), dimensions_(dimensions), sizes_(graph.tensors.size()) {
    for (const Dimension& d : dimensions) lengths_.emplace(d.name, d.value);
  }

  SizedNetwork size() {
    for (TensorId id = 0; id < graph_.tensors.size(); ++id) start(id);
    run(graph_.main);
    out_.tensors.resize(sizes_.size());
    for (TensorId id = 0; id < sizes_.size(); ++id) put_tensor(id);
    out_.inputs = graph_.main.inputs;
    out_.outputs = graph_.main.outputs;
    add_nodes(graph_.main, {});
    name_modules_by_weights(out_);
    note_past_end();
    return std::move(out_);
  }

 private:
  /// What the file says of a tensor: a weight is what it is, an input what is declared.
  void start(TensorId id) {
    const GraphTensor& tensor = graph_.tensors[id];
    TensorSize& size = sizes_[id];
    if (const Constant* constant = tensor.constant) {
      size.type = constant->type;
      if (constant->shape.size() <= highest_rank) size.shape = constant->shape;
      size.constant = true;
      if (!constant->values.empty() || elements_of(constant->shape) == 0) size.values = constant->values;
    } else if (tensor.declared) {
      size.type = tensor.declared->type;
    }
  }

  [[nodiscard]] std::optional<Lengths> declared_shape(TensorId id) const {
    const ValueInfo* declared = graph_.tensors[id].declared;
    if (!declared || !declared->shape || declared->shape->size() > highest_rank) return std::nullopt;
    Lengths out;
    for (std::size_t i = 0; i < declared->shape->size(); ++i) {
      const DeclaredLength& length = (*declared->shape)[i];
      out.push_back(known(length.value) ? length.value : length_of(dimension_name(declared->name, i, length)));
    }
    return out;
  }

  [[nodiscard]] double length_of(const std::string& text) const {
    if (const auto found = lengths_.find(text); found != lengths_.end()) return found->second;
    return LengthExpression(text).at(lengths_);
  }

  void run(const Block& block) {
    for (const TensorId id : block.inputs)
      if (!sizes_[id].shape) sizes_[id].shape = declared_shape(id);
    for (const PlacedNode& node : block.nodes) run(node);
  }

  void run(const PlacedNode& node) {
    NodeSizes n(node, sizes_, opset_, dimensions_);
    bool all_constant = !node.inputs.empty() || node.is("Constant");
    for (const TensorId id : node.inputs) all_constant = all_constant && (id == no_tensor || sizes_[id].constant);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
      if (node.outputs[i] != no_tensor && sizes_[node.outputs[i]].type.bits != sizes_[node.outputs[i]].type.bits) n.set_type(i, n.type(0));
    if (!node.bodies.empty())
      run_bodies(node, n);
    else if (const OperatorRule* rule = find_rule(node); rule && rule->size)
      rule->size(n);
    for (const TensorId id : node.outputs) {
      if (id == no_tensor) continue;
      sizes_[id].constant = all_constant && node.bodies.empty();
      finish(id);
    }
  }

  /// Lengths that did not follow come from the file's declaration.
  void finish(TensorId id) {
    TensorSize& size = sizes_[id];
    if (size.shape && size.shape->size() > highest_rank) size.shape.reset();
    const std::optional<Lengths> declared = declared_shape(id);
    if (!size.shape) {
      size.shape = declared;
    } else if (declared && declared->size() == size.shape->size()) {
      for (std::size_t i = 0; i < declared->size(); ++i)
        if (!known((*size.shape)[i])) (*size.shape)[i] = (*declared)[i];
    }
    if (size.shape)
      for (double& length : *size.shape)
        if (!is_length(length)) length = unknown;
    if (size.values && (!size.shape || !(elements_of(*size.shape) == static_cast<double>(size.values->size())))) size.values.reset();
  }

  /// If: a branch gives what the node does. Loop and Scan: state goes round, the rest is stacked.
  void run_bodies(const PlacedNode& node, NodeSizes& n) {
    if (node.is("Scan") && opset_ >= 9)
      scan(node, n);
    else if (node.is("Loop"))
      loop(node, n);
    else
      for (const Block& body : node.bodies) {
        run(body);
        if (node.is("If"))
          for (std::size_t i = 0; i < body.outputs.size(); ++i) merge(n, i, body.outputs[i]);
      }
  }

  /// What both branches agree on.
  void merge(NodeSizes& n, std::size_t output, TensorId from) {
    if (from == no_tensor || n.node().output(output) == no_tensor) return;
    const TensorSize& size = sizes_[from];
    n.set_type(output, size.type);
    if (!size.shape) return;
    Lengths shape = *size.shape;
    if (const auto& other = n.out(output).shape) {
      if (other->size() != shape.size()) return;
      for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] != (*other)[i]) shape[i] = unknown;
    }
    n.set(output, std::move(shape));
  }

  /// State that goes round: what comes out of one run goes into the next. A length that grows is not known.
  void carry(NodeSizes& n, std::size_t output, TensorId from, const TensorSize& before) {
    merge(n, output, from);
    if (!n.out(output).shape || !before.shape || n.out(output).shape->size() != before.shape->size()) return;
    Lengths shape = *n.out(output).shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != (*before.shape)[i]) shape[i] = unknown;
    n.set(output, std::move(shape));
  }

  void bind(TensorId inner, const TensorSize& outer) {
    if (inner == no_tensor) return;
    sizes_[inner].type = outer.type;
    if (outer.shape) sizes_[inner].shape = outer.shape;
  }

  void stack(NodeSizes& n, std::size_t output, TensorId from, double times, double axis = 0) {
    if (from == no_tensor) return;
    n.set_type(output, sizes_[from].type);
    if (!sizes_[from].shape) return;
    Lengths shape = *sizes_[from].shape;
    axis += axis < 0 ? static_cast<double>(shape.size() + 1) : 0;
    if (!(axis >= 0 && axis <= static_cast<double>(shape.size()))) return;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), times);
    n.set(output, std::move(shape));
  }

  void loop(const PlacedNode& node, NodeSizes& n) {
    const Block& body = node.bodies[0];
    const std::size_t carried = node.inputs.size() < 2 ? 0 : node.inputs.size() - 2;
    for (std::size_t i = 0; i < body.inputs.size() && i < 2; ++i) sizes_[body.inputs[i]].shape = Lengths();
    for (std::size_t i = 0; i < carried && i + 2 < body.inputs.size(); ++i) bind(body.inputs[i + 2], n.in(i + 2));
    run(body);
    for (std::size_t i = 0; i + 1 < body.outputs.size(); ++i)
      if (i < carried)
        carry(n, i, body.outputs[i + 1], n.in(i + 2));
      else
        stack(n, i, body.outputs[i + 1], n.scalar(0));
  }

  void scan(const PlacedNode& node, NodeSizes& n) {
    const Block& body = node.bodies[0];
    const auto scanned = static_cast<std::size_t>(std::max(0.0, n.number("num_scan_inputs", 0)));
    const std::size_t states = node.inputs.size() < scanned ? 0 : node.inputs.size() - scanned;
    const Values axes = node.numbers("scan_input_axes"), out_axes = node.numbers("scan_output_axes");
    double times = unknown;
    for (std::size_t i = 0; i < node.inputs.size() && i < body.inputs.size(); ++i) {
      bind(body.inputs[i], n.in(i));
      if (i < states || !n.shape(i)) continue;
      Lengths slice = *n.shape(i);
      double axis = i - states < axes.size() ? axes[i - states] : 0;
      axis += axis < 0 ? static_cast<double>(slice.size()) : 0;
      if (!(axis >= 0 && axis < static_cast<double>(slice.size()))) continue;
      times = slice[static_cast<std::size_t>(axis)];
      slice.erase(slice.begin() + static_cast<std::ptrdiff_t>(axis));
      sizes_[body.inputs[i]].shape = std::move(slice);
    }
    run(body);
    for (std::size_t i = 0; i < body.outputs.size(); ++i)
      if (i < states)
        carry(n, i, body.outputs[i], n.in(i));
      else
        stack(n, i, body.outputs[i], times, i - states < out_axes.size() ? out_axes[i - states] : 0);
  }

  void put_tensor(TensorId id) {
    SizedTensor& out = out_.tensors[id];
    const TensorSize& size = sizes_[id];
    out.name = graph_.tensors[id].name;
    out.type = size.type;
    out.has_shape = size.shape.has_value();
    if (size.shape) out.shape = *size.shape;
    out.constant = size.constant;
    if (const Constant* constant = graph_.tensors[id].constant) {
      out.weight = true;
      out.stored_bytes = constant->bytes;
      out.data = constant->data;
    }
  }

  void add_nodes(const Block& block, const std::string& body) {
    const std::vector<QuantisedExecution> executions = use_integers(block, out_.tensors);
    for (std::size_t i = 0; i < block.nodes.size(); ++i) {
      const PlacedNode& node = block.nodes[i];
      SizedNode out;
      out.name = node.name;
      out.unnamed = node.unnamed;
      out.type = node.node->domain.empty() || node.node->domain == microsoft ? node.node->type : node.node->domain + '.' + node.node->type;
      out.module = module_of(node, body);
      out.body = body;
      for (const TensorId id : node.inputs)
        if (id != no_tensor) out.reads.push_back(id);
      for (const TensorId id : node.outputs)
        if (id != no_tensor) out.writes.push_back(id);
      put_work(node, executions[i], out);
      if (node.is("ConstantOfShape"))
        for (const TensorId id : out.writes) out_.tensors[id].generated = out_.tensors[id].constant;
      if (node.is("Constant"))
        for (const TensorId id : out.writes) out_.tensors[id].constant = true;
      out_.nodes.push_back(std::move(out));
      for (const Block& inner : node.bodies) add_nodes(inner, node.name);
    }
  }

  void put_work(const PlacedNode& node, const QuantisedExecution& execution, SizedNode& out) {
    if (!node.bodies.empty()) {
      out.not_counted = reason::body_apart;
      return;
    }
    if (node.is("EPContext", microsoft)) {
      out.not_counted = reason::compiled;
      return;
    }
    const OperatorRule* rule = find_rule(node);
    if (!rule) {
      out.not_counted = reason::no_rule;
      return;
    }
    out.fusing = execution.not_fusible ? Fusing::none : rule->fusing;
    if (is_folded(node) || execution.vanishes) return;
    NodeSizes n(node, sizes_, opset_, dimensions_);
    if (!rule->work) return;
    if (!n.has(0) && !node.inputs.empty()) {
      out.not_counted = "its first input is left out";
      return;
    }
    const bool ranks_known =
        std::all_of(node.inputs.begin(), node.inputs.end(), [&](TensorId id) { return id == no_tensor || sizes_[id].shape; });
    if (n.shape(0) && ranks_known && (rule->of_any_output || n.out(0).shape)) {
      for (const auto& [tensor, type] : execution.compute_types) n.set_compute_type(tensor, type);
      rule->work(n, out);
    } else {
      out.not_counted = reason::no_shape;
    }
  }

  /// A length beyond what the file's own tables hold: the network does not run at it.
  void note_past_end() {
    const auto reads_on = [&](const SizedNode& node) {
      return std::any_of(node.writes.begin(), node.writes.end(), [&](TensorId id) { return sizes_[id].past_end; });
    };
    const auto first = std::find_if(out_.nodes.begin(), out_.nodes.end(), reads_on);
    if (first == out_.nodes.end()) return;
    const auto count = static_cast<std::uint64_t>(std::count_if(first, out_.nodes.end(), reads_on));
    out_.notes.push_back(quantity(count, "node reads", "nodes read") + " past the end of a constant table (the first: " +
                         printable(first->name) + "): counted at the lengths that are asked for, at which the file itself does not run");
  }

  /// Worked out before anything runs: of constants, or of shapes alone.
  [[nodiscard]] bool is_folded(const PlacedNode& node) const {
    return std::all_of(node.outputs.begin(), node.outputs.end(), [&](TensorId id) {
      return id == no_tensor || sizes_[id].constant ||
             (sizes_[id].values && std::all_of(sizes_[id].values->begin(), sizes_[id].values->end(), [](double v) { return known(v); }));
    });
  }

  /// What the file says, else the path in the node's name, "/layers.0/attention/MatMul"; within a body that of the body's own node.
  static std::string module_of(const PlacedNode& node, const std::string& body) {
    if (!node.node->module.empty()) return node.node->module;
    std::string_view name = node.name;
    if (!body.empty() && name.starts_with(body + '/')) name.remove_prefix(body.size() + 1);
    return module_in(name);
  }

  const PlacedGraph& graph_;
  const double opset_;
  const std::vector<Dimension>& dimensions_;
  std::unordered_map<std::string, double> lengths_;
  std::vector<TensorSize> sizes_;
  SizedNetwork out_;
};

}  // namespace

std::string dimension_name(const std::string& input, std::size_t place, const DeclaredLength& length) {
  return length.name.empty() ? input + '.' + std::to_string(place) : length.name;
}

SizedNetwork size_network(const PlacedGraph& graph, const Model& model, const std::vector<Dimension>& dimensions) {
  return Sizing(graph, model, dimensions).size();
}

const OperatorRule* find_rule(const PlacedNode& node) {
  const std::string& domain = node.node->domain;
  if (!domain.empty() && domain != microsoft && domain != "com.microsoft.nchwc" && domain != "ai.onnx.contrib") return nullptr;
  static const RuleIndex rules(&OperatorRule::type, {elementwise_rules(), shape_rules(), movement_rules(), image_rules(), layer_rules(),
                                                     attention_rules(), quantised_rules()});
  return rules.find(node.node->type);
}

}  // namespace roofline::onnx
