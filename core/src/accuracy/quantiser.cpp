#include "accuracy/quantiser.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy/arithmetic.hpp"

namespace roofline {
namespace {

constexpr std::string_view power_of_two_scale = "e8m0";

Extent extent_of(std::span<const double> values) {
  Extent extent;
  for (const double x : values) {
    extent.min = std::min(extent.min, x);
    extent.max = std::max(extent.max, x);
    extent.mean_abs += std::fabs(x);
  }
  if (!values.empty()) extent.mean_abs /= static_cast<double>(values.size());
  return extent;
}

double clamped(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

/// The code nearest to x, of two equally near the lower one.
double nearest(const std::vector<double>& codes, double x) {
  double best = codes.front();
  for (const double code : codes)
    if (std::fabs(code - x) < std::fabs(best - x)) best = code;
  return best;
}

}  // namespace

double round_to(const Format& format, double x) {
  if (format.mantissa_bits >= 52) return x;                  // as wide as the numbers given
  const int lowest = 2 - (1 << (format.exponent_bits - 1));  // exponent of the smallest normal number, and of the subnormal ones
  const int step = std::max(binary_exponent(x), lowest) - format.mantissa_bits;
  return clamped(std::nearbyint(x * power_of_two(-step)) * power_of_two(step), format.max_value);
}

Quantiser::Quantiser(const Format& format, const Extent& tensor) : format_(format), tensor_(tensor) {
  const Formats& formats = Formats::catalogue();
  if (!format.scale_format.empty() && format.scale_format != power_of_two_scale)
    scale_format_ = &formats[*formats.find(format.scale_format)];
  // NVFP4: the block with the tensor's largest value gets the largest scale.
  if (format.tensor_scale && tensor.max_abs() > 0)
    tensor_scale_ = round_to(formats[*formats.find("fp32")], tensor.max_abs() / (format.max_value * scale_format_->max_value));
}

double Quantiser::scale_of(const Extent& extent) const {
  if (format_.scale_format.empty()) return 1;
  if (!scale_format_) {  // OCP MX 1.0, 6.3: the exponent of the largest magnitude less that of the largest element
    const int exponent = binary_exponent(extent.max_abs()) - binary_exponent(format_.max_value);
    return power_of_two(std::clamp(exponent, -127, 127));
  }
  const double range = format_.zero_point ? extent.max - extent.min : extent.max_abs();
  const double scale = format_.mean_scale ? extent.mean_abs : range / format_.max_value;
  return round_to(*scale_format_, scale / tensor_scale_) * tensor_scale_;
}

void Quantiser::quantise_block(std::span<const double> values, const Extent& extent, double scale, double* out) const {
  const std::size_t n = values.size();
  const double limit = format_.max_value;
  if (!(scale > 0)) {  // nothing but zeros, or too small for the scale's format
    std::fill(out, out + n, 0.0);
  } else if (!format_.codes.empty()) {
    for (std::size_t i = 0; i < n; ++i) out[i] = nearest(format_.codes, values[i] / scale) * scale;
  } else if (format_.zero_point) {
    const double zero = std::clamp(std::nearbyint(-extent.min / scale), 0.0, limit);
    for (std::size_t i = 0; i < n; ++i) out[i] = (std::clamp(std::nearbyint(values[i] / scale) + zero, 0.0, limit) - zero) * scale;
  } else if (format_.family == FormatFamily::integer) {
    for (std::size_t i = 0; i < n; ++i) out[i] = clamped(std::nearbyint(values[i] / scale), limit) * scale;
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = round_to(format_, values[i] / scale) * scale;
  }
}

void Quantiser::quantise(std::span<const double> values, std::size_t row, std::span<double> out) const {
  if (format_.block == 1) return quantise_block(values, tensor_, scale_of(tensor_), out.data());
  const auto block = static_cast<std::size_t>(format_.block);
  for (std::size_t first = 0; first < values.size();) {
    const std::size_t n = std::min({block, row - first % row, values.size() - first});
    const Extent extent = extent_of(values.subspan(first, n));
    quantise_block(values.subspan(first, n), extent, scale_of(extent), out.data() + first);
    first += n;
  }
}

std::vector<double> quantised(const Format& format, std::span<const double> values, std::size_t row) {
  std::vector<double> out(values.size());
  Quantiser(format, extent_of(values)).quantise(values, row, out);
  return out;
}

}  // namespace roofline
