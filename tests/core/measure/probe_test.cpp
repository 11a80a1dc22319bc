// Rates by a clock that the test moves, and the steps of a curve.
#include "probes/probe.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "probes/choice.hpp"
#include "probes/levels.hpp"

using namespace roofline::measure;

namespace {

double clock_s = 0;
/// Each look at the clock takes 1 ms.
double ticking() { return clock_s += 1e-3; }

/// A curve of `levels`, (points, bandwidth) each; every point is off by a fraction -noise, 0 or noise in turn.
std::vector<SetRate> curve_of(const std::vector<std::pair<int, double>>& levels, double noise = 0) {
  std::vector<SetRate> curve;
  for (const auto& [points, rate] : levels)
    for (int i = 0; i < points; ++i) {
      const int at = static_cast<int>(curve.size());
      curve.push_back({working_set(at), rate * (1 + noise * (at % 3 - 1))});
    }
  return curve;
}

std::string names(const std::vector<Level>& levels) {
  std::string out;
  for (const Level& level : levels) out += level.name + " " + std::to_string(level.first) + "-" + std::to_string(level.last) + " ";
  return out;
}

}  // namespace

TEST_CASE("measure: a rate is what was done over the time that it took") {
  const Kernels& kernels = *runnable_kernels().front();
  std::vector<float> memory(1 << 20, 1);
  WorkingSet set{memory.data(), memory.size() * 4, 0};
  clock_s = 0;
  // Windows end at the first look at or after `end`: ten pieces, each of 2^18 bytes and one tick.
  CHECK_THAT(sample(kernels, Probe::read, set, ticking, 0.05, 0.0605).rate, WithinRel((1 << 18) / 1e-3, 1e-9));
  const std::size_t went_on_at = set.at;
  CHECK(went_on_at > 0);
  CHECK_THAT(sample(kernels, Probe::copy, set, ticking, clock_s, clock_s + 0.0105).rate, WithinRel((1 << 19) / 1e-3, 1e-9));
  const double flops = kernels.fp32.operations_per_round * 10'000 / 1e-3;
  CHECK_THAT(sample(kernels, Probe::fp32, set, ticking, clock_s, clock_s + 0.0105).rate, WithinRel(flops, 1e-9));
  const double late = clock_s;
  const Sample after = sample(kernels, Probe::fp32, set, ticking, late - 0.01, late + 0.0005);
  CHECK(after.late);
  CHECK_THAT(after.rate, WithinRel(flops, 1e-9));
  CHECK(clock_s - late > 0.01);  // as long a window all the same
  CHECK_FALSE(sample(kernels, Probe::fp32, set, ticking, clock_s, clock_s + 0.01).late);
  // A small set is walked again and again between two looks.
  WorkingSet small{memory.data(), 16384, 0};
  CHECK_THAT(sample(kernels, Probe::write, small, ticking, clock_s, clock_s + 0.0105).rate, WithinRel((1 << 18) / 1e-3, 1e-9));
}

TEST_CASE("measure: working sets grow by a half and a third in turn, in whole kibibytes") {
  CHECK(working_set(0) == 16384);
  CHECK(working_set(1) == 24576);
  CHECK(working_set(2) == 32768);
  CHECK(working_set(30) == largest_set);
  for (int i = 0; i < 31; ++i) CHECK(std::fmod(working_set(i), 1024) == 0);
}

TEST_CASE("measure: the best of repeats, and how far the median stays below it") {
  const Best best = best_of({50, 100, 80, 90, 70});
  CHECK(best.rate == 100);
  CHECK_THAT(best.spread, WithinRel(0.2, 1e-12));
  CHECK(std::isnan(best_of({}).rate));
  CHECK(best_of({7}).rate == 7);
  CHECK(std::isnan(best_of({7}).spread));
}

TEST_CASE("measure: levels are the steps of a curve") {
  const auto levels = find_levels(curve_of({{4, 300e9}, {8, 120e9}, {8, 60e9}, {9, 20e9}}, 0.08));
  CHECK(names(levels) == "L1 0-3 L2 4-11 L3 12-19 DRAM 20-28 ");
  CHECK_THAT(levels.at(0).rate, WithinRel(300e9, 0.09));
  CHECK_THAT(levels.at(3).rate, WithinRel(20e9, 0.09));
  CHECK(names(find_levels(curve_of({{10, 50e9}, {10, 10e9}}, 0.1))) == "L1 0-9 DRAM 10-19 ");
  CHECK(names(find_levels(curve_of({{20, 10e9}}, 0.1))) == "DRAM 0-19 ");
}

TEST_CASE("measure: a small step, a rise and a single outlier are no levels") {
  CHECK(names(find_levels(curve_of({{10, 24e9}, {10, 20e9}}))) == "DRAM 0-19 ");
  CHECK(names(find_levels(curve_of({{10, 20e9}, {10, 60e9}}))) == "DRAM 0-19 ");
  auto curve = curve_of({{10, 100e9}, {10, 20e9}});
  curve[4].rate = 10e9;
  CHECK(names(find_levels(curve)) == "L1 0-9 DRAM 10-19 ");
  CHECK(find_levels({}).empty());
  CHECK(names(find_levels(curve_of({{1, 20e9}}))) == "DRAM 0-0 ");
}
