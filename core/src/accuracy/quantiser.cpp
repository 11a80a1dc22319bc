#include "accuracy/quantiser.hpp"

#include <algorithm>
#include <cmath>

#include "accuracy/least_error.hpp"

namespace roofline {
namespace {

constexpr std::string_view power_of_two_scale = "e8m0";

double largest(std::span<const double> values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::fabs(x));
  return most;
}

Quantiser::Elements elements_of(const Format& format) {
  if (!format.codes.empty()) return CodeElements(format.codes);
  if (format.family == FormatFamily::integer) return IntegerElements{-format.max_value, format.max_value};
  return FloatingElements(format);
}

/// How finely scales are tried. The error of a few numbers has a dip wherever one of them goes to the next element, that of many is smooth;
/// where there is but one scale to find, small tensors can afford more. Powers of two need no finer steps than find each.
ScaleSteps steps_of(const Format& format, std::size_t values) {
  ScaleSteps steps{1.0 / 32, 64};
  if (format.scale_format == power_of_two_scale) return steps;
  const auto n = static_cast<double>(values);
  const double elements = !format.codes.empty()                    ? static_cast<double>(format.codes.size()) / 2
                          : format.family == FormatFamily::integer ? format.max_value
                                                                   : power_of_two(format.mantissa_bits + 1);
  steps.relative = std::min(steps.relative, std::sqrt(std::max(1.0, n / 128)) / (8 * elements));
  if (format.block > 1) return steps;
  constexpr double affordable = 65536;  // roundings
  return {std::min(steps.relative, n / affordable), std::max(steps.above, affordable / n)};
}

}  // namespace

double round_to(const Format& format, double x) {
  return format.mantissa_bits >= 52 ? x : FloatingElements(format)(x);  // as wide as the numbers given
}

Quantiser::Quantiser(const Format& format, double max_abs, std::span<const double> values)
    : format_(format), elements_(elements_of(format)) {
  const Formats& formats = Formats::catalogue();
  if (format.scale_format.empty()) return;
  if (format.scale_format != power_of_two_scale) scale_format_ = &formats[*formats.find(format.scale_format)];
  // NVFP4: the block with the tensor's largest value could have the largest scale.
  if (format.tensor_scale && max_abs > 0)
    unit_ = round_to(formats[*formats.find("fp32")], max_abs / (format.max_value * scale_format_->max_value));
  if (format.block == 1) scale_ = std::visit([&](const auto& e) { return fitted(e, values, max_abs / format.max_value).scale; }, elements_);
}

double Quantiser::stated(double scale) const {
  if (scale_format_) return round_to(*scale_format_, scale / unit_) * unit_;
  return power_of_two(std::clamp(binary_exponent(scale), -127, 127));
}

template <class E>
FittedScale Quantiser::fitted(const E& elements, std::span<const double> values, double covering) const {
  return least_error(elements, values, covering, steps_of(format_, values.size()), [this](double scale) { return stated(scale); });
}

template <class E>
void Quantiser::round(const E& elements, std::span<const double> values, double scale, double* out) {
  const std::size_t n = values.size();
  if (scale > 0)
    for (std::size_t i = 0; i < n; ++i) out[i] = elements(values[i] / scale) * scale;
  else  // nothing but zeros, or too small for the scale's format
    std::fill(out, out + n, 0.0);
}

void Quantiser::round_with_zero_point(std::span<const double> values, double* out) const {
  double least = 0, most = 0;
  for (const double x : values) least = std::min(least, x), most = std::max(most, x);
  const double steps = format_.max_value, span = (most - least) / steps;
  FittedScale best;
  IntegerElements elements{0, steps};
  const double zero = span > 0 ? std::nearbyint(-least / span) : 0;
  for (double z = std::max(0.0, zero - 2); z <= std::min(steps, zero + 2); ++z) {
    const IntegerElements around{-z, steps - z};
    const double covering = std::max(z > 0 ? -least / z : 0, z < steps ? most / (steps - z) : 0);
    const FittedScale found = fitted(around, values, covering);
    if (best.scale == 0 || found.noise < best.noise) best = found, elements = around;
  }
  round(elements, values, best.scale, out);
}

void Quantiser::quantise(std::span<const double> values, std::size_t row, std::span<double> out) const {
  if (format_.scale_format.empty() && format_.mantissa_bits >= 52) {
    std::copy(values.begin(), values.end(), out.begin());
    return;
  }
  std::visit(
      [&](const auto& elements) {
        if (format_.block == 1) return round(elements, values, scale_, out.data());
        const auto block = static_cast<std::size_t>(format_.block);
        for (std::size_t first = 0, n = 0; first < values.size(); first += n) {
          n = std::min({block, row - first % row, values.size() - first});
          const std::span<const double> part = values.subspan(first, n);
          double* const to = out.data() + first;
          if (format_.zero_point)
            round_with_zero_point(part, to);
          else
            round(elements, part, fitted(elements, part, largest(part) / format_.max_value).scale, to);
        }
      },
      elements_);
}

std::vector<double> quantised(const Format& format, std::span<const double> values, std::size_t row) {
  std::vector<double> out(values.size());
  Quantiser(format, largest(values), values).quantise(values, row, out);
  return out;
}

}  // namespace roofline
