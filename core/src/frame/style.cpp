#include <numbers>
#include <roofline/frame/style.hpp>
#include <tuple>

namespace roofline {
namespace {

using Corners = std::vector<std::pair<double, double>>;

Corners unit_area(Corners corners) {
  double twice = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& [x, y] = corners[i];
    const auto& [next_x, next_y] = corners[(i + 1) % corners.size()];
    twice += x * next_y - next_x * y;
  }
  const double factor = std::sqrt(2 * std::numbers::pi / std::abs(twice));
  for (auto& [x, y] : corners) x *= factor, y *= factor;
  return corners;
}

/// A regular polygon, or a star where radii alternate; the first corner at `turn`, in turns from the top.
Corners spiked(int corners, double inner = 1, double turn = 0) {
  Corners out;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * std::numbers::pi * (turn - 0.25 + i / static_cast<double>(corners)), radius = i % 2 == 0 ? 1 : inner;
    out.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  return unit_area(std::move(out));
}

Corners plus() {
  constexpr double arm = 0.32;
  Corners out;
  for (const auto& [x, y] : {std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1), std::pair(-1, -1)}) {  // clockwise, three of each quarter
    const bool across = x == y;
    out.emplace_back(x * (across ? 1 : arm), y * (across ? arm : 1));
    out.emplace_back(x * arm, y * arm);
    out.emplace_back(x * (across ? arm : 1), y * (across ? 1 : arm));
  }
  return unit_area(std::move(out));
}

}  // namespace

Corners marker_outline(Symbol symbol) {
  switch (symbol) {
    case Symbol::square:
      return spiked(4, 1, 0.125);
    case Symbol::triangle:
      return spiked(3);
    case Symbol::diamond:
      return spiked(4);
    case Symbol::star:
      return spiked(10, 0.45);
    case Symbol::cross:
      return plus();
    case Symbol::x: {
      Corners turned = plus();
      for (auto& [x, y] : turned) std::tie(x, y) = std::pair((x - y) * std::numbers::sqrt2 / 2, (x + y) * std::numbers::sqrt2 / 2);
      return turned;
    }
    case Symbol::circle:
      break;
  }
  return {};
}

}  // namespace roofline
