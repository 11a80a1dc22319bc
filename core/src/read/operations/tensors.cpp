#include <roofline/read/tensors.hpp>

#include "operators/derivation.hpp"
#include "read/operations/formulas.hpp"

namespace roofline {

OperationTensors tensors_of(std::string_view text, const Keys& keys, const Registry& registry) {
  OperationTensors out;
  const auto parsed = parse_record(text, keys);
  if (!parsed) return out;
  const Record& record = (*parsed)->record;
  if (record[key::type].kind == Value::Kind::string && registry.find(record[key::type].string)) return out;
  Trace trace;
  const auto derived = derive_record(text, keys, trace);
  if (!derived) return out;
  for (TensorRead& read : trace.reads)
    if (read.name != key_name(key::weight_shape) && read.name != key_name(key::bias)) out.reads.push_back(std::move(read));
  // Of a gradient's operator the shape is its forward's: then the elements are others.
  const auto written = [&](Shape shape) {
    if (out.output.empty() && !shape.empty() && product(shape) == derived->second.output) out.output.assign(shape.begin(), shape.end());
  };
  if (record[key::output_shape].kind == Value::Kind::list) written(record.list(key::output_shape));
  written(trace.output);
  return out;
}

}  // namespace roofline
