#include <roofline/base/names.hpp>
#include <roofline/llm/quality_table.hpp>
#include <roofline/machine/presets.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

QualityTable::Numbers numbers_of(const Json& json) {
  QualityTable::Numbers out;
  for (const auto& [key, value] : json.items()) out[key] = number_of(value);
  return out;
}

}  // namespace

Result<QualityTable> parse_quality_table(std::string_view text) {
  const auto json = parse_json(text, "quality table");
  if (!json) return Unexpected(json.error());
  for (const char* key : {"types", "weights", "shares", "depth", "measured"})
    if (!member(*json, key).is_object()) return fail("expected an object", key);
  QualityTable out;
  for (const auto& [type, value] : member(*json, "types").items())
    out.types[type] = {number_of(member(value, "log_kld")), number_of(member(value, "mla")), number_of(member(value, "band"))};
  out.weights = numbers_of(member(*json, "weights"));
  out.shares = numbers_of(member(*json, "shares"));
  out.depth = numbers_of(member(*json, "depth"));
  for (const auto& [model, values] : member(*json, "measured").items()) out.measured[normalised(model)] = numbers_of(values);
  out.parameters_exponent = number_of(member(*json, "parameters_exponent"));
  out.reference_active_parameters = number_of(member(*json, "reference_active_parameters"));
  out.credit = text_of(member(*json, "credit"));
  return out;
}

const QualityTable& QualityTable::preset() {
  static const QualityTable table = parse_quality_table(preset_files("quality")[0].text).value_or(QualityTable());
  return table;
}

}  // namespace roofline
