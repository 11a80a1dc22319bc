// StableHLO's operators, which converters keep where TFLite has none of its own. Their options name the dimensions.
#include <algorithm>

#include "network/tflite/rules.hpp"

namespace roofline::tflite {
namespace {

using Indices = std::vector<std::int64_t>;

Indices indices(const Operation& op, std::uint64_t slot) { return op.options().numbers<std::int64_t>(slot, "an operator's dimensions"); }

bool in_range(const Indices& of, const Lengths& shape) {
  return std::all_of(of.begin(), of.end(), [&](std::int64_t i) { return i >= 0 && i < static_cast<std::int64_t>(shape.size()); });
}

/// StableHLO does not count dimensions from the end: a negative one is a fault of the file.
double length_at(const Lengths& shape, std::int64_t dimension) { return dimension < 0 ? unknown : length(shape, dimension); }

Lengths lengths(const Lengths& shape, const Indices& dimensions) {
  Lengths out;
  for (const std::int64_t i : dimensions) out.push_back(length_at(shape, i));
  return out;
}

Lengths numbers(const Indices& of) { return {of.begin(), of.end()}; }

/// Elements of the dimensions that are in neither list.
double rest(const Lengths& shape, const Indices& batch, const Indices& contracted) {
  double out = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (std::find(batch.begin(), batch.end(), static_cast<std::int64_t>(i)) == batch.end() &&
        std::find(contracted.begin(), contracted.end(), static_cast<std::int64_t>(i)) == contracted.end())
      out *= shape[i];
  return out;
}

void dot_general(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths &a = op.shape(0), &b = op.shape(1);
  const Indices batch_a = indices(op, 0), batch_b = indices(op, 1), inner_a = indices(op, 2), inner_b = indices(op, 3);
  if (!in_range(batch_a, a) || !in_range(inner_a, a) || !in_range(batch_b, b) || !in_range(inner_b, b)) {
    out.not_counted = "its dimensions are not those of its tensors";
    return;
  }
  const double k = elements_of(lengths(a, inner_a)), rows = rest(a, batch_a, inner_a), columns = rest(b, batch_b, inner_b);
  Lengths left = lengths(a, batch_a), right = lengths(b, batch_b);
  if (left.empty() && op.is_constant(1)) return work::linear(out, {rows, k}, columns, k, false, op.types());
  left.insert(left.end(), {rows, k});
  right.insert(right.end(), {k, columns});
  work::matrix_product(out, left, right, op.types());
}

Lengths image(const Operation& op, const Lengths& shape, std::uint64_t batch, std::uint64_t feature, std::uint64_t spatial) {
  Lengths out{length_at(shape, op.options().number<std::int64_t>(batch)), length_at(shape, op.options().number<std::int64_t>(feature))};
  for (const double l : lengths(shape, indices(op, spatial))) out.push_back(l);
  return out;
}

/// Where the input is spread out (lhs_dilation), it is a transposed one.
void convolution(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths input = image(op, op.shape(0), 5, 6, 7), output = image(op, op.out(), 11, 12, 13);
  Lengths weight = image(op, op.shape(1), 9, 8, 10);
  const Indices spread = indices(op, 2);
  if (op.options().number<std::int64_t>(15, 1) > 1 || input.size() < 3 || weight.size() != input.size() || output.size() != input.size()) {
    out.not_counted = "no rule for a convolution of this kind";
    return;
  }
  const bool transposed = std::any_of(spread.begin(), spread.end(), [](std::int64_t s) { return s > 1; });
  work::Window window;
  window.groups = std::max(1.0, static_cast<double>(op.options().number<std::int64_t>(14, 1)));
  window.stride = numbers(transposed ? spread : indices(op, 0));
  window.dilation = numbers(indices(op, 3));
  for (Lengths* of : {&window.stride, &window.dilation})
    for (double& step : *of) step = std::max(1.0, step);
  work::pad_between(window, input, tail(weight, 2), output, transposed);
  if (transposed) {
    std::swap(weight[0], weight[1]);
    weight[0] *= window.groups;
    weight[1] /= window.groups;
  }
  work::convolution(out, input, weight, output, window, transposed, op.types());
}

void reduce(const Operation& op, const OperatorRule&, SizedNode& out) {
  work::reduction(out, "sum", op.shape(0), numbers(indices(op, 0)), op.out(), op.type(0), op.out_type());
}

/// Windows over every dimension, those of batch and channels of length 1.
void reduce_window(const Operation& op, const OperatorRule&, SizedNode& out) {
  Lengths input = op.shape(0), output = op.out();
  const Lengths kernel = numbers(indices(op, 0));
  if (kernel.size() != input.size() || output.size() != input.size()) {
    out.not_counted = "its dimensions are not those of its tensors";
    return;
  }
  work::Window window;
  window.stride = numbers(indices(op, 1));
  window.dilation = numbers(indices(op, 3));
  input.insert(input.begin(), 2, 1);
  output.insert(output.begin(), 2, 1);
  work::pad_between(window, input, kernel, output);
  work::pool(out, input, kernel, output, window, op.types(0, 0));
}

/// The least, what is clamped, the most.
void clamp(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  work::elementwise(out, rule.as, {op.shape(1)}, op.out(), op.type(1), op.out_type());
}

constexpr OperatorRule stablehlo_table[] = {
    unary(162, "STABLEHLO_LOGISTIC", "sigmoid"),
    binary(163, "STABLEHLO_ADD", "add"),
    binary(164, "STABLEHLO_DIVIDE", "div"),
    binary(165, "STABLEHLO_MULTIPLY", "mul"),
    binary(166, "STABLEHLO_MAXIMUM", "max"),
    {167, "STABLEHLO_RESHAPE", nullptr, {}, Fusing::vanishes},
    {168, "STABLEHLO_CLAMP", clamp, "clamp", Fusing::follows},
    {169, "STABLEHLO_CONCATENATE", concat},
    {170, "STABLEHLO_BROADCAST_IN_DIM", movement, "repeat"},
    {171, "STABLEHLO_CONVOLUTION", convolution},
    {172, "STABLEHLO_SLICE", movement, "copy"},
    {174, "STABLEHLO_REDUCE", reduce},
    unary(175, "STABLEHLO_ABS", "abs"),
    binary(176, "STABLEHLO_AND", "logical"),
    unary(177, "STABLEHLO_COSINE", "cos"),
    unary(178, "STABLEHLO_EXPONENTIAL", "exp"),
    unary(179, "STABLEHLO_FLOOR", "round"),
    unary(180, "STABLEHLO_LOG", "log"),
    binary(181, "STABLEHLO_MINIMUM", "min"),
    unary(182, "STABLEHLO_NEGATE", "neg"),
    binary(183, "STABLEHLO_OR", "logical"),
    binary(184, "STABLEHLO_POWER", "pow"),
    binary(185, "STABLEHLO_REMAINDER", "mod"),
    unary(186, "STABLEHLO_RSQRT", "rsqrt"),
    {187, "STABLEHLO_SELECT", elementwise, "where", Fusing::follows},
    binary(188, "STABLEHLO_SUBTRACT", "sub"),
    unary(189, "STABLEHLO_TANH", "tanh"),
    {190, "STABLEHLO_SCATTER", copy_of<2>},
    binary(191, "STABLEHLO_COMPARE", "compare"),
    unary(192, "STABLEHLO_CONVERT", "cast"),
    {193, "STABLEHLO_DYNAMIC_SLICE", movement, "copy"},
    {194, "STABLEHLO_DYNAMIC_UPDATE_SLICE", copy_of<1>},
    {195, "STABLEHLO_PAD", movement, "copy"},
    {196, "STABLEHLO_IOTA", written, "fill"},
    {197, "STABLEHLO_DOT_GENERAL", dot_general},
    {198, "STABLEHLO_REDUCE_WINDOW", reduce_window},
    {199, "STABLEHLO_SORT", copy_of<0>},
    {201, "STABLEHLO_GATHER", written, "copy"},
    {202, "STABLEHLO_TRANSPOSE", movement, "transpose", Fusing::vanishes},
    {204, "STABLEHLO_RNG_BIT_GENERATOR", written, "fill"},
    binary(207, "STABLEHLO_SHIFT_LEFT", "mul"),
    unary(208, "STABLEHLO_CBRT", "sqrt"),
};

}  // namespace

std::span<const OperatorRule> stablehlo_rules() { return stablehlo_table; }

}  // namespace roofline::tflite
