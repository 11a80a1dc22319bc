// What a table states twice, compared in every row: rates and intensities with what times, FLOPs and bytes say.
#pragma once

#include <array>
#include <cmath>
#include <string>

#include "read/table/kernel_amounts.hpp"

namespace roofline {

class WorkloadBuilder;

class StatedTwice {
 public:
  static constexpr double tolerance = 0.06;

  StatedTwice() = default;
  explicit StatedTwice(const ColumnMap& map) {
    const bool work = map.has(ColumnRole::flops) || map.has(ColumnRole::macs) || map.product() || map.convolution(), timed = map.timed();
    watched_[rate] = map.has(ColumnRole::rate) && timed && work;
    watched_[bandwidth] = map.has(ColumnRole::bandwidth) && timed && map.has(ColumnRole::bytes);
    watched_[intensity] = map.has(ColumnRole::intensity) && map.has(ColumnRole::bytes) && work;
    any_ = watched_[rate] || watched_[bandwidth] || watched_[intensity];
  }
  void compare(const Cells& cell, const Amounts& a) {
    if (!any_) return;
    if (watched_[rate] && a.states_time && a.states_flops) add(rate, cell[ColumnRole::rate], a.flops / a.time);
    if (watched_[bandwidth] && a.states_time && a.states_bytes) add(bandwidth, cell[ColumnRole::bandwidth], a.bytes / a.time);
    if (watched_[intensity] && a.states_bytes && a.states_flops) add(intensity, cell[ColumnRole::intensity], a.flops / a.bytes);
  }
  /// Before all other remarks: that they agree, or by which factor they do not, with both figures.
  void report(WorkloadBuilder& rows, const ColumnMap& map) const;

 private:
  enum Of : std::uint8_t { rate, bandwidth, intensity };
  struct Compared {
    std::size_t rows = 0, off = 0;
    double least = unknown, most = unknown;          // stated over what follows, of those that are off
    double first_stated = unknown, first = unknown;  // of the first that is off
  };
  void add(Of of, double stated, double follows) {
    if (!(stated > 0) || !(follows > 0)) return;
    Compared& c = compared_[of];
    ++c.rows;
    const double factor = stated / follows;
    if (std::abs(factor - 1) <= tolerance) return;
    if (c.off++ == 0) c.first_stated = stated, c.first = follows;
    if (!(factor >= c.least)) c.least = factor;
    if (!(factor <= c.most)) c.most = factor;
  }
  std::array<bool, 3> watched_{};
  std::array<Compared, 3> compared_;
  bool any_ = false;
};

}  // namespace roofline
