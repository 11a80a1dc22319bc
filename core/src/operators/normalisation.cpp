#include <algorithm>
#include <cmath>

#include "operators/families.hpp"
#include "operators/window.hpp"

namespace roofline {
namespace {

template <StaticText sizes, StaticText flops, StaticText weight>
using NormFormulas = WorkFormulas<sizes, FormulaOf<&Work::vector_flops, flops>, FormulaOf<&Work::weight, weight>,
                                  FormulaOf<&Work::activation, "E">, FormulaOf<&Work::output, "E">>;
using LayerFormulas = NormFormulas<"E H a", "7 * E", "2 * a * H">;
using RmsFormulas = NormFormulas<"E H a", "4 * E", "a * H">;
using BatchFormulas = NormFormulas<"E C a t", "(1 + 3 * t + a) * E", "2 * (1 + t) * C + 2 * a * C">;
using GroupFormulas = NormFormulas<"E C a", "(4 + a) * E", "2 * a * C">;

// Over the last dimensions, normalized_shape: layer and RMS norm.
template <class Formulas>
Result<Work> derive_trailing(const Record& record, Trace* trace) {
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
  d.output(shape);
  return d.finish<Formulas>({product(shape), product(normalized), affine ? 1.0 : 0.0}, d.input_key());
}

// Per channel, [N, C, spatial...]: batch, group and instance norm.
template <class Formulas>
Result<Work> derive_channels(const Record& record, Trace* trace) {
  Derivation d(record, trace);
  const Shape shape = d.input(2);
  const bool affine = d.flag(key::affine, true);
  double channels = 1;
  if (shape.size() >= 3)
    channels = read_image(d).channels;
  else if (!d.failed())
    channels = shape[1];
  const double groups = d.whole(key::groups, 1);
  if (std::fmod(channels, groups) != 0)
    d.fail(key::groups, "is " + plain(groups) + ": expected a divisor of the " + plain(channels) + " channels");
  d.output(shape);
  typename Formulas::Sizes sizes = {product(shape), channels, affine ? 1.0 : 0.0};
  if constexpr (sizes.size() > 3) sizes[3] = d.flag(key::training, false) ? 1 : 0;
  return d.finish<Formulas>(sizes, d.input_key());
}

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
    {"layer_norm", "Layer norm", OpFamily::normalisation, Symbol::diamond, layer_names, trailing_parameters, LayerFormulas::formulas,
     "Per element: two for the mean and the deviation, two for the variance, one to normalise, two for scale and shift. Read once, written "
     "once.",
     derive_trailing<LayerFormulas>},
    {"rms_norm", "RMS norm", OpFamily::normalisation, Symbol::diamond, rms_names, trailing_parameters, RmsFormulas::formulas,
     "Per element: square, sum, normalise, scale. Read once, written once.", derive_trailing<RmsFormulas>},
    {"batch_norm", "Batch norm", OpFamily::normalisation, Symbol::diamond, batch_names, batch_parameters, BatchFormulas::formulas,
     "At inference: mean and variance are read, not computed, so it is one multiply-add per element with them and scale and shift folded "
     "(2 FLOPs), 1 without scale and shift. In training 3 more compute them, and the running statistics are read and written.",
     derive_channels<BatchFormulas>},
    {"group_norm", "Group norm", OpFamily::normalisation, Symbol::diamond, group_names, channel_parameters, GroupFormulas::formulas,
     "Per element: 4 to compute mean and variance and to normalise, 1 more with scale and shift. Instance norm is the same.",
     derive_channels<GroupFormulas>},
};

}  // namespace

std::span<const Operator> families::normalisation() { return list; }

}  // namespace roofline
