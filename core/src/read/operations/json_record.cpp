#include "read/operations/json_record.hpp"

#include <roofline/read/read.hpp>

#include "read/operations/record_handler.hpp"

namespace roofline {
namespace {

void add_list(Record& record, const Json& list, bool inner) {
  for (const Json& item : list) {
    if (item.is_number()) {
      record.add_number(number_of(item));
    } else if (item.is_array() && !inner) {
      record.begin_inner_list();
      add_list(record, item, true);
      record.end_inner_list();
    } else {
      record.add_not_a_number();
    }
  }
}

}  // namespace

void fill(Record& record, const Keys& keys, const Json& object) {
  record.clear();
  for (const auto& [name, value] : object.items()) {
    const Key key = keys.find(name);
    if (key == Keys::npos) continue;
    if (value.is_null()) {
      record.set_null(key);
    } else if (value.is_boolean()) {
      record.set_boolean(key, value == Json(true));
    } else if (value.is_number()) {
      record.set_number(key, number_of(value));
    } else if (value.is_string()) {
      record.set_string(key, *value.get_ptr<const std::string*>());
    } else if (value.is_array()) {
      record.begin_list(key);
      add_list(record, value, false);
      record.end_list();
    } else {
      record.set_other(key);
    }
  }
}

Result<std::unique_ptr<ParsedRecord>> parse_record(std::string_view json, const Keys& keys) {
  auto parsed = std::make_unique<ParsedRecord>(ParsedRecord{std::string(json), {}, Record(keys.size())});
  JsonText text(parsed->text);
  RecordHandler handler(text, keys, parsed->record);
  handler.begin(0);
  rapidjson::Reader parser;
  const auto result = parser.Parse<json_flags>(text, handler);
  if (result.IsError() || !handler.is_object()) return fail("not a JSON object");
  parsed->decoded = text.take_decoded();
  return parsed;
}

}  // namespace roofline
