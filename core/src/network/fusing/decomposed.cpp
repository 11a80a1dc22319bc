#include "network/fusing/decomposed.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <roofline/operators/operator.hpp>
#include <set>
#include <string>

namespace roofline {
namespace {

constexpr std::size_t most_nodes = 10;

/// The functions of a tensor x that exporters write as several nodes, by their forms: see form_of().
constexpr struct {
  FusionKind kind;
  std::string_view form;
} functions[] = {
    {FusionKind::gelu, "scale(mul(add(erf(scale(x))),x))"},
    {FusionKind::gelu, "scale(mul(add(tanh(scale(add(scale(pow(x)),x)))),x))"},
    {FusionKind::gelu, "mul(sigmoid(scale(x)),x)"},
    {FusionKind::swish, "mul(sigmoid(x),x)"},
    {FusionKind::swish, "scale(mul(clamp(add(x)),x))"},
    {FusionKind::swish, "mul(hard_sigmoid(x),x)"},
    {FusionKind::norm, "div(sub(x,mean(x)),sqrt(add(mean(pow(sub(x,mean(x)))))))"},
    {FusionKind::norm, "mul(rsqrt(add(mean(square(sub(x,mean(x)))))),sub(x,mean(x)))"},
    {FusionKind::norm, "div(x,sqrt(add(mean(pow(x)))))"},  // root mean square
    {FusionKind::norm, "mul(reciprocal(sqrt(add(mean(pow(x))))),x)"},
    {FusionKind::norm, "mul(rsqrt(add(mean(pow(x)))),x)"},
    {FusionKind::norm, "mul(rsqrt(add(mean(square(x)))),x)"},
    {FusionKind::reduction, "div(exp(sub(x,reduce_max(x))),sum(exp(sub(x,reduce_max(x)))))"},  // softmax
};

constexpr std::size_t longest_form = std::max_element(std::begin(functions), std::end(functions), [](const auto& a, const auto& b) {
                                       return a.form.size() < b.form.size();
                                     })->form.size();

/// A result as a formula. Equal functions have equal forms, whichever way they are written: constants are left out, the operands of sums
/// and products are sorted, and a factor that is a constant moves out of the products around it.
struct Form {
  std::string text;
  bool scaled = false;  ///< times a constant
  [[nodiscard]] std::string whole() const { return scaled ? "scale(" + text + ')' : text; }
};

/// The form of an operator's result. `operands`: those that are not constant; `constant_first`: the first operand is a constant.
Form apply(std::string_view id, const std::vector<Form>& operands, bool constant_first) {
  const bool sum = id == "add", reciprocal = id == "div" && constant_first, product = id == "mul", quotient = id == "div" && !reciprocal;
  if ((product || quotient) && operands.size() == 1) return {operands[0].text, true};
  std::vector<std::string> texts;
  if (constant_first && !sum && !product && !reciprocal) texts.emplace_back("c");
  bool scaled = false;
  for (const Form& operand : operands) {
    texts.push_back(product || quotient ? operand.text : operand.whole());
    scaled = scaled || operand.scaled;
  }
  if (sum || product) std::sort(texts.begin(), texts.end());
  Form out{std::string(reciprocal ? "reciprocal" : id), scaled && (product || quotient)};
  for (std::size_t i = 0; i < texts.size(); ++i) out.text.append(i == 0 ? "(" : ",").append(texts[i]);
  out.text += ')';
  return out;
}

class Finder {
 public:
  Finder(const SizedNetwork& network, const std::vector<TensorUse>& uses, ToolChain by) : network_(network), uses_(uses), by_(by) {}

  std::vector<DecomposedFunction> find() {
    std::vector<DecomposedFunction> found;
    std::vector<bool> taken(network_.nodes.size(), false);
    for (std::size_t last = 0; last < network_.nodes.size(); ++last) {
      std::optional<DecomposedFunction> function = ending_at(last);
      if (!function || std::any_of(function->nodes.begin(), function->nodes.end(), [&](std::size_t node) { return taken[node]; })) continue;
      for (const std::size_t node : function->nodes) taken[node] = true;
      found.push_back(std::move(*function));
    }
    return found;
  }

 private:
  /// Id of the one operator that computes a node; empty: the node cannot be part of a function.
  [[nodiscard]] std::string_view operator_of(std::size_t i) const {
    const SizedNode& node = network_.nodes[i];
    if (node.records.size() != 1 || !node.not_counted.empty() || !node.body.empty() || node.writes.size() != 1) return {};
    const Operator* op = find_operator(node.records.front().type());
    const bool may_be = op && (op->family == OpFamily::elementwise || op->family == OpFamily::reduction);
    return may_be ? std::string_view(op->id) : std::string_view();
  }

  /// The longest function that ends at a node: walks back from it, and tests the nodes found whenever they read a single tensor.
  [[nodiscard]] std::optional<DecomposedFunction> ending_at(std::size_t last) const {
    std::optional<DecomposedFunction> longest;
    if (const std::string_view id = operator_of(last); id != "mul" && id != "div") return longest;  // every form ends with one of them
    std::vector<std::size_t> nodes;
    std::set<TensorId> inputs;
    for (std::size_t node = last; node != no_node && nodes.size() < most_nodes && !operator_of(node).empty();) {
      nodes.push_back(node);
      inputs.erase(network_.nodes[node].writes[0]);
      for (const TensorId id : network_.nodes[node].reads)
        if (!network_.tensors[id].constant) inputs.insert(id);
      if (inputs.size() == 1)
        if (const FusionKind kind = function_of(nodes, *inputs.begin()); kind != FusionKind::other && encloses(nodes))
          longest = DecomposedFunction{kind, {nodes.rbegin(), nodes.rend()}, *inputs.begin(), readers_among(nodes, *inputs.begin())};
      node = no_node;
      for (const TensorId id : inputs)
        if (const std::size_t maker = uses_[id].maker; maker != no_node && (node == no_node || maker > node)) node = maker;
    }
    return longest;
  }

  [[nodiscard]] FusionKind function_of(const std::vector<std::size_t>& nodes, TensorId input) const {
    const std::string form = form_of(nodes, input);
    for (const auto& [kind, written] : functions)
      if (written == form && recognises(by_, kind)) return kind;
    return FusionKind::other;
  }

  /// The form of the first node's result; the other nodes compute parts of it. `nodes`: last in execution order first. Empty: longer than
  /// the form of any function.
  [[nodiscard]] std::string form_of(const std::vector<std::size_t>& nodes, TensorId input) const {
    std::map<TensorId, Form> forms{{input, {"x"}}};
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      const SizedNode& of = network_.nodes[*node];
      std::vector<Form> operands;
      for (const TensorId id : of.reads)
        if (!network_.tensors[id].constant) operands.push_back(forms[id]);
      Form& result = forms[of.writes[0]];
      result = apply(operator_of(*node), operands, !of.reads.empty() && network_.tensors[of.reads[0]].constant);
      if (result.text.size() > longest_form) return {};
    }
    return forms[network_.nodes[nodes.front()].writes[0]].whole();
  }

  [[nodiscard]] std::size_t readers_among(const std::vector<std::size_t>& nodes, TensorId id) const {
    return static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](std::size_t node) {
      const std::vector<TensorId>& reads = network_.nodes[node].reads;
      return std::find(reads.begin(), reads.end(), id) != reads.end();
    }));
  }

  /// Whether only these nodes read the tensors between them. The first one makes the result, which any node may read.
  [[nodiscard]] bool encloses(const std::vector<std::size_t>& nodes) const {
    return std::all_of(nodes.begin() + 1, nodes.end(), [&](std::size_t node) {
      const TensorId made = network_.nodes[node].writes[0];
      return readers_among(nodes, made) == uses_[made].readers;
    });
  }

  const SizedNetwork& network_;
  const std::vector<TensorUse>& uses_;
  ToolChain by_;
};

}  // namespace

std::vector<DecomposedFunction> decomposed_functions(const SizedNetwork& network, const std::vector<TensorUse>& uses, ToolChain by) {
  return Finder(network, uses, by).find();
}

}  // namespace roofline
