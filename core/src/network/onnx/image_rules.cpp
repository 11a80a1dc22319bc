// Convolutions, pooling, resizing and regions of images.
#include <algorithm>
#include <cmath>

#include "network/onnx/rules.hpp"
#include "network/work.hpp"

namespace roofline::onnx {
namespace {

// --- layouts ----------------------------------------------------------------------------------------------------------------------------

/// onnxruntime's quantised operators may have images as [N, spatial..., C]; their weights stay [Co, Ci / groups, kernel...]:
/// onnxruntime/core/graph/contrib_ops/nhwc_schema_defs.cc.
bool is_channels_last(const NodeSizes& n) { return n.flag("channels_last") || n.node().node->type.starts_with("Nhwc"); }

/// The weights as [Co, Ci / groups, kernel...]; NhwcConv and NhwcFusedConv may have the channels behind the kernel.
Lengths weight_shape(const NodeSizes& n, std::size_t at) {
  Lengths out = n.lengths(at);
  const double channels = n.length(0, -1) / n.number("group", 1);
  if (n.node().node->type.starts_with("Nhwc") && out.size() > 2 && out[1] != channels && out.back() == channels)
    std::rotate(out.begin() + 1, out.end() - 1, out.end());
  return out;
}

Lengths channels_first(const NodeSizes& n, Lengths shape) {
  if (is_channels_last(n) && shape.size() > 2) std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
  return shape;
}

/// Input 0 and output 0 as [N, C, spatial...].
Lengths input_image(const NodeSizes& n) { return channels_first(n, n.lengths(0)); }
Lengths output_image(const NodeSizes& n) { return channels_first(n, n.out_lengths(0)); }

/// `shape`: [N, C, spatial...].
void set_image(NodeSizes& n, Lengths shape) {
  if (is_channels_last(n) && shape.size() > 2) std::rotate(shape.begin() + 1, shape.begin() + 2, shape.end());
  n.set(0, std::move(shape));
}

// --- windows ----------------------------------------------------------------------------------------------------------------------------

/// What slides over an image: its kernel, where it starts and how it steps.
struct SlidingWindow {
  Lengths kernel;
  work::Window window;
  Lengths output;  ///< spatial lengths
};

Lengths per_dimension(const NodeSizes& n, std::string_view attribute, std::size_t spatial, double otherwise) {
  Lengths out = n.node().numbers(attribute);
  out.resize(spatial, otherwise);
  return out;
}

/// Its kernel and its steps alone.
SlidingWindow window_without_padding(const NodeSizes& n, Lengths kernel, std::size_t spatial) {
  SlidingWindow s;
  s.kernel = std::move(kernel);
  s.kernel.resize(spatial, 1);
  s.window.stride = per_dimension(n, "strides", spatial, 1);
  s.window.dilation = per_dimension(n, "dilations", spatial, 1);
  return s;
}

bool pads_as(const NodeSizes& n, std::string_view how) { return n.node().text("auto_pad", "NOTSET") == how; }
bool pads_to_same_size(const NodeSizes& n) { return pads_as(n, "SAME_UPPER") || pads_as(n, "SAME_LOWER"); }

/// Sets the padding and the output.
void set_padding_and_output(const NodeSizes& n, const Lengths& input, bool round_up, SlidingWindow& s) {
  const std::size_t spatial = s.kernel.size();
  const Lengths pads = per_dimension(n, "pads", 2 * spatial, 0);
  const bool same = pads_to_same_size(n), upper = pads_as(n, "SAME_UPPER");
  for (std::size_t i = 0; i < spatial; ++i) {
    const double in = input[i + 2], stride = s.window.stride[i], reach = s.window.dilation[i] * (s.kernel[i] - 1) + 1;
    double before = pads[i], after = pads[i + spatial], out = unknown;
    if (same) {
      out = std::ceil(in / stride);
      const double both = std::max(0.0, (out - 1) * stride + reach - in), less = std::floor(both / 2);
      before = upper ? less : both - less;
      after = both - before;
    } else {
      if (pads_as(n, "VALID")) before = after = 0;
      const double steps = (in + before + after - reach) / stride;
      out = (round_up ? std::ceil(steps) : std::floor(steps)) + 1;
      if (round_up && (out - 1) * stride >= in + before) --out;  // a window that would start in the padding
    }
    s.window.before.push_back(before);
    s.window.after.push_back(after);
    s.output.push_back(known(out) ? std::max(0.0, out) : unknown);
  }
}

Lengths image(double batch, double channels, const Lengths& spatial) {
  Lengths out{batch, channels};
  out.insert(out.end(), spatial.begin(), spatial.end());
  return out;
}

bool is_image(const Lengths* shape) { return shape && shape->size() >= 2; }

/// `at`: the input that has the weights.
std::optional<SlidingWindow> kernel_of(const NodeSizes& n, std::size_t at, std::size_t bias) {
  const Lengths *input = n.shape(0), *weight = n.shape(at);
  if (!is_image(input) || !weight || weight->size() != input->size()) return std::nullopt;
  SlidingWindow s = window_without_padding(n, tail(weight_shape(n, at), 2), input->size() - 2);
  s.window.groups = n.number("group", 1);
  s.window.bias = n.has(bias);
  return s;
}
std::optional<SlidingWindow> convolution_window(const NodeSizes& n, std::size_t at, std::size_t bias) {
  std::optional<SlidingWindow> s = kernel_of(n, at, bias);
  if (s) set_padding_and_output(n, input_image(n), false, *s);
  return s;
}

template <std::size_t weight = 1, std::size_t bias = 2>
void conv(NodeSizes& n) {
  if (const auto s = convolution_window(n, weight, bias)) set_image(n, image(n.lengths(0)[0], n.lengths(weight)[0], s->output));
}

/// `added`: the input that is added to the result, of its shape: the Z of FusedConv, the Sum of com.microsoft.nchwc's Conv.
template <std::size_t weight = 1, std::size_t bias = 2, std::size_t added = no_input>
void conv_work(const NodeSizes& n, SizedNode& out) {
  const auto s = convolution_window(n, weight, bias);
  if (!s) return;
  work::convolution(out, input_image(n), weight_shape(n, weight), output_image(n), s->window, false, types_of(n, weight));
  if (n.has(added)) add_to_kernel(out, elements_of(n.out_lengths(0)), elements_of(n.lengths(added)));
}

/// Each weight reads between the pixels, where the offsets (input 2) say, times the mask (input 4).
void deformable_conv_work(const NodeSizes& n, SizedNode& out) {
  conv_work<1, 3>(n, out);
  const double samples = n.length(0, 1) * elements_of(tail(n.lengths(1), 2)) * n.length(0, 0) * elements_of(tail(n.out_lengths(0), 2));
  constexpr double flops = 7;  // a bilinear sample: 4 products, 3 sums
  add_to_kernel(out, samples * (n.has(4) ? flops + 1 : flops), elements_of(n.lengths(2)) + (n.has(4) ? elements_of(n.lengths(4)) : 0));
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
std::optional<SlidingWindow> transposed_window(const NodeSizes& n) {
  std::optional<SlidingWindow> of = kernel_of(n, 1, 2);
  if (!of) return of;
  SlidingWindow& s = *of;
  const std::size_t spatial = s.kernel.size();
  const Lengths pads = per_dimension(n, "pads", 2 * spatial, 0), beyond = per_dimension(n, "output_padding", spatial, 0),
                given = n.node().numbers("output_shape");
  const bool same = pads_to_same_size(n);
  for (std::size_t i = 0; i < spatial; ++i) {
    const double in = n.lengths(0)[i + 2], stride = s.window.stride[i], reach = s.window.dilation[i] * (s.kernel[i] - 1) + 1;
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
  return of;
}

void conv_transpose(NodeSizes& n) {
  if (const auto s = transposed_window(n)) n.set(0, image(n.lengths(0)[0], n.lengths(1)[1] * s->window.groups, s->output));
}

void conv_transpose_work(const NodeSizes& n, SizedNode& out) {
  if (const auto s = transposed_window(n))
    work::convolution(out, n.lengths(0), n.lengths(1), n.out_lengths(0), s->window, true, types_of(n));
}

SlidingWindow pooling_window(const NodeSizes& n) {
  const Lengths input = input_image(n);
  SlidingWindow s = window_without_padding(n, n.node().numbers("kernel_shape"), input.size() < 2 ? 0 : input.size() - 2);
  set_padding_and_output(n, input, n.flag("ceil_mode"), s);
  return s;
}

void pool(NodeSizes& n) {
  if (n.outputs() > 1) n.set_type(1, element_type("int64"));
  if (!is_image(n.shape(0))) return;
  const Lengths input = input_image(n), out = image(input[0], input[1], pooling_window(n).output);
  set_image(n, out);
  n.set(1, out);  // the indices of MaxPool, which is always channels-first
}

void pool_work(const NodeSizes& n, SizedNode& out) {
  const SlidingWindow s = pooling_window(n);
  work::pool(out, input_image(n), s.kernel, output_image(n), s.window, types_of(n, 0));
}

void global_pool(NodeSizes& n) {
  if (!is_image(n.shape(0))) return;
  const Lengths input = input_image(n);
  set_image(n, image(input[0], input[1], Lengths(input.size() - 2, 1)));
}

void global_pool_work(const NodeSizes& n, SizedNode& out) { work::global_pool(out, input_image(n), output_image(n), types_of(n, 0)); }

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

// --- regions of images ------------------------------------------------------------------------------------------------------------------

void roi_align(NodeSizes& n) { n.set(0, {n.length(1, 0), n.length(0, 1), n.number("output_height", 1), n.number("output_width", 1)}); }
void roi_align_work(const NodeSizes& n, SizedNode& out) { work::resize(out, "linear", n.out_lengths(0), n.out_lengths(0), n.type(0)); }

void grid_sample(NodeSizes& n) {
  if (!is_image(n.shape(0)) || !is_image(n.shape(1))) return;
  n.set(0, image(n.length(0, 0), n.length(0, 1), Lengths(n.shape(1)->begin() + 1, n.shape(1)->end() - 1)));
}
void grid_sample_work(const NodeSizes& n, SizedNode& out) {
  work::resize(out, n.node().text("mode", "linear"), n.lengths(0), n.out_lengths(0), n.type(0), n.lengths(1));
}

constexpr OperatorRule image_table[] = {
    {"Conv", conv<>, conv_work<1, 2, 3>},
    {"ConvTranspose", conv_transpose, conv_transpose_work},
    {"FusedConv", conv<>, conv_work<1, 2, 3>},
    {"NhwcFusedConv", conv<>, conv_work<1, 2, 3>},
    {"NhwcConv", conv<>, conv_work<>},
    {"DeformConv", conv<1, 3>, deformable_conv_work},
    {"QLinearConv", qlinear_conv, conv_work<3, 8>},
    {"ConvInteger", conv_integer, conv_work<1, no_input>},
    {"MaxPool", pool, pool_work},
    {"NhwcMaxPool", pool, pool_work},
    {"AveragePool", pool, pool_work},
    {"QLinearAveragePool", pool, pool_work},
    {"LpPool", pool, pool_work},
    {"GlobalAveragePool", global_pool, global_pool_work},
    {"QLinearGlobalAveragePool", global_pool, global_pool_work},
    {"GlobalMaxPool", global_pool, global_pool_work},
    {"GlobalLpPool", global_pool, global_pool_work},
    {"Resize", resize, resize_work},
    {"Upsample", resize, resize_work},
    {"RoiAlign", roi_align, roi_align_work},
    {"GridSample", grid_sample, grid_sample_work},
};

}  // namespace

std::span<const OperatorRule> image_rules() { return image_table; }

}  // namespace roofline::onnx
