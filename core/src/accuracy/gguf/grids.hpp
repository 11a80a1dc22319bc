// The grids of GGUF's IQ types: 4 or 8 elements are one of few points.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofline {

/// Points are grouped by length: of points with equal length, the one with the largest product with the values is the best at every
/// scale.
struct GgufGrid {
  std::size_t dimension = 8;
  std::vector<double> points;            ///< one after the other
  std::vector<std::uint16_t> length_of;  ///< of each point: index into `lengths`
  std::vector<double> lengths;           ///< squared

  [[nodiscard]] std::size_t size() const { return length_of.size(); }
  /// The same points, each element larger by `delta`.
  [[nodiscard]] GgufGrid moved(double delta) const;
  /// The points of both.
  [[nodiscard]] GgufGrid with(const GgufGrid& other) const;
};

/// By its name in presets/grids/gguf.json: "iq1", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs" or "iq3_s".
[[nodiscard]] const GgufGrid& gguf_grid(std::string_view name);

}  // namespace roofline
