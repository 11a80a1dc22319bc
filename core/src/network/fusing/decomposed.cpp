#include "network/fusing/decomposed.hpp"

#include <algorithm>
#include <optional>
#include <roofline/operators/operator.hpp>
#include <set>
#include <string>

namespace roofline {
namespace {

constexpr std::size_t most_nodes = 10;

/// Ids of the operators that exporters write each function with, in alphabetical order.
constexpr struct {
  FusionKind kind;
  std::string_view operators;
} functions[] = {
    {FusionKind::gelu, "add div erf mul mul"},
    {FusionKind::gelu, "add erf mul mul mul"},
    {FusionKind::gelu, "add add mul mul mul mul pow tanh"},
    {FusionKind::gelu, "mul mul sigmoid"},  // the approximation with a sigmoid
    {FusionKind::swish, "mul sigmoid"},
    {FusionKind::swish, "add clamp div mul"},
    {FusionKind::swish, "add clamp mul mul"},
    {FusionKind::swish, "hard_sigmoid mul"},
    {FusionKind::norm, "add div mean mean pow sqrt sub"},
    {FusionKind::norm, "add div mean mean pow sqrt sub sub"},
    {FusionKind::norm, "add mean mean mul rsqrt square sub"},
    {FusionKind::norm, "add div mean pow sqrt"},  // root mean square
    {FusionKind::norm, "add mean mul pow reciprocal sqrt"},
    {FusionKind::norm, "add mean mul pow rsqrt"},
    {FusionKind::norm, "add mean mul rsqrt square"},
    {FusionKind::reduction, "div exp reduce_max sub sum"},  // softmax
};

class Finder {
 public:
  Finder(const SizedNetwork& network, const std::vector<TensorUse>& uses, ToolChain by) : network_(network), uses_(uses), by_(by) {}

  std::vector<DecomposedFunction> find() {
    std::vector<DecomposedFunction> found;
    std::vector<bool> taken(network_.nodes.size(), false);
    for (std::size_t last = 0; last < network_.nodes.size(); ++last) {
      if (operator_of(last).empty()) continue;
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
    std::vector<std::size_t> nodes;
    std::set<TensorId> inputs;
    for (std::size_t node = last; node != no_node && nodes.size() < most_nodes && !operator_of(node).empty();) {
      nodes.push_back(node);
      inputs.erase(network_.nodes[node].writes[0]);
      for (const TensorId id : network_.nodes[node].reads)
        if (!network_.tensors[id].constant) inputs.insert(id);
      if (inputs.size() == 1)
        if (const FusionKind kind = function_of(nodes); kind != FusionKind::other && encloses(nodes))
          longest = DecomposedFunction{kind, {nodes.rbegin(), nodes.rend()}, *inputs.begin(), readers_among(nodes, *inputs.begin())};
      node = no_node;
      for (const TensorId id : inputs)
        if (const std::size_t maker = uses_[id].maker; maker != no_node && (node == no_node || maker > node)) node = maker;
    }
    return longest;
  }

  [[nodiscard]] FusionKind function_of(const std::vector<std::size_t>& nodes) const {
    std::vector<std::string_view> operators;
    for (const std::size_t node : nodes) operators.push_back(operator_of(node));
    std::sort(operators.begin(), operators.end());
    std::string text;
    for (const std::string_view id : operators) text.append(text.empty() ? "" : " ").append(id);
    for (const auto& [kind, written] : functions)
      if (written == text && recognises(by_, kind)) return kind;
    return FusionKind::other;
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
