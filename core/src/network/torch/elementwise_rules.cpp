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
    binary("prelu"),
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
