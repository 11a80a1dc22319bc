// The summary of a document: its members in a table.
#include "write/summary_json.hpp"

#include <optional>
#include <roofline/analysis/estimate.hpp>
#include <roofline/frame/headline.hpp>

#include "write/network_json.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

struct Totals {
  const Plan& plan;
  const Summary& s;
  [[nodiscard]] bool timed() const { return s.timed_ops > 0; }
  [[nodiscard]] bool work_known() const { return s.work_known() && !nothing_counted(plan.workload()); }
};

/// Counts and times, one per status that occurs: of the others there are none.
constexpr std::string_view
    status_counts = R"("type":"object","propertyNames":{"$ref":"#/$defs/status"},"additionalProperties":{"type":"integer","default":0})",
    status_times = R"("type":"object","propertyNames":{"$ref":"#/$defs/status"},"additionalProperties":{"type":["number","null"]})";
template <class Put>
void write_by_status(JsonOut& out, const Summary& s, const Put& put) {
  out.object([&] {
    for (std::size_t i = 0; i < status_count; ++i)
      if (s.by_status[i] > 0) put(to_string(static_cast<Status>(i)), i);
  });
}

constexpr Member<Totals> whatif_members[] = {
    {"predicted_time_s", schema::number, "sum of the bounds, s", [](JsonOut& out, const Totals& t) { out.value(t.s.whatif_predicted_s); }},
    {"time_optimistic_s", schema::number, "shortest time of the operations with a time, whole run, s",
     [](JsonOut& out, const Totals& t) { out.value(t.s.whatif_times().low); }},
    {"time_pessimistic_s", schema::number, "longest time likewise, s",
     [](JsonOut& out, const Totals& t) { out.value(t.s.whatif_times().high); }},
    {"speedup_optimistic", schema::number, "today's time over time_optimistic_s: per run, whatever its batch",
     [](JsonOut& out, const Totals& t) { out.value(t.s.whatif_speedup().high); }},
    {"speedup_pessimistic", schema::number, "today's time over time_pessimistic_s",
     [](JsonOut& out, const Totals& t) { out.value(t.s.whatif_speedup().low); }},
    {"batch_scale", schema::number, "work of the what-if run relative to today's",
     [](JsonOut& out, const Totals& t) { out.value(t.plan.scenario().whatif.batch_scale); }},
    {"time_low_s", schema::number, "the least time for today's work, s: today's time over speedup_high",
     [](JsonOut& out, const Totals& t) { out.value(whatif_outcome(t.plan, t.s).then_s.low); }},
    {"time_high_s", schema::number, "the most time for today's work, s: today's time over speedup_low",
     [](JsonOut& out, const Totals& t) { out.value(whatif_outcome(t.plan, t.s).then_s.high); }},
    {"speedup_low", schema::number, "low end of the headline's range: for the same work, from the estimate if nothing was measured",
     [](JsonOut& out, const Totals& t) { out.value(whatif_outcome(t.plan, t.s).speedup.low); }},
    {"speedup_high", schema::number, "high end of that range",
     [](JsonOut& out, const Totals& t) { out.value(whatif_outcome(t.plan, t.s).speedup.high); }},
    {"limited_by", schema::name, "the resource that limits most of that time; null: no resource does, or it is not known",
     [](JsonOut& out, const Totals& t) { write_resource(out, t.plan, whatif_outcome(t.plan, t.s).limited_by); }}};

constexpr Member<Totals> members[] = {
    {"ops", schema::count, "operations", [](JsonOut& out, const Totals& t) { out.count(t.s.ops); }},
    {"timed_ops", schema::count, "operations with a measured time", [](JsonOut& out, const Totals& t) { out.count(t.s.timed_ops); }},
    {"above_roof", schema::count, "operations with an efficiency above 1",
     [](JsonOut& out, const Totals& t) { out.count(t.s.above_roof); }},
    {"far_above_roof", schema::count, "operations above their roof by more than a quarter",
     [](JsonOut& out, const Totals& t) { out.count(t.s.far_above); }},
    {"ran_elsewhere", schema::flag, "more than 5% of the time is in operations far above their roof: they did not run on this machine",
     [](JsonOut& out, const Totals& t) { out.value(t.s.machine_mismatch()); }},
    {"rates_only", schema::count, "operations with rates and no sizes, which no sum counts",
     [](JsonOut& out, const Totals& t) { out.count(t.s.rates_only); }},
    {"flops", schema::number, "sum of what is known, FLOP",
     [](JsonOut& out, const Totals& t) { out.value(t.work_known() ? t.s.flops : unknown); }},
    {"bytes", schema::number, "sum of what is known, B",
     [](JsonOut& out, const Totals& t) { out.value(t.work_known() ? t.s.bytes : unknown); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s",
     [](JsonOut& out, const Totals& t) { out.value(t.work_known() ? t.s.predicted_time_s : unknown); }},
    {"time_s", schema::number, "sum of self times, s; null where nothing is timed",
     [](JsonOut& out, const Totals& t) { out.value(t.timed() ? t.s.time_s : unknown); }},
    {"lost_time_s", schema::number, "measured time beyond the bounds, of the operations below their roof, s",
     [](JsonOut& out, const Totals& t) { out.value(t.timed() && t.s.work_known() ? t.s.lost_time_s : unknown); }},
    {"efficiency", schema::number, "bounds over measured time, of the operations with both",
     [](JsonOut& out, const Totals& t) { out.value(t.s.efficiency()); }},
    {"typical_time_s", schema::number, "estimate: what kernels pay beyond the bound included, s",
     [](JsonOut& out, const Totals& t) { out.value(t.s.typical_time_s); }, [](const Totals& t) { return known(t.s.typical_time_s); }},
    {"bound_by", schema::name, "the resource that bounds most predicted time",
     [](JsonOut& out, const Totals& t) { write_resource(out, t.plan, t.s.bound_by); }},
    {"by_status", status_counts, "operations of each status that occurs",
     [](JsonOut& out, const Totals& t) {
       write_by_status(out, t.s, [&](const char* name, std::size_t i) { out.member_count(name, t.s.by_status[i]); });
     }},
    {"time_by_status", status_times, "their time, s; null where none is measured",
     [](JsonOut& out, const Totals& t) {
       write_by_status(out, t.s, [&](const char* name, std::size_t i) {
         out.member(name, t.s.time_by_status[i] > 0 ? t.s.time_by_status[i] : unknown);
       });
     }},
    {"by_bound", schema::counts, "operations that each resource bounds",
     [](JsonOut& out, const Totals& t) {
       out.object([&] {
         for (std::size_t i = 0; i < t.plan.resources().size(); ++i) out.member_count(t.plan.resources()[i].name, t.s.by_bound[i]);
       });
     }},
    {"predicted_time_by_bound", schema::numbers, "sum of the bounds per resource, s",
     [](JsonOut& out, const Totals& t) {
       out.object([&] {
         for (std::size_t i = 0; i < t.plan.resources().size(); ++i) out.member(t.plan.resources()[i].name, t.s.predicted_by_bound[i]);
       });
     }},
    {"time_by_limit", schema::numbers, "time compared with bounds by what limits it: a resource, or neither compute nor memory, s",
     [](JsonOut& out, const Totals& t) {
       out.object([&] {
         for (std::size_t i = 0; i < t.plan.resources().size(); ++i) out.member(t.plan.resources()[i].name, t.s.limited_time_by_bound[i]);
         out.member("neither", t.s.neither_s);
       });
     },
     [](const Totals& t) { return t.s.judged_time_s > 0 && !t.s.machine_mismatch(); }},
    {"whatif", R"("anyOf":[{"$ref":"#/$defs/summary_whatif"},{"type":"null"}])", "the what-if's totals; null without one",
     [](JsonOut& out, const Totals& t) {
       if (!t.plan.has_whatif()) return out.null();
       write_object<whatif_members>(out, t);
     }}};

constexpr auto has_device_time = [](const OpSet& ops) { return known(ops.workload().device_time.span_s); };

/// Those that only a document's own summary has.
constexpr Member<OpSet> document_members[] = {
    {"program_efficiency", schema::number, "of a profile whose program states a time and work: of that row",
     [](JsonOut& out, const OpSet& ops) { out.value(ops.plan().analyze(*program_row(ops)).efficiency); },
     [](const OpSet& ops) {
       const std::optional<std::uint32_t> row = program_row(ops);
       return row && known(ops.plan().analyze(*row).efficiency);
     }},
    {"device_span_s", schema::number, "of a trace: from its first work to the end of its last, summed over devices, s",
     field<&OpSet::workload, &Workload::device_time, &DeviceTime::span_s>, has_device_time},
    {"device_busy_s", schema::number, "the part of device_span_s in which anything ran, s",
     field<&OpSet::workload, &Workload::device_time, &DeviceTime::busy_s>, has_device_time},
    {"estimate", R"("$ref":"#/$defs/estimate")", "what typical times are for, and how far they are off",
     [](JsonOut& out, const OpSet& ops) {
       const TypicalTerms terms = typical_terms(ops);
       out.raw(estimate_json(ops.plan(), &terms));
     }}};

}  // namespace

void write_summary(JsonOut& out, const Plan& plan, const Summary& summary) { write_object<members>(out, Totals{plan, summary}); }

void write_document_summary(JsonOut& out, const OpSet& ops, const std::vector<std::pair<std::string, std::string>>& further) {
  const Summary summary = summarize(ops);
  out.object([&] {
    write_members<members>(out, Totals{ops.plan(), summary});
    if (!ops.workload().network_json.empty()) write_members<network_members>(out, NetworkTotals(ops.workload()));
    for (const auto& [key, json] : further) {
      out.key(key);
      out.raw(json);
    }
    write_members<document_members>(out, ops);
  });
}

ObjectSchema summary_schema() { return ObjectSchema().with(members); }
ObjectSchema document_summary_schema() { return ObjectSchema().with(members).with(document_members); }
ObjectSchema status_schema() { return ObjectSchema::of(schema::choice<Status>()); }
ObjectSchema summary_whatif_schema() { return ObjectSchema().with(whatif_members); }

}  // namespace roofline
