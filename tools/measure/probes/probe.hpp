// One core's rate at a probe during a window of time. All cores are measured by windows that begin together, and their rates are added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels.hpp"

namespace roofline::measure {

enum class Probe : std::uint8_t { fp64, fp32, int8, read, write, copy };
constexpr bool walks_memory(Probe probe) { return probe >= Probe::read; }

inline constexpr double window_s = 0.004;  ///< of one repeat, where the clock is fine: shorter than a time slice that another program takes
inline constexpr int repeats = 24;
inline constexpr double smallest_set = 16 * 1024;           ///< bytes of one core
inline constexpr double largest_set = 512.0 * 1024 * 1024;  ///< bytes of all cores together, unless known caches need more

/// The i-th working set of one core, bytes: 16 kiB, 24, 32, 48, ...; a multiple of 1,024.
[[nodiscard]] double working_set(int i);

/// Seconds since any moment that does not change.
using Clock = double (*)();

/// A core's memory for the probes that walk. `at` is where the next window goes on, so that a set larger than a window's walk is all used.
struct WorkingSet {
  float* data = nullptr;
  std::size_t bytes = 0;  ///< a multiple of 1,024; `copy` goes from its second half to its first
  std::size_t at = 0;
};

/// Operations or bytes per second during one window.
struct Sample {
  double rate;
  bool late;  ///< it could begin only in the second half of the window, so that it did not overlap with those of other cores
};

/// Waits until `start` and repeats the probe until `end`; where it begins late, for as long. Bytes of a copy are those read and those
/// written.
[[nodiscard]] Sample sample(const Kernels& kernels, Probe probe, WorkingSet& set, Clock clock, double start, double end);

/// The best of several rates, and how far below it the median is, as a fraction of it. NaN: no rates, and for the spread a single one.
struct Best {
  double rate, spread;
};
[[nodiscard]] Best best_of(std::vector<double> rates);

}  // namespace roofline::measure
