// quality FOLDER [--write]: fits what each class of tensors and each type costs to measured KL divergences, and says what the fit and its
// plans are worth on models that it has not seen. --write puts the shares of the tensors into presets/quality/gguf.json; its types
// stay. Always writes docs/reference/validation-quantisation.md and its figure.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "plan_report.hpp"
#include "quality_fit.hpp"

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
  json["shares"] = numbers_of(fitted.shares);
  json["weights"] = numbers_of(fitted.weights);
  json["depth"] = numbers_of(fitted.depth);
  std::ofstream(preset) << text_of(json);
}

/// Factors by which predictions for models left out of the fit are off, beside those of the median of the other models.
void print_errors(const std::vector<KldTable>& tables) {
  std::vector<double> fit, plain;
  for (const KldTable& left_out : tables) {
    if (left_out.model.starts_with("gemma-4")) continue;
    std::vector<const KldTable*> others;
    for (const KldTable& table : tables)
      if (&table != &left_out && !table.model.starts_with("gemma-4")) others.push_back(&table);
    const QualityTable fitted = fit_quality(others);
    for (const auto& [type, kld] : left_out.types) {
      if (!fitted.types.contains(type)) continue;
      std::vector<double> same;
      for (const KldTable* table : others)
        if (const auto found = table->types.find(type); found != table->types.end()) same.push_back(found->second);
      const double error = std::fabs(log_error(fitted, left_out, type));
      fit.push_back(std::exp(error));
      plain.push_back(std::exp(std::fabs(std::log(median_of(same) / kld))));
    }
  }
  std::printf("KLD of models left out, off by a factor of: median %.2f, 90th percentile %.2f; median of the others: %.2f, %.2f\n",
              median_of(fit), quantile_of(fit, .9), median_of(plain), quantile_of(plain, .9));
}

void put(const char* file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

int main(int argc, char** argv) {
  const std::vector<KldTable> tables = read_kld_tables(argc > 1 ? argv[1] : "");
  if (tables.empty()) return std::fprintf(stderr, "quality: expected a folder with NAME.group0.csv and NAME.tensor.csv\n"), 1;
  std::vector<const KldTable*> all;
  for (const KldTable& table : tables) all.push_back(&table);
  const QualityTable fitted = fit_quality(all);
  for (const auto& [name, value] : fitted.weights) std::printf("%-18s %.3f\n", name.c_str(), value);
  for (const auto& [name, value] : fitted.shares) std::printf("%-18s %.3f\n", name.c_str(), value);
  for (const auto& [name, value] : fitted.depth) std::printf("%-18s %.3f\n", name.c_str(), value);
  print_errors(tables);
  const std::vector<PlanTrial> measured = judge_plans(tables, TypeLaw::measured), quarter = judge_plans(tables, TypeLaw::quarter_per_bit);
  std::printf("plans better than the best mixture of at most their size: %.0f%%, with a quarter per bit %.0f%%\n",
              100 * share_won(measured), 100 * share_won(quarter));
  put("docs/reference/validation-quantisation.md", plan_page(tables, measured, quarter));
  put("docs/reference/validation-quantisation.svg", plan_figure(measured));
  if (argc > 2 && std::strcmp(argv[2], "--write") == 0) write(fitted);
  return 0;
}
