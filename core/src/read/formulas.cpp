#include "read/formulas.hpp"

#include <roofline/operators/operator.hpp>

namespace roofline {

DerivationText derivation_of(std::string_view text, const Keys& keys, const Registry& registry) {
  DerivationText out;
  const auto parsed = parse_record(text, keys);
  if (!parsed) return out;
  const Record& record = (*parsed)->record;
  const std::string_view type = record[key::type].kind == Value::Kind::string ? record[key::type].string : std::string_view();
  if (const RegistryOperation* custom = registry.find(type)) {
    for (const auto& [quantity, expression] : custom->formulas()) out.formulas.push_back({quantity, expression, ""});
    out.notes.emplace_back("From the op registry.");
    return out;
  }
  const Operator* op = find_operator(type);
  if (!op) return out;
  Trace trace;
  if (const auto work = op->derive(record, &trace))
    for (const Formula& f : op->formulas) {
      const double value = f.quantity == "matrix_flops"   ? work->matrix_flops
                           : f.quantity == "vector_flops" ? work->vector_flops
                           : f.quantity == "weight"       ? work->weight
                           : f.quantity == "activation"   ? work->activation
                           : f.quantity == "output"       ? work->output
                           : f.quantity == "kv_read"      ? work->kv_read
                                                          : work->kv_write;
      if (value > 0) out.formulas.push_back({std::string(f.quantity), std::string(f.expression), with_numbers(f.expression, trace, value)});
    }
  out.notes = trace.notes;
  if (!op->note.empty()) out.notes.emplace_back(op->note);
  return out;
}

}  // namespace roofline
