// `list` and `show`: the catalogues as JSON.
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/names.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/machine/stack.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/write/write.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

Json machine_item(const Machine& m) {
  Json item = {{"id", m.id}, {"name", m.name}, {"vendor", m.vendor}};
  Json peaks = Json::object();
  for (const Peak& p : m.matrix) peaks[Formats::catalogue()[p.format].id] = p.flops.value;
  item["matrix_peaks"] = std::move(peaks);
  const bool has_memory = !m.memories.empty();
  item["memory"] = has_memory ? Json(m.memories[0].name) : Json();
  const Figure none;
  const auto figure = [](const Figure& f) { return f.known() ? Json(f.value) : Json(); };
  item["bandwidth"] = figure(!has_memory ? none : m.memories[0].split() ? m.memories[0].read_bandwidth : m.memories[0].bandwidth);
  item["capacity"] = figure(has_memory ? m.memories[0].capacity : none);
  return item;
}

Json format_item(const Format& f) {
  return {{"id", f.id},
          {"name", f.name},
          {"bits", f.bits},
          {"effective_bits", f.effective_bits()},
          {"family", f.family == FormatFamily::integer ? "integer" : "floating"}};
}

Json strings(const std::vector<std::string>& list) {
  Json out = Json::array();
  for (const std::string& s : list) out.push_back(s);
  return out;
}

Json format_details(const Format& f) {
  Json out = format_item(f);
  if (f.family == FormatFamily::floating) {
    out["exponent_bits"] = f.exponent_bits;
    out["mantissa_bits"] = f.mantissa_bits;
  }
  out["block"] = f.block;
  out["scale_bits"] = f.scale_bits;
  out["storage_bits"] = f.storage_bits;
  out["bytes_per_element"] = f.bytes();
  out["max_value"] = f.max_value > 0 ? Json(f.max_value) : Json();
  if (!f.scale_format.empty()) out["scale_format"] = f.scale_format;
  out["weights_only"] = f.weights_only;
  if (f.quantises()) {
    Json sqnr = Json::object();
    for (std::size_t s = 0; s < sample_count; ++s) {
      const auto sample = static_cast<Sample>(s);
      sqnr[to_string(sample)] = sqnr_db(*Formats::catalogue().find(f.id), sample);  // JSON has no infinity: exact is null
    }
    out["sqnr_db"] = std::move(sqnr);
  }
  out["aliases"] = strings(f.aliases);
  out["computes_as_where_missing"] = strings(f.fallback);
  out["note"] = f.note;
  out["source"] = f.source;
  return out;
}

Json model_item(const Model& m) {
  const Parameters p = parameters(m);
  return {{"id", m.id},
          {"name", m.name},
          {"family", m.family},
          {"parameters", p.total()},
          {"active_parameters", p.active()},
          {"layers", m.layers},
          {"hidden", m.hidden},
          {"kv_elements_per_token", m.layers * m.kv_elements()}};
}

Json operator_item(const Operator& op) {
  return {
      {"id", std::string(op.id)}, {"name", std::string(op.name)}, {"category", std::string(op.category)}, {"symbol", to_string(op.symbol)}};
}

Json operator_details(const Operator& op) {
  Json out = operator_item(op);
  Json names = Json::array(), parameters = Json::array(), formulas = Json::object();
  for (const std::string_view n : op.names) names.push_back(std::string(n));
  for (const Parameter& p : op.parameters)
    parameters.push_back({{"key", std::string(p.key)},
                          {"meaning", std::string(p.meaning)},
                          {"default", p.fallback.empty() ? Json() : Json(std::string(p.fallback))}});
  for (const Formula& f : op.formulas) formulas[std::string(f.quantity)] = std::string(f.expression);
  out["names"] = std::move(names);
  out["parameters"] = std::move(parameters);
  out["formulas"] = std::move(formulas);
  out["note"] = std::string(op.note);
  return out;
}

Json stack_item(const Stack& s) {
  const auto median = [&](const char* kind) { return s.error(kind) ? Json(s.error(kind)->median) : Json(); };
  return {{"id", s.id},
          {"name", s.name},
          {"basis", s.basis},
          {"error_decode", median("decode")},
          {"error_prefill", median("prefill")},
          {"error_generate", median("generate")},
          {"error_kernels", median("kernels")}};
}

Json stack_details(const Stack& s) {
  Json out = {{"id", s.id}, {"name", s.name}, {"engines", strings(s.engines)}};
  Json terms = Json::object(), errors = Json::object();
  for (const auto& [key, figure] : s.figures)
    terms[std::string(key)] = {{"value", figure.value}, {"source", figure.source}, {"basis", figure.basis}, {"note", figure.note}};
  for (const StackError& e : s.errors) errors[e.kind] = {{"median", e.median}, {"p90", e.p90}, {"rows", e.rows}};
  out["terms"] = std::move(terms);
  out["error"] = std::move(errors);
  out["error_basis"] = s.error_basis;
  out["notes"] = strings(s.notes);
  return out;
}

Unexpected not_found(const std::string& what, std::string_view id, const std::vector<std::string>& near) {
  return fail("unknown " + what + " \"" + std::string(id) + '"' + did_you_mean(near));
}

}  // namespace

Result<std::string> list_json(std::string_view kind) {
  Json out = Json::array();
  if (kind == "machines") {
    for (const Machine& m : Machines::presets().all()) out.push_back(machine_item(m));
  } else if (kind == "formats") {
    for (const Format& f : Formats::catalogue().all()) out.push_back(format_item(f));
  } else if (kind == "operators") {
    for (const Operator* op : operators()) out.push_back(operator_item(*op));
  } else if (kind == "models") {
    for (const Model& m : Models::presets().all()) out.push_back(model_item(m));
  } else if (kind == "stacks") {
    for (const Stack& s : Stacks::presets().all()) out.push_back(stack_item(s));
  } else {
    return not_found("list", kind, {"machines", "models", "formats", "operators", "stacks"});
  }
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
    if (const auto f = Formats::catalogue().find(id)) return dump(format_details(Formats::catalogue()[*f]));
    return not_found("format", id, Formats::catalogue().near(id));
  }
  if (kind == "operator") {
    if (const Operator* op = find_operator(id)) return dump(operator_details(*op));
    return not_found("operator", id, near_operators(id));
  }
  if (kind == "stack") {
    if (const auto s = Stacks::presets().find(id)) return dump(stack_details(Stacks::presets()[*s]));
    return not_found("stack", id, Stacks::presets().near(id));
  }
  return not_found("kind", kind, {"machine", "model", "format", "operator", "stack"});
}

}  // namespace roofline
