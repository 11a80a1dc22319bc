// Products, norms and recurrent layers.
#include <algorithm>
#include <cmath>
#include <map>

#include "network/onnx/rules.hpp"
#include "network/recurrent/recurrent.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

// --- products ---------------------------------------------------------------------------------------------------------------------------

struct Product {
  Lengths a, b;
};

std::optional<Product> product_of(const NodeSizes& n, std::size_t second) {
  if (!n.shape(0) || !n.shape(second)) return std::nullopt;
  const auto operand = [&](std::size_t i, const char* batch_flag, const char* flag) {
    Lengths shape = n.lengths(i);
    // The batch's last dimension stands between the matrix's two.
    if (n.flag(batch_flag) && shape.size() >= 3) std::rotate(shape.begin(), shape.begin() + 1, shape.end() - 1);
    return transposed(shape, n.flag(flag));
  };
  return Product{operand(0, "transBatchA", "transA"), operand(second, "transBatchB", "transB")};
}

template <std::size_t second = 1>
void matmul(NodeSizes& n) {
  const auto p = product_of(n, second);
  if (!p || p->a.empty() || p->b.empty()) return;
  const auto rows = [](const Lengths& m, std::size_t kept) { return m.size() <= kept ? Lengths() : Lengths(m.begin(), m.end() - 2); };
  Lengths out = broadcast(rows(p->a, 1), rows(p->b, 1));
  if (p->a.size() > 1) out.push_back(p->a[p->a.size() - 2]);
  if (p->b.size() > 1) out.push_back(p->b.back());
  n.set(0, std::move(out));
}

/// `added`: the input that is added to the product.
template <std::size_t second = 1, std::size_t added = no_input>
void matmul_work(const NodeSizes& n, SizedNode& out) {
  const auto p = product_of(n, second);
  if (p) work::matrix_product(out, p->a, p->b, types_of(n, second), {}, n.has(added) ? n.lengths(added) : Lengths());
}
/// Activations are made INT8 first, as the weights are.
void dynamic_quantize_matmul_work(const NodeSizes& n, SizedNode& out) {
  const auto p = product_of(n, 1);
  if (p) work::matrix_product(out, p->a, p->b, {element_type("int8"), n.type(1), n.out_type(0)}, {}, n.has(4) ? n.lengths(4) : Lengths());
}
void qlinear_matmul(NodeSizes& n) {
  matmul<3>(n);
  n.set_type(0, n.type(7));
}
void matmul_integer(NodeSizes& n) {
  matmul(n);
  n.set_type(0, element_type("int32"));
}
void matmul_to_float(NodeSizes& n) {
  matmul(n);
  n.set_type(0, element_type("fp32"));
}

template <std::size_t second = 1>
void gemm(NodeSizes& n) {
  const auto p = product_of(n, second);
  if (p && p->a.size() == 2 && p->b.size() == 2) n.set(0, {p->a[0], p->b[1]});
}

template <std::size_t second = 1, std::size_t bias = 2>
void gemm_work(const NodeSizes& n, SizedNode& out) {
  const auto p = product_of(n, second);
  if (!p || p->a.size() != 2 || p->b.size() != 2) return;
  const Lengths added = n.has(bias) ? n.lengths(bias) : Lengths();
  const bool is_bias = added.empty() || elements_of(added) == p->b[1];  // one number for each column
  if (n.is_constant(second) && is_bias)
    work::linear(out, p->a, p->b[1], p->b[0], n.has(bias), types_of(n, second));
  else
    work::matrix_product(out, p->a, p->b, types_of(n, second), {}, added);
}
void qgemm(NodeSizes& n) {
  gemm<3>(n);
  n.set_type(0, n.has(8) ? n.type(8) : element_type("fp32"));
}

/// work::plain_equation() of a node.
std::string plain_equation(const NodeSizes& n) {
  std::vector<double> ranks;
  for (std::size_t i = 0; i < n.inputs(); ++i) ranks.push_back(n.shape(i) ? static_cast<double>(n.shape(i)->size()) : unknown);
  return work::plain_equation(n.node().text("equation", ""), ranks);
}

/// The lengths of the letters of a plain equation.
std::map<char, double> letters(const NodeSizes& n, const std::string& equation) {
  std::map<char, double> out;
  std::size_t input = 0, axis = 0;
  for (const char c : equation.substr(0, equation.find("->"))) {
    if (c == ',') {
      ++input, axis = 0;
      continue;
    }
    const double length = n.length(input, static_cast<int>(axis++));
    const auto [at, is_new] = out.emplace(c, length);
    if (!is_new && !known(at->second)) at->second = length;
  }
  return out;
}

void einsum(NodeSizes& n) {
  const std::string equation = plain_equation(n);
  if (equation.empty()) return;
  const auto lengths = letters(n, equation);
  Lengths out;
  for (const char letter : equation.substr(equation.find("->") + 2)) {
    const auto found = lengths.find(letter);
    out.push_back(found == lengths.end() ? unknown : found->second);
  }
  n.set(0, std::move(out));
}

void einsum_work(const NodeSizes& n, SizedNode& out) {
  std::vector<Lengths> inputs;
  for (std::size_t i = 0; i < n.inputs(); ++i)
    if (n.shape(i)) inputs.push_back(n.lengths(i));
  work::einsum(out, plain_equation(n), inputs, types_of(n));
}

// --- norms ------------------------------------------------------------------------------------------------------------------------------

/// While training, the statistics come out too, and what they were made of.
void batch_norm(NodeSizes& n) {
  as_first(n);
  for (std::size_t i = 1; i < n.outputs(); ++i)
    if (n.shape(3)) n.set(i, n.lengths(3));
}
void batch_norm_work(const NodeSizes& n, SizedNode& out) { work::norm(out, "batch_norm", n.lengths(0), {}, types_of(n)); }
void group_norm_work(const NodeSizes& n, SizedNode& out) { work::norm(out, "group_norm", n.lengths(0), {}, types_of(n)); }
void mean_variance_work(const NodeSizes& n, SizedNode& out) { work::norm(out, "group_norm", n.lengths(0), {}, types_of(n, 0), {}, false); }

Lengths normalised(const NodeSizes& n) {
  const double axis = n.axis(static_cast<double>(n.shape(0)->size()), -1);
  return tail(n.lengths(0), static_cast<std::size_t>(std::max(0.0, axis)));
}
void layer_norm(NodeSizes& n) {
  as_first(n);
  if (!n.shape(0)) return;
  Lengths statistics = n.lengths(0);
  for (std::size_t i = static_cast<std::size_t>(std::max(0.0, n.axis(static_cast<double>(statistics.size()), -1))); i < statistics.size();
       ++i)
    statistics[i] = 1;
  for (std::size_t i = 1; i < n.outputs(); ++i) n.set(i, statistics);
}
void layer_norm_work(const NodeSizes& n, SizedNode& out) { work::norm(out, "layer_norm", n.lengths(0), normalised(n), types_of(n)); }
void rms_norm_work(const NodeSizes& n, SizedNode& out) { work::norm(out, "rms_norm", n.lengths(0), normalised(n), types_of(n)); }
/// Across channels: the squares of `size` neighbours are added up, and each element is divided by a power of that.
void lrn_work(const NodeSizes& n, SizedNode& out) {
  work::norm(out, "rms_norm", n.lengths(0), tail(n.lengths(0), n.shape(0)->size() - 1), types_of(n, 0), {}, false);
}

// --- recurrent layers -------------------------------------------------------------------------------------------------------------------

/// X [steps, batch, input], W [directions, gates * hidden, input], R [directions, gates * hidden, hidden].
template <int inner = 2>
void recurrent(NodeSizes& n) {
  const bool batch_first = n.flag("layout");
  const double steps = n.length(0, batch_first ? 1 : 0), batch = n.length(0, batch_first ? 0 : 1), directions = n.length(1, 0),
               hidden = n.length(2, inner);
  if (!n.shape(0)) return;
  n.set(0, batch_first ? Lengths{batch, steps, directions, hidden} : Lengths{steps, directions, batch, hidden});
  for (std::size_t i = 1; i < n.outputs(); ++i) {
    n.set(i, batch_first ? Lengths{batch, directions, hidden} : Lengths{directions, batch, hidden});
    n.set_type(i, n.type(0));
  }
}

/// `gates_last`: weights are [directions, input or hidden, gates * hidden].
template <bool gates_last = false>
void recurrent_work(const NodeSizes& n, SizedNode& out) {
  constexpr int inner = gates_last ? 1 : 2, gates = gates_last ? 2 : 1;
  work::RecurrentSizes s;
  s.rows = n.length(0, 0) * n.length(0, 1);
  s.input = n.length(1, inner);
  s.state = n.length(2, inner);
  s.gate_outputs = n.length(1, 0) * n.length(1, gates);
  if (n.has(3)) s.biases = elements_of(n.lengths(3));
  const bool all_steps = n.node().output(0) != no_tensor;
  const double last_step = n.length(0, n.flag("layout") ? 0 : 1);
  s.output_elements = (all_steps ? s.rows : last_step) * n.length(1, 0) * s.state;
  work::Types types = types_of(n);
  if (!all_steps) types.output = types.data;
  if (gates_last) types.data = element_type("int8");  // the operator quantises its input to 8 bits first
  work::recurrent(out, s, types, "products");
}

constexpr OperatorRule layers_table[] = {
    {"MatMul", matmul<>, matmul_work<>},
    {"FusedMatMul", matmul<>, matmul_work<>},
    {"TransposeMatMul", matmul<>, matmul_work<>},
    {"Gemm", gemm<>, gemm_work<>},
    {"FusedGemm", gemm<>, gemm_work<>},
    {"QLinearMatMul", qlinear_matmul, matmul_work<3>},
    {"MatMulInteger", matmul_integer, matmul_work<>},
    {"MatMulIntegerToFloat", matmul_to_float, matmul_work<1, 6>},
    {"DynamicQuantizeMatMul", matmul_to_float, dynamic_quantize_matmul_work},
    {"QGemm", qgemm, gemm_work<3, 6>},
    {"Einsum", einsum, einsum_work},
    {"BatchNormalization", batch_norm, batch_norm_work, Fusing::follows},
    {"InstanceNormalization", as_first, group_norm_work, Fusing::follows},
    {"GroupNormalization", as_first, group_norm_work, Fusing::follows},
    {"GroupNorm", as_first, group_norm_work, Fusing::follows},
    {"LayerNormalization", layer_norm, layer_norm_work, Fusing::follows},
    {"RMSNormalization", layer_norm, rms_norm_work, Fusing::follows},
    {"SimplifiedLayerNormalization", layer_norm, rms_norm_work, Fusing::follows},
    {"MeanVarianceNormalization", as_first, mean_variance_work, Fusing::follows},
    {"LpNormalization", as_first, lrn_work, Fusing::follows},
    {"LRN", as_first, lrn_work, Fusing::follows},
    {"LSTM", recurrent<>, recurrent_work<>, Fusing::none, true},
    {"GRU", recurrent<>, recurrent_work<>, Fusing::none, true},
    {"RNN", recurrent<>, recurrent_work<>, Fusing::none, true},
    {"DynamicQuantizeLSTM", recurrent<1>, recurrent_work<true>, Fusing::none, true},
};

}  // namespace

std::span<const OperatorRule> layer_rules() { return layers_table; }

}  // namespace roofline::onnx
