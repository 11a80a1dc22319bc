#include <algorithm>
#include <cmath>
#include <roofline/analysis/explain.hpp>
#include <roofline/base/text.hpp>

#include "analysis/diagnosis/suggestions.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

/// Said of a time that no roof allows, where the verdict has said that it is another machine's.
constexpr const char* wrong_unit_remark = "If it did run there, a unit is wrong: GFLOP/s or TFLOP/s, FLOPs or MACs, bytes or elements.";

/// A term of the estimate other than the operation's own compute and transfers.
struct OverheadTerm {
  TypicalTerm term;
  const char* name;  ///< in "Limited by all-reduce latency"
};
constexpr OverheadTerm overhead_terms[] = {{TypicalTerm::launches, "the fixed time per kernel (launch, ramp-up, tail)"},
                                           {TypicalTerm::waves, "poor tile fit"},
                                           {TypicalTerm::dequantise, "dequantising its weights"},
                                           {TypicalTerm::elementwise, "element-wise traffic"},
                                           {TypicalTerm::scores, "attention scores in memory"},
                                           {TypicalTerm::chunks, "reading its weights again"},
                                           {TypicalTerm::layers, "fixed time per layer"},
                                           {TypicalTerm::all_reduce_latency, "all-reduce latency"},
                                           {TypicalTerm::conversion, "format conversions"}};

class Diagnoser {
 public:
  Diagnoser(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool mismatch)
      : plan_(plan), op_(op), op_class_(plan.workload().class_of(op)), a_(analysis), mismatch_(mismatch), work_(plan.scenario()) {}

  Diagnosis run() {
    if (op_class_.invalid) {
      d_.verdict = "No cost can be given: " + fault() + '.';
      return d_;
    }
    if (!mismatch_) d_.suggestions = suggestions(plan_, op_, a_, one_rate_);
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
  /// "HBM "; empty: the device memory has no name.
  [[nodiscard]] std::string memory_name() const {
    const std::string& name = plan_.resources()[a_.bound_by].name;
    return name.empty() ? name : name + ' ';
  }
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
                                                                       : " of the " + memory_name() + "bandwidth");
    if (a_.partly_known) return "What limits it is unknown: " + what_is_missing(plan_, op_);
    if (!known(a_.efficiency)) return bound + ": it needs at least " + seconds(a_.predicted_time_s) + estimated_overheads() + '.';
    if (mismatch_)
      return "It did not run on " + plan_.scenario().machine.name + ", where it would need at least " + seconds(a_.predicted_time_s) + '.';
    if (by_clock()) return "Above the roof at the rated clock, at " + of_roof + ": the cores ran faster.";
    if (a_.above_roof()) return "Above the roof, at " + of_roof + ", which cannot be: " + above_roof_advice(plan_.scenario()) + '.';
    if (a_.limit == Limit::neither) return "Limited by " + limit_beyond_roofs() + ". It reaches " + of_roof + '.';
    return bound + ", at " + of_roof + '.';
  }

  [[nodiscard]] double seconds_of(const OverheadTerm& o) const { return a_.typical.terms[static_cast<std::size_t>(o.term)]; }

  /// "; with overheads about 5.1 µs, most of it all-reduce latency" if an operation without a measured time is estimated to be well below
  /// its roof.
  [[nodiscard]] std::string estimated_overheads() const {
    if (!(a_.predicted_time_s < plan_.scenario().advice_threshold * a_.typical_time_s)) return {};
    const OverheadTerm& most = largest_overhead();
    const bool dominates = seconds_of(most) > 0.5 * a_.typical_time_s;
    return "; with overheads about " + seconds(a_.typical_time_s) + (dominates ? std::string(", most of it ") + most.name : "");
  }

  [[nodiscard]] const OverheadTerm& largest_overhead() const {
    return *std::max_element(std::begin(overhead_terms), std::end(overhead_terms),
                             [&](const OverheadTerm& a, const OverheadTerm& b) { return seconds_of(a) < seconds_of(b); });
  }

  /// The largest overhead, if the estimate explains the time and that overhead is at least 30% of it; null otherwise.
  [[nodiscard]] const OverheadTerm* main_overhead() const {
    constexpr double much = 0.3;
    if (!is_explained()) return nullptr;
    const OverheadTerm& largest = largest_overhead();
    return seconds_of(largest) < much * a_.time_s ? nullptr : &largest;
  }
  [[nodiscard]] bool is_explained() const { return has_launches() && a_.typical_time_s >= 0.7 * a_.time_s; }
  /// Whether the time per kernel is known; without it the estimate explains nothing.
  [[nodiscard]] bool has_launches() const {
    return known(a_.typical_time_s) && a_.typical.terms[static_cast<std::size_t>(TypicalTerm::launches)] > 0;
  }

  /// "all-reduce latency, estimated at 4.5 µs of the 5.2 µs" if the estimate explains the time, "waiting or a poor kernel: overheads
  /// explain only 30 µs of the 993 µs above the bound" if it does not; if that time is unknown or no overhead is large, all three causes.
  [[nodiscard]] std::string limit_beyond_roofs() const {
    if (has_launches() && !is_explained())
      return "waiting or a poor kernel: overheads explain only " + seconds(std::max(0.0, a_.typical_time_s - a_.predicted_time_s)) +
             " of the " + seconds(a_.lost_time_s) + " above the bound";
    const OverheadTerm* overhead = main_overhead();
    if (!overhead) return beyond_roofs;
    const double time = seconds_of(*overhead);
    return overhead->name + (time < a_.time_s ? ", estimated at " + seconds(time) + " of the " + seconds(a_.time_s) : std::string());
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
    if (s.whatif.batch_scale != 1) d_.number += " per item";
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
    if (!plan_.has_whatif() || plan_.scenario().whatif.batch_scale != 1)
      return false;  // another batch changes the launch overhead, so the low end is not more likely
    const auto speedup = plan_.what_if(op_).speedup;
    return speedup.high > 1.005 * speedup.low;
  }

  void remark() {
    if (a_.above_roof()) d_.remarks.push_back(above_roof());
    if (a_.limit == Limit::neither && !mismatch_ && whatif_is_a_range())
      d_.remarks.push_back("Expect the low end of the what-if's speed-up: the operation is well below its roof.");
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
    const double operands = a_.derived_bytes / plan_.workload().count_of(op_);
    const bool in_every_layer = plan_.workload().source_format == SourceFormat::model && plan_.workload().count_of(op_) > 1;
    if (a_.typical.cache > 0 && !in_every_layer && a_.bound_by != no_resource &&
        plan_.resources()[a_.bound_by].kind == ResourceKind::memory)
      d_.remarks.push_back("Its working set, " + with_unit(operands, "B") + ", fits the " + memories[a_.typical.cache].name + " (" +
                           with_unit(memories[a_.typical.cache].capacity.value, "B") + "). If it is still cached, the " + memories[0].name +
                           " roof does not apply.");
    if (!memories.empty() && operands > memories[0].capacity.value)
      d_.remarks.push_back("Its operands, " + with_unit(operands, "B") + ", do not fit the " + memories[0].name + " (" +
                           with_unit(memories[0].capacity.value, "B") + ").");
    const bool beats_estimate = !mismatch_ && !a_.above_roof() && a_.typical_time_s > 1.1 * a_.time_s;
    if (beats_estimate)
      d_.remarks.push_back(
          "It is faster than the estimate, " + seconds(a_.typical_time_s) +
          (a_.bound_by != 0 ? ": a better kernel than the usual one, or data still cached."
           : a_.typical.wave_efficiency < 0.95
               ? ", which assumes a tile efficiency of " + percent(a_.typical.wave_efficiency) + ": a better kernel than the usual one."
               : ": a better kernel than the usual one."));
    if (a_.typical.wave_efficiency < 0.8 && !beats_estimate && a_.bound_by == 0)  // memory-bound products do not wait for their tiles
      d_.remarks.push_back(number(a_.typical.waves) + (a_.typical.waves == 1 ? " wave, " : " waves, ") + "tile efficiency " +
                           percent(a_.typical.wave_efficiency) + ": poor tile fit.");
    const OverheadTerm* overhead = a_.limit == Limit::neither && !mismatch_ ? main_overhead() : nullptr;
    if (overhead && overhead->term == TypicalTerm::launches && a_.status != Status::latency_bound)
      d_.remarks.emplace_back("Fewer, larger kernels would help: fuse it with its neighbours, or increase the batch.");
    if (a_.status == Status::latency_bound) d_.remarks.push_back("Launching it takes longer than its work: merge it with its neighbours.");
  }

  const Plan& plan_;
  std::size_t op_;
  const OpClass& op_class_;
  const OpAnalysis& a_;
  bool mismatch_;
  WorkUnit work_;
  bool one_rate_ = false;  ///< some suggestion computes_narrower_at_one_rate()
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
