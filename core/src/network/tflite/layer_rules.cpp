// Products, convolutions, pooling, norms, resizing. Images are [N, spatial..., C], weights [Co, kernel..., Ci] unless it says otherwise.
#include <algorithm>

#include "network/tflite/rules.hpp"

namespace roofline::tflite {
namespace {

/// Options of windows: the slots of strides and dilations, in the order of the spatial dimensions.
struct WindowSlots {
  std::initializer_list<std::uint64_t> stride, dilation;
};
constexpr std::uint64_t width = 1, height = 2;  // of the strides of two-dimensional windows

work::Window window_of(const Operation& op, const WindowSlots& slots) {
  work::Window out;
  for (const std::uint64_t slot : slots.stride) out.stride.push_back(std::max(1, op.options().number<std::int32_t>(slot, 1)));
  for (const std::uint64_t slot : slots.dilation) out.dilation.push_back(std::max(1, op.options().number<std::int32_t>(slot, 1)));
  return out;
}

/// Both are [N, spatial..., C] with as many dimensions as the weights.
bool fits(const Lengths& input, const Lengths& weight, const Lengths& output, SizedNode& out, std::size_t rank) {
  if (input.size() == rank && weight.size() == rank && output.size() == rank) return true;
  out.not_counted = "the shapes of its tensors are not as the operator has them";
  return false;
}

void convolve(const Operation& op, SizedNode& out, const Lengths& weight, work::Window window, double groups) {
  const Lengths input = channels_first(op.shape(0)), output = channels_first(op.out());
  window.groups = groups;
  window.bias = op.has(2);
  work::pad_between(window, input, tail(weight, 2), output);
  work::convolution(out, input, weight, output, window, false, op.types());
}

void conv_2d(const Operation& op, const OperatorRule&, SizedNode& out) {
  if (!fits(op.shape(0), op.shape(1), op.out(), out, 4)) return;
  const Lengths weight = channels_first(op.shape(1));
  convolve(op, out, weight, window_of(op, {{height, width}, {5, 4}}), weight[1] > 0 ? op.length(0, 3) / weight[1] : 1);
}

/// Weights [1, kernel..., Co].
void depthwise_conv_2d(const Operation& op, const OperatorRule&, SizedNode& out) {
  if (!fits(op.shape(0), op.shape(1), op.out(), out, 4)) return;
  convolve(op, out, {op.length(1, 3), 1, op.length(1, 1), op.length(1, 2)}, window_of(op, {{height, width}, {6, 5}}), op.length(0, 3));
}

/// Weights [kernel..., Ci / groups, Co].
void conv_3d(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths& w = op.shape(1);
  if (!fits(op.shape(0), w, op.out(), out, 5)) return;
  convolve(op, out, {w[4], w[3], w[0], w[1], w[2]}, window_of(op, {{1, 3, 2}, {5, 7, 6}}), w[3] > 0 ? op.length(0, 4) / w[3] : 1);
}

/// Inputs: the output's shape, weights, image, bias. `weight`: [Ci, Co, kernel...].
void deconvolve(const Operation& op, SizedNode& out, const Lengths& weight, work::Window window) {
  const Lengths input = channels_first(op.shape(2)), output = channels_first(op.out());
  window.bias = op.has(3);
  work::pad_between(window, input, tail(weight, 2), output, true);
  work::convolution(out, input, weight, output, window, true, op.types(2, 1));
}

void transpose_conv(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths& w = op.shape(1);
  if (fits(op.shape(2), w, op.out(), out, 4)) deconvolve(op, out, {w[3], w[0], w[1], w[2]}, window_of(op, {{height, width}, {}}));
}

/// Weights [kernel..., Co, Ci].
void conv_3d_transpose(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths& w = op.shape(1);
  if (fits(op.shape(2), w, op.out(), out, 5)) deconvolve(op, out, {w[4], w[3], w[0], w[1], w[2]}, window_of(op, {{1, 3, 2}, {5, 7, 6}}));
}

void pool(const Operation& op, const OperatorRule&, SizedNode& out) {
  if (!fits(op.shape(0), op.shape(0), op.out(), out, 4)) return;
  const Lengths input = channels_first(op.shape(0)), output = channels_first(op.out());
  const Lengths kernel{static_cast<double>(op.options().number<std::int32_t>(4, 1)),
                       static_cast<double>(op.options().number<std::int32_t>(3, 1))};
  work::Window window = window_of(op, {{height, width}, {}});
  work::pad_between(window, input, kernel, output);
  work::pool(out, input, kernel, output, window, op.types(0, 0));
}

/// Everything in front of the last k elements counts as rows.
void fully_connected(const Operation& op, const OperatorRule&, SizedNode& out) {
  const double n = op.length(1, 0), k = op.length(1, 1);
  if (op.shape(1).size() != 2 || !(k > 0)) {
    out.not_counted = "the shapes of its tensors are not as the operator has them";
    return;
  }
  Lengths input = op.shape(0);
  if (input.empty() || input.back() != k) input = {op.elements(0) / k, k};
  if (op.is_constant(1))
    work::linear(out, input, n, k, op.has(2), op.types());
  else
    work::matrix_product(out, {op.elements(0) / k, k}, {k, n}, op.types());
}

void batch_matmul(const Operation& op, const OperatorRule&, SizedNode& out) {
  work::matrix_product(out, transposed(op.shape(0), op.options().flag(0)), transposed(op.shape(1), op.options().flag(1)), op.types());
}

/// Over the last dimension.
void norm(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  const Lengths& shape = op.shape(0);
  work::norm(out, rule.as, shape, shape.empty() ? Lengths() : Lengths{shape.back()}, op.types(0, op.has(1) ? 1 : 0));
}
void group_norm(const Operation& op, const OperatorRule&, SizedNode& out) {
  work::norm(out, "group_norm", channels_first(op.shape(0)), {}, op.types(0, op.has(1) ? 1 : 0));
}

void resize(const Operation& op, const OperatorRule& rule, SizedNode& out) {
  work::resize(out, rule.as, channels_first(op.shape(0)), channels_first(op.out()), op.type(0));
}

/// Queries, keys and values are [batch, tokens, heads, size].
void attention(const Operation& op, const OperatorRule&, SizedNode& out) {
  const Lengths &query = op.shape(0), &key = op.shape(1), &value = op.shape(2);
  if (query.size() != 4 || key.size() != 4 || value.size() != 4) {
    out.not_counted = "the shapes of its tensors are not as the operator has them";
    return;
  }
  work::attention(out, {query[0], query[2], key[2], query[3], value[3], query[1], key[1]}, op.types(0, 0));
}

void rms_norm(const Operation& op, const OperatorRule&, SizedNode& out) { norm(op, {0, {}, nullptr, "rms_norm"}, out); }
void layer_norm(const Operation& op, const OperatorRule&, SizedNode& out) { norm(op, {0, {}, nullptr, "layer_norm"}, out); }

constexpr OperatorRule layers_table[] = {
    {1, "AVERAGE_POOL_2D", pool},
    {3, "CONV_2D", conv_2d},
    {4, "DEPTHWISE_CONV_2D", depthwise_conv_2d},
    {9, "FULLY_CONNECTED", fully_connected},
    {11, "L2_NORMALIZATION", norm, "rms_norm", Fusing::follows},
    {12, "L2_POOL_2D", pool},
    {13, "LOCAL_RESPONSE_NORMALIZATION", norm, "rms_norm", Fusing::follows},
    {17, "MAX_POOL_2D", pool},
    {23, "RESIZE_BILINEAR", resize, "linear"},
    {67, "TRANSPOSE_CONV", transpose_conv},
    {97, "RESIZE_NEAREST_NEIGHBOR", resize, "nearest"},
    {126, "BATCH_MATMUL", batch_matmul},
    {132, "CONV_3D", conv_3d},
    {141, "CONV_3D_TRANSPOSE", conv_3d_transpose},
};

constexpr std::pair<std::string_view, WorkRule> named[] = {{"odml.scaled_dot_product_attention", attention},
                                                           {"odml.rms_norm", rms_norm},
                                                           {"odml.layer_norm", layer_norm},
                                                           {"odml.group_norm", group_norm}};

}  // namespace

std::span<const OperatorRule> layer_rules() { return layers_table; }

WorkRule find_named(std::string_view name) {
  const auto found = std::find_if(std::begin(named), std::end(named), [&](const auto& row) { return row.first == name; });
  return found == std::end(named) ? nullptr : found->second;
}

}  // namespace roofline::tflite
