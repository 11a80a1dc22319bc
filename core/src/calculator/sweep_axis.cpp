#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>
#include <roofline/calculator/sweep.hpp>
#include <span>

#include "base/lines.hpp"

namespace roofline {
namespace {

/// from * factor^t, with square roots only: they give the same digits everywhere.
double power(double factor, double t) {
  double result = 1, root = factor;
  for (int bit = 0; bit < 40 && t > 0; ++bit) {
    root = std::sqrt(root);
    t *= 2;
    if (t >= 1) {
      result *= root;
      t -= 1;
    }
  }
  return result;
}

}  // namespace

Result<SweepAxis> parse_sweep_axis(std::string_view text) {
  const std::string expected = "expected a range such as m=1..4096, or m,n,k=64..4096:linear:32";
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals == std::string_view::npos ? 0 : equals);
  if (equals == std::string_view::npos || equals == 0 || dots == std::string_view::npos) return fail(expected, std::string(text));
  SweepAxis axis;
  axis.points = 64;
  for (const std::string_view key : split(text.substr(0, equals), ',')) axis.keys.emplace_back(key);
  if (axis.keys.back().empty()) axis.keys.pop_back();  // "m,=1..4096"
  const auto whole = [](std::string_view digits) {
    double n = digits.empty() || digits.size() > 16 ? unknown : 0;
    for (const char c : digits) n = c >= '0' && c <= '9' ? 10 * n + (c - '0') : unknown;
    return n;
  };
  const std::vector<std::string_view> parts = split(text.substr(dots + 2), ':');
  axis.from = whole(text.substr(equals + 1, dots - equals - 1));
  axis.to = whole(parts[0]);
  for (const std::string_view option : std::span(parts).subspan(1)) {
    const double points = whole(option);
    if (option == "linear" || option == "log")
      axis.log = option == "log";
    else if (option == "round")
      axis.round = true;
    else if (points >= 2 && points <= static_cast<double>(most_swept))
      axis.points = static_cast<std::size_t>(points);
    else
      return fail(expected + " with 2 to 4096 points, found \"" + std::string(option) + '"', std::string(text));
  }
  if (!(axis.from >= 1 && axis.to > axis.from && axis.to <= largest_swept))
    return fail(expected + ", rising, from 1 or more", std::string(text));
  return axis;
}

std::vector<double> values_of(const SweepAxis& axis) {
  std::vector<double> values;
  for (std::size_t i = 0; i < axis.points; ++i) {
    const double t = axis.points > 1 ? static_cast<double>(i) / static_cast<double>(axis.points - 1) : 0;
    const double value = i + 1 == axis.points && i > 0 ? axis.to
                         : axis.log                    ? axis.from * power(axis.to / axis.from, t)
                                                       : axis.from + (axis.to - axis.from) * t;
    const double step = axis.round ? std::exp2(std::max(0, std::ilogb(value) - 3)) : 1;
    const double whole = std::clamp(step * std::floor(value / step + 0.5), axis.from, axis.to);
    if (values.empty() || whole > values.back()) values.push_back(whole);
  }
  return values;
}

}  // namespace roofline
