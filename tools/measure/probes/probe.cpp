#include "probe.hpp"

#include <algorithm>
#include <limits>

namespace roofline::measure {
namespace {

constexpr std::int64_t rounds = 10'000;              // about 50 us
constexpr std::size_t piece = std::size_t{1} << 18;  // bytes between two looks at the clock, at least

volatile double result;  // so that no kernel can be left out

/// Walks over `piece` bytes or more; returns how many were moved.
double walk(const Kernels& kernels, Probe probe, WorkingSet& set) {
  const std::size_t size = probe == Probe::copy ? set.bytes / 2 / 1024 * 1024 : set.bytes;
  double moved = 0;
  while (moved < static_cast<double>(piece)) {
    if (set.at >= size) set.at = 0;
    const std::size_t here = std::min(piece, size - set.at);
    float* const data = set.data + set.at / sizeof(float);
    if (probe == Probe::read)
      result = static_cast<double>(kernels.read(data, here));
    else if (probe == Probe::write)
      kernels.write(data, here, 1.f);
    else
      kernels.copy(data, data + size / sizeof(float), here);
    set.at += here;
    moved += static_cast<double>(here) * (probe == Probe::copy ? 2 : 1);
  }
  return moved;
}

double work(const Kernels& kernels, Probe probe, WorkingSet& set) {
  if (walks_memory(probe)) return walk(kernels, probe, set);
  const Arithmetic& arithmetic = probe == Probe::fp64 ? kernels.fp64 : probe == Probe::fp32 ? kernels.fp32 : kernels.int8;
  result = arithmetic.run(rounds);
  return arithmetic.operations_per_round * static_cast<double>(rounds);
}

}  // namespace

double working_set(int i) { return smallest_set * static_cast<double>(std::int64_t{1} << i / 2) * (i % 2 == 0 ? 1 : 1.5); }

Sample sample(const Kernels& kernels, Probe probe, WorkingSet& set, Clock clock, double start, double end) {
  while (clock() < start) {
  }
  const double began = clock();
  const bool late = began > (start + end) / 2;
  if (late) end += began - start;
  double done = 0, now;
  do {
    done += work(kernels, probe, set);
    now = clock();
  } while (now < end);
  return {done / (now - began), late};
}

Best best_of(std::vector<double> rates) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (rates.empty()) return {none, none};
  std::sort(rates.begin(), rates.end());
  return {rates.back(), rates.size() > 1 ? 1 - rates[rates.size() / 2] / rates.back() : none};
}

}  // namespace roofline::measure
