#include <algorithm>
#include <cmath>
#include <roofline/analysis/fit.hpp>
#include <tuple>

#include "support.hpp"

using namespace roofline;

namespace {

/// 100 TFLOP/s and 1 TB/s.
Machine tera_machine() {
  Machine m;
  m.id = "tera";
  m.name = "Tera";
  m.matrix = {peak("fp16", 100e12)};
  m.vector = {peak("fp16", 10e12)};
  m.memories.push_back({"HBM", {1e12, "", "", ""}, {}, {}, {}});
  m.memories.push_back({"L2", {5e12, "", "", ""}, {}, {}, {}});
  return m;
}

/// Square matrix products from 64 to 8192 and as many copies, timed by c, b and L; `noise` shifts each by up to that share, up and down in
/// turn.
Workload synthetic(double c, double b, double launch_s, double noise = 0) {
  Workload w;
  const double shifts[] = {0.7, -0.4, -1, 0.9, 0.1, -0.6, 0.5, -0.2};
  std::size_t i = 0;
  for (double n = 64; n <= 8192; n *= 2) {
    const double flops = 2 * n * n * n, bytes = 6 * n * n;
    for (const bool product : {true, false}) {
      const double work = product ? std::max(flops / (c * 100e12), bytes / (b * 1e12)) : bytes / (b * 1e12);
      add_row(w, product ? flops : 0, bytes, (work + launch_s) * (1 + noise * shifts[i++ % 8]));
    }
  }
  return w;
}

}  // namespace

TEST_CASE("fit: exact times give back the fractions and the launch time they were made with") {
  const Scenario scenario = on(tera_machine());
  for (const auto& [c, b, launch] : {std::tuple(0.62, 0.8, 5e-6), std::tuple(0.1, 0.95, 0.0), std::tuple(1.0, 0.3, 40e-6),
                                     std::tuple(0.75, 1.0, 1e-7), std::tuple(0.03, 0.05, 2e-4)}) {
    INFO(c << ' ' << b << ' ' << launch);
    const Workload w = synthetic(c, b, launch);
    const auto found = fit(Plan(w, scenario));
    REQUIRE(found);
    CHECK(found->compute == Approx(c).epsilon(1e-9));
    CHECK(found->bandwidth == Approx(b).epsilon(1e-9));
    CHECK(found->launch_s == Approx(launch).epsilon(1e-9).margin(1e-15));
    CHECK(found->rms < 1e-9);
    CHECK(found->bound_rms > found->rms);
    CHECK(found->rows.size() == 16);
    CHECK(found->compute_rows + found->memory_rows == 16);
    CHECK(found->compute_rows > 0);
    CHECK(found->above_roof == 0);
  }
}

TEST_CASE("fit: noise of 5% moves the result by a few percent, and is what remains") {
  const Scenario scenario = on(tera_machine());
  const Workload w = synthetic(0.6, 0.8, 5e-6, 0.05);
  const auto found = fit(Plan(w, scenario));
  REQUIRE(found);
  CHECK(found->compute == Approx(0.6).epsilon(0.05));
  CHECK(found->bandwidth == Approx(0.8).epsilon(0.05));
  CHECK(found->launch_s == Approx(5e-6).epsilon(0.05));
  CHECK(found->rms < 0.05);
  CHECK(found->rms > 0.01);
  for (const FitRow& row : found->rows) {
    CHECK(row.residual == Approx(row.fitted_s / row.measured_s - 1).margin(1e-12));
    CHECK(std::abs(row.residual) < 0.1);
  }
}

TEST_CASE("fit: no other fractions or launch time explain noisy times better") {
  const Scenario scenario = on(tera_machine());
  const Workload w = synthetic(0.6, 0.8, 5e-6, 0.2);
  const Plan plan(w, scenario);
  const auto found = fit(plan);
  REQUIRE(found);
  const auto rms = [&](double c, double b, double launch) {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      const OpAnalysis a = plan.analyze(i);
      const double compute = a.min_time_s[0] > 0 ? a.min_time_s[0] / c : 0;
      const double r = (std::max(compute, a.min_time_s[1] / b) + launch) / a.time_s - 1;
      sum += r * r;
    }
    return std::sqrt(sum / static_cast<double>(w.size()));
  };
  CHECK(rms(found->compute, found->bandwidth, found->launch_s) == Approx(found->rms));
  for (double c = 0.3; c <= 1; c += 0.02)
    for (double b = 0.3; b <= 1; b += 0.02)
      for (double launch = 0; launch < 1e-5; launch += 5e-7) REQUIRE(rms(c, b, launch) >= found->rms * (1 - 1e-9));
}

TEST_CASE("fit: what the measurements do not tell stays unknown") {
  const Scenario scenario = on(tera_machine());
  Workload memory;
  for (const double bytes : {1e6, 1e7, 1e8}) add_row(memory, 0, bytes, bytes / 0.5e12 + 1e-6);
  const auto found = fit(Plan(memory, scenario));
  REQUIRE(found);
  CHECK(found->compute != found->compute);
  CHECK(found->bandwidth == Approx(0.5));
  CHECK(found->launch_s == Approx(1e-6));

  Workload faster;  // by a quarter than the machine: a fraction is never above 1, and it says so
  for (const double bytes : {1e6, 1e7, 1e8}) add_row(faster, 0, bytes, bytes / 1.25e12);
  const auto above = fit(Plan(faster, scenario));
  REQUIRE(above);
  CHECK(above->bandwidth == 1);
  CHECK(above->launch_s == 0);
  CHECK(above->above_roof == 3);
  CHECK(above->rms == Approx(0.25));
  Workload elsewhere;  // twice as fast: that was another machine, and no fit of this one explains it
  for (const double bytes : {1e6, 1e7, 1e8}) add_row(elsewhere, 0, bytes, bytes / 2e12);
  const auto unexplained = fit(Plan(elsewhere, scenario));
  REQUIRE_FALSE(unexplained);
  CHECK(unexplained.error().message ==
        "a fit explains nothing here: even the best fractions and launch time leave a root mean square error of 100%. Is it the machine it "
        "ran on (Tera)?");

  Workload few;
  add_row(few, 0, 1e6, 1e-6);
  add_row(few, 0, 1e7, 1e-5);
  add_row(few, 1e9, 1e7, unknown);
  const auto refused = fit(Plan(few, scenario));
  REQUIRE(!refused);
  CHECK(refused.error().message ==
        "a fit needs at least three operations with a time, and a bound by compute or the device memory: found 2");
}

TEST_CASE("fit: the calibrated machine carries it, with its source, and typical times become the fitted ones") {
  const Workload w = synthetic(0.6, 0.8, 5e-6, 0.05);
  const Scenario scenario = on(tera_machine());
  const auto found = fit(Plan(w, scenario));
  REQUIRE(found);
  const Machine machine = calibrated(scenario.machine, *found, "results.csv");
  CHECK(machine.id == "tera-fitted");
  CHECK(machine.achievable_compute.value == found->compute);
  CHECK(machine.achievable_bandwidth.basis == "measured");
  CHECK(machine.launch_s.source.find("Fitted to results.csv: 16 measurements, root mean square error") == 0);
  CHECK(calibrated(machine, *found, "x").id == "tera-fitted");
  const auto again = parse_machine(machine_json(machine, true));
  REQUIRE(again);
  CHECK(*again == machine);

  const Scenario fitted = on(machine);
  const Plan plan(w, fitted);
  for (const FitRow& row : found->rows) CHECK(plan.analyze(row.op).typical_time_s == Approx(row.fitted_s).epsilon(1e-12));
}
