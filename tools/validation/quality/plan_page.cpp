// The page and the figure of plan_report.hpp.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "plan_report.hpp"
#include "quality_fit.hpp"

namespace roofline::validation {
namespace {

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[512];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::vector<double> ratios(const std::vector<PlanTrial>& trials, const std::string& model, const std::string& row = {}) {
  std::vector<double> out;
  for (const PlanTrial& trial : trials)
    if (trial.model == model && (row.empty() || trial.row == row)) out.push_back(trial.plan / trial.best_mixture);
  return out;
}

double won(const std::vector<double>& ratios) {
  double count = 0;
  for (const double ratio : ratios) count += ratio < 1 ? 1 : 0;
  return 100 * count / static_cast<double>(ratios.size());
}

std::set<std::string> models_of(const std::vector<PlanTrial>& trials) {
  std::set<std::string> out;
  for (const PlanTrial& trial : trials) out.insert(trial.model);
  return out;
}

}  // namespace

std::string plan_page(const std::vector<KldTable>& tables, const PlanTrials& trials) {
  std::string out = R"(# Validation: quantisation

<!-- Written by tools/quality. -->

These figures judge the [plans](../guide/llm.md#a-plan-of-your-own) of `roofline quantize --budget` on models that the fit of the tensors' shares has not seen. The
measurements are those of Thireus' GGUF Tool Suite and its contributors: the KL divergence of a model with all tensors in a type, and with one tensor
alone in a low type. A plan's divergence is the sum over its tensors of the one measured in the low type, times the ratio of the types: of the model's own
divergences in them (*own*), or of their squared errors on normally distributed weights (*error*). The plan has at most the bytes of a mixture of llama-quantize, and is judged beside the
best mixture of at most those bytes. All tables of the same architecture are left out together.

![KLD of plans relative to the best mixture](validation-quantisation.svg)

| model left out | sizes | better, own | KLD relative to the mixture's, median | better, error | median |
|---|---|---|---|---|---|
)";
  for (const std::string& model : models_of(trials.measured)) {
    const std::vector<double> own = ratios(trials.measured, model), other = ratios(trials.by_relative_error, model);
    out += formatted("| %s | %zu | %.0f%% | %.2fx | %.0f%% | %.2fx |\n", model.c_str(), own.size(), won(own), median_of(own), won(other),
                     median_of(other));
  }
  out += formatted("| all | %zu | %.0f%% | | %.0f%% | |\n", trials.measured.size(), 100 * share_won(trials.measured),
                   100 * share_won(trials.by_relative_error));
  out += R"(
Only Qwen3-4B and Gemma 4 have a tied embedding, and the fit leaves out Gemma 4, so the share of Qwen3-4B's embedding was fitted to Qwen3-4B itself: untied heads and
embeddings have a quarter of that share, too little to predict it. Models without a preset are in the fit but are not judged.

## Qwen3-4B by type

Its tensors were measured in seven types. In the ternary ones (BN), three projections of the first layers have 40% of the loss,
which no other table shows: there plans are about as good as the mixtures.

| tensors measured in | better, own | median | better, error | median |
|---|---|---|---|---|
)";
  for (const KldTable& table : tables)
    if (table.tensors.size() > 1)
      for (const auto& [row, tensors] : table.tensors) {
        const std::vector<double> own = ratios(trials.measured, table.model, row),
                                  other = ratios(trials.by_relative_error, table.model, row);
        out += formatted("| %s | %.0f%% | %.2fx | %.0f%% | %.2fx |\n", row.c_str(), won(own), median_of(own), won(other), median_of(other));
      }
  return out;
}

std::string plan_figure(const std::vector<PlanTrial>& trials) {
  constexpr double width = 720, height = 380, left = 60, top = 20, right = 210, bottom = 45;
  constexpr double least_bits = 1.5, most_bits = 9, lowest = 0.125, highest = 4;
  constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#666666"};
  const auto x = [&](double bits) { return left + (bits - least_bits) / (most_bits - least_bits) * (width - left - right); };
  const auto y = [&](double ratio) {
    return top + std::log(highest / std::clamp(ratio, lowest, highest)) / std::log(highest / lowest) * (height - top - bottom);
  };
  std::string out = formatted(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n", width, height);
  out += "<title>KLD of plans relative to the best mixture of at most their size, over bits per weight</title>\n";
  out += formatted("<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
  for (double ratio = lowest; ratio <= highest; ratio *= 2)
    out += formatted("<path d=\"M%.0f %.1fH%.0f\" stroke=\"%s\"/><text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%gx</text>\n", left,
                     y(ratio), width - right, ratio == 1 ? "#000" : "#ddd", left - 6, y(ratio) + 4, ratio);
  for (int bits = 2; bits <= 9; ++bits)
    out += formatted("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%d</text>\n", x(bits), height - bottom + 18, bits);
  out += formatted("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">bits per weight of the mixture</text>\n", (left + width - right) / 2,
                   height - 8);
  std::size_t at = 0;
  for (const std::string& model : models_of(trials)) {
    const char* colour = colours[at % std::size(colours)];
    for (const PlanTrial& trial : trials)
      if (trial.model == model)
        out += formatted("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\"0.6\"/>\n", x(trial.bits),
                         y(trial.plan / trial.best_mixture), colour);
    const double line = top + 12 + 20 * static_cast<double>(at++);
    out += formatted("<circle cx=\"%.0f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/><text x=\"%.0f\" y=\"%.1f\" font-size=\"11\">%s</text>\n",
                     width - right + 14, line - 4, colour, width - right + 24, line, model.c_str());
  }
  return out + "</svg>\n";
}

}  // namespace roofline::validation
