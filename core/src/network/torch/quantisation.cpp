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
  if (is_quantize(call)) return IntegerRole::quantize;
  if (is_dequantize(call)) return IntegerRole::dequantize;
  if (find_product(call)) return IntegerRole::product;
  const Rule* rule = find_rule(call);
  return !rule ? IntegerRole::floats : rule->keeps_type ? IntegerRole::keeps_type : IntegerRole::computes;
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
  const SeenTypes unused;
  const SizedCall c(call, tensors, unused, expressions);
  const double range = c.number("quant_max", unknown) - c.number("quant_min", unknown);
  return range < 16 && tensors[from].type.bits == 8 ? int4_type(c.number("group_size", unknown)) : tensors[from].type;
}

}  // namespace

bool is_dequantize(const Call& call) { return call.target.starts_with("dequantize"); }

std::vector<IntegerUse> use_integers(const std::vector<Call>& calls, const std::vector<TensorId>& kept, std::vector<SizedTensor>& tensors,
                                     const Lengths& expressions) {
  std::vector<IntegerStep> steps;
  for (const Call& call : calls) {
    IntegerStep step{role_of(call), reads_of(call), call.outputs};
    const TensorId from = step.reads.empty() ? no_tensor : step.reads[0], to = step.writes.empty() ? no_tensor : step.writes[0];
    if (step.role == IntegerRole::dequantize && from != no_tensor) step.stored = dequantised_type(call, from, tensors, expressions);
    if (step.role == IntegerRole::quantize && to != no_tensor) step.stored = tensors[to].type;
    steps.push_back(std::move(step));
  }
  return roofline::use_integers(steps, kept, tensors);
}

}  // namespace roofline::torch_export
