// Products, convolutions, pooling, norms, attention, recurrent layers. Images are [N, C, spatial...].
#include <algorithm>
#include <cmath>

#include "network/openvino/rules.hpp"
#include "network/recurrent/recurrent.hpp"

namespace roofline::openvino {
namespace {

constexpr const char* wrong_shapes = "the shapes of its tensors are not as the layer has them";

// --- windows ----------------------------------------------------------------------------------------------------------------------------

Lengths per_dimension(const Layer& layer, std::string_view attribute, std::size_t spatial, double otherwise) {
  Lengths out = layer.numbers(attribute);
  out.resize(spatial, otherwise);
  for (double& number : out)
    if (!(number >= 0 && number <= longest)) number = otherwise;
  return out;
}

/// Of same_upper, same_lower and valid, the lengths of the images tell the padding.
bool pads_are_stated(const Layer& layer) {
  const std::string_view automatic = layer.text("auto_pad", "explicit");
  return automatic == "explicit" || automatic == "notset" || automatic == "EXPLICIT";
}

work::Window window_of(const LayerSizes& n, const Lengths& kernel, bool transposed, std::size_t data = 0) {
  const Layer& layer = n.layer();
  const std::size_t spatial = kernel.size();
  work::Window out;
  out.stride = per_dimension(layer, "strides", spatial, 1);
  out.dilation = per_dimension(layer, "dilations", spatial, 1);
  for (Lengths* of : {&out.stride, &out.dilation})
    for (double& step : *of) step = std::max(1.0, step);
  out.before = per_dimension(layer, "pads_begin", spatial, 0);
  out.after = per_dimension(layer, "pads_end", spatial, 0);
  if (!pads_are_stated(layer)) work::pad_between(out, n.shape(data), kernel, n.out().shape, transposed);
  return out;
}

/// A convolution's weights as [Co, Ci / groups, kernel...], a transposed one's as [Ci, Co / groups, kernel...].
struct Kernel {
  Lengths weight;
  double groups = 1;
  [[nodiscard]] Lengths spatial() const { return tail(weight, 2); }
};

/// Empty weights: they do not fit.
Kernel kernel_of(const LayerSizes& n) {
  Kernel out{n.shape(1)};
  if (n.layer().type.starts_with("Group") && !out.weight.empty()) {
    out.groups = out.weight[0];
    out.weight.erase(out.weight.begin());
    if (!out.weight.empty()) out.weight[0] *= out.groups;
  }
  if (out.weight.size() != n.shape(0).size() || out.weight.size() < 3) out.weight.clear();
  return out;
}

void convolution(LayerSizes& n) {
  const Kernel kernel = kernel_of(n);
  const Lengths& in = n.shape(0);
  if (kernel.weight.empty()) return;
  const work::Window w = window_of(n, kernel.spatial(), false);
  Lengths out{in[0], kernel.weight[0]};
  for (std::size_t i = 2; i < in.size(); ++i) {
    const double reach = w.dilation[i - 2] * (kernel.weight[i] - 1) + 1, stride = w.stride[i - 2];
    const std::string_view automatic = n.layer().text("auto_pad");
    out.push_back(automatic.starts_with("same") ? std::ceil(in[i] / stride)
                  : automatic == "valid"        ? std::floor((in[i] - reach) / stride) + 1
                                                : std::floor((in[i] + w.before[i - 2] + w.after[i - 2] - reach) / stride) + 1);
  }
  n.follow(0, out);
}

void convolution_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  const Kernel kernel = kernel_of(n);
  if (kernel.weight.empty() || n.out().shape.size() != n.shape(0).size()) {
    out.not_counted = wrong_shapes;
    return;
  }
  work::Window window = window_of(n, kernel.spatial(), false);
  window.groups = kernel.groups;
  work::convolution(out, n.shape(0), kernel.weight, n.out().shape, window, false, n.types());
}

/// The output's lengths may be given as a third input, whose values the XML does not have.
void transposed_convolution(LayerSizes& n) {
  const Kernel kernel = kernel_of(n);
  const Lengths& in = n.shape(0);
  if (kernel.weight.empty()) return;
  Lengths out{in[0], kernel.weight[1] * kernel.groups};
  const work::Window w = window_of(n, kernel.spatial(), true);
  const Lengths beyond = per_dimension(n.layer(), "output_padding", in.size() - 2, 0);
  for (std::size_t i = 2; i < in.size(); ++i)
    out.push_back(n.has(2) || !pads_are_stated(n.layer()) ? unknown
                                                          : (in[i] - 1) * w.stride[i - 2] + w.dilation[i - 2] * (kernel.weight[i] - 1) + 1 +
                                                                beyond[i - 2] - w.before[i - 2] - w.after[i - 2]);
  n.follow(0, out);
}

void transposed_convolution_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  const Kernel kernel = kernel_of(n);
  if (kernel.weight.empty() || n.out().shape.size() != n.shape(0).size()) {
    out.not_counted = wrong_shapes;
    return;
  }
  work::Window window = window_of(n, kernel.spatial(), true);
  if (n.has(2)) work::pad_between(window, n.shape(0), kernel.spatial(), n.out().shape, true);
  window.groups = kernel.groups;
  work::convolution(out, n.shape(0), kernel.weight, n.out().shape, window, true, n.types());
}

void pool(LayerSizes& n) {
  const Lengths& in = n.shape(0);
  if (in.size() < 3) return;
  const Lengths kernel = per_dimension(n.layer(), "kernel", in.size() - 2, 1);
  const work::Window w = window_of(n, kernel, false);
  Lengths out{in[0], in[1]};
  for (std::size_t i = 2; i < in.size(); ++i) {
    const double steps = (in[i] + w.before[i - 2] + w.after[i - 2] - w.dilation[i - 2] * (kernel[i - 2] - 1) - 1) / w.stride[i - 2];
    const std::string_view automatic = n.layer().text("auto_pad");
    out.push_back(automatic.starts_with("same")                         ? std::ceil(in[i] / w.stride[i - 2])
                  : n.layer().text("rounding_type").starts_with("ceil") ? std::ceil(steps) + 1
                                                                        : std::floor(steps) + 1);
  }
  n.follow_all(out);
}

void pool_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  if (n.shape(0).size() < 3) {
    out.not_counted = wrong_shapes;
    return;
  }
  const Lengths kernel = per_dimension(n.layer(), "kernel", n.shape(0).size() - 2, 1);
  work::pool(out, n.shape(0), kernel, n.out().shape, window_of(n, kernel, false), n.types(0, 0));
}

void image_of_first(LayerSizes& n) {
  if (n.shape(0).size() >= 2) {
    Lengths out(n.out().shape.size(), unknown);
    for (std::size_t i = 0; i < 2 && i < out.size(); ++i) out[i] = n.shape(0)[i];
    n.follow_all(out);
  }
}
void adaptive_pool_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::global_pool(out, n.shape(0), n.out().shape, n.types(0, 0));
}

void interpolate_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::resize(out, n.layer().text("mode", "nearest"), n.shape(0), n.out().shape, n.in(0).type);
}

// --- products ---------------------------------------------------------------------------------------------------------------------------

struct Product {
  Lengths a, b;  ///< [..., M, K], [..., K, N]
};

Product product_of(const LayerSizes& n) {
  return {transposed(n.shape(0), n.layer().flag("transpose_a")), transposed(n.shape(1), n.layer().flag("transpose_b"))};
}

void matmul(LayerSizes& n) {
  const Product p = product_of(n);
  if (p.a.size() < 2 || p.b.size() < 2) return;
  Lengths out = broadcast(p.a, p.b);
  out[out.size() - 2] = p.a[p.a.size() - 2];
  out[out.size() - 1] = p.b.back();
  n.follow(0, out);
}

void matmul_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  Product p = product_of(n);
  // One that is open only on one side of the product is that of the other.
  if (p.a.size() >= 2 && p.b.size() >= 2 && !known(p.a.back())) p.a.back() = p.b[p.b.size() - 2];
  if (p.a.size() >= 2 && p.b.size() >= 2 && !known(p.b[p.b.size() - 2])) p.b[p.b.size() - 2] = p.a.back();
  if (n.in(1).constant && p.b.size() == 2)
    work::linear(out, p.a, p.b[1], p.b[0], false, n.types());
  else
    work::matrix_product(out, p.a, p.b, n.types());
}

/// As the plugins write it: weights [N, K], the product over the last length.
void fully_connected_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::linear(out, n.shape(0), n.length(1, 0), n.length(1, -1), false, n.types());
}
void fully_connected(LayerSizes& n) {
  Lengths out = n.shape(0);
  if (!out.empty()) out.back() = n.length(1, 0);
  n.follow(0, out);
}

// --- norms ------------------------------------------------------------------------------------------------------------------------------

template <bool affine = true>
void channel_norm(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  const Lengths& shape = n.out().shape;  // the older of batch norms has the data behind its scale and shift
  const bool image = shape.size() > 2;
  work::norm(out, image ? rule.as : "layer_norm", shape, image ? Lengths() : Lengths(shape.end() - (shape.empty() ? 0 : 1), shape.end()),
             n.types(0, 0), {}, affine);
}
template <bool affine = true>
void last_norm(const LayerSizes& n, const LayerRule& rule, SizedNode& out) {
  work::norm(out, rule.as, n.shape(0), {n.length(0, -1)}, n.types(0, 0), {}, affine);
}

// --- attention --------------------------------------------------------------------------------------------------------------------------

/// Queries [batch..., heads, tokens, size], likewise keys and values.
void attention(LayerSizes& n) {
  Lengths out = n.shape(0);
  if (!out.empty()) out.back() = n.length(2, -1);
  n.follow(0, out);
}

void attention_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  const Lengths& query = n.shape(0);
  if (query.size() < 3 || n.shape(1).size() < 3 || n.shape(2).size() < 3) {
    out.not_counted = wrong_shapes;
    return;
  }
  const bool heads = query.size() > 3;
  const double batch = elements_of(Lengths(query.begin(), query.end() - (heads ? 3 : 2)));
  work::attention(
      out,
      {batch, heads ? n.length(0, -3) : 1, heads ? n.length(1, -3) : 1, n.length(0, -1), n.length(2, -1), n.length(0, -2), n.length(1, -2)},
      n.types(0, 0));
}

/// Queries, keys and values [tokens, heads * size]; the cache of keys is [blocks, kv_heads, ...]. How many tokens are attended to, a run
/// decides.
void paged_attention(LayerSizes& n) { n.follow(0, {n.length(0, 0), n.length(0, 1)}); }

void paged_attention_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  const double kv_heads = n.length(3, 1), size = n.length(1, 1) / kv_heads;
  work::attention(out, {1, n.length(0, 1) / size, kv_heads, size, n.length(2, 1) / kv_heads, n.length(0, 0), n.context()}, n.types(0, 0));
}

/// Queries [batch, heads, tokens, size], keys and values of new tokens, those of earlier ones. What comes out second are the keys of all
/// that are attended to: of a cache of fixed length, all of its places.
void grouped_attention(LayerSizes& n) {
  n.follow(0, {n.length(0, 0), n.length(0, 2), n.length(0, 1) * n.length(0, 3)});
  for (std::size_t i = 1; i < 3; ++i) n.follow(i, {n.length(1, 0), n.length(1, 1), n.length(1, 2) + n.length(3, 2), n.length(1, 3)});
}

void grouped_attention_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  const Lengths& keys = n.out(1).shape;
  const work::AttentionSizes s{
      n.length(0, 0), n.length(0, 1), n.length(1, 1), n.length(0, 3), n.length(2, 3), n.length(0, 2), keys.size() == 4 ? keys[2] : unknown};
  work::attention(out, s, n.types(0, 0));
  if (n.layer().flag("do_rotary") && !out.records.empty()) work::rotation(out, s, n.in(0).type);
}

// --- recurrent layers -------------------------------------------------------------------------------------------------------------------

/// X [batch, steps, input], states [batch, directions, hidden]. `weight`: the input that has W, [directions, gates * hidden, input]; R,
/// [directions, gates * hidden, hidden], is the next one.
void sequence(LayerSizes& n) {
  const double batch = n.length(0, 0), steps = n.length(0, 1), directions = n.length(1, 1), hidden = n.length(1, 2);
  n.follow(0, {batch, directions, steps, hidden});
  for (std::size_t i = 1; i < n.outputs(); ++i) n.follow(i, {batch, directions, hidden});
}

template <std::size_t weight>
void sequence_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::RecurrentSizes s;
  s.rows = n.length(0, 0) * n.length(0, 1);
  s.input = n.length(weight, 2);
  s.state = n.length(weight + 1, 2);
  s.gate_outputs = n.length(weight, 0) * n.length(weight, 1);
  if (n.has(weight + 2)) s.biases = elements_of(n.shape(weight + 2));
  s.output_elements = s.rows * n.length(weight, 0) * s.state;
  work::recurrent(out, s, n.types(0, weight), "products");
}

void cell(LayerSizes& n) { n.follow_all(n.shape(1)); }
/// One step: W [gates * hidden, input], then R.
template <std::size_t weight>
void cell_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::RecurrentSizes s;
  s.rows = n.length(0, 0);
  s.input = n.length(weight, 1);
  s.state = n.length(weight + 1, 1);
  s.gate_outputs = n.length(weight, 0);
  if (n.has(weight + 2)) s.biases = elements_of(n.shape(weight + 2));
  s.output_elements = s.rows * s.state;
  s.reads_state = true;
  work::recurrent(out, s, n.types(0, weight), "products");
}

// --- regions ----------------------------------------------------------------------------------------------------------------------------

void region_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::resize(out, "linear", n.out().shape, n.out().shape, n.in(0).type);
}
void grid_sample_work(const LayerSizes& n, const LayerRule&, SizedNode& out) {
  work::resize(out, n.layer().text("mode", "bilinear"), n.out().shape, n.out().shape, n.in(0).type, n.shape(1));
}

constexpr LayerRule layers_table[] = {
    {"Convolution", convolution, convolution_work},
    {"GroupConvolution", convolution, convolution_work},
    {"BinaryConvolution", convolution, convolution_work},
    {"ConvolutionBackpropData", transposed_convolution, transposed_convolution_work},
    {"GroupConvolutionBackpropData", transposed_convolution, transposed_convolution_work},
    {"MatMul", matmul, matmul_work},
    {"FullyConnected", fully_connected, fully_connected_work},
    {"FullyConnectedCompressed", fully_connected, fully_connected_work},
    {"ScaledDotProductAttention", attention, attention_work},
    {"GroupQueryAttention", grouped_attention, grouped_attention_work},
    {"PagedAttentionExtension", paged_attention, paged_attention_work},
    {"MaxPool", pool, pool_work},
    {"AvgPool", pool, pool_work},
    {"AdaptiveAvgPool", image_of_first, adaptive_pool_work},
    {"AdaptiveMaxPool", image_of_first, adaptive_pool_work},
    {"Interpolate", image_of_first, interpolate_work},
    {"BatchNormInference", as_first, channel_norm<>, "batch_norm", Fusing::follows},
    {"BatchNormInferenceV5", as_first, channel_norm<>, "batch_norm", Fusing::follows},
    {"MVN", as_first, channel_norm<false>, "group_norm", Fusing::follows},
    {"GroupNormalization", as_first, channel_norm<>, "group_norm", Fusing::follows},
    {"NormalizeL2", as_first, last_norm<false>, "rms_norm", Fusing::follows},
    {"RMS", as_first, last_norm<>, "rms_norm", Fusing::follows},
    {"GRN", as_first, last_norm<false>, "rms_norm", Fusing::follows},
    {"LRN", as_first, last_norm<false>, "rms_norm", Fusing::follows},
    {"LSTMSequence", sequence, sequence_work<4>},
    {"GRUSequence", sequence, sequence_work<3>},
    {"RNNSequence", sequence, sequence_work<3>},
    {"LSTMCell", cell, cell_work<3>},
    {"GRUCell", cell, cell_work<2>},
    {"RNNCell", cell, cell_work<2>},
    {"ROIAlign", nullptr, region_work},
    {"ROIPooling", nullptr, region_work},
    {"PSROIPooling", nullptr, region_work},
    {"GridSample", nullptr, grid_sample_work},
};

}  // namespace

std::span<const LayerRule> layer_rules() { return layers_table; }

}  // namespace roofline::openvino
