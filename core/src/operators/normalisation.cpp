#include <algorithm>
#include <cmath>

#include "operators/families.hpp"
#include "operators/window.hpp"

namespace roofline {
namespace {

// Over the last dimensions, normalized_shape: layer and RMS norm.
Result<Work> derive_trailing(const Record& record, Trace* trace, double per_element, double parameters) {
  Derivation d(record, trace);
  const Shape shape = d.input(1);
  const bool affine = d.flag(key::affine, true);
  if (d.failed()) return d.fault();
  Shape normalized = shape.last(1);
  if (d.has(key::normalized_shape)) {
    normalized = d.shape(key::normalized_shape, 1);
    if (!d.failed() &&
        (normalized.size() > shape.size() || !std::equal(normalized.begin(), normalized.end(), shape.end() - normalized.size())))
      d.fail(key::normalized_shape, shown(normalized) + ": expected the last dimensions of the input " + shown(shape));
  }
  const double elements = product(shape), width = product(normalized);
  d.symbol("E", elements);
  d.output(shape);
  d.symbol("H", width);
  d.symbol("a", affine ? 1 : 0);
  Work work;
  work.vector_flops = per_element * elements;
  work.weight = affine ? parameters * width : 0;
  work.activation = elements;
  work.output = elements;
  return d.finish(work, d.input_key());
}

Result<Work> derive_layer(const Record& record, Trace* trace) { return derive_trailing(record, trace, 7, 2); }
Result<Work> derive_rms(const Record& record, Trace* trace) { return derive_trailing(record, trace, 4, 1); }

// Per channel, [N, C, spatial...]: batch, group and instance norm.
Result<Work> derive_channels(const Record& record, Trace* trace, double per_element, bool running_statistics) {
  Derivation d(record, trace);
  const Shape shape = d.input(2);
  const bool affine = d.flag(key::affine, true);
  const bool training = running_statistics && d.flag(key::training, false);
  double channels = 1;
  if (shape.size() >= 3)
    channels = read_image(d).channels;
  else if (!d.failed())
    channels = shape[1];
  const double groups = d.whole(key::groups, 1);
  if (std::fmod(channels, groups) != 0)
    d.fail(key::groups, "is " + plain(groups) + ": expected a divisor of the " + plain(channels) + " channels");
  const double elements = product(shape);
  d.symbol("E", elements);
  d.output(shape);
  d.symbol("C", channels);
  d.symbol("a", affine ? 1 : 0);
  if (running_statistics) d.symbol("t", training ? 1 : 0);
  Work work;
  work.vector_flops = (per_element + (training ? 3 : 0) + (affine ? 1 : 0)) * elements;
  work.weight = (affine ? 2 * channels : 0) + (running_statistics ? 2 * channels : 0) + (training ? 2 * channels : 0);
  work.activation = elements;
  work.output = elements;
  return d.finish(work, d.input_key());
}

Result<Work> derive_batch(const Record& record, Trace* trace) { return derive_channels(record, trace, 1, true); }
Result<Work> derive_group(const Record& record, Trace* trace) { return derive_channels(record, trace, 4, false); }

constexpr Formula layer_formulas[] = {{"vector_flops", "7 * E"}, {"weight", "2 * a * H"}, {"activation", "E"}, {"output", "E"}};
constexpr Formula rms_formulas[] = {{"vector_flops", "4 * E"}, {"weight", "a * H"}, {"activation", "E"}, {"output", "E"}};
constexpr Formula batch_formulas[] = {
    {"vector_flops", "(1 + 3 * t + a) * E"}, {"weight", "2 * (1 + t) * C + 2 * a * C"}, {"activation", "E"}, {"output", "E"}};
constexpr Formula group_formulas[] = {{"vector_flops", "(4 + a) * E"}, {"weight", "2 * a * C"}, {"activation", "E"}, {"output", "E"}};

constexpr Parameter trailing_parameters[] = {
    {"input_shape", "[..., H]", ""},
    {"normalized_shape", "the last dimensions, together H elements", "the last one"},
    {"affine", "a: true where scale (and shift) are read", "true"},
};
constexpr Parameter channel_parameters[] = {
    {"input_shape", "[N, C, spatial...]", ""},
    {"affine", "a: true where a scale and a shift per channel are read", "true"},
    {"groups", "group norm: divides C; does not change the work", "1"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr Parameter batch_parameters[] = {
    {"input_shape", "[N, C, spatial...]", ""},
    {"affine", "a: true where a scale and a shift per channel are read", "true"},
    {"training", "t: true where mean and variance are those of the batch", "false"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr std::string_view layer_names[] = {"layernormalization", "nativelayernorm", "ln", "fusedlayernorm"};
constexpr std::string_view rms_names[] = {"rmsnormalization", "simplifiedlayernormalization", "fusedrmsnorm", "llamarmsnorm"};
constexpr std::string_view batch_names[] = {
    "batchnorm1d",    "batchnorm2d",    "batchnorm3d", "batchnormalization", "nativebatchnorm",
    "cudnnbatchnorm", "fusedbatchnorm", "bn",          "batchnorminference", "nativebatchnormlegitnotraining"};
constexpr std::string_view group_names[] = {"groupnormalization", "nativegroupnorm", "instancenorm",         "instancenorm1d",
                                            "instancenorm2d",     "instancenorm3d",  "instancenormalization"};

constexpr Operator list[] = {
    {"layer_norm", "Layer norm", OpFamily::normalisation, Symbol::diamond, layer_names, trailing_parameters, layer_formulas,
     "Per element: two for the mean and the deviation, two for the variance, one to normalise, two for scale and shift. Read once, written "
     "once.",
     derive_layer},
    {"rms_norm", "RMS norm", OpFamily::normalisation, Symbol::diamond, rms_names, trailing_parameters, rms_formulas,
     "Per element: square, sum, normalise, scale. Read once, written once.", derive_rms},
    {"batch_norm", "Batch norm", OpFamily::normalisation, Symbol::diamond, batch_names, batch_parameters, batch_formulas,
     "At inference: mean and variance are read, not computed, so it is one multiply-add per element with them and scale and shift folded "
     "(2 FLOPs), 1 without scale and shift. In training 3 more compute them, and the running statistics are read and written.",
     derive_batch},
    {"group_norm", "Group norm", OpFamily::normalisation, Symbol::diamond, group_names, channel_parameters, group_formulas,
     "Per element: 4 to compute mean and variance and to normalise, 1 more with scale and shift. Instance norm is the same.", derive_group},
};

}  // namespace

std::span<const Operator> families::normalisation() { return list; }

}  // namespace roofline
