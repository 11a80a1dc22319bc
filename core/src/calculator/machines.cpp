#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

OnMachine on(const OpSet& ops, const Machine& machine) {
  const Plan& plan = ops.plan();
  OnMachine out;
  out.machine = &machine;
  if (!machine.memories.empty()) {
    const Memory& m = machine.memories[0];
    out.bandwidth = m.split() ? std::min(m.read_bandwidth.value, m.write_bandwidth.value) : m.bandwidth.value;
  }
  const Summary summary = summarize(ops);
  out.predicted_s = summary.predicted_time_s;
  out.typical_s = summary.typical_time_s;
  if (summary.bound_by != no_resource) out.bound_by = plan.resources()[summary.bound_by].name;
  const std::vector<std::uint32_t> listed = ops.listed();
  if (listed.empty()) return out;
  const OpAnalysis first = plan.analyze(listed[0]);
  out.compute = first.compute;
  out.fallback = first.compute_fallback;
  if (first.compute != no_format)
    out.peak = machine.peak(first.bound_unit == Unit::vector && !first.vector_on_matrix_peak ? Unit::vector : Unit::matrix, first.compute);
  out.ridge = out.peak / out.bandwidth;
  return out;
}

/// Of operations that are equal but for their time the first, and how many of it they make together.
struct Distinct {
  std::shared_ptr<RowSelection> rows = std::make_shared<RowSelection>();
  std::vector<double> times;  ///< per row of the workload; 0: stood for by another, or not in the set
};

Distinct distinct(const OpSet& ops) {
  const Workload& w = ops.workload();
  std::vector<double> of_each(w.size());  // what of it is its own
  for_each_block(ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j)
      of_each[block.index[j]] = block.rates_only && block.rates_only[j] != 0 ? 0 : block.share ? block.share[j] : 1;
  });
  std::vector<std::vector<std::uint32_t>> groups;
  static_cast<void>(group_identical(w, &groups));
  Distinct out;
  out.times.resize(w.size());
  out.rows->scope.resize(w.size());
  for (const auto& group : groups) {
    const double one = w.count_of(group[0]);
    double& sum = out.times[group[0]];
    for (const std::uint32_t op : group) sum += of_each[op] * (w.count_of(op) / one);
    out.rows->scope[group[0]] = sum > 0 ? 1 : 0;
  }
  out.rows->counted = out.rows->scope;
  return out;
}

}  // namespace

std::vector<OnMachine> compare_machines(const OpSet& ops, const std::vector<const Machine*>& machines) {
  const OpSet same = ops.fixed();
  const Plan& plan = ops.plan();
  const double today = summarize(same, false).predicted_time_s;
  std::vector<OnMachine> out;
  for (const Machine* machine : machines) {
    Scenario scenario = plan.scenario();
    scenario.whatif = {};
    scenario.use(*machine);
    const Plan there(plan.workload(), scenario);
    OnMachine row = on(same.under(there), *machine);
    row.speedup = today > 0 && row.predicted_s > 0 ? today / row.predicted_s : unknown;
    out.push_back(std::move(row));
  }
  return out;
}

MachineMatrix machine_matrix(const OpSet& ops, const std::vector<const Machine*>& machines, const std::vector<FormatId>& formats) {
  const OpSet same = ops.fixed();
  const Workload& w = ops.plan().workload();
  MachineMatrix out{machines, formats, summarize(same, false).predicted_time_s, {}, {}};
  const Distinct ones = distinct(same);
  for (const Machine* machine : machines) {
    Scenario scenario = ops.plan().scenario();
    scenario.use(*machine);
    const auto take = [&](FormatId format) {
      scenario.whatif = {};
      scenario.whatif.weight = format;
      if (!Formats::catalogue()[format].weights_only) scenario.whatif.activation = scenario.whatif.output = scenario.whatif.kv = format;
    };
    if (!formats.empty()) take(formats.front());
    Plan there(w, scenario);  // one for the machine's row
    Blocks blocks(there);
    for (const FormatId format : formats) {
      take(format);
      there.compile_whatif_formats();
      double predicted = 0;
      for_each_block(blocks, OpSet(there, ones.rows), [&](const OpBlock& block) {
        for (std::size_t j = 0; j < block.count; ++j) predicted += block.whatif_s[j] * ones.times[block.index[j]];
      });
      out.predicted_s.push_back(predicted > 0 ? predicted : unknown);
      out.fallback.push_back(scenario.whatif.activation && compute_format(*machine, Unit::matrix, format, format) != format);
    }
  }
  return out;
}

Finding matrix_finding(const MachineMatrix& matrix, const Machine& here) {
  Finding out;
  const std::size_t columns = matrix.formats.size();
  std::optional<std::size_t> best, best_here;
  for (std::size_t i = 0; i < matrix.predicted_s.size(); ++i) {
    if (!known(matrix.predicted_s[i]) || matrix.fallback[i]) continue;
    const auto faster = [&](const std::optional<std::size_t>& than) { return !than || matrix.predicted_s[i] < matrix.predicted_s[*than]; };
    if (faster(best)) best = i;
    if (matrix.machines[i / columns]->id == here.id && faster(best_here)) best_here = i;
  }
  if (!best || !(matrix.today_s > 0)) return out;
  const auto factor = [&](std::size_t i) {
    out.figure(times(matrix.today_s / matrix.predicted_s[i]),
               {"bound of " + seconds(matrix.today_s) + " today / " + seconds(matrix.predicted_s[i])});
  };
  const auto format = [&](std::size_t i) { return Formats::catalogue()[matrix.formats[i % columns]].name; };
  out.say(format(*best) + " on " + printable(matrix.machines[*best / columns]->name) + " would be the fastest: ");
  factor(*best);
  if (best_here && *best_here != *best) {
    out.say("; on " + printable(here.name) + ", " + format(*best_here) + ": ");
    factor(*best_here);
  }
  return out.say(".");
}

Finding machines_finding(const Machine& here, const std::vector<OnMachine>& machines) {
  Finding out;
  std::vector<const OnMachine*> others;
  for (const OnMachine& m : machines)
    if (m.machine->id != here.id && known(m.speedup)) others.push_back(&m);
  if (others.empty()) return out;
  std::stable_sort(others.begin(), others.end(), [](const OnMachine* a, const OnMachine* b) { return a->speedup > b->speedup; });
  const auto factor = [&](const OnMachine& m) {
    const double today = m.speedup * m.predicted_s;
    out.figure(times(m.speedup), {"bound of " + seconds(today) + " on " + printable(here.name) + " / " + seconds(m.predicted_s) + " on " +
                                  printable(m.machine->name)});
  };
  const OnMachine& best = *others.front();
  const bool faster = best.speedup > 1;
  out.say(printable(best.machine->name) + (best.bound_by.empty() ? "" : ", bound by " + printable(best.bound_by) + ',') +
          (faster ? " would be the fastest: " : " comes next: "));
  factor(best);
  out.say(" as fast as " + printable(here.name));
  if (others.size() > 1) {
    out.say("; " + printable(others.back()->machine->name) + (others.size() > 2 ? " is the slowest with " : " reaches "));
    factor(*others.back());
  }
  return out.say(".");
}

}  // namespace roofline
