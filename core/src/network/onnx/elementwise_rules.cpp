// Element-wise operators, reductions and softmax. The values of small integers are worked out: reshapes get theirs from them.
#include <cmath>
#include <roofline/operators/operator.hpp>

#include "network/onnx/elements.hpp"
#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

// --- values ----------------------------------------------------------------------------------------------------------------------------

using Arithmetic = double (*)(double a, double b, bool integer);

template <Arithmetic f>
void binary(NodeSizes& n) {
  const Lengths *a = n.shape(0), *b = n.shape(1);
  if (!a || !b) return;
  n.set(0, broadcast(*a, *b));
  if (!n.values(0) || !n.values(1)) return;
  set_elements(n, 0, [&](const Place& at) { return f(broadcast_element_at(n, 0, at), broadcast_element_at(n, 1, at), n.type(0).integer); });
}

template <Arithmetic f>
void comparison(NodeSizes& n) {
  binary<f>(n);
  n.set_type(0, element_type("int8"));
}

double truth(bool is, double a, double b) { return known(a) && known(b) ? (is ? 1 : 0) : unknown; }
double add(double a, double b, bool) { return a + b; }
double subtract(double a, double b, bool) { return a - b; }
double multiply(double a, double b, bool) { return a == 0 || b == 0 ? 0 : a * b; }
double divide(double a, double b, bool integer) { return b == 0 ? unknown : integer ? std::trunc(a / b) : a / b; }
double modulo(double a, double b, bool) { return b == 0 ? unknown : a - b * std::floor(a / b); }
double power(double a, double b, bool) { return std::pow(a, b); }
double equal(double a, double b, bool) { return truth(a == b, a, b); }
double greater(double a, double b, bool) { return truth(a > b, a, b); }
double less(double a, double b, bool) { return truth(a < b, a, b); }
double at_least(double a, double b, bool) { return truth(a >= b, a, b); }
double at_most(double a, double b, bool) { return truth(a <= b, a, b); }
double larger_of(double a, double b, bool) { return known(a) && known(b) ? std::fmax(a, b) : unknown; }
double smaller_of(double a, double b, bool) { return known(a) && known(b) ? std::fmin(a, b) : unknown; }
double not_followed(double, double, bool) { return unknown; }
double one_of(double a, double b, bool) { return truth((a != 0) != (b != 0), a, b); }
double both(double a, double b, bool) { return truth(a != 0 && b != 0, a, b); }
double either(double a, double b, bool) { return truth(a != 0 || b != 0, a, b); }

template <double (*f)(double)>
void unary(NodeSizes& n) {
  if (n.shape(0)) n.set(0, n.lengths(0));
  if (!n.values(0)) return;
  Values values = *n.values(0);
  for (double& v : values) v = f(v);
  n.set_values(0, std::move(values));
}
double negative(double v) { return -v; }
double rounded_down(double v) { return std::floor(v); }
double rounded_up(double v) { return std::ceil(v); }
double magnitude(double v) { return std::fabs(v); }
double root(double v) { return std::sqrt(v); }
double opposite(double v) { return known(v) ? (v == 0 ? 1 : 0) : unknown; }
double unchanged(double v) { return v; }
double nearest(double v) { return std::nearbyint(v); }

void copied(NodeSizes& n) { unary<unchanged>(n); }

/// While training, what was dropped comes out too.
void dropout(NodeSizes& n) {
  copied(n);
  n.set_type(1, element_type("int8"));
  if (n.shape(0)) n.set(1, n.lengths(0));
}

/// Largest, smallest or sum of any number of tensors.
void many(NodeSizes& n) {
  std::optional<Lengths> out;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    if (!n.shape(i)) return;
    out = out ? broadcast(*out, n.lengths(i)) : n.lengths(i);
  }
  if (out) n.set(0, std::move(*out));
}

template <Arithmetic f>
void combined(NodeSizes& n) {
  many(n);
  for (std::size_t i = 0; i < n.inputs(); ++i)
    if (!n.values(i)) return;
  set_elements(n, 0, [&](const Place& at) {
    double out = broadcast_element_at(n, 0, at);
    for (std::size_t i = 1; i < n.inputs(); ++i) out = f(out, broadcast_element_at(n, i, at), false);
    return out;
  });
}

void where(NodeSizes& n) {
  const Lengths *c = n.shape(0), *a = n.shape(1), *b = n.shape(2);
  n.set_type(0, n.type(1));
  if (!c || !a || !b) return;
  n.set(0, broadcast(broadcast(*c, *a), *b));
  if (!n.values(0) || !n.values(1) || !n.values(2)) return;
  set_elements(n, 0, [&](const Place& at) {
    const double chosen = broadcast_element_at(n, 0, at);
    return known(chosen) ? broadcast_element_at(n, chosen != 0 ? 1 : 2, at) : unknown;
  });
}

/// Between two limits, which older operator sets have as attributes.
void clip(NodeSizes& n) {
  copied(n);
  if (!n.values(0)) return;
  const auto limit = [&](std::size_t input, const char* attribute, double none) {
    return n.has(input) ? n.scalar(input) : n.number(attribute, none);
  };
  const double least = limit(1, "min", -HUGE_VAL), most = limit(2, "max", HUGE_VAL);
  set_elements(n, 0, [&](const Place& at) { return smaller_of(larger_of(element_at(n, 0, at), least, false), most, false); });
}

/// Each element with those before it along an axis.
void running_sum(NodeSizes& n) {
  as_first(n);
  if (!n.values(0) || !known(n.scalar(1)) || n.flag("exclusive") || n.flag("reverse")) return;
  const Lengths& shape = n.lengths(0);
  const double axis = n.scalar(1) + (n.scalar(1) < 0 ? static_cast<double>(shape.size()) : 0);
  if (!(axis >= 0 && axis < static_cast<double>(shape.size()))) return;
  const auto along = static_cast<std::size_t>(axis), stride = static_cast<std::size_t>(elements_of(tail(shape, along + 1)));
  Values values = *n.values(0);
  std::size_t at = 0;
  each_place(shape, [&](const Place& place) {
    if (place[along] > 0) values[at] += values[at - stride];
    ++at;
  });
  n.set_values(0, std::move(values));
}

void cast(NodeSizes& n) {
  if (n.shape(0)) n.set(0, n.lengths(0));
  const TensorType to = n.node().is("CastLike") ? n.type(1) : type_by_number(static_cast<std::uint64_t>(n.number("to", 0)));
  n.set_type(0, to);
  if (!n.values(0)) return;
  Values values = *n.values(0);
  if (to.integer)
    for (double& v : values) v = std::trunc(v);
  n.set_values(0, std::move(values));
}

// --- reductions ------------------------------------------------------------------------------------------------------------------------

/// The axes that a reduction goes over: an attribute in older operator sets, an input in newer ones. nullopt: not known.
std::optional<std::vector<bool>> reduced_axes(const NodeSizes& n, const Lengths& shape) {
  std::vector<bool> out(shape.size(), false);
  if (n.node().is("ArgMax") || n.node().is("ArgMin")) {
    const double axis = n.axis(static_cast<double>(shape.size()), 0);
    if (axis >= 0 && axis < static_cast<double>(shape.size())) out[static_cast<std::size_t>(axis)] = true;
    return out;
  }
  const std::optional<Values> axes = n.list("axes", 1);
  if (!axes) return std::nullopt;
  if (axes->empty()) return std::vector<bool>(shape.size(), !n.flag("noop_with_empty_axes"));
  for (double axis : *axes) {
    if (axis < 0) axis += static_cast<double>(shape.size());
    if (!(axis >= 0 && axis < static_cast<double>(shape.size()))) return std::nullopt;
    out[static_cast<std::size_t>(axis)] = true;
  }
  return out;
}

void reduce(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  const auto axes = reduced_axes(n, *shape);
  if (!axes) return;
  Lengths out;
  for (std::size_t i = 0; i < shape->size(); ++i)
    if (!(*axes)[i])
      out.push_back((*shape)[i]);
    else if (n.flag("keepdims", true))
      out.push_back(1);
  n.set(0, std::move(out));
}

/// `mean`: of the sum.
template <double (*f)(double, double), bool mean = false>
void reduce_values(NodeSizes& n) {
  reduce(n);
  if (!n.values(0) || n.values(0)->empty() || !n.out(0).shape || !(elements_of(n.out_lengths(0)) <= followed_values)) return;
  const auto axes = reduced_axes(n, n.lengths(0));
  if (!axes) return;
  Lengths kept = n.lengths(0);
  for (std::size_t i = 0; i < kept.size(); ++i)
    if ((*axes)[i]) kept[i] = 1;
  const auto count = static_cast<std::size_t>(elements_of(kept));
  const double each = static_cast<double>(n.values(0)->size()) / static_cast<double>(count);
  Values values(count, unknown);
  std::vector<bool> started(count, false);
  auto next = n.values(0)->begin();
  each_place(n.lengths(0), [&](Place at) {
    for (std::size_t i = 0; i < at.size(); ++i)
      if ((*axes)[i]) at[i] = 0;
    const std::size_t to = element_number(kept, at).value_or(0);
    values[to] = started[to] ? f(values[to], *next) : *next;
    started[to] = true;
    ++next;
  });
  if (mean)
    for (double& v : values) v /= each;
  n.set_values(0, std::move(values));
}
double times(double a, double b) { return a * b; }
double sum(double a, double b) { return a + b; }
double larger(double a, double b) { return known(a) && known(b) ? std::fmax(a, b) : unknown; }
double smaller(double a, double b) { return known(a) && known(b) ? std::fmin(a, b) : unknown; }

void arg(NodeSizes& n) {
  reduce(n);
  n.set_type(0, element_type("int64"));
}

// --- work ------------------------------------------------------------------------------------------------------------------------------

void of_all_inputs(const NodeSizes& n, std::string_view operation, SizedNode& out) {
  std::vector<Lengths> inputs;
  for (std::size_t i = 0; i < n.inputs(); ++i)
    if (n.shape(i)) inputs.push_back(n.lengths(i));
  work::elementwise(out, operation, inputs, n.out_lengths(0), n.type(0), n.out_type(0));
}
void elementwise_work(const NodeSizes& n, SizedNode& out) { of_all_inputs(n, n.node().node->type, out); }

/// Sum and Mean of any number of tensors: elsewhere these are names of reductions.
void sum_work(const NodeSizes& n, SizedNode& out) { of_all_inputs(n, "add", out); }

/// The condition is read, too, and chooses.
void where_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, "where", {n.lengths(0), n.lengths(1), n.lengths(2)}, n.out_lengths(0), n.type(1), n.out_type(0));
}

/// Of the inputs further ones are numbers, such as a clip's limits.
void of_first_input_work(const NodeSizes& n, SizedNode& out) {
  work::elementwise(out, n.node().node->type, {n.lengths(0)}, n.out_lengths(0), n.type(0), n.out_type(0));
}

void reduction_work(const NodeSizes& n, SizedNode& out) {
  Lengths axes;
  if (const auto reduced = reduced_axes(n, n.lengths(0)))
    for (std::size_t i = 0; i < reduced->size(); ++i)
      if ((*reduced)[i]) axes.push_back(static_cast<double>(i));
  work::reduction(out, n.node().node->type, n.lengths(0), axes, n.out_lengths(0), n.type(0), n.out_type(0));
}

void softmax_work(const NodeSizes& n, SizedNode& out) { work::softmax(out, n.lengths(0), n.type(0), n.out_type(0)); }

constexpr OperatorRule elementwise_table[] = {
    {"Add", binary<add>, elementwise_work, Fusing::follows},
    {"Sub", binary<subtract>, elementwise_work, Fusing::follows},
    {"Mul", binary<multiply>, elementwise_work, Fusing::follows},
    {"Div", binary<divide>, elementwise_work, Fusing::follows},
    {"Mod", binary<modulo>, elementwise_work, Fusing::follows},
    {"Pow", binary<power>, elementwise_work, Fusing::follows},
    {"BitShift", binary<not_followed>, elementwise_work, Fusing::follows},
    {"Equal", comparison<equal>, elementwise_work, Fusing::follows},
    {"Greater", comparison<greater>, elementwise_work, Fusing::follows},
    {"Less", comparison<less>, elementwise_work, Fusing::follows},
    {"GreaterOrEqual", comparison<at_least>, elementwise_work, Fusing::follows},
    {"LessOrEqual", comparison<at_most>, elementwise_work, Fusing::follows},
    {"And", comparison<both>, elementwise_work, Fusing::follows},
    {"Or", comparison<either>, elementwise_work, Fusing::follows},
    {"Xor", comparison<one_of>, elementwise_work, Fusing::follows},
    {"Where", where, where_work, Fusing::follows},
    {"Sum", combined<add>, sum_work, Fusing::follows},
    {"Mean", many, sum_work, Fusing::follows},
    {"Max", combined<larger_of>, elementwise_work, Fusing::follows},
    {"Min", combined<smaller_of>, elementwise_work, Fusing::follows},
    {"PRelu", as_first, elementwise_work, Fusing::follows},
    {"Not", unary<opposite>, of_first_input_work, Fusing::follows},
    {"Neg", unary<negative>, of_first_input_work, Fusing::follows},
    {"Abs", unary<magnitude>, of_first_input_work, Fusing::follows},
    {"Sqrt", unary<root>, of_first_input_work, Fusing::follows},
    {"Floor", unary<rounded_down>, of_first_input_work, Fusing::follows},
    {"Ceil", unary<rounded_up>, of_first_input_work, Fusing::follows},
    {"Round", unary<nearest>, of_first_input_work, Fusing::follows},
    {"Cast", cast, of_first_input_work, Fusing::follows},
    {"CastLike", cast, of_first_input_work, Fusing::follows},
    {"Identity", copied, nullptr, Fusing::vanishes},
    {"Dropout", dropout, nullptr, Fusing::vanishes},
    {"Relu", as_first, of_first_input_work, Fusing::follows},
    {"LeakyRelu", as_first, of_first_input_work, Fusing::follows},
    {"ThresholdedRelu", as_first, of_first_input_work, Fusing::follows},
    {"Elu", as_first, of_first_input_work, Fusing::follows},
    {"Celu", as_first, of_first_input_work, Fusing::follows},
    {"Selu", as_first, of_first_input_work, Fusing::follows},
    {"Gelu", as_first, of_first_input_work, Fusing::follows},
    {"Sigmoid", as_first, of_first_input_work, Fusing::follows},
    {"HardSigmoid", as_first, of_first_input_work, Fusing::follows},
    {"HardSwish", as_first, of_first_input_work, Fusing::follows},
    {"Swish", as_first, of_first_input_work, Fusing::follows},
    {"Mish", as_first, of_first_input_work, Fusing::follows},
    {"Softplus", as_first, of_first_input_work, Fusing::follows},
    {"Softsign", as_first, of_first_input_work, Fusing::follows},
    {"Tanh", as_first, of_first_input_work, Fusing::follows},
    {"Exp", as_first, of_first_input_work, Fusing::follows},
    {"Log", as_first, of_first_input_work, Fusing::follows},
    {"Erf", as_first, of_first_input_work, Fusing::follows},
    {"Sin", as_first, of_first_input_work, Fusing::follows},
    {"Cos", as_first, of_first_input_work, Fusing::follows},
    {"Tan", as_first, of_first_input_work, Fusing::follows},
    {"Atan", as_first, of_first_input_work, Fusing::follows},
    {"Acos", as_first, of_first_input_work, Fusing::follows},
    {"Acosh", as_first, of_first_input_work, Fusing::follows},
    {"Asin", as_first, of_first_input_work, Fusing::follows},
    {"Asinh", as_first, of_first_input_work, Fusing::follows},
    {"Atanh", as_first, of_first_input_work, Fusing::follows},
    {"Cosh", as_first, of_first_input_work, Fusing::follows},
    {"Sinh", as_first, of_first_input_work, Fusing::follows},
    {"Shrink", as_first, of_first_input_work, Fusing::follows},
    {"Bernoulli", as_first, of_first_input_work, Fusing::follows},
    {"Sign", as_first, of_first_input_work, Fusing::follows},
    {"Reciprocal", as_first, of_first_input_work, Fusing::follows},
    {"Clip", clip, of_first_input_work, Fusing::follows},
    {"IsNaN", as_first, of_first_input_work, Fusing::follows},
    {"IsInf", as_first, of_first_input_work, Fusing::follows},
    {"CumSum", running_sum, of_first_input_work, Fusing::none},
    {"Softmax", as_first, softmax_work, Fusing::none},
    {"LogSoftmax", as_first, softmax_work, Fusing::none},
    {"Hardmax", as_first, softmax_work, Fusing::none},
    {"BiasSoftmax", as_first, softmax_work, Fusing::none},
    {"ReduceProd", reduce_values<times>, reduction_work},
    {"ReduceSum", reduce_values<sum>, reduction_work},
    {"ReduceMax", reduce_values<larger>, reduction_work},
    {"ReduceMin", reduce_values<smaller>, reduction_work},
    {"ReduceMean", reduce_values<sum, true>, reduction_work},
    {"ReduceL1", reduce, reduction_work},
    {"ReduceL2", reduce, reduction_work},
    {"ReduceLogSum", reduce, reduction_work},
    {"ReduceLogSumExp", reduce, reduction_work},
    {"ReduceSumSquare", reduce, reduction_work},
    {"ArgMax", arg, reduction_work},
    {"ArgMin", arg, reduction_work},
};

}  // namespace

std::span<const OperatorRule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::onnx
