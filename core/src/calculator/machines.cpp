#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <roofline/analysis/estimate.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/scenario/operands.hpp>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

OnMachine on(const Plan& plan, const DistinctOps& ones) {
  const Machine& machine = plan.scenario().machine;
  OnMachine out;
  out.assumed = estimate_is_assumed(plan.scenario(), plan.stack_use());
  out.launch_known = launch_is_known(plan.scenario(), plan.stack_use());
  if (!machine.memories.empty()) {
    const Memory& m = machine.memories[0];
    out.bandwidth = m.split() ? std::min(m.read_bandwidth.value, m.write_bandwidth.value) : m.bandwidth.value;
    if (known(machine.capacity()) && known(ones.working_set)) out.fits = ones.working_set <= machine.capacity();
  }
  std::array<double, max_resources> by_bound{};
  bool computable = true;
  Blocks blocks(plan, device_axis, true);
  for_each_block(blocks, OpSet(plan, ones.rows), [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      const double n = ones.times[block.index[j]], predicted = block.predicted_s[j] * n;
      computable = computable && !plan.lacks_rate(block.index[j]);
      out.predicted_s += predicted;
      out.typical_s += block.typical_s[j] * n;
      if (block.bound[j] != no_resource) by_bound[static_cast<std::size_t>(block.bound[j])] += predicted;
    }
  });
  if (!computable) out.predicted_s = out.typical_s = unknown;
  const auto most = std::max_element(by_bound.begin(), by_bound.end());
  if (known(out.predicted_s) && *most > 0) out.bound_by = plan.resources()[static_cast<std::size_t>(most - by_bound.begin())].name;
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
    if (!formats.empty()) scenario.whatif = with_format({}, formats.front(), Roles::all);
    Plan there(w, scenario);  // one for the machine's row
    Blocks blocks(there);
    for (const FormatId format : formats) {
      scenario.whatif = with_format({}, format, Roles::all);
      there.compile_whatif_formats();
      double predicted = 0;
      for_each_block(blocks, OpSet(there, ones.rows), [&](const OpBlock& block) {
        for (std::size_t j = 0; j < block.count; ++j) {
          const std::uint32_t op = block.index[j];
          predicted += there.whatif_lacks_rate(op, block.bound[j]) ? unknown : block.whatif_s[j] * ones.times[op];
        }
      });
      out.predicted_s.push_back(predicted > 0 ? predicted : unknown);
      out.fallback.push_back(scenario.whatif.activation && support(*machine, format, true) != FormatSupport::computes);
    }
  }
  return out;
}

Finding matrix_finding(const MachineMatrix& matrix, const std::vector<double>& sqnr_db, double least_db, const Machine& here) {
  Finding out;
  const std::size_t columns = matrix.formats.size();
  std::optional<std::size_t> best, best_here;
  for (std::size_t i = 0; i < matrix.predicted_s.size(); ++i) {
    if (!known(matrix.predicted_s[i]) || matrix.fallback[i] || !(sqnr_db[i % columns] >= least_db)) continue;
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
  std::size_t as_fast = 0;
  for (std::size_t i = *best % columns; i < matrix.predicted_s.size(); i += columns)
    as_fast += i != *best && !matrix.fallback[i] && matrix.predicted_s[i] <= 1.001 * matrix.predicted_s[*best] ? 1 : 0;
  out.say("By the bounds and at " + number(least_db) + " dB or more, " + format(*best) + " on " +
          printable(matrix.machines[*best / columns]->name) +
          (as_fast > 0 ? " and " + quantity(as_fast, "other machine", "other machines") : "") + " would be the fastest: ");
  factor(*best);
  if (best_here && *best_here != *best) {
    out.say("; on " + printable(here.name) + ", " + format(*best_here) + ": ");
    factor(*best_here);
  }
  return out.say(".");
}

MachineChoice choice_of(const OnMachine& run) {
  const auto time = [](double v) { return v > 0 ? v : unknown; };
  return {.name = run.machine->name,
          .segment = run.machine->segment,
          .fits = run.fits,
          .machines = run.fits == std::optional<bool>(false) ? unknown : 1,
          .bound = time(run.predicted_s),
          .estimate = time(run.typical_s),
          .assumed = run.assumed,
          .launch_known = run.launch_known};
}

namespace {

/// " Of those that fit, 23 have a known purchase price, none of them a data-centre machine; RTX 4090 is the cheapest". A segment is named
/// if none of its possible machines has a price: one of them may be cheaper.
template <class Possible>
std::string among_priced(const std::vector<MachineChoice>& choices, const Possible& possible, const std::string& cheapest,
                         const std::string& among) {
  std::size_t count = 0;
  std::map<std::string, bool> segment_priced;  // whether any machine of it has a price
  for (const MachineChoice& c : choices) {
    const bool duplicate = &c != &choices.front() && c.name == choices.front().name;  // today's machine, as a preset
    if (!possible(c) || duplicate) continue;
    const bool priced = known(c.usd_per_million);
    count += priced;
    if (!c.segment.empty()) segment_priced[c.segment] |= priced;
  }
  std::string unpriced;
  for (const auto& [segment, priced] : segment_priced)
    if (!priced) unpriced += (unpriced.empty() ? "" : " or ") + segment;
  const std::string unpriced_machine = unpriced.empty() ? "" : unpriced + " machine";
  return count == 1
             ? " Only " + cheapest + " has a known purchase price" + (unpriced.empty() ? "" : ", and no " + unpriced_machine + " has one")
             : " Of " + among + ", " + with_commas(count) + " have a known purchase price" +
                   (unpriced.empty() ? "" : ", none of them a " + unpriced_machine) + "; " + cheapest + " is the cheapest";
}

}  // namespace

Finding choice_finding(const std::vector<MachineChoice>& choices, bool rates, std::vector<std::size_t>* fastest_first) {
  Finding out;
  const auto recommend = [&](const MachineChoice* c) {
    if (fastest_first) fastest_first->push_back(static_cast<std::size_t>(c - choices.data()));
  };
  const auto of_each = [&](const MachineChoice& c, double figure) { return rates ? figure / c.machines : figure; };
  const auto figure = [&](const MachineChoice& c) { return of_each(c, known_or(c.estimate, c.bound)); };
  const MachineChoice *fastest = nullptr, *guessed = nullptr, *cheapest = nullptr;
  const auto better = [&](const MachineChoice& c, const MachineChoice* than) {
    const double margin = than == &choices.front() ? 1.005 : 1;  // today's machine is the fastest if none is clearly faster
    return !than || (rates ? figure(c) > margin * figure(*than) : margin * figure(c) < figure(*than));
  };
  const auto any_fits = [&](bool fits) {
    return std::any_of(choices.begin(), choices.end(), [fits](const MachineChoice& c) { return c.fits == std::optional<bool>(fits); });
  };
  const auto any = [&choices](const auto& is) { return std::any_of(choices.begin(), choices.end(), is); };
  const bool any_launch_known = any([](const MachineChoice& c) { return c.launch_known; });
  // Machines of unknown memory size are left out as soon as the fit of any machine is known. So are estimates without
  // launches if others include them, except today's machine's.
  const auto possible = [&, unknown_is_possible = !any_fits(true) && !any_fits(false)](const MachineChoice& c) {
    return known(figure(c)) && !c.contradicted && c.fits.value_or(unknown_is_possible) &&
           (c.launch_known || !any_launch_known || &c == &choices.front());
  };
  const bool roomy = any([&](const MachineChoice& c) { return possible(c) && !c.barely_fits; });
  const auto offered = [&](const MachineChoice& c) { return possible(c) && !(roomy && c.barely_fits); };
  for (const MachineChoice& c : choices) {
    if (!offered(c)) continue;
    const MachineChoice*& best = c.assumed && &c != &choices.front() ? guessed : fastest;
    if (better(c, best)) best = &c;
    if (known(c.usd_per_million) && (!cheapest || c.usd_per_million < cheapest->usd_per_million)) cheapest = &c;
  }
  const bool measured = fastest != nullptr;
  if (!measured) std::swap(fastest, guessed);
  if (!fastest && any_fits(false) && !any_fits(true))
    return out.say(any([](const MachineChoice& c) { return !c.fits; }) ? "It fits on no machine whose memory size is known."
                                                                       : "It fits on no machine.");
  if (!fastest) return out;
  const auto named = [](const MachineChoice& c) { return (c.machines > 1 ? number(c.machines) + " x " : "") + printable(c.name); };
  const auto text = [&](const MachineChoice& c, double v) { return rates ? number(of_each(c, v)) + " tokens/s" : seconds(v); };
  const bool several = rates && any([](const MachineChoice& c) { return c.machines > 1; });
  const auto say_figure = [&](const MachineChoice& c) {
    out.figure(text(c, known_or(c.estimate, c.bound)),
               {(known(c.estimate) ? "the estimate; the bound is " : "the bound: ") + text(c, c.bound)});
  };
  recommend(fastest);
  out.say((several ? "Per machine, " : "") + named(*fastest) + " is the fastest" +
          (fastest->barely_fits ? " that barely fits: "
           : fastest->fits      ? " that fits: "
                                : ": "));
  say_figure(*fastest);
  if (known(fastest->estimate))
    out.say(" (bound " + text(*fastest, fastest->bound) + (fastest->assumed ? ", estimated from other machines)" : ")"));
  const MachineChoice& here = choices.front();
  if (here.contradicted) {
    if (known(here.measured))
      out.say(", ")
          .figure(times(here.measured / figure(*fastest)), {seconds(here.measured) + " measured"})
          .say(" as fast as the measured " + seconds(here.measured) + ", whose machine is not known");
  } else if (fastest != &here && possible(here) && fastest->name != here.name) {
    const double factor = rates ? figure(*fastest) / figure(here) : figure(here) / figure(*fastest);
    const double now = known_or(here.estimate, here.bound);
    const std::string today = rates ? number(of_each(here, now)) + " tokens/s" : seconds(now);
    const bool least = fastest->launch_known && !here.launch_known && known(fastest->estimate);
    const bool each = rates && here.machines > 1;
    const std::string formula = today + (each ? " each on " : " on ") + named(here) + (least ? ", without launches" : "");
    out.say(least ? ", at least " : ", ").figure(times(factor), {formula}).say(" as fast as " + printable(here.name));
    if (each) out.say(" (" + today + " on each of " + number(here.machines) + ')');
    const bool differs = std::abs(here.measured / figure(here) - 1) > 0.02;  // false if nothing was measured
    if (here.barely_fits) out.say(", which barely fits");
    if (!rates && differs) out.say(" (estimate " + today + ", measured " + seconds(here.measured) + ")");
  }
  out.say(".");
  if (measured && guessed && better(*guessed, fastest)) {
    recommend(guessed);
    out.say(" " + named(*guessed) +
            (guessed->barely_fits ? ", which barely fits and has no known benchmark, may " : ", without a known benchmark, may ") +
            (rates ? "reach " : "take "));
    say_figure(*guessed);
    out.say(several ? " per machine." : ".");
  }
  if (cheapest) {
    const std::string hour = "$" + number(cheapest->usd_per_hour) + " an hour";
    const std::string together = cheapest->machines > 1 ? number(cheapest->machines) + " x " + hour : hour;
    const bool fits = cheapest->fits.value_or(false) && !cheapest->barely_fits;
    const bool some_barely_fit =
        roomy && any([&](const MachineChoice& c) { return possible(c) && c.barely_fits && known(c.usd_per_million); });
    const std::string among = !fits             ? "these machines"
                              : some_barely_fit ? "those that fit and keep the memory reserve free"
                                                : "those that fit";
    out.say(among_priced(choices, offered, named(*cheapest), among) + ": $")
        .figure(number(cheapest->usd_per_million),
                {(rates ? "1,000,000 / " + number(cheapest->estimate) + " tokens/s" : "1,000,000 x " + seconds(cheapest->estimate)) +
                 " x " + together + ", its price spread over its years of use or as stated"})
        .say(rates ? " per million tokens, without electricity." : " per million runs, without electricity.");
  }
  return out;
}

}  // namespace roofline
