// Predicted divergences and plans of formats on models left out of the fit: better than the median of the other models, and than the best
// mixture of their size. Needs ../shared/samples.
#include <cmath>

#include "plan_report.hpp"
#include "prediction_report.hpp"
#include "quality_fit.hpp"
#include "support.hpp"

using namespace roofline;
using namespace roofline::validation;

namespace {

const std::vector<KldTable>& tables() {
  static const std::vector<KldTable> all = read_kld_tables("../shared/samples/models/kld");
  return all;
}

}  // namespace

TEST_CASE("plan quality: on models left out, four plans in five are better than the best mixture of their size", "[llm]") {
  if (tables().empty()) {
    WARN("no ../shared/samples: skipped");
    return;
  }
  const PlanTrials trials = judge_plans(tables());
  CHECK(trials.measured.size() == 540);
  for (const char* model : {"DeepSeek-V3.1-Terminus", "GLM-4.5-Air", "GLM-4.6", "Kimi-K2.5", "Qwen3-4B-Instruct-2507",
                            "Qwen3-VL-235B-A22B-Instruct", "Qwen3-VL-235B-A22B-Thinking"}) {
    INFO(model);
    CHECK(share_won(trials.measured, model) >= 0.8);
  }
  CHECK(share_won(trials.by_relative_error) > 0.85);
  CHECK(share_won(trials.by_relative_error, "Qwen3.5-27B") >= 0.8);
}

TEST_CASE("prediction: on models left out, better than the median of the others, and four in five within the band", "[llm]") {
  if (tables().empty()) {
    WARN("no ../shared/samples: skipped");
    return;
  }
  const PredictionErrors errors = errors_of(judge_predictions(tables()));
  CHECK(errors.improvement >= 0.2);
  CHECK(errors.p90 < 0.6 * errors.plain_p90);
  CHECK(errors.within_band >= 0.8);
  CHECK(errors.least_within_band >= 0.75);  // 13 of 17 models
  CHECK(outlier_factor(tables()) > 10);     // Gemma 4's
  std::vector<PredictionTrial> flash;
  for (const PredictionTrial& trial : judge_predictions(tables()))
    if (trial.model == "GLM-4.7-Flash") flash.push_back(trial);
  CHECK(errors_of(flash).median < 2);  // latent attention and 3B active: 9 times the median of the others, which its size explains
}

TEST_CASE("prediction: a fit finds the size and the kinds that tables are made of", "[llm]") {
  std::vector<KldTable> made;
  for (const auto& [model, kld] : {std::pair("Qwen3-4B-Instruct-2507", 0.08), std::pair("Qwen3.5-9B", 0.04), std::pair("Qwen3.5-27B", 0.02),
                                   std::pair("GLM-4.5-Air", 0.03), std::pair("GLM-4.6", 0.03), std::pair("Kimi-K2.5", 0.09)})
    made.push_back({model, {{"q4_k", kld}}, {{"q2_k", {{"blk.1.ffn_up.weight", 1}, {"blk.2.ffn_up.weight", 1}}}}});
  std::vector<const KldTable*> all;
  for (const KldTable& table : made) all.push_back(&table);
  const QualityTable fitted = fit_quality(all);
  const auto size = [&](std::size_t i) { return std::log(architecture_of(made[i]).active); };
  std::vector<double> slopes = {std::log(2) / (size(0) - size(1)), std::log(4) / (size(0) - size(2)), std::log(2) / (size(1) - size(2))};
  CHECK_THAT(fitted.parameters_exponent, WithinRel(median_of(slopes), 1e-9));
  const TypeQuality& q4 = fitted.types.at("q4_k");
  // Shrunk: 2 of 3 parts of what two experts are above the median of all count as their level, and 2 of 12 of the rest.
  std::vector<double> levels;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Architecture a = architecture_of(made[i]);
    levels.push_back(std::log(made[i].types.at("q4_k")) - fitted.size_effect(a.kind, a.active));
  }
  const double experts = (std::log(0.03) - median_of(levels)) * 2 / 3;
  CHECK_THAT(q4.kinds[static_cast<std::size_t>(ModelKind::experts)],
             WithinAbs(experts + (std::log(0.03) - experts - q4.log_kld) * 2 / 12, 1e-9));
  // Half of what the only latent model is above counts.
  const double latent = (levels[5] - median_of(levels)) / 2;
  CHECK_THAT(q4.kinds[static_cast<std::size_t>(ModelKind::latent)], WithinAbs(latent + (levels[5] - latent - q4.log_kld) / 11, 1e-9));
  CHECK_THAT(fitted.log_kld(q4, ModelKind::experts, 1e9), WithinRel(fitted.log_kld(q4, ModelKind::experts, 1e12), 1e-12));  // no size
  const double slope = fitted.log_kld(q4, ModelKind::latent, 1e10 * std::exp(1)) - fitted.log_kld(q4, ModelKind::latent, 1e10);
  CHECK_THAT(slope, WithinRel(fitted.parameters_exponent, 1e-9));
  // Bands are errors on models left out of the fit: a single model gives none.
  CHECK(q4.band > 1);
  CHECK(!known(fit_quality({all[0]}).types.at("q4_k").band));
}

TEST_CASE("plan quality: the preset is the fit", "[llm]") {
  if (tables().empty()) {
    WARN("no ../shared/samples: skipped");
    return;
  }
  std::vector<const KldTable*> all;
  for (const KldTable& table : tables()) all.push_back(&table);
  const QualityTable fitted = fit_quality(all);
  const QualityTable& preset = QualityTable::preset();
  CHECK(preset.types.size() == fitted.types.size());
  CHECK_THAT(preset.parameters_exponent, WithinAbs(fitted.parameters_exponent, 6e-5));
  for (const auto& [name, of] : fitted.types) {
    INFO(name);
    REQUIRE(preset.types.contains(name));
    CHECK_THAT(preset.types.at(name).log_kld, WithinAbs(of.log_kld, 6e-4));
    for (std::size_t kind = 0; kind < of.kinds.size(); ++kind)
      CHECK_THAT(preset.types.at(name).kinds[kind], WithinAbs(of.kinds[kind], 6e-4));
    CHECK_THAT(preset.types.at(name).band, WithinAbs(of.band, 6e-3));
  }
  CHECK(preset.weights.size() == fitted.weights.size());
  for (const auto& [name, value] : fitted.weights) {
    INFO(name);
    REQUIRE(preset.weights.contains(name));
    CHECK_THAT(preset.weights.at(name), WithinAbs(value, 6e-4));
  }
  for (const auto& [name, value] : fitted.shares) CHECK_THAT(preset.shares.at(name), WithinAbs(value, 6e-4));
  for (const auto& [name, value] : fitted.depth) CHECK_THAT(preset.depth.at(name), WithinAbs(value, 6e-4));
}

TEST_CASE("plan quality: a fit finds the shares that tables are made of", "[llm]") {
  std::vector<KldTable> made;
  for (int m = 0; m < 3; ++m) {
    KldTable table{"Model-" + std::to_string(m), {{"q4_k", 0.02 * (m + 1)}}, {}};
    auto& tensors = table.tensors["q2_k"];
    for (int layer = 0; layer < 12; ++layer) {
      const std::string block = "blk." + std::to_string(layer) + '.';
      const double ffn = layer == 11 ? 3 : 1, attn = layer == 0 ? 2 : 1;
      for (const char* name : {"ffn_gate", "ffn_up", "ffn_down"}) tensors[block + name + ".weight"] = 0.01 * (m + 1) * ffn;
      tensors[block + "attn_k.weight"] = 0.003 * (m + 1) * attn;
      tensors[block + "attn_v.weight"] = 0.005 * (m + 1) * attn;
    }
    tensors["output.weight"] = 0.3 * (m + 1);
    made.push_back(table);
  }
  std::vector<const KldTable*> all;
  for (const KldTable& table : made) all.push_back(&table);
  const QualityTable fitted = fit_quality(all);
  CHECK_THAT(fitted.weights.at("attn_k"), WithinRel(0.3, 1e-9));
  CHECK_THAT(fitted.weights.at("attn_v"), WithinRel(0.5, 1e-9));
  CHECK_THAT(fitted.weights.at("ffn_up"), WithinRel(1, 1e-9));
  CHECK_THAT(fitted.depth.at("first_attn"), WithinRel(2, 1e-9));
  CHECK_THAT(fitted.depth.at("first_ffn"), WithinRel(1, 1e-9));
  CHECK_THAT(fitted.depth.at("last_ffn"), WithinRel(3, 1e-9));
  CHECK_THAT(fitted.shares.at("output"), WithinRel(0.3 / (0.3 + 3 * 0.01 * (11 + 3) + 0.008 * (2 + 11)), 1e-9));
}
