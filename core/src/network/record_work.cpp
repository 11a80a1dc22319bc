#include "network/record_work.hpp"

#include <roofline/operators/operator.hpp>

#include "read/operations/json_record.hpp"

namespace roofline {

Json record_json(const RecordText& record) {
  return Json::parse("{\"type\":" + json_quoted(record.type()) + record.members() + '}', nullptr, false);
}

std::optional<Work> record_work(const RecordText& text) {
  const Operator* op = find_operator(text.type());
  const Json json = op ? record_json(text) : Json();
  if (!json.is_object()) return std::nullopt;
  static const Keys keys;
  Record record(keys.size());
  fill(record, keys, json);
  const Result<Work> work = op->derive(record, nullptr);
  return work ? std::optional<Work>(*work) : std::nullopt;
}

}  // namespace roofline
