#include <algorithm>
#include <unordered_map>

#include "base/zip/zip.hpp"
#include "network/open_dimensions.hpp"
#include "network/readers.hpp"
#include "network/rule_index.hpp"
#include "network/torch/archive.hpp"
#include "network/torch/quantisation.hpp"
#include "network/torch/rules.hpp"

namespace roofline {
namespace torch_export {
namespace {

/// Operators whose result's length depends on the data.
bool data_decide(const Call& call) {
  for (const char* target : {"nonzero", "masked_select", "unique", "_unique2", "unique_consecutive", "argwhere", "index"})
    if (call.target == target) return true;
  return false;
}

class ProgramSizing {
 public:
  ProgramSizing(const Program& program, const std::vector<Dimension>& dimensions) : program_(program) {
    for (const Dimension& d : dimensions) lengths_[d.name] = known(d.value) || !d.decided_by_data ? d.value : d.greatest;
    expressions_.assign(program.expressions.size(), unknown);
  }

  SizedNetwork size() {
    work_out_expressions();
    for (std::size_t i = 0; i < program_.tensors.size(); ++i) put_tensor(i);
    out_.inputs = program_.inputs;
    out_.outputs = program_.outputs;
    out_.notes = program_.notes;
    mark_constants(program_.calls);
    mark_views(program_.calls);
    mark_quantised(program_.calls);
    for (const SizedTensor& tensor : out_.tensors) compute_types_.push_back(tensor.type);
    add_calls(program_.calls, program_.outputs, {});
    return std::move(out_);
  }

 private:
  void work_out_expressions() {
    evaluate();
    // What the data decide and nobody has set is the most that it can be.
    bool changed = false;
    for (const Call& call : program_.calls)
      if (data_decide(call) && !call.outputs.empty()) changed = bound_by_input(call) || changed;
    if (changed) evaluate();
  }

  void evaluate() {
    for (std::size_t i = 0; i < expressions_.size(); ++i) expressions_[i] = program_.expressions[i].at(lengths_);
  }

  /// The tensor whose number of elements bounds the result's length: the mask of x[mask], else the first argument.
  [[nodiscard]] TensorId length_bound(const Call& call) const {
    if (const Argument* indices = call.target == "index" ? call.find("indices") : nullptr)
      for (const TensorId id : indices->tensors)
        if (id != no_tensor && is_mask(program_.tensors[id].type)) return id;
    return call.arguments.empty() || call.arguments[0].tensors.empty() ? no_tensor : call.arguments[0].tensors[0];
  }

  bool bound_by_input(const Call& call) {
    const TensorId bound = length_bound(call);
    if (bound == no_tensor) return false;
    double most = 1;
    for (const Number& size : program_.tensors[bound].sizes) most *= value(size);
    bool changed = false;
    for (const TensorId id : call.outputs) {
      if (id == no_tensor) continue;
      for (const Number& size : program_.tensors[id].sizes) {
        if (size.expression == Number::stated || known(expressions_[size.expression]) || !program_.expressions[size.expression].is_name())
          continue;
        // Set now: it may be the bound of later calls.
        expressions_[size.expression] = lengths_[program_.expressions[size.expression].names()[0]] = most;
        changed = true;
      }
    }
    return changed;
  }

  [[nodiscard]] double value(const Number& n) const { return n.expression == Number::stated ? n.value : expressions_[n.expression]; }

  void put_tensor(std::size_t id) {
    const Tensor& tensor = program_.tensors[id];
    SizedTensor sized;
    sized.name = tensor.name;
    sized.type = tensor.type;
    sized.has_shape = true;
    for (const Number& size : tensor.sizes) sized.shape.push_back(value(size));
    sized.constant = tensor.role != Role::computed && tensor.role != Role::input;
    sized.weight = sized.constant && tensor.same_as == no_tensor;
    sized.view_of = tensor.same_as;
    sized.learnt = tensor.role == Role::parameter;
    sized.data = sized.weight ? tensor.data : 0;
    out_.tensors.push_back(std::move(sized));
  }

  /// What follows from weights alone is worked out before anything runs.
  void mark_constants(const std::vector<Call>& calls) {
    for (const Call& call : calls) {
      bool some = false, all = call.bodies.empty();
      for (const Argument& a : call.arguments)
        for (const TensorId id : a.tensors)
          if (id != no_tensor) some = true, all = all && out_.tensors[id].constant;
      for (const TensorId id : call.outputs)
        if (id != no_tensor && some && all) out_.tensors[id].constant = true;
      for (const Body& body : call.bodies) mark_constants(body.calls);
    }
  }

  /// What is dequantised is a parameter, although PyTorch keeps it among the buffers.
  void mark_quantised(const std::vector<Call>& calls) {
    for (const Call& call : calls)
      if (is_dequantize(call) && !call.arguments.empty() && !call.arguments[0].tensors.empty() && call.arguments[0].tensors[0] != no_tensor)
        out_.tensors[call.arguments[0].tensors[0]].learnt = true;
  }

  void mark_views(const std::vector<Call>& calls) {
    for (const Call& call : calls) {
      const Rule* rule = find_rule(call);
      const bool view =
          rule && !rule->work && rule->fusing == Fusing::vanishes && !call.arguments.empty() && !call.arguments[0].tensors.empty();
      const TensorId of = view ? call.arguments[0].tensors[0] : no_tensor;
      for (const TensorId id : call.outputs)
        if (id != no_tensor && of != no_tensor && id != of)
          out_.tensors[id].view_of = out_.tensors[of].view_of == no_tensor ? of : out_.tensors[of].view_of;
      for (const Body& body : call.bodies) mark_views(body.calls);
    }
  }

  void add_calls(const std::vector<Call>& calls, const std::vector<TensorId>& graph_outputs, const std::string& body) {
    const std::vector<QuantisedExecution> executions = use_integers(calls, graph_outputs, out_.tensors, expressions_);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const Call& call = calls[i];
      const bool computes = std::any_of(call.outputs.begin(), call.outputs.end(), [](TensorId id) { return id != no_tensor; });
      if (!computes && call.bodies.empty()) continue;  // numbers, checks
      SizedNode node;
      node.name = call.name;
      node.type = call.space + '.' + call.target;
      node.module = call.module;
      node.body = body;
      for (const Argument& a : call.arguments)
        for (const TensorId id : a.tensors)
          if (id != no_tensor) node.reads.push_back(id);
      for (const TensorId id : call.outputs)
        if (id != no_tensor) node.writes.push_back(id);
      put_work(call, executions[i], node);
      out_.nodes.push_back(std::move(node));
      for (const Body& inner : call.bodies) add_calls(inner.calls, inner.outputs, call.name);
    }
  }

  void put_work(const Call& call, const QuantisedExecution& execution, SizedNode& node) {
    if (!call.bodies.empty()) {
      node.not_counted = reason::body_apart;
      return;
    }
    const Rule* rule = find_rule(call);
    const bool constant = std::all_of(node.writes.begin(), node.writes.end(), [&](TensorId id) { return out_.tensors[id].constant; });
    if (!rule) {
      if (!constant) node.not_counted = reason::no_rule;
      return;
    }
    node.fusing = execution.not_fusible ? Fusing::none : rule->fusing;
    if (!rule->work || constant || execution.vanishes) return;
    for (const auto& [tensor, type] : execution.compute_types) compute_types_[tensor] = type;
    put_records(call, *rule, node);
    for (const auto& [tensor, type] : execution.compute_types) compute_types_[tensor] = program_.tensors[tensor].type;
  }

  void put_records(const Call& call, const Rule& rule, SizedNode& node) const {
    const SizedCall sized(call, out_.tensors, compute_types_, expressions_);
    if (rule.reads_tensors && sized.tensors().empty()) {
      node.not_counted = "it is given no tensor";
      return;
    }
    rule.work(sized, rule, node);
    if (node.records.empty() && node.not_counted.empty() && rule.fusing == Fusing::none && sized.writes_something())
      node.not_counted = "its arguments are not as this operator's are";
  }

  const Program& program_;
  std::unordered_map<std::string, double> lengths_;
  Lengths expressions_;
  ComputeTypes compute_types_;
  SizedNetwork out_;
};

class TorchNetwork final : public Network {
 public:
  explicit TorchNetwork(Program program) : program_(std::move(program)) {
    for (const TensorId id : program_.inputs) collect(program_.tensors[id], false);
    const std::string batch = only_symbol(0, false), sequence = only_symbol(1, true);
    for (Dimension& d : open_.all()) d.known_as = d.name == batch ? "batch" : d.name == sequence ? "seq" : "";
    for (const Tensor& tensor : program_.tensors) collect(tensor, true);
  }

  [[nodiscard]] std::vector<Dimension> open_dimensions() const override { return open_.all(); }

  [[nodiscard]] SizedNetwork at(const std::vector<Dimension>& dimensions) const override {
    SizedNetwork out = ProgramSizing(program_, dimensions).size();
    out.format = "torch.export";
    out.producer = program_.producer;
    return out;
  }

 private:
  /// `decided_by_data`: of those that no input has.
  void collect(const Tensor& tensor, bool decided_by_data) {
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
      const Number& size = tensor.sizes[i];
      if (size.expression == Number::stated) continue;
      for (const std::string& name : program_.expressions[size.expression].names()) {
        if (name.empty()) continue;
        Dimension d{.name = name};
        if (decided_by_data) d.least = 0;
        if (const auto found = program_.symbols.find(name); found != program_.symbols.end()) {
          d.least = known_or(found->second.least, d.least);
          d.greatest = found->second.greatest;
          d.usual = found->second.example;
        }
        d.decided_by_data = decided_by_data;
        d.place = tensor.name + '[' + std::to_string(i) + ']';
        d.leads_input = !decided_by_data && i == 0 && tensor.sizes.size() > 1;
        open_.add(std::move(d));
      }
    }
  }

  /// The one symbol that all inputs have at `axis` where it is open; `tokens`: of matrices of integers alone. Empty: there are several.
  [[nodiscard]] std::string only_symbol(std::size_t axis, bool tokens) const {
    std::string out;
    for (const TensorId id : program_.inputs) {
      const Tensor& tensor = program_.tensors[id];
      if (axis >= tensor.sizes.size() || (tokens && (tensor.sizes.size() != 2 || !tensor.type.integer))) continue;
      if (tensor.sizes[axis].expression == Number::stated) continue;
      const LengthExpression& size = program_.expressions[tensor.sizes[axis].expression];
      if (!size.is_name() || (!out.empty() && size.names()[0] != out)) return {};
      out = size.names()[0];
    }
    return out;
  }

  Program program_;
  OpenDimensions open_;
};

}  // namespace

const Rule* find_rule(const Call& call) {
  static const RuleIndex rules(&Rule::target, {elementwise_rules(), movement_rules(), layer_rules(), attention_rules(), quantised_rules()});
  const std::string name = call.space == "aten" ? call.target : call.space + '.' + call.target;
  if (const Rule* rule = rules.find(name)) return rule;
  const bool in_place = name.size() > 1 && name.ends_with('_');
  return in_place ? rules.find(std::string_view(name).substr(0, name.size() - 1)) : nullptr;
}

}  // namespace torch_export

bool is_torch_export(std::string_view start) {
  constexpr std::size_t name = zip::local_header;
  if (!zip::is_archive(start) || start.size() <= name) return false;
  const std::size_t bytes = static_cast<unsigned char>(start[26]) | static_cast<std::size_t>(static_cast<unsigned char>(start[27])) << 8;
  const std::string_view first = start.substr(name, bytes);
  return std::string_view("serialized_exported_program.json").starts_with(first) || first.ends_with("/archive_format") ||
         first == "archive_format";
}

Result<std::unique_ptr<Network>> open_torch_export(const ByteSource& source) {
  Result<torch_export::Archive> archive = torch_export::read_archive(source);
  if (!archive) return Unexpected(archive.error());
  Result<torch_export::Program> program = torch_export::read_program(archive->program, archive->weights_config);
  if (!program) {
    Error error = program.error();
    error.message = archive->program_name + ": " + error.message;
    return Unexpected(std::move(error));
  }
  for (torch_export::Tensor& tensor : program->tensors)
    if (const auto found = archive->weights.find(tensor.name); found != archive->weights.end() && tensor.type.bits >= 8)
      tensor.data = found->second.storage + found->second.first * static_cast<std::uint64_t>(tensor.type.bits / 8);
  for (const std::string& other : archive->other_programs)
    program->notes.push_back("the archive has a second program, " + other + ", which is not read: " + archive->program_name + " is");
  return std::unique_ptr<Network>(std::make_unique<torch_export::TorchNetwork>(std::move(*program)));
}

}  // namespace roofline
