// `list` and `show`: the catalogues as JSON.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/names.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/machine/stack.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/write/write.hpp>

#include "base/entries.hpp"
#include "base/schemas.hpp"

namespace roofline {
namespace {

Json strings(const std::vector<std::string>& list) {
  Json out = Json::array();
  for (const std::string& s : list) out.push_back(s);
  return out;
}
Json figure(const Figure& f) { return f.known() ? Json(f.value) : Json(); }

constexpr Entry<Machine> machine_item[] = {
    {"id", schema::text, "", [](const Machine& m) { return Json(m.id); }},
    {"name", schema::text, "", [](const Machine& m) { return Json(m.name); }},
    {"vendor", schema::text, "", [](const Machine& m) { return Json(m.vendor); }},
    {"architecture", schema::text, "as compilers name it; empty: not known", [](const Machine& m) { return Json(m.architecture); }},
    {"matrix_peaks", schema::numbers, "by format, FLOP/s",
     [](const Machine& m) {
       Json peaks = Json::object();
       for (const Peak& p : m.matrix) peaks[Formats::catalogue()[p.format].id] = p.flops.value;
       return peaks;
     }},
    {"memory", schema::name, "the device memory", [](const Machine& m) { return m.memories.empty() ? Json() : Json(m.memories[0].name); }},
    {"bandwidth", schema::number, "of it, where its channels differ for reading, B/s",
     [](const Machine& m) { return m.memories.empty() ? Json() : figure(m.memories[0].rate()); }},
    {"capacity", schema::number, "of it, B",
     [](const Machine& m) { return m.memories.empty() ? Json() : figure(m.memories[0].capacity); }}};

constexpr Entry<Format> format_item[] = {
    {"id", schema::text, "", [](const Format& f) { return Json(f.id); }},
    {"name", schema::text, "", [](const Format& f) { return Json(f.name); }},
    {"bits", schema::number, "of an element", [](const Format& f) { return Json(f.bits); }},
    {"effective_bits", schema::number, "with its share of the scales", [](const Format& f) { return Json(f.effective_bits()); }},
    {"family", R"("enum":["integer","floating"])", "",
     [](const Format& f) { return Json(f.family == FormatFamily::integer ? "integer" : "floating"); }},
    {"weights_only", schema::flag, "", [](const Format& f) { return Json(f.weights_only); }}};

bool floating(const Format& f) { return f.family == FormatFamily::floating; }
constexpr Entry<Format> format_details[] = {
    {"exponent_bits", schema::number, "", [](const Format& f) { return Json(f.exponent_bits); }, floating},
    {"mantissa_bits", schema::number, "", [](const Format& f) { return Json(f.mantissa_bits); }, floating},
    {"block", schema::number, "elements that share a scale", [](const Format& f) { return Json(f.block); }},
    {"scale_bits", schema::number, "of it", [](const Format& f) { return Json(f.scale_bits); }},
    {"storage_bits", schema::number, "that an element takes in memory", [](const Format& f) { return Json(f.storage_bits); }},
    {"bytes_per_element", schema::number, "", [](const Format& f) { return Json(f.bytes()); }},
    {"max_value", schema::number, "", [](const Format& f) { return f.max_value > 0 ? Json(f.max_value) : Json(); }},
    {"scale_format", schema::text, "", [](const Format& f) { return Json(f.scale_format); },
     [](const Format& f) { return !f.scale_format.empty(); }},
    {"sqnr_db", schema::numbers, "by sample, dB; null: exact",
     [](const Format& f) {
       Json sqnr = Json::object();
       for (std::size_t s = 0; s < sample_count; ++s) {
         const auto sample = static_cast<Sample>(s);
         sqnr[to_string(sample)] = sqnr_db(*Formats::catalogue().find(f.id), sample);  // JSON has no infinity: exact is null
       }
       return sqnr;
     },
     [](const Format& f) { return f.quantises(); }},
    {"aliases", schema::texts, "", [](const Format& f) { return strings(f.aliases); }},
    {"computes_as_where_missing", schema::texts, "formats, the first that a machine has",
     [](const Format& f) { return strings(f.fallback); }},
    {"note", schema::text, "", [](const Format& f) { return Json(f.note); }},
    {"source", schema::text, "", [](const Format& f) { return Json(f.source); }}};

constexpr Entry<Model> model_item[] = {
    {"id", schema::text, "", [](const Model& m) { return Json(m.id); }},
    {"name", schema::text, "", [](const Model& m) { return Json(m.name); }},
    {"family", schema::text, "", [](const Model& m) { return Json(m.family); }},
    {"parameters", schema::number, "", [](const Model& m) { return Json(parameters(m).total()); }},
    {"active_parameters", schema::number, "for each token", [](const Model& m) { return Json(parameters(m).active()); }},
    {"layers", schema::number, "", [](const Model& m) { return Json(m.layers); }},
    {"hidden", schema::number, "elements of a token between the layers", [](const Model& m) { return Json(m.hidden); }},
    {"kv_elements_per_token", schema::number, "of the cache, over all layers",
     [](const Model& m) { return Json(m.attention_layers() * m.kv_elements()); }}};

constexpr Entry<Operator> operator_item[] = {
    {"id", schema::text, "", [](const Operator& op) { return Json(std::string(op.id)); }},
    {"name", schema::text, "", [](const Operator& op) { return Json(std::string(op.name)); }},
    {"category", schema::text, "", [](const Operator& op) { return Json(to_string(op.family)); }},
    {"symbol", schema::text, "on the chart", [](const Operator& op) { return Json(to_string(op.symbol)); }}};

constexpr Entry<Parameter> parameter_members[] = {
    {"key", schema::text, "", [](const Parameter& p) { return Json(std::string(p.key)); }},
    {"meaning", schema::text, "", [](const Parameter& p) { return Json(std::string(p.meaning)); }},
    {"default", schema::name, "null: it must be given",
     [](const Parameter& p) { return p.fallback.empty() ? Json() : Json(std::string(p.fallback)); }}};
constexpr Entry<Operator> operator_details[] = {
    {"names", schema::texts, "that it goes by",
     [](const Operator& op) {
       Json names = Json::array();
       for (const std::string_view n : op.names) names.push_back(std::string(n));
       return names;
     }},
    {"parameters", R"("type":"array","items":{"$ref":"#/$defs/parameter"})", "",
     [](const Operator& op) { return json_list(parameter_members, op.parameters); }},
    {"formulas", R"("type":"object","additionalProperties":{"type":"string"})", "quantity to expression",
     [](const Operator& op) {
       Json formulas = Json::object();
       for (const Formula& f : op.formulas) formulas[std::string(f.quantity)] = std::string(f.expression);
       return formulas;
     }},
    {"note", schema::text, "", [](const Operator& op) { return Json(std::string(op.note)); }}};

template <const char* const& kind>
Json median_of(const Stack& s) {
  return s.error(kind) ? Json(s.error(kind)->median) : Json();
}
constexpr const char *decode = "decode", *prefill = "prefill", *generate = "generate", *kernels = "kernels";
constexpr Entry<Stack> stack_item[] = {
    {"id", schema::text, "", [](const Stack& s) { return Json(s.id); }},
    {"name", schema::text, "", [](const Stack& s) { return Json(s.name); }},
    {"basis", schema::text, "", [](const Stack& s) { return Json(s.basis); }},
    {"error_decode", schema::number, "median of published runs, a fraction; null: none", median_of<decode>},
    {"error_prefill", schema::number, "", median_of<prefill>},
    {"error_generate", schema::number, "", median_of<generate>},
    {"error_kernels", schema::number, "", median_of<kernels>}};

using Term = std::decay_t<decltype(*std::begin(Stack().figures))>;
constexpr Entry<Term> term_members[] = {{"value", schema::number, "", [](const Term& t) { return Json(t.second.value); }},
                                        {"source", schema::text, "", [](const Term& t) { return Json(t.second.source); }},
                                        {"basis", schema::text, "", [](const Term& t) { return Json(t.second.basis); }},
                                        {"note", schema::text, "", [](const Term& t) { return Json(t.second.note); }}};
constexpr Entry<StackError> error_members[] = {
    {"median", schema::number, "a fraction", [](const StackError& e) { return Json(e.median); }},
    {"p90", schema::number, "nine in ten are within it", [](const StackError& e) { return Json(e.p90); }},
    {"rows", schema::number, "number of runs", [](const StackError& e) { return Json(e.rows); }}};
constexpr Entry<Stack> stack_details[] = {
    {"id", schema::text, "", [](const Stack& s) { return Json(s.id); }},
    {"name", schema::text, "", [](const Stack& s) { return Json(s.name); }},
    {"engines", schema::texts, "", [](const Stack& s) { return strings(s.engines); }},
    {"terms", R"("type":"object","additionalProperties":{"$ref":"#/$defs/term"})", "settings of the estimate",
     [](const Stack& s) {
       Json terms = Json::object();
       for (const Term& t : s.figures) terms[std::string(t.first)] = json_of(term_members, t);
       return terms;
     }},
    {"error", R"("type":"object","additionalProperties":{"$ref":"#/$defs/error"})", "by kind of workload",
     [](const Stack& s) {
       Json errors = Json::object();
       for (const StackError& e : s.errors) errors[e.kind] = json_of(error_members, e);
       return errors;
     }},
    {"error_basis", schema::text, "", [](const Stack& s) { return Json(s.error_basis); }},
    {"notes", schema::texts, "", [](const Stack& s) { return strings(s.notes); }}};

Unexpected not_found(const std::string& what, std::string_view id, const std::vector<std::string>& near) {
  return fail("unknown " + what + " \"" + std::string(id) + '"' + did_you_mean(near));
}

}  // namespace

ObjectSchema list_schema(std::string_view kind) {
  const auto of = [](const auto& table) { return ObjectSchema::of(list_of(ObjectSchema().with(table).text())); };
  return kind == "machines"  ? of(machine_item)
         : kind == "formats" ? of(format_item)
         : kind == "models"  ? of(model_item)
         : kind == "stacks"  ? of(stack_item)
                             : of(operator_item);
}
ObjectSchema format_schema() { return ObjectSchema().with(format_item).with(format_details); }
ObjectSchema operator_schema() { return ObjectSchema().with(operator_item).with(operator_details); }
Definitions operator_definitions() { return {{"parameter", ObjectSchema().with(parameter_members)}}; }
ObjectSchema stack_schema() { return ObjectSchema().with(stack_details); }
Definitions stack_definitions() { return {{"term", ObjectSchema().with(term_members)}, {"error", ObjectSchema().with(error_members)}}; }

Result<std::string> list_json(std::string_view kind) {
  if (kind == "machines") return dump(json_list(machine_item, Machines::presets().all()));
  if (kind == "formats") return dump(json_list(format_item, Formats::catalogue().all()));
  if (kind == "models") return dump(json_list(model_item, Models::presets().all()));
  if (kind == "stacks") return dump(json_list(stack_item, Stacks::presets().all()));
  if (kind != "operators") return not_found("list", kind, {"machines", "models", "formats", "operators", "stacks"});
  Json out = Json::array();
  for (const Operator* op : operators()) out.push_back(json_of(operator_item, *op));
  return dump(out);
}

Result<std::string> show_json(std::string_view kind, std::string_view id) {
  if (kind == "machine") {
    if (const Machine* m = Machines::presets().find(id)) return machine_json(*m, true);
    return not_found("machine", id, Machines::presets().near(id));
  }
  if (kind == "model") {
    if (const Model* m = Models::presets().find(id)) return model_json(*m);
    return not_found("model", id, Models::presets().near(id));
  }
  if (kind == "format") {
    if (const auto f = Formats::catalogue().find(id))
      return dump(json_of(format_details, Formats::catalogue()[*f], json_of(format_item, Formats::catalogue()[*f])));
    return not_found("format", id, Formats::catalogue().near(id));
  }
  if (kind == "operator") {
    if (const Operator* op = find_operator(id)) return dump(json_of(operator_details, *op, json_of(operator_item, *op)));
    return not_found("operator", id, near_operators(id));
  }
  if (kind == "stack") {
    if (const auto s = Stacks::presets().find(id)) return dump(json_of(stack_details, Stacks::presets()[*s]));
    return not_found("stack", id, Stacks::presets().near(id));
  }
  return not_found("kind", kind, {"machine", "model", "format", "operator", "stack"});
}

}  // namespace roofline
