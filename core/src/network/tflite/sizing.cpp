#include "network/tflite/sizing.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <set>

#include "network/module_names.hpp"
#include "network/rule_index.hpp"
#include "network/tflite/rules.hpp"

namespace roofline::tflite {
namespace {

constexpr int deepest = 64;  // bodies within bodies

/// Operators that run subgraphs, by the slots of these. `counted`: the operator's own rule has the work of what it runs.
struct Runner {
  std::int32_t code;
  std::string_view name;
  std::initializer_list<std::uint64_t> slots;
  bool counted = false;
};
constexpr std::uint64_t composite_name = 0;
constexpr std::int32_t composite = 206, stablehlo_case = 209, custom_call = 173;
const Runner runners[] = {
    {31, "CALL", {0}},
    {118, "IF", {0, 1}},
    {119, "WHILE", {0, 1}},
    {129, "CALL_ONCE", {0}},
    {174, "STABLEHLO_REDUCE", {1}, true},
    {190, "STABLEHLO_SCATTER", {6}, true},
    {198, "STABLEHLO_REDUCE_WINDOW", {5}, true},
    {199, "STABLEHLO_SORT", {2}, true},
    {200, "STABLEHLO_WHILE", {0, 1}},
    {composite, "STABLEHLO_COMPOSITE", {1}},
    {stablehlo_case, "STABLEHLO_CASE", {}},
};

const Runner* find_runner(std::int32_t code) {
  const auto found = std::find_if(std::begin(runners), std::end(runners), [&](const Runner& r) { return r.code == code; });
  return found == std::end(runners) ? nullptr : found;
}

/// Operators of what another tool has compiled.
bool is_compiled(std::string_view custom) {
  return custom == "ethos-u" || custom.starts_with("edgetpu-custom-op") || custom == "DISPATCH_OP";
}

bool is_random(std::int32_t code) { return code == 146 || code == 148 || code == 149 || code == 204; }

class Sizing {
 public:
  Sizing(FlatBuffer& file, const Model& model)
      : file_(file), model_(model), placed_(model.subgraphs.size()), referenced_(model.subgraphs.size()) {}

  Result<SizedNetwork> size() {
    out_.format = "TFLite";
    out_.producer = model_.description;
    for (std::size_t i = 0; i < model_.subgraphs.size(); ++i) put_tensors(i);
    for (const Subgraph& graph : model_.subgraphs)
      for (const Operator& op : graph.operators)
        for (const std::size_t body : bodies_of(op)) referenced_[body] = true;
    place(0, {}, 0);
    for (const Signature& signature : model_.signatures)
      if (!placed_[signature.subgraph]) place(signature.subgraph, "the signature " + signature.name, 0);
    for (std::size_t i = 0; i < model_.subgraphs.size(); ++i)
      if (!placed_[i] && !referenced_[i])
        place(i, "the subgraph " + (model_.subgraphs[i].name.empty() ? std::to_string(i) : model_.subgraphs[i].name), 0);
    if (file_.failed()) return Unexpected(file_.error());
    put_ends();
    put_notes();
    return std::move(out_);
  }

 private:
  void put_tensors(std::size_t subgraph) {
    first_.push_back(static_cast<TensorId>(out_.tensors.size()));
    for (const Tensor& tensor : model_.subgraphs[subgraph].tensors) {
      SizedTensor& out = out_.tensors.emplace_back();
      out.name = tensor.name;
      out.type = tensor.type;
      out.shape = tensor.shape;
      out.has_shape = true;
      out.always_alive = tensor.variable && subgraph == 0;
      const double bytes = stored_bytes(tensor);
      out.constant = bytes > 0;
      if (!out.constant) continue;
      // A buffer that several tensors share is there once.
      out.weight = buffers_.insert(tensor.external > 0 ? std::pair(true, tensor.external) : std::pair(false, tensor.buffer)).second;
      out.stored_bytes = out.weight ? bytes : 0;
      if (tensor.external == 0 && bytes == std::ceil(out.elements() * out.type.bits / 8))
        out.data = model_.buffer_begin[static_cast<std::size_t>(tensor.buffer)];
    }
  }

  [[nodiscard]] double stored_bytes(const Tensor& tensor) const {
    if (tensor.external > 0)
      for (const auto& [id, bytes] : model_.external_buffers)
        if (id == tensor.external) return static_cast<double>(bytes);
    return tensor.buffer < model_.buffer_bytes.size() ? static_cast<double>(model_.buffer_bytes[static_cast<std::size_t>(tensor.buffer)])
                                                      : 0;
  }

  std::vector<std::size_t> bodies_of(const Operator& op) {
    std::vector<std::size_t> out;
    const auto add = [&](std::int64_t index) {
      if (file_.failed()) return;
      if (index < 0 || index >= static_cast<std::int64_t>(model_.subgraphs.size()))
        return file_.fail(
            "an operator runs subgraph " + std::to_string(index) + ": expected 0 to " + std::to_string(model_.subgraphs.size() - 1),
            op.options.at());
      out.push_back(static_cast<std::size_t>(index));
    };
    const Runner* runner = find_runner(op.code);
    if (runner)
      for (const std::uint64_t slot : runner->slots) add(op.options.number<std::int32_t>(slot));
    if (op.code == stablehlo_case || op.code == custom_call)
      for (const std::int32_t index : op.options.numbers<std::int32_t>(op.code == stablehlo_case ? 0 : 4, "an operator's subgraphs"))
        add(index);
    return out;
  }

  /// Constants as they follow, in the file's order: an operator that has only constants to read is worked out before anything runs.
  GraphFacts facts_of(std::size_t subgraph) const {
    const Subgraph& graph = model_.subgraphs[subgraph];
    GraphFacts facts;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
      facts.constant.push_back(out_.tensors[first_[subgraph] + i].constant);
      facts.seen.push_back(graph.tensors[i].type);
    }
    constexpr std::int32_t dequantize = 6, densify = 124;
    for (const Operator& op : graph.operators) {
      if (!is_folded(op, facts)) continue;
      for (const std::int32_t id : op.outputs) {
        facts.constant[static_cast<std::size_t>(id)] = true;
        if (op.code == dequantize || op.code == densify)
          facts.seen[static_cast<std::size_t>(id)] = facts.seen[static_cast<std::size_t>(op.inputs[0])];
      }
    }
    return facts;
  }

  static bool is_folded(const Operator& op, const GraphFacts& facts) {
    if (op.inputs.empty() || op.inputs[0] < 0 || op.code == custom_code || is_random(op.code) || find_runner(op.code)) return false;
    return std::all_of(op.inputs.begin(), op.inputs.end(),
                       [&](std::int32_t id) { return id < 0 || facts.constant[static_cast<std::size_t>(id)]; });
  }

  void place(std::size_t subgraph, const std::string& body, int depth) {
    if (depth > deepest) return file_.fail("operators run subgraphs nested more than " + std::to_string(deepest) + " deep", 0);
    placed_[subgraph] = true;
    const Subgraph& graph = model_.subgraphs[subgraph];
    const GraphFacts facts = facts_of(subgraph);
    for (std::size_t i = 0; i < facts.constant.size(); ++i) out_.tensors[first_[subgraph] + i].constant = facts.constant[i];
    for (std::size_t i = 0; i < graph.operators.size() && !file_.failed(); ++i) {
      const Operator& op = graph.operators[i];
      SizedNode out;
      const OperatorRule* rule = find_rule(op.code);
      out.type = type_of(op, rule);
      out.name = name_of(graph, op, out.type, i);
      out.module = module_in(std::string_view(out.name).substr(0, out.name.find(';')));  // operations merged into one: the first's
      out.body = body;
      for (const std::int32_t id : op.inputs)
        if (id >= 0) out.reads.push_back(first_[subgraph] + static_cast<TensorId>(id));
      for (const std::int32_t id : op.outputs) out.writes.push_back(first_[subgraph] + static_cast<TensorId>(id));
      const Runner* runner = find_runner(op.code);
      const bool apart = put_work(Operation(graph, op, facts), rule, runner, is_folded(op, facts), out);
      const std::string name = out.name;
      out_.nodes.push_back(std::move(out));
      for (const std::size_t inner : bodies_of(op))
        if (apart && !placed_[inner]) place(inner, name, depth + 1);
    }
  }

  static std::string type_of(const Operator& op, const OperatorRule* rule) {
    if (op.code == custom_code) return op.custom.empty() ? "CUSTOM" : op.custom;
    if (op.code == composite) {
      std::string name = op.options.text(composite_name, "an operator's name");
      if (!name.empty()) return name;
    }
    if (const Runner* runner = find_runner(op.code)) return std::string(runner->name);
    return rule ? std::string(rule->name) : "operator " + std::to_string(op.code);
  }

  /// Operators have no names: that of the first output, of several that were fused the first.
  static std::string name_of(const Subgraph& graph, const Operator& op, const std::string& type, std::size_t index) {
    std::string name = op.outputs.empty() ? std::string() : graph.tensors[static_cast<std::size_t>(op.outputs[0])].name;
    name.resize(std::min(name.find(';'), name.size()));
    return name.empty() ? type + '_' + std::to_string(index) : name;
  }

  /// Whether the subgraphs that it runs are listed apart.
  static bool put_work(const Operation& op, const OperatorRule* rule, const Runner* runner, bool folded, SizedNode& out) {
    if (const bool by_name = op.op().code == custom_code || op.op().code == composite; by_name)
      if (const WorkRule named = find_named(out.type)) return named(op, {}, out), false;
    if (runner && !runner->counted) return out.not_counted = reason::body_apart, true;
    if (op.op().code == custom_code && is_compiled(op.op().custom)) return out.not_counted = reason::compiled, false;
    if (!rule) return out.not_counted = reason::no_rule, true;
    out.fusing = rule->fusing;
    if (rule->work && !folded) rule->work(op, *rule, out);
    return false;
  }

  void put_ends() {
    for (const std::int32_t id : model_.subgraphs[0].inputs) out_.inputs.push_back(static_cast<TensorId>(id));
    for (const std::int32_t id : model_.subgraphs[0].outputs) out_.outputs.push_back(static_cast<TensorId>(id));
  }

  void put_notes() {
    const Subgraph& main = model_.subgraphs[0];
    const auto open = std::find_if(main.tensors.begin(), main.tensors.end(), [](const Tensor& t) { return t.open; });
    if (open != main.tensors.end())
      out_.notes.push_back("the file leaves lengths open and stores them as 1, those of \"" + printable(open->name) +
                           "\" among them: its shapes are placeholders, and the work is that of length 1; "
                           "convert the model with fixed input shapes");
    const auto texts =
        static_cast<std::size_t>(std::count_if(main.tensors.begin(), main.tensors.end(), [](const Tensor& t) { return t.text; }));
    if (texts > 0)
      out_.notes.push_back(with_commas(texts) + (texts == 1 ? " tensor holds" : " tensors hold") +
                           " texts or resources, which are not in the memory of activations");
    if (model_.signatures.size() > 1)
      out_.notes.push_back("the file has " + with_commas(model_.signatures.size()) +
                           " signatures: the first subgraph is the main graph, those of the others are listed apart");
  }

  FlatBuffer& file_;
  const Model& model_;
  std::vector<bool> placed_, referenced_;
  std::vector<TensorId> first_;                       // tensor of each subgraph
  std::set<std::pair<bool, std::uint64_t>> buffers_;  // seen: whether it is in another file, and which
  SizedNetwork out_;
};

}  // namespace

const OperatorRule* find_rule(std::int32_t code) {
  static const RuleIndex rules(&OperatorRule::code,
                               {layer_rules(), recurrent_rules(), elementwise_rules(), movement_rules(), stablehlo_rules()});
  return rules.find(code);
}

Result<SizedNetwork> size_network(FlatBuffer& file, const Model& model) { return Sizing(file, model).size(); }

}  // namespace roofline::tflite
