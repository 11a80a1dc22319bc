#include <algorithm>
#include <cstdio>
#include <map>
#include <roofline/base/names.hpp>
#include <roofline/write/condition.hpp>
#include <roofline/write/schema.hpp>

#include "base/json.hpp"
#include "base/schemas.hpp"
#include "write/network_json.hpp"
#include "write/runs/compare_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

std::string shown(const Json& value) {
  if (value.is_null()) return "not known";
  if (!value.is_number()) return compact(value);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", number_of(value));
  return digits;
}

/// What a summary may hold, as a JSON Schema.
const Json& schema_of(Summarised what) {
  static std::map<Summarised, Json> made;
  Json& schema = made[what];
  if (!schema.is_null()) return schema;
  ObjectSchema top = what == Summarised::comparison ? judged_comparison_schema() : document_summary_schema();
  if (what == Summarised::llm) {
    add_llm_members(top);
    add_offload_member(top);
  }
  if (what == Summarised::analysis) top.with(network_members, true);
  const Result<Json> own = parse_json('{' + top.text() + '}', "a schema");
  const Result<std::string> whole = schema_json(what == Summarised::comparison ? "compare" : "analysis");
  if (own && whole)
    if (const Result<Json> document = parse_json(*whole, "a schema")) {
      schema = *own;
      schema["$defs"] = member(*document, "$defs");
    }
  return schema;
}

/// The schema that is meant where one refers to another, and where a value may be null.
const Json& meant(const Json& root, const Json& schema) {
  if (const Json& any = member(schema, "anyOf"); any.is_array()) return meant(root, any.front());
  constexpr std::string_view defs = "#/$defs/";
  const std::string reference = text_of(member(schema, "$ref"));
  return reference.empty() ? schema : meant(root, member(member(root, "$defs"), reference.substr(defs.size())));
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

/// The names that an object's parts may have; none where that depends on the machine.
std::vector<std::string> part_names(const Json& root, const Json& object) {
  if (const Json& properties = member(object, "properties"); properties.is_object()) return keys_of(properties);
  std::vector<std::string> names;
  for (const Json& name : member(meant(root, member(object, "propertyNames")), "enum")) names.push_back(text_of(name));
  return names;
}

/// The schema of a member, or of a part of one. Fails where there is none, and where it is not one value.
Result<const Json*> find(const Json& root, const std::vector<std::string>& path) {
  const Json* schema = &root;
  std::string whole;  // what `schema` is of
  for (const std::string& name : path) {
    if (text_of(member(*schema, "type")) != "object") return fail(whole + " has no parts");
    const std::vector<std::string> names = part_names(root, *schema);
    const std::string unknown = whole.empty() ? "unknown name " + name : whole + " has no part '" + name + '\'';
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end())
      return fail(unknown + did_you_mean(near_matches(name, names), "`roofline schema` lists those of a summary"));
    const Json& own = member(member(*schema, "properties"), name);
    schema = &meant(root, own.is_null() ? member(*schema, "additionalProperties") : own);
    whole += whole.empty() ? name : "['" + name + "']";
  }
  const std::string type = text_of(member(*schema, "type"));
  if (type == "array") return fail(whole + " is a list: expected one value");
  if (type != "object") return schema;
  const std::vector<std::string> names = part_names(root, *schema);
  return fail(whole + " is no single value: expected a part of it, such as " + whole + "['" + (names.empty() ? "NAME" : names.front()) +
              "']");
}

void set(Record& record, Key key, const Json& value) {
  if (value.is_string())
    record.set_string(key, value.get_ref<const std::string&>());
  else if (value.is_boolean())
    record.set_boolean(key, value.get<bool>());
  else if (value.is_number())
    record.set_number(key, number_of(value));
  else
    record.set_null(key);
}

}  // namespace

Result<Condition> Condition::compile(std::string_view text, Summarised what) {
  Keys keys;
  Result<Expression> expression = Expression::compile(text, keys, Variables{{}, true});
  if (!expression) return Unexpected(expression.error());
  std::vector<Asked> values;
  for (const std::string_view name : expression->fields()) {
    if (std::any_of(values.begin(), values.end(), [&](const Asked& v) { return v.name == name; })) continue;
    Asked value{std::string(name), parts_of(name), {}};
    const Result<const Json*> schema = find(schema_of(what), value.path);
    if (!schema) return Unexpected(schema.error());
    if (const Json& absent = member(**schema, "default"); absent.is_number()) value.absent = number_of(absent);
    values.push_back(std::move(value));
  }
  return Condition(std::move(keys), std::move(*expression), std::move(values));
}

Result<Condition::Verdict> Condition::test(std::string_view summary) const {
  const Result<Json> json = parse_json(summary, "a summary");
  if (!json) return Unexpected(json.error());
  Record record(keys_.size());
  std::string values, near;
  for (const Asked& asked : values_) {
    const Json *of = nullptr, *value = &*json;
    for (const std::string& part : asked.path) {
      of = value;
      value = &member(*of, part);
    }
    const std::string& part = asked.path.back();
    const bool absent = of->is_object() && !of->contains(part);
    const Json otherwise = asked.absent ? Json(*asked.absent) : Json();
    if (absent) value = &otherwise;
    if (absent && !asked.absent && asked.path.size() > 1) near += did_you_mean(near_matches(part, keys_of(*of)));
    set(record, keys_.find(asked.name), *value);
    values += (values.empty() ? "" : ", ") + asked.name + " is " + shown(*value);
  }
  const Result<double> result = expression_.evaluate(record, {});
  if (!result) return fail(text() + ": " + result.error().message + near);
  return Verdict{*result != 0, text() + (values.empty() ? "" : ": " + values)};
}

}  // namespace roofline
