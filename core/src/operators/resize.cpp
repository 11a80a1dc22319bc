#include <cmath>
#include <roofline/machine/format.hpp>

#include "operators/families.hpp"
#include "operators/window.hpp"

namespace roofline {
namespace {

// Input elements that an output element is made of, along one dimension; one FLOP each. Nearest copies.
enum class Taps : std::uint8_t { nearest, linear, cubic };

Taps read_mode(Derivation& d, Taps fallback) {
  const std::string_view text = d.word(key::mode);
  if (text.empty()) return fallback;
  const std::string mode = normalised(text);
  if (mode.rfind("nearest", 0) == 0) return Taps::nearest;
  if (mode == "linear" || mode == "bilinear" || mode == "trilinear") return Taps::linear;
  if (mode == "cubic" || mode == "bicubic") return Taps::cubic;
  d.fail(key::mode, "is \"" + std::string(text) + "\": expected nearest, linear or cubic");
  return fallback;
}

// Whole numbers are not asked for: a scale may be 0.5.
double read_outputs(Derivation& d, const Image& x) {
  const std::size_t rank = x.spatial.size();
  if (d.has(key::output_size) || !d.has(key::scale_factor)) {
    if (!d.has(key::output_size)) d.missing(key::output_size, "expected output_size or scale_factor");
    const PerDimension size = d.per_dimension(key::output_size, rank, Derivation::Least::one, 1);
    double outputs = 1;
    for (std::size_t i = 0; i < rank && !d.failed(); ++i) outputs *= size[i];
    return outputs;
  }
  const Value& value = d.record()[key::scale_factor];
  Shape list = d.record().list(key::scale_factor);
  if (value.kind != Value::Kind::number && value.kind != Value::Kind::list)
    d.missing(key::scale_factor, "expected a number, or one for each dimension");
  if (list.size() == rank + 2) list = list.subspan(2);  // ONNX scales the batch and the channels too, by 1
  if (value.kind == Value::Kind::list && list.size() != rank)
    d.fail(key::scale_factor, shown(list) + " has " + std::to_string(list.size()) + " numbers: expected " + std::to_string(rank) +
                                  ", one for each spatial dimension");
  const PerDimension scale{list, value.number};
  double outputs = 1;
  for (std::size_t i = 0; i < rank && !d.failed(); ++i) {
    const double length = std::floor(x.spatial[i] * scale[i]);
    if (!(scale[i] > 0) || !(length >= 1) || std::isinf(length))
      d.fail(key::scale_factor, "is " + plain(scale[i]) + ": expected a positive number that leaves at least 1 of " + plain(x.spatial[i]));
    outputs *= length;
  }
  return outputs;
}

using Formulas = WorkFormulas<"N C Pi Po T", FormulaOf<&Work::vector_flops, "T * N * C * Po">, FormulaOf<&Work::activation, "N * C * Pi">,
                              FormulaOf<&Work::output, "N * C * Po">>;

Result<Work> derive(const Record& record, Trace* trace, Taps fallback) {
  Derivation d(record, trace);
  const Image x = read_image(d);
  const Taps mode = read_mode(d, fallback);
  if (d.failed()) return d.fault();
  const double outputs = read_outputs(d, x);
  const auto rank = static_cast<double>(x.spatial.size());
  const double taps = mode == Taps::nearest ? 0 : std::pow(mode == Taps::linear ? 2 : 4, rank);
  return d.finish<Formulas>({x.batch, x.channels, product(x.spatial), outputs, taps}, d.input_key());
}

constexpr Parameter parameters[] = {
    {"input_shape", "[N, C, spatial...]", ""},
    {"scale_factor", "a positive number, or one for each spatial dimension", "or output_size"},
    {"output_size", "a whole number, or one for each spatial dimension", "or scale_factor"},
    {"mode", "nearest, linear (bilinear, trilinear) or cubic (bicubic)", "as the name says"},
    {"data_format", "NCHW or NHWC and the like: where the channels are", "NCHW"},
};

constexpr std::string_view nearest_names[] = {"upsample",          "interpolate",           "upsamplenearest1d", "upsamplenearest2d",
                                              "upsamplenearest3d", "resizenearestneighbor", "resizenearest",     "upsampling2d"};
constexpr std::string_view linear_names[] = {"resizebilinear",   "upsamplebilinear",    "upsamplebilinear2d",
                                             "upsamplelinear1d", "upsampletrilinear3d", "interpolatebilinear"};
constexpr std::string_view cubic_names[] = {"resizebicubic", "upsamplebicubic2d", "interpolatebicubic"};

constexpr std::string_view note =
    "T is the number of input elements an output element is made of, one FLOP each: 2 per spatial dimension multiplied (linear), 4 "
    "(cubic), "
    "none where the nearest is copied.";

constexpr Operator list[] = {
    {"resize", "Resize, nearest", OpFamily::resampling, Symbol::diamond, nearest_names, parameters, Formulas::formulas, note,
     derive_as<derive, Taps::nearest>},
    {"resize_linear", "Resize, linear", OpFamily::resampling, Symbol::diamond, linear_names, parameters, Formulas::formulas, note,
     derive_as<derive, Taps::linear>},
    {"resize_cubic", "Resize, cubic", OpFamily::resampling, Symbol::diamond, cubic_names, parameters, Formulas::formulas, note,
     derive_as<derive, Taps::cubic>},
};

}  // namespace

std::span<const Operator> families::resize() { return list; }

}  // namespace roofline
