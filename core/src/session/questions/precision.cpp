// "precision": what each number format would buy, and what it would lose. Request: {"op": index or absent: all that the view lets through,
// "roles": "weights", "weights_activations" or "all" (default), and the numbers to round: "sample": "gaussian" (default), or "sqnr_db":
// {format: dB, null: exact}, "threshold_db": what is to be kept (30)}. Formats that the machine lacks ("support") are listed, and neither
// on the front nor in the finding; nor is any for an operation without weights, or one that neither compute nor memory limits. The what-if
// in force does not apply: a format's gain is over today's formats on today's machine. Of many operations, a few formats at a time keep the
// page alive: "formats": [ids] are the ones to do, and {"front": [rows as they were found]} tells which of all are on the front: {"pareto":
// [...], "finding"}.
#include <algorithm>
#include <cmath>
#include <roofline/frame/headline.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "session/questions/offered_formats.hpp"
#include "session/questions/questions.hpp"
#include "session/questions/sqnr.hpp"

namespace roofline {
namespace {

struct Figures {
  double bytes = unknown, predicted_s = unknown;
  double optimistic = unknown, pessimistic = unknown;  ///< speed-up over today, as in the headline
};

Figures total(const OpSet& ops) {
  Summary s = summarize(ops, ops.workload().time_s.empty());
  if (s.machine_mismatch()) s = summarize(ops);  // then the estimate is what the speed-up starts from
  if (!(s.whatif_predicted_s > 0)) return {};
  const Range speedup = whatif_outcome(ops.plan(), s).speedup;
  return {s.whatif_bytes, s.whatif_predicted_s, speedup.high, speedup.low};
}

Figures of_op(const Plan& plan, std::size_t op) {
  const OpWhatIf w = plan.what_if(op);
  return {w.bytes, w.predicted_time_s, w.speedup.high, w.speedup.low};
}

struct Row {
  FormatId format;
  WhatIf whatif;
  Figures figures;
  double sqnr_db;  ///< infinite: exact
  FormatSupport support;
  std::string name;  ///< with the operands that take it

  [[nodiscard]] bool unsupported() const { return support == FormatSupport::lacks; }
  [[nodiscard]] bool changes_activations() const { return whatif.activation.has_value(); }
  /// Whether values are scaled in blocks, as in INT4 in groups. The finding prefers to name a less accurate format without blocks.
  [[nodiscard]] bool has_blocks() const { return format != no_format && Formats::catalogue()[format].block > 1; }
};

/// No other format is as fast and as accurate, and better in one of the two.
bool is_pareto_optimal(const Row& row, const std::vector<Row>& rows) {
  if (row.unsupported() || !(row.figures.optimistic > 0) || std::isnan(row.sqnr_db)) return false;
  return std::none_of(rows.begin(), rows.end(), [&](const Row& other) {
    const double x = other.figures.optimistic - row.figures.optimistic;
    const bool as_accurate = other.sqnr_db >= row.sqnr_db, better = other.sqnr_db > row.sqnr_db;
    return !other.unsupported() && x >= 0 && as_accurate && (x > 0 || better);
  });
}

std::string decibels(double db) { return std::isfinite(db) ? number(db) + " dB" : "no loss"; }

/// "At 30 dB or more, the fastest is INT8 in all operands: 1.2x to 1.4x at 41 dB. Faster, but less accurate: INT4 in all operands, 1.4x to
/// 1.9x at 19 dB." Formats without a known loss are left out.
Finding precision_finding(const std::vector<Row>& rows, const Scenario& scenario, double wanted_db) {
  Finding out;
  const Row* accurate = nullptr;  // the fastest that keeps `wanted_db`
  for (const Row& row : rows)
    if (!row.unsupported() && row.sqnr_db >= wanted_db && row.figures.optimistic > 0 &&
        (!accurate || row.figures.optimistic > 1.005 * accurate->figures.optimistic ||
         (row.figures.optimistic > 0.995 * accurate->figures.optimistic && row.sqnr_db > accurate->sqnr_db)))
      accurate = &row;
  const double today = accurate ? std::max(accurate->figures.optimistic, 1.0) : 1;
  const auto before = [](const Row& a, const Row& b) { return a.has_blocks() != b.has_blocks() ? b.has_blocks() : a.sqnr_db > b.sqnr_db; };
  const Row* below = nullptr;  // the most accurate of those that are faster still
  for (const Row& row : rows)
    if (!row.unsupported() && row.sqnr_db < wanted_db && row.figures.optimistic >= least_gain * today && (!below || before(row, *below)))
      below = &row;
  if (!accurate && !below) return out;
  const auto figures = [&](const Row& row) {
    const std::string low = times(row.figures.pessimistic), high = times(row.figures.optimistic);
    out.figure(low == high ? high : low + " to " + high, {"today's time over that in " + row.name + ": " + low +
                                                          " where the time above the bound stays, " + high + " at today's efficiency"})
        .say(" at ")
        .figure(decibels(row.sqnr_db), {"SQNR of the numbers chosen, rounded to " + row.name});
  };
  out.say("At " + decibels(wanted_db) + " or more, ");
  if (accurate && accurate->figures.optimistic >= least_gain) {
    out.say("the fastest is " + accurate->name + ": ");
    figures(*accurate);
  } else {
    out.say("no format is faster than today");
  }
  if (below) {
    out.say(". Faster, but less accurate: " + below->name + ", ");
    figures(*below);
  }
  out.say(".");
  const bool computes_in_it = (accurate && accurate->figures.optimistic >= least_gain && accurate->changes_activations()) ||
                              (below && below->changes_activations());
  const bool one_rate = scenario.machine.has_one_peak();
  return computes_in_it && one_rate ? out.say(std::string(" ") + one_rate_for_all) : out;
}

/// The finding of many operations.
Finding whole_finding(const std::vector<Row>& rows, const OpSet& ops, double wanted_db) {
  return with_caution(summarize(ops), ": expect the low end of each range. ", precision_finding(rows, ops.plan().scenario(), wanted_db));
}

/// Why no format is advised for an operation; empty: one may be.
Finding no_advice(const Plan& plan, std::size_t op) {
  Finding out;
  const OpAnalysis a = plan.analyze(op);
  const OpClass& op_class = plan.workload().class_of(op);
  const std::string name = printable(plan.workload().name_of(op));
  if (op_class.weight == no_format && !op_class.roles_unknown) return out.say("No format is advised: " + name + " has no weights.");
  if (a.limit == Limit::neither)
    return out.say("No format is advised: neither compute nor memory limits " + name + ", which reaches ")
        .figure(percent(a.efficiency), {"bound of " + seconds(a.predicted_time_s) + " / " + seconds(a.time_s)})
        .say(" of its roof.");
  if (a.partly_known) return out.say("No format is advised for " + name + ": " + what_is_missing(plan, op));
  return out;
}

/// The formats of a what-if as this question writes them.
WhatIf formats_from(const Json& json) {
  const auto format = [&](const char* role) -> std::optional<FormatId> { return Formats::catalogue().find(text_of(member(json, role))); };
  WhatIf out;
  out.weight = format("weight"), out.activation = format("activation"), out.output = format("output"), out.kv = format("kv");
  return out;
}

/// {"pareto": [...], "finding"} of rows that were found a few at a time.
Answer front_of(const Plan& plan, const OpSet& ops, const Json& found, double wanted_db) {
  std::vector<Row> rows;
  for (const Json& row : found) {
    const WhatIf whatif = formats_from(member(row, "whatif"));
    rows.push_back(
        {Formats::catalogue().find(text_of(member(row, "id"))).value_or(no_format), whatif,
         Figures{.optimistic = number_of(member(row, "speedup_optimistic")), .pessimistic = number_of(member(row, "speedup_pessimistic"))},
         member(row, "exact") == Json(true) ? std::numeric_limits<double>::infinity() : number_of(member(row, "sqnr_db")),
         named<FormatSupport>(text_of(member(row, "support"))).value_or(FormatSupport::computes), formats_words(whatif)});
  }
  Finding finding = whole_finding(rows, ops, wanted_db);
  say_left_out(finding, plan.scenario());
  Json pareto = Json::array();
  for (const Row& row : rows) pareto.push_back(is_pareto_optimal(row, rows));
  return Answer{compact(Json{{"pareto", std::move(pareto)}, {"finding", finding_json(finding)}}), {}};
}

}  // namespace

Result<Answer> ask_precision(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const double wanted_db = known_or(number_of(member(request, "threshold_db")), default_min_sqnr_db);
  if (member(request, "front").is_array()) return front_of(plan, of.ops.fixed(), member(request, "front"), wanted_db);
  const Workload& w = plan.workload();
  const double wanted = number_of(member(request, "op"));
  const bool whole = std::isnan(wanted);
  if (!whole && !(wanted >= 0 && wanted < static_cast<double>(w.size()))) return fail("expected the index of an operation", "op");
  const auto op = whole ? 0 : static_cast<std::size_t>(wanted);
  const Roles roles = roles_of(request);
  const auto sqnr = sqnr_of(request);
  if (!sqnr) return Unexpected(sqnr.error());

  const Formats& formats = Formats::catalogue();
  const Json& chosen = member(request, "formats");
  const auto is_chosen = [&](const std::string& id) {
    return !chosen.is_array() || std::find(chosen.begin(), chosen.end(), Json(id)) != chosen.end();
  };
  const OpSet ops = of.ops.fixed();  // the same operations in every format
  const Scenario without_whatif = plan.scenario().without_whatif();
  const Plan today(w, without_whatif);
  std::vector<Row> rows;
  for (std::size_t f = 0; f < formats.size(); ++f) {
    const Format& each = formats.all()[f];
    if ((!each.quantises() && !each.weights_only) || !is_chosen(each.id)) continue;
    const auto format = static_cast<FormatId>(f);
    Scenario scenario = without_whatif;
    scenario.whatif = with_format({}, format, roles);
    if (!chosen.is_array() && !is_offered(today, format)) continue;
    const Plan other(w, scenario);
    const Machine& machine = scenario.machine;
    rows.push_back({format, scenario.whatif, whole ? total(ops.under(other)) : of_op(other, op), (*sqnr)[f],
                    support(machine, format, scenario.whatif.activation.has_value()), formats_words(scenario.whatif)});
  }

  Answer answer;
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    out.key("formats");
    out.begin_array();
    for (const Row& row : rows) {
      const Format& format = formats[row.format];
      out.begin_object();
      out.member("id", format.id);
      out.member("name", format.name);
      out.member("effective_bits", format.effective_bits());
      out.member("weights_only", format.weights_only);
      out.object("whatif", [&] {  // the formats to set for it
        out.member("weight", format.id);
        if (row.whatif.activation) out.member("activation", format.id);
        if (row.whatif.output) out.member("output", format.id);
        if (row.whatif.kv) out.member("kv", format.id);
      });
      out.key("computes_as");  // where both operands are in it; null: as the activations do, which stay as they are
      const Machine& machine = without_whatif.machine;
      const FormatId compute = row.whatif.activation ? compute_format(machine, Unit::matrix, row.format, row.format) : no_format;
      compute == no_format ? out.null() : out.value(formats[compute].id);
      out.member("support", to_string(row.support));
      out.member("bytes", row.figures.bytes);
      out.member("predicted_time_s", row.figures.predicted_s);
      out.member("speedup_optimistic", row.figures.optimistic);
      out.member("speedup_pessimistic", row.figures.pessimistic);
      out.member("sqnr_db", row.sqnr_db);
      out.member("exact", row.sqnr_db == std::numeric_limits<double>::infinity());
      out.member("pareto", is_pareto_optimal(row, rows));
      out.end_object();
    }
    out.end_array();
    const Finding unadvised = whole ? Finding() : no_advice(plan, op);
    Finding finding = !unadvised.parts.empty() ? unadvised
                      : whole                  ? whole_finding(rows, ops, wanted_db)
                                               : precision_finding(rows, plan.scenario(), wanted_db);
    say_left_out(finding, plan.scenario());
    write_finding(out, finding);
    out.end_object();
  });
  return answer;
}

}  // namespace roofline
