// Element-wise operators, reductions and softmax. The values of small integers are worked out: reshapes get theirs from them.
#include <cmath>
#include <roofline/operators/operator.hpp>

#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

// --- values ----------------------------------------------------------------------------------------------------------------------------

/// The element of a tensor of shape `shape` that stands at `at` (of shape `out`) once it is broadcast.
double element(const Values& values, const Lengths& shape, const Lengths& out, std::size_t at) {
  std::size_t index = 0, stride = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t axis = out.size() - 1 - i;
    const auto length = static_cast<std::size_t>(out[axis]);
    const std::size_t place = at % length;
    at /= length;
    if (i >= shape.size()) continue;
    const auto own = static_cast<std::size_t>(shape[shape.size() - 1 - i]);
    if (own != 1) index += place * stride;
    stride *= own;
  }
  return index < values.size() ? values[index] : unknown;
}

using Arithmetic = double (*)(double a, double b, bool integer);

template <Arithmetic f>
void binary(NodeSizes& n) {
  const Lengths *a = n.shape(0), *b = n.shape(1);
  if (!a || !b) return;
  const Lengths out = broadcast(*a, *b);
  n.set(0, out);
  if (!n.values(0) || !n.values(1) || !(elements_of(out) <= followed_values)) return;
  Values values(static_cast<std::size_t>(elements_of(out)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = f(element(*n.values(0), *a, out, i), element(*n.values(1), *b, out, i), n.type(0).integer);
  n.set_values(0, std::move(values));
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
void extreme(NodeSizes& n) {
  many(n);
  if (n.inputs() == 2) binary<f>(n);
}

void where(NodeSizes& n) {
  const Lengths *c = n.shape(0), *a = n.shape(1), *b = n.shape(2);
  n.set_type(0, n.type(1));
  if (!c || !a || !b) return;
  const Lengths out = broadcast(broadcast(*c, *a), *b);
  n.set(0, out);
  if (!n.values(0) || !n.values(1) || !n.values(2) || !(elements_of(out) <= followed_values)) return;
  Values values(static_cast<std::size_t>(elements_of(out)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double chosen = element(*n.values(0), *c, out, i);
    values[i] = !known(chosen) ? unknown : chosen != 0 ? element(*n.values(1), *a, out, i) : element(*n.values(2), *b, out, i);
  }
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

/// Of a list, to one number.
template <double (*f)(double, double)>
void reduce_values(NodeSizes& n) {
  reduce(n);
  if (!n.values(0) || n.values(0)->empty() || !n.out(0).shape || elements_of(n.out_lengths(0)) != 1) return;
  double value = n.values(0)->front();
  for (std::size_t i = 1; i < n.values(0)->size(); ++i) value = f(value, (*n.values(0))[i]);
  n.set_values(0, {value});
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
    {"Sum", many, sum_work, Fusing::follows},
    {"Mean", many, sum_work, Fusing::follows},
    {"Max", extreme<larger_of>, elementwise_work, Fusing::follows},
    {"Min", extreme<smaller_of>, elementwise_work, Fusing::follows},
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
    {"Clip", as_first, of_first_input_work, Fusing::follows},
    {"IsNaN", as_first, of_first_input_work, Fusing::follows},
    {"IsInf", as_first, of_first_input_work, Fusing::follows},
    {"CumSum", as_first, of_first_input_work, Fusing::none},
    {"Softmax", as_first, softmax_work, Fusing::none},
    {"LogSoftmax", as_first, softmax_work, Fusing::none},
    {"Hardmax", as_first, softmax_work, Fusing::none},
    {"BiasSoftmax", as_first, softmax_work, Fusing::none},
    {"ReduceProd", reduce_values<times>, reduction_work},
    {"ReduceSum", reduce_values<sum>, reduction_work},
    {"ReduceMax", reduce_values<larger>, reduction_work},
    {"ReduceMin", reduce_values<smaller>, reduction_work},
    {"ReduceMean", reduce, reduction_work},
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
