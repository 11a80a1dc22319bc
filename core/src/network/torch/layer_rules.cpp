// Products, convolutions, pooling, norms, resizing and recurrent layers.
#include <algorithm>
#include <cmath>

#include "network/recurrent/recurrent.hpp"
#include "network/torch/rules.hpp"
#include "network/work.hpp"

namespace roofline::torch_export {
namespace {

// --- convolutions and pooling -----------------------------------------------------------------------------------------------------------

/// An image with its batch: PyTorch takes one without.
Lengths batched(const Lengths& image, std::size_t rank) {
  Lengths out = image;
  if (out.size() + 1 == rank) out.insert(out.begin(), 1);
  return out;
}

/// `as`: "transposed" of an operator that is so by its name.
void convolution(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const Lengths& weight = c.shape("weight");
  if (weight.size() < 3) return;
  const std::size_t spatial = weight.size() - 2;
  work::Window window;
  window.stride = c.list("stride", spatial, 1);
  window.dilation = c.list("dilation", spatial, 1);
  window.before = window.after = c.list("padding", spatial, 0);
  if (c.text("padding") == "same")
    for (std::size_t i = 0; i < spatial; ++i) {
      const double both = window.dilation[i] * (weight[i + 2] - 1);
      window.before[i] = std::floor(both / 2);
      window.after[i] = both - window.before[i];
    }
  window.groups = c.number("groups", 1);
  window.bias = c.has("bias");
  const Lengths input = batched(c.shape(c.has("input") ? "input" : "self"), weight.size());
  work::convolution(out, input, weight, batched(c.out(), weight.size()), window, rule.as == "transposed" || c.flag("transposed"),
                    types(c, c.has("input") ? "input" : "self", "weight"));
}

void pool(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const std::size_t spatial = static_cast<std::size_t>(rule.operands), rank = spatial + 2;
  const Lengths kernel = c.list("kernel_size", spatial, 1);
  work::Window window;
  window.stride = c.list("stride").empty() ? kernel : c.list("stride", spatial, 1);
  window.dilation = c.list("dilation", spatial, 1);
  window.before = window.after = c.list("padding", spatial, 0);
  work::pool(out, batched(c.shape("self"), rank), kernel, batched(c.out(), rank), window, types(c, "self", "self"));
}

void adaptive_pool(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const auto rank = static_cast<std::size_t>(rule.operands) + 2;
  work::global_pool(out, batched(c.shape("self"), rank), batched(c.out(), rank), types(c, "self", "self"));
}

// --- products ---------------------------------------------------------------------------------------------------------------------------

Lengths matrix(const Lengths& shape, bool first) { return shape.size() == 1 ? first ? Lengths{1, shape[0]} : Lengths{shape[0], 1} : shape; }

/// A product with a weight of two dimensions is a linear layer, unless a whole matrix is added to it.
void multiply(const SizedCall& c, std::string_view a, std::string_view b, std::string_view added, SizedNode& out,
              bool transpose_second = false) {
  const Lengths first = matrix(c.shape(a), true), second = transposed(matrix(c.shape(b), false), transpose_second);
  const bool by_vector = c.shape(b).size() == 1;
  const Lengths sum = !c.has(added) ? Lengths() : by_vector ? matrix(c.shape(added), false) : c.shape(added);
  const bool is_bias = !c.has(added) || (second.size() == 2 && elements_of(sum) == second[1]);  // one number for each column
  if (c.is_constant(b) && second.size() == 2 && is_bias)
    work::linear(out, first, second[1], second[0], c.has(added), types(c, a, b));
  else
    work::matrix_product(out, first, second, types(c, a, b), {}, sum);
}

void matmul(const SizedCall& c, const Rule&, SizedNode& out) {
  multiply(c, "self", c.has("mat2") ? "mat2" : c.has("vec") ? "vec" : c.has("tensor") ? "tensor" : "other", {}, out);
}
/// Sums over the last dimension of both.
void inner(const SizedCall& c, const Rule&, SizedNode& out) { multiply(c, "self", "other", {}, out, c.shape("other").size() > 1); }
void addmm(const SizedCall& c, const Rule&, SizedNode& out) { multiply(c, "mat1", "mat2", "self", out); }
void addmv(const SizedCall& c, const Rule&, SizedNode& out) { multiply(c, "mat", "vec", "self", out); }
void baddbmm(const SizedCall& c, const Rule&, SizedNode& out) { multiply(c, "batch1", "batch2", "self", out); }
/// The products of all batches are added up, as in one whose inner length is that of all batches.
void addbmm(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths &first = c.shape("batch1"), &second = c.shape("batch2");
  if (first.size() != 3 || second.size() != 3) return;
  const double inner = first[0] * first[2];
  work::matrix_product(out, {first[1], inner}, {inner, second[2]}, types(c, "batch1", "batch2"), {}, c.shape("self"));
}
void scaled_mm(const SizedCall& c, const Rule&, SizedNode& out) { multiply(c, "self", "mat2", "bias", out); }

void linear(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths& weight = c.shape("weight");
  const double n = weight.size() == 2 ? weight[0] : 1;
  if (!weight.empty()) work::linear(out, c.shape("input"), n, weight.back(), c.has("bias"), types(c, "input", "weight"));
}

void einsum(const SizedCall& c, const Rule&, SizedNode& out) {
  std::vector<Lengths> inputs;
  std::vector<double> ranks;
  for (const TensorId id : c.tensors()) {
    inputs.push_back(c.shape_of(id));
    ranks.push_back(static_cast<double>(inputs.back().size()));
  }
  work::einsum(out, work::plain_equation(c.text("equation"), ranks, true), inputs, {c.type("tensors"), c.type("tensors", 1), c.out_type()});
}

/// Products over the dimensions that are named: a matrix of what is kept by what is summed over, times one of that by what is kept.
void tensordot(const SizedCall& c, const Rule&, SizedNode& out) {
  double summed = 1;
  for (const double dim : c.list("dims_self")) summed *= length(c.shape("self"), static_cast<int>(dim));
  work::matrix_product(out, {elements_of(c.shape("self")) / summed, summed}, {summed, elements_of(c.shape("other")) / summed},
                       types(c, "self", "other"));
}

/// Each row, or each column of the second, is multiplied by the matrix of its group. All groups' matrices are read.
void grouped_mm(const SizedCall& c, const Rule&, SizedNode& out) {
  const std::string_view b = c.has("mat2") ? "mat2" : "mat_b", a = c.has("self") ? "self" : "mat_a";
  const Lengths &first = c.shape(a), &second = c.shape(b);
  const auto bytes = [](const Lengths& shape, TensorType type) { return elements_of(shape) * type.bits / 8; };
  // [groups, m, k] x [k, n]: the columns of the second are divided among the groups.
  const bool columns = first.size() == 3 && second.size() == 2;
  work::stated(out, "experts", columns ? elements_of(c.out()) * length(first, -1) : elements_of(first) * length(second, -1),
               bytes(first, c.type(a)) + bytes(second, c.type(b)) + bytes(c.out(), c.out_type()), types(c, a, b));
}

// --- norms ------------------------------------------------------------------------------------------------------------------------------

void norm(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const char* input = c.has("input") ? "input" : "self";
  work::norm(out, rule.as, c.shape(input), rule.as == "layer_norm" || rule.as == "rms_norm" ? c.list("normalized_shape") : Lengths(),
             types(c, input, "weight"), {}, c.has("weight"));
}

// --- resizing ---------------------------------------------------------------------------------------------------------------------------

void resize(const SizedCall& c, const Rule& rule, SizedNode& out) {
  const TensorId input = c.tensors()[0];
  work::resize(out, rule.as, c.shape_of(input), c.out(), c.type_of(input));
}
/// Each point of the result is interpolated.
void sample(const SizedCall& c, const Rule& rule, SizedNode& out) {
  work::resize(out, rule.as, c.out(), c.out(), c.out_type(), c.shape("grid"));
}

// --- recurrent layers -------------------------------------------------------------------------------------------------------------------

double gates_of(std::string_view target) { return target.starts_with("lstm") ? 4 : target.starts_with("gru") ? 3 : 1; }

/// Rows of an input, or of the batch of a cell, with weights [gates * hidden, input] and [gates * hidden, state].
work::RecurrentSizes sizes_of(double rows, const Lengths& of_input, const Lengths& of_state, bool bias) {
  work::RecurrentSizes s;
  s.rows = rows;
  s.input = length(of_input, 1);
  s.state = length(of_state, 1);
  s.gate_outputs = length(of_input, 0);
  s.biases = bias ? 2 * s.gate_outputs : 0;
  s.output_elements = rows * s.state;
  return s;
}

/// The weights of each layer and direction: of the input [gates * hidden, input], of the last state [gates * hidden, state], two biases
/// where there are any, and a projection of the state where it is smaller. Each is read once, which a layer that keeps it near does.
void recurrent(const SizedCall& c, const Rule&, SizedNode& out) {
  const Argument* params = c.call().find("params");
  const TensorId input = c.tensors().empty() ? no_tensor : c.tensors()[0];
  if (!params || params->tensors.size() < 2 || c.shape_of(input).size() < 2) return;
  const Lengths& shape = c.shape_of(input);
  const double rows = elements_of(shape) / shape.back();
  const bool bias = c.flag("has_biases"), both = c.flag("bidirectional");
  const double directions = both ? 2 : 1;
  const auto layers = static_cast<std::size_t>(std::max(1.0, c.number("num_layers", 1) * directions));
  const std::size_t each = params->tensors.size() / layers;
  for (std::size_t at = 0; each >= 2 && at + each <= params->tensors.size(); at += each) {
    const Lengths &of_input = c.shape_of(params->tensors[at]), &of_state = c.shape_of(params->tensors[at + 1]);
    const work::Types types{c.type_of(input), c.type_of(params->tensors[at]), c.out_type()};
    const std::string part =
        "layer" + std::to_string(at / each / static_cast<std::size_t>(directions)) + (both && at / each % 2 == 1 ? "_reverse" : "");
    work::RecurrentSizes s = sizes_of(rows, of_input, of_state, bias);
    s.output_elements = rows * length(of_state, 0) / gates_of(c.call().target);
    work::recurrent(out, s, types, part);
    if (each == (bias ? 5U : 3U)) {
      const Lengths& projection = c.shape_of(params->tensors[at + each - 1]);
      work::linear(out, {rows, length(projection, 1)}, length(projection, 0), length(projection, 1), false, types, part + "_projection");
    }
  }
}

void recurrent_cell(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths& input = c.shape("input");
  work::RecurrentSizes s = sizes_of(input.size() == 2 ? input[0] : 1, c.shape("w_ih"), c.shape("w_hh"), c.has("b_ih"));
  s.reads_state = true;
  work::recurrent(out, s, types(c, "input", "w_ih"));
}

void mkldnn_recurrent(const SizedCall& c, const Rule&, SizedNode& out) {
  const Lengths& input = c.shape("input");
  if (input.empty()) return;
  work::recurrent(out, sizes_of(elements_of(input) / input.back(), c.shape("weight0"), c.shape("weight1"), c.flag("has_biases")),
                  types(c, "input", "weight0"));
}

constexpr Rule convolving(std::string_view target, std::string_view as = {}) { return {target, convolution, as}; }
constexpr Rule pooling(std::string_view target, int spatial, bool keeps_type = false) {
  return {target, pool, {}, spatial, Fusing::none, keeps_type};
}
constexpr Rule adaptive(std::string_view target, int spatial) { return {target, adaptive_pool, {}, spatial}; }
constexpr Rule norming(std::string_view target, std::string_view as) { return {target, norm, as, 1, Fusing::follows}; }
constexpr Rule resizing(std::string_view target, std::string_view as) { return {target, resize, as}; }

constexpr Rule layers_table[] = {
    convolving("convolution"),
    convolving("_convolution"),
    convolving("conv1d"),
    convolving("conv2d"),
    convolving("conv3d"),
    convolving("_conv_depthwise2d"),
    convolving("conv_depthwise3d"),
    convolving("mkldnn_convolution"),
    convolving("conv_transpose1d", "transposed"),
    convolving("conv_transpose2d", "transposed"),
    convolving("conv_transpose3d", "transposed"),
    pooling("max_pool1d", 1, true),
    pooling("max_pool2d", 2, true),
    pooling("max_pool3d", 3, true),
    pooling("max_pool1d_with_indices", 1, true),
    pooling("max_pool2d_with_indices", 2, true),
    pooling("max_pool3d_with_indices", 3, true),
    pooling("_low_memory_max_pool2d_with_offsets", 2, true),
    pooling("avg_pool1d", 1),
    pooling("avg_pool2d", 2),
    pooling("avg_pool3d", 3),
    adaptive("adaptive_avg_pool1d", 1),
    adaptive("adaptive_avg_pool2d", 2),
    adaptive("adaptive_avg_pool3d", 3),
    adaptive("_adaptive_avg_pool2d", 2),
    adaptive("_adaptive_avg_pool3d", 3),
    adaptive("adaptive_max_pool1d", 1),
    adaptive("adaptive_max_pool2d", 2),
    adaptive("adaptive_max_pool3d", 3),
    {"linear", linear},
    {"mm", matmul},
    {"bmm", matmul},
    {"matmul", matmul},
    {"mv", matmul},
    {"dot", matmul},
    {"vdot", matmul},
    {"inner", inner},
    {"linalg_matmul", matmul},
    {"_int_mm", matmul},
    {"addmm", addmm},
    {"_addmm_activation", addmm},
    {"addmv", addmv},
    {"baddbmm", baddbmm},
    {"addbmm", addbmm},
    {"_scaled_mm", scaled_mm},
    {"_grouped_mm", grouped_mm},
    {"_scaled_grouped_mm", grouped_mm},
    {"einsum", einsum},
    {"tensordot", tensordot},
    norming("layer_norm", "layer_norm"),
    norming("native_layer_norm", "layer_norm"),
    norming("rms_norm", "rms_norm"),
    norming("_fused_rms_norm", "rms_norm"),
    norming("batch_norm", "batch_norm"),
    norming("native_batch_norm", "batch_norm"),
    norming("cudnn_batch_norm", "batch_norm"),
    norming("miopen_batch_norm", "batch_norm"),
    norming("_native_batch_norm_legit", "batch_norm"),
    norming("_native_batch_norm_legit_no_training", "batch_norm"),
    norming("_native_batch_norm_legit_functional", "batch_norm"),
    norming("_batch_norm_no_update", "batch_norm"),
    norming("_batch_norm_with_update", "batch_norm"),
    norming("_batch_norm_with_update_functional", "batch_norm"),
    norming("group_norm", "group_norm"),
    norming("native_group_norm", "group_norm"),
    norming("instance_norm", "group_norm"),
    resizing("upsample_nearest1d", "nearest"),
    resizing("upsample_nearest2d", "nearest"),
    resizing("upsample_nearest3d", "nearest"),
    resizing("_upsample_nearest_exact1d", "nearest"),
    resizing("_upsample_nearest_exact2d", "nearest"),
    resizing("_upsample_nearest_exact3d", "nearest"),
    resizing("upsample_linear1d", "linear"),
    resizing("upsample_bilinear2d", "linear"),
    resizing("_upsample_bilinear2d_aa", "linear"),
    resizing("upsample_trilinear3d", "linear"),
    resizing("upsample_bicubic2d", "cubic"),
    resizing("_upsample_bicubic2d_aa", "cubic"),
    {"grid_sampler", sample, "linear"},
    {"grid_sampler_2d", sample, "linear"},
    {"grid_sampler_3d", sample, "linear"},
    {"torchvision.roi_align", sample, "linear"},
    {"lstm", recurrent},
    {"gru", recurrent},
    {"rnn_tanh", recurrent},
    {"rnn_relu", recurrent},
    {"lstm_cell", recurrent_cell},
    {"gru_cell", recurrent_cell},
    {"rnn_tanh_cell", recurrent_cell},
    {"rnn_relu_cell", recurrent_cell},
    {"mkldnn_rnn_layer", mkldnn_recurrent},
};

}  // namespace

std::span<const Rule> layer_rules() { return layers_table; }

}  // namespace roofline::torch_export
