// One operation of a document: its members in a table.
#include "write/op_json.hpp"

#include <algorithm>

#include "analysis/ratios.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

/// An operation that is being written.
struct Written {
  const Plan& plan;
  std::size_t op;
  const OpAnalysis& a;
  std::uint64_t first;  ///< how many came before the workload's own
  OpWhatIf then = {};

  [[nodiscard]] const Workload& workload() const { return plan.workload(); }
  [[nodiscard]] const OpClass& op_class() const { return workload().class_of(op); }
  [[nodiscard]] double intensity(double bytes) const { return intensity_of(a.flops, bytes); }
};

/// {"compute": ..., "HBM": ...}: one value per resource.
template <class Value>
void write_by_resource(JsonOut& out, const Plan& plan, const Value& value_of) {
  out.object([&] {
    for (std::size_t i = 0; i < plan.resources().size(); ++i) out.member(plan.resources()[i].name, value_of(i));
  });
}

/// One value per memory channel, of `bytes`: first the machine's, then those that it has no rate for.
template <class Value>
void write_by_memory(JsonOut& out, const Written& w, const Value& value_of) {
  const auto& resources = w.plan.resources();
  out.object([&] {
    for (std::size_t i = 1; i < resources.size(); ++i)
      if (resources[i].kind == ResourceKind::memory) out.member(resources[i].name, value_of(w.a.work[i]));
    const auto& channels = w.workload().channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (!channels[c].link && !w.plan.resource_of(c)) out.member(channels[c].name, value_of(channels[c].bytes[w.op]));
  });
}

bool has_words(const Written& w) { return has_words(w.workload()); }

struct Formatted {
  const OpClass& op_class;
  FormatId compute;
};
constexpr Member<Formatted> format_members[] = {
    {"weight", schema::name, "", [](JsonOut& out, const Formatted& f) { write_format(out, f.op_class.weight); }},
    {"activation", schema::name, "", [](JsonOut& out, const Formatted& f) { write_format(out, f.op_class.activation); }},
    {"output", schema::name, "", [](JsonOut& out, const Formatted& f) { write_format(out, f.op_class.output); }},
    {"kv", schema::name, "", [](JsonOut& out, const Formatted& f) { write_format(out, f.op_class.kv); }},
    {"compute", schema::name, "what it computes as on this machine",
     [](JsonOut& out, const Formatted& f) { write_format(out, f.op_class.invalid ? no_format : f.compute); }}};

struct Terms {
  const Plan& plan;
  const Typical& t;
};
constexpr Member<Terms> typical_members[] = {
    {"compute_s", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.compute_s); }},
    {"transfer_s", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.transfer_s); }},
    {"exposed_s", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.exposed_s); }},
    {"launch_s", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.launch_s); }},
    {"conversion_s", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.conversion_s); }},
    {"fused_time_s", schema::number, "without conversions, s", [](JsonOut& out, const Terms& w) { out.value(w.t.fused_time_s); }},
    {"waves", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.waves); }},
    {"wave_efficiency", schema::number, "", [](JsonOut& out, const Terms& w) { out.value(w.t.wave_efficiency); }},
    {"terms", schema::numbers, "the terms that are not 0, s",
     [](JsonOut& out, const Terms& w) {
       out.object([&] {
         for (std::size_t i = 0; i < w.t.terms.size(); ++i)
           if (w.t.terms[i] != 0) out.member(to_string(static_cast<TypicalTerm>(i)), w.t.terms[i]);
       });
     }},
    {"cache", schema::name, "the memory that holds the whole working set", [](JsonOut& out, const Terms& w) {
       write_name(out, w.t.cache > 0 ? std::string_view(w.plan.scenario().machine.memories[w.t.cache].name) : std::string_view());
     }}};

constexpr Member<Written> whatif_members[] = {
    {"bytes", schema::number, "B", field<&Written::then, &OpWhatIf::bytes>},
    {"predicted_time_s", schema::number, "s", field<&Written::then, &OpWhatIf::predicted_time_s>},
    {"bound_by", schema::name, "", [](JsonOut& out, const Written& w) { write_resource(out, w.plan, w.then.bound_by); }},
    {"speedup_optimistic", schema::number, "high end, per run: a larger batch does more in it",
     field<&Written::then, &OpWhatIf::speedup_optimistic>},
    {"speedup_pessimistic", schema::number, "low end, per run", field<&Written::then, &OpWhatIf::speedup_pessimistic>},
    {"speedup_low", schema::number,
     "low end of the range: for the same work if the batch changes, from the estimate if nothing was measured",
     field<&Written::then, &OpWhatIf::speedup, &Range::low>},
    {"speedup_high", schema::number, "high end of that range", field<&Written::then, &OpWhatIf::speedup, &Range::high>},
    {"upper_bound", schema::flag, "bytes without roles were scaled as a whole", field<&Written::then, &OpWhatIf::upper_bound>}};

constexpr Member<Written> members[] = {
    {"index", schema::count, "place in the source, from 0", [](JsonOut& out, const Written& w) { out.count(w.first + w.op); }},
    {"name", schema::text, "",
     [](JsonOut& out, const Written& w) {
       const bool named = w.op < w.workload().name.size() && w.workload().name[w.op].length > 0;
       out.value(named ? w.workload().name_of(w.op) : "#" + std::to_string(w.first + w.op));
     }},
    {"type", schema::text, "", field<&Written::op_class, &OpClass::type>},
    {"category", schema::text, "", field<&Written::op_class, &OpClass::category>},
    {"symbol", schema::text, "its marker on the chart", [](JsonOut& out, const Written& w) { out.value(to_string(w.op_class().symbol)); }},
    {"step", schema::name, "",
     [](JsonOut& out, const Written& w) {
       const Workload& all = w.workload();
       write_name(out, all.step.empty() ? std::string_view() : std::string_view(all.steps[all.step[w.op]]));
     }},
    {"count", schema::number, "occurrences: FLOPs, bytes and times are totals over them",
     [](JsonOut& out, const Written& w) { out.value(w.workload().count_of(w.op)); }},
    {"labels", R"("type":"object","additionalProperties":{"type":"string"})", "words that the source says beside, by its column",
     [](JsonOut& out, const Written& w) { write_labels(out, w.workload(), w.op); }, has_words},
    {"measures", schema::numbers, "figures that the source says beside, in SI units",
     [](JsonOut& out, const Written& w) { write_measures(out, w.workload(), w.op); }, has_words},
    {"formats", R"("$ref":"#/$defs/formats")", "ids; null: no such operand",
     [](JsonOut& out, const Written& w) { write_formats(out, w.plan, w.op, w.a.compute); }},
    {"flops", schema::number, "FLOP, 2 per multiply-accumulate", [](JsonOut& out, const Written& w) { out.value(w.a.flops); }},
    {"macs", schema::number, "MAC", [](JsonOut& out, const Written& w) { out.value(w.a.flops / 2); }},
    {"bytes", schema::number, "of the device memory: hw_bytes, else stated, else derived, B",
     [](JsonOut& out, const Written& w) { out.value(w.a.bytes); }},
    {"bytes_by_memory", schema::numbers, "per memory channel, B",
     [](JsonOut& out, const Written& w) { write_by_memory(out, w, [](double bytes) { return bytes; }); }},
    {"derived_bytes", schema::number, "what the operation needs, B", [](JsonOut& out, const Written& w) { out.value(w.a.derived_bytes); }},
    {"hw_bytes", schema::number, "what was measured, B", [](JsonOut& out, const Written& w) { out.value(w.a.hw_bytes); }},
    {"intensity", schema::number, "flops / bytes, FLOP/B", [](JsonOut& out, const Written& w) { out.value(w.a.intensity); }},
    {"intensity_by_memory", schema::numbers, "per memory channel, FLOP/B",
     [](JsonOut& out, const Written& w) { write_by_memory(out, w, [&](double bytes) { return w.intensity(bytes); }); }},
    {"min_time_s", schema::numbers, "per resource: work / rate, s",
     [](JsonOut& out, const Written& w) { write_by_resource(out, w.plan, [&](std::size_t i) { return w.a.min_time_s[i]; }); }},
    {"utilization", schema::numbers, "per resource: min_time_s / time_s",
     [](JsonOut& out, const Written& w) { write_by_resource(out, w.plan, [&](std::size_t i) { return w.a.min_time_s[i] / w.a.time_s; }); }},
    {"bound_by", schema::name, "the resource with the largest min_time_s",
     [](JsonOut& out, const Written& w) { write_resource(out, w.plan, w.a.bound_by); }},
    {"bound_unit", R"("enum":["matrix","vector",null])", "where compute bounds it",
     [](JsonOut& out, const Written& w) {
       write_name(out, w.a.bound_by != 0 ? "" : w.a.bound_unit == Unit::matrix ? "matrix" : "vector");
     }},
    {"attainable_flops", schema::number, "FLOPs of the unit that takes longer over predicted_time_s, FLOP/s",
     [](JsonOut& out, const Written& w) { out.value(w.a.attainable_flops); }},
    {"predicted_time_s", schema::number, "the bound: the largest min_time_s, s",
     [](JsonOut& out, const Written& w) { out.value(w.a.predicted_time_s); }},
    {"typical_time_s", schema::number, "estimate: what kernels pay beyond the bound included, s",
     [](JsonOut& out, const Written& w) { out.value(w.a.typical_time_s); }},
    {"typical", R"("$ref":"#/$defs/typical")", "its terms",
     [](JsonOut& out, const Written& w) { write_typical(out, w.plan, w.a.typical); }},
    {"time_s", schema::number, "measured, s", [](JsonOut& out, const Written& w) { out.value(w.a.time_s); }},
    {"self_time_s", schema::number, "measured, without what it called, s",
     [](JsonOut& out, const Written& w) { out.value(w.a.self_time_s); }},
    {"lost_time_s", schema::number, "measured time beyond the bound, s",
     [](JsonOut& out, const Written& w) { out.value(w.a.lost_time_s); }},
    {"achieved_flops", schema::number, "flops / time_s, FLOP/s", [](JsonOut& out, const Written& w) { out.value(w.a.achieved_flops); }},
    {"achieved_bandwidth", schema::number, "bytes / time_s, B/s",
     [](JsonOut& out, const Written& w) { out.value(w.a.achieved_bandwidth); }},
    {"efficiency", schema::number, "predicted_time_s / time_s; above 1 where something is wrong",
     [](JsonOut& out, const Written& w) { out.value(w.a.efficiency); }},
    {"status", schema::text, "docs/reference/conventions.md, Status",
     [](JsonOut& out, const Written& w) { out.value(to_string(w.a.status)); }},
    {"above_roof", schema::flag, "efficiency is above 1", [](JsonOut& out, const Written& w) { out.value(w.a.above_roof()); }},
    {"limited_by", schema::choice<Limit>,
     "neither: a measured operation below advice_threshold; unknown: partly known, or nothing bounds it",
     [](JsonOut& out, const Written& w) { out.value(to_string(w.a.limit)); }},
    {"whatif", R"("anyOf":[{"$ref":"#/$defs/op_whatif"},{"type":"null"}])", "under the what-if; null without one",
     [](JsonOut& out, const Written& w) {
       if (!w.plan.has_whatif()) return out.null();
       write_object<whatif_members>(out, w);
     }}};

constexpr Member<Diagnostic> diagnostic_members[] = {{"severity", schema::choice<Severity>, "", field<&Diagnostic::severity>},
                                                     {"message", schema::text, "", field<&Diagnostic::message>},
                                                     {"op", schema::index, "the operation's index; null: the whole input",
                                                      [](JsonOut& out, const Diagnostic& d) {
                                                        if (!d.op) return out.null();
                                                        out.count(*d.op);
                                                      }},
                                                     {"line", schema::count, "from 1; 0: none", field<&Diagnostic::line>},
                                                     {"column", schema::count, "from 1; 0: none", field<&Diagnostic::column>},
                                                     {"path", schema::text, "the field", field<&Diagnostic::path>}};

}  // namespace

void write_format(JsonOut& out, FormatId format) { write_name(out, Formats::id_of(format)); }

void write_resource(JsonOut& out, const Plan& plan, std::uint8_t resource) { write_name(out, resource_name(plan, resource)); }

void write_formats(JsonOut& out, const Plan& plan, std::size_t op, FormatId compute) {
  write_object<format_members>(out, Formatted{plan.workload().class_of(op), compute});
}

void write_typical(JsonOut& out, const Plan& plan, const Typical& typical) { write_object<typical_members>(out, Terms{plan, typical}); }

void write_op(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, std::uint64_t first) {
  Written written{plan, op, a, first};
  if (plan.has_whatif()) written.then = plan.what_if(op);
  write_object<members>(out, written);
}

void write_diagnostics(JsonOut& out, const Workload& w, std::size_t offset, std::size_t limit) {
  for (std::size_t i = offset; i < w.diagnostics.size() && i - offset < limit; ++i) write_diagnostic(out, w.diagnostics[i]);
}

void write_diagnostic(JsonOut& out, const Diagnostic& d) { write_object<diagnostic_members>(out, d); }

void write_labels(JsonOut& out, const Workload& w, std::size_t op) {
  out.object([&] {
    for (const Category& c : w.categories) out.member(c.name, c.word(op));
  });
}

void write_measures(JsonOut& out, const Workload& w, std::size_t op) {
  out.object([&] {
    for (const Measure& m : w.measures) out.member(m.name, m.values[op]);
  });
}

std::vector<std::uint32_t> selected_ops(const OpSet& ops, const WriteOptions& options) {
  if (!options.top) return ops.listed();
  std::vector<std::uint32_t> worst = worst_ops(ops, *options.top);
  std::sort(worst.begin(), worst.end());
  return worst;
}

std::vector<std::uint32_t> worst_ops(const OpSet& ops, std::size_t most) {
  FrameRequest request;
  request.top = 0;
  request.rows = most;
  return make_frame(ops, request).rows;
}

ObjectSchema op_schema() { return ObjectSchema().with(members); }
ObjectSchema op_whatif_schema() { return ObjectSchema().with(whatif_members); }
ObjectSchema diagnostic_schema() { return ObjectSchema().with(diagnostic_members); }
ObjectSchema formats_schema() { return ObjectSchema().with(format_members); }
ObjectSchema typical_schema() { return ObjectSchema().with(typical_members); }

}  // namespace roofline
