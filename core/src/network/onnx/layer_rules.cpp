// Products, convolutions, pooling, norms, resizing and recurrent layers.
#include <algorithm>
#include <cmath>
#include <map>

#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

constexpr std::size_t no_input = 1000;

// --- windows ----------------------------------------------------------------------------------------------------------------------------

/// What slides over an image: its kernel, where it starts and how it steps.
struct Sliding {
  Lengths kernel;
  work::Window window;
  Lengths output;  ///< spatial lengths
};

Lengths per_dimension(const NodeSizes& n, std::string_view attribute, std::size_t spatial, double otherwise) {
  Lengths out = n.node().numbers(attribute);
  out.resize(spatial, otherwise);
  return out;
}

Sliding slide(const NodeSizes& n, const Lengths& input, Lengths kernel, bool pool) {
  Sliding s;
  if (input.size() < 2) return s;
  const std::size_t spatial = input.size() - 2;
  s.kernel = std::move(kernel);
  s.kernel.resize(spatial, 1);
  s.window.stride = per_dimension(n, "strides", spatial, 1);
  s.window.dilation = per_dimension(n, "dilations", spatial, 1);
  const Lengths pads = per_dimension(n, "pads", 2 * spatial, 0);
  const std::string_view automatic = n.node().text("auto_pad", "NOTSET");
  const bool round_up = pool && n.flag("ceil_mode");
  for (std::size_t i = 0; i < spatial; ++i) {
    const double in = input[i + 2], stride = s.window.stride[i], reach = s.window.dilation[i] * (s.kernel[i] - 1) + 1;
    double before = pads[i], after = pads[i + spatial], out = unknown;
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      out = std::ceil(in / stride);
      const double both = std::max(0.0, (out - 1) * stride + reach - in), less = std::floor(both / 2);
      before = automatic == "SAME_UPPER" ? less : both - less;
      after = both - before;
    } else {
      if (automatic == "VALID") before = after = 0;
      const double steps = (in + before + after - reach) / stride;
      out = (round_up ? std::ceil(steps) : std::floor(steps)) + 1;
      if (round_up && (out - 1) * stride >= in + before) --out;  // a window that would start in the padding
    }
    s.window.before.push_back(before);
    s.window.after.push_back(after);
    s.output.push_back(known(out) ? std::max(0.0, out) : unknown);
  }
  return s;
}

Lengths tail(const Lengths& shape, std::size_t from) {
  return shape.size() < from ? Lengths() : Lengths(shape.begin() + static_cast<std::ptrdiff_t>(from), shape.end());
}

Lengths image(double batch, double channels, const Lengths& spatial) {
  Lengths out{batch, channels};
  out.insert(out.end(), spatial.begin(), spatial.end());
  return out;
}

bool is_image(const Lengths* shape) { return shape && shape->size() >= 2; }

/// `at`: the input that has the weights.
std::optional<Sliding> convolving(const NodeSizes& n, std::size_t at, std::size_t bias) {
  const Lengths *input = n.shape(0), *weight = n.shape(at);
  if (!is_image(input) || !weight || weight->size() != input->size()) return std::nullopt;
  Sliding s = slide(n, *input, tail(*weight, 2), false);
  s.window.groups = n.number("group", 1);
  s.window.bias = n.has(bias);
  return s;
}

template <std::size_t weight = 1, std::size_t bias = 2>
void conv(NodeSizes& n) {
  if (const auto s = convolving(n, weight, bias)) n.set(0, image(n.lengths(0)[0], n.lengths(weight)[0], s->output));
}

template <std::size_t weight = 1, std::size_t bias = 2>
void conv_work(const NodeSizes& n, SizedNode& out) {
  if (const auto s = convolving(n, weight, bias))
    work::convolution(out, n.lengths(0), n.lengths(weight), n.out_lengths(0), s->window, false, types_of(n, weight));
}

/// Of integers: what is written has the type of its zero point, or is the sum itself.
void qlinear_conv(NodeSizes& n) {
  conv<3, 8>(n);
  n.set_type(0, n.type(7));
}
void conv_integer(NodeSizes& n) {
  conv<1, no_input>(n);
  n.set_type(0, element_type("int32"));
}

/// Of a transposed convolution the lengths of the output, and the padding that makes them.
std::optional<Sliding> transposed_convolving(const NodeSizes& n) {
  const Lengths *input = n.shape(0), *weight = n.shape(1);
  if (!is_image(input) || !weight || weight->size() != input->size()) return std::nullopt;
  const std::size_t spatial = input->size() - 2;
  Sliding s;
  s.kernel = tail(*weight, 2);
  s.window.stride = per_dimension(n, "strides", spatial, 1);
  s.window.dilation = per_dimension(n, "dilations", spatial, 1);
  s.window.groups = n.number("group", 1);
  s.window.bias = n.has(2);
  const Lengths pads = per_dimension(n, "pads", 2 * spatial, 0), beyond = per_dimension(n, "output_padding", spatial, 0),
                given = n.node().numbers("output_shape");
  const std::string_view automatic = n.node().text("auto_pad", "NOTSET");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  for (std::size_t i = 0; i < spatial; ++i) {
    const double in = (*input)[i + 2], stride = s.window.stride[i], reach = s.window.dilation[i] * (s.kernel[i] - 1) + 1;
    const double whole = stride * (in - 1) + beyond[i] + reach;
    double before = pads[i], after = pads[i + spatial], out = whole - before - after;
    const bool stated = given.size() >= spatial;
    if (stated || same) {
      out = stated ? given[given.size() - spatial + i] : in * stride;
      const double both = std::max(0.0, whole - out);
      before = std::floor(both / 2);
      after = both - before;
    }
    s.window.before.push_back(before);
    s.window.after.push_back(after);
    s.output.push_back(out);
  }
  return s;
}

void conv_transpose(NodeSizes& n) {
  if (const auto s = transposed_convolving(n)) n.set(0, image(n.lengths(0)[0], n.lengths(1)[1] * s->window.groups, s->output));
}

void conv_transpose_work(const NodeSizes& n, SizedNode& out) {
  if (const auto s = transposed_convolving(n))
    work::convolution(out, n.lengths(0), n.lengths(1), n.out_lengths(0), s->window, true, types_of(n));
}

void pool(NodeSizes& n) {
  if (n.outputs() > 1) n.set_type(1, element_type("int64"));
  if (!is_image(n.shape(0))) return;
  const Sliding s = slide(n, n.lengths(0), n.node().numbers("kernel_shape"), true);
  n.set(0, image(n.lengths(0)[0], n.lengths(0)[1], s.output));
  n.set(1, image(n.lengths(0)[0], n.lengths(0)[1], s.output));
}

void pool_work(const NodeSizes& n, SizedNode& out) {
  const Sliding s = slide(n, n.lengths(0), n.node().numbers("kernel_shape"), true);
  work::pool(out, n.lengths(0), s.kernel, n.out_lengths(0), s.window, types_of(n, 0));
}

void global_pool(NodeSizes& n) {
  if (is_image(n.shape(0))) n.set(0, image(n.lengths(0)[0], n.lengths(0)[1], Lengths(n.shape(0)->size() - 2, 1)));
}

void global_pool_work(const NodeSizes& n, SizedNode& out) { work::global_pool(out, n.lengths(0), n.out_lengths(0), types_of(n, 0)); }

// --- products ---------------------------------------------------------------------------------------------------------------------------

/// A matrix with its last two dimensions swapped.
Lengths transposed(Lengths shape, bool is) {
  if (is && shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

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
  const bool is_bias = added.empty() || elements(added) == p->b[1];  // one number for each column
  if (n.is_constant(second) && is_bias)
    work::linear(out, p->a, p->b[1], p->b[0], n.has(bias), types_of(n, second));
  else
    work::matrix_product(out, p->a, p->b, types_of(n, second), {}, added);
}
void qgemm(NodeSizes& n) {
  gemm<3>(n);
  n.set_type(0, n.has(8) ? n.type(8) : element_type("fp32"));
}

/// The lengths of an equation's letters; empty where it cannot be followed.
std::map<char, double> letters(const NodeSizes& n, std::string_view equation) {
  std::map<char, double> out;
  std::size_t input = 0, axis = 0;
  for (const char c : equation) {
    if (c == ' ') continue;
    if (c == '-' || c == '.') break;
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

/// Without spaces, and with letters of their own for the dimensions that "..." stands for.
std::string plain_equation(const NodeSizes& n) {
  std::string terms;
  for (const char c : n.node().text("equation", ""))
    if (c != ' ') terms += c;
  const std::size_t dots = terms.find("...");
  if (dots == std::string::npos || !n.shape(0)) return terms;
  const std::size_t term = std::count(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(dots), ',');
  const std::size_t begin = terms.rfind(',', dots) == std::string::npos ? 0 : terms.rfind(',', dots) + 1;
  const std::size_t end = std::min(terms.find_first_of(",-", dots), terms.size());
  const std::size_t rank = n.shape(term) ? n.shape(term)->size() : 0, named = end - begin - 3;
  std::string letters;
  for (char letter = 'A'; letter <= 'Z' && letters.size() + named < rank; ++letter)
    if (terms.find(letter) == std::string::npos) letters += letter;
  for (std::size_t at = terms.find("..."); at != std::string::npos; at = terms.find("...")) terms.replace(at, 3, letters);
  return terms;
}

void einsum(NodeSizes& n) {
  const std::string equation = plain_equation(n);
  const auto lengths = letters(n, equation);
  std::string result;
  if (const std::size_t arrow = equation.find("->"); arrow != std::string::npos)
    result = equation.substr(arrow + 2);
  else
    for (const auto& [letter, length] : lengths)
      if (std::count(equation.begin(), equation.end(), letter) == 1) result += letter;
  Lengths out;
  for (const char letter : result) {
    const auto found = lengths.find(letter);
    out.push_back(found == lengths.end() ? unknown : found->second);
  }
  n.set(0, std::move(out));
}

void einsum_work(const NodeSizes& n, SizedNode& out) {
  std::vector<Lengths> inputs;
  for (std::size_t i = 0; i < n.inputs(); ++i)
    if (n.shape(i)) inputs.push_back(n.lengths(i));
  if (inputs.size() == 1)
    work::movement(out, "copy", inputs, n.out_lengths(0), n.type(0));
  else if (inputs.size() == 2)
    work::einsum(out, plain_equation(n), inputs, types_of(n));
  else
    out.not_counted = "a sum over " + std::to_string(inputs.size()) + " operands: two are counted";
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
  work::norm(out, "rms_norm", n.lengths(0), tail(n.lengths(0), n.shape(0)->size() - 1), types_of(n, 0));
}

// --- resizing ---------------------------------------------------------------------------------------------------------------------------

void resize(NodeSizes& n) {
  const Lengths* shape = n.shape(0);
  if (!shape) return;
  Lengths out = *shape;
  const bool old = n.node().is("Upsample") || n.opset() < 11;
  const Values attribute = n.node().numbers("scales");
  const Values* scales = !attribute.empty() ? &attribute : n.values(old ? 1 : 2);
  const Values* sizes = old ? nullptr : n.values(3);
  const Values axes = n.node().numbers("axes");
  const auto axis_of = [&](std::size_t i) {
    const double at = axes.empty() ? static_cast<double>(i) : axes[i] < 0 ? axes[i] + static_cast<double>(out.size()) : axes[i];
    return at >= 0 && at < static_cast<double>(out.size()) ? static_cast<std::size_t>(at) : out.size();
  };
  const std::size_t resized = axes.empty() ? out.size() : axes.size();
  const auto use = [&](const Values* list) { return list && list->size() == resized; };
  if (use(sizes)) {
    const std::string_view policy = n.node().text("keep_aspect_ratio_policy", "stretch");
    double factor = unknown;
    for (std::size_t i = 0; i < resized && policy != "stretch"; ++i) {
      if (axis_of(i) == out.size()) continue;
      const double own = (*sizes)[i] / (*shape)[axis_of(i)];
      factor = !known(factor) ? own : policy == "not_larger" ? std::min(factor, own) : std::max(factor, own);
    }
    for (std::size_t i = 0; i < resized; ++i)
      if (axis_of(i) < out.size()) out[axis_of(i)] = policy == "stretch" ? (*sizes)[i] : std::round((*shape)[axis_of(i)] * factor);
  } else if (use(scales)) {
    for (std::size_t i = 0; i < resized; ++i)
      if (axis_of(i) < out.size()) out[axis_of(i)] = std::floor((*shape)[axis_of(i)] * (*scales)[i]);
  } else {
    for (std::size_t i = 2; i < out.size(); ++i) out[i] = unknown;
  }
  n.set(0, std::move(out));
}

void resize_work(const NodeSizes& n, SizedNode& out) {
  work::resize(out, n.node().text("mode", "nearest"), n.lengths(0), n.out_lengths(0), n.type(0));
}

// --- recurrent layers -------------------------------------------------------------------------------------------------------------------

/// X [steps, batch, input], W [directions, gates * hidden, input], R [directions, gates * hidden, hidden].
void recurrent(NodeSizes& n) {
  const bool batch_first = n.flag("layout");
  const double steps = n.length(0, batch_first ? 1 : 0), batch = n.length(0, batch_first ? 0 : 1), directions = n.length(1, 0),
               hidden = n.length(2, 2);
  if (!n.shape(0)) return;
  n.set(0, batch_first ? Lengths{batch, steps, directions, hidden} : Lengths{steps, directions, batch, hidden});
  for (std::size_t i = 1; i < n.outputs(); ++i) {
    n.set(i, batch_first ? Lengths{batch, directions, hidden} : Lengths{directions, batch, hidden});
    n.set_type(i, n.type(0));
  }
}

/// Each step multiplies the input and the last state by the weights, which a layer that keeps them near reads once.
void recurrent_work(const NodeSizes& n, SizedNode& out) {
  const double rows = n.length(0, 0) * n.length(0, 1);
  const double outputs = n.length(1, 0) * n.length(1, 1), inner = n.length(1, 2) + n.length(2, 2);
  work::linear(out, {rows, inner}, outputs, inner, n.has(3), types_of(n), "products");
}

// --- regions of images ------------------------------------------------------------------------------------------------------------------

void roi_align(NodeSizes& n) { n.set(0, {n.length(1, 0), n.length(0, 1), n.number("output_height", 1), n.number("output_width", 1)}); }
void roi_align_work(const NodeSizes& n, SizedNode& out) { work::resize(out, "linear", n.out_lengths(0), n.out_lengths(0), n.type(0)); }

void grid_sample(NodeSizes& n) {
  if (!is_image(n.shape(0)) || !is_image(n.shape(1))) return;
  n.set(0, image(n.length(0, 0), n.length(0, 1), Lengths(n.shape(1)->begin() + 1, n.shape(1)->end() - 1)));
}
void grid_sample_work(const NodeSizes& n, SizedNode& out) {
  work::resize(out, n.node().text("mode", "linear"), n.lengths(0), n.out_lengths(0), n.type(0));
}

constexpr OperatorRule layers_table[] = {
    {"Conv", conv<>, conv_work<>},
    {"ConvTranspose", conv_transpose, conv_transpose_work},
    {"FusedConv", conv<>, conv_work<>},
    {"QLinearConv", qlinear_conv, conv_work<3, 8>},
    {"ConvInteger", conv_integer, conv_work<1, no_input>},
    {"MaxPool", pool, pool_work},
    {"AveragePool", pool, pool_work},
    {"LpPool", pool, pool_work},
    {"GlobalAveragePool", global_pool, global_pool_work},
    {"GlobalMaxPool", global_pool, global_pool_work},
    {"GlobalLpPool", global_pool, global_pool_work},
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
    {"MeanVarianceNormalization", as_first, group_norm_work, Fusing::follows},
    {"LpNormalization", as_first, lrn_work, Fusing::follows},
    {"LRN", as_first, lrn_work, Fusing::follows},
    {"Resize", resize, resize_work},
    {"Upsample", resize, resize_work},
    {"LSTM", recurrent, recurrent_work, Fusing::none, true},
    {"GRU", recurrent, recurrent_work, Fusing::none, true},
    {"RNN", recurrent, recurrent_work, Fusing::none, true},
    {"RoiAlign", roi_align, roi_align_work},
    {"GridSample", grid_sample, grid_sample_work},
};

}  // namespace

std::span<const OperatorRule> layer_rules() { return layers_table; }

}  // namespace roofline::onnx
