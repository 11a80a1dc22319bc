#include <algorithm>
#include <cmath>
#include <roofline/explain.hpp>
#include <roofline/text.hpp>

namespace roofline {
namespace {

/// "1,000,000".
std::string grouped(std::size_t n) {
  std::string out = std::to_string(n);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, ",");
  return out;
}

std::string quantity(std::size_t n, const char* one, const char* many) { return grouped(n) + ' ' + (n == 1 ? one : many); }

std::string times(double factor) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, factor < 9.95 ? "%.1fx" : "%.0fx", factor);
  return buffer;
}

/// "1.5x to 4.0x faster", "2.0x faster", "1.2x slower".
std::string faster(double low, double high) {
  if (high < 1) return times(1 / high) + (low < 0.98 * high ? " to " + times(1 / low) : std::string()) + " slower";
  return (low < 0.98 * high ? times(low) + " to " + times(high) : times(high)) + " faster";
}

std::string bound_word(const Plan& plan, std::uint8_t resource) {
  if (resource == no_resource) return "without a bound";
  switch (plan.resources()[resource].kind) {
    case ResourceKind::compute:
      return "compute-bound";
    case ResourceKind::memory:
      return "memory-bound";
    case ResourceKind::link:
      break;
  }
  return "link-bound";
}

/// "all are memory-bound", "40 are memory-bound, 10 compute-bound".
std::string bounds_of(const Plan& plan, const std::vector<std::uint32_t>& ops, std::size_t count) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string word = bound_word(plan, plan.analyze(ops[i]).bound_by);
    const auto it = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == word; });
    if (it == found.end())
      found.push_back(std::pair(word, std::size_t{1}));
    else
      ++it->second;
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  if (found.size() == 1) return count == 1 ? "it is " + found[0].first : (count == 2 ? "both are " : "all are ") + found[0].first;
  std::string out;
  for (const auto& [word, n] : found)
    out += (out.empty() ? "" : ", ") + std::to_string(n) + (out.empty() ? (n == 1 ? " is " : " are ") : " ") + word;
  return out;
}

std::string whatif_sentence(const Plan& plan, const Summary& s) {
  if (!plan.has_whatif() || !(s.whatif_predicted_s > 0)) return {};
  const bool judged = s.judged_time_s > 0 && s.whatif_optimistic_s > 0;
  const double a = judged ? s.judged_time_s / s.whatif_optimistic_s : s.predicted_time_s / s.whatif_predicted_s;
  const double b = judged ? s.judged_time_s / s.whatif_pessimistic_s : a;
  if (std::abs(a - 1) < 0.005 && std::abs(b - 1) < 0.005) return " With the what-if: no change in total.";
  return " With the what-if: " + faster(std::min(a, b), std::max(a, b)) + " in total.";
}

/// Of a profile's own rows, which cannot be added up: the whole program, and how its steps differ. Empty where operations are shown.
std::string program_sentence(const Plan& plan, const Frame& frame) {
  const Workload& w = plan.workload();
  std::string out;
  double least = unknown, most = unknown;
  std::size_t steps = 0;
  for (const std::uint32_t op : frame.points) {
    if (w.views.empty() || (w.views[op] & row_view::program) == 0) return {};
    const std::string& step = w.steps[w.step[op]];
    const OpAnalysis a = plan.analyze(op);
    if (step == "Total") {
      out = "The program reaches " + percent(a.efficiency) + " of its roof";
      if (a.bound_by != no_resource)
        out += ", bound by " + (a.bound_by == 0 ? std::string("compute") : plan.resources()[a.bound_by].name);
      out += '.';
    }
    if (step.empty() || step.find_first_not_of("0123456789") != std::string::npos) continue;
    ++steps;
    if (!(a.time_s >= least)) least = a.time_s;
    if (!(a.time_s <= most)) most = a.time_s;
  }
  if (steps > 0)
    out += (out.empty() ? "" : " ") + quantity(steps, "step takes ", "steps take ") + seconds(least) +
           (steps > 1 ? " to " + seconds(most) : "") + " over all cores.";
  return out.empty() && !frame.points.empty() ? quantity(frame.points.size(), "row of totals.", "rows of totals.") : out;
}

}  // namespace

std::string headline(const Plan& plan, const Frame& frame) {
  const Summary& s = frame.all;
  if (s.ops == 0) return "No operations.";
  if (std::string program = program_sentence(plan, frame); !program.empty()) return program;
  const std::size_t unknown_ops = s.by_status[static_cast<std::size_t>(Status::unknown)];
  std::string out;
  if (s.judged_time_s > 0) {
    double held = 0;
    std::size_t n = 0;
    while (n < frame.worst.size() && held < 0.7 * frame.positive_lost_s) {
      const double lost = plan.analyze(frame.worst[n]).lost_time_s;
      if (!(lost > 0)) break;
      held += lost;
      ++n;
    }
    if (frame.positive_lost_s < 0.02 * s.judged_time_s) {
      out = "Everything is close to its roof: " + percent(s.efficiency()) + " efficiency over " + quantity(s.ops, "op", "ops") + '.';
    } else {
      out = (n > 0 && held < 0.7 * frame.positive_lost_s ? "The worst " : "") + std::to_string(n) + " of " + quantity(s.ops, "op", "ops") +
            (n == 1 ? " holds " : " hold ") + percent(held / frame.positive_lost_s) + " of the lost time; " +
            bounds_of(plan, frame.worst, n) + '.';
    }
  } else if (s.predicted_time_s > 0) {
    const std::uint8_t r = s.bound_by;
    out = "Predicted " + seconds(s.predicted_time_s) + " for " + quantity(s.ops, "op", "ops") + "; " +
          (r == no_resource ? std::string("nothing bounds it")
                            : (plan.resources()[r].kind == ResourceKind::compute ? std::string("compute") : plan.resources()[r].name) +
                                  " bounds " + percent(s.predicted_by_bound[r] / s.predicted_time_s) + " of it") +
          '.';
  } else if (s.rates_only > 0) {
    out = quantity(s.ops, "op", "ops") + " with rates only: ratios are right, totals are not known.";
  }
  if (unknown_ops == s.ops)
    out = "No cost could be given for any of the " + quantity(s.ops, "op", "ops") + ": see the list of faults.";
  else if (unknown_ops > 0)
    out += ' ' + quantity(unknown_ops, "record", "records") + (unknown_ops == 1 ? " has" : " have") + " no known cost.";
  if (s.above_roof > 0)
    out += ' ' + quantity(s.above_roof, "op lies", "ops lie") + " above the roof: check the peak, the clock or the byte count.";
  return out + whatif_sentence(plan, s);
}

namespace {

class Diagnoser {
 public:
  Diagnoser(const Plan& plan, std::size_t op)
      : plan_(plan), op_(op), kind_(plan.workload().kind_of(op)), a_(plan.analyze(op)), row_(single_row(plan.workload(), op)) {
    mac_units_ = plan.scenario().ops_per_mac == 1;
  }

  Diagnosis run() {
    if (kind_.invalid) {
      d_.sentence = "No cost can be given: ";
      for (const Diagnostic& diagnostic : plan_.workload().diagnostics)
        if (diagnostic.op == op_ && diagnostic.severity == Severity::error) {
          d_.sentence += diagnostic.message + '.';
          return d_;
        }
      d_.sentence += "the record has a fault.";
      return d_;
    }
    suggest();
    d_.sentence = why() + reach() + help();
    while (!d_.sentence.empty() && d_.sentence.back() == ' ') d_.sentence.pop_back();
    remark();
    return d_;
  }

 private:
  [[nodiscard]] std::string rate(double flops) const { return with_unit(mac_units_ ? flops / 2 : flops, mac_units_ ? "MAC/s" : "FLOP/s"); }
  [[nodiscard]] std::string intensity(double v) const { return number(mac_units_ ? v / 2 : v) + (mac_units_ ? " MAC/B" : " FLOP/B"); }
  /// The memory that takes it longest; 0 where no memory's time is known.
  [[nodiscard]] std::size_t memory() const {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < plan_.resources().size(); ++i)
      if (plan_.resources()[i].kind == ResourceKind::memory && a_.min_time_s[i] > 0 &&
          (longest == 0 || a_.min_time_s[i] > a_.min_time_s[longest]))
        longest = i;
    return longest;
  }
  /// Its name, for sentences, where it is not the device memory that a reader expects.
  [[nodiscard]] std::string of_memory() const { return memory() > 1 ? " of " + plan_.resources()[memory()].name : std::string(); }
  [[nodiscard]] double own_intensity() const { return memory() > 1 ? a_.flops / a_.work[memory()] : a_.intensity; }
  /// The intensity at which this op's own compute roof meets its memory's.
  [[nodiscard]] double ridge() const {
    const std::size_t m = memory();
    return m > 0 && a_.min_time_s[0] > 0 ? own_intensity() * a_.min_time_s[m] / a_.min_time_s[0] : unknown;
  }

  [[nodiscard]] std::string why() const {
    if (a_.bound_by == no_resource) return "Neither FLOPs nor bytes are known, so nothing can bound it. ";
    const std::string word = bound_word(plan_, a_.bound_by);
    std::string out = static_cast<char>(word[0] - 'a' + 'A') + word.substr(1) + ": ";
    const double r = ridge();
    if (a_.flops == 0) {
      out += "it moves " + with_unit(a_.bytes, "B") + " and computes nothing";
    } else if (!(a_.bytes == a_.bytes)) {
      out += "its bytes are not known, so it is judged against compute only";
    } else if (!(r == r)) {
      out += plan_.resources()[a_.bound_by].kind == ResourceKind::compute ? "no memory's bandwidth is known"
                                                                          : "the peak of its format is not known";
    } else {
      const double position = own_intensity() / r;
      const char* where = position < 0.1     ? " is far left of"
                          : position < 0.95  ? " is left of"
                          : position <= 1.05 ? " is at"
                          : position <= 10   ? " is right of"
                                             : " is far right of";
      out += intensity(own_intensity()) + of_memory() + where + " the ridge at " + number(mac_units_ ? r / 2 : r);
    }
    return out;
  }

  [[nodiscard]] std::string reach() const {
    if (a_.bound_by == no_resource) return {};
    const bool compute = plan_.resources()[a_.bound_by].kind == ResourceKind::compute;
    if (!(a_.efficiency == a_.efficiency)) return ", so it needs at least " + seconds(a_.predicted_time_s) + ". ";
    if (a_.efficiency > 1)
      return ", but it seems to reach " + percent(a_.efficiency) +
             " of its roof, which cannot be: check the peak, the clock or the byte count. ";
    if (compute)
      return ", and it reaches " + percent(a_.efficiency) + " of its peak (" + rate(a_.achieved_flops) + " of " +
             rate(a_.attainable_flops) + "). ";
    const double bandwidth = memory() > 1 ? a_.work[memory()] / a_.time_s : a_.achieved_bandwidth;
    return ", and it reaches " + percent(a_.efficiency) + " of its bandwidth" + of_memory() + " (" + with_unit(bandwidth, "B/s") + "). ";
  }

  [[nodiscard]] std::string help() const {
    for (const Suggestion& s : d_.suggestions) {
      if (!s.whatif.active()) continue;
      if (s.whatif.batch_scale != 1)
        return "A batch " + number(s.whatif.batch_scale) + " times as large makes each item " + faster(s.low, s.high) + '.';
      std::string out = "Running it with " + s.change;
      if (s.bytes_factor > 1.01) out += " moves " + times(s.bytes_factor) + " fewer bytes";
      out += ": " + faster(s.low, s.high);
      if (s.at_roof > 1.02 * s.high) out += ", " + times(s.at_roof) + " if it also reached the roof";
      return out + '.';
    }
    if (a_.efficiency < 0.95) return "Reaching its roof would make it " + faster(1 / a_.efficiency, 1 / a_.efficiency) + '.';
    return {};
  }

  void try_change(std::string name, const WhatIf& whatif) {
    Scenario scenario = plan_.scenario();
    scenario.whatif = whatif;
    const Plan plan(row_, scenario);
    const OpWhatIf then = plan.what_if(0);
    if (!(then.speedup_optimistic > 0)) return;
    const double per_item = whatif.batch_scale;  // a larger batch does more in the same run
    Suggestion s;
    s.change = std::move(name);
    s.whatif = whatif;
    s.low = then.speedup_pessimistic * per_item;
    s.high = then.speedup_optimistic * per_item;
    // What keeps an op off its roof need not shrink per item when the batch grows: for a batch only the gain at today's efficiency counts.
    if (per_item != 1) s.low = s.high = per_item * a_.predicted_time_s / then.predicted_time_s;
    s.bytes_factor = a_.bytes > 0 && then.bytes > 0 ? a_.bytes * per_item / then.bytes : 1;
    if (a_.time_s > 0) s.at_roof = a_.time_s * per_item / then.predicted_time_s;
    if (s.high > 1.05) d_.suggestions.push_back(std::move(s));
  }

  void suggest() {
    const Formats& formats = Formats::catalogue();
    const auto narrower = [&](FormatId today, std::string_view name) -> std::optional<FormatId> {
      const auto f = formats.find(name);
      if (!f || today == no_format || formats[*f].bytes() >= formats[today].bytes()) return std::nullopt;
      return f;
    };
    for (const std::string_view name : {"fp16", "int8", "fp8_e4m3", "int4"}) {
      const auto f = narrower(kind_.activation, name);
      if (!f) continue;
      WhatIf all;
      all.weight = all.activation = all.output = all.kv = f;
      try_change(formats[*f].name, all);
    }
    for (const std::string_view name : {"int8", "int4_g128"}) {
      const auto f = narrower(kind_.weight, name);
      if (!f) continue;
      WhatIf weights;
      weights.weight = f;
      try_change(formats[*f].name + " weights", weights);
    }
    if (kind_.weight != no_format) {
      WhatIf batch;
      batch.batch_scale = 8;
      try_change("batch x8", batch);
    }
    if (a_.efficiency < 0.95) {
      Suggestion s;
      s.change = "reaching today's roof";
      s.high = 1 / a_.efficiency;
      d_.suggestions.push_back(s);
    }
    std::stable_sort(d_.suggestions.begin(), d_.suggestions.end(),
                     [](const Suggestion& x, const Suggestion& y) { return x.high > y.high; });
    if (d_.suggestions.size() > 6) d_.suggestions.resize(6);
  }

  /// What most likely explains an efficiency above 1, by which rates of this machine could hold it.
  [[nodiscard]] std::string above_roof() const {
    const Machine& machine = plan_.scenario().machine;
    const Formats& formats = Formats::catalogue();
    const double e = a_.efficiency;
    if (plan_.resources()[a_.bound_by].kind == ResourceKind::compute) {
      if (e < 1.15) return "A clock above the one that the peak is stated for would explain " + percent(e) + '.';
      const auto slowest_holding = [&](const std::vector<Peak>& peaks) {
        const Peak* best = nullptr;
        for (const Peak& p : peaks)
          if (p.flops.value >= a_.achieved_flops && p.format != a_.compute && (!best || p.flops.value < best->flops.value)) best = &p;
        return best;
      };
      for (const Peak& p : machine.sparse)
        if (p.format == a_.compute && p.flops.value >= a_.achieved_flops)
          return "With 2:4 sparse weights its peak is " + rate(p.flops.value) + ", which would hold it.";
      if (const Peak* p = slowest_holding(machine.matrix))
        return "The peak of " + formats[p->format].name + " (" + rate(p->flops.value) + ") would hold it: is it in fact computed in " +
               (a_.compute == no_format ? std::string("the format given") : formats[a_.compute].name) + '?';
      return "No peak of " + machine.name +
             " would hold it: is that the machine it ran on, and is the unit right (GFLOP/s or TFLOP/s, FLOPs or MACs)?";
    }
    if (e < 1.08) return "GB/s and GiB/s differ by 7 %: which are the bytes or the bandwidth in?";
    for (std::size_t m = 1; m < machine.memories.size(); ++m)
      if (machine.memories[m].capacity.value >= a_.bytes)
        return "Its " + with_unit(a_.bytes, "B") + " fit in " + machine.memories[m].name + " (" +
               with_unit(machine.memories[m].capacity.value, "B") + "): run again and again, it need not reach " +
               plan_.resources()[a_.bound_by].name + '.';
    return "Either fewer bytes are moved than counted (caches keep some), or it ran on another machine than " + machine.name +
           ", or a unit is wrong (GFLOP/s or TFLOP/s, bytes or elements).";
  }

  void remark() {
    if (a_.efficiency > 1) d_.remarks.push_back("Above the roof: check the peak, the clock or the byte count. " + above_roof());
    if (a_.hw_bytes > 0 && a_.derived_bytes > 0) {
      const double data = a_.derived_bytes / a_.hw_bytes;
      d_.remarks.push_back("Data efficiency " + percent(data) + ": " + with_unit(a_.derived_bytes, "B") + " are needed, " +
                           with_unit(a_.hw_bytes, "B") + " were moved. Without the extra traffic its intensity would be " +
                           intensity(a_.flops / a_.derived_bytes) + " instead of " + intensity(a_.intensity) + '.');
    }
    if (a_.compute_fallback)
      d_.remarks.push_back("The machine has no peak for the format it asks for: judged at " +
                           (a_.compute == no_format ? std::string("none") : Formats::catalogue()[a_.compute].name) + '.');
    if (a_.vector_on_matrix_peak) d_.remarks.push_back("The machine states no peak for vector work: the matrix peak is used.");
    if (kind_.roles_unknown)
      d_.remarks.push_back("Its bytes come without shapes: a what-if scales them all, so its gain is an upper bound.");
    if (kind_.rates_only) d_.remarks.push_back("Only rates are given: FLOPs, bytes and times are not known and stay out of the totals.");
    const std::vector<Memory>& memories = plan_.scenario().machine.memories;
    if (a_.typical.cache > 0 && a_.bound_by != no_resource && plan_.resources()[a_.bound_by].kind == ResourceKind::memory)
      d_.remarks.push_back("Its working set, " + with_unit(a_.derived_bytes / plan_.workload().count_of(op_), "B") + ", fits the " +
                           memories[a_.typical.cache].name + " (" + with_unit(memories[a_.typical.cache].capacity.value, "B") +
                           "): where it is still there from the operation before, the roof of " + memories[0].name + " is the wrong one.");
    if (a_.typical.wave_efficiency < 0.8)
      d_.remarks.push_back("Its tiles fill " + percent(a_.typical.wave_efficiency) + " of the units in " + number(a_.typical.waves) +
                           (a_.typical.waves == 1 ? " wave." : " waves."));
    if (a_.status == Status::latency_bound) d_.remarks.push_back("Launching it takes longer than its work: merge it with its neighbours.");
  }

  const Plan& plan_;
  std::size_t op_;
  const Kind& kind_;
  OpAnalysis a_;
  Workload row_;
  bool mac_units_ = false;
  Diagnosis d_;
};

}  // namespace

Diagnosis diagnose(const Plan& plan, std::size_t op) { return Diagnoser(plan, op).run(); }

}  // namespace roofline
