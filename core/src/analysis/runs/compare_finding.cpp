// The sentence that answers what changed between two runs.
#include <cmath>
#include <roofline/analysis/compare.hpp>
#include <roofline/base/text.hpp>

#include "analysis/wording.hpp"

namespace roofline {
namespace {

/// The formula of the time saved or lost: "1.2 ms before - 0.9 ms after", "1.5 ms after - 1.2 ms before".
std::string difference_formula(double before_s, double after_s) {
  const std::string before = seconds(known_or(before_s, 0)) + " before", after = seconds(known_or(after_s, 0)) + " after";
  return known_or(after_s, 0) > known_or(before_s, 0) ? after + " - " + before : before + " - " + after;
}

/// "Reformat lost 2.52 ms, Pooling lost 1.28 ms; ": the two types that changed most. Nothing if only one changed.
void say_types(Finding& out, const ChangeTotals& t) {
  if (t.types.size() < 2) return;
  for (std::size_t i = 0; i < t.types.size(); ++i) {
    const TypeChange& type = t.types[i];
    const std::string name = type.type.empty() ? "operations without a type" : printable(type.type);
    out.say((i > 0 ? ", " : "") + name + (type.time_saved_s > 0 ? " saved " : " lost "))
        .figure(seconds(std::abs(type.time_saved_s)), {difference_formula(type.time_a_s, type.time_b_s)});
  }
  out.say("; ");
}

/// Whether one module, which is not the whole run, explains most of the change.
bool is_of_module(const ChangeTotals& t, double saved) {
  return !t.module.name.empty() && t.module.ops < t.matched + t.appeared + t.vanished && t.module.saved_s() / saved >= 0.5;
}

/// "layer3 saved 0.85 ms in 27 operations; ".
void say_module(Finding& out, const ChangeTotals& t) {
  out.say(printable(t.module.name) + (t.module.saved_s() > 0 ? " saved " : " lost "))
      .figure(seconds(std::abs(t.module.saved_s())), {difference_formula(t.module.time_a_s, t.module.time_b_s)})
      .say(" in " + with_commas(t.module.ops) + " operations; ");
}

/// Whether the two largest changes have opposite signs and the smaller is at least half of the total change: no operation alone explains
/// it.
bool types_offset_each_other(const ChangeTotals& t, double saved) {
  return t.types.size() == 2 && t.types[0].time_saved_s * t.types[1].time_saved_s < 0 &&
         std::abs(t.types[1].time_saved_s) >= 0.5 * std::abs(saved);
}

/// "; operations in both runs saved 0.6 ms", where that differs by more than a tenth from all that was saved.
void say_matched(Finding& out, const ChangeTotals& t, double saved) {
  const double matched = t.matched_time_a_s - t.matched_time_b_s;
  if (t.appeared + t.vanished == 0 || std::abs(saved - matched) <= 0.1 * std::abs(saved)) return;
  out.say("; operations in both runs ");
  if (std::abs(matched) <= least_change * t.matched_time_a_s) {
    out.say("together take as long as before");
    return;
  }
  out.say(matched > 0 ? "saved " : "lost ")
      .figure(seconds(std::abs(matched)), {difference_formula(t.matched_time_a_s, t.matched_time_b_s) + ", of operations in both runs"});
}

/// "conv1 saved 0.5 ms", "conv1 alone saved 0.5 ms", "conv1 is gone, which saved 0.5 ms" or "conv1 is new and takes 0.5 ms".
void say_operation(Finding& out, const Plan& a, const Plan& b, const OpChange& o, bool alone) {
  Evidence one{difference_formula(o.time_a_s, o.time_b_s)};
  if (!o.vanished()) one.op = o.b;
  out.figure(name_of_change(a.workload(), b.workload(), o), one);
  out.say(o.vanished()         ? " is gone, which saved "
          : o.appeared()       ? " is new and takes "
          : o.time_saved_s > 0 ? alone ? " alone saved " : " saved "
          : alone              ? " alone lost "
                               : " lost ");
  out.figure(seconds(std::abs(o.time_saved_s)), one);
}

/// "0.7 ms saved (5%). conv1 alone saved 0.5 ms; ", or "as fast as before within 2% (14 ms), though conv1 lost 0.5 ms. ".
void say_saved(Finding& out, const Plan& a, const Plan& b, const ChangeTotals& t, const std::string& how) {
  const double saved = t.time_a_s - t.time_b_s, share = std::abs(saved) / t.time_a_s;
  const std::string formula = difference_formula(t.time_a_s, t.time_b_s);
  const bool all_unchanged = t.unchanged > 0 && t.unchanged == t.matched + t.appeared + t.vanished;
  if (share <= least_change || all_unchanged) {
    const std::string within = share <= least_change ? percent(least_change) : "the spread of repeated runs";
    out.say("as fast as before within " + within + how + " (");
    out.figure(seconds(t.time_b_s), {"time after; before: " + seconds(t.time_a_s)}).say(")");
    if (t.largest.verdict != Verdict::unchanged && std::abs(t.largest.time_saved_s) > least_change * t.time_a_s)
      say_operation(out.say(", though "), a, b, t.largest, false);
    out.say(". ");
    return;
  }
  out.figure(seconds(std::abs(saved)), {formula}).say((saved > 0 ? " saved" : " lost") + how + " (");
  out.figure(percent(share), {"(" + formula + ") / " + seconds(t.time_a_s)}).say(")");
  say_matched(out, t, saved);
  out.say(". ");
  const OpChange& o = t.largest;
  if (t.matched + t.appeared + t.vanished < 2 || o.verdict == Verdict::unchanged) return;
  if (!(o.time_saved_s / saved >= 0.5) || types_offset_each_other(t, saved))
    return is_of_module(t, saved) ? say_module(out, t) : say_types(out, t);
  say_operation(out, a, b, o, true);
  out.say("; ");
}

/// "9.1% less time from first to last kernel (7.56 ms before, 6.87 ms after, with idle time), but ". The sum of the operations can change
/// the other way. Adds nothing and returns false unless all operations of two one-device traces are compared.
bool say_span(Finding& out, const Plan& a, const Plan& b, const ChangeTotals& t) {
  const DeviceTime &before = a.workload().device_time, &after = b.workload().device_time;
  const bool whole = t.matched + t.vanished == a.workload().size() && t.matched + t.appeared == b.workload().size();
  if (!whole || before.devices != 1 || after.devices != 1 || !(before.span_s > 0)) return false;
  const double change = after.span_s / before.span_s - 1;
  const Evidence one{seconds(after.span_s) + " after / " + seconds(before.span_s) + " before - 1"};
  if (std::abs(change) <= least_change)
    out.say("as long as before within ").figure(percent(least_change), one);
  else
    out.figure(percent(std::abs(change)), one).say(change < 0 ? " less time" : " more time");
  const double of_operations = t.time_b_s / t.time_a_s - 1;
  const bool opposite = change * of_operations < 0 && std::min(std::abs(change), std::abs(of_operations)) > least_change;
  out.say(" from first to last kernel (" + seconds(before.span_s) + " before, " + seconds(after.span_s) + " after, with idle time)" +
          (opposite ? ", but " : "; "));
  return true;
}

void say_share(Finding& out, double matched, double whole, const char* when) {
  if (whole > 0)
    out.figure(percent(matched / whole), {seconds(matched) + " matched of " + seconds(whole)}).say(std::string(" of the time ") + when);
}

}  // namespace

Finding changes_finding(const Plan& a, const Plan& b, const ChangeTotals& t, bool predicted) {
  Finding out;
  const bool spans = t.comparable() && say_span(out, a, b, t);
  const std::string how = spans ? " in the operations" : predicted ? " by the bounds" : "";
  if (!t.comparable()) {
    out.say("too few operations are in both runs to compare them: " + quantity(t.matched, "operation, ", "operations, "));
    say_share(out, t.matched_time_a_s, t.time_a_s, "before");
    out.say(t.time_a_s > 0 && t.time_b_s > 0 ? " and " : "");
    say_share(out, t.matched_time_b_s, t.time_b_s, "after");
    out.say(". ");
  } else if (t.time_a_s > 0 && t.time_b_s > 0) {
    say_saved(out, a, b, t, how);
  }
  // Both times, if more than two operations changed and the smaller time is at least 10% of the larger.
  const bool both_ways = std::min(t.faster_saved_s, t.slower_lost_s) >= 0.1 * std::max(t.faster_saved_s, t.slower_lost_s) && t.faster > 0 &&
                         t.slower > 0 && t.faster + t.slower > 2;
  const auto time = [&](double s, const char* word) { return both_ways ? " (" + seconds(s) + word : std::string(); };
  std::string counts = with_commas(t.faster) + " faster" + time(t.faster_saved_s, " saved)") + ", " + with_commas(t.slower) + " slower" +
                       time(t.slower_lost_s, " lost)");
  const auto count = [&](std::size_t n, const char* word, const char* separator = ", ") {
    if (n > 0) counts += separator + with_commas(n) + ' ' + word;
  };
  count(t.unchanged - t.reformatted, "unchanged");
  count(t.reformatted, "as fast in another format");
  count(t.matched - t.faster - t.slower - t.unchanged, "without a time");
  const std::size_t in_one_run = t.appeared + t.vanished, untimed = t.appeared_untimed + t.vanished_untimed;
  count(t.appeared, "appeared", "; ");
  count(t.vanished, "vanished", t.appeared > 0 ? ", " : "; ");
  if (untimed > 0)
    counts +=
        in_one_run == 1 ? " without a time" : ", " + with_commas(untimed) + " of these " + with_commas(in_one_run) + " without a time";
  out.say(counts + '.');
  if (t.faster > 0 && t.slower > 0 && t.largest.verdict != Verdict::slower) {
    const OpChange& o = t.largest_slowdown;
    const Evidence one{.formula = difference_formula(o.time_a_s, o.time_b_s), .op = o.b};
    out.say(" Largest slowdown: ").figure(name_of_change(a.workload(), b.workload(), o), one).say(", ");
    out.figure(seconds(-o.time_saved_s), one).say(".");
  }
  if (t.above_roof > 0)
    out.say(' ' + quantity(t.above_roof, "operation exceeds its roof", "operations exceed their roof") +
            " after the change: " + above_roof_advice(b.scenario()) + '.');
  if (t.renamed == 1) {
    const Evidence matched{.formula = "matched by type and shape", .op = t.last_renamed.b};
    out.say(" Renamed: ").figure(name_of_change(a.workload(), b.workload(), t.last_renamed), matched).say(".");
  }
  if (t.renamed > 1) out.say(' ' + with_commas(t.renamed) + " renamed operations are matched by type and shape.");
  return out;
}

Finding compare_finding(const Plan& a, const Plan& b, const ChangeTotals& t, bool predicted) {
  Finding out;
  if (const auto &from = a.scenario().machine.name, &to = b.scenario().machine.name; from != to)
    out.say("from " + from + " to " + to + ": ");
  Finding changes = changes_finding(a, b, t, predicted);
  out.parts.insert(out.parts.end(), changes.parts.begin(), changes.parts.end());
  out.parts.front().text = capitalised(out.parts.front().text);
  return out;
}

}  // namespace roofline
