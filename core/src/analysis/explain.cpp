#include <algorithm>
#include <cmath>
#include <roofline/analysis/estimate.hpp>
#include <roofline/analysis/explain.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/scenario/operands.hpp>

#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// Said of a time that no roof allows, where the verdict has said that it is another machine's.
constexpr const char* wrong_unit_remark = "If it did run there, a unit is wrong: GFLOP/s or TFLOP/s, FLOPs or MACs, bytes or elements.";

class Diagnoser {
 public:
  Diagnoser(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool mismatch)
      : plan_(plan),
        op_(op),
        op_class_(plan.workload().class_of(op)),
        a_(analysis),
        mismatch_(mismatch),
        row_(single_row(plan.workload(), op)),
        work_(plan.scenario()) {
    typical_today_s_ = typical_time(row_);
  }

  Diagnosis run() {
    if (op_class_.invalid) {
      d_.verdict = "No cost can be given: " + fault() + '.';
      return d_;
    }
    if (!mismatch_) suggest();
    d_.verdict = verdict();
    if (!mismatch_ && !a_.above_roof()) pull();
    d_.evidence = evidence();
    remark();
    return d_;
  }

 private:
  [[nodiscard]] std::string rate(double flops) const { return rate(flops, a_.compute); }
  [[nodiscard]] std::string rate(double flops, FormatId format) const { return work_.rate(flops, Formats::is_integer(format)); }
  [[nodiscard]] std::string intensity(double v) const { return work_.intensity(v, Formats::is_integer(a_.compute)); }
  [[nodiscard]] std::size_t memory() const { return slowest_memory(plan_, a_); }
  /// Its name, for sentences, where it is not the device memory that a reader expects.
  [[nodiscard]] std::string of_memory() const { return memory() > 1 ? " of " + plan_.resources()[memory()].name : std::string(); }
  [[nodiscard]] double own_intensity() const { return memory() > 1 ? a_.flops / a_.work[memory()] : a_.intensity; }
  /// The intensity at which this op's own compute roof meets its memory's.
  [[nodiscard]] double ridge() const {
    const std::size_t m = memory();
    return m > 0 && a_.min_time_s[0] > 0 ? own_intensity() * a_.min_time_s[m] / a_.min_time_s[0] : unknown;
  }

  [[nodiscard]] std::string fault() const {
    for (const Diagnostic& diagnostic : plan_.workload().diagnostics)
      if (diagnostic.op == op_ && diagnostic.severity == Severity::error) return diagnostic.message;
    return "the record has a fault";
  }

  [[nodiscard]] ResourceKind bound_kind() const { return plan_.resources()[a_.bound_by].kind; }
  [[nodiscard]] bool by_compute() const { return bound_kind() == ResourceKind::compute; }

  [[nodiscard]] std::string verdict() const {
    if (op_class_.time_only)
      return std::string(a_.time_s > 0 ? "Time known; work unknown." : "Neither time nor work is known.") +
             " Add the model's graph or shapes to analyse it.";
    if (a_.bound_by == no_resource) return "Neither FLOPs nor bytes are known, so nothing can bound it.";
    const std::string bound = capitalised(bound_word(plan_, a_.bound_by));
    const std::string of_roof =
        percent(a_.efficiency) + (by_compute()                         ? " of its peak"
                                  : bound_kind() == ResourceKind::link ? " of " + plan_.resources()[a_.bound_by].name
                                                                       : " of its bandwidth" + of_memory());
    if (a_.partly_known) return "What limits it is unknown: " + what_is_missing(plan_, op_);
    if (!known(a_.efficiency)) return bound + ": it needs at least " + seconds(a_.predicted_time_s) + '.';
    if (mismatch_)
      return "It did not run on " + plan_.scenario().machine.name + ", where it would need at least " + seconds(a_.predicted_time_s) + '.';
    if (by_clock()) return "Above the roof at the rated clock, at " + of_roof + ": the cores ran faster.";
    if (a_.above_roof()) return "Above the roof, at " + of_roof + ", which cannot be: " + above_roof_advice(plan_.scenario()) + '.';
    if (a_.limit == Limit::neither)
      return "At " + of_roof + ", so limited by neither compute nor " + (bound_kind() == ResourceKind::link ? "the link" : "memory") +
             ": " + beyond_roofs + '.';
    return bound + ", at " + of_roof + '.';
  }

  /// Whether a clock above the rated one, which the peak is at, explains an efficiency above 1.
  [[nodiscard]] bool by_clock() const {
    return a_.above_roof() && by_compute() && a_.efficiency <= plan_.scenario().machine.clock_headroom();
  }

  /// Where it stands beside the ridge, and the rates that make up its share of the roof.
  [[nodiscard]] std::string evidence() const {
    if (op_class_.time_only || a_.bound_by == no_resource || mismatch_ || a_.partly_known) return {};
    std::string out = known(a_.flops) || by_compute() ? position() : std::string();
    if (known(a_.efficiency)) out += (out.empty() ? "" : "; ") + reached();
    if (out.empty()) return {};
    return capitalised(out) + '.';
  }

  [[nodiscard]] std::string position() const {
    if (a_.flops == 0) return "it moves " + with_unit(a_.bytes, "B") + " and computes nothing";
    if (!known(a_.bytes)) return "its bytes are not known, so it is compared with the peak only";
    const double r = ridge();
    if (!known(r)) return by_compute() ? "no memory's bandwidth is known" : "the peak of its format is not known";
    return intensity(own_intensity()) + of_memory() + place_beside(r) + " the ridge at " + ridge_text(r);
  }

  [[nodiscard]] const char* place_beside(double ridge) const {
    const double place = own_intensity() / ridge;
    return place < 0.1     ? " is far left of"
           : place < 0.95  ? " is left of"
           : place <= 1.05 ? " is at"
           : place <= 10   ? " is right of"
                           : " is far right of";
  }

  /// If both units have work, the op's ridge is right of the bounding unit's own. The chart shows the latter, which is printed unless
  /// the op is on its other side.
  [[nodiscard]] std::string ridge_text(double ridge) const {
    const auto shown = [&](double v) { return number(work_.scaled(v)); };
    const bool matrix = a_.bound_unit == Unit::matrix;
    const double unit_alone = ridge * (matrix ? a_.matrix_flops : a_.vector_flops) / a_.flops;
    if (!known(unit_alone)) return shown(ridge);
    if (std::string_view(place_beside(unit_alone)) == place_beside(ridge)) return shown(unit_alone);
    return shown(ridge) + " (" + shown(unit_alone) + " for " + (matrix ? "matrix" : "vector") + " work alone)";
  }

  [[nodiscard]] std::string reached() const {
    if (by_compute()) return rate(a_.achieved_flops) + " of " + rate(a_.attainable_flops);
    const double bandwidth = a_.bound_by > 1 ? a_.work[a_.bound_by] / a_.time_s : a_.achieved_bandwidth;
    return with_unit(bandwidth, "B/s") + " of " + with_unit(bandwidth / a_.efficiency, "B/s");
  }

  /// The first suggestion as lever and number.
  void pull() {
    if (d_.suggestions.empty()) return;
    const Suggestion& s = d_.suggestions[0];
    d_.lever = s.change;
    d_.number = !known(s.high)      ? "at least " + seconds(s.predicted_time_s)
                : s.whatif.active() ? faster(s.low, s.high)
                                    : "up to " + faster(s.high, s.high);
    if (known(s.typical_speedup)) d_.number = "about " + faster(s.typical_speedup, s.typical_speedup);
    if (s.whatif.batch_scale != 1) d_.number += " for the same work";
    if (s.at_roof > 1.02 * s.high) d_.number += ", or " + times(s.at_roof) + " if it also reached the roof";
  }

  void try_change(std::string name, const WhatIf& whatif) {
    Scenario scenario = plan_.scenario();
    scenario.whatif = whatif;
    const Plan plan(row_, scenario);
    const OpWhatIf then = plan.what_if(0);
    if (!(then.predicted_time_s > 0 || then.speedup.high > 0) || then.lacks_rate) return;
    const bool one_rate = computes_narrower_at_one_rate(plan);
    const double per_item = whatif.batch_scale;  // a larger batch does more in the same run
    Suggestion s;
    s.change = std::move(name);
    s.whatif = whatif;
    const bool known_today = a_.limit != Limit::unknown;  // else today's bound is of the bytes alone
    s.low = known_today ? then.speedup.low : unknown;
    s.high = known_today ? then.speedup.high : unknown;
    s.predicted_time_s = then.predicted_time_s / per_item;
    s.bytes_factor = a_.bytes > 0 && then.bytes > 0 ? a_.bytes * per_item / then.bytes : 1;
    if (a_.time_s > 0) s.at_roof = a_.time_s * per_item / then.predicted_time_s;
    s.typical_speedup = typical_speedup(whatif);
    s.coarse_cache = (op_class_.kv != no_format || op_class_.roles_unknown) && whatif.kv && Formats::catalogue()[*whatif.kv].bits < 8;
    if (s.gain() <= 1.05) return;
    d_.suggestions.push_back(std::move(s));
    one_rate_ |= one_rate;
  }

  /// Suggestion::typical_speedup. Unknown also where a change would scale bytes that no operand tells: on links and in inner memories.
  [[nodiscard]] double typical_speedup(const WhatIf& whatif) const {
    const bool moves_elsewhere = std::any_of(row_.channels.begin(), row_.channels.end(), [](const Channel& c) { return c.bytes[0] > 0; });
    if (known(a_.time_s) || op_class_.rates_only || op_class_.roles_unknown || known(a_.hw_bytes) || moves_elsewhere) return unknown;
    if (a_.limit == Limit::unknown || (whatif.batch_scale != 1 && !batch_is_rows())) return unknown;
    Workload changed = with_batch(row_, whatif.batch_scale);
    for (OpClass& op_class : changed.classes) op_class = with_formats(op_class, whatif);
    return whatif.batch_scale * typical_today_s_ / typical_time(changed, whatif.machine);
  }
  /// Whether a larger batch only adds rows to its products; not so of a gradient.
  [[nodiscard]] bool batch_is_rows() const {
    if (op_class_.family != OpFamily::matrix_product || row_.sizes.empty()) return true;
    const OpSizes& sizes = row_.distinct_sizes[row_.sizes[0]];
    const double inputs = sizes.m * sizes.k * sizes.batch * row_.count_of(0);
    return std::abs(row_.activation[0] - inputs) <= 1e-9 * inputs;
  }
  /// The row with its batch multiplied by `times`; the weights stay.
  static Workload with_batch(Workload row, double times) {
    for (auto column : {&Workload::matrix_flops, &Workload::vector_flops, &Workload::activation, &Workload::output, &Workload::kv_read,
                        &Workload::kv_write})
      for (double& value : row.*column) value *= times;
    for (OpSizes& sizes : row.distinct_sizes) (sizes.batch > 1 ? sizes.batch : sizes.m) *= times;
    for (OpClass& op_class : row.classes) op_class.prompt_tokens *= times;
    return row;
  }
  [[nodiscard]] double typical_time(const Workload& row, const std::optional<Machine>& machine = {}) const {
    Scenario scenario = without_whatif();
    if (machine) scenario.use(*machine);
    return Plan(row, scenario).analyze(0).typical_time_s;
  }
  [[nodiscard]] Scenario without_whatif() const {
    Scenario scenario = plan_.scenario();
    scenario.whatif = {};
    return scenario;
  }

  /// The same operands as the formats' table and a network's plan give a format to, by the same words.
  void try_operands(FormatId format) {
    const WhatIf whatif = with_format({}, format, Roles::all);
    try_change(formats_words(whatif), whatif);
  }

  /// The formats that the machine computes in and that take fewer bytes, or compute in fewer bits. Of as many bytes also BF16, where FP16
  /// has no known rate.
  void try_computed_formats() {
    const Formats& formats = Formats::catalogue();
    const FormatId today = op_class_.activation;
    if (today == no_format) return;
    const std::string& id = formats[today].id;
    for (const std::string_view name : {"fp16", "int8", "fp8_e4m3", "nvfp4", "int4", "tf32", "bf16"}) {
      const auto f = formats.find(name);
      if (!f || support(plan_.scenario().machine, *f, true) != FormatSupport::computes) continue;
      const bool instead = (name == "tf32" && id == "fp32") || (name == "bf16" && id == "fp16" && a_.limit == Limit::unknown);
      if (name == "tf32" || name == "bf16" ? instead : formats[*f].bytes() < formats[today].bytes()) try_operands(*f);
    }
  }

  void suggest() {
    if (a_.limit == Limit::neither) return reach_roof();
    if (a_.limit == Limit::unknown && !plan_.lacks_rate(op_)) return;
    try_computed_formats();
    if (a_.limit == Limit::unknown) return sort_by_predicted_time();
    const Formats& formats = Formats::catalogue();
    const auto narrower = [&](FormatId today, std::string_view name) -> std::optional<FormatId> {
      const auto f = formats.find(name);
      if (!f || today == no_format || formats[*f].bytes() >= formats[today].bytes()) return std::nullopt;
      return f;
    };
    for (const std::string_view name : {"int8", "int4_g128"}) {
      const auto f = narrower(op_class_.weight, name);
      if (!f) continue;
      WhatIf weights;
      weights.weight = f;
      try_change(formats[*f].describe("weights"), weights);
    }
    for (const std::string_view name : {"fp8_e4m3", "int8"}) {
      const auto f = narrower(op_class_.kv, name);
      if (!f) continue;
      WhatIf cache;
      cache.kv = f;
      try_change(formats[*f].name + " KV cache", cache);
    }
    if (op_class_.weight != no_format) {
      WhatIf batch;
      batch.batch_scale = 8;
      try_change("batch x8", batch);
    }
    reach_roof();
    sort_stably(d_.suggestions, [](const Suggestion& x, const Suggestion& y) {
      return x.coarse_cache != y.coarse_cache ? y.coarse_cache : x.gain() > y.gain();
    });
    if (d_.suggestions.size() > 6) d_.suggestions.resize(6);
    other_machine();
  }

  void sort_by_predicted_time() {
    sort_stably(d_.suggestions, [](const Suggestion& x, const Suggestion& y) { return x.predicted_time_s < y.predicted_time_s; });
  }

  void reach_roof() {
    if (!(a_.efficiency < 0.95)) return;
    Suggestion s;
    s.change = "if it reached the roof";
    s.high = 1 / a_.efficiency;
    d_.suggestions.push_back(s);
  }

  /// The machine of the same segment with the shortest estimate that rests on its own benchmarks. Nothing for an assumed machine.
  void other_machine() {
    const Machine& own = plan_.scenario().base;
    if (plan_.scenario().basis == MachineBasis::assumed || own.segment.empty() || a_.bound_by == no_resource) return;
    // By what the operation takes at least, so that most need no estimate: copying a machine costs more than analysing it.
    std::vector<std::pair<double, const Machine*>> candidates;
    for (const Machine& m : Machines::presets().all()) {
      if (m.segment != own.segment || m.memories.empty()) continue;
      const double transfer_s = a_.bytes / m.memories[0].rate().value, compute_s = a_.matrix_flops / m.highest_peak();
      candidates.emplace_back(std::max(known_or(transfer_s, 0), known_or(compute_s, 0)), &m);
    }
    sort_stably(candidates, [](const auto& x, const auto& y) { return x.first < y.first; });
    const Machine* best = nullptr;
    double least = typical_today_s_;
    Scenario scenario = without_whatif();
    for (const auto& [least_s, m] : candidates) {
      if (least_s >= least) break;
      scenario.use(*m);
      if (estimate_is_assumed(scenario, plan_.stack_use()) || !launch_is_known(scenario, plan_.stack_use())) continue;
      const double time = Plan(row_, scenario).analyze(0).typical_time_s;
      if (time < least) least = time, best = m;
    }
    if (!best) return;
    WhatIf machine;
    machine.machine = *best;
    try_change(best->name, machine);
  }

  /// What most likely explains an efficiency above 1, by which rates of this machine could hold it.
  [[nodiscard]] std::string above_roof() const {
    const Machine& machine = plan_.scenario().machine;
    const Formats& formats = Formats::catalogue();
    const double e = a_.efficiency;
    if (plan_.resources()[a_.bound_by].kind == ResourceKind::compute) {
      if (by_clock())
        return "The peak is at the rated " + with_unit(machine.rated_clock_hz.value, "Hz") + "; cores run at up to " +
               with_unit(machine.highest_clock_hz.value, "Hz") + '.';
      if (e < 1.15) return "A clock above the one that the peak is stated for would explain " + percent(e) + '.';
      const auto slowest_holding = [&](const std::vector<Peak>& peaks) {
        const Peak* best = nullptr;
        for (const Peak& p : peaks)
          if (p.flops.value >= a_.achieved_flops && p.format != a_.compute && (!best || p.flops.value < best->flops.value)) best = &p;
        return best;
      };
      for (const Peak& p : machine.sparse)
        if (p.format == a_.compute && p.flops.value >= a_.achieved_flops)
          return "With 2:4 sparse weights its peak is " + rate(p.flops.value) + ", which would allow it.";
      if (const Peak* p = slowest_holding(machine.matrix))
        return "The peak of " + formats[p->format].name + " (" + rate(p->flops.value, p->format) +
               ") would allow it: is it in fact computed in " +
               (a_.compute == no_format ? std::string("the format given") : formats[a_.compute].name) + '?';
      if (mismatch_) return wrong_unit_remark;
      return "No peak of this machine allows it: is " + machine.name +
             " the machine it ran on, and is the unit right (GFLOP/s or TFLOP/s, FLOPs or MACs)?";
    }
    if (e < 1.08) return "GB/s and GiB/s differ by 7%: which are the bytes or the bandwidth in?";
    for (std::size_t m = 1; m < machine.memories.size(); ++m)
      if (machine.memories[m].capacity.value >= a_.bytes)
        return "Its " + with_unit(a_.bytes, "B") + " fit in " + machine.memories[m].name + " (" +
               with_unit(machine.memories[m].capacity.value, "B") + "): run again and again, it need not reach " +
               plan_.resources()[a_.bound_by].name + '.';
    if (mismatch_) return wrong_unit_remark;
    return "Either fewer bytes are moved than counted (caches keep some), or it ran on another machine than " + machine.name +
           ", or a unit is wrong (GFLOP/s or TFLOP/s, bytes or elements).";
  }

  [[nodiscard]] bool whatif_is_a_range() const {
    if (!plan_.has_whatif()) return false;
    const auto speedup = plan_.what_if(op_).speedup;
    return speedup.high > 1.005 * speedup.low;
  }

  void remark() {
    if (a_.above_roof()) d_.remarks.push_back(above_roof());
    if (a_.limit == Limit::neither && !mismatch_ && whatif_is_a_range())
      d_.remarks.push_back("No roof limits it today, so expect the end of the range near 1x.");
    if (a_.hw_bytes > 0 && a_.derived_bytes > 0) {
      const double data = a_.derived_bytes / a_.hw_bytes;
      std::string remark = "Data efficiency " + percent(data) + ": " + with_unit(a_.derived_bytes, "B") + " are needed, " +
                           with_unit(a_.hw_bytes, "B") + " were moved.";
      if (data < 0.995 && a_.flops > 0)
        remark += " Without the extra traffic its intensity would be " + intensity(a_.flops / a_.derived_bytes) + " instead of " +
                  intensity(a_.intensity) + '.';
      d_.remarks.push_back(std::move(remark));
    }
    if (a_.compute_fallback)
      d_.remarks.push_back("The machine has no peak for the format it asks for: judged at " +
                           (a_.compute == no_format ? std::string("none") : Formats::catalogue()[a_.compute].name) + '.');
    if (a_.vector_on_matrix_peak && a_.compute != no_format)
      d_.remarks.push_back("The machine states no peak for vector work: the matrix peak is used.");
    if (one_rate_) d_.remarks.emplace_back(one_rate_for_all);
    if (op_class_.roles_unknown) d_.remarks.push_back("Shapes unknown, so a what-if scales all bytes: the speed-up is an upper bound.");
    if (op_class_.rates_only)
      d_.remarks.push_back("Only rates are given: FLOPs, bytes and times are not known and stay out of the totals.");
    const std::vector<Memory>& memories = plan_.scenario().machine.memories;
    const bool in_every_layer = plan_.workload().source_format == SourceFormat::model && plan_.workload().count_of(op_) > 1;
    if (a_.typical.cache > 0 && !in_every_layer && a_.bound_by != no_resource &&
        plan_.resources()[a_.bound_by].kind == ResourceKind::memory)
      d_.remarks.push_back("Its working set, " + with_unit(a_.derived_bytes / plan_.workload().count_of(op_), "B") + ", fits the " +
                           memories[a_.typical.cache].name + " (" + with_unit(memories[a_.typical.cache].capacity.value, "B") +
                           "). If it is still cached, the " + memories[0].name + " roof does not apply.");
    const bool beats_estimate = !mismatch_ && !a_.above_roof() && a_.typical_time_s > 1.1 * a_.time_s;
    if (beats_estimate)
      d_.remarks.push_back("It is faster than the estimate, " + seconds(a_.typical_time_s) +
                           (a_.bound_by != 0                    ? ": a better kernel than the usual one, or data still cached."
                            : a_.typical.wave_efficiency < 0.95 ? ", which assumes " + percent(a_.typical.wave_efficiency) +
                                                                      " of the units occupied: a better kernel than the usual one."
                                                                : ": a better kernel than the usual one."));
    if (a_.typical.wave_efficiency < 0.8 && !beats_estimate && a_.bound_by == 0)  // memory-bound products do not wait for their tiles
      d_.remarks.push_back(number(a_.typical.waves) + (a_.typical.waves == 1 ? " wave, " : " waves, ") +
                           percent(a_.typical.wave_efficiency) + " occupied: poor tile fit.");
    if (a_.status == Status::latency_bound) d_.remarks.push_back("Launching it takes longer than its work: merge it with its neighbours.");
  }

  const Plan& plan_;
  std::size_t op_;
  const OpClass& op_class_;
  const OpAnalysis& a_;
  bool mismatch_;
  Workload row_;
  WorkUnit work_;
  double typical_today_s_ = unknown;  ///< estimate of row_
  bool one_rate_ = false;             ///< some suggestion computes_narrower_at_one_rate()
  Diagnosis d_;
};

}  // namespace

std::string Diagnosis::text() const {
  std::string out = verdict;
  if (!lever.empty()) out += ' ' + capitalised(lever) + ": " + number + '.';
  if (!evidence.empty()) out += ' ' + evidence;
  return out;
}

Diagnosis diagnose(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool mismatch) {
  return Diagnoser(plan, op, analysis, mismatch).run();
}

}  // namespace roofline
