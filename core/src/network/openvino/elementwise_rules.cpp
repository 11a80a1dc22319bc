// Element-wise layers, reductions and softmax.

#include "network/openvino/rules.hpp"

namespace roofline::openvino {
namespace {

void broadcast(LayerSizes& n) {
  const std::size_t rank = n.out().shape.size();
  Lengths out(rank, 1);
  for (const Lengths& shape : n.shapes()) {
    if (shape.size() > rank) return;
    for (std::size_t i = 0; i < shape.size(); ++i) {
      double& length = out[i + rank - shape.size()];
      // Of two lengths that are not 1, one that is not known is the other.
      if (shape[i] != 1) length = length == 1 ? shape[i] : known(length) ? length : shape[i];
    }
  }
  n.follow_all(out);
}

void of_all(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.as, n.shapes(), n.out().shape, n.in(0).type, n.out().type);
}
void of_first(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.as, {n.shape(0)}, n.out().shape, n.in(0).type, n.out().type);
}
/// A slope for each channel, behind the batch.
void prelu(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  Lengths slope = n.shape(1);
  if (slope.size() == 1 && n.shape(0).size() > 2) {
    slope.insert(slope.begin(), 1);
    slope.resize(n.shape(0).size(), 1);
  }
  work::elementwise(out, rule.as, {n.shape(0), slope}, n.out().shape, n.in(0).type, n.out().type);
}
/// A mask in front of what is chosen from.
void select(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.as, n.shapes(), n.out().shape, n.out().type, n.out().type);
}

/// Which axes are reduced is in the weights' file. Where they stay as 1, the others are as they were; where they go, the others keep
/// their order.
void reduce(LayerSizes& n) {
  const Lengths &in = n.shape(0), &out = n.out().shape;
  if (in.size() == out.size()) return n.follow_all(in);
  Lengths open, filled = out;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (!known(n.in(0).stored[i])) open.push_back(in[i]);
  std::size_t next = 0;
  for (double& length : filled)
    if (!known(length) && next < open.size()) length = open[next++];
  if (next == open.size()) n.follow(0, filled);
}

void reduction(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  const Lengths &from = n.shape(0), &to = n.out().shape;
  Lengths axes;
  if (from.size() == to.size()) {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] != to[i]) axes.push_back(static_cast<double>(i));
  } else {
    // Those that are not found again, in their order. How many elements are reduced to how many is what counts.
    std::size_t next = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
      if (next < to.size() && from[i] == to[next])
        ++next;
      else
        axes.push_back(static_cast<double>(i));
  }
  work::reduction(out, rule.as, from, axes, to, n.in(0).type, n.out().type);
}

void softmax(const LayerSizes& n, const LayerRule&, SizedNode& out) { work::softmax(out, n.shape(0), n.in(0).type, n.out().type); }

constexpr LayerRule elementwise_table[] = {
    {"Add", broadcast, of_all, "add", Fusing::follows},
    {"Subtract", broadcast, of_all, "sub", Fusing::follows},
    {"Multiply", broadcast, of_all, "mul", Fusing::follows},
    {"Divide", broadcast, of_all, "div", Fusing::follows},
    {"Power", broadcast, of_all, "pow", Fusing::follows},
    {"Mod", broadcast, of_all, "mod", Fusing::follows},
    {"FloorMod", broadcast, of_all, "mod", Fusing::follows},
    {"Maximum", broadcast, of_all, "max", Fusing::follows},
    {"Minimum", broadcast, of_all, "min", Fusing::follows},
    {"SquaredDifference", broadcast, of_all, "squared_difference", Fusing::follows},
    {"Equal", broadcast, of_all, "compare", Fusing::follows},
    {"NotEqual", broadcast, of_all, "compare", Fusing::follows},
    {"Less", broadcast, of_all, "compare", Fusing::follows},
    {"LessEqual", broadcast, of_all, "compare", Fusing::follows},
    {"Greater", broadcast, of_all, "compare", Fusing::follows},
    {"GreaterEqual", broadcast, of_all, "compare", Fusing::follows},
    {"LogicalAnd", broadcast, of_all, "logical", Fusing::follows},
    {"LogicalOr", broadcast, of_all, "logical", Fusing::follows},
    {"LogicalXor", broadcast, of_all, "logical", Fusing::follows},
    {"BitwiseAnd", broadcast, of_all, "logical", Fusing::follows},
    {"BitwiseOr", broadcast, of_all, "logical", Fusing::follows},
    {"BitwiseXor", broadcast, of_all, "logical", Fusing::follows},
    {"BitwiseLeftShift", broadcast, of_all, "mul", Fusing::follows},
    {"BitwiseRightShift", broadcast, of_all, "mul", Fusing::follows},
    {"Select", broadcast, select, "where", Fusing::follows},
    {"PReLU", as_first, prelu, "prelu", Fusing::follows},
    {"PRelu", as_first, prelu, "prelu", Fusing::follows},
    {"ReLU", as_first, of_first, "relu", Fusing::follows},
    {"Relu", as_first, of_first, "relu", Fusing::follows},
    {"Sigmoid", as_first, of_first, "sigmoid", Fusing::follows},
    {"Tanh", as_first, of_first, "tanh", Fusing::follows},
    {"Elu", as_first, of_first, "elu", Fusing::follows},
    {"Selu", as_first, of_first, "selu", Fusing::follows},
    {"Gelu", as_first, of_first, "gelu", Fusing::follows},
    {"HSwish", as_first, of_first, "hard_swish", Fusing::follows},
    {"HSigmoid", as_first, of_first, "hard_sigmoid", Fusing::follows},
    {"HardSigmoid", as_first, of_first, "hard_sigmoid", Fusing::follows},
    {"Swish", as_first, of_first, "silu", Fusing::follows},
    {"Mish", as_first, of_first, "mish", Fusing::follows},
    {"SoftPlus", as_first, of_first, "softplus", Fusing::follows},
    {"SoftSign", as_first, of_first, "Softsign", Fusing::follows},
    {"Clamp", as_first, of_first, "clamp", Fusing::follows},
    {"Exp", as_first, of_first, "exp", Fusing::follows},
    {"Log", as_first, of_first, "log", Fusing::follows},
    {"Sqrt", as_first, of_first, "sqrt", Fusing::follows},
    {"Abs", as_first, of_first, "abs", Fusing::follows},
    {"Negative", as_first, of_first, "neg", Fusing::follows},
    {"Sign", as_first, of_first, "sign", Fusing::follows},
    {"Floor", as_first, of_first, "round", Fusing::follows},
    {"Ceiling", as_first, of_first, "round", Fusing::follows},
    {"Round", as_first, of_first, "round", Fusing::follows},
    {"Erf", as_first, of_first, "erf", Fusing::follows},
    {"Sin", as_first, of_first, "sin", Fusing::follows},
    {"Cos", as_first, of_first, "cos", Fusing::follows},
    {"Tan", as_first, of_first, "sin", Fusing::follows},
    {"Asin", as_first, of_first, "sin", Fusing::follows},
    {"Acos", as_first, of_first, "cos", Fusing::follows},
    {"Atan", as_first, of_first, "sin", Fusing::follows},
    {"Sinh", as_first, of_first, "exp", Fusing::follows},
    {"Cosh", as_first, of_first, "exp", Fusing::follows},
    {"Asinh", as_first, of_first, "log", Fusing::follows},
    {"Acosh", as_first, of_first, "log", Fusing::follows},
    {"Atanh", as_first, of_first, "log", Fusing::follows},
    {"LogicalNot", as_first, of_first, "not", Fusing::follows},
    {"BitwiseNot", as_first, of_first, "not", Fusing::follows},
    {"IsNaN", as_first, of_first, "not", Fusing::follows},
    {"IsInf", as_first, of_first, "not", Fusing::follows},
    {"IsFinite", as_first, of_first, "not", Fusing::follows},
    {"Convert", as_first, of_first, "cast", Fusing::follows},
    {"ConvertLike", as_first, of_first, "cast", Fusing::follows},
    {"FakeQuantize", as_first, of_first, "cast", Fusing::follows},
    {"FakeConvert", as_first, of_first, "cast", Fusing::follows},
    {"Bucketize", as_first, of_first, "round", Fusing::follows},
    {"CumSum", as_first, of_first, "cumsum"},
    {"RoPE", as_first, of_first, "rope", Fusing::follows},
    {"Softmax", as_first, softmax},
    {"SoftMax", as_first, softmax},
    {"LogSoftmax", as_first, softmax},
    {"ReduceSum", reduce, reduction, "sum"},
    {"ReduceMean", reduce, reduction, "mean"},
    {"ReduceMax", reduce, reduction, "reduce_max"},
    {"ReduceMin", reduce, reduction, "reduce_min"},
    {"ReduceProd", reduce, reduction, "prod"},
    {"ReduceL1", reduce, reduction, "sum"},
    {"ReduceL2", reduce, reduction, "sum"},
    {"ReduceLogicalAnd", reduce, reduction, "reduce_min"},
    {"ReduceLogicalOr", reduce, reduction, "reduce_max"},
};

}  // namespace

std::span<const LayerRule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::openvino
