#include "read/operations/formulas.hpp"

#include "base/json.hpp"
#include "read/operations/arguments.hpp"

namespace roofline {
namespace {

std::string_view type_of(const Record& record) {
  return record[key::type].kind == Value::Kind::string ? record[key::type].string : std::string_view();
}

std::optional<std::pair<const Operator*, Work>> derive_event(std::string_view text, Trace& trace) {
  const Result<Json> event = parse_json(text, "an event");
  if (!event) return std::nullopt;
  const std::string name = text_of(member(*event, "name"));
  const Json& args = member(*event, "args");
  const Operator* op = find_operator(name);
  if (!op || !args.is_object() || !args.contains("Input Dims")) return std::nullopt;
  const char* types = args.contains("Input type") ? "Input type" : "Input Type";
  const std::string shapes = compact(member(args, "Input Dims")), formats = quoted_words(compact(member(args, types))),
                    values = quoted_words(compact(member(args, "Concrete Inputs")));
  const auto work = work_of_call(*op, name, {shapes, formats, values}, &trace);
  return work ? std::optional(std::pair(op, *work)) : std::nullopt;
}

}  // namespace

std::optional<std::pair<const Operator*, Work>> derive_record(std::string_view text, const Keys& keys, Trace& trace) {
  const auto parsed = parse_record(text, keys);
  if (!parsed) return std::nullopt;
  const Record& record = (*parsed)->record;
  if (type_of(record).empty()) return derive_event(text, trace);
  const Operator* op = find_operator(type_of(record));
  if (!op) return std::nullopt;
  const auto work = op->derive(record, &trace);
  return work ? std::optional(std::pair(op, *work)) : std::nullopt;
}

DerivationText derivation_of(std::string_view text, const Keys& keys, const Registry& registry) {
  DerivationText out;
  const auto parsed = parse_record(text, keys);
  if (!parsed) return out;
  if (const RegistryOperation* custom = registry.find(type_of((*parsed)->record))) {
    for (const auto& [quantity, expression] : custom->formulas()) out.formulas.push_back({quantity, expression, ""});
    out.notes.emplace_back("From the op registry.");
    return out;
  }
  Trace trace;
  const auto derived = derive_record(text, keys, trace);
  if (!derived) return out;
  const auto& [op, work] = *derived;
  for (const Formula& f : op->formulas) {
    const double value = f.quantity == "matrix_flops"   ? work.matrix_flops
                         : f.quantity == "vector_flops" ? work.vector_flops
                         : f.quantity == "weight"       ? work.weight
                         : f.quantity == "activation"   ? work.activation
                         : f.quantity == "output"       ? work.output
                         : f.quantity == "kv_read"      ? work.kv_read
                                                        : work.kv_write;
    if (value > 0) out.formulas.push_back({std::string(f.quantity), std::string(f.expression), with_numbers(f.expression, trace, value)});
  }
  out.notes = trace.notes;
  if (!op->note.empty()) out.notes.emplace_back(op->note);
  return out;
}

}  // namespace roofline
