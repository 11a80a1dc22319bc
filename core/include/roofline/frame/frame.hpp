// A Frame is what one screen needs. Its size does not depend on the number of operations.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/op_set.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One roof in log space. Attainable = min(bandwidth x intensity, peak).
struct Roof {
  ResourceKind kind = ResourceKind::compute;
  std::string name;          ///< "FP16", "FP16 vector", "HBM"
  double rate = 0;           ///< FLOP/s or B/s
  bool integer = false;      ///< a peak of integer formats: OP/s
  bool in_play = true;       ///< some op in view uses it
  bool whatif = false;       ///< belongs to the what-if machine
  bool achievable = false;   ///< dashed: what real kernels reach
  double reached = unknown;  ///< the fraction of it that they do; NaN where that is assumed of the machine
};

enum class SortKey : std::uint8_t {
  source_order,
  name,
  type,
  status,
  flops,
  bytes,
  intensity,
  time,
  predicted,
  lost,
  efficiency,
  achieved,
  bandwidth,
  speedup,
  self_time,
  count,
  category,
  step,
  bound_by,
  limited_by,  ///< by resource, then "neither"
  compute_utilization,
  memory_utilization,
  label  ///< a column of words or a measure of the source's own: FrameRequest::label
};

template <>
inline constexpr auto names_of<SortKey> = std::to_array<const char*>({"source_order",
                                                                      "name",
                                                                      "type",
                                                                      "status",
                                                                      "flops",
                                                                      "bytes",
                                                                      "intensity",
                                                                      "time",
                                                                      "predicted",
                                                                      "lost",
                                                                      "efficiency",
                                                                      "achieved",
                                                                      "bandwidth",
                                                                      "speedup",
                                                                      "self_time",
                                                                      "count",
                                                                      "category",
                                                                      "step",
                                                                      "bound_by",
                                                                      "limited_by",
                                                                      "compute_utilization",
                                                                      "memory_utilization",
                                                                      "label"});

/// Whether FrameRequest::ranks are what it sorts by.
[[nodiscard]] constexpr bool sorts_by_rank(SortKey key) {
  return key == SortKey::name || key == SortKey::type || key == SortKey::category || key == SortKey::step || key == SortKey::label;
}

/// The chart's window: decades of FLOP/byte and FLOP/s.
struct Axes {
  double log_x0 = -2, log_x1 = 4, log_y0 = 8, log_y1 = 14;
  bool operator==(const Axes&) const = default;
};
/// Depends on the machine alone, so that charts before and after a change have the same axes.
[[nodiscard]] Axes chart_axes(const Machine& machine);

struct FrameRequest {
  std::size_t top = 1000;
  SortKey sort = SortKey::lost;
  bool descending = true;
  std::string label;                      ///< for SortKey::label: a name of Workload::categories or of Workload::measures
  std::span<const std::uint32_t> ranks;   ///< where sorts_by_rank: ranks(workload, sort, label), which the caller keeps across frames
  std::size_t offset = 0, rows = 50;      ///< the page of the table
  std::optional<std::uint32_t> selected;  ///< an op whose row number is asked for
  MemoryAxis axis = device_axis;          ///< whose bytes the intensities of points and density are of
  bool every_memory = false;              ///< further intensities per point: one per memory
  bool chart_alone = false;               ///< points and roofs, where ReusableFrame::positions stand: nothing is looked at but the points
  Axes window{.log_y1 = 15};              ///< of the density grid
};

/// What a point of a Frame is beside its place.
namespace point_flag {
enum : std::uint8_t {
  predicted = 1,      ///< it has no measured time
  above_roof = 2,     ///< its time is less than its bound
  no_flops = 4,       ///< drawn in the strip beside the chart, at its bandwidth
  rates_only = 8,     ///< only its rates are known
  neither = 16,       ///< Limit::neither
  partly_known = 32,  ///< OpAnalysis::partly_known
  near_bound = 64,    ///< near_bound() of its status and limit
};
}  // namespace point_flag

/// The top ops by time as columns, biggest first; the rest as counts on a grid.
struct Frame {
  Summary all;                        ///< over every op
  Summary shown;                      ///< over those the filter lets through
  Range intensity_range;              ///< of those, on the axis; FLOP/B, of ops with FLOPs and bytes
  SortKey sort = SortKey::lost;       ///< what the table is sorted by: by time where lost time and efficiency would mean nothing
  std::vector<std::uint32_t> points;  ///< op indices of the top K by time
  // per point
  std::vector<float> intensity, attained, time_share, whatif_intensity, whatif_attained;
  std::vector<std::uint32_t> step;                         ///< index into Workload::steps; empty where there are none
  std::vector<std::uint8_t> status, symbol, bound, flags;  ///< flags: bits of point_flag
  std::vector<float> memory_intensity;  ///< asked for by every_memory: a row of points per name in Plan::axes(); NaN: no bytes there
  static constexpr std::size_t grid_width = 128, grid_height = 96;
  std::vector<std::uint32_t> density;       ///< grid_width * grid_height, row 0 at log_y0; ops beyond the top K
  std::size_t density_outside = 0;          ///< of those, outside the grid
  std::vector<std::uint32_t> rows;          ///< op indices of the table's page
  std::optional<std::size_t> selected_row;  ///< the selected op's row in the sorted, filtered table
  std::vector<std::uint32_t> worst;         ///< op indices with the most lost time, at most 50, of those the filter lets through
  std::vector<Roof> roofs;
  bool chart_alone = false;  ///< the totals are those of the frame before; it has no density, table and worst ops
};

/// Earlier frames over the same workload and scope that still hold in part; null: none.
struct ReusableFrame {
  /// Its top ops and density stand: the request is the same and all its ops are measured, so only the machine may have changed. So do its
  /// totals, as far as they are of times and numbers of ops.
  const Frame* positions = nullptr;
  /// Its totals over every op stand: the scenario is the same, only the filter, the order or the page may have changed.
  const Frame* totals = nullptr;
};

[[nodiscard]] Frame make_frame(const OpSet& ops, const FrameRequest& request, const ReusableFrame& earlier = {});

/// Per op its place in the order of what `key` sorts by, for FrameRequest::ranks; no_rank: it has nothing there.
inline constexpr std::uint32_t no_rank = 0xffffffff;
[[nodiscard]] std::vector<std::uint32_t> ranks(const Workload& workload, SortKey key, std::string_view label = {});

/// Whether all operations compute in integer formats today: rates are then in OP/s, else in FLOP/s. A what-if leaves the unit as it is.
[[nodiscard]] bool integer_work(const Plan& plan);

/// Roofs of the scenario (and of its what-if), those in play marked: the compute peaks that are used, and of the memories those that bound
/// some op or are on the axis; where none bounds any, the device memory's.
[[nodiscard]] std::vector<Roof> roofs(const Plan& plan, const Summary& summary, MemoryAxis axis = device_axis, bool every_memory = false);

}  // namespace roofline
