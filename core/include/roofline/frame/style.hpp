// How a drawing looks, on the page and in the command's files alike: colours by role, markers, measures. tools/protocol hands them to the
// page, as protocol.ts and colours.css.
#pragma once

#include <algorithm>
#include <cmath>
#include <roofline/analysis/analysis.hpp>
#include <roofline/workload/symbol.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A colour by what it is for, on a light and on a dark surface. Text has 4.5 to 1 against its surface, marks 3 to 1.
struct Colour {
  std::string_view role, light, dark;
};
inline constexpr Colour colours[] = {
    {"surface", "#ffffff", "#13171c"},
    {"ink", "#1a1f26", "#e3e7ec"},
    {"muted", "#59636f", "#9ba6b2"},
    {"grid", "#dfe3e8", "#2a323a"},
    {"grid-minor", "#f0f2f4", "#1b2127"},
    {"roof", "#39434f", "#c0c9d3"},
    {"whatif", "#5c1266", "#ffe040"},
    {"density", "#5f7188", "#7f93ab"},
    {"pale", "#ffffff", "#76808a"},  // mixed into the hue of operations near their bound
    // A status, with "status-" before its name. The hue says what limits: compute violet, memory teal, a link amber, neither crimson.
    {"status-compute-bound", "#6a4fd0", "#a18bff"},
    {"status-memory-bound", "#0b7d6d", "#35bfa9"},
    {"status-link-bound", "#9a6212", "#e0a94a"},
    {"status-latency-bound", "#c0567b", "#f29bb4"},
    {"status-compute-inefficient", "#8f1f49", "#e0567f"},
    {"status-memory-inefficient", "#b5355b", "#f27495"},
    {"status-link-inefficient", "#cf5f86", "#f79db8"},
    {"status-normal", "#4a7296", "#8fb0d6"},
    {"status-predicted", "#6b7684", "#98a3af"},
    {"status-time-only", "#6b6f9a", "#9aa0cf"},
    {"status-unknown", "#858d97", "#8a949f"},
    // From little to much, evenly apart in lightness.
    {"ramp-1", "#440154", "#440154"},
    {"ramp-2", "#3b528b", "#3b528b"},
    {"ramp-3", "#21918c", "#21918c"},
    {"ramp-4", "#5ec962", "#5ec962"},
    {"ramp-5", "#fde725", "#fde725"},
};

/// On white. `role` with the prefix "status-", say, given apart.
[[nodiscard]] constexpr std::string_view on_white(std::string_view role, std::string_view prefix = {}) {
  for (const Colour& c : colours)
    if (c.role.starts_with(prefix) && c.role.substr(prefix.size()) == role) return c.light;
  return {};
}

/// Whether an operation is near its bound: a roof explains its time, not launching, waiting or a poor kernel.
[[nodiscard]] constexpr bool near_bound(Status status, Limit limit) { return status <= Status::link_bound && limit != Limit::neither; }
inline constexpr double near_opacity = 0.4;  ///< of the hue of an operation near its bound, over "pale"

// Pixels.
inline constexpr double lane_width = 42;  ///< the strip left of the chart for operations without FLOPs
inline constexpr double marker_least = 3.5, marker_most = 20, marker_all = 30;

/// The radius of a marker's circle of equal area, by the operation's share of the time: the area grows with it.
[[nodiscard]] inline double marker_radius(double share) {
  return std::clamp(share > 0 ? marker_all * std::sqrt(share) : 0, marker_least, marker_most);
}

/// Corners of a marker with the area of the unit circle, y downwards; none: the circle itself.
[[nodiscard]] std::vector<std::pair<double, double>> marker_outline(Symbol symbol);

}  // namespace roofline
