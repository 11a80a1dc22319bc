#include "plan_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "quality_fit.hpp"

namespace roofline::validation {
namespace {

/// The squared error on normally distributed weights, relative to their squares.
double relative_error(FormatId format) {
  static const std::vector<double> sqnr_db = gguf_sqnr_db(Sample::gaussian);
  return std::pow(10, -sqnr_db[format] / 10);
}

/// What a table says of any assignment of types.
class Judge {
 public:
  Judge(const KldTable& table, const std::map<std::string, double>& tensors, TypeLaw law) : table_(table), tensors_(tensors), law_(law) {}

  [[nodiscard]] bool knows(const Format& format) const { return format.bits >= 16 || table_.types.contains(format.id); }
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

struct Size {
  std::string name;
  double bytes = 0, bits = 0, divergence = 0;
};

/// Mixtures whose types the table has all.
std::vector<Size> mixtures_of(const Model& model, const Judge& judge) {
  std::vector<Size> out;
  for (const std::string& name : mixture_names()) {
    const Result<Mixture> mixed = mixture(model, name, true);
    Size size{name, mixed->bytes(), mixed->bits_per_weight(), 0};
    bool known = name != "F16";
    for (const GgufTensor& tensor : mixed->tensors) {
      known = known && judge.knows(Formats::catalogue()[tensor.format]);
      if (known) size.divergence += judge.divergence(tensor.name, tensor.format);
    }
    if (known) out.push_back(size);
  }
  return out;
}

void judge_model(const KldTable& table, const Model& model, const QualityTable& quality, TypeLaw law, std::vector<PlanTrial>& trials) {
  LlmRequest request = *parse_llm_request("{\"model\": \"" + model.id + "\"}");
  Scenario scenario = Scenario::standard();
  QuantizePlanOptions options;
  options.quality = &quality;
  for (const auto& [type, of] : quality.types)
    if (table.types.contains(type)) options.formats.push_back(*Formats::catalogue().find(type));
  options.formats.push_back(*Formats::catalogue().find("fp16"));
  std::map<std::string, Result<FormatPlan>> plans;  // by the mixture whose size it has: the same for each row
  for (const auto& [row, tensors] : table.tensors) {
    const Judge judge(table, tensors, law);
    const std::vector<Size> mixtures = mixtures_of(model, judge);
    for (const Size& size : mixtures) {
      options.budget = {BudgetKind::bytes, size.bytes};
      if (!plans.contains(size.name)) plans.emplace(size.name, plan_quantization(request, scenario, options));
      const Result<FormatPlan>& plan = plans.at(size.name);
      if (!plan || !plan->admissible) continue;
      PlanTrial trial{table.model, row, size.name, size.bits, 0, std::numeric_limits<double>::infinity()};
      for (const PlannedTensor& tensor : plan->tensors) trial.plan += judge.divergence(tensor.name, tensor.chosen.format);
      for (const Size& other : mixtures)
        if (other.bytes <= size.bytes) trial.best_mixture = std::min(trial.best_mixture, other.divergence);
      trials.push_back(trial);
    }
  }
}

}  // namespace

std::vector<PlanTrial> judge_plans(const std::vector<KldTable>& tables, TypeLaw law) {
  std::vector<PlanTrial> out;
  for (const KldTable& table : tables) {
    const Model* model = preset_of(table);
    if (!model) continue;
    std::vector<const KldTable*> all;
    for (const KldTable& other : tables) all.push_back(&other);
    judge_model(table, *model, fit_quality(without_architecture_of(table, all)), law, out);
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
