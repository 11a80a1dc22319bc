#include "prediction_report.hpp"

#include <cmath>
#include <cstdio>
#include <map>

#include "quality_fit.hpp"

namespace roofline::validation {
namespace {

template <class... Values>
std::string line(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::vector<const KldTable*> in_fit(const std::vector<KldTable>& tables) {
  std::vector<const KldTable*> out;
  for (const KldTable& table : tables)
    if (!is_outlier(table)) out.push_back(&table);
  return out;
}

}  // namespace

std::vector<PredictionTrial> judge_predictions(const std::vector<KldTable>& tables) {
  const std::vector<const KldTable*> all = in_fit(tables);
  std::vector<PredictionTrial> out;
  for (const KldTable* left_out : all) {
    const std::vector<const KldTable*> others = without_architecture_of(*left_out, all);
    const QualityTable fitted = fit_quality(others);
    for (const auto& [type, kld] : left_out->types) {
      if (!fitted.types.contains(type)) continue;
      std::vector<double> same;
      for (const KldTable* table : others)
        if (const auto found = table->types.find(type); found != table->types.end()) same.push_back(found->second);
      const double error = std::fabs(log_error(fitted, *left_out, type));
      out.push_back(
          {left_out->model, type, error, std::fabs(std::log(median_of(same) / kld)), error <= std::log(fitted.types.at(type).band)});
    }
  }
  return out;
}

PredictionErrors errors_of(const std::vector<PredictionTrial>& trials) {
  std::vector<double> predicted, plain;
  double within = 0;
  for (const PredictionTrial& trial : trials) {
    predicted.push_back(trial.predicted);
    plain.push_back(trial.plain);
    within += trial.within_band ? 1 : 0;
  }
  const double median = median_of(predicted), plain_median = median_of(plain);
  return {std::exp(median),
          std::exp(quantile_of(predicted, .9)),
          std::exp(plain_median),
          std::exp(quantile_of(plain, .9)),
          within / static_cast<double>(trials.size()),
          1 - median / plain_median};
}

double outlier_factor(const std::vector<KldTable>& tables) {
  const QualityTable fitted = fit_quality(in_fit(tables));
  std::vector<double> factors;
  for (const KldTable& table : tables)
    if (is_outlier(table))
      for (const auto& [type, kld] : table.types)
        if (fitted.types.contains(type)) factors.push_back(std::exp(-log_error(fitted, table, type)));
  return median_of(factors);
}

std::string prediction_section(const std::vector<KldTable>& tables) {
  const std::vector<PredictionTrial> trials = judge_predictions(tables);
  const PredictionErrors all = errors_of(trials);
  std::string out = R"(
## KL divergence of models left out

The prediction for a model with all tensors in a type, without the tables of its architecture, beside a plain one: the median of the other models in the type. Both
are off by a factor, up or down.

| | median factor | nine in ten within |
|---|---|---|
)";
  out += line("| this prediction | %.2f | %.1f |\n| median of the other models | %.2f | %.1f |\n", all.median, all.p90, all.plain_median,
              all.plain_p90);
  out += line("\nIn the logarithm, the median error is %.0f%% less. The range that is printed held %.0f%% of the %zu measurements.\n",
              100 * all.improvement, 100 * all.within_band, trials.size());
  if (const double factor = outlier_factor(tables); std::isfinite(factor))
    out += line("Gemma 4 is in no fit: its measured divergence is %.0fx as high as predicted.\n", factor);
  out += "\n| model left out | median factor | plain | within the range |\n|---|---|---|---|\n";
  std::map<std::string, std::vector<PredictionTrial>> by_model;
  for (const PredictionTrial& trial : trials) by_model[trial.model].push_back(trial);
  for (const auto& [model, own] : by_model) {
    const PredictionErrors errors = errors_of(own);
    out += line("| %s | %.2f | %.2f | %.0f%% |\n", model.c_str(), errors.median, errors.plain_median, 100 * errors.within_band);
  }
  return out;
}

}  // namespace roofline::validation
