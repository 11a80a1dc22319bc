#include "plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/llm/quantize_plan.hpp>
#include <utility>

#include "quality_fit.hpp"

namespace roofline::validation {
namespace {

enum class TypeLaw { measured, relative_error };

/// The squared error on normally distributed weights, relative to their squares.
double relative_error(FormatId format) {
  static const std::vector<double> sqnr_db = gguf_sqnr_db(Sample::gaussian);
  return std::pow(10, -sqnr_db[format] / 10);
}

bool has_type(const KldTable& table, const Format& format) { return format.bits >= 16 || table.types.contains(format.id); }

/// What a table says of any assignment of types.
class Judge {
 public:
  Judge(const KldTable& table, const std::map<std::string, double>& tensors, TypeLaw law) : table_(table), tensors_(tensors), law_(law) {}

  [[nodiscard]] double divergence(const std::string& tensor, FormatId id) const {
    const Format& format = Formats::catalogue()[id];
    const auto measured = tensors_.find(tensor);
    if (measured == tensors_.end() || format.bits >= 16) return 0;
    return measured->second * (law_ == TypeLaw::measured ? table_.types.at(format.id) : relative_error(id));
  }

 private:
  const KldTable& table_;
  const std::map<std::string, double>& tensors_;
  TypeLaw law_;
};

/// A mixture, and the plan of at most its size.
struct MixtureAndPlan {
  std::string name;
  Mixture mixture;
  Result<FormatPlan> plan;
};

/// One for each mixture whose types are all in the table.
std::vector<MixtureAndPlan> plan_each_mixture(const KldTable& table, const Model& model, const QualityTable& quality) {
  LlmRequest request = *parse_llm_request("{\"model\": \"" + model.id + "\"}");
  Scenario scenario = Scenario::standard();
  QuantizePlanOptions options;
  options.quality = &quality;
  for (const auto& [type, of] : quality.types)
    if (table.types.contains(type)) options.formats.push_back(*Formats::catalogue().find(type));
  options.formats.push_back(*Formats::catalogue().find("fp16"));
  std::vector<MixtureAndPlan> out;
  for (const std::string& name : mixture_names()) {
    Result<Mixture> mixed = mixture(model, name, true);
    const bool known = std::all_of(mixed->tensors.begin(), mixed->tensors.end(),
                                   [&](const GgufTensor& tensor) { return has_type(table, Formats::catalogue()[tensor.format]); });
    if (!known || name == "F16") continue;
    options.budget = {BudgetKind::bytes, mixed->bytes()};
    out.push_back({name, std::move(*mixed), plan_quantization(request, scenario, options)});
  }
  return out;
}

void judge_model(const KldTable& table, const std::vector<MixtureAndPlan>& sizes, TypeLaw law, std::vector<PlanTrial>& trials) {
  for (const auto& [row, tensors] : table.tensors) {
    const Judge judge(table, tensors, law);
    std::vector<double> mixtures;
    for (const MixtureAndPlan& size : sizes) {
      double& sum = mixtures.emplace_back(0);
      for (const GgufTensor& tensor : size.mixture.tensors) sum += judge.divergence(tensor.name, tensor.format);
    }
    for (const MixtureAndPlan& size : sizes) {
      if (!size.plan || !size.plan->admissible) continue;
      PlanTrial trial{table.model, row, size.name, size.mixture.bits_per_weight(), 0, std::numeric_limits<double>::infinity()};
      for (const PlannedTensor& tensor : size.plan->tensors) trial.plan += judge.divergence(tensor.name, tensor.chosen.format);
      for (std::size_t i = 0; i < sizes.size(); ++i)
        if (sizes[i].mixture.bytes() <= size.mixture.bytes()) trial.best_mixture = std::min(trial.best_mixture, mixtures[i]);
      trials.push_back(trial);
    }
  }
}

}  // namespace

PlanTrials judge_plans(const std::vector<KldTable>& tables) {
  PlanTrials out;
  for (const KldTable& table : tables) {
    const Model* model = preset_of(table);
    if (!model) continue;
    std::vector<const KldTable*> all;
    for (const KldTable& other : tables) all.push_back(&other);
    const std::vector<MixtureAndPlan> sizes = plan_each_mixture(table, *model, fit_quality(without_architecture_of(table, all)));
    judge_model(table, sizes, TypeLaw::measured, out.measured);
    judge_model(table, sizes, TypeLaw::relative_error, out.by_relative_error);
  }
  return out;
}

double share_won(const std::vector<PlanTrial>& trials, const std::string& model) {
  double won = 0, all = 0;
  for (const PlanTrial& trial : trials) {
    if (!model.empty() && trial.model != model) continue;
    all += 1;
    won += trial.plan < trial.best_mixture ? 1 : 0;
  }
  return won / all;
}

}  // namespace roofline::validation
