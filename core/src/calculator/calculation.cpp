#include <algorithm>
#include <roofline/base/names.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/read/read.hpp>

#include "calculator/json.hpp"
#include "read/operations/json_record.hpp"
#include "read/operations/operations.hpp"

namespace roofline {

std::string RoleFormats::spoken() const {
  const Formats& formats = Formats::catalogue();
  if (weight == no_format) return activation == no_format ? name : formats[activation].name;
  return weights_alone() ? formats[weight].describe("weights") : formats[weight].name;
}

bool RoleFormats::weights_alone() const { return weight != no_format && activation != no_format && weight != activation; }
namespace {

/// The keys an operator is given by, aliases resolved.
Result<void> check_key(const Operator& op, const Keys& keys, const std::string& written) {
  const Key key = keys.find(written);
  const std::string_view name = key == Keys::npos ? std::string_view() : keys.name(key);
  std::vector<std::string> known = {"inputs", "weight_type", "output_type", "kv_type", "count"};
  constexpr std::string_view inputs[] = {"input_shape", "input_self", "input_input"};  // one tensor under any of its names
  const auto is_input = [&](std::string_view k) { return std::find(std::begin(inputs), std::end(inputs), k) != std::end(inputs); };
  for (const Parameter& parameter : op.parameters) {
    if (is_input(parameter.key)) known.insert(known.end(), std::begin(inputs), std::end(inputs));
    known.emplace_back(parameter.key);
    if (parameter.key == "weight_shape") known.emplace_back("output_channels");  // its first length
  }
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  if (name == "data_type") return fail("is given by the formats to compare: expected no data_type", written);
  if (name == "type" || name == "name") return fail("is no parameter of " + std::string(op.id), written);
  std::string all = "expected some of ";
  for (const Parameter& parameter : op.parameters) all += (&parameter == op.parameters.data() ? "" : ", ") + std::string(parameter.key);
  return fail("is no parameter of " + std::string(op.id) + did_you_mean(near_matches(written, known), all), written);
}

Result<const Operator*> find(std::string_view type) {
  if (const Operator* op = find_operator(type)) return op;
  return fail(unknown_name_message("operator", type, near_operators(type)));
}

/// "4096", "true", "[1, 64]" as JSON has them, "1,64" as a list, anything else as a word.
Json typed_value(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (!value.is_discarded() && !value.is_object()) return value;
  const bool list = text.find(',') != std::string::npos && text.find_first_not_of("0123456789,-") == std::string::npos;
  if (list) value = Json::parse('[' + text + ']', nullptr, false);
  return list && !value.is_discarded() ? value : Json(text);
}

std::string shown(const Json& value) { return value.is_string() ? text_of(value) : compact(value); }

Result<Calculation> checked(std::string_view type, const Json& parameters, std::vector<RoleFormats> formats) {
  auto op = find(type);
  if (!op) return Unexpected(op.error());
  const Keys keys;
  for (const auto& [key, value] : parameters.items())
    if (auto ok = check_key(**op, keys, key); !ok) return Unexpected(ok.error());
  if (formats.empty()) formats.push_back(*parse_formats("fp16"));
  return Calculation{*op, std::string(type), compact(parameters), std::move(formats)};
}

}  // namespace

std::string Calculation::title() const {
  std::string out = type;
  const Json json = Json::parse(parameters, nullptr, false);
  for (const auto& [key, value] : json.items()) out += ' ' + key + '=' + shown(value);
  return out;
}

Result<RoleFormats> parse_formats(std::string_view text) {
  RoleFormats formats;
  FormatId* const roles[] = {&formats.weight, &formats.activation, &formats.output, &formats.kv};
  std::size_t role = 0;
  for (std::string_view rest = text;; ++role) {
    if (role == std::size(roles)) return fail("has more than four parts: expected weight:activation:output:kv", std::string(text));
    const std::size_t colon = rest.find(':');
    const std::string_view word = rest.substr(0, colon);
    if (!word.empty()) {
      const auto found = Formats::catalogue().find(word);
      if (!found) return fail(Formats::catalogue().unknown_name_message(word));
      *roles[role] = *found;
      formats.name += (role > 0 ? ":" : "") + Formats::catalogue()[*found].id;
    } else if (role == 0) {
      return fail("no format is named: expected one such as fp16, or int4:fp16 for weights and activations");
    } else {
      formats.name += ':';
    }
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  if (formats.activation == no_format) formats.activation = formats.weight;
  if (formats.output == no_format) formats.output = formats.activation;
  if (formats.kv == no_format) formats.kv = formats.activation;
  return formats;
}

namespace {

constexpr const char* expected = R"(an operator: {"type": "gemm", "parameters": {"m": 1, "n": 4096, "k": 4096}, "formats": ["fp16"]})";

}  // namespace

Result<Calculation> parse_calculation(std::string_view text) {
  const auto json = parse_json(text, expected);
  return json ? calculation_from(*json) : Unexpected(json.error());
}

Result<Calculation> calculation_from(const Json& json) {
  const Json& type = member(json, "type");
  if (!type.is_string()) return fail(std::string("is ") + kind_of(type) + "; expected " + expected, "type");
  const Json& parameters = member(json, "parameters");
  if (!parameters.is_object() && !parameters.is_null())
    return fail(std::string("expected an object such as {\"m\": 1}, found ") + kind_of(parameters), "parameters");
  const Json& formats = member(json, "formats");
  if (!formats.is_array() && !formats.is_null())
    return fail(std::string("expected a list such as [\"fp16\", \"int8\"], found ") + kind_of(formats), "formats");
  std::vector<RoleFormats> rows;
  for (const Json& item : formats) {
    auto row = parse_formats(text_of(item));
    if (!row) return fail(row.error().message, "formats");
    rows.push_back(std::move(*row));
  }
  constexpr std::size_t most = 64;
  if (rows.size() > most) return fail("has " + std::to_string(rows.size()) + " formats: expected at most 64", "formats");
  return checked(text_of(type), parameters.is_object() ? parameters : Json::object(), std::move(rows));
}

Result<Calculation> parse_calculation(std::string_view type, const std::vector<std::string>& parameters,
                                      const std::vector<std::string>& formats) {
  Json json = Json::object();
  for (const std::string& parameter : parameters) {
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos || equals == 0) return fail("expected KEY=VALUE, such as n=4096", parameter);
    json[parameter.substr(0, equals)] = typed_value(parameter.substr(equals + 1));
  }
  std::vector<RoleFormats> rows;
  for (const std::string& format : formats) {
    auto row = parse_formats(format);
    if (!row) return fail(row.error().message, "--formats");
    rows.push_back(std::move(*row));
  }
  return checked(type, json, std::move(rows));
}

Result<Workload> workload_of(const Calculation& calculation) {
  const Formats& formats = Formats::catalogue();
  const Json parameters = Json::parse(calculation.parameters, nullptr, false);
  ReadOptions options;
  options.source_name = calculation.title();
  // A fault's place in the records made here means nothing to anyone.
  Operations operations(options, SourceFormat::calculation, [](std::size_t, std::string message) { return Error{std::move(message)}; });
  for (const RoleFormats& row : calculation.formats) {
    Json record = {{"type", calculation.type}, {"name", row.name}, {"data_type", formats[row.activation].id}};
    const auto role = [&](const char* key, FormatId format) {
      if (format != row.activation) record[key] = formats[format].id;
    };
    role("weight_type", row.weight);
    role("output_type", row.output);
    role("kv_type", row.kv);
    for (const auto& [key, value] : parameters.items()) record[key] = value;
    fill(operations.record(), operations.keys(), record);
    operations.add(operations.rows().keep_record(compact(record)));
  }
  Workload workload = operations.take();
  for (const Diagnostic& diagnostic : workload.diagnostics)
    if (diagnostic.severity == Severity::error) {
      // The user typed a parameter, not a field: "n: is 0", not 'field "n": is 0'.
      const std::string& path = diagnostic.path;
      const std::string of_the_field = of_field(path);
      if (diagnostic.message.starts_with(of_the_field)) return fail(path + ": " + diagnostic.message.substr(of_the_field.size()));
      return fail(diagnostic.message, path == "type" ? "" : path);
    }
  workload.own_records = true;
  return workload;
}

}  // namespace roofline
