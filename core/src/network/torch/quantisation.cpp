#include "network/torch/quantisation.hpp"

#include <algorithm>
#include <array>

#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

bool is_quantize(const Call& call) { return call.target.starts_with("quantize_"); }

/// Products, and the argument that is added to each: no operand.
constexpr std::pair<std::string_view, std::string_view> products[] = {{"linear", "bias"},
                                                                      {"convolution", "bias"},
                                                                      {"conv1d", "bias"},
                                                                      {"conv2d", "bias"},
                                                                      {"conv3d", "bias"},
                                                                      {"conv_transpose1d", "bias"},
                                                                      {"conv_transpose2d", "bias"},
                                                                      {"conv_transpose3d", "bias"},
                                                                      {"mm", {}},
                                                                      {"bmm", {}},
                                                                      {"matmul", {}},
                                                                      {"addmm", "self"},
                                                                      {"baddbmm", "self"}};

const std::pair<std::string_view, std::string_view>* find_product(const Call& call) {
  const auto found = std::find_if(std::begin(products), std::end(products), [&](const auto& p) { return p.first == call.target; });
  return found == std::end(products) ? nullptr : found;
}

IntegerRole role_of(const Call& call) {
  if (is_quantize(call)) return IntegerRole::quantise;
  if (is_dequantize(call)) return IntegerRole::dequantise;
  if (find_product(call)) return IntegerRole::product;
  const Rule* rule = find_rule(call);
  return !rule ? IntegerRole::float_only : rule->keeps_type ? IntegerRole::keeps_type : IntegerRole::needs_quantised_result;
}

/// All tensors among the arguments; what is added to a product is the last.
std::vector<TensorId> reads_of(const Call& call) {
  const auto* product = find_product(call);
  std::vector<TensorId> out, added;
  for (const Argument& a : call.arguments) {
    std::vector<TensorId>& to = product && a.name == product->second ? added : out;
    to.insert(to.end(), a.tensors.begin(), a.tensors.end());
  }
  out.insert(out.end(), added.begin(), added.end());
  return out;
}

/// What a call dequantises: integers of quant_min to quant_max, where these leave fewer bits than the tensor has.
TensorType dequantised_type(const Call& call, TensorId from, const std::vector<SizedTensor>& tensors, const Lengths& expressions) {
  const ComputeTypes unused;
  const SizedCall c(call, tensors, unused, expressions);
  const double range = c.number("quant_max", unknown) - c.number("quant_min", unknown);
  return range < 16 && tensors[from].type.bits == 8 ? int4_type(c.number("group_size", unknown)) : tensors[from].type;
}

}  // namespace

bool is_dequantize(const Call& call) { return call.target.starts_with("dequantize"); }

std::vector<QuantisedExecution> use_integers(const std::vector<Call>& calls, const std::vector<TensorId>& graph_outputs,
                                             std::vector<SizedTensor>& tensors, const Lengths& expressions) {
  std::vector<QuantisedNode> nodes;
  for (const Call& call : calls) {
    QuantisedNode entry{role_of(call), reads_of(call), call.outputs};
    const TensorId from = entry.reads.empty() ? no_tensor : entry.reads[0], to = entry.writes.empty() ? no_tensor : entry.writes[0];
    if (entry.role == IntegerRole::dequantise && from != no_tensor) entry.stored = dequantised_type(call, from, tensors, expressions);
    if (entry.role == IntegerRole::quantise && to != no_tensor) entry.stored = tensors[to].type;
    nodes.push_back(std::move(entry));
  }
  return roofline::use_integers(nodes, graph_outputs, tensors);
}

}  // namespace roofline::torch_export
