#include <algorithm>
#include <cstdio>
#include <roofline/base/names.hpp>
#include <roofline/write/condition.hpp>

#include "base/json.hpp"
#include "llm/summary_json.hpp"
#include "write/compare_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

std::string shown(const Json& value) {
  if (value.is_null()) return "not known";
  if (!value.is_number()) return value.dump(-1, ' ', false, Json::error_handler_t::replace);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", number_of(value));
  return digits;
}

/// The fields in the order in which they are asked for, each once.
std::vector<std::string> fields_of(const Expression& expression) {
  std::vector<std::string> names;
  for (const std::string_view name : expression.fields())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
  return names;
}

}  // namespace

std::vector<std::string> condition_names(Summarised what) {
  if (what == Summarised::comparison) return compare_scalars();
  std::vector<std::string> names = summary_scalars();
  if (what == Summarised::llm)
    for (std::string& name : llm_scalars()) names.push_back(std::move(name));
  return names;
}

Result<Condition> Condition::compile(std::string_view text, const std::vector<std::string>& names) {
  Keys keys;
  Result<Expression> expression = Expression::compile(text, keys, {});
  if (!expression) return Unexpected(expression.error());
  for (const std::string& field : fields_of(*expression))
    if (std::find(names.begin(), names.end(), field) == names.end())
      return fail("unknown name " + field + did_you_mean(near_matches(field, names), "`roofline schema` lists those of a summary"));
  return Condition(std::move(keys), std::move(*expression));
}

Result<Condition::Verdict> Condition::test(std::string_view summary) const {
  const Result<Json> json = parse_json(summary, "a summary");
  if (!json) return Unexpected(json.error());
  Record record(keys_.size());
  std::string values;
  const std::vector<std::string> fields = fields_of(expression_);
  for (const std::string& name : fields) {
    const Json& value = member(*json, name);
    const Key key = keys_.find(name);
    if (value.is_string())
      record.set_string(key, value.get_ref<const std::string&>());
    else if (value.is_boolean())
      record.set_boolean(key, value.get<bool>());
    else if (value.is_number())
      record.set_number(key, number_of(value));
    else
      record.set_null(key);
    values += (values.empty() ? "" : ", ") + name + " is " + shown(value);
  }
  const Result<double> result = expression_.evaluate(record, {});
  if (!result) return fail(text() + ": " + result.error().message);
  return Verdict{*result != 0, text() + (values.empty() ? "" : ": " + values)};
}

}  // namespace roofline
