#include "prediction_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

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
    std::vector<double> errors;
    for (const auto& [type, kld] : left_out->types)
      if (fitted.types.contains(type)) errors.push_back(log_error(fitted, *left_out, type));
    const double level = median_of(errors);
    for (const auto& [type, kld] : left_out->types) {
      if (!fitted.types.contains(type)) continue;
      std::vector<double> same;
      for (const KldTable* table : others)
        if (const auto found = table->types.find(type); found != table->types.end()) same.push_back(found->second);
      const double error = log_error(fitted, *left_out, type);
      out.push_back({left_out->model, type, std::fabs(error), std::fabs(error - level), std::fabs(std::log(median_of(same) / kld)),
                     std::fabs(error) <= std::log(fitted.types.at(type).band)});
    }
  }
  return out;
}

PredictionErrors errors_of(const std::vector<PredictionTrial>& trials) {
  std::vector<double> predicted, beyond_level, plain;
  std::map<std::string, std::vector<double>> within_by_type;
  double within = 0;
  for (const PredictionTrial& trial : trials) {
    predicted.push_back(trial.predicted);
    beyond_level.push_back(trial.beyond_level);
    plain.push_back(trial.plain);
    within_by_type[trial.type].push_back(trial.within_band ? 1 : 0);
    within += trial.within_band ? 1 : 0;
  }
  double least = 1;
  for (const auto& [type, held] : within_by_type)
    least = std::min(least, std::accumulate(held.begin(), held.end(), 0.0) / static_cast<double>(held.size()));
  const double median = median_of(predicted), plain_median = median_of(plain);
  return {std::exp(median),
          std::exp(quantile_of(predicted, .9)),
          std::exp(plain_median),
          std::exp(quantile_of(plain, .9)),
          std::exp(median_of(beyond_level)),
          within / static_cast<double>(trials.size()),
          least,
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

The prediction for a model with all tensors in one type, fitted without its architecture's tables, and a plain one: the median of the other models in the type. Both
are off by a factor, up or down.

| | median factor | nine in ten within |
|---|---|---|
)";
  out += line("| this prediction | %.2f | %.1f |\n| median of the other models | %.2f | %.1f |\n", all.median, all.p90, all.plain_median,
              all.plain_p90);
  out += line(
      "\nIn the logarithm, the median error is %.0f%% less, and what the factor exceeds 1 by %.0f%%. Most of the rest is in how a model's "
      "types\n",
      100 * all.improvement, 100 * (1 - (all.median - 1) / (all.plain_median - 1)));
  out += line(
      "relate: were the level of each model known, the median factor would be %.2f. The printed range held %.0f%% of the %zu measurements, "
      "and\n",
      all.beyond_level, 100 * all.within_band, trials.size());
  out += line("%.0f%% or more of the models in each type.\n", 100 * all.least_within_band);
  if (const double factor = outlier_factor(tables); std::isfinite(factor))
    out += line("Gemma 4 is in no fit: its measured divergence is %.0fx as high as predicted.\n", factor);
  out += "Of small models with latent attention only GLM-4.7-Flash was measured: others may be far better than predicted.\n";
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
