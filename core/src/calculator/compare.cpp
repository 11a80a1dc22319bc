#include <cmath>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/calculator.hpp>

#include "analysis/wording.hpp"
#include "base/joined.hpp"
#include "base/schemas.hpp"
#include "calculator/speedups_json.hpp"
#include "read/operations/formulas.hpp"

namespace roofline {
namespace {

double coarsest_db(const OpClass& op_class) {
  double least = unknown;
  for (const FormatId format : {op_class.weight, op_class.activation, op_class.output, op_class.kv}) {
    const double db = format == no_format ? unknown : sqnr_db(format, Sample::gaussian);
    if (!(db >= least)) least = known_or(db, least);
  }
  return least;
}

std::string decibels(double db) { return !known(db) ? "-" : std::isfinite(db) ? number(db) + " dB" : "exact"; }

/// "1.04x to 2.93x", or one where both are the same.
std::string range(double a, double b) {
  const std::string low = or_dash(a < b ? a : b, times), high = or_dash(a < b ? b : a, times);
  return low == high ? low : low + " to " + high;
}

/// A comparison as a document has it.
struct Compared {
  const Plan& plan;
  std::uint32_t baseline;
};
struct Row {
  const Plan& plan;
  const FormatComparison& c;
};
constexpr Member<Row> row_members[] = {
    {"index", schema::count, "", [](JsonOut& out, const Row& r) { out.count(r.c.op); }},
    {"name", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.plan.workload().name_of(r.c.op)); }}};
std::string rows_schema() { return list_of(ObjectSchema().with(row_members).with(speedup_members).text()); }
constexpr Member<Compared> members[] = {
    {"baseline", schema::text, "", [](JsonOut& out, const Compared& c) { out.value(c.plan.workload().name_of(c.baseline)); }},
    {"rows", rows_schema, "", [](JsonOut& out, const Compared& c) {
       out.begin_array();
       for (const FormatComparison& row : compare_formats(c.plan, c.baseline))
         out.object([&] {
           write_members<row_members>(out, Row{c.plan, row});
           write_members<speedup_members>(out, row);
         });
       out.end_array();
     }}};

}  // namespace

std::vector<FormatComparison> compare_formats(const Plan& plan, std::uint32_t baseline) {
  std::vector<FormatComparison> out;
  const auto n = static_cast<std::uint32_t>(plan.workload().size());
  if (baseline >= n) return out;
  const OpAnalysis base = plan.analyze(baseline);
  for (std::uint32_t op = 0; op < n; ++op) {
    const OpAnalysis a = plan.analyze(op);
    out.push_back({op, base.fully_known_bound_s() / a.fully_known_bound_s(), base.typical_time_s / a.typical_time_s,
                   base.typical.fused_time_s / a.typical.fused_time_s, coarsest_db(plan.workload().class_of(op))});
  }
  return out;
}

Finding formats_finding(const Plan& plan, const std::vector<FormatComparison>& rows, std::uint32_t baseline) {
  Finding out;
  const FormatComparison* best = nullptr;
  const auto gain = [](const FormatComparison& row) { return known_or(row.typical_speedup, row.speedup); };
  for (const FormatComparison& row : rows)
    if (known(gain(row)) && (!best || gain(row) > gain(*best))) best = &row;
  if (!best || rows.size() < 2) return out;
  const auto formats_of = [&](std::uint32_t op) {
    const OpClass& op_class = plan.workload().class_of(op);
    return RoleFormats{plan.workload().name_of(op), op_class.weight, op_class.activation};
  };
  const std::string from = formats_of(baseline).spoken();
  // Of those that tie, the most accurate is the best.
  std::vector<std::string> tied;
  const double most = gain(*best);
  for (const FormatComparison& row : rows) {
    if (!(gain(row) >= 0.999 * most)) continue;
    tied.push_back(formats_of(row.op).spoken());
    if (known(row.sqnr_db) && !(row.sqnr_db <= best->sqnr_db)) best = &row;
  }
  const OpAnalysis fastest = plan.analyze(best->op), base = plan.analyze(baseline);
  const Typical& t = fastest.typical;
  const bool by_overheads = std::max(known_or(t.compute_s, 0), known_or(t.transfer_s, 0)) < 0.5 * fastest.typical_time_s;
  constexpr const char* overheads = "launch and other overheads";
  const std::string limit = by_overheads                      ? overheads
                            : fastest.bound_by == no_resource ? ""
                                                              : printable(plan.resources()[fastest.bound_by].name);
  if (gain(*best) < 1.005) return out.say("No format is faster than " + from + (limit.empty() ? "." : ", limited by " + limit + "."));
  const bool estimated = known(best->typical_speedup);
  const double today = estimated ? base.typical_time_s : base.predicted_time_s;
  // As the table has it: conversions in kernels of their own, and fused.
  const std::string gained =
      known(best->fused_speedup) && estimated ? range(best->typical_speedup, best->fused_speedup) : times(gain(*best));
  const RoleFormats formats = formats_of(best->op);
  out.say((tied.size() > 1 ? listed(tied) + " tie for the fastest: "
                           : formats.spoken() + (formats.weights_alone() ? " are" : " is") + " the fastest: ") +
          (estimated ? "about " : ""))
      .figure(gained, {.formula = (estimated ? "estimate of " : "bound of ") + seconds(today) + " as " + from + " / " +
                                  seconds(today / gain(*best)),
                       .op = best->op})
      .say(" " + from);
  if (known(best->sqnr_db))
    out.say(tied.size() > 1 ? "; " + formats.spoken() + (formats.weights_alone() ? " keep" : " keeps") + " the most accuracy, " : ", at ")
        .figure(decibels(best->sqnr_db), {"SQNR of normally distributed numbers"});
  out.say(".");
  const bool bounds_differ = gained != times(best->speedup);
  if (by_overheads)
    return out.say(' ' + capitalised(overheads) + " take most of the time" +
                   (bounds_differ ? "; without them the speed-up would be " + times(best->speedup) + "." : "."));
  if (!limit.empty()) out.say(" Limited by " + limit + ".");
  if (bounds_differ) out.say(" By the bounds alone: " + times(best->speedup) + ".");
  return out;
}

std::string comparison_json(const Plan& plan, std::uint32_t baseline) {
  return json_text([&](JsonOut& out) { write_object<members>(out, Compared{plan, baseline}); });
}

ObjectSchema comparison_schema() { return ObjectSchema().with(members); }

std::string comparison_table(const Plan& plan, const Calculation& calculation, std::uint32_t baseline) {
  const Workload& w = plan.workload();
  const WorkUnit work(plan.scenario());
  std::string out =
      printable(plan.scenario().machine.name) + "\n" + std::string(calculation.op->name) + ": " + printable(calculation.title()) + "\n\n";
  const std::vector<FormatComparison> compared = compare_formats(plan, baseline);
  if (const std::string finding = formats_finding(plan, compared, baseline).text(); !finding.empty()) out += finding + "\n\n";
  const DerivationText derivation = derivation_of(w.record_of(0), Keys(), Registry());
  std::vector<std::vector<std::string>> lines;
  for (const FormulaText& f : derivation.formulas) lines.push_back({f.quantity, "= " + f.with_numbers});
  out += align(lines, "ll") + "\n";

  bool converts = false, launched = false;
  std::vector<std::vector<std::string>> rows{{"format", "computes as", work.name(), "bytes", work.name() + "/B", "bound by", "predicted",
                                              "typical", "speed-up", "typical speed-up", "SQNR"}};
  for (const FormatComparison& c : compared) {
    const OpAnalysis a = plan.analyze(c.op);
    converts = converts || a.typical.conversion_s > 0;
    launched = launched || a.typical.launch_s > 0;
    rows.push_back({w.name_of(c.op) + (c.op == baseline ? " *" : ""),
                    a.compute == no_format ? "-" : Formats::catalogue()[a.compute].id + (a.compute_fallback ? " (fallback)" : ""),
                    or_dash(work.scaled(a.flops), ""), or_dash(a.bytes, "B"), or_dash(work.scaled(a.intensity), number),
                    a.partly_known ? "-" : printable(resource_name(plan, a.bound_by, "-")),
                    (a.partly_known ? "at least " : "") + or_dash(a.predicted_time_s, seconds), or_dash(a.typical_time_s, seconds),
                    or_dash(c.speedup, times), range(c.typical_speedup, c.fused_speedup), decibels(c.sqnr_db)});
  }
  out += align(rows, "llrrrlrrrrr") + "\n* what the speed-ups refer to\n";
  if (!launched) out += "typical times without launches: --set overhead.launch_us=5 adds 5 us to each kernel\n";
  if (converts) out += "typical times have conversions in kernels of their own; the higher speed-up has them fused into the neighbours\n";
  return out;
}

}  // namespace roofline
