// The chart's grid of all operations' positions.
#pragma once

#include <array>
#include <cstring>
#include <roofline/frame/frame.hpp>
#include <vector>

#include "analysis/blocks.hpp"
#include "base/simd.hpp"

namespace roofline {

/// log2 to about 0.01, from the exponent and a parabola through the mantissa: one cell of the density grid is five times wider.
inline float fast_log2(float v) {
  std::int32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  const float m = static_cast<float>(bits & 0x7fffff) * 0x1p-23f;
  return static_cast<float>((bits >> 23) - 127) + m * (1.3465553f - 0.3465553f * m);
}

/// Counts the operations in each cell.
class Density {
 public:
  explicit Density(const FrameRequest& r) : cells_(outside_cell + 1) {
    const double decades_per_octave = 0.30102999566398120;
    x_scale_ = static_cast<float>(decades_per_octave * Frame::grid_width / (r.window.log_x1 - r.window.log_x0));
    y_scale_ = static_cast<float>(decades_per_octave * Frame::grid_height / (r.window.log_y1 - r.window.log_y0));
    x_offset_ = static_cast<float>(r.window.log_x0 * Frame::grid_width / (r.window.log_x1 - r.window.log_x0));
    y_offset_ = static_cast<float>(r.window.log_y0 * Frame::grid_height / (r.window.log_y1 - r.window.log_y0));
  }
  /// `time` is the measured time, else the predicted one.
  void add(const OpBlock& ops) {
    std::array<float, Plan::block_size> flops, bytes, time, x, y;
    std::array<std::int32_t, Plan::block_size> cell;
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      flops[j] = static_cast<float>(ops.flops[j]);
      bytes[j] = static_cast<float>(ops.axis_bytes[j]);
    }
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) time[j] =
        static_cast<float>(ops.time_s[j] > 0 ? ops.time_s[j] : ops.predicted_s[j]);
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      const float f = fast_log2(flops[j]);
      x[j] = (f - fast_log2(bytes[j])) * x_scale_ - x_offset_;
      y[j] = (f - fast_log2(time[j])) * y_scale_ - y_offset_;
    }
    constexpr auto width = static_cast<float>(Frame::grid_width), height = static_cast<float>(Frame::grid_height);
    ROOFLINE_SIMD for (std::size_t j = 0; j < ops.count; ++j) {
      // FLOPs or bytes of zero have a log2 of about -127, which is outside; NaN compares as false and is outside, too.
      const bool inside = x[j] >= 0 && y[j] >= 0 && x[j] < width && y[j] < height;
      const float column = inside ? x[j] : 0, row = inside ? y[j] : height;
      cell[j] = static_cast<std::int32_t>(row) * static_cast<std::int32_t>(Frame::grid_width) + static_cast<std::int32_t>(column);
    }
    for (std::size_t j = 0; j < ops.count; ++j) cells_[static_cast<std::size_t>(cell[j])] += sign_;
  }
  void subtract_from_now_on() { sign_ = ~0u; }
  [[nodiscard]] std::size_t outside() const { return cells_.back(); }
  [[nodiscard]] std::vector<std::uint32_t> take() {
    cells_.pop_back();
    return std::move(cells_);
  }

 private:
  static constexpr std::size_t outside_cell = Frame::grid_width * Frame::grid_height;  // the first cell above the grid
  std::vector<std::uint32_t> cells_;
  float x_scale_, y_scale_, x_offset_, y_offset_;
  std::uint32_t sign_ = 1;
};

}  // namespace roofline
