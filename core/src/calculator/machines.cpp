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
  const auto bound = std::max_element(by_bound.begin(), by_bound.end());
  if (known(out.predicted_s) && *bound > 0) out.bound_by = plan.resources()[static_cast<std::size_t>(bound - by_bound.begin())].name;
  if (plan.workload().size() == 0) return out;
  const OpAnalysis most = plan.analyze(ones.most_work);
  out.compute = most.compute;
  out.fallback = most.compute_fallback;
  if (most.compute != no_format)
    out.peak = machine.peak(most.bound_unit == Unit::vector && !most.vector_on_matrix_peak ? Unit::vector : Unit::matrix, most.compute);
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
  std::vector<double> flops(w.size());
  DistinctOps out;
  std::uint32_t first = static_cast<std::uint32_t>(w.size());
  for_each_block(ops, [&](const OpBlock& block) {
    if (block.count > 0) first = std::min(first, block.index[0]);
    for (std::size_t j = 0; j < block.count; ++j) {
      of_each[block.index[j]] = block.rates_only && block.rates_only[j] != 0 ? 0 : block.share ? block.share[j] : 1;
      flops[block.index[j]] = block.flops[j];
    }
  });
  if (first < w.size()) out.most_work = first;
  double most_flops = 0;
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
    if (const double work = flops[group[0]] * sum; work > most_flops) most_flops = work, out.most_work = group[0];
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
    Scenario scenario = plan.scenario().without_whatif();
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
  out.say("By the bounds, " + format(*best) + " on " + printable(matrix.machines[*best / columns]->name) + " is the fastest that keeps " +
          number(least_db) + " dB: ");
  factor(*best);
  out.say(" as fast as today");
  if (as_fast > 0) out.say("; " + quantity(as_fast, "other machine is as fast", "other machines are as fast"));
  if (best_here && *best_here != *best) {
    const bool slower = matrix.predicted_s[*best_here] > matrix.today_s;  // today's formats are less accurate than asked for
    out.say(". On " + printable(here.name) + ", " +
            (slower ? "no format that keeps " + number(least_db) + " dB is faster than today's formats; " + format(*best_here) +
                          " is the fastest of them: "
                    : format(*best_here) + " is the fastest: "));
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

/// How many of the machines have a price, and the segments of which none has: one of those may be cheaper.
struct PriceCoverage {
  std::size_t count = 0;
  std::string unpriced_segments;  ///< "data-centre or embedded"
};
template <class Possible>
PriceCoverage price_coverage(const std::vector<MachineChoice>& choices, const Possible& possible) {
  PriceCoverage out;
  std::map<std::string, bool> segment_priced;  // whether any machine of it has a price
  for (const MachineChoice& c : choices) {
    const bool duplicate = &c != &choices.front() && c.name == choices.front().name;  // today's machine, as a preset
    if (!possible(c) || duplicate) continue;
    const bool priced = known(c.usd_per_million);
    out.count += priced;
    if (!c.segment.empty()) segment_priced[c.segment] |= priced;
  }
  for (const auto& [segment, priced] : segment_priced)
    if (!priced) out.unpriced_segments += (out.unpriced_segments.empty() ? "" : " or ") + segment;
  return out;
}

/// Which of the machines are named, and in what words.
class Choice {
 public:
  Choice(const std::vector<MachineChoice>& choices, bool rates) : choices_(choices), rates_(rates) { pick(); }

  Finding finding(std::vector<std::size_t>* fastest_first) {
    if (!fastest_) {
      if (fits_known(false) && !fits_known(true))
        out_.say(any([](const MachineChoice& c) { return !c.fits; }) ? "It fits on no machine whose memory size is known."
                                                                     : "It fits on no machine.");
      return out_;
    }
    say_fastest();
    const bool may_be_faster = guessed_ && better(*guessed_, fastest_);
    if (may_be_faster) say_guess();
    if (cheapest_) say_cheapest();
    for (const MachineChoice* named : {fastest_, may_be_faster ? guessed_ : nullptr})
      if (named && fastest_first) fastest_first->push_back(static_cast<std::size_t>(named - choices_.data()));
    return out_;
  }

 private:
  template <class Is>
  [[nodiscard]] bool any(const Is& is) const {
    return std::any_of(choices_.begin(), choices_.end(), is);
  }
  [[nodiscard]] bool fits_known(bool fits) const {
    return any([fits](const MachineChoice& c) { return c.fits == std::optional<bool>(fits); });
  }
  [[nodiscard]] const MachineChoice& here() const { return choices_.front(); }
  [[nodiscard]] double of_each(const MachineChoice& c, double figure) const { return rates_ ? figure / c.machines : figure; }
  [[nodiscard]] double figure(const MachineChoice& c) const { return of_each(c, known_or(c.estimate, c.bound)); }
  [[nodiscard]] bool better(const MachineChoice& c, const MachineChoice* than) const {
    const double margin = than == &here() ? 1.005 : 1;  // today's machine is the fastest if none is clearly faster
    return !than || (rates_ ? figure(c) > margin * figure(*than) : margin * figure(c) < figure(*than));
  }
  /// Machines of unknown memory size are left out as soon as the fit of any machine is known. So are estimates without launches if others
  /// include them, except today's machine's.
  [[nodiscard]] bool possible(const MachineChoice& c) const {
    return known(figure(c)) && !c.contradicted && c.fits.value_or(unknown_is_possible_) &&
           (c.launch_known || !any_launch_known_ || &c == &here());
  }
  [[nodiscard]] bool offered(const MachineChoice& c) const { return possible(c) && !(roomy_ && c.barely_fits); }

  void pick() {
    unknown_is_possible_ = !fits_known(true) && !fits_known(false);
    any_launch_known_ = any([](const MachineChoice& c) { return c.launch_known; });
    roomy_ = any([&](const MachineChoice& c) { return possible(c) && !c.barely_fits; });
    for (const MachineChoice& c : choices_) {
      if (!offered(c)) continue;
      const MachineChoice*& best = c.assumed && &c != &here() ? guessed_ : fastest_;
      if (better(c, best)) best = &c;
      if (known(c.usd_per_million) && (!cheapest_ || c.usd_per_million < cheapest_->usd_per_million)) cheapest_ = &c;
    }
    if (!fastest_) std::swap(fastest_, guessed_);
  }

  [[nodiscard]] static std::string named(const MachineChoice& c) {
    return (c.machines > 1 ? number(c.machines) + " x " : "") + printable(c.name);
  }
  [[nodiscard]] std::string text(const MachineChoice& c, double v) const {
    return rates_ ? number(of_each(c, v)) + " tokens/s" : seconds(v);
  }
  [[nodiscard]] bool several() const {
    return rates_ && any([](const MachineChoice& c) { return c.machines > 1; });
  }
  void say_figure(const MachineChoice& c) {
    out_.figure(text(c, known_or(c.estimate, c.bound)),
                {(known(c.estimate) ? "the estimate; the bound is " : "the bound: ") + text(c, c.bound)});
  }

  void say_fastest() {
    out_.say(named(*fastest_) + " is the fastest" +
             (fastest_->barely_fits ? ", but barely fits: "
              : fastest_->fits      ? " that fits: "
                                    : ": "));
    say_figure(*fastest_);
    if (several()) out_.say(" per machine");
    if (!known(fastest_->estimate))
      out_.say(" by its bound");
    else if (fastest_->assumed)
      out_.say(", estimated from other machines");
    if (here().contradicted)
      say_over_measured();
    else if (fastest_ != &here() && possible(here()) && fastest_->name != here().name)
      say_over_today();
    out_.say(".");
  }

  void say_over_measured() {
    if (known(here().measured))
      out_.say(", ")
          .figure(times(here().measured / figure(*fastest_)), {seconds(here().measured) + " measured"})
          .say(" as fast as the measured " + seconds(here().measured) + ", whose machine is not known");
  }

  void say_over_today() {
    const MachineChoice& now = here();
    const std::string today = text(now, known_or(now.estimate, now.bound));
    const bool least = fastest_->launch_known && !now.launch_known && known(fastest_->estimate);
    if (rates_ && now.machines > 1) {
      out_.say(". " + named(now) + " reach ")
          .figure(today, {number(known_or(now.estimate, now.bound)) + " tokens/s / " + number(now.machines)})
          .say(" per machine");
      if (now.barely_fits) out_.say(" and barely fit");
      return;
    }
    const double factor = rates_ ? figure(*fastest_) / figure(now) : figure(now) / figure(*fastest_);
    const std::string formula = today + " on " + named(now) + (least ? ", without launches" : "");
    out_.say(least ? ", at least " : ", ").figure(times(factor), {formula}).say(" as fast as " + printable(now.name));
    const bool differs = std::abs(now.measured / figure(now) - 1) > 0.02;  // false if nothing was measured
    if (now.barely_fits) out_.say(", which barely fits");
    if (!rates_ && differs) out_.say(" (estimate " + today + ", measured " + seconds(now.measured) + ")");
  }

  void say_guess() {
    out_.say(" " + named(*guessed_) +
             (guessed_->barely_fits ? ", which barely fits and has no known benchmark, may " : ", without a known benchmark, may ") +
             (rates_ ? "reach " : "take "));
    say_figure(*guessed_);
    out_.say(several() ? " per machine." : ".");
  }

  void say_cheapest() {
    const MachineChoice& c = *cheapest_;
    const std::string hour = "$" + number(c.usd_per_hour) + " an hour";
    const std::string together = c.machines > 1 ? number(c.machines) + " x " + hour : hour;
    const bool launches_left_out =
        any_launch_known_ && any([](const MachineChoice& other) { return !other.launch_known && known(other.usd_per_million); });
    const PriceCoverage priced = price_coverage(choices_, [&](const MachineChoice& other) { return offered(other); });
    const std::string unpriced = priced.unpriced_segments.empty() ? "" : "; no " + priced.unpriced_segments + " machine has a known price";
    out_.say(priced.count == 1
                 ? " Only " + named(c) + " has a known purchase price: "
                 : ' ' + with_commas(priced.count) + " machines that fit have a known purchase price; " + named(c) + " is the cheapest: ")
        .figure('$' + number(c.usd_per_million),
                {(rates_ ? "1,000,000 / " + number(c.estimate) + " tokens/s" : "1,000,000 x " + seconds(c.estimate)) + " x " + together +
                 ", its price spread over its years of use or as stated" +
                 (launches_left_out ? "; of machines with a known launch overhead" : "") + unpriced})
        .say(rates_ ? " per million tokens, without electricity." : " per million runs, without electricity.");
  }

  const std::vector<MachineChoice>& choices_;
  bool rates_;
  bool unknown_is_possible_ = false, any_launch_known_ = false, roomy_ = false;        ///< roomy_: some machine leaves the reserve free
  const MachineChoice *fastest_ = nullptr, *guessed_ = nullptr, *cheapest_ = nullptr;  ///< guessed_: without a known benchmark
  Finding out_;
};

}  // namespace

Finding choice_finding(const std::vector<MachineChoice>& choices, bool rates, std::vector<std::size_t>* fastest_first) {
  return choices.empty() ? Finding() : Choice(choices, rates).finding(fastest_first);
}

}  // namespace roofline
