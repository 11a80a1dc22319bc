#include "network/openvino/sizing.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "network/module_names.hpp"
#include "network/openvino/quantised.hpp"
#include "network/openvino/rules.hpp"
#include "network/rule_index.hpp"

namespace roofline::openvino {
namespace {

bool is(const Layer& layer, std::string_view type) { return layer.type == type; }

class Sizing {
 public:
  explicit Sizing(const std::vector<Dimension>& dimensions) {
    for (const Dimension& d : dimensions) lengths_.emplace(d.name, d.value);
  }

  SizedNetwork size(const Block& model) {
    out_.format = "OpenVINO IR";
    const Places places = place(model, nullptr, nullptr);
    put_tensors();
    add_nodes(model, places, {});
    if (guesses_ > 0)
      out_.notes.push_back(with_commas(guesses_) + (guesses_ == 1 ? " layer moves" : " layers move") +
                           " open lengths by numbers that are in the weights' file, not in the XML: they are taken to keep their order");
    return std::move(out_);
  }

 private:
  /// A block's tensors, by layer.
  struct Places {
    std::vector<std::vector<TensorId>> inputs, outputs;
    std::vector<std::vector<Places>> bodies;
  };

  /// `ports`: of a body, what feeds it; `outer`: the layer that has it. Null: the main graph.
  Places place(const Block& block, const Body* ports, const LayerSizes* outer) {
    Places places;
    for (const Layer& layer : block.layers) {
      std::vector<TensorId>& inputs = places.inputs.emplace_back();
      for (const Source& source : layer.sources)
        inputs.push_back(source.layer == Source::none ? no_tensor : places.outputs[source.layer][source.port]);
      std::vector<TensorId>& outputs = places.outputs.emplace_back();
      for (const Port& port : layer.outputs) {
        outputs.push_back(static_cast<TensorId>(sizes_.size()));
        sizes_.push_back({port.type, port.type, port.shape, port.shape, false});
        names_.push_back(&layer);
      }
      places.bodies.push_back(run(layer, inputs, outputs, ports, outer));
    }
    return places;
  }

  /// The result: the tensors of its bodies.
  std::vector<Places> run(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs, const Body* ports,
                          const LayerSizes* outer) {
    LayerSizes n(layer, inputs, outputs, sizes_, length_of(context_name));
    if (is(layer, "Parameter")) put_parameter(layer, outputs, ports, outer);
    if (is(layer, "Const"))
      for (const TensorId id : outputs) put_constant(layer, id);
    if (is(layer, "Result") && !ports)
      for (const TensorId id : inputs)
        if (id != no_tensor) out_.outputs.push_back(id);
    if (!is_node(layer)) return {};
    const LayerRule* rule = find_rule(layer.type);
    if (rule && rule->carry) rule->carry(n);
    if (is(layer, "ReadValue")) put_state(layer, outputs);
    guesses_ += n.guessed() ? 1 : 0;
    const bool constant = is_folded(layer, inputs);
    for (const TensorId id : outputs) sizes_[id].constant = constant;
    set_stored_types(layer, inputs, outputs, sizes_);
    std::vector<Places> bodies;
    for (const Body& inner : layer.bodies) {
      bodies.push_back(place(inner.block, &inner, &n));
      carry_out(layer, inner, bodies.back(), outputs);
    }
    return bodies;
  }

  static bool is_node(const Layer& layer) { return !is(layer, "Parameter") && !is(layer, "Const") && !is(layer, "Result"); }

  [[nodiscard]] double length_of(const std::string& name) const {
    const auto found = lengths_.find(name);
    return found == lengths_.end() ? unknown : found->second;
  }

  /// Of the main graph: its open lengths as they are set. Of a body: as what feeds it.
  void put_parameter(const Layer& layer, const std::vector<TensorId>& outputs, const Body* ports, const LayerSizes* outer) {
    for (const TensorId id : outputs) {
      Lengths& shape = sizes_[id].shape;
      if (!ports) {
        for (std::size_t i = 0; i < shape.size(); ++i)
          if (!known(shape[i])) shape[i] = length_of(dimension_name(layer, i));
        out_.inputs.push_back(id);
        continue;
      }
      for (const BodyPort& port : ports->ports) {
        if (!port.input || port.sliced || port.inner != layer.id) continue;
        const Lengths& from = outer->shape(outer->layer().input_at(port.outer));
        for (std::size_t i = 0; i < shape.size() && from.size() == shape.size(); ++i)
          if (!known(shape[i])) shape[i] = from[i];
      }
    }
  }

  void put_state(const Layer& layer, const std::vector<TensorId>& outputs) {
    for (const TensorId id : outputs)
      for (std::size_t i = 0; i < sizes_[id].shape.size(); ++i)
        if (!known(sizes_[id].shape[i])) sizes_[id].shape[i] = length_of(dimension_name(layer, i));
  }

  void put_constant(const Layer& layer, TensorId id) {
    TensorSize& size = sizes_[id];
    size.constant = true;
    if (const TensorType type = precision(layer.text("element_type")); known(type.bits)) size.type = size.stored_type = type;
    constants_.emplace(id, layer.number("size", unknown));
  }

  [[nodiscard]] bool is_folded(const Layer& layer, const std::vector<TensorId>& inputs) const {
    if (inputs.empty() || !layer.bodies.empty() || is(layer, "ReadValue") || is(layer, "RandomUniform")) return false;
    return std::all_of(inputs.begin(), inputs.end(), [&](TensorId id) { return id != no_tensor && sizes_[id].constant; });
  }

  /// What a body gives as it is, such as the state after the last run, is as long outside.
  void carry_out(const Layer& layer, const Body& body, const Places& places, const std::vector<TensorId>& outputs) {
    for (const BodyPort& port : body.ports) {
      const std::size_t output = layer.output_at(port.outer);
      if (port.input || port.sliced || output >= outputs.size()) continue;
      for (std::size_t i = 0; i < body.block.layers.size(); ++i) {
        const std::vector<TensorId>& inputs = places.inputs[i];
        if (body.block.layers[i].id != port.inner || inputs.empty() || inputs[0] == no_tensor) continue;
        Lengths& shape = sizes_[outputs[output]].shape;
        const Lengths& from = sizes_[inputs[0]].shape;
        for (std::size_t d = 0; d < shape.size() && from.size() == shape.size(); ++d)
          if (!known(shape[d])) shape[d] = from[d];
      }
    }
  }

  /// `body`: the name of the layer whose body `block` is; empty: the main graph.
  void add_nodes(const Block& block, const Places& places, const std::string& body) {
    const std::vector<QuantisedExecution> executions = use_integers(block, places.inputs, places.outputs, sizes_, out_.tensors);
    for (std::size_t i = 0; i < block.layers.size(); ++i) {
      const Layer& layer = block.layers[i];
      if (!is_node(layer)) continue;
      SizedNode out;
      out.name = layer.name.empty() ? layer.type + '_' + layer.id : layer.name;
      out.type = layer.type;
      out.module = module_in(layer.name);
      out.body = body;
      for (const TensorId id : places.inputs[i])
        if (id != no_tensor) out.reads.push_back(id);
      out.writes = places.outputs[i];
      put_work(layer, places.inputs[i], executions[i], out);
      out_.nodes.push_back(std::move(out));
      for (std::size_t b = 0; b < layer.bodies.size(); ++b) add_nodes(layer.bodies[b].block, places.bodies[i][b], layer.name);
    }
  }

  void put_work(const Layer& layer, const std::vector<TensorId>& inputs, const QuantisedExecution& execution, SizedNode& out) {
    if (!layer.bodies.empty()) {
      out.not_counted = reason::body_apart;
      return;
    }
    const LayerRule* rule = find_rule(layer.type);
    if (!rule) {
      out.not_counted = reason::no_rule;
      return;
    }
    out.fusing = rule->fusing;
    if (!rule->work || execution.vanishes || is_folded(layer, inputs)) return;
    std::vector<std::pair<TensorId, TensorType>> stated;
    for (const auto& [id, type] : execution.compute_types) {
      stated.emplace_back(id, sizes_[id].type);
      sizes_[id].type = type;
    }
    rule->work(LayerSizes(layer, inputs, out.writes, sizes_, length_of(context_name)), *rule, out);
    for (const auto& [id, type] : stated) sizes_[id].type = type;
  }

  void put_tensors() {
    for (TensorId id = 0; id < sizes_.size(); ++id) {
      SizedTensor& out = out_.tensors.emplace_back();
      out.name = names_[id]->name;
      out.type = sizes_[id].type;
      out.shape = sizes_[id].shape;
      out.has_shape = true;
      out.constant = sizes_[id].constant;
      if (const auto constant = constants_.find(id); constant != constants_.end()) {
        out.weight = true;
        out.stored_bytes = constant->second;
      }
    }
  }

  std::unordered_map<std::string, double> lengths_;
  std::vector<TensorSize> sizes_;
  std::vector<const Layer*> names_;  // of each tensor's layer
  std::unordered_map<TensorId, double> constants_;
  std::size_t guesses_ = 0;
  SizedNetwork out_;
};

}  // namespace

std::string dimension_name(const Layer& layer, std::size_t dimension) {
  if (layer.type == "ReadValue") return dimension == 0 ? "state.batch" : "state.past_length." + std::to_string(dimension);
  return layer.name + '.' + std::to_string(dimension);
}

const LayerRule* find_rule(std::string_view type) {
  static const RuleIndex rules(&LayerRule::type, {layer_rules(), elementwise_rules(), movement_rules()});
  return rules.find(type);
}

SizedNetwork size_network(const Block& model, const std::vector<Dimension>& dimensions) { return Sizing(dimensions).size(model); }

}  // namespace roofline::openvino
