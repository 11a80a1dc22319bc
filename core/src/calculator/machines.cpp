#include <algorithm>
#include <roofline/calculator/machines.hpp>

namespace roofline {
namespace {

OnMachine on(const Plan& plan, const Machine& machine) {
  OnMachine out;
  out.machine = &machine;
  if (!machine.memories.empty()) {
    const Memory& m = machine.memories[0];
    out.bandwidth = m.split() ? std::min(m.read_bandwidth.value, m.write_bandwidth.value) : m.bandwidth.value;
  }
  const Summary summary = summarize(plan);
  out.predicted_s = summary.predicted_time_s;
  if (summary.bound_by != no_resource) out.bound_by = plan.resources()[summary.bound_by].name;
  constexpr std::size_t most = 10000;  // beyond, only the bound is added up
  const std::size_t ops = plan.workload().size();
  out.typical_s = ops <= most ? 0 : unknown;
  for (std::size_t op = 0; op < ops && op < most; ++op) {
    const OpAnalysis a = plan.analyze(op);
    if (ops <= most && a.predicted_time_s > 0) out.typical_s += a.typical_time_s;
    if (op > 0) continue;
    out.compute = a.compute;
    out.fallback = a.compute_fallback;
    if (a.compute != no_format)
      out.peak = machine.peak(a.bound_unit == Unit::vector && !a.vector_on_matrix_peak ? Unit::vector : Unit::matrix, a.compute);
    out.ridge = out.peak / out.bandwidth;
  }
  return out;
}

}  // namespace

std::vector<OnMachine> compare_machines(const Plan& plan, const std::vector<const Machine*>& machines) {
  const double today = summarize(plan).predicted_time_s;
  std::vector<OnMachine> out;
  for (const Machine* machine : machines) {
    Scenario scenario = plan.scenario();
    scenario.whatif = {};
    scenario.use(*machine);
    const Plan there(plan.workload(), scenario);
    OnMachine row = on(there, *machine);
    row.speedup = today > 0 && row.predicted_s > 0 ? today / row.predicted_s : unknown;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace roofline
