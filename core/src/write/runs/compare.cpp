// A comparison as JSON ("roofline-compare/1"), CSV and a text table.
#include <algorithm>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/write/compare.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "write/op_json.hpp"
#include "write/runs/compare_json.hpp"
#include "write/runs/type_changes.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

constexpr std::size_t default_rows = 20, name_width = 60;

OpAnalysis analysis(const Plan& plan, std::uint32_t op) { return op == no_op ? OpAnalysis() : plan.analyze(op); }
std::string bound(const Plan& plan, const OpAnalysis& a) { return resource_name(plan, a.bound_by); }

constexpr Member<Plan> run_members[] = {{"source", schema::text, "", field<&Plan::workload, &Workload::source>},
                                        {"machine", schema::text, "its id", field<&Plan::scenario, &Scenario::machine, &Machine::id>},
                                        {"summary", R"("$ref":"#/$defs/summary")", "its totals",
                                         [](JsonOut& out, const Plan& p) { write_summary(out, p, summarize(p, false)); }}};

/// One operation of either run, and what changed of it.
struct Change {
  const Plan &a, &b;
  const OpChange& o;
  OpAnalysis before = analysis(a, o.a), after = analysis(b, o.b);
  [[nodiscard]] const Workload& workload() const { return o.pick(a, b).workload(); }
};
void write_index(JsonOut& out, std::uint32_t op) {
  if (op == no_op) return out.null();
  out.count(op);
}
constexpr Member<Change> change_members[] = {
    {"name", schema::text, "of the later run where it is in both",
     [](JsonOut& out, const Change& c) { out.value(c.workload().name_of(c.o.op())); }},
    {"short_name", schema::text,
     "both names if they differ, as before → after; else the name, with sizes in place of the shapes of all operands, and with the sizes "
     "of its product if operations share it",
     [](JsonOut& out, const Change& c) { out.value(name_of_change(c.a.workload(), c.b.workload(), c.o)); }},
    {"type", schema::text, "", [](JsonOut& out, const Change& c) { out.value(c.workload().class_of(c.o.op()).type); }},
    {"change", R"("enum":["matched","appeared","vanished"])", "", [](JsonOut& out, const Change& c) { out.value(c.o.change_word()); }},
    {"a", schema::index, "its place in the first run", [](JsonOut& out, const Change& c) { write_index(out, c.o.a); }},
    {"b", schema::index, "its place in the second run", [](JsonOut& out, const Change& c) { write_index(out, c.o.b); }},
    {"time_a_s", schema::number, "s", [](JsonOut& out, const Change& c) { out.value(c.o.time_a_s); }},
    {"time_b_s", schema::number, "s", [](JsonOut& out, const Change& c) { out.value(c.o.time_b_s); }},
    {"time_ratio", schema::number, "after / before: below 1 is faster", [](JsonOut& out, const Change& c) { out.value(c.o.time_ratio); }},
    {"time_saved_s", schema::number, "before - after, s", [](JsonOut& out, const Change& c) { out.value(c.o.time_saved_s); }},
    {"efficiency_a", schema::number, "", field<&Change::before, &OpAnalysis::efficiency>},
    {"efficiency_b", schema::number, "", field<&Change::after, &OpAnalysis::efficiency>},
    {"efficiency_change", schema::number, "after - before", [](JsonOut& out, const Change& c) { out.value(c.o.efficiency_change); }},
    {"above_roof_a", schema::flag, "its efficiency is above 1", field<&Change::before, &OpAnalysis::above_roof>},
    {"above_roof_b", schema::flag, "", field<&Change::after, &OpAnalysis::above_roof>},
    {"intensity_a", schema::number, "FLOP/B", field<&Change::before, &OpAnalysis::intensity>},
    {"intensity_b", schema::number, "FLOP/B", field<&Change::after, &OpAnalysis::intensity>},
    {"achieved_flops_a", schema::number, "FLOP/s", field<&Change::before, &OpAnalysis::achieved_flops>},
    {"achieved_flops_b", schema::number, "FLOP/s", field<&Change::after, &OpAnalysis::achieved_flops>},
    {"bound_by_a", schema::name, "", [](JsonOut& out, const Change& c) { write_resource(out, c.a, c.before.bound_by); }},
    {"bound_by_b", schema::name, "", [](JsonOut& out, const Change& c) { write_resource(out, c.b, c.after.bound_by); }},
    {"limited_by_a", schema::name, "a kind of resource, neither or unknown",
     [](JsonOut& out, const Change& c) { write_name(out, c.o.appeared() ? "" : to_string(c.before.limit)); }},
    {"limited_by_b", schema::name, "",
     [](JsonOut& out, const Change& c) { write_name(out, c.o.vanished() ? "" : to_string(c.after.limit)); }},
    {"format_a", schema::name, "computed as", [](JsonOut& out, const Change& c) { write_format(out, c.before.compute); }},
    {"format_b", schema::name, "", [](JsonOut& out, const Change& c) { write_format(out, c.after.compute); }},
    {"verdict", R"("enum":["unknown","unchanged","faster","slower",null])",
     "beyond 2% or the spread of repeated runs; null: in one run only",
     [](JsonOut& out, const Change& c) { write_name(out, c.o.in_both() ? to_string(c.o.verdict) : ""); }},
    {"renamed", schema::flag, "matched by type and shape: the names differ",
     [](JsonOut& out, const Change& c) { out.value(c.o.renamed); }}};

std::string index_text(std::uint32_t op) { return op == no_op ? std::string() : std::to_string(op); }
constexpr CsvColumn<Change> change_columns[] = {
    {"name", [](CsvRow& row, const Change& c) { row.add(c.workload().name_of(c.o.op())); }},
    {"type", [](CsvRow& row, const Change& c) { row.add(c.workload().class_of(c.o.op()).type); }},
    {"change", [](CsvRow& row, const Change& c) { row.add_plain(c.o.change_word()); }},
    {"a", [](CsvRow& row, const Change& c) { row.add_plain(index_text(c.o.a)); }},
    {"b", [](CsvRow& row, const Change& c) { row.add_plain(index_text(c.o.b)); }},
    {"time_a_s", [](CsvRow& row, const Change& c) { row.add(c.o.time_a_s); }},
    {"time_b_s", [](CsvRow& row, const Change& c) { row.add(c.o.time_b_s); }},
    {"time_ratio", [](CsvRow& row, const Change& c) { row.add(c.o.time_ratio); }},
    {"time_saved_s", [](CsvRow& row, const Change& c) { row.add(c.o.time_saved_s); }},
    {"efficiency_a", [](CsvRow& row, const Change& c) { row.add(c.before.efficiency); }},
    {"efficiency_b", [](CsvRow& row, const Change& c) { row.add(c.after.efficiency); }},
    {"efficiency_change", [](CsvRow& row, const Change& c) { row.add(c.o.efficiency_change); }},
    {"intensity_a", [](CsvRow& row, const Change& c) { row.add(c.before.intensity); }},
    {"intensity_b", [](CsvRow& row, const Change& c) { row.add(c.after.intensity); }},
    {"achieved_flops_a", [](CsvRow& row, const Change& c) { row.add(c.before.achieved_flops); }},
    {"achieved_flops_b", [](CsvRow& row, const Change& c) { row.add(c.after.achieved_flops); }},
    {"bound_by_a", [](CsvRow& row, const Change& c) { row.add(bound(c.a, c.before)); }},
    {"bound_by_b", [](CsvRow& row, const Change& c) { row.add(bound(c.b, c.after)); }},
    {"verdict", [](CsvRow& row, const Change& c) { row.add_plain(c.o.in_both() ? to_string(c.o.verdict) : ""); }},
    {"renamed", [](CsvRow& row, const Change& c) { row.add_plain(c.o.renamed ? "true" : "false"); }},
    {"short_name", [](CsvRow& row, const Change& c) { row.add(name_of_change(c.a.workload(), c.b.workload(), c.o)); }}};

struct Totals {
  const Plan &a, &b;
  const ChangeTotals& t;
  bool predicted;
  [[nodiscard]] bool timed() const { return t.time_a_s > 0 && t.time_b_s > 0; }
  [[nodiscard]] bool matched() const { return t.matched_time_a_s > 0 && t.matched_time_b_s > 0; }
};
constexpr Member<Totals> total_members[] = {
    {"headline", schema::text, "what changed, in a sentence",
     [](JsonOut& out, const Totals& w) { out.value(compare_finding(w.a, w.b, w.t, w.predicted).text()); }},
    {"times", R"("enum":["measured","predicted"])", "predicted: one of the runs has no measured times",
     [](JsonOut& out, const Totals& w) { out.value(w.predicted ? "predicted" : "measured"); }},
    {"matched", schema::count, "operations in both runs", [](JsonOut& out, const Totals& w) { out.count(w.t.matched); }},
    {"appeared", schema::count, "operations in the second alone", [](JsonOut& out, const Totals& w) { out.count(w.t.appeared); }},
    {"vanished", schema::count, "operations in the first alone", [](JsonOut& out, const Totals& w) { out.count(w.t.vanished); }},
    {"renamed", schema::count, "of the matched, those whose names differ", [](JsonOut& out, const Totals& w) { out.count(w.t.renamed); }},
    {"faster", schema::count, "operations, beyond 2% or the spread of repeated runs",
     [](JsonOut& out, const Totals& w) { out.count(w.t.faster); }},
    {"slower", schema::count, "operations, likewise", [](JsonOut& out, const Totals& w) { out.count(w.t.slower); }},
    {"unchanged", schema::count, "operations within it", [](JsonOut& out, const Totals& w) { out.count(w.t.unchanged); }},
    {"unchanged_time_s", schema::number, "theirs after, s", [](JsonOut& out, const Totals& w) { out.value(w.t.unchanged_time_s); }},
    {"reformatted", schema::count, "of the unchanged, those that compute in another format",
     [](JsonOut& out, const Totals& w) { out.count(w.t.reformatted); }},
    {"reformatted_time_s", schema::number, "theirs after, s", [](JsonOut& out, const Totals& w) { out.value(w.t.reformatted_time_s); }},
    {"comparable", schema::flag, "at least half of the time of each run is in both",
     [](JsonOut& out, const Totals& w) { out.value(w.t.comparable()); }},
    {"time_a_s", schema::number, "of the first run, s",
     [](JsonOut& out, const Totals& w) { out.value(w.t.time_a_s > 0 ? w.t.time_a_s : unknown); }},
    {"time_b_s", schema::number, "of the second run, s",
     [](JsonOut& out, const Totals& w) { out.value(w.t.time_b_s > 0 ? w.t.time_b_s : unknown); }},
    {"time_saved_s", schema::number, "before - after, s",
     [](JsonOut& out, const Totals& w) { out.value(w.timed() ? w.t.time_a_s - w.t.time_b_s : unknown); }},
    {"time_ratio", schema::number, "after / before; null where too little is in both",
     [](JsonOut& out, const Totals& w) { out.value(w.timed() && w.t.comparable() ? w.t.time_b_s / w.t.time_a_s : unknown); }},
    {"matched_time_a_s", schema::number, "of the operations in both, before, s",
     [](JsonOut& out, const Totals& w) { out.value(w.matched() ? w.t.matched_time_a_s : unknown); }},
    {"matched_time_b_s", schema::number, "of the operations in both, after, s",
     [](JsonOut& out, const Totals& w) { out.value(w.matched() ? w.t.matched_time_b_s : unknown); }},
    {"matched_time_ratio", schema::number, "after / before, of the operations in both",
     [](JsonOut& out, const Totals& w) { out.value(w.matched() ? w.t.matched_time_b_s / w.t.matched_time_a_s : unknown); }}};

struct Document {
  const Plan &a, &b;
  const Comparison& c;
  const CompareOptions& options;
  void write_totals(JsonOut& out, const ChangeTotals& t) const { write_object<total_members>(out, Totals{a, b, t, c.predicted}); }
  [[nodiscard]] std::size_t rows() const { return std::min(c.ops.size(), options.top.value_or(c.ops.size())); }
};
constexpr Member<Document> summary_members[] = {
    {"summary", R"("$ref":"#/$defs/totals")", "of the operations listed",
     [](JsonOut& out, const Document& d) { d.write_totals(out, d.c.totals); }},
    {"all", R"("$ref":"#/$defs/totals")", "of everything, where filters leave some of it out",
     [](JsonOut& out, const Document& d) { d.write_totals(out, d.c.all.value_or(d.c.totals)); }}};
constexpr Member<Document> members[] = {
    document_id<Document>("roofline-compare/1"),
    {"a", R"("$ref":"#/$defs/run")", "the run before", [](JsonOut& out, const Document& d) { write_object<run_members>(out, d.a); }},
    {"b", R"("$ref":"#/$defs/run")", "the run after", [](JsonOut& out, const Document& d) { write_object<run_members>(out, d.b); }},
    {"ops", R"("type":"array","items":{"$ref":"#/$defs/change"})", "largest change first; at most N with --top N",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (std::size_t i = 0; i < d.rows(); ++i) {
         write_change(out, d.a, d.b, d.c.ops[i]);
         out.flush_if_full();
       }
       out.end_array();
     }}};

struct Sums {
  const Comparison& c;
  std::size_t rows;
};
constexpr Member<Sums> sum_members[] = {{"sum_by", R"("enum":["type","family"])", "family: little of the time is in common types",
                                         [](JsonOut& out, const Sums& s) { out.value(s.c.by_family ? "family" : "type"); }},
                                        {"by_type", R"("type":"array","items":{"$ref":"#/$defs/type_change"})",
                                         "sums of the operations of each type, largest change first", [](JsonOut& out, const Sums& s) {
                                           out.begin_array();
                                           for (std::size_t i = 0; i < std::min(s.rows, s.c.by_type.size()); ++i)
                                             write_type_change(out, s.c.by_type[i]);
                                           out.end_array();
                                         }}};

}  // namespace

void write_sums_by_type(JsonOut& out, const Comparison& c, std::size_t rows) { write_members<sum_members>(out, Sums{c, rows}); }

void write_change(JsonOut& out, const Plan& a, const Plan& b, const OpChange& o) { write_object<change_members>(out, Change{a, b, o}); }

void write_compare_totals(JsonOut& out, const Plan& a, const Plan& b, const Comparison& c) {
  write_members<summary_members>(out, Document{a, b, c, {}});
}

void write_compare_json(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  JsonOut out(sink);
  const Document document{a, b, c, options};
  out.object([&] {
    write_members<members>(out, document);
    write_sums_by_type(out, c, c.by_type.size());
    write_members<summary_members>(out, document);
  });
}

std::string judged_comparison_json(const Plan& a, const Plan& b, const Comparison& c) {
  const CompareOptions no_rows{.top = 0};
  const Document document{a, b, c, no_rows};
  return json_text([&](JsonOut& out) {
    out.object([&] {
      write_members<total_members>(out, Totals{a, b, c.totals, c.predicted});
      write_members<members>(out, document);
      write_members<summary_members>(out, document);
    });
  });
}

ObjectSchema judged_comparison_schema() { return ObjectSchema().with(total_members).with(members).with(summary_members); }

ObjectSchema compare_schema() { return ObjectSchema().with(members).with(sum_members).with(summary_members); }
ObjectSchema run_schema() { return ObjectSchema().with(run_members); }
ObjectSchema change_schema() { return ObjectSchema().with(change_members); }
ObjectSchema change_totals_schema() { return ObjectSchema().with(total_members); }

void write_compare_csv(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  if (options.by_type) return write_types_csv(c, options, sink);
  CsvRow row;
  add_header(row, change_columns);
  sink(row.take());
  for (std::size_t i = 0; i < std::min(c.ops.size(), options.top.value_or(c.ops.size())); ++i) {
    add_cells(row, change_columns, Change{a, b, c.ops[i]});
    sink(row.take());
  }
}

void write_compare_table(const Plan& a, const Plan& b, const Comparison& c, const CompareOptions& options, const Sink& sink) {
  const auto signed_cell = [](double v, std::string (*text)(double)) {
    return known(v) ? (v < 0 ? "-" + text(-v) : "+" + text(v)) : std::string("-");
  };
  const std::string machine_a = a.scenario().machine.name, machine_b = b.scenario().machine.name;
  sink("a: " + printable(a.workload().source) + " on " + printable(machine_a) + "\nb: " + printable(b.workload().source) + " on " +
       printable(machine_b) + "\n");
  if (c.all) sink("Filtered: " + changes_finding(a, b, c.totals, c.predicted).text() + "\nAll operations: ");
  sink(compare_finding(a, b, c.all.value_or(c.totals), c.predicted).text() + "\n");
  sink("\n");
  if (const TypeTable types = type_table(c, options); !types.rows.empty()) {
    std::vector<std::vector<std::string>> rows = types.rows;
    for (auto& row : rows) row[0] = shortened(row[0], name_width);
    sink(align(rows, types.sides));
    if (types.left_out > 0) sink("and " + with_commas(types.left_out) + " more with smaller changes or without times\n");
    if (options.by_type) return;
    sink("\n");
  }
  const bool fold = !options.unchanged;
  const std::size_t most = options.top.value_or(default_rows);
  std::size_t left_out = 0;
  std::vector<std::vector<std::string>> rows{
      {"name", "type", "change", "before", "after", "ratio", "time change", "efficiency", "efficiency change"}};
  for (const OpChange& o : c.ops) {
    if (fold && o.unchanged()) continue;
    if (rows.size() > most) {
      ++left_out;
      continue;
    }
    const Plan& plan = o.pick(a, b);
    const OpAnalysis before = analysis(a, o.a), after = analysis(b, o.b);
    const OpAnalysis& now = o.pick(before, after);
    const bool change = !before.above_roof() && !after.above_roof();
    rows.push_back({shortened(name_of_change(a.workload(), b.workload(), o), name_width), printable(plan.workload().class_of(o.op()).type),
                    o.in_both() && o.verdict != Verdict::unknown ? to_string(o.verdict) : o.change_word(), or_dash(o.time_a_s, seconds),
                    or_dash(o.time_b_s, seconds), or_dash(o.time_ratio, number), time_change_text(o.time_saved_s), efficiency_text(now),
                    signed_cell(change ? o.efficiency_change : unknown, percent)});
  }
  if (rows.size() > 1) sink(align(rows, "lllrrrrrr"));
  if (left_out > 0) sink("and " + with_commas(left_out) + " more with smaller changes or without times\n");
  const ChangeTotals& t = c.totals;
  if (fold && t.unchanged > t.reformatted)
    sink(with_commas(t.unchanged - t.reformatted) + " unchanged: " + seconds(t.unchanged_time_s - t.reformatted_time_s) + "\n");
}

}  // namespace roofline
