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
  work::elementwise(out, rule.as, fits ? inputs : std::vector<Lengths>(inputs.size(), op.out()), op.out(), data, op.out_type());
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
  work::reduction(out, rule.as, shape, axes, op.out(), op.type(0), op.out_type());
}

void softmax(const Operation& op, const OperatorRule&, SizedNode& out) { work::softmax(out, op.shape(0), op.type(0), op.out_type()); }

constexpr OperatorRule elementwise_table[] = {
    {0, "ADD", elementwise, "add", Fusing::follows},
    {6, "DEQUANTIZE", of_first, "cast", Fusing::follows},
    {8, "FLOOR", of_first, "round", Fusing::follows},
    {14, "LOGISTIC", of_first, "sigmoid", Fusing::follows},
    {18, "MUL", elementwise, "mul", Fusing::follows},
    {19, "RELU", of_first, "relu", Fusing::follows},
    {20, "RELU_N1_TO_1", of_first, "clamp", Fusing::follows},
    {21, "RELU6", of_first, "clamp", Fusing::follows},
    {25, "SOFTMAX", softmax},
    {28, "TANH", of_first, "tanh", Fusing::follows},
    {40, "MEAN", reduction, "mean"},
    {41, "SUB", elementwise, "sub", Fusing::follows},
    {42, "DIV", elementwise, "div", Fusing::follows},
    {47, "EXP", of_first, "exp", Fusing::follows},
    {50, "LOG_SOFTMAX", softmax},
    {53, "CAST", of_first, "cast", Fusing::follows},
    {54, "PRELU", elementwise, "prelu", Fusing::follows},
    {55, "MAXIMUM", elementwise, "max", Fusing::follows},
    {56, "ARG_MAX", reduction, "reduce_max"},
    {57, "MINIMUM", elementwise, "min", Fusing::follows},
    {58, "LESS", elementwise, "compare", Fusing::follows},
    {59, "NEG", of_first, "neg", Fusing::follows},
    {61, "GREATER", elementwise, "compare", Fusing::follows},
    {62, "GREATER_EQUAL", elementwise, "compare", Fusing::follows},
    {63, "LESS_EQUAL", elementwise, "compare", Fusing::follows},
    {64, "SELECT", select, "where", Fusing::follows},
    {66, "SIN", of_first, "sin", Fusing::follows},
    {71, "EQUAL", elementwise, "compare", Fusing::follows},
    {72, "NOT_EQUAL", elementwise, "compare", Fusing::follows},
    {73, "LOG", of_first, "log", Fusing::follows},
    {74, "SUM", reduction, "sum"},
    {75, "SQRT", of_first, "sqrt", Fusing::follows},
    {76, "RSQRT", of_first, "rsqrt", Fusing::follows},
    {78, "POW", elementwise, "pow", Fusing::follows},
    {79, "ARG_MIN", reduction, "reduce_min"},
    {80, "FAKE_QUANT", of_first, "cast", Fusing::follows},
    {81, "REDUCE_PROD", reduction, "prod"},
    {82, "REDUCE_MAX", reduction, "reduce_max"},
    {84, "LOGICAL_OR", elementwise, "logical", Fusing::follows},
    {86, "LOGICAL_AND", elementwise, "logical", Fusing::follows},
    {87, "LOGICAL_NOT", of_first, "not", Fusing::follows},
    {89, "REDUCE_MIN", reduction, "reduce_min"},
    {90, "FLOOR_DIV", elementwise, "div", Fusing::follows},
    {91, "REDUCE_ANY", reduction, "reduce_max"},
    {92, "SQUARE", of_first, "square", Fusing::follows},
    {95, "FLOOR_MOD", elementwise, "mod", Fusing::follows},
    {98, "LEAKY_RELU", of_first, "leaky_relu", Fusing::follows},
    {99, "SQUARED_DIFFERENCE", elementwise, "squared_difference", Fusing::follows},
    {101, "ABS", of_first, "abs", Fusing::follows},
    {104, "CEIL", of_first, "round", Fusing::follows},
    {106, "ADD_N", elementwise, "add", Fusing::follows},
    {108, "COS", of_first, "cos", Fusing::follows},
    {111, "ELU", of_first, "elu", Fusing::follows},
    {114, "QUANTIZE", of_first, "cast", Fusing::follows},
    {116, "ROUND", of_first, "round", Fusing::follows},
    {117, "HARD_SWISH", of_first, "hard_swish", Fusing::follows},
    {123, "SELECT_V2", select, "where", Fusing::follows},
    {128, "CUMSUM", of_first, "cumsum"},
    {135, "COMPLEX_ABS", of_first, "abs", Fusing::follows},
    {140, "REDUCE_ALL", reduction, "reduce_min"},
    {147, "BUCKETIZE", of_first, "round", Fusing::follows},
    {150, "GELU", of_first, "gelu", Fusing::follows},
    {152, "RELU_0_TO_1", of_first, "clamp", Fusing::follows},
    {156, "ATAN2", elementwise, "div", Fusing::follows},
    {158, "SIGN", of_first, "sign", Fusing::follows},
    {160, "BITWISE_XOR", elementwise, "logical", Fusing::follows},
    {161, "RIGHT_SHIFT", elementwise, "mul", Fusing::follows},
};

}  // namespace

std::span<const OperatorRule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::tflite
