#include "accuracy/gguf/affine_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "accuracy/gguf/scale_fit.hpp"

namespace roofline {
namespace {

/// Sums over a block's elements q at a scale and a minimum.
struct AffineSums {
  double n = 0, v = 0, q = 0, vq = 0, qq = 0, vv = 0;

  AffineSums(std::span<const double> values, double most, double scale, double minimum) : n(static_cast<double>(values.size())) {
    const IntegerElements elements{0, most};
    for (const double x : values) {
      const double e = scale > 0 ? elements((x + minimum) / scale) : 0;
      v += x, q += e, vq += x * e, qq += e * e, vv += x * x;
    }
  }
  [[nodiscard]] double noise(double s, double m) const {
    return std::max(0.0, vv + s * s * qq + n * m * m - 2 * s * vq + 2 * m * v - 2 * s * m * q);
  }
};

struct Affine {
  double scale = 0, minimum = 0;
};

/// The best scale and minimum in real numbers for these elements.
Affine solved(const AffineSums& sums, bool any_sign) {
  const double determinant = sums.n * sums.qq - sums.q * sums.q;
  Affine out;
  if (determinant > 0) {
    out.scale = (sums.n * sums.vq - sums.q * sums.v) / determinant;
    out.minimum = (sums.q * sums.vq - sums.qq * sums.v) / determinant;
  }
  if (determinant <= 0 || (!any_sign && out.minimum < 0)) out = {sums.qq > 0 ? sums.vq / sums.qq : 0, 0};
  return out;
}

Affine real_affine(std::span<const double> values, double most, bool any_sign) {
  double low = *std::min_element(values.begin(), values.end()), high = *std::max_element(values.begin(), values.end());
  if (!any_sign) low = std::min(low, 0.0);
  Affine best;
  double least = std::numeric_limits<double>::infinity();
  if (!(high > low)) return {0, -low};
  constexpr int steps = 20;
  for (int i = 0; i <= steps; ++i) {
    const double levels = most - 1 + 2.0 * i / steps;  // the ends are clipped, or not reached
    if (!(levels > 0)) continue;
    const AffineSums sums(values, most, (high - low) / levels, -low);
    const Affine found = solved(sums, any_sign);
    if (!(found.scale > 0)) continue;
    const double noise = AffineSums(values, most, found.scale, found.minimum).noise(found.scale, found.minimum);
    if (noise < least) best = found, least = noise;
  }
  return best;
}

}  // namespace

double least_affine_noise(const std::vector<std::span<const double>>& blocks, const AffineLayout& layout) {
  const bool alone = layout.scales == 1;
  std::vector<Affine> wanted;
  double signal = 0;
  Affine widest;
  for (const std::span<const double> values : blocks) {
    wanted.push_back(real_affine(values, layout.most, alone));
    signal += signal_of(values);
    widest.scale = std::max(widest.scale, wanted.back().scale);
    if (std::fabs(wanted.back().minimum) > std::fabs(widest.minimum)) widest.minimum = wanted.back().minimum;
  }
  double best = signal;
  const auto around = [&](double real, double unit) {  // whole steps near it
    const double x = unit == 0 ? 0 : real / unit, low = alone ? 1 : 0;
    return std::array{clamped(std::floor(x), low, layout.scales), clamped(std::ceil(x), low, layout.scales)};
  };
  for (const double part : {0.92, 0.96, 1.0, 1.04})
    for (const double other : {0.95, 1.0, 1.05}) {
      const double unit = fp16(widest.scale / layout.scales * (alone ? 1 + (part - 1) / 8 : part));
      const double minimum_unit = fp16(widest.minimum / layout.scales * (alone ? 1 + (other - 1) / 8 : other));
      double noise = 0;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (const double s : around(wanted[i].scale, unit))
          for (const double m : around(wanted[i].minimum, minimum_unit)) {
            const double scale = s * unit, minimum = m * minimum_unit;
            least = std::min(least, AffineSums(blocks[i], layout.most, scale, minimum).noise(scale, minimum));
          }
        noise += least;
      }
      best = std::min(best, noise);
    }
  return best;
}

}  // namespace roofline
