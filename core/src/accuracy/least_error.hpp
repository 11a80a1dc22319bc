// The scale with the least squared error, of those that a format can state.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace roofline {

struct FittedScale {
  double scale = 0;
  double noise = std::numeric_limits<double>::infinity();  ///< sum (x - scale q)^2; infinite: beyond a double's range
};

/// What the elements q nearest to x / scale make of the values. Four of each sum run side by side, so that no addition waits for the last.
struct Rounding {
  double noise = 0;       ///< sum (x - scale q)^2
  double clipped = 0;     ///< the part of it that lies beyond the elements' range
  double best_scale = 0;  ///< sum x q / sum q^2: the best for just these elements
  double curvature = 0;   ///< sum q^2: another scale s adds curvature (s - best_scale)^2 to the least noise
};

template <class Elements>
Rounding rounding_at(const Elements& nearest, std::span<const double> values, double scale) {
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> noise{}, clipped{}, xq{}, qq{};
  const double inverse = 1 / scale;
  const auto add = [&](std::size_t lane, double value) {
    const double x = value * inverse, q = nearest(x);
    const double beyond = x - std::min(std::max(x, nearest.low), nearest.high);
    noise[lane] += (x - q) * (x - q);
    clipped[lane] += beyond * beyond;
    xq[lane] += x * q;
    qq[lane] += q * q;
  };
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, values[i + lane]);
  for (; i < values.size(); ++i) add(0, values[i]);
  const auto sum = [](const std::array<double, lanes>& parts) { return (parts[0] + parts[1]) + (parts[2] + parts[3]); };
  const double squares = scale * scale;
  return {sum(noise) * squares, sum(clipped) * squares, sum(xq) / sum(qq) * scale, sum(qq)};
}

/// Which scales are tried.
struct ScaleSteps {
  double relative;  ///< from one to the next
  double above;     ///< how many of them at most above the covering scale
};

/// Tries scales from above `covering`, at which no value is beyond the elements' range, downwards, until what is clipped alone exceeds the
/// least error found: it only grows from there. Each tried scale also leads to the best one for the elements it gives. `stated(s)`: the
/// scale nearest to s that the format can state.
///
/// Above twice the covering scale there is nothing to find: where no value needs the upper half of the elements, half the scale gives them
/// all and those between (a code book: nearly). Where steps are fine, few are tried above it: the error grows with the square of the scale.
template <class Elements, class Stated>
FittedScale least_error(const Elements& nearest, std::span<const double> values, double covering, const ScaleSteps& steps,
                        const Stated& stated) {
  FittedScale best{stated(covering)};
  const auto consider = [&](double scale, double noise) {
    if (scale > 0 && noise < best.noise) best = {scale, noise};
  };
  double last = 0;
  for (double s = stated(covering * std::min(2.0, 1 + steps.above * steps.relative)); s > 0; s *= 1 - steps.relative) {
    const double scale = stated(s);
    if (scale == last && s > last / 2) continue;  // scales are far apart
    if (!(scale > 0) || scale == last) break;     // there are no smaller ones
    last = scale;
    const Rounding r = rounding_at(nearest, values, scale);
    consider(scale, r.noise);
    const double fitted = stated(r.best_scale), off = fitted - r.best_scale, was_off = scale - r.best_scale;
    consider(fitted, r.noise + r.curvature * (off * off - was_off * was_off));
    if (!(r.clipped < best.noise)) break;
  }
  return best;
}

}  // namespace roofline
