#include <roofline/base/names.hpp>
#include <roofline/write/schema.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/steps.hpp"
#include "base/json.hpp"
#include "base/schemas.hpp"
#include "machine/json.hpp"
#include "serving/frontier_json.hpp"
#include "tensor/json.hpp"
#include "write/network_json.hpp"
#include "write/op_json.hpp"
#include "write/runs/compare_json.hpp"
#include "write/runs/parity_json.hpp"
#include "write/runs/tally_json.hpp"
#include "write/runs/type_changes.hpp"
#include "write/scenario_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

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
  add_offload_member(summary);
  summary.with(network_members, true);
  add_modules_member(summary);
  add_folding_member(summary);
  add_memory_advice_member(summary);
  return joined(joined(op_definitions(), machine_definitions()), {{"op", op_schema()},
                                                                  {"document_summary", summary},
                                                                  {"summary_whatif", summary_whatif_schema()},
                                                                  {"status", status_schema()},
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
                         {"formats", tally_formats_schema()},
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
                          {"type_change", type_change_schema()},
                          {"summary", summary_schema()},
                          {"summary_whatif", summary_whatif_schema()},
                          {"status", status_schema()}};
     }},
    {"fusion", "roofline-fusion/1", "Neighbouring operations as one kernel: analyze --fuse -o json",
     [] { return fusion_schema().add("finding", finding_schema(), "headline in parts, each figure with its formula"); },
     [] {
       return Definitions{{"part", fusion_part_schema()}, {"passed", fusion_passed_schema()}, {"resource", fusion_resource_schema()}};
     }},
    {"summary", "roofline-summary/1", "What any number of runs add up to: analyze -o summary, summarize", run_summary_schema,
     run_summary_definitions},
    {"operations", "roofline-operations/1", "The operations of a file in numbers, which a link of the page carries", operation_rows_schema,
     [] { return Definitions{{"row", operation_rows_row_schema()}, {"formats", tally_formats_schema()}}; }},
    {"sweep", "roofline-sweep/1", "An operator over its sizes: op --sweep -o json", sweep_schema,
     [] { return joined(sweep_definitions(), {{"finding_part", finding_part_schema()}}); }},
    {"machines", "roofline-machines/1", "An operator on several machines: op --machines -o json", machines_schema, machines_definitions},
    {"network-sweep", "roofline-network-sweep/1", "A network over a dimension: analyze --sweep -o json", network_sweep_schema, none},
    {"llm-sweep", "roofline-llm-sweep/1", "A language model over its settings: llm --sweep -o json", llm_sweep_schema,
     llm_sweep_definitions},
    {"serving", "roofline-serving/1", "A deployment under load: llm --phase serving -o json", serving_schema, none},
    {"frontier", "roofline-frontier/1", "The best deployments of a language model: frontier -o json", frontier_schema, none},
    {"quantize", "roofline-quantize/1", "A model in each mixture of llama-quantize: quantize -o json", quantize_schema, none},
    {"format-plan", "roofline-format-plan/1", "A format for each tensor or layer: quantize --budget -o json", format_plan_schema, none},
    {"accuracy", "roofline-accuracy/1", "What rounding to each format loses: accuracy -o json", accuracy_schema, none},
    {"tensors", "", "What a file of tensors holds: accuracy FILE --list -o json", tensors_schema, none},
    {"list-machines", "", "list machines -o json", [] { return list_schema("machines"); }, none},
    {"list-models", "", "list models -o json", [] { return list_schema("models"); }, none},
    {"list-formats", "", "list formats -o json", [] { return list_schema("formats"); }, none},
    {"list-operators", "", "list operators -o json", [] { return list_schema("operators"); }, none},
    {"list-stacks", "", "list stacks -o json", [] { return list_schema("stacks"); }, none},
    {"show-machine", "", "show machine ID -o json", [] { return machine_value_schema(true); },
     [] { return Definitions{{"figure", figure_schema()}}; }},
    {"show-model", "", "show model ID -o json", model_schema, none},
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
