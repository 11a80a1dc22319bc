// quality FOLDER [--write]: fits what each class of tensors and each type costs to measured KL divergences, and says what the fit and its
// plans are worth on models that it has not seen. --write puts it into presets/quality/gguf.json. Always writes
// docs/reference/validation-quantisation.md and its figure.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "arguments.hpp"
#include "plan_report.hpp"
#include "prediction_report.hpp"
#include "quality_fit.hpp"
#include "shares_report.hpp"

using namespace roofline;
using namespace roofline::validation;

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* preset = "presets/quality/gguf.json";

double rounded(double value, double digits) { return std::round(value * digits) / digits; }

Json numbers_of(const QualityTable::Numbers& numbers) {
  Json out = Json::object();
  for (const auto& [key, value] : numbers) out[key] = rounded(value, 1e3);
  return out;
}

/// {"a": 1} as "{ "a": 1 }".
std::string line_of(const Json& json) {
  if (!json.is_object()) return json.dump();
  std::string out;
  for (auto it = json.begin(); it != json.end(); ++it) out += (out.empty() ? "{ " : ", ") + Json(it.key()).dump() + ": " + it->dump();
  return out + " }";
}

/// One line for each entry of the objects within, as the preset is written.
std::string text_of(const Json& json) {
  std::string out = "{\n";
  for (auto it = json.begin(); it != json.end(); ++it) {
    out += "  " + Json(it.key()).dump() + ": ";
    if (it->is_object()) {
      out += "{\n";
      for (auto inner = it->begin(); inner != it->end(); ++inner)
        out += "    " + Json(inner.key()).dump() + ": " + line_of(*inner) + (std::next(inner) == it->end() ? "\n" : ",\n");
      out += "  }";
    } else {
      out += it->dump();
    }
    out += std::next(it) == json.end() ? "\n" : ",\n";
  }
  return out + "}\n";
}

void write(const QualityTable& fitted) {
  Json json = Json::parse(std::ifstream(preset));
  json["parameters_exponent"] = rounded(fitted.parameters_exponent, 1e4);
  for (const auto& [type, of] : fitted.types) {
    Json row = {{"log_kld", rounded(of.log_kld, 1e3)}};
    for (std::size_t kind = 0; kind < of.kinds.size(); ++kind) row[names_of<ModelKind>[kind]] = rounded(of.kinds[kind], 1e3);
    row["band"] = rounded(of.band, 1e2);
    json["types"][type] = row;
  }
  json["shares"] = numbers_of(fitted.shares);
  json["weights"] = numbers_of(fitted.weights);
  json["depth"] = numbers_of(fitted.depth);
  std::ofstream(preset) << text_of(json);
}

void put(const char* file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

int main(int argc, char** argv) try {
  const Arguments arguments = arguments_of(argc, argv, {"--write"}, 1);
  const std::vector<KldTable> tables = read_kld_tables(arguments.file_or(0, ""));
  if (tables.empty()) throw std::invalid_argument("expected a folder with NAME.group0.csv and NAME.tensor.csv");
  std::vector<const KldTable*> all;
  for (const KldTable& table : tables) all.push_back(&table);
  const QualityTable fitted = fit_quality(all);
  for (const auto& [name, value] : fitted.weights) std::printf("%-18s %.3f\n", name.c_str(), value);
  for (const auto& [name, value] : fitted.shares) std::printf("%-18s %.3f\n", name.c_str(), value);
  for (const auto& [name, value] : fitted.depth) std::printf("%-18s %.3f\n", name.c_str(), value);
  const PredictionErrors errors = errors_of(judge_predictions(tables));
  std::printf("KLD of models left out, off by a factor of: median %.2f, 90th percentile %.2f; median of the others: %.2f, %.2f\n",
              errors.median, errors.p90, errors.plain_median, errors.plain_p90);
  std::printf("mixtures of measured models: 85%% within a factor of %.2f\n", std::exp(quantile_of(share_errors(tables), 0.85)));
  const PlanTrials trials = judge_plans(tables);
  std::printf("plans better than the best mixture of at most their size: %.0f%%, by relative error %.0f%%\n",
              100 * share_won(trials.measured), 100 * share_won(trials.by_relative_error));
  put("docs/reference/validation-quantisation.md", plan_page(tables, trials) + prediction_section(tables));
  put("docs/reference/validation-quantisation.svg", plan_figure(trials.measured));
  if (arguments.has("--write")) write(fitted);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "quality: %s\n", e.what());
  return 2;
}
