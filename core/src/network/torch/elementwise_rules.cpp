// Element-wise operators and reductions.
#include <algorithm>

#include "network/torch/rules.hpp"

namespace roofline::torch_export {
namespace {

/// Operands that are numbers read no memory. The type is that of the operand with the most elements, the widest of several: a wide scalar
/// must not widen a tensor.
void elementwise(const SizedCall& c, const Rule& rule, SizedNode& out) {
  std::vector<Lengths> shapes;
  TensorType data;
  double most = -1;
  for (const TensorId id : c.tensors())
    if (static_cast<int>(shapes.size()) < rule.operands) {
      const double elements = elements_of(c.shape_of(id));
      if (elements > most || (elements == most && !(data.bits >= c.type_of(id).bits))) data = c.type_of(id), most = elements;
      shapes.push_back(c.shape_of(id));
    }
  if (shapes.empty()) return;
  shapes.resize(static_cast<std::size_t>(rule.operands));
  work::elementwise(out, rule.operation(), shapes, c.out(), data, c.out_type());
}

/// The weight is one number, or one for each channel (dimension 1).
void prelu(const SizedCall& c, const Rule&, SizedNode& out) {
  Lengths weight = c.shape("weight");
  const std::size_t rank = c.shape("self").size();
  if (weight.size() == 1 && rank > 2) weight.resize(rank - 1, 1);
  work::elementwise(out, "prelu", {c.shape("self"), weight}, c.out(), c.type("self"), c.out_type());
}

/// Every element of the first with every one of the second.
void outer(const SizedCall& c, const Rule&, SizedNode& out) {
  work::elementwise(out, "mul", {{c.shape("self").empty() ? 1 : c.shape("self")[0], 1}, c.shape("vec2")}, c.out(), c.type("self"),
                    c.out_type());
}

/// The same, block by block: each dimension of the result is one of the first by one of the second.
void kronecker(const SizedCall& c, const Rule&, SizedNode& out) {
  Lengths a = c.shape("self"), b = c.shape("other"), first, second, product;
  a.insert(a.begin(), std::max(a.size(), b.size()) - a.size(), 1);
  b.insert(b.begin(), a.size() - b.size(), 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    first.insert(first.end(), {a[i], 1});
    second.insert(second.end(), {1, b[i]});
    product.insert(product.end(), {a[i], b[i]});
  }
  work::elementwise(out, "mul", {first, second}, product, c.type("self"), c.out_type());
}

/// Between every row of x1 [..., p, m] and every row of x2 [..., r, m]: differences, squared and added up in one kernel.
void distances(const SizedCall& c, const Rule&, SizedNode& out) {
  Lengths a = c.shape("x1"), b = c.shape("x2");
  if (a.size() < 2 || b.size() < 2) return;
  a.insert(a.end() - 1, 1);
  b.insert(b.end() - 2, 1);
  Lengths each = c.out();
  each.push_back(a.back());
  work::elementwise(out, "squared_difference", {a, b}, each, c.type("x1"), c.out_type());
  if (out.records.empty()) return;
  const double bytes = (elements_of(a) + elements_of(b)) * c.type("x1").bits / 8 + elements_of(c.out()) * c.out_type().bits / 8;
  out.records.back().add("fused_flops", elements_of(each)).set("bytes", bytes);
}

/// Only where the type changes; the same type is a view.
void cast(const SizedCall& c, const Rule&, SizedNode& out) {
  const TensorId from = c.tensors().empty() ? no_tensor : c.tensors()[0];
  if (from == no_tensor || c.type_of(from).format == c.out_type().format) return;
  work::elementwise(out, "cast", {c.shape_of(from)}, c.out(), c.type_of(from), c.out_type());
}

/// Half of the elements multiplies a function of the other half.
void gated(const SizedCall& c, const Rule& rule, SizedNode& out) {
  work::elementwise(out, rule.as, {c.out(), c.out()}, c.out(), c.type("self"), c.out_type());
}

void softmax(const SizedCall& c, const Rule&, SizedNode& out) { work::softmax(out, c.out(), c.type_of(c.tensors()[0]), c.out_type()); }

/// The largest and smallest of two tensors have the names of reductions.
void reduction(const SizedCall& c, const Rule& rule, SizedNode& out) {
  if (c.has("other"))
    return work::elementwise(out, rule.target, {c.shape("self"), c.shape("other")}, c.out(), c.type("self"), c.out_type());
  const TensorId id = c.tensors()[0];
  const Lengths& shape = c.shape_of(id);
  const auto rank = static_cast<double>(shape.size());
  Lengths axes = c.list("dim");
  for (double& axis : axes) axis += axis < 0 ? rank : 0;
  std::sort(axes.begin(), axes.end());
  if (axes.empty())
    for (double axis = 0; axis < rank; ++axis) axes.push_back(axis);
  work::reduction(out, rule.operation(), shape, axes, c.out(), c.type_of(id), c.out_type());
}

constexpr Rule unary(std::string_view target, std::string_view as = {}, bool keeps_type = false) {
  return {target, elementwise, as, 1, Fusing::follows, keeps_type};
}
constexpr Rule binary(std::string_view target, std::string_view as = {}) { return {target, elementwise, as, 2, Fusing::follows}; }
constexpr Rule ternary(std::string_view target, std::string_view as = {}) { return {target, elementwise, as, 3, Fusing::follows}; }
constexpr Rule reducing(std::string_view target, std::string_view as = {}) { return {target, reduction, as}; }

constexpr Rule elementwise_table[] = {
    binary("add"),
    binary("sub"),
    binary("rsub"),
    binary("mul"),
    binary("div"),
    binary("true_divide", "div"),
    binary("floor_divide"),
    binary("maximum"),
    binary("minimum"),
    binary("fmax"),
    binary("fmin"),
    binary("pow"),
    binary("remainder"),
    binary("fmod"),
    binary("atan2"),
    binary("hypot", "squared_difference"),
    binary("eq"),
    binary("ne"),
    binary("lt"),
    binary("le"),
    binary("gt"),
    binary("ge"),
    binary("isclose", "compare"),
    binary("logical_and"),
    binary("logical_or"),
    binary("logical_xor"),
    binary("bitwise_and"),
    binary("bitwise_or"),
    binary("bitwise_xor"),
    binary("__and__"),
    binary("__or__"),
    binary("__lshift__", "mul"),
    binary("__rshift__", "mul"),
    binary("bitwise_left_shift"),
    binary("bitwise_right_shift"),
    binary("masked_fill", "mul"),
    {"prelu", prelu, {}, 2, Fusing::follows},
    {"outer", outer},
    {"ger", outer},
    {"kron", kronecker},
    {"cdist", distances},
    {"_cdist_forward", distances},
    binary("_prelu_kernel", "prelu"),
    binary("mse_loss", "squared_difference"),
    binary("polar", "mul"),
    binary("complex", "copy"),
    ternary("where"),
    ternary("addcmul"),
    ternary("addcdiv", "addcmul"),
    ternary("lerp", "addcmul"),
    unary("relu", {}, true),
    unary("relu6", {}, true),
    unary("hardtanh", {}, true),
    unary("clamp", {}, true),
    unary("clamp_min", "relu", true),
    unary("clamp_max", "relu", true),
    unary("clip", {}, true),
    unary("threshold"),
    unary("leaky_relu"),
    unary("rrelu", "leaky_relu"),
    unary("elu"),
    unary("celu"),
    unary("selu"),
    unary("gelu"),
    unary("silu"),
    unary("sigmoid"),
    unary("log_sigmoid", "softplus"),
    unary("log_sigmoid_forward", "softplus"),
    unary("hardsigmoid"),
    unary("hardswish"),
    unary("hardshrink", "relu"),
    unary("softshrink", "leaky_relu"),
    unary("softplus"),
    unary("softsign"),
    unary("mish"),
    unary("tanh"),
    unary("tanhshrink", "tanh"),
    unary("exp"),
    unary("exp2"),
    unary("expm1", "exp"),
    unary("log"),
    unary("log2"),
    unary("log10"),
    unary("log1p", "log"),
    unary("logit", "log"),
    unary("sqrt"),
    unary("rsqrt"),
    unary("reciprocal"),
    unary("erf"),
    unary("erfc", "erf"),
    unary("erfinv", "erf"),
    unary("sin"),
    unary("cos"),
    unary("tan"),
    unary("asin"),
    unary("acos"),
    unary("atan"),
    unary("sinh"),
    unary("cosh"),
    unary("asinh"),
    unary("acosh"),
    unary("atanh"),
    unary("sinc", "sin"),
    unary("abs"),
    unary("angle", "sin"),
    unary("neg"),
    unary("square"),
    unary("sign"),
    unary("sgn", "sign"),
    unary("round"),
    unary("floor"),
    unary("ceil"),
    unary("trunc"),
    unary("frac", "round"),
    unary("fix", "round"),
    unary("logical_not"),
    unary("bitwise_not"),
    unary("isnan"),
    unary("isinf"),
    unary("isfinite"),
    unary("nan_to_num", "clamp"),
    unary("cumsum"),
    unary("cumprod"),
    unary("cummax"),
    unary("cummin", "cumsum"),
    unary("logcumsumexp", "cumsum"),
    {"glu", gated, "silu_mul", 1, Fusing::follows},
    {"_to_copy", cast, {}, 1, Fusing::follows},
    {"to", cast, {}, 1, Fusing::follows},
    {"type_as", cast, {}, 1, Fusing::follows},
    {"_assert_tensor_metadata"},
    {"softmax", softmax},
    {"_softmax", softmax},
    {"_safe_softmax", softmax},
    {"special_softmax", softmax},
    {"log_softmax", softmax},
    {"_log_softmax", softmax},
    {"special_log_softmax", softmax},
    reducing("sum"),
    reducing("sum_to_size", "sum"),
    reducing("nansum"),
    reducing("mean"),
    reducing("nanmean", "mean"),
    reducing("prod"),
    reducing("amax"),
    reducing("amin"),
    reducing("max", "reduce_max"),
    reducing("min", "reduce_min"),
    reducing("aminmax", "reduce_max"),
    reducing("argmax"),
    reducing("argmin"),
    reducing("median", "reduce_max"),
    reducing("any"),
    reducing("all"),
    reducing("var", "mean"),
    reducing("std", "mean"),
    reducing("var_mean", "mean"),
    reducing("std_mean", "mean"),
    reducing("norm", "sum"),
    reducing("linalg_vector_norm", "sum"),
    reducing("frobenius_norm", "sum"),
    reducing("logsumexp", "sum"),
    reducing("count_nonzero", "sum"),
};

}  // namespace

std::span<const Rule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::torch_export
