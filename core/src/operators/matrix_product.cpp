#include "operators/matrix_product.hpp"

#include <array>
#include <utility>

#include "operators/broadcast.hpp"
#include "operators/families.hpp"

namespace roofline {
namespace {

enum class Flavour : std::uint8_t { matmul, addmm, linear, gemv };

// A shape's last two dimensions and what stands before them. Of a vector: a row where it comes first, a column where it comes second.
struct Matrix {
  Shape batch;
  double rows = 1, columns = 1;
};

Matrix split(Shape shape, bool first, bool transposed) {
  if (shape.size() < 2) return first ? Matrix{{}, 1, shape[0]} : Matrix{{}, shape[0], 1};
  const std::size_t rank = shape.size();
  const Matrix matrix{shape.first(rank - 2), shape[rank - 2], shape[rank - 1]};
  return transposed ? Matrix{matrix.batch, matrix.columns, matrix.rows} : matrix;
}

// What is written has as many batches as the larger operand, and its rows and columns.
void write_product(Derivation& d, Shape before, double rows, double columns) {
  if (!d.traced()) return;
  std::vector<double> shape(before.begin(), before.end());
  shape.insert(shape.end(), {rows, columns});
  d.output(shape);
}

// input_mat1 and input_mat2, or two entries of `inputs`.
ProductSizes from_matrices(Derivation& d, std::size_t index) {
  const Shape first = d.operand(key::input_mat1, index, 1), second = d.operand(key::input_mat2, index + 1, 1);
  const bool transpose_a = d.flag(key::transpose_a, false), transpose_b = d.flag(key::transpose_b, false);
  if (d.failed()) return {};
  const Matrix a = split(first, true, transpose_a), b = split(second, false, transpose_b);
  if (a.columns != b.rows)
    d.fail(key::input_mat2, shown(second) + " has an inner dimension of " + plain(b.rows) + ": expected " + plain(a.columns) +
                                ", as input_mat1 " + shown(first) + " has");
  const std::array<Shape, 2> batches = {a.batch, b.batch};
  const std::optional<double> batch = broadcast_elements(2, [&](std::size_t i) { return batches[i]; });
  if (!batch) d.fail(key::input_mat2, "batches of " + shown(second) + " do not broadcast with those of input_mat1 " + shown(first));
  if (d.failed()) return {};
  const double first_batch = product(a.batch), second_batch = product(b.batch);
  if (first_batch == *batch || second_batch == *batch) write_product(d, first_batch == *batch ? a.batch : b.batch, a.rows, b.columns);
  return {*batch, first_batch, second_batch, a.rows, b.columns, a.columns, second_batch == 1};
}

// input_shape [..., K] and weight_shape [N, K] or the number of output features, as layers write it.
ProductSizes from_layer(Derivation& d) {
  const Shape input = d.operand(d.input_key(), 0, 1);
  const bool has_weight = d.has_operand(key::weight_shape, 1);
  const Shape weight = has_weight ? d.operand(key::weight_shape, 1, 2) : Shape{};
  double n = 1;
  if (!has_weight) n = d.has(key::output_channels) ? d.whole(key::output_channels) : d.whole(key::n);
  if (d.failed()) return {};
  const double k = input.back(), rows = product(input.first(input.size() - 1));
  if (has_weight) {
    const std::size_t rank = weight.size();
    n = weight[rank - 2];
    if (weight[rank - 1] != k || product(weight.first(rank - 2)) != 1)
      d.fail(key::weight_shape, shown(weight) + ": expected [N, " + plain(k) + "], the last being the last of the input");
  }
  if (input.size() > 1) write_product(d, input.first(input.size() - 2), input[input.size() - 2], n);
  if (d.has(key::k) && d.whole(key::k) != k)
    d.fail(key::k, "is " + plain(d.whole(key::k)) + ": expected " + plain(k) + ", the last of the input");
  return {1, 1, 1, rows, n, k, true};
}

// m, n, k and batch, as calculators write it. Batches of a layer share its weight, batches of a product do not.
ProductSizes from_numbers(Derivation& d, bool layer) {
  const double m = d.whole(key::m, 1), n = d.whole(key::n), k = d.whole(key::k), batch = d.whole(key::batch, 1);
  return layer ? ProductSizes{batch, batch, 1, m, n, k, true} : products(m, n, k, batch);
}

struct Bias {
  double weight = 0, activation = 0;  // elements
};

// A bias that varies along N only is a parameter; one with rows of its own (the C of BLAS) is an activation.
Bias from_shape(Derivation& d, Key key, Shape shape, const ProductSizes& s) {
  if (d.failed() || shape.empty()) return {1, 0};
  const double columns = shape.back(), rows = product(shape.first(shape.size() - 1));
  if ((columns != 1 && columns != s.n) || (rows != 1 && rows != s.m && rows != s.batch && rows != s.m * s.batch))
    d.fail(key, shown(shape) + " does not broadcast to the product, " + plain(s.batch * s.m) + " rows of " + plain(s.n));
  return rows == 1 ? Bias{columns, 0} : Bias{0, rows * columns};
}

using BackwardFormulas = WorkFormulas<"B B1 B2 M N K w bw ba gi gw", FormulaOf<&Work::matrix_flops, "2 * B * M * N * K * (gi + gw)">,
                                      FormulaOf<&Work::weight, "w * B2 * K * N * (gi + gw)">,
                                      FormulaOf<&Work::activation, "B * M * N + gw * B1 * M * K + gi * (1 - w) * B2 * K * N">,
                                      FormulaOf<&Work::output, "gi * B1 * M * K + gw * (1 - w) * B2 * K * N">>;

Result<Work> derive(const Record& record, Trace* trace, Flavour flavour, bool backward) {
  Derivation d(record, trace);
  const std::size_t listed = record.shape_count(key::inputs);
  const bool bias_listed = listed > 2;
  const bool bias_first = bias_listed && flavour == Flavour::addmm;  // aten::addmm; the Gemm of ONNX lists it last
  const bool layer = flavour == Flavour::linear;

  ProductSizes s;
  Key blame = key::input_mat1;
  if (d.has(key::input_mat1) || d.has(key::input_mat2) || (listed > 1 && !layer)) {
    s = from_matrices(d, bias_first ? 1 : 0);
  } else if (flavour != Flavour::addmm && d.has_operand(d.input_key(), 0)) {
    s = from_layer(d);
    blame = d.input_key();
  } else if (d.has(key::m) || d.has(key::n) || d.has(key::k)) {
    s = from_numbers(d, layer);
    blame = key::n;
  } else {
    d.missing(key::input_mat1, "expected input_mat1 and input_mat2, or input_shape and weight_shape, or m, n and k");
  }
  // The matrix is the weight, whichever side of the vector it is on: (A x)' = x' A'.
  if (flavour == Flavour::gemv && s.n == 1 && s.m > 1) {
    std::swap(s.m, s.n);
    std::swap(s.first_batch, s.second_batch);
    s.shared_weight = s.second_batch == 1;
  }

  Bias bias;
  if (blame == key::input_mat1 && (d.has(key::input_input) || bias_listed))
    bias = from_shape(d, key::input_input, d.operand(key::input_input, bias_first ? 0 : 2), s);
  else if (record[key::bias].kind == Value::Kind::list)
    bias = from_shape(d, key::bias, d.shape(key::bias), s);
  else if (d.flag(key::bias, flavour == Flavour::addmm || (layer && bias_listed)))
    bias.weight = s.n;
  if (d.failed()) return d.fault();

  const double w = s.shared_weight ? 1 : 0;
  const OpSizes kept = s.sizes();
  if (!backward)
    return d.finish<ProductFormulas>({s.batch, s.first_batch, s.second_batch, s.m, s.n, s.k, w, bias.weight, bias.activation}, blame, kept);
  const Derivation::Gradients g = d.gradients();
  return d.finish<BackwardFormulas>(
      {s.batch, s.first_batch, s.second_batch, s.m, s.n, s.k, w, bias.weight, bias.activation, g.input, g.weight}, blame,
      g.count() > 1 ? OpSizes()
      : g.input > 0 ? OpSizes{kept.m, s.k, s.n, kept.batch}
                    : OpSizes{s.k, s.n, kept.m, kept.batch});
}

constexpr Parameter parameters[] = {
    {"input_mat1", "[batch..., M, K]", "or inputs, input_shape or m n k"},
    {"input_mat2", "[batch..., K, N]; batches broadcast", "or inputs, weight_shape or m n k"},
    {"input_input", "the bias: [N], or anything that broadcasts to the product", "addmm: N elements; otherwise none"},
    {"transpose_a", "true where input_mat1 is [..., K, M]", "false"},
    {"transpose_b", "true where input_mat2 is [..., N, K]", "false"},
    {"input_shape", "[..., K], for a layer", "or input_mat1"},
    {"weight_shape", "[N, K], for a layer; or its N as output_channels", "or input_mat2"},
    {"m", "rows", "1"},
    {"n", "columns", "or shapes"},
    {"k", "inner dimension", "or shapes"},
    {"batch", "products; of a linear layer: groups of m rows that share the weight", "1"},
    {"bias", "true, or its shape", "addmm: true; otherwise false"},
};

constexpr Parameter backward_parameters[] = {
    {"input_mat1", "[batch..., M, K], as for the product itself", "or inputs, input_shape or m n k"},
    {"input_mat2", "[batch..., K, N]; batches broadcast", "or inputs, weight_shape or m n k"},
    {"grad_input", "gi: false where the gradient of the first matrix is not wanted", "true"},
    {"grad_weight", "gw: false where the gradient of the second is not wanted", "true"},
    {"transpose_a", "true where input_mat1 is [..., K, M]", "false"},
    {"transpose_b", "true where input_mat2 is [..., N, K]", "false"},
    {"input_shape", "[..., K], for a layer", "or input_mat1"},
    {"weight_shape", "[N, K], for a layer; or its N as output_channels", "or input_mat2"},
    {"m", "rows", "1"},
    {"n", "columns", "or shapes"},
    {"k", "inner dimension", "or shapes"},
    {"batch", "products; of a linear layer: groups of m rows that share the weight", "1"},
};

constexpr std::string_view matmul_names[] = {"mm",          "gemm",          "bmm",           "batchmatmul", "batchedmatmul",
                                             "batchgemm",   "batchedgemm",   "dot",           "dotgeneral",  "matrixmultiply",
                                             "matmulnbits", "qlinearmatmul", "matmulinteger", "cublasgemm",  "sgemm",
                                             "hgemm",       "igemm",         "scaledmm",      "intmm"};
constexpr std::string_view addmm_names[] = {"baddbmm", "addbmm", "gemmbias", "matmuladd", "matmulbias"};
constexpr std::string_view linear_names[] = {"fullyconnected", "fc", "dense", "innerproduct", "qlinear"};
constexpr std::string_view gemv_names[] = {"mv", "matvec", "matrixvector", "sgemv", "hgemv"};

constexpr std::string_view matmul_backward_names[] = {"mmbackward", "bmmbackward", "gemmbackward", "addmmbackward", "baddbmmbackward"};
constexpr std::string_view linear_backward_names[] = {"fullyconnectedbackward", "densebackward"};

constexpr std::string_view backward_note =
    "The gradients of the first matrix (gi) and of the second (gw), each as much work as the product. The gradient of the result is read "
    "once. Gradients of weights count with the weights: a larger batch does not enlarge them. A bias' gradient, a sum, is not part of it.";

constexpr Operator list[] = {
    {"matmul", "Matrix product", OpFamily::matrix_product, Symbol::circle, matmul_names, parameters, ProductFormulas::formulas,
     "A second matrix without batches of its own is a weight (w = 1), a batched one an activation (w = 0).",
     derive_as<derive, Flavour::matmul, false>},
    {"addmm", "Matrix product with bias", OpFamily::matrix_product, Symbol::circle, addmm_names, parameters, ProductFormulas::formulas,
     "The bias is read, but adding it costs no FLOPs of its own. One that varies along N only is a weight (bw), one with rows an "
     "activation (ba).",
     derive_as<derive, Flavour::addmm, false>},
    {"linear", "Linear layer", OpFamily::matrix_product, Symbol::circle, linear_names, parameters, ProductFormulas::formulas,
     "weight_shape is [N, K]. All rows share the weight, batches too.", derive_as<derive, Flavour::linear, false>},
    {"gemv", "Matrix-vector product", OpFamily::matrix_product, Symbol::circle, gemv_names, parameters, ProductFormulas::formulas,
     "The matrix is the weight, whichever operand it is; M is 1.", derive_as<derive, Flavour::gemv, false>},
    {"matmul_backward", "Matrix product, backward", OpFamily::matrix_product, Symbol::circle, matmul_backward_names, backward_parameters,
     BackwardFormulas::formulas, backward_note, derive_as<derive, Flavour::matmul, true>},
    {"linear_backward", "Linear layer, backward", OpFamily::matrix_product, Symbol::circle, linear_backward_names, backward_parameters,
     BackwardFormulas::formulas, backward_note, derive_as<derive, Flavour::linear, true>},
};

}  // namespace

std::span<const Operator> families::matrix_product() { return list; }

}  // namespace roofline
