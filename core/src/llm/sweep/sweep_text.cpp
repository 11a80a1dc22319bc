// A model's sweep as JSON, as CSV and as a table.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/sweep.hpp>

#include "base/csv_row.hpp"
#include "base/schemas.hpp"
#include "llm/performance.hpp"

namespace roofline {
namespace {

constexpr const char* phases[] = {"prefill", "decode", "generate"};

std::string yes_no(const std::optional<bool>& value) { return !value ? "" : *value ? "true" : "false"; }

template <auto... path>
double figure(const LlmSweepPoint& p) {
  return (p.*....*path);
}

}  // namespace

std::span<const LlmMetric> llm_metrics() {
  static constexpr LlmMetric metrics[] = {
      {"ttft_s", figure<&LlmSweepPoint::bound, &LlmSpeed::ttft_s>},
      {"tpot_s", figure<&LlmSweepPoint::bound, &LlmSpeed::tpot_s>},
      {"total_s", figure<&LlmSweepPoint::bound, &LlmSpeed::total_s>},
      {"tokens_per_s", figure<&LlmSweepPoint::bound, &LlmSpeed::tokens_per_s>},
      {"tokens_per_s_per_user", figure<&LlmSweepPoint::bound, &LlmSpeed::tokens_per_s_per_user>},
      {"tokens_per_s_per_machine", figure<&LlmSweepPoint::bound, &LlmSpeed::tokens_per_s_per_machine>},
      {"typical_ttft_s", figure<&LlmSweepPoint::estimate, &LlmSpeed::ttft_s>},
      {"typical_tpot_s", figure<&LlmSweepPoint::estimate, &LlmSpeed::tpot_s>},
      {"typical_total_s", figure<&LlmSweepPoint::estimate, &LlmSpeed::total_s>},
      {"typical_tokens_per_s", figure<&LlmSweepPoint::estimate, &LlmSpeed::tokens_per_s>},
      {"typical_tokens_per_s_per_user", figure<&LlmSweepPoint::estimate, &LlmSpeed::tokens_per_s_per_user>},
      {"typical_tokens_per_s_per_machine", figure<&LlmSweepPoint::estimate, &LlmSpeed::tokens_per_s_per_machine>},
      {"intensity", figure<&LlmSweepPoint::intensity>},
      {"weight_share_of_bytes", figure<&LlmSweepPoint::weight_share>},
      {"kv_share_of_bytes", figure<&LlmSweepPoint::kv_share>},
      {"compute_bound_share_of_time", figure<&LlmSweepPoint::compute_share>},
      {"bytes_per_machine", figure<&LlmSweepPoint::bytes_per_machine>},
      {"usd_per_million_tokens", figure<&LlmSweepPoint::usd_per_million_tokens>}};
  return metrics;
}

namespace {

void write_bound(JsonOut& out, std::optional<ResourceKind> bound) { write_name(out, bound ? name_of(bound) : std::string()); }

constexpr Member<LlmSweep> axis_members[] = {{"key", schema::text, "", field<&LlmSweep::key>},
                                             {"values", schema::series, "", field<&LlmSweep::values>}};

constexpr Member<LlmCrossing> crossing_members[] = {
    {"at", schema::number, "the first whole number", field<&LlmCrossing::at>},
    {"from", schema::name, "what bounds below", [](JsonOut& out, const LlmCrossing& c) { write_bound(out, c.from); }},
    {"to", schema::name, "what bounds from there up", [](JsonOut& out, const LlmCrossing& c) { write_bound(out, c.to); }}};

struct CurveOf {
  const LlmSweep& s;
  const LlmCurve& c;
};
constexpr Member<CurveOf> choice_members[] = {{"choice", R"("type":"object","additionalProperties":{"type":"string"})",
                                               "the compared keys with their values", [](JsonOut& out, const CurveOf& o) {
                                                 out.object([&] {
                                                   for (std::size_t i = 0; i < o.c.choice.size(); ++i)
                                                     out.member(o.s.choices[i].key, o.c.choice[i]);
                                                 });
                                               }}};
constexpr Member<LlmCurve> curve_members[] = {
    {"label", schema::text, "", field<&LlmCurve::label>},
    {"ridge", schema::number, "FLOP/B", field<&LlmCurve::ridge>},
    {"verdict", schema::text, "limits and fit", [](JsonOut& out, const LlmCurve& c) { out.value(c.verdict()); }},
    {"limits", schema::text, "what bounds it along the axis", field<&LlmCurve::limits>},
    {"fit", schema::text, "up to which value it fits; empty: all do, or the capacity is not known", field<&LlmCurve::fit>},
    {"stack", schema::text, "the software's id", field<&LlmCurve::stack>},
    {"error_median", schema::number, "of published runs, a fraction", field<&LlmCurve::error_median>},
    {"error_p90", schema::number, "nine in ten are within it", field<&LlmCurve::error_p90>},
    {"crossings", R"("type":"array","items":{"$ref":"#/$defs/crossing"})", "where what bounds changes",
     [](JsonOut& out, const LlmCurve& c) { write_objects<crossing_members>(out, c.crossings); }},
    {"fits_to", schema::number, "the last value that leaves the reserve free; 0: none; null: all do, or the capacity is not known",
     field<&LlmCurve::fits_to>}};

/// Beside the metrics.
constexpr Member<LlmCurve> point_members[] = {{"bound_by", schema::names, "",
                                               [](JsonOut& out, const LlmCurve& c) {
                                                 out.begin_array();
                                                 for (const LlmSweepPoint& p : c.points) write_bound(out, p.bound_by);
                                                 out.end_array();
                                               }},
                                              {"fits", R"("type":"array","items":{"type":["boolean","null"]})",
                                               "null: the capacity is not known", [](JsonOut& out, const LlmCurve& c) {
                                                 out.begin_array();
                                                 for (const LlmSweepPoint& p : c.points) write_value(out, p.fits);
                                                 out.end_array();
                                               }}};

struct Document {
  const LlmSweep& s;
  bool figures;
};
constexpr Member<Document> members[] = {
    document_id<Document>("roofline-llm-sweep/1"),
    {"source", schema::text, "", [](JsonOut& out, const Document& d) { out.value(d.s.source); }},
    {"phase", schema::text, "", [](JsonOut& out, const Document& d) { out.value(phases[static_cast<std::size_t>(d.s.phase)]); }},
    {"axis", R"("anyOf":[{"$ref":"#/$defs/axis"},{"type":"null"}])", "null: one point",
     [](JsonOut& out, const Document& d) {
       if (d.s.key.empty())
         out.null();
       else
         write_object<axis_members>(out, d.s);
     }},
    {"curves", R"("type":"array","items":{"$ref":"#/$defs/curve"})", "", [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const LlmCurve& c : d.s.curves)
         out.object([&] {
           write_members<choice_members>(out, CurveOf{d.s, c});
           write_members<curve_members>(out, c);
           if (!d.figures) return;
           for (const LlmMetric& metric : llm_metrics())
             out.array(metric.name, [&] {
               for (const LlmSweepPoint& p : c.points) out.value(metric.value(p));
             });
           write_members<point_members>(out, c);
         });
       out.end_array();
     }}};

}  // namespace

ObjectSchema llm_sweep_schema() { return ObjectSchema().with(members); }
Definitions llm_sweep_definitions() {
  ObjectSchema curve = ObjectSchema().with(choice_members).with(curve_members);
  for (const LlmMetric& metric : llm_metrics()) curve.add(metric.name, schema::series, "");
  return {{"axis", ObjectSchema().with(axis_members)},
          {"crossing", ObjectSchema().with(crossing_members)},
          {"curve", curve.with(point_members)}};
}

std::string llm_sweep_json(const LlmSweep& s, bool figures) {
  return json_text([&](JsonOut& out) { write_object<members>(out, Document{s, figures}); });
}

std::string llm_sweep_csv(const LlmSweep& s) {
  std::string out;
  for (const LlmChoices& c : s.choices) out += c.key + ',';
  if (!s.key.empty()) out += s.key + ',';
  for (const LlmMetric& metric : llm_metrics()) out += std::string(metric.name) + ',';
  out += "bound_by,fits\r\n";
  for (const LlmCurve& c : s.curves)
    for (std::size_t i = 0; i < s.values.size(); ++i) {
      const LlmSweepPoint& p = c.points[i];
      for (const std::string& choice : c.choice) out += csv_cell(choice) + ',';
      if (!s.key.empty()) out += shortest(s.values[i]) + ',';
      for (const LlmMetric& metric : llm_metrics()) out += shortest(metric.value(p)) + ',';
      out += name_of(p.bound_by) + ',' + yes_no(p.fits) + "\r\n";
    }
  return out;
}

std::string llm_sweep_table(const LlmSweep& s) {
  std::string out = printable(s.source) + ", " + phases[static_cast<std::size_t>(s.phase)] + "\n\n";
  if (!s.key.empty()) {
    for (const LlmCurve& c : s.curves) out += (c.label.empty() ? "" : c.label + ": ") + c.verdict() + "\n";
    out += "\n";
  }
  const bool prefill = s.phase == LlmPhase::prefill;
  std::vector<std::vector<std::string>> rows(1);
  constexpr std::size_t shown = 20;
  const std::size_t count = s.values.size(), step = std::max<std::size_t>(1, (count + shown - 1) / shown);
  const auto memory = [](const LlmSweepPoint& p) {
    return with_unit(p.bytes_per_machine, "B") + (p.fits == std::optional<bool>(false) ? ", does not fit" : "");
  };
  if (s.curves.size() > 1 && !s.key.empty()) {
    rows[0].push_back(s.key);
    for (const LlmCurve& c : s.curves) rows[0].push_back(c.label);
    for (std::size_t i = 0; i < count; i += step) {
      auto& row = rows.emplace_back();
      row.push_back(shortest(s.values[i]));
      for (const LlmCurve& c : s.curves)
        row.push_back(number(c.points[i].bound.tokens_per_s) + ' ' + name_of(c.points[i].bound_by) +
                      (c.points[i].fits == std::optional<bool>(false) ? " *" : ""));
    }
    out += align(rows, std::string(rows[0].size(), 'r')) + "\ntokens/s and what bounds most of the time; * does not fit";
  } else {
    rows[0] = {
        s.key.empty() ? "" : s.key, "first token", "per token", "tokens/s", "per user", "achievable", "FLOP/B", "bound by", "memory"};
    if (s.key.empty()) rows[0].insert(rows[0].begin() + 1, "ridge");
    for (const LlmCurve& c : s.curves)
      for (std::size_t i = 0; i < count; i += step) {
        const LlmSweepPoint& p = c.points[i];
        rows.push_back({s.key.empty() ? c.label : shortest(s.values[i]), seconds(p.bound.ttft_s), seconds(p.bound.tpot_s),
                        number(p.bound.tokens_per_s), prefill ? "-" : number(p.bound.tokens_per_s_per_user),
                        number(p.estimate.tokens_per_s), number(p.intensity), name_of(p.bound_by), memory(p)});
        if (s.key.empty()) rows.back().insert(rows.back().begin() + 1, number(c.ridge));
      }
    out += align(rows, (s.key.empty() ? "l" : "r") + std::string(rows[0].size() - 3, 'r') + "ll") +
           "\nachievable: tokens/s at the fractions of the rates that real kernels reach";
  }
  return out + (step > 1 ? "; every " + std::to_string(step) +
                               (step == 2   ? "nd"
                                : step == 3 ? "rd"
                                            : "th") +
                               " of " + with_commas(count) + " points\n"
                         : "\n");
}

}  // namespace roofline
