#include <algorithm>
#include <array>
#include <limits>
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

OnMachine on(const Plan& plan, const DistinctOps& ones) {
  const Machine& machine = plan.scenario().machine;
  OnMachine out;
  if (!machine.memories.empty()) {
    const Memory& m = machine.memories[0];
    out.bandwidth = m.split() ? std::min(m.read_bandwidth.value, m.write_bandwidth.value) : m.bandwidth.value;
    if (m.capacity.known() && known(ones.working_set)) out.fits = ones.working_set <= m.capacity.value;
  }
  std::array<double, max_resources> by_bound{};
  Blocks blocks(plan, device_axis, true);
  for_each_block(blocks, OpSet(plan, ones.rows), [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      const double n = ones.times[block.index[j]], predicted = block.predicted_s[j] * n;
      out.predicted_s += predicted;
      out.typical_s += block.typical_s[j] * n;
      if (block.bound[j] != no_resource) by_bound[static_cast<std::size_t>(block.bound[j])] += predicted;
    }
  });
  const auto most = std::max_element(by_bound.begin(), by_bound.end());
  if (*most > 0) out.bound_by = plan.resources()[static_cast<std::size_t>(most - by_bound.begin())].name;
  if (plan.workload().size() == 0) return out;
  const OpAnalysis first = plan.analyze(ones.first);
  out.compute = first.compute;
  out.fallback = first.compute_fallback;
  if (first.compute != no_format)
    out.peak = machine.peak(first.bound_unit == Unit::vector && !first.vector_on_matrix_peak ? Unit::vector : Unit::matrix, first.compute);
  out.ridge = out.peak / out.bandwidth;
  return out;
}

/// Bytes of the operands of one occurrence; NaN: not known.
double working_set(const Plan& plan, std::uint32_t op) {
  const Workload& w = plan.workload();
  if (w.class_of(op).roles_unknown) return unknown;
  const Plan::ClassRates& r = plan.rates(w.op_class[op]);
  double bytes = 0;
  const auto add = [&](const std::vector<double>& elements, double width) { bytes += elements.empty() ? 0 : elements[op] * width; };
  add(w.weight, r.weight);
  add(w.activation, r.activation);
  add(w.output, r.output);
  add(w.kv_read, r.kv);
  add(w.kv_write, r.kv);
  return bytes > 0 ? bytes / w.count_of(op) : unknown;
}

}  // namespace

DistinctOps distinct_ops(const OpSet& ops) {
  const Workload& w = ops.workload();
  std::vector<double> of_each(w.size());  // what of it is its own
  DistinctOps out;
  std::uint32_t first = static_cast<std::uint32_t>(w.size());
  for_each_block(ops, [&](const OpBlock& block) {
    if (block.count > 0) first = std::min(first, block.index[0]);
    for (std::size_t j = 0; j < block.count; ++j)
      of_each[block.index[j]] = block.rates_only && block.rates_only[j] != 0 ? 0 : block.share ? block.share[j] : 1;
  });
  if (first < w.size()) out.first = first;
  std::vector<std::vector<std::uint32_t>> groups;
  static_cast<void>(group_identical(w, &groups));
  out.times.resize(w.size());
  const auto rows = std::make_shared<RowSelection>();
  rows->scope.resize(w.size());
  for (const auto& group : groups) {
    const double one = w.count_of(group[0]);
    double& sum = out.times[group[0]];
    for (const std::uint32_t op : group) sum += of_each[op] * (w.count_of(op) / one);
    if (!(sum > 0)) continue;
    rows->scope[group[0]] = 1;
    if (const double bytes = working_set(ops.plan(), group[0]); !(bytes <= out.working_set))
      out.working_set = known_or(bytes, out.working_set);
  }
  rows->counted = rows->scope;
  out.rows = rows;
  return out;
}

std::vector<OnMachine> compare_machines(const OpSet& ops, const std::vector<const Machine*>& machines, const DistinctOps* given) {
  const Plan& plan = ops.plan();
  const DistinctOps own = given ? DistinctOps() : distinct_ops(ops.fixed());
  const DistinctOps& ones = given ? *given : own;
  const double today = on(plan, ones).predicted_s;
  std::vector<OnMachine> out;
  for (const Machine* machine : machines) {
    Scenario scenario = plan.scenario();
    scenario.whatif = {};
    scenario.use(*machine);
    OnMachine row = on(Plan(plan.workload(), scenario), ones);
    row.machine = machine;
    row.speedup = today > 0 && row.predicted_s > 0 ? today / row.predicted_s : unknown;
    out.push_back(std::move(row));
  }
  return out;
}

MachineMatrix machine_matrix(const OpSet& ops, const std::vector<const Machine*>& machines, const std::vector<FormatId>& formats) {
  const OpSet same = ops.fixed();
  const Workload& w = ops.plan().workload();
  MachineMatrix out{machines, formats, summarize(same, false).predicted_time_s, {}, {}};
  const DistinctOps ones = distinct_ops(same);
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

Finding choice_finding(const std::vector<MachineChoice>& choices, bool rates) {
  Finding out;
  const auto figure = [&](const MachineChoice& c) { return known_or(c.estimate, c.bound); };
  const auto possible = [&](const MachineChoice& c) {
    return known(figure(c)) && known(c.machines) && c.fits != std::optional<bool>(false);
  };
  const MachineChoice *fastest = nullptr, *fastest_of_more = nullptr, *cheapest = nullptr;
  double fewest = std::numeric_limits<double>::infinity();
  for (const MachineChoice& c : choices)
    if (possible(c)) fewest = std::min(fewest, c.machines);
  const auto better = [&](const MachineChoice& c, const MachineChoice* than) {
    return !than || (rates ? figure(c) > figure(*than) : figure(c) < figure(*than));
  };
  for (const MachineChoice& c : choices) {
    if (!possible(c)) continue;
    const MachineChoice*& best = c.machines > fewest ? fastest_of_more : fastest;
    if (better(c, best)) best = &c;
    if (known(c.usd_per_million) && (!cheapest || c.usd_per_million < cheapest->usd_per_million)) cheapest = &c;
  }
  if (!fastest) return choices.empty() ? out : out.say("No machine fits it.");
  const auto named = [](const MachineChoice& c) { return (c.machines > 1 ? number(c.machines) + " x " : "") + printable(c.name); };
  const auto text = [&](double v) { return rates ? number(v) + " tokens/s" : seconds(v); };
  const bool judged = fastest->fits.has_value();
  out.say(named(*fastest) + " is the fastest" + (judged ? " that fits: " : ": "))
      .figure(text(figure(*fastest)), {"the estimate; the bound is " + text(fastest->bound)})
      .say(known(fastest->estimate) ? " (bound " + text(fastest->bound) + ")" : "");
  const MachineChoice& here = choices.front();
  if (fastest != &here && possible(here) && here.machines == fastest->machines && fastest->name != here.name) {
    const double factor = rates ? figure(*fastest) / figure(here) : figure(here) / figure(*fastest);
    out.say(", ").figure(times(factor), {text(figure(here)) + " on " + named(here)}).say(" as fast as " + named(here));
  }
  out.say(".");
  if (fastest_of_more && better(*fastest_of_more, fastest))
    out.say(" On more machines, " + named(*fastest_of_more) + ": ")
        .figure(text(figure(*fastest_of_more)), {"the estimate; the bound is " + text(fastest_of_more->bound)})
        .say(".");
  if (cheapest)
    out.say(" Of those with a price, " + named(*cheapest) + " is the cheapest: $")
        .figure(number(cheapest->usd_per_million), {"its price over four years of use, busy all the time"})
        .say(rates ? " per million tokens." : " per million runs.");
  return out;
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
