#include "base/json.hpp"

#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <limits>

#include "base/json_out.hpp"
#include "base/letters.hpp"
#include "base/lines.hpp"

namespace roofline {
namespace {

Error at(std::string_view text, std::size_t offset, std::string message) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  return {std::move(message), lines + 1, before.size() - line_start + 1};
}

/// The first bracket, outside strings, that is nested deeper than max_json_depth; npos: none.
std::size_t too_deep_at(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) return i;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return std::string_view::npos;
}

/// Only after nlohmann has refused the text: without exceptions it does not say where.
Error syntax_error(std::string_view text) {
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::BaseReaderHandler<> ignore;
  rapidjson::Reader reader;
  constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<flags>(stream, ignore);
  if (!result.IsError()) return {"not valid JSON"};
  return at(text, result.Offset(), std::string("not valid JSON: ") + rapidjson::GetParseError_En(result.Code()));
}

}  // namespace

Result<Json> parse_json(std::string_view text, std::string_view expected) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return fail("the file is empty; expected " + std::string(expected));
  if (const std::size_t deep = too_deep_at(text); deep != std::string_view::npos)
    return Unexpected(
        at(text, deep, "nested deeper than " + std::to_string(max_json_depth) + " levels: expected " + std::string(expected)));
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded()) return Unexpected(syntax_error(text));
  return json;
}

Result<Json> parse_json_or_lines(std::string_view text, std::string_view expected) {
  Result<Json> whole = parse_json(text, expected);
  if (whole) return whole;
  Json list = Json::array();
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (without_blanks(line).empty()) continue;
    Result<Json> one = parse_json(line, expected);
    if (!one && list.empty()) return whole;
    if (!one) return Unexpected(Error{one.error().message, number, one.error().column, {}});
    list.push_back(std::move(*one));
  }
  if (list.empty()) return whole;
  return list;
}

Json json_value(const std::function<void(JsonOut&)>& write) {
  const std::string text = json_text(write);
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

const char* kind_of(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return "true or false";
    case Json::value_t::string:
      return "a text";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::object:
      return "an object";
    default:
      return "a number";
  }
}

const Json& member(const Json& object, std::string_view key) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(std::string(key));
  return found == object.end() ? null : *found;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get_ref<const std::string&>() : std::string(); }

double number_of(const Json& value) { return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN(); }

std::string dump(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }
std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace roofline
