// A comparison as JSON ("roofline-compare/1"), CSV and a text table.
#include <algorithm>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/write/compare.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "write/compare_json.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

constexpr std::size_t default_rows = 20;

/// The run that describes the operation: the later one where it is in both.
const Plan& side(const Plan& a, const Plan& b, const OpChange& o) { return o.b != no_op ? b : a; }
std::uint32_t index(const OpChange& o) { return o.b != no_op ? o.b : o.a; }
const char* change_word(const OpChange& o) { return o.a == no_op ? "appeared" : o.b == no_op ? "vanished" : "matched"; }
bool in_both(const OpChange& o) { return o.a != no_op && o.b != no_op; }

OpAnalysis analysis(const Plan& plan, std::uint32_t op) { return op == no_op ? OpAnalysis() : plan.analyze(op); }
std::string bound(const Plan& plan, const OpAnalysis& a) {
  return a.bound_by == no_resource ? std::string() : plan.resources()[a.bound_by].name;
}

void write_run(JsonOut& out, const Plan& plan) {
  out.begin_object();
  out.member("source", plan.workload().source);
  out.member("machine", plan.scenario().machine.id);
  out.key("summary");
  write_summary(out, plan, summarize(plan, false));
  out.end_object();
}

std::size_t rows_of(const Comparison& c, const CompareOptions& options, std::size_t standard) {
  return std::min(c.ops.size(), options.top.value_or(standard));
}

}  // namespace

void write_change(JsonOut& out, const Plan& a, const Plan& b, const OpChange& o) {
  const Plan& plan = side(a, b, o);
  const OpAnalysis before = analysis(a, o.a), after = analysis(b, o.b);
  out.begin_object();
  out.member("name", plan.workload().name_of(index(o)));
  out.member("type", plan.workload().class_of(index(o)).type);
  out.member("change", change_word(o));
  const auto place = [&](const char* key, std::uint32_t op) {
    out.key(key);
    if (op == no_op)
      out.null();
    else
      out.count(op);
  };
  place("a", o.a);
  place("b", o.b);
  out.member("time_a_s", o.time_a_s);
  out.member("time_b_s", o.time_b_s);
  out.member("time_ratio", o.time_ratio);
  out.member("time_saved_s", o.time_saved_s);
  out.member("efficiency_a", before.efficiency);
  out.member("efficiency_b", after.efficiency);
  out.member("efficiency_change", o.efficiency_change);
  out.member("intensity_a", before.intensity);
  out.member("intensity_b", after.intensity);
  out.member("achieved_flops_a", before.achieved_flops);
  out.member("achieved_flops_b", after.achieved_flops);
  const auto resource = [&](const char* key, const Plan& of, const OpAnalysis& op) {
    out.key(key);
    if (op.bound_by == no_resource)
      out.null();
    else
      out.value(of.resources()[op.bound_by].name);
  };
  resource("bound_by_a", a, before);
  resource("bound_by_b", b, after);
  out.key("verdict");
  if (in_both(o))
    out.value(to_string(o.verdict));
  else
    out.null();
  out.key("renamed");
  out.value(o.by_work);
  out.end_object();
}

void write_compare_totals(JsonOut& out, const Plan& a, const Plan& b, const Comparison& c) {
  const auto write = [&](const char* key, const ChangeTotals& t) {
    out.key(key);
    out.begin_object();
    out.member("headline", compare_finding(a, b, t, c.predicted).text());
    out.member("times", c.predicted ? "predicted" : "measured");
    out.member_count("matched", t.matched);
    out.member_count("appeared", t.appeared);
    out.member_count("vanished", t.vanished);
    out.member_count("renamed", t.by_work);
    out.member_count("faster", t.faster);
    out.member_count("slower", t.slower);
    out.member_count("unchanged", t.unchanged);
    out.member("unchanged_time_s", t.unchanged_time_s);
    out.member("comparable", t.comparable());
    const bool known = t.time_a_s > 0 && t.time_b_s > 0;
    out.member("time_a_s", t.time_a_s > 0 ? t.time_a_s : unknown);
    out.member("time_b_s", t.time_b_s > 0 ? t.time_b_s : unknown);
    out.member("time_saved_s", known ? t.time_a_s - t.time_b_s : unknown);
    out.member("time_ratio", known && t.comparable() ? t.time_b_s / t.time_a_s : unknown);
    const bool both = t.matched_time_a_s > 0 && t.matched_time_b_s > 0;
    out.member("matched_time_a_s", both ? t.matched_time_a_s : unknown);
    out.member("matched_time_b_s", both ? t.matched_time_b_s : unknown);
    out.member("matched_time_ratio", both ? t.matched_time_b_s / t.matched_time_a_s : unknown);
    out.end_object();
  };
  write("summary", c.totals);
  write("all", c.all.value_or(c.totals));
}

void write_compare_json(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  JsonOut out(sink);
  out.begin_object();
  out.member("schema", "roofline-compare/1");
  out.key("a");
  write_run(out, a);
  out.key("b");
  write_run(out, b);
  out.key("ops");
  out.begin_array();
  for (std::size_t i = 0; i < rows_of(c, options, c.ops.size()); ++i) {
    write_change(out, a, b, c.ops[i]);
    out.breathe();
  }
  out.end_array();
  write_compare_totals(out, a, b, c);
  out.end_object();
}

void write_compare_csv(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  CsvRow row;
  for (const char* name : {"name",
                           "type",
                           "change",
                           "a",
                           "b",
                           "time_a_s",
                           "time_b_s",
                           "time_ratio",
                           "time_saved_s",
                           "efficiency_a",
                           "efficiency_b",
                           "efficiency_change",
                           "intensity_a",
                           "intensity_b",
                           "achieved_flops_a",
                           "achieved_flops_b",
                           "bound_by_a",
                           "bound_by_b",
                           "verdict",
                           "renamed"})
    row.add_plain(name);
  sink(row.take());
  for (std::size_t i = 0; i < rows_of(c, options, c.ops.size()); ++i) {
    const OpChange& o = c.ops[i];
    const Plan& plan = side(a, b, o);
    const OpAnalysis before = analysis(a, o.a), after = analysis(b, o.b);
    row.add(plan.workload().name_of(index(o)));
    row.add(plan.workload().class_of(index(o)).type);
    row.add_plain(change_word(o));
    row.add_plain(o.a == no_op ? "" : std::to_string(o.a));
    row.add_plain(o.b == no_op ? "" : std::to_string(o.b));
    for (const double v : {o.time_a_s, o.time_b_s, o.time_ratio, o.time_saved_s, before.efficiency, after.efficiency, o.efficiency_change,
                           before.intensity, after.intensity, before.achieved_flops, after.achieved_flops})
      row.add(v);
    row.add(bound(a, before));
    row.add(bound(b, after));
    row.add_plain(in_both(o) ? to_string(o.verdict) : "");
    row.add_plain(o.by_work ? "true" : "false");
    sink(row.take());
  }
}

void write_compare_table(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  const auto cell = [](double v, std::string (*text)(double)) { return known(v) ? text(v) : std::string("-"); };
  const auto signed_cell = [](double v, std::string (*text)(double)) {
    return known(v) ? (v < 0 ? "-" + text(-v) : "+" + text(v)) : std::string("-");
  };
  const std::string machine_a = a.scenario().machine.name, machine_b = b.scenario().machine.name;
  sink("a: " + printable(a.workload().source) + " on " + printable(machine_a) + "\nb: " + printable(b.workload().source) + " on " +
       printable(machine_b) + "\n");
  const auto sentence = [&](const ChangeTotals& t) { return compare_finding(a, b, t, c.predicted).text() + "\n"; };
  sink((c.all ? "Filtered: " : "") + sentence(c.totals));
  if (c.all) sink("All operations: " + sentence(*c.all));
  sink("\n");
  const bool fold = !options.unchanged;
  const std::size_t most = options.top.value_or(default_rows);
  std::size_t left_out = 0;
  std::vector<std::vector<std::string>> rows{{"name", "type", "change", "before", "after", "ratio", "saved", "efficiency", "change"}};
  for (const OpChange& o : c.ops) {
    if (fold && o.verdict == Verdict::unchanged) continue;
    if (rows.size() > most) {
      ++left_out;
      continue;
    }
    const Plan& plan = side(a, b, o);
    const double efficiency = analysis(plan, index(o)).efficiency;
    std::string name = printable(plan.workload().name_of(index(o)));
    if (name.size() > 60) name = valid_utf8(name.substr(0, 57)) + "...";
    rows.push_back({name, printable(plan.workload().class_of(index(o)).type),
                    in_both(o) && o.verdict != Verdict::unknown ? to_string(o.verdict) : change_word(o), cell(o.time_a_s, seconds),
                    cell(o.time_b_s, seconds), cell(o.time_ratio, number), signed_cell(o.time_saved_s, seconds), cell(efficiency, percent),
                    signed_cell(o.efficiency_change, percent)});
  }
  if (rows.size() > 1) sink(align(rows, "lllrrrrrr"));
  if (left_out > 0) sink("and " + with_commas(left_out) + " more with smaller changes or without times\n");
  if (fold && c.totals.unchanged > 0) sink(with_commas(c.totals.unchanged) + " unchanged: " + seconds(c.totals.unchanged_time_s) + "\n");
}

}  // namespace roofline
