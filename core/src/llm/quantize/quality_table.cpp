#include <cmath>
#include <roofline/base/names.hpp>
#include <roofline/base/number.hpp>
#include <roofline/llm/quality_table.hpp>
#include <roofline/machine/presets.hpp>

#include "base/json.hpp"

namespace roofline {
namespace {

/// Reads numbers; keeps the path of the first one that is missing.
class TableReader {
 public:
  double number(const Json& json, const std::string& key, const std::string& within = "") {
    const double value = number_of(member(json, key));
    if (!known(value) && missing.empty()) missing = within + key;
    return value;
  }

  QualityTable::Numbers numbers(const Json& json, const std::string& path) {
    QualityTable::Numbers out;
    for (const auto& [key, value] : json.items()) out[key] = number(json, key, path + '.');
    return out;
  }

  std::string missing;
};

}  // namespace

Result<QualityTable> parse_quality_table(std::string_view text) {
  const auto json = parse_json(text, "quality table");
  if (!json) return Unexpected(json.error());
  for (const char* key : {"types", "weights", "shares", "depth", "measured"})
    if (!member(*json, key).is_object()) return fail("expected an object", key);
  TableReader read;
  QualityTable out;
  for (const auto& [type, value] : member(*json, "types").items()) {
    const std::string path = "types." + type + '.';
    TypeQuality& of = out.types[type];
    of.log_kld = read.number(value, "log_kld", path);
    for (std::size_t kind = 0; kind < of.kinds.size(); ++kind) of.kinds[kind] = read.number(value, names_of<ModelKind>[kind], path);
    of.band = read.number(value, "band", path);
  }
  out.weights = read.numbers(member(*json, "weights"), "weights");
  out.shares = read.numbers(member(*json, "shares"), "shares");
  out.depth = read.numbers(member(*json, "depth"), "depth");
  for (const auto& [model, values] : member(*json, "measured").items())
    out.measured[normalised(model)] = read.numbers(values, "measured." + model);
  out.parameters_exponent = read.number(*json, "parameters_exponent");
  out.reference_active_parameters = read.number(*json, "reference_active_parameters");
  out.credit = text_of(member(*json, "credit"));
  if (!read.missing.empty()) return fail("expected a number", read.missing);
  return out;
}

ModelKind model_kind(const Model& model) {
  return model.mla() ? ModelKind::latent : model.experts > 0 ? ModelKind::experts : ModelKind::dense;
}

double QualityTable::size_effect(ModelKind kind, double active_parameters) const {
  return kind == ModelKind::experts ? 0 : parameters_exponent * std::log(active_parameters / reference_active_parameters);
}

double QualityTable::log_kld(const TypeQuality& type, ModelKind kind, double active_parameters) const {
  return type.log_kld + type.kinds[static_cast<std::size_t>(kind)] + size_effect(kind, active_parameters);
}

const QualityTable& QualityTable::preset() {
  static const QualityTable table = parse_quality_table(gguf_quality_preset()).value_or(QualityTable());
  return table;
}

}  // namespace roofline
