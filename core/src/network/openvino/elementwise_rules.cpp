// Element-wise layers, reductions and softmax.

#include "network/openvino/rules.hpp"

namespace roofline::openvino {
namespace {

void as_broadcast(LayerSizes& n) {
  Lengths out(n.out().shape.size(), 1);
  for (const Lengths& shape : n.shapes()) {
    if (shape.size() > out.size()) return;
    out = broadcast(out, shape);
  }
  n.follow_all(out);
}

void of_all(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.operation(), n.shapes(), n.out().shape, n.in(0).type, n.out().type);
}
void of_first(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.operation(), {n.shape(0)}, n.out().shape, n.in(0).type, n.out().type);
}
/// A slope for each channel, behind the batch.
void prelu(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  Lengths slope = n.shape(1);
  if (slope.size() == 1 && n.shape(0).size() > 2) {
    slope.insert(slope.begin(), 1);
    slope.resize(n.shape(0).size(), 1);
  }
  work::elementwise(out, rule.operation(), {n.shape(0), slope}, n.out().shape, n.in(0).type, n.out().type);
}
/// A mask in front of what is chosen from.
void select(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::elementwise(out, rule.operation(), n.shapes(), n.out().shape, n.out().type, n.out().type);
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
  work::reduction(out, rule.operation(), from, axes, to, n.in(0).type, n.out().type);
}

void softmax(const LayerSizes& n, const LayerRule&, SizedNode& out) { work::softmax(out, n.shape(0), n.in(0).type, n.out().type); }

constexpr LayerRule binary(std::string_view type, std::string_view as = {}) { return {type, as_broadcast, of_all, as, Fusing::follows}; }
constexpr LayerRule unary(std::string_view type, std::string_view as = {}) { return {type, as_first, of_first, as, Fusing::follows}; }
constexpr LayerRule reducing(std::string_view type, std::string_view as = {}) { return {type, reduce, reduction, as}; }

constexpr LayerRule elementwise_table[] = {
    binary("Add"),
    binary("Subtract"),
    binary("Multiply"),
    binary("Divide"),
    binary("Power"),
    binary("Mod"),
    binary("FloorMod"),
    binary("Maximum"),
    binary("Minimum"),
    binary("SquaredDifference"),
    binary("Equal"),
    binary("NotEqual"),
    binary("Less"),
    binary("LessEqual"),
    binary("Greater"),
    binary("GreaterEqual"),
    binary("LogicalAnd"),
    binary("LogicalOr"),
    binary("LogicalXor"),
    binary("BitwiseAnd"),
    binary("BitwiseOr"),
    binary("BitwiseXor"),
    binary("BitwiseLeftShift"),
    binary("BitwiseRightShift"),
    {"Select", as_broadcast, select, {}, Fusing::follows},
    {"PReLU", as_first, prelu, {}, Fusing::follows},
    {"PRelu", as_first, prelu, {}, Fusing::follows},
    unary("ReLU"),
    unary("Relu"),
    unary("Sigmoid"),
    unary("Tanh"),
    unary("Elu"),
    unary("Selu"),
    unary("Gelu"),
    unary("HSwish", "hard_swish"),
    unary("HSigmoid", "hard_sigmoid"),
    unary("HardSigmoid"),
    unary("Swish"),
    unary("Mish"),
    unary("SoftPlus"),
    unary("SoftSign"),
    unary("Clamp"),
    unary("Exp"),
    unary("Log"),
    unary("Sqrt"),
    unary("Abs"),
    unary("Negative"),
    unary("Sign"),
    unary("Floor"),
    unary("Ceiling"),
    unary("Round"),
    unary("Erf"),
    unary("Sin"),
    unary("Cos"),
    unary("Tan"),
    unary("Asin"),
    unary("Acos"),
    unary("Atan"),
    unary("Sinh"),
    unary("Cosh"),
    unary("Asinh"),
    unary("Acosh"),
    unary("Atanh"),
    unary("LogicalNot"),
    unary("BitwiseNot"),
    unary("IsNaN"),
    unary("IsInf"),
    unary("IsFinite"),
    unary("Convert"),
    unary("ConvertLike"),
    unary("FakeQuantize"),
    unary("FakeConvert"),
    unary("Bucketize"),
    {"CumSum", as_first, of_first},
    unary("RoPE"),
    {"Softmax", as_first, softmax},
    {"SoftMax", as_first, softmax},
    {"LogSoftmax", as_first, softmax},
    reducing("ReduceSum"),
    reducing("ReduceMean"),
    reducing("ReduceMax"),
    reducing("ReduceMin"),
    reducing("ReduceProd"),
    reducing("ReduceL1"),
    reducing("ReduceL2"),
    reducing("ReduceLogicalAnd", "reduce_min"),
    reducing("ReduceLogicalOr", "reduce_max"),
};

}  // namespace

std::span<const LayerRule> elementwise_rules() { return elementwise_table; }

}  // namespace roofline::openvino
