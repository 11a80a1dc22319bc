#include <cmath>

#include "operators/families.hpp"
#include "operators/window.hpp"

namespace roofline {
namespace {

enum class Flavour : std::uint8_t { plain, depthwise, transposed, backward };

using Formulas = WorkFormulas<"N Ci Co g K Pi Po P b", FormulaOf<&Work::matrix_flops, "2 * N * P * Co * (Ci / g) * K">,
                              FormulaOf<&Work::weight, "Co * (Ci / g) * K + b * Co">, FormulaOf<&Work::activation, "N * Ci * Pi">,
                              FormulaOf<&Work::output, "N * Co * Po">>;
using BackwardFormulas =
    WorkFormulas<"N Ci Co g K Pi Po P b gi gw", FormulaOf<&Work::matrix_flops, "2 * N * P * Co * (Ci / g) * K * (gi + gw)">,
                 FormulaOf<&Work::weight, "Co * (Ci / g) * K * (gi + gw)">, FormulaOf<&Work::activation, "N * Co * Po + gw * N * Ci * Pi">,
                 FormulaOf<&Work::output, "gi * N * Ci * Pi">>;

// A convolution applies every kernel at each position of the output, a transposed one at each position of the input. So one formula
// serves both, with P as those positions.
Result<Work> derive(const Record& record, Trace* trace, Flavour flavour) {
  Derivation d(record, trace);
  const bool backward = flavour == Flavour::backward;
  if (backward) d.skip_inputs(1);
  const Image x = read_image(d);
  const std::size_t rank = x.spatial.size();
  const bool transposed = flavour == Flavour::transposed || d.flag(key::transposed, false);

  // Either the weight's own shape, [Co, Ci / g, kernel...] ([Ci, Co / g, kernel...] where transposed), or output_channels and kernel_size.
  const bool has_weight = d.has_operand(key::weight_shape, 1);
  const Shape weight = has_weight ? d.operand(key::weight_shape, 1, 3) : Shape{};
  if (d.failed()) return d.fault();
  if (has_weight && weight.size() != rank + 2)
    d.fail(key::weight_shape, shown(weight) + " has " + std::to_string(weight.size()) + " dimensions: expected " +
                                  std::to_string(rank + 2) + ", as many as the input");
  if (d.failed()) return d.fault();
  const PerDimension kernel =
      has_weight ? PerDimension{weight.subspan(2), 0} : d.per_dimension(key::kernel_size, rank, Derivation::Least::one);
  double groups = 1;
  if (d.has(key::groups))
    groups = d.whole(key::groups);
  else if (flavour == Flavour::depthwise)
    groups = x.channels;
  else if (has_weight && !transposed)
    groups = x.channels / weight[1];
  double out_channels = x.channels;  // what a depthwise convolution keeps
  if (has_weight)
    out_channels = transposed ? weight[1] * groups : weight[0];
  else if (d.has(key::output_channels) || flavour != Flavour::depthwise)
    out_channels = d.whole(key::output_channels);
  const Window w = read_window(d, kernel, rank, {{}, 1});
  const PerDimension output_padding = d.per_dimension(key::output_padding, rank, Derivation::Least::zero, 0);
  const bool bias_shape = d.record()[key::bias].kind == Value::Kind::list;
  const bool bias = bias_shape || d.flag(key::bias, false);
  if (bias_shape && product(d.shape(key::bias)) != out_channels)
    d.fail(key::bias,
           shown(d.record().list(key::bias)) + ": expected one number for each of the " + plain(out_channels) + " output channels");
  if (has_weight && std::trunc(groups) != groups)
    d.fail(key::weight_shape, shown(weight) + " has " + plain(weight[1]) + " input channels: expected a divisor of " + plain(x.channels));
  if (d.failed()) return d.fault();

  const double in_per_group = x.channels / groups, out_per_group = out_channels / groups;
  if (std::trunc(in_per_group) != in_per_group)
    d.fail(key::groups, "is " + plain(groups) + ": expected a divisor of the " + plain(x.channels) + " input channels");
  if (std::trunc(out_per_group) != out_per_group)
    d.fail(key::groups, "is " + plain(groups) + ": expected a divisor of the " + plain(out_channels) + " output channels");
  if (has_weight && weight[transposed ? 0 : 1] != (transposed ? x.channels : in_per_group))
    d.fail(key::weight_shape, shown(weight) + " has " + plain(weight[transposed ? 0 : 1]) + " input channels: expected " +
                                  plain(transposed ? x.channels : in_per_group));

  double volume = 1, outputs = 1;
  std::vector<double> written;
  if (d.traced()) written = {x.batch, out_channels};
  for (std::size_t i = 0; i < rank && !d.failed(); ++i) {
    volume *= kernel[i];
    const double length = transposed ? w.transposed_length(d, i, x.spatial[i], output_padding[i]) : w.positions(d, i, x.spatial[i]);
    outputs *= length;
    if (d.traced()) written.push_back(length);
  }
  d.output(written);
  const double inputs = product(x.spatial);
  const double positions = transposed ? inputs : outputs, b = bias ? 1 : 0;

  if (backward) {
    const Derivation::Gradients g = d.gradients();
    return d.finish<BackwardFormulas>({x.batch, x.channels, out_channels, groups, volume, inputs, outputs, positions, b, g.input, g.weight},
                                      d.input_key());
  }
  return d.finish<Formulas>({x.batch, x.channels, out_channels, groups, volume, inputs, outputs, positions, b}, d.input_key());
}

constexpr Parameter parameters[] = {
    {"input_shape", "[N, Ci, spatial...], any number of spatial dimensions", ""},
    {"output_channels", "Co", "from weight_shape; depthwise: Ci"},
    {"kernel_size", "a number, or one for each spatial dimension", "from weight_shape"},
    {"weight_shape", "[Co, Ci / g, kernel...]; transposed: [Ci, Co / g, kernel...]", "from output_channels and kernel_size"},
    {"stride", "a number, or one for each spatial dimension", "1"},
    {"padding", "a number; one for each spatial dimension; all befores, then all afters; [[before, after], ...]; SAME or VALID", "0"},
    {"dilation", "a number, or one for each spatial dimension", "1"},
    {"groups", "g, divides Ci and Co", "1; depthwise: Ci"},
    {"bias", "true where a bias of Co is added", "false"},
    {"transposed", "true for a transposed convolution", "false"},
    {"output_padding", "transposed: added to the output's length", "0"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr Parameter backward_parameters[] = {
    {"input_shape", "[N, Ci, spatial...]: the input of the convolution, not the gradient of its output", ""},
    {"output_channels", "Co", "from weight_shape"},
    {"kernel_size", "a number, or one for each spatial dimension", "from weight_shape"},
    {"weight_shape", "[Co, Ci / g, kernel...]; transposed: [Ci, Co / g, kernel...]", "from output_channels and kernel_size"},
    {"grad_input", "gi: false where the gradient of the input is not wanted", "true"},
    {"grad_weight", "gw: false where the gradient of the weights is not wanted", "true"},
    {"stride", "a number, or one for each spatial dimension", "1"},
    {"padding", "as for a convolution", "0"},
    {"dilation", "a number, or one for each spatial dimension", "1"},
    {"groups", "g, divides Ci and Co", "1"},
    {"transposed", "true for a transposed convolution", "false"},
    {"output_padding", "transposed: added to the output's length", "0"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr std::string_view names[] = {"convolution",
                                      "conv1d",
                                      "conv2d",
                                      "conv3d",
                                      "convnd",
                                      "conv2dnative",
                                      "fusedconv2d",
                                      "qlinearconv",
                                      "convinteger",
                                      "cudnnconvolution",
                                      "miopenconvolution",
                                      "mkldnnconvolution",
                                      "convolutionoverrideable",
                                      "pointwiseconv"};
constexpr std::string_view depthwise_names[] = {
    "depthwise", "depthwiseconv1d", "depthwiseconv2d", "depthwiseconv3d", "depthwiseconvolution", "depthwiseconv2dnative",
    "dwconv",    "dwconv2d",        "convdepthwise",   "convdepthwise2d", "convdepthwise3d",      "convdw"};
constexpr std::string_view transposed_names[] = {"convtranspose1d", "convtranspose2d", "convtranspose3d", "convolutiontranspose",
                                                 "transposedconv",  "transposeconv",   "transposeconv2d", "conv2dtranspose",
                                                 "conv3dtranspose", "conv1dtranspose", "deconv",          "deconv2d",
                                                 "deconvolution"};

constexpr std::string_view backward_names[] = {"convolutionbackward",
                                               "conv1dbackward",
                                               "conv2dbackward",
                                               "conv3dbackward",
                                               "cudnnconvolutionbackward",
                                               "miopenconvolutionbackward",
                                               "convolutionbackwardoverrideable"};

constexpr Operator list[] = {
    {"conv", "Convolution", OpFamily::convolution, Symbol::square, names, parameters, Formulas::formulas,
     "P is the number of positions the kernel is applied at: Po, or Pi where transposed. Adding the bias costs no FLOPs of its own.",
     derive_as<derive, Flavour::plain>},
    {"depthwise_conv", "Depthwise convolution", OpFamily::convolution, Symbol::square, depthwise_names, parameters, Formulas::formulas,
     "A convolution with one group per input channel.", derive_as<derive, Flavour::depthwise>},
    {"conv_transpose", "Transposed convolution", OpFamily::convolution, Symbol::square, transposed_names, parameters, Formulas::formulas,
     "The kernel is applied at every position of the input (P = Pi), whatever the stride.", derive_as<derive, Flavour::transposed>},
    {"conv_backward", "Convolution, backward", OpFamily::convolution, Symbol::square, backward_names, backward_parameters,
     BackwardFormulas::formulas,
     "The gradients of the input (gi) and of the weights (gw), each as much work as the convolution. The gradient of the output is read "
     "once. "
     "Gradients of weights count with the weights: a larger batch does not enlarge them. A bias' gradient, a sum, is not part of it.",
     derive_as<derive, Flavour::backward>},
};

}  // namespace

std::span<const Operator> families::convolution() { return list; }

}  // namespace roofline
