// A comparison as JSON ("roofline-compare/1"), CSV and a text table.
#include <algorithm>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/write/compare.hpp>

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

std::size_t rows_of(const Comparison& c, const WriteOptions& options, std::size_t standard) {
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
  out.end_object();
}

void write_compare_totals(JsonOut& out, const Comparison& c) {
  const auto write = [&](const char* key, const ChangeTotals& t) {
    out.key(key);
    out.begin_object();
    out.member("headline", headline(t, c.predicted));
    out.member("times", c.predicted ? "predicted" : "measured");
    out.member_count("matched", t.matched);
    out.member_count("appeared", t.appeared);
    out.member_count("vanished", t.vanished);
    const bool known = t.time_a_s > 0 && t.time_b_s > 0;
    out.member("time_a_s", t.time_a_s > 0 ? t.time_a_s : unknown);
    out.member("time_b_s", t.time_b_s > 0 ? t.time_b_s : unknown);
    out.member("time_saved_s", known ? t.time_a_s - t.time_b_s : unknown);
    out.member("time_ratio", known ? t.time_b_s / t.time_a_s : unknown);
    const bool both = t.matched_time_a_s > 0 && t.matched_time_b_s > 0;
    out.member("matched_time_a_s", both ? t.matched_time_a_s : unknown);
    out.member("matched_time_b_s", both ? t.matched_time_b_s : unknown);
    out.member("matched_time_ratio", both ? t.matched_time_b_s / t.matched_time_a_s : unknown);
    out.end_object();
  };
  write("summary", c.totals);
  write("all", c.all.value_or(c.totals));
}

void write_compare_json(const Plan& a, const Plan& b, const Comparison& c, const WriteOptions& options, const Sink& sink) {
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
  write_compare_totals(out, c);
  out.end_object();
}

void write_compare_csv(const Plan& a, const Plan& b, const Comparison& c, const WriteOptions& options, const Sink& sink) {
  CsvRow row;
  for (const char* name :
       {"name", "type", "change", "a", "b", "time_a_s", "time_b_s", "time_ratio", "time_saved_s", "efficiency_a", "efficiency_b",
        "efficiency_change", "intensity_a", "intensity_b", "achieved_flops_a", "achieved_flops_b", "bound_by_a", "bound_by_b"})
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
    sink(row.take());
  }
}

void write_compare_table(const Plan& a, const Plan& b, const Comparison& c, const WriteOptions& options, const Sink& sink) {
  const auto cell = [](double v, std::string (*text)(double)) { return known(v) ? text(v) : std::string("-"); };
  const auto signed_cell = [](double v, std::string (*text)(double)) {
    return known(v) ? (v < 0 ? "-" + text(-v) : "+" + text(v)) : std::string("-");
  };
  const std::string machine_a = a.scenario().machine.name, machine_b = b.scenario().machine.name;
  sink("a: " + printable(a.workload().source) + " on " + printable(machine_a) + "\nb: " + printable(b.workload().source) + " on " +
       printable(machine_b) + "\n");
  sink((c.all ? "Filtered: " : "") + headline(c.totals, c.predicted) + "\n");
  if (c.all) sink("All operations: " + headline(*c.all, c.predicted) + "\n");
  sink("\n");
  std::vector<std::vector<std::string>> rows{{"name", "type", "change", "before", "after", "ratio", "saved", "efficiency", "change"}};
  const std::size_t shown = rows_of(c, options, default_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const OpChange& o = c.ops[i];
    const Plan& plan = side(a, b, o);
    const double efficiency = analysis(plan, index(o)).efficiency;
    std::string name = printable(plan.workload().name_of(index(o)));
    if (name.size() > 60) name = valid_utf8(name.substr(0, 57)) + "...";
    rows.push_back({name, printable(plan.workload().class_of(index(o)).type), change_word(o), cell(o.time_a_s, seconds),
                    cell(o.time_b_s, seconds), cell(o.time_ratio, number), signed_cell(o.time_saved_s, seconds), cell(efficiency, percent),
                    signed_cell(o.efficiency_change, percent)});
  }
  if (shown > 0) sink(align(rows, "lllrrrrrr"));
  if (shown < c.ops.size()) sink("and " + std::to_string(c.ops.size() - shown) + " more that saved less or cost time\n");
}

}  // namespace roofline
