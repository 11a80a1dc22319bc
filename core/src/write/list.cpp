// `list` and `show`: the catalogues as JSON.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/names.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/machine/stack.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/write/write.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

constexpr Member<Machine> machine_item[] = {
    {"id", schema::text, "", field<&Machine::id>},
    {"name", schema::text, "", field<&Machine::name>},
    {"vendor", schema::text, "", field<&Machine::vendor>},
    {"architecture", schema::text, "as compilers name it; empty: not known", field<&Machine::architecture>},
    {"matrix_peaks", schema::numbers, "by format, FLOP/s",
     [](JsonOut& out, const Machine& m) {
       out.object([&] {
         for (const Peak& p : m.matrix) out.member(Formats::catalogue()[p.format].id, p.flops.value);
       });
     }},
    {"memory", schema::name, "the device memory",
     [](JsonOut& out, const Machine& m) { write_name(out, m.memories.empty() ? "" : m.memories[0].name); }},
    {"bandwidth", schema::number, "of it, where its channels differ for reading, B/s",
     [](JsonOut& out, const Machine& m) { out.value(m.memories.empty() ? unknown : m.memories[0].rate().value); }},
    {"capacity", schema::number, "of it, B",
     [](JsonOut& out, const Machine& m) { out.value(m.memories.empty() ? unknown : m.memories[0].capacity.value); }}};

constexpr Member<Format> format_item[] = {
    {"id", schema::text, "", field<&Format::id>},
    {"name", schema::text, "", field<&Format::name>},
    {"bits", schema::number, "of an element", field<&Format::bits>},
    {"effective_bits", schema::number, "with its share of the scales", field<&Format::effective_bits>},
    {"family", R"("enum":["integer","floating"])", "",
     [](JsonOut& out, const Format& f) { out.value(f.family == FormatFamily::integer ? "integer" : "floating"); }},
    {"weights_only", schema::flag, "", field<&Format::weights_only>}};

bool floating(const Format& f) { return f.family == FormatFamily::floating; }
constexpr Member<Format> format_details[] = {
    {"exponent_bits", schema::number, "", field<&Format::exponent_bits>, floating},
    {"mantissa_bits", schema::number, "", field<&Format::mantissa_bits>, floating},
    {"block", schema::number, "elements that share a scale", field<&Format::block>},
    {"scale_bits", schema::number, "of it", field<&Format::scale_bits>},
    {"storage_bits", schema::number, "that an element takes in memory", field<&Format::storage_bits>},
    {"bytes_per_element", schema::number, "", field<&Format::bytes>},
    {"max_value", schema::number, "", [](JsonOut& out, const Format& f) { out.value(f.max_value > 0 ? f.max_value : unknown); }},
    {"scale_format", schema::text, "", field<&Format::scale_format>, [](const Format& f) { return !f.scale_format.empty(); }},
    {"sqnr_db", schema::numbers, "by sample, dB; null: exact",
     [](JsonOut& out, const Format& f) {
       out.object([&] {
         for (std::size_t s = 0; s < sample_count; ++s) {
           const auto sample = static_cast<Sample>(s);
           out.member(to_string(sample), sqnr_db(*Formats::catalogue().find(f.id), sample));
         }
       });
     },
     [](const Format& f) { return f.quantises(); }},
    {"aliases", schema::texts, "", field<&Format::aliases>},
    {"computes_as_where_missing", schema::texts, "formats, the first that a machine has", field<&Format::fallback>},
    {"note", schema::text, "", field<&Format::note>},
    {"source", schema::text, "", field<&Format::source>}};

constexpr Member<Model> model_item[] = {
    {"id", schema::text, "", field<&Model::id>},
    {"name", schema::text, "", field<&Model::name>},
    {"family", schema::text, "", field<&Model::family>},
    {"parameters", schema::number, "", [](JsonOut& out, const Model& m) { out.value(parameters(m).total()); }},
    {"active_parameters", schema::number, "for each token", [](JsonOut& out, const Model& m) { out.value(parameters(m).active()); }},
    {"layers", schema::number, "", field<&Model::layers>},
    {"hidden", schema::number, "elements of a token between the layers", field<&Model::hidden>},
    {"kv_elements_per_token", schema::number, "of the cache, over all layers",
     [](JsonOut& out, const Model& m) { out.value(m.cache_elements()); }}};

constexpr Member<Operator> operator_item[] = {{"id", schema::text, "", field<&Operator::id>},
                                              {"name", schema::text, "", field<&Operator::name>},
                                              {"category", schema::text, "", field<&Operator::family>},
                                              {"symbol", schema::text, "on the chart", field<&Operator::symbol>}};

constexpr Member<Parameter> parameter_members[] = {
    {"key", schema::text, "", field<&Parameter::key>},
    {"meaning", schema::text, "", field<&Parameter::meaning>},
    {"default", schema::name, "null: it must be given", [](JsonOut& out, const Parameter& p) { write_name(out, p.fallback); }}};
constexpr Member<Operator> operator_details[] = {
    {"names", schema::texts, "that it goes by", field<&Operator::names>},
    {"parameters", R"("type":"array","items":{"$ref":"#/$defs/parameter"})", "",
     [](JsonOut& out, const Operator& op) { write_objects<parameter_members>(out, op.parameters); }},
    {"formulas", R"("type":"object","additionalProperties":{"type":"string"})", "quantity to expression",
     [](JsonOut& out, const Operator& op) {
       out.object([&] {
         for (const Formula& f : op.formulas) out.member(f.quantity, f.expression);
       });
     }},
    {"note", schema::text, "", field<&Operator::note>}};

template <const char* const& kind>
void median(JsonOut& out, const Stack& s) {
  const StackError* error = s.error(kind);
  out.value(error ? error->median : unknown);
}
constexpr const char *decode = "decode", *prefill = "prefill", *generate = "generate", *kernels = "kernels", *tpot = "tpot",
                     *throughput = "throughput";
constexpr Member<Stack> stack_item[] = {
    {"id", schema::text, "", field<&Stack::id>},
    {"name", schema::text, "", field<&Stack::name>},
    {"basis", schema::text, "", field<&Stack::basis>},
    {"error_decode", schema::number, "median of published runs, a fraction; null: none", median<decode>},
    {"error_prefill", schema::number, "", median<prefill>},
    {"error_generate", schema::number, "", median<generate>},
    {"error_kernels", schema::number, "", median<kernels>},
    {"error_tpot", schema::number, "of serving, the time per token", median<tpot>},
    {"error_throughput", schema::number, "of serving, output tokens per second", median<throughput>}};

using Term = std::decay_t<decltype(*std::begin(Stack().figures))>;
constexpr Member<Term> term_members[] = {{"value", schema::number, "", field<&Term::second, &Figure::value>},
                                         {"source", schema::text, "", field<&Term::second, &Figure::source>},
                                         {"basis", schema::text, "", field<&Term::second, &Figure::basis>},
                                         {"note", schema::text, "", field<&Term::second, &Figure::note>}};
constexpr Member<StackError> error_members[] = {{"median", schema::number, "a fraction", field<&StackError::median>},
                                                {"p90", schema::number, "nine in ten are within it", field<&StackError::p90>},
                                                {"rows", schema::number, "number of runs", field<&StackError::rows>}};
constexpr Member<Stack> stack_details[] = {
    {"id", schema::text, "", field<&Stack::id>},
    {"name", schema::text, "", field<&Stack::name>},
    {"engines", schema::texts, "", field<&Stack::engines>},
    {"terms", R"("type":"object","additionalProperties":{"$ref":"#/$defs/term"})", "settings of the estimate",
     [](JsonOut& out, const Stack& s) {
       out.object([&] {
         for (const Term& t : s.figures) {
           out.key(t.first);
           write_object<term_members>(out, t);
         }
       });
     }},
    {"error", R"("type":"object","additionalProperties":{"$ref":"#/$defs/error"})", "by kind of workload",
     [](JsonOut& out, const Stack& s) {
       out.object([&] {
         for (const StackError& e : s.errors) {
           out.key(e.kind);
           write_object<error_members>(out, e);
         }
       });
     }},
    {"error_basis", schema::text, "", field<&Stack::error_basis>},
    {"notes", schema::texts, "", field<&Stack::notes>}};

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

namespace {

template <const auto& table, class Objects>
std::string objects_text(const Objects& all) {
  return dump(json_value([&](JsonOut& out) { write_objects<table>(out, all); }));
}

/// An object with the members of both tables.
template <const auto& item, const auto& details, class Of>
std::string detailed_text(const Of& of) {
  return dump(json_value([&](JsonOut& out) {
    out.object([&] {
      write_members<item>(out, of);
      write_members<details>(out, of);
    });
  }));
}

}  // namespace

Result<std::string> list_json(std::string_view kind) {
  if (kind == "machines") return objects_text<machine_item>(Machines::presets().all());
  if (kind == "formats") return objects_text<format_item>(Formats::catalogue().all());
  if (kind == "models") return objects_text<model_item>(Models::presets().all());
  if (kind == "stacks") return objects_text<stack_item>(Stacks::presets().all());
  if (kind != "operators") return not_found("list", kind, {"machines", "models", "formats", "operators", "stacks"});
  return dump(json_value([](JsonOut& out) {
    out.begin_array();
    for (const Operator* op : operators()) write_object<operator_item>(out, *op);
    out.end_array();
  }));
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
    if (const auto f = Formats::catalogue().find(id)) return detailed_text<format_item, format_details>(Formats::catalogue()[*f]);
    return not_found("format", id, Formats::catalogue().near(id));
  }
  if (kind == "operator") {
    if (const Operator* op = find_operator(id)) return detailed_text<operator_item, operator_details>(*op);
    return not_found("operator", id, near_operators(id));
  }
  if (kind == "stack") {
    if (const auto s = Stacks::presets().find(id)) return object_text<stack_details>(Stacks::presets()[*s]);
    return not_found("stack", id, Stacks::presets().near(id));
  }
  return not_found("kind", kind, {"machine", "model", "format", "operator", "stack"});
}

}  // namespace roofline
