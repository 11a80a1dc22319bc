// Element-wise operators, reductions and softmax.
#include <algorithm>

#include "network/tflite/rules.hpp"

namespace roofline::tflite {
namespace {

/// Whether the broadcast of the inputs is the output, dimension by dimension.
bool broadcast_to(const std::vector<Lengths>& inputs, const Lengths& output) {
  std::vector<bool> reached(output.size());
  for (std::size_t i = 0; i < output.size(); ++i) reached[i] = output[i] == 1;
  for (const Lengths& input : inputs) {
    if (input.size() > output.size()) return false;
    const std::size_t beyond = output.size() - input.size();
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (input[i] != 1 && input[i] != output[i + beyond]) return false;
      if (input[i] == output[i + beyond]) reached[i + beyond] = true;
    }
  }
  return std::find(reached.begin(), reached.end(), false) == reached.end();
}

/// Lengths that only a run decides are stored as 1: where shapes do not fit together, every operand is taken to be as large as the output.
void broadcast(const Operation& op, const OperatorRule& rule, const std::vector<Lengths>& inputs, TensorType data, SizedNode& out) {
  const bool fits = broadcast_to(inputs, op.out());
  work::elementwise(out, rule.operation(), fits ? inputs : std::vector<Lengths>(inputs.size(), op.out()), op.out(), data, op.out_type());
}

}  // namespace

void elementwise(const Operation& op, const OperatorRule& rule, SizedNode& out) { broadcast(op, rule, op.shapes(), op.type(0), out); }
void of_first(const Operation& op, const OperatorRule& rule, SizedNode& out) { broadcast(op, rule, {op.shape(0)}, op.type(0), out); }

namespace {

/// The mask is in front; of the older operator it may have the first dimension alone.
void select(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  std::vector<Lengths> inputs = op.shapes();
  if (!inputs.empty() && inputs[0].size() == 1 && op.out().size() > 1) inputs[0].resize(op.out().size(), 1);
  broadcast(op, rule, inputs, op.out_type(), out);
}

/// Where the axes are not of the file, the lengths that change tell them.
void reduction(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  const Lengths& shape = op.shape(0);
  const auto rank = static_cast<std::int64_t>(shape.size());
  Lengths axes;
  for (const std::int64_t axis : op.values(1))
    if (axis >= -rank && axis < rank) axes.push_back(static_cast<double>(axis < 0 ? axis + rank : axis));
  if (axes.empty() && op.out().size() == shape.size())
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != op.out()[i]) axes.push_back(static_cast<double>(i));
  if (axes.empty() && op.out().size() < shape.size())
    for (std::size_t i = op.out().size(); i < shape.size(); ++i) axes.push_back(static_cast<double>(i));
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  work::reduction(out, rule.operation(), shape, axes, op.out(), op.type(0), op.out_type());
}

void softmax(const Operation& op, const OperatorRule&, SizedNode& out) { work::softmax(out, op.shape(0), op.type(0), op.out_type()); }

constexpr OperatorRule reducing(std::int32_t code, std::string_view name, std::string_view as = {}) { return {code, name, reduction, as}; }

constexpr OperatorRule elementwise_table[] = {
    binary(0, "ADD"),
    unary(6, "DEQUANTIZE"),
    unary(8, "FLOOR"),
    unary(14, "LOGISTIC"),
    binary(18, "MUL"),
    unary(19, "RELU"),
    unary(20, "RELU_N1_TO_1", "clamp"),
    unary(21, "RELU6"),
    {25, "SOFTMAX", softmax},
    unary(28, "TANH"),
    reducing(40, "MEAN"),
    binary(41, "SUB"),
    binary(42, "DIV"),
    unary(47, "EXP"),
    {50, "LOG_SOFTMAX", softmax},
    unary(53, "CAST"),
    binary(54, "PRELU"),
    binary(55, "MAXIMUM"),
    reducing(56, "ARG_MAX"),
    binary(57, "MINIMUM"),
    binary(58, "LESS"),
    unary(59, "NEG"),
    binary(61, "GREATER"),
    binary(62, "GREATER_EQUAL"),
    binary(63, "LESS_EQUAL"),
    {64, "SELECT", select, {}, Fusing::follows},
    unary(66, "SIN"),
    binary(71, "EQUAL"),
    binary(72, "NOT_EQUAL"),
    unary(73, "LOG"),
    reducing(74, "SUM"),
    unary(75, "SQRT"),
    unary(76, "RSQRT"),
    binary(78, "POW"),
    reducing(79, "ARG_MIN"),
    unary(80, "FAKE_QUANT"),
    reducing(81, "REDUCE_PROD"),
    reducing(82, "REDUCE_MAX"),
    binary(84, "LOGICAL_OR"),
    binary(86, "LOGICAL_AND"),
    unary(87, "LOGICAL_NOT"),
    reducing(89, "REDUCE_MIN"),
    binary(90, "FLOOR_DIV"),
    reducing(91, "REDUCE_ANY"),
    unary(92, "SQUARE"),
    binary(95, "FLOOR_MOD"),
    unary(98, "LEAKY_RELU"),
    binary(99, "SQUARED_DIFFERENCE"),
    unary(101, "ABS"),
    unary(104, "CEIL"),
    {106, "ADD_N", elementwise, "add", Fusing::follows},
    unary(108, "COS"),
    unary(111, "ELU"),
    unary(114, "QUANTIZE"),
    unary(116, "ROUND"),
    unary(117, "HARD_SWISH"),
    {123, "SELECT_V2", select, {}, Fusing::follows},
    {128, "CUMSUM", of_first},
    unary(135, "COMPLEX_ABS", "abs"),
    reducing(140, "REDUCE_ALL"),
    unary(147, "BUCKETIZE"),
    unary(150, "GELU"),
    unary(152, "RELU_0_TO_1", "clamp"),
    binary(156, "ATAN2"),
    unary(158, "SIGN"),
    binary(160, "BITWISE_XOR"),
    binary(161, "RIGHT_SHIFT"),
};

}  // namespace

std::span<const OperatorRule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::tflite
