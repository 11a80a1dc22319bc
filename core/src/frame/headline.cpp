#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/frame/headline.hpp>
#include <span>
#include <utility>

#include "analysis/blocks.hpp"
#include "analysis/steps.hpp"
#include "analysis/wording.hpp"
#include "read/trace/step_annotation.hpp"

namespace roofline {
namespace {

/// "9.2%": the share of `time` (s) in the time that is compared with bounds.
void say_share(Finding& finding, const Summary& s, double time, const std::string& limit) {
  finding.figure(percent(time / s.judged_time_s), {.formula = seconds(time) + " of " + seconds(s.judged_time_s), .limits = {limit}});
}

/// "DRAM limits 60% of the 13.3 ms on an assumed NPU".
void say_limit(Finding& finding, const Plan& plan, const Summary& s) {
  const bool in_part = s.judged_time_s < 0.99 * s.time_s;
  const std::string of_whole = " of the " + seconds(s.judged_time_s) + (in_part ? " with a known bound" : "") + on_assumed(plan.scenario());
  if (s.mostly_neither()) {
    say_share(finding, s, s.neither_s, to_string(Limit::neither));
    finding.say(of_whole + " is limited by neither compute nor memory: " + beyond_roofs);
    return;
  }
  const std::uint8_t most = s.limiting();
  const Resource& bound = plan.resources()[most];
  finding.say((bound.kind == ResourceKind::compute ? "Compute" : bound.name) + " limits ");
  say_share(finding, s, s.limited_time_by_bound[most], bound.name);
  finding.say(of_whole);
}

/// " 9.2% is limited by neither compute nor memory: overhead, waiting or a poor kernel."; nothing if say_limit said so, or below 0.5%.
void say_neither(Finding& finding, const Summary& s) {
  if (s.mostly_neither() || s.neither_s < 0.005 * s.judged_time_s) return;
  finding.say(" ");
  say_share(finding, s, s.neither_s, to_string(Limit::neither));
  finding.say(std::string(" is limited by neither compute nor memory: ") + beyond_roofs + '.');
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
    if (step == whole_program_step) {
      out = "The program reaches " + percent(a.efficiency) + " of its roof";
      if (a.bound_by != no_resource) out += ", bound by " + (a.bound_by == 0 ? std::string("compute") : plan.resources()[a.bound_by].name);
      out += '.';
    }
    if (!is_numbered_step(step)) continue;
    ++steps;
    if (!(a.time_s >= least)) least = a.time_s;
    if (!(a.time_s <= most)) most = a.time_s;
  }
  if (steps > 0)
    out += (out.empty() ? "" : " ") + quantity(steps, "step takes ", "steps take ") + seconds(least) +
           (steps > 1 ? " to " + seconds(most) : "") + " over all cores.";
  return out.empty() && !frame.points.empty() ? quantity(frame.points.size(), "row of totals.", "rows of totals.") : out;
}

/// Advice for an operation without a bound: see its import error, or add the missing input (in a trace of an inference engine, the model).
std::string advice(const Workload& w, std::uint32_t op) {
  const auto refused = [op](const Diagnostic& d) { return d.severity == Severity::error && d.op == op; };
  if (std::any_of(w.diagnostics.begin(), w.diagnostics.end(), refused)) return "see the import errors.";
  const bool engine = std::any_of(w.steps.begin(), w.steps.end(), [](const std::string& name) { return parse_step(name).has_value(); });
  if (engine) return "name its model.";
  return w.source_format == SourceFormat::tensorrt ? "add its layers, from `trtexec --exportLayerInfo`."
                                                   : "add the model's graph or shapes.";
}

/// The longest operation without a known bound, and its time; 0 s: there is none. `points`: the longest operations of the set, longest
/// first, which save looking at all of them.
std::pair<std::uint32_t, double> longest_unbounded(const OpSet& ops, std::span<const std::uint32_t> points) {
  for (const std::uint32_t op : points)
    if (const OpAnalysis a = ops.plan().analyze(op); a.bound_by == no_resource && a.time_s > 0) return {op, a.time_s};
  std::pair<std::uint32_t, double> longest{0, 0};
  if (!points.empty()) return longest;
  for_each_block(ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j)
      if (block.predicted_s[j] == 0 && block.time_s[j] > longest.second) longest = {block.index[j], block.time_s[j]};
  });
  return longest;
}

/// "88% of the time has no known bound, 309 ms in broadcast_1 alone: add the model's graph or shapes. " Where the longest has an import
/// error: "see the import errors."
void say_unbounded(Finding& finding, const OpSet& ops, const Summary& s, std::span<const std::uint32_t> points) {
  const Workload& w = ops.plan().workload();
  const double unbounded_s = s.time_s - s.judged_time_s;
  finding.figure(percent(unbounded_s / s.time_s), {.formula = seconds(unbounded_s) + " of " + seconds(s.time_s), .bounds = {"none"}})
      .say(std::string(w.source_format == SourceFormat::pytorch ? " of the GPU's time" : " of the time") + " has no known bound");
  const auto [op, longest_s] = longest_unbounded(ops, points);
  if (longest_s > 0.5 * unbounded_s)
    finding.say(", ")
        .figure(seconds(longest_s), {.formula = seconds(longest_s) + " of " + seconds(unbounded_s), .op = op})
        .say(" in " + short_name(w, op) + " alone");
  finding.say(": " + advice(w, op) + ' ');
}

/// "The device is idle for 75% of the 6.87 ms between its first and last kernel.": only if the idle share is in [least, most).
void say_idle(Finding& finding, const OpSet& ops, double least, double most, const char* before, const char* after) {
  const DeviceTime& time = ops.workload().device_time;
  if (ops.filtered() || !(time.idle_share() >= least && time.idle_share() < most)) return;
  const bool one = time.devices == 1;
  finding.say(std::string(before) + (one ? "The device is" : "The " + with_commas(time.devices) + " devices are") + " idle for ")
      .figure(percent(time.idle_share()), {seconds(time.idle_s()) + " of " + seconds(time.span_s)})
      .say(" of the " +
           (one ? seconds(time.span_s) + " between its first and last kernel." : "time between their first and last kernels.") +
           (time.launch_bound() ? std::string(" ") + launch_bound_advice : std::string()) + after);
}

/// Where times contradict the machine, what they would say of efficiency is not said. A source that states its machine knows it: then its
/// figures are wrong.
std::string mismatch_sentence(const Plan& plan, const Frame& frame) {
  const Summary& s = frame.all;
  const MachineBasis basis = plan.scenario().basis;
  const bool all = s.far_above == s.ops;
  const std::string machine =
      (plan.scenario().machine_in_doubt() ? std::string("the ") + to_string(basis) + ' ' : std::string()) + plan.scenario().machine.name;
  return (basis == MachineBasis::stated ? "The file says " + machine + ", but " : "This did not run on " + machine + ": ") +
         (all && s.ops == 2 ? "both ops" : (all && s.ops > 1 ? "all " : "") + quantity(s.far_above, "op", "ops")) +
         (!all && s.judged_time_s > 0
              ? " (" + percent(s.far_above_s / s.judged_time_s) + (s.mostly_unbounded() ? " of the rest)" : " of the time)")
              : "") +
         (s.far_above == 1 ? " exceeds" : " exceed") + " its roof by over 25%" +
         (basis == MachineBasis::stated ? ": their work is counted too high, or their times are too short." : ".");
}

/// What the program as a whole reaches, which is not what its operations do together. Empty where the source does not say.
std::string program_remark(const OpSet& ops) {
  const std::optional<std::uint32_t> row = program_row(ops);
  const double efficiency = row ? ops.plan().analyze(*row).efficiency : unknown;
  return known(efficiency) ? " The program as a whole reaches " + percent(efficiency) + " of its roof." : std::string();
}

/// ": see the import errors", or the warnings; empty: there are none.
std::string see_import(const Workload& w) {
  const auto has = [&w](Severity severity) {
    return std::any_of(w.diagnostics.begin(), w.diagnostics.end(), [&](const Diagnostic& d) { return d.severity == severity; });
  };
  if (has(Severity::error)) return ": see the import errors";
  return has(Severity::warning) ? ": see the import warnings" : "";
}

/// There is one: among the points of the frame, which are the longest operations, or, where it has none, anywhere.
std::uint32_t first_partly_known(const OpSet& ops, const Frame& frame) {
  for (std::size_t n = 0; n < frame.points.size(); ++n)
    if ((frame.flags[n] & point_flag::partly_known) != 0) return frame.points[n];
  std::optional<std::uint32_t> first;
  for_each_block(ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count && !first; ++j)
      if (block.partly_known[j] != 0) first = block.index[j];
  });
  return first.value_or(0);
}

/// A summary's operations by what is known of them.
struct Knowledge {
  explicit Knowledge(const Summary& s)
      : timed_only(s.time_by_status[time_only] > 0 ? s.by_status[time_only] : 0),
        // Of operations without work whose times were left out, nothing is known.
        unknown(s.by_status[static_cast<std::size_t>(Status::unknown)] + s.by_status[time_only] - timed_only),
        bounded(s.ops - unknown - timed_only),
        mostly_unbounded(s.mostly_unbounded()) {}
  static constexpr auto time_only = static_cast<std::size_t>(Status::time_only);
  std::size_t timed_only, unknown, bounded;
  bool mostly_unbounded;  ///< no bound is known for most of the time; sentences about the other operations call them "the rest"
};

void say_partly_known(Finding& finding, const OpSet& ops, const Frame& frame) {
  const Summary& s = frame.shown;
  const std::string partly_known = quantity(s.partly_known, "op", "ops");
  if (s.partly_known_s > 0)
    finding.say("What limits ")
        .figure(percent(s.partly_known_s / s.time_s), {seconds(s.partly_known_s) + " of " + seconds(s.time_s)})
        .say(" of the time");
  else
    finding.say("What limits " + partly_known);
  finding.say(" is unknown: " + what_is_missing(ops.plan(), first_partly_known(ops, frame), " of " + partly_known));
}

/// "3 ops", "3 timed ops", "3 ops with a time and a bound": those that lost time is summed over.
std::string judged_text(const Summary& s) {
  const std::size_t n = s.judged_ops();
  if (n == s.ops) return quantity(n, "op", "ops");
  return n == s.timed_ops ? quantity(n, "timed op", "timed ops") : quantity(n, "op with a time and a bound", "ops with a time and a bound");
}

/// Of the operations that are not near their roof those with the most time above the bound.
struct WorstTunable {
  std::optional<std::uint32_t> first;
  std::size_t have_most = 0;  ///< how many of them have three quarters of that time; 0: more than Frame::worst lists
};
WorstTunable worst_tunable(const Plan& plan, const Frame& frame) {
  constexpr double most = 0.75;
  WorstTunable out;
  std::size_t seen = 0;
  double seen_s = 0;
  for (const std::uint32_t op : frame.worst) {
    const OpAnalysis a = plan.analyze(op);
    if (is_near_roof(a.status)) continue;
    if (!out.first) out.first = op;
    ++seen;
    seen_s += known_or(a.lost_time_s, 0);
    if (seen_s < most * frame.shown.tunable_s) continue;
    out.have_most = seen;
    break;
  }
  return out;
}

/// What limits the measured time, and what tuning the operations that are not near their roof could save.
void say_lost_time(Finding& finding, const Plan& plan, const Frame& frame, const Knowledge& known) {
  constexpr double little = 0.02;  // of the time
  const Summary& s = frame.shown;
  const bool rest = known.mostly_unbounded;
  const std::size_t judged_ops = s.judged_ops();
  const std::string assumed = on_assumed(plan.scenario());
  if (s.lost_time_s < little * s.judged_time_s) {
    const bool all = judged_ops == s.ops;
    finding
        .say((rest  ? "The rest is"
              : all ? "Everything is"
                    : "The " + judged_text(s) + (judged_ops == 1 ? " is" : " are")) +
             std::string(s.above_roof == judged_ops ? " above the roof" : " near the roof") + assumed + ": ")
        .figure(percent(s.efficiency()), {"bounds of " + seconds(s.judged_predicted_s) + " / " + seconds(s.judged_time_s)})
        .say(" efficiency" + (rest || all ? " over " + quantity(judged_ops, "op", "ops") : "") + '.');
    return;
  }
  if (s.ops == 1 && !frame.worst.empty()) {
    const OpAnalysis only = plan.analyze(frame.worst[0]);
    finding.say(capitalised(limit_word(plan, only)) + assumed + ", at ")
        .figure(percent(s.efficiency()),
                {.formula = "bound of " + seconds(s.judged_predicted_s) + " / " + seconds(s.judged_time_s), .op = frame.worst[0]})
        .say(" of its roof: " + (only.limit == Limit::neither ? beyond_roofs + std::string("; ") : std::string()) + seconds(s.lost_time_s) +
             " of " + seconds(s.judged_time_s) + " above the bound.");
    return;
  }
  if (rest) {
    finding.say("Of the rest, ");
  } else {
    say_limit(finding, plan, s);
    finding.say(". ");
  }
  const std::string on_machine = rest ? assumed : std::string();
  if (judged_ops == 1)
    finding.say((frame.worst.empty() ? "1 op" : short_name(plan.workload(), frame.worst[0])) + " is ")
        .figure(seconds(s.lost_time_s), {.formula = "bound of " + seconds(s.judged_predicted_s) + ", time of " + seconds(s.judged_time_s)})
        .say(" above the bound" + on_machine + '.');
  else if (s.tunable_s < little * s.judged_time_s)
    finding.say((rest ? "the ops" : "The ops") + std::string(" with the most time above the bound are already near the roof") + on_machine +
                '.');
  else {
    const WorstTunable worst = worst_tunable(plan, frame);
    const bool few = worst.have_most > 0 && 2 * worst.have_most <= s.tunable;
    const std::string most_of_it =
        worst.have_most == 1 ? short_name(plan.workload(), *worst.first) : with_commas(worst.have_most) + " of them";
    finding
        .say((rest ? "tuning " : "Tuning ") +
             (s.tunable == judged_ops       ? std::string("all ")
              : rest || judged_ops == s.ops ? with_commas(s.tunable) + " of "
                                            : with_commas(s.tunable) + " of the ") +
             (rest ? quantity(judged_ops, "op", "ops") : judged_text(s)) + " could save up to ")
        .figure(seconds(s.tunable_s),
                {.formula = "the time above the bound of the ops that are not near the roof; of all ops it is " + seconds(s.lost_time_s),
                 .op = worst.first})
        .say(on_machine + (few ? ", most of it in " + most_of_it : std::string()) + '.');
  }
  if (!rest && !plan.has_whatif()) say_neither(finding, s);  // else the sentence of the what-if takes its place
}

/// Whether a network has bodies, which are listed for one run each: of an If both branches, of a Loop one turn.
bool has_bodies(const Workload& w) {
  return w.source_format == SourceFormat::network &&
         std::any_of(w.steps.begin(), w.steps.end(), [](const std::string& step) { return !step.empty(); });
}

/// How long it takes at least, where nothing was measured.
void say_bound(Finding& finding, const Plan& plan, const Frame& frame, const Knowledge& known) {
  const Summary& s = frame.shown;
  const bool unfused = plan.workload().unfused;                          // a compiler needs less
  const bool counted = s.ops < frame.all.ops && known.bounded == s.ops;  // "224 of 321 ops: " stands before it
  const bool bodies = has_bodies(plan.workload());                       // then the sum is no bound of one run
  finding.say((bodies ? "" : "At least ") + seconds(s.predicted_time_s) +
              (counted ? std::string(unfused ? " unfused" : "")
                       : " for " + quantity(known.bounded, unfused ? "unfused op" : "op", unfused ? "unfused ops" : "ops")) +
              (bodies ? ", each body once" : "") + on_assumed(plan.scenario()) + "; ");
  if (s.bound_by == no_resource) {
    finding.say("nothing bounds it.");
    return;
  }
  const Resource& bound = plan.resources()[s.bound_by];
  const double bounded_s = s.predicted_by_bound[s.bound_by];
  finding.say((bound.kind == ResourceKind::compute ? std::string("compute") : bound.name) + " bounds ")
      .figure(percent(bounded_s / s.predicted_time_s), {seconds(bounded_s) + " of " + seconds(s.predicted_time_s), {}, {bound.name}})
      .say(" of it.");
}

/// "2 ops exceed the roof: check the peak, the clock or the byte count."; empty: none does.
std::string above_roof_sentence(const Scenario& scenario, const Summary& s) {
  if (s.above_roof == 0) return {};
  const Machine& machine = scenario.machine;
  const bool by_clock = machine.clock_headroom() > 1 && s.above_by_kind[0] == s.above_roof && s.far_above == 0;
  return quantity(s.above_roof, "op exceeds", "ops exceed") + " the roof: " +
         (by_clock ? "its peak is at the rated " + with_unit(machine.rated_clock_hz.value, "Hz") + ", and cores run at up to " +
                         with_unit(machine.highest_clock_hz.value, "Hz") + '.'
                   : above_roof_advice(scenario) + '.');
}

}  // namespace

Finding headline(const OpSet& ops, const Frame& frame) {
  const Plan& plan = ops.plan();
  const Summary& s = frame.shown;
  Finding finding;
  if (frame.all.ops == 0)
    return finding.say(plan.workload().source_format == SourceFormat::network ? "The network has no node whose work is known."
                                                                              : "No operations.");
  if (s.ops == 0) return finding.say("No operation passes the filters.");
  if (const std::string& why = plan.workload().broken_off; !why.empty())  // without what was expected and found
    finding.say(capitalised(why.substr(0, why.find(':'))) + ". ");
  if (frame.all.machine_mismatch()) {
    if (frame.all.mostly_unbounded()) {
      const bool points_of_all = s.ops == frame.all.ops;
      say_unbounded(finding, ops.unfiltered(), frame.all,
                    points_of_all ? std::span(std::as_const(frame.points)) : std::span<const std::uint32_t>());
    }
    return finding.say(mismatch_sentence(plan, frame) + whatif_sentence(plan, s));
  }
  if (std::string program = program_sentence(plan, frame); !program.empty()) return finding.say(std::move(program));
  if (plan.workload().source_format == SourceFormat::calculation && s.ops > 1) {  // one operator in several formats: nothing adds up
    const std::string assumed = on_assumed(plan.scenario());
    finding = formats_finding(plan, compare_formats(plan, 0), 0);
    return assumed.empty() || finding.parts.empty() ? finding : finding.say(" " + capitalised(assumed.substr(1)) + '.');
  }
  if (s.ops < frame.all.ops) finding.say(with_commas(s.ops) + " of " + quantity(frame.all.ops, "op", "ops") + ": ");
  constexpr double mostly = 0.5, worth_saying = 0.1, worth_counting = 0.01;
  say_idle(finding, ops, mostly, HUGE_VAL, "", " ");  // idle most of the time: said first
  const std::size_t prefix = finding.parts.size();
  const Knowledge known(s);
  std::string out;
  // Bounds this far above the times put the other sentences in doubt, so the warning comes first.
  const std::string above_roof = above_roof_sentence(plan.scenario(), s);
  const bool above_roof_first = s.far_above > 0 && s.below_bound_s() >= worth_saying * s.judged_time_s && s.judged_time_s > 0;
  if (above_roof_first) finding.say(above_roof + ' ');
  // What is not known leads where it is most of the time.
  if (known.mostly_unbounded) say_unbounded(finding, ops, s, frame.points);
  if (s.mostly_partly_known())
    say_partly_known(finding, ops, frame);
  else if (s.judged_time_s > 0)
    say_lost_time(finding, plan, frame, known);
  else if (s.predicted_time_s > 0)
    say_bound(finding, plan, frame, known);
  else if (s.rates_only > 0)
    out = quantity(s.ops, "op", "ops") + " with rates only: ratios are right, totals are not known.";
  const double timed_only_s = s.time_by_status[Knowledge::time_only];
  const bool much = timed_only_s >= worth_counting * s.time_s || known.timed_only == s.ops;
  if (known.timed_only > 0 && !known.mostly_unbounded && much)
    out += (finding.parts.size() == prefix && out.empty() ? "Times only: " : " Times only: ") +
           quantity(known.timed_only, "operation", "operations") + ", " + seconds(timed_only_s) +
           (known.timed_only == s.ops ? ": " + advice(plan.workload(), longest_unbounded(ops, frame.points).first) : ".");
  if (known.unknown == s.ops) {
    finding.parts.resize(prefix);
    out = "No cost could be given for any of the " + quantity(s.ops, "op", "ops") + see_import(plan.workload()) + '.';
  } else if (known.unknown > 0) {
    out += ' ' + quantity(known.unknown, "record", "records") + (known.unknown == 1 ? " has" : " have") + " no known cost.";
  }
  finding.say(out + (above_roof_first || above_roof.empty() ? "" : ' ' + above_roof));
  say_idle(finding, ops, least_idle_share, mostly, " ", "");
  return finding.say(program_remark(ops) + whatif_sentence(plan, s));
}

Finding headline(const OpSet& ops) {
  FrameRequest worst;
  worst.top = worst.rows = 0;
  return headline(ops, make_frame(ops, worst));
}

}  // namespace roofline
