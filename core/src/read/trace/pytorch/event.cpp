#include "read/trace/pytorch/event.hpp"

#include <algorithm>
#include <roofline/base/number.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/trace/trace.hpp"

namespace roofline {

bool split_event(std::string_view text, PyTorchEvent& event) {
  TraceMember m;
  std::size_t at = 0;
  while (next_member(text, at, m)) {
    if (m.key == "name") event.name = m.value;
    if (m.key == "ts") event.ts = m.value;
    if (m.key == "dur") event.dur = m.value;
    if (m.key == "pid") event.pid = m.value;
    if (m.key == "tid") event.tid = m.value;
    if (m.key == "args") event.args = m.value;
  }
  if (at != text.size()) return false;
  if (event.args.empty() || event.args[0] != '{') return true;
  for (at = 0; next_member(event.args, at, m);) {
    if (m.key == "External id" || (m.key == "external id" && event.external.empty())) event.external = m.value;
    if (m.key == "correlation") event.correlation = m.value;
    if (m.key == "bytes") event.bytes = m.value;
    if (m.key == "Input Dims" || (m.key == "Input dims" && event.dims.empty())) event.dims = m.value;
    if (m.key == "Input type" || (m.key == "Input Type" && event.types.empty())) event.types = m.value;
    if (m.key == "Concrete Inputs") event.values = m.value;
  }
  return at == event.args.size();
}

double event_number(std::string_view value) {
  const std::string_view digits = value.substr(value.starts_with('-') ? 1 : 0);
  return !digits.empty() && is_digit(digits[0]) ? parse_number(value) : unknown;
}

std::string_view rank_label(std::string_view process) {
  if (!process.starts_with("\"[")) return {};
  const std::string_view label = process.substr(2);
  const std::size_t end = label.find(']');
  return end == std::string_view::npos ? std::string_view() : label.substr(0, end);
}

std::uint64_t event_identity(std::string_view value) {
  if (const std::string_view label = rank_label(value); !label.empty()) {
    value.remove_prefix(label.size() + 3);  // "[TP00] 99": also the quote and the brackets
    while (value.starts_with(' ')) value.remove_prefix(1);
  }
  if (value.starts_with('"')) value.remove_prefix(1);
  const bool minus = value.starts_with('-');
  std::uint64_t id = 0;
  for (std::size_t i = minus ? 1 : 0; i < value.size() && is_digit(value[i]); ++i)
    id = id * 10 + static_cast<std::uint64_t>(value[i] - '0');
  return minus ? 0 - id : id;
}

Json event_json(std::string_view value) {
  Result<Json> parsed = parse_json(value, "a value");
  return parsed ? std::move(*parsed) : Json();
}

CountedFlops counted_flops(std::string_view args) {
  CountedFlops flops;
  TraceMember m;
  for (std::size_t at = 0; next_member(args, at, m);) {
    const std::size_t op = m.key.find("_inst_executed_op_");
    if (op == std::string_view::npos) continue;
    const std::string_view instruction = m.key.substr(op + 18), does = instruction.substr(std::min<std::size_t>(1, instruction.size()), 3);
    if (does != "add" && does != "mul" && does != "fma") continue;  // "ffma_pred_on.sum" counts, "integer_pred_on.sum" does not
    const char format = instruction[0];
    double* sum = format == 'h' ? &flops.fp16 : format == 'f' ? &flops.fp32 : format == 'd' ? &flops.fp64 : nullptr;
    if (sum) *sum += known_or(event_number(m.value), 0) * (does == "fma" ? 2 : 1);
  }
  return flops;
}

}  // namespace roofline
