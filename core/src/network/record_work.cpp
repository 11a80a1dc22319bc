#include "network/record_work.hpp"

#include <roofline/base/number.hpp>
#include <roofline/operators/operator.hpp>

#include "read/operations/json_record.hpp"

namespace roofline {

Json record_json(const RecordText& record) {
  return Json::parse("{\"type\":" + json_quoted(record.type()) + record.members() + '}', nullptr, false);
}

namespace {
Result<Work> derive(const Operator& op, const Json& json) {
  static const Keys keys;
  Record record(keys.size());
  fill(record, keys, json);
  return op.derive(record, nullptr);
}
}  // namespace

std::optional<Work> record_work(const RecordText& text) {
  const Operator* op = find_operator(text.type());
  const Json json = op ? record_json(text) : Json();
  if (!json.is_object()) return std::nullopt;
  const Result<Work> work = derive(*op, json);
  return work ? std::optional<Work>(*work) : std::nullopt;
}

Result<double> record_macs(const RecordText& text) {
  const Json json = record_json(text);
  const double stated = number_of(member(json, "macs"));
  const Operator* op = known(stated) ? nullptr : find_operator(text.type());
  if (!op) return known_or(stated, 0);
  const Result<Work> work = derive(*op, json);
  if (!work) return Unexpected(work.error());
  if (!(work->matrix_flops + work->vector_flops < 0x1p63)) return fail("2^63 FLOPs or more");
  return work->matrix_flops / 2;
}

}  // namespace roofline
