// The figures that heat maps and distributions show.
#pragma once

#include "analysis/blocks.hpp"

namespace roofline {

/// What a heat map or a distribution shows of an operation, or of several together.
enum class Metric : std::uint8_t { achieved, efficiency, time, intensity, bandwidth, ops };
template <>
inline constexpr auto names_of<Metric> = std::to_array<const char*>({"achieved", "efficiency", "time", "intensity", "bandwidth", "ops"});

/// Operations added up, so that a rate of several is work over time. Rows that give rates alone count as one second each.
struct Totals {
  double flops = 0, bytes = 0, time = 0, predicted = 0;
  double flops_time = 0, bytes_time = 0, judged_time = 0, flops_of_bytes = 0;
  double ops = 0;
  bool timed = false;

  void add(const OpBlock& block, std::size_t j) {
    const double f = block.flops[j], b = block.bytes[j], t = block.time_s[j], p = block.predicted_s[j];
    ops += 1;
    if (t > 0 && known(f)) flops += f, flops_time += t;
    if (t > 0 && known(b)) bytes += b, bytes_time += t;
    if (t > 0 && p > 0) predicted += p, judged_time += t;
    if (t > 0 && !(block.rates_only && block.rates_only[j] != 0)) {  // a stand-in of one second is no time
      const double self = block.self_time_s[j];
      time += self > 0 ? self : t;
      timed = true;
    }
    if (known(f) && b > 0) flops_of_bytes += f, bytes_of_flops += b;
  }
  [[nodiscard]] double value(Metric metric) const {
    const auto ratio = [](double a, double b) { return b > 0 ? a / b : unknown; };
    switch (metric) {
      case Metric::achieved:
        return ratio(flops, flops_time);
      case Metric::efficiency:
        return ratio(predicted, judged_time);
      case Metric::time:
        return timed ? time : unknown;
      case Metric::intensity:
        return ratio(flops_of_bytes, bytes_of_flops);
      case Metric::bandwidth:
        return ratio(bytes, bytes_time);
      case Metric::ops:
        break;
    }
    return ops > 0 ? ops : unknown;
  }

 private:
  double bytes_of_flops = 0;
};

}  // namespace roofline
