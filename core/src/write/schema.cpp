#include <roofline/base/names.hpp>
#include <roofline/write/schema.hpp>

#include "analysis/steps.hpp"
#include "base/json.hpp"
#include "calculator/schemas.hpp"
#include "llm/summary_json.hpp"
#include "llm/sweep_json.hpp"
#include "write/analysis_json.hpp"
#include "write/compare_json.hpp"
#include "write/fusion_json.hpp"
#include "write/list_json.hpp"
#include "write/op_json.hpp"
#include "write/run_summary_json.hpp"
#include "write/scenario_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

ObjectSchema object() { return {}; }

ObjectSchema document(std::string_view id) { return object().add("schema", "\"const\":\"" + std::string(id) + '"', ""); }

// --- pieces whose writers go through no table

ObjectSchema finding_part() {
  return object()
      .add("text", is::text, "")
      .add("formula", is::text, "of a figure: what it was made from", false)
      .add("categories", is::texts, "the operations it was made from", false)
      .add("bounds", is::texts, "", false)
      .add("steps", is::texts, "", false)
      .add("op", is::index, "the one operation", false);
}
std::string finding() { return list_of(finding_part().text()); }

ObjectSchema estimate_schema() {
  const std::string error = object()
                                .add("median", is::number, "")
                                .add("p90", is::number, "")
                                .add("rows", is::number, "")
                                .add("own", is::flag, "")
                                .add("within", is::text, "")
                                .text();
  return object()
      .add("stack", is::text, "the software's id")
      .add("name", is::text, "")
      .add("basis", is::text, "")
      .add("kind", is::text, "of workload")
      .add("error_median", is::number, "of published runs of that kind, a fraction")
      .add("error_p90", is::number, "nine in ten are within it")
      .add("rows", is::number, "so many runs")
      .add("within", is::text, "the same in words")
      .add("errors", R"("type":"object","additionalProperties":{)" + error + '}', "of every kind that it was measured on")
      .add("terms", is::numbers, "that are not 0, s", false);
}

ObjectSchema comparison_schema() {
  const std::string row = object()
                              .add("index", is::count, "")
                              .add("name", is::text, "")
                              .add("speedup", is::number, "over the baseline, by the bounds")
                              .add("typical_speedup", is::number, "of the typical times")
                              .add("fused_speedup", is::number, "with conversions fused")
                              .add("sqnr_db", is::number, "of normally distributed numbers")
                              .text();
  return object().add("baseline", is::text, "").add("rows", list_of(row), "");
}

ObjectSchema parity_schema() {
  const std::string agreement =
      object().add("ops", is::count, "").add("mape", is::number, "a fraction").add("within_band", is::number, "a fraction").text();
  const std::string row = object()
                              .add("index", is::count, "")
                              .add("name", is::text, "")
                              .add("type", is::text, "")
                              .add("format", is::name, "")
                              .add("predicted_time_s", is::number, "s")
                              .add("typical_time_s", is::number, "s")
                              .add("stated_time_s", is::number, "the source's own prediction, s")
                              .add("time_s", is::number, "s")
                              .add("error", is::number, "predicted / measured - 1")
                              .add("typical_error", is::number, "")
                              .add("stated_error", is::number, "")
                              .add("efficiency", is::number, "")
                              .add("baseline", is::index, "the operation of the same shape in the baseline's format")
                              .add("speedup_predicted", is::number, "")
                              .add("speedup_measured", is::number, "")
                              .text();
  return object()
      .add("baseline", is::name, "")
      .add("formats", is::names, "")
      .add("band", is::number, "")
      .add("rows", is::count, "")
      .add("finding", finding(), "")
      .add("predicted", agreement, "")
      .add("typical", agreement, "")
      .add("stated", agreement, "")
      .add("ops", list_of(row), "");
}

ObjectSchema accuracy_schema() {
  const std::string format = object()
                                 .add("id", is::text, "")
                                 .add("name", is::text, "")
                                 .add("effective_bits", is::number, "")
                                 .add("sqnr_db", is::numbers, "by sample, or of the tensor; null: not computed, or exact")
                                 .add("exact", is::texts, "of which of these no value changes")
                                 .text();
  const std::string tensor = object()
                                 .add("file", is::text, "")
                                 .add("name", is::text, "")
                                 .add("type", is::text, "")
                                 .add("shape", is::series, "")
                                 .add("elements", is::number, "")
                                 .add("measured", is::count, "elements rounded")
                                 .add("not_finite", is::count, "")
                                 .add("min", is::number, "")
                                 .add("max", is::number, "")
                                 .add("rms", is::number, "")
                                 .text();
  return document("roofline-accuracy/1").add("tensor", or_null(tensor), "null: the samples").add("formats", list_of(format), "");
}

// --- the documents

Definitions op_definitions() { return {{"op_whatif", op_whatif_schema()}, {"formats", formats_schema()}, {"typical", typical_schema()}}; }

Definitions machine_definitions() {
  return {{"machine", machine_schema()},
          {"scenario", scenario_schema()},
          {"scenario_formats", scenario_formats_schema()},
          {"overhead", overhead_schema()}};
}

Definitions joined(Definitions a, const Definitions& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Definitions analysis_definitions() {
  ObjectSchema summary = document_summary_schema();
  add_llm_members(summary);
  return joined(joined(op_definitions(), machine_definitions()), {{"op", op_schema()},
                                                                  {"document_summary", summary},
                                                                  {"summary_whatif", summary_whatif_schema()},
                                                                  {"estimate", estimate_schema()},
                                                                  {"findings", findings_schema()},
                                                                  {"comparison", comparison_schema()},
                                                                  {"parity", parity_schema()},
                                                                  {"step", step_schema()},
                                                                  {"diagnostic", diagnostic_schema()}});
}

Definitions run_summary_definitions() {
  const std::string_view rest = R"("type":"object","additionalProperties":{"type":"array","items":{"type":"number"}})";
  Definitions out = machine_definitions();
  out.insert(out.end(), {{"row", run_summary_row_schema()},
                         {"formats", run_summary_formats_schema()},
                         {"channel", run_summary_channel_schema()},
                         {"rest", ObjectSchema::of(rest)}});
  return out;
}

struct Schema {
  const char* name;
  const char* id;
  const char* title;
  ObjectSchema (*top)();
  Definitions (*definitions)();
};
constexpr auto none = [] { return Definitions(); };
constexpr Schema all[] = {
    {"analysis", "roofline-analysis/1", "What limits each operation: analyze, op and llm -o json", analysis_schema, analysis_definitions},
    {"operation", "", "One line of analyze --stream", op_schema, op_definitions},
    {"compare", "roofline-compare/1", "What changed from one run to another: compare -o json", compare_schema,
     [] {
       return Definitions{{"run", run_schema()},
                          {"change", change_schema()},
                          {"totals", change_totals_schema()},
                          {"summary", summary_schema()},
                          {"summary_whatif", summary_whatif_schema()}};
     }},
    {"fusion", "roofline-fusion/1", "Neighbouring operations as one kernel: analyze --fuse -o json",
     [] { return fusion_schema().add("finding", finding(), "headline in parts, each figure with its formula"); },
     [] {
       return Definitions{{"part", fusion_part_schema()}, {"passed", fusion_passed_schema()}, {"resource", fusion_resource_schema()}};
     }},
    {"summary", "roofline-summary/1", "What any number of runs add up to: analyze -o summary, summarize", run_summary_schema,
     run_summary_definitions},
    {"sweep", "roofline-sweep/1", "An operator over its sizes: op --sweep -o json", sweep_schema,
     [] { return joined(sweep_definitions(), {{"finding_part", finding_part()}}); }},
    {"machines", "roofline-machines/1", "An operator on several machines: op --machines -o json", machines_schema, machines_definitions},
    {"llm-sweep", "roofline-llm-sweep/1", "A language model over its settings: llm --sweep -o json", llm_sweep_schema,
     llm_sweep_definitions},
    {"accuracy", "roofline-accuracy/1", "What rounding to each format loses: accuracy -o json", accuracy_schema, none},
    {"list-machines", "", "list machines -o json", [] { return list_schema("machines"); }, none},
    {"list-models", "", "list models -o json", [] { return list_schema("models"); }, none},
    {"list-formats", "", "list formats -o json", [] { return list_schema("formats"); }, none},
    {"list-operators", "", "list operators -o json", [] { return list_schema("operators"); }, none},
    {"list-stacks", "", "list stacks -o json", [] { return list_schema("stacks"); }, none},
    {"show-format", "", "show format ID -o json", format_schema, none},
    {"show-operator", "", "show operator ID -o json", operator_schema, operator_definitions},
    {"show-stack", "", "show stack ID -o json", stack_schema, stack_definitions}};

}  // namespace

std::vector<SchemaInfo> schemas() {
  std::vector<SchemaInfo> out;
  for (const Schema& schema : all) out.push_back({schema.name, schema.id, schema.title});
  return out;
}

Result<std::string> schema_json(std::string_view name) {
  std::vector<std::string> known;
  for (const Schema& schema : all) {
    known.emplace_back(schema.name);
    if (normalised(name) != normalised(schema.name) && (*schema.id == 0 || name != schema.id)) continue;
    std::string text = R"({"$schema":"https://json-schema.org/draft/2020-12/schema","title":)" +
                       json_text([&](JsonOut& out) { out.value(schema.title); }) + ',' + schema.top().text() + R"(,"$defs":{)";
    bool first = true;
    for (const auto& [key, definition] : schema.definitions()) {
      text += (first ? "\"" : ",\"") + std::string(key) + "\":{" + definition.text() + '}';
      first = false;
    }
    const Result<Json> json = parse_json(text + "}}", "a schema");
    if (!json) return Unexpected(json.error());
    return dump(*json);
  }
  return fail("unknown schema \"" + std::string(name) + '"' + did_you_mean(near_matches(name, known), "`roofline schema` lists them"));
}

}  // namespace roofline
