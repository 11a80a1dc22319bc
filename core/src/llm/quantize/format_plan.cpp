#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "llm/gguf/tensor_names.hpp"
#include "llm/quantize/gguf_tensors.hpp"
#include "llm/quantize/module_names.hpp"
#include "llm/quantize/sensitivity.hpp"
#include "llm/quantize/tensors_by_row.hpp"

namespace roofline {
namespace {

FormatId format_id(std::string_view name) { return Formats::catalogue().find(name).value_or(no_format); }

/// Types that llama-quantize refuses without an importance matrix, or for a tensor that one does not cover.
bool needs_imatrix(const Format& format) { return format.id.starts_with("iq1") || format.id.starts_with("iq2"); }

bool of_no_layer(const GgufTensor& tensor) { return tensor.layer < 0; }

/// The divergence of a model in any format: of one that was not measured, by its error on normally distributed weights.
class FormatDivergences {
 public:
  FormatDivergences(const QualityTable& table, const Model& model) : table_(table), types_(table, model) {}

  [[nodiscard]] TypeDivergence of(FormatId id) const {
    const Format& format = Formats::catalogue()[id];
    const TypeDivergence known_type = types_.of(format);
    if (known(known_type.kld)) return known_type;
    // Q4_0 has 16 levels and a scale per 32 weights. Its band is that of a prediction, even if the model was measured in Q4_0.
    const double error = sqnr_db(format_id("int4_g32"), Sample::gaussian) - sqnr_db(id, Sample::gaussian);
    const TypeDivergence like = types_.of(Formats::catalogue()[format_id("q4_0")]);
    return {like.kld * std::pow(10, error / 10), table_.types.at("q4_0").band};
  }

 private:
  const QualityTable& table_;
  TypeDivergences types_;
};

class Planner {
 public:
  Planner(const LlmRequest& request, const Scenario& scenario, const QuantizePlanOptions& options)
      : request_(request),
        scenario_(scenario),
        options_(options),
        table_(options.quality ? *options.quality : QualityTable::preset()),
        divergences_(table_, request.setup.model) {
    const Model& model = request.setup.model;
    plain_ = {"", gguf_tensors(model), fused_gate(model), model.recurrent.layers > 0, static_cast<int>(model.layers)};
    shares_ = divergence_shares(table_, request.setup.model, plain_.tensors);
    const FormatId half = format_id(options.serving_modules ? "bf16" : "fp16");
    for (std::size_t i = 0; i < plain_.tensors.size(); ++i) {
      GgufTensor& tensor = plain_.tensors[i];
      if (tensor.format != no_format) continue;
      tensor.format = !options.serving_modules && predicts_further(tensor) ? format_id("q8_0") : half;
      if (std::fmod(tensor.row, Formats::catalogue()[tensor.format].block) != 0) tensor.format = half;
      const bool left_alone = options.serving_modules && (of_no_layer(tensor) || module_of(tensor.name, request.setup.model).empty());
      if (!left_alone && (has_choice(i) || !options.serving_modules)) planned_.push_back(i);
    }
    formats_ = options.formats;
    if (formats_.empty()) {
      if (options.serving_modules)
        for (const char* name : {"int4_g128", "int8_g128"}) formats_.push_back(format_id(name));
      else
        for (const auto& [name, quality] : table_.types) formats_.push_back(format_id(name));
      formats_.push_back(half);
    }
  }

  Result<FormatPlan> plan() {
    for (const FormatId format : formats_)
      if (!known(divergences_.of(format).kld))
        return fail("the error of " + Formats::catalogue()[format].name +
                    " is not known: expected GGUF's types, or formats that `roofline accuracy` lists");
    measure_times();
    list_options();
    const FormatSweep sweep(items_, options_.budget.kind == BudgetKind::tpot ? &FormatOption::time_s : &FormatOption::bytes);
    const FormatSweep::Choice choice = choose(sweep);
    FormatPlan out = described(choice);
    out.front = sweep.front();
    for (SweepPoint& point : out.front) point.cost += options_.budget.kind == BudgetKind::tpot ? 0 : fixed_bytes_;
    if (!options_.serving_modules) out.best_mixture = best_mixture(out);
    out.finding = finding(out, mixture(choice));
    return out;
  }

 private:
  using Choice = FormatSweep::Choice;

  [[nodiscard]] bool predicts_further(const GgufTensor& tensor) const { return tensor.layer >= plain_.layers; }
  /// A class that was not measured has no share, and neither have blocks that predict further tokens: those have 8 bits, others keep 16.
  [[nodiscard]] bool has_choice(std::size_t tensor) const { return shares_[tensor] > 0; }

  /// Seconds per token of one sequence: the estimate, else the bound.
  [[nodiscard]] double step_s(const Mixture& mixture) const {
    LlmRequest request = request_;
    request.setup.formats.weights = mixture.weights();
    const LlmInference inference(request, scenario_);
    const double typical = inference.tpot_s(request.batch, request.context, true);
    return known(typical) ? typical : inference.tpot_s(request.batch, request.context);
  }

  /// What an element costs in each format, by class of tensors: the step's time with the class in the format, less that in 16 bits.
  void measure_times() {
    if (options_.budget.kind != BudgetKind::tpot) return;
    std::map<std::vector<WeightPart>, std::vector<std::size_t>> classes;
    for (const std::size_t i : planned_)
      if (has_choice(i)) classes[gguf_name(plain_.tensors[i].name, plain_.fused_gate, plain_.linear_qkv).parts].push_back(i);
    const double in_16_bits = step_s(plain_);
    constexpr double small = 0.01;  // bytes that are never read, such as most of an embedding's, are not free
    byte_price_s_ = small * in_16_bits / plain_.bytes();
    element_s_.assign(plain_.tensors.size(), std::vector<double>(formats_.size(), 0));
    for (const auto& [parts, members] : classes)
      for (std::size_t f = 0; f < formats_.size(); ++f) {
        Mixture mixture = plain_;
        double elements = 0;
        for (const std::size_t i : members) {
          mixture.tensors[i].format = formats_[f];
          elements += mixture.tensors[i].elements;
        }
        const double per_element = (step_s(mixture) - in_16_bits) / elements;
        for (const std::size_t i : members) element_s_[i][f] = per_element;
      }
  }

  /// A tensor, or those that must share a format, as one item of the sweep.
  void list_options() {
    std::map<std::string, std::size_t> places;
    for (const std::size_t i : planned_) {
      const std::string key = options_.serving_modules ? fused_with(plain_.tensors[i].name, request_.setup.model) : plain_.tensors[i].name;
      const auto [place, is_new] = places.try_emplace(key, members_.size());
      if (is_new) members_.emplace_back();
      members_[place->second].push_back(i);
    }
    for (const std::vector<std::size_t>& members : members_) {
      std::vector<FormatOption> options;
      for (std::size_t f = 0; f < formats_.size(); ++f)
        if (std::all_of(members.begin(), members.end(), [&](std::size_t i) { return may_take(i, formats_[f]); }))
          options.push_back(option(members, f));
      if (options.empty()) options.push_back(unchanged(members));
      for (FormatOption& option : options) option.time_s += byte_price_s_ * option.bytes;
      items_.push_back(std::move(options));
    }
    fixed_bytes_ = plain_.bytes();
    for (const std::size_t i : planned_) fixed_bytes_ -= plain_.tensors[i].bytes();
  }

  [[nodiscard]] bool may_take(std::size_t i, FormatId id) const {
    const GgufTensor& tensor = plain_.tensors[i];
    const Format& format = Formats::catalogue()[id];
    if (!has_choice(i)) return false;
    if (std::fmod(tensor.row, format.block) != 0) return false;
    // Nobody measures activations before the embedding, and few after the last norm.
    return !needs_imatrix(format) || (options_.imatrix && !of_no_layer(tensor));
  }

  [[nodiscard]] double noise(std::size_t tensor, FormatId format) const {
    const auto own = options_.own_errors.find(plain_.tensors[tensor].name);
    return shares_[tensor] * divergences_.of(format).kld * (own == options_.own_errors.end() ? 1 : own->second);
  }

  [[nodiscard]] FormatOption option(const std::vector<std::size_t>& members, std::size_t f) const {
    FormatOption out{formats_[f], 0, 0, 0};
    for (const std::size_t i : members) {
      const double elements = plain_.tensors[i].elements;
      out.bytes += elements * Formats::catalogue()[formats_[f]].bytes();
      if (!element_s_.empty()) out.time_s += elements * element_s_[i][f];
      out.noise += noise(i, formats_[f]);
    }
    return out;
  }
  [[nodiscard]] FormatOption unchanged(const std::vector<std::size_t>& members) const {
    FormatOption out{plain_.tensors[members[0]].format, 0, 0, 0};
    for (const std::size_t i : members) out.bytes += plain_.tensors[i].bytes();
    return out;
  }

  [[nodiscard]] Mixture mixture(const Choice& choice) const {
    Mixture out = plain_;
    for (std::size_t item = 0; item < choice.size(); ++item)
      for (const std::size_t i : members_[item]) out.tensors[i].format = items_[item][choice[item]].format;
    return out;
  }

  [[nodiscard]] MemoryVerdict memory(const Mixture& mixture) const {
    LlmRequest request = request_;
    request.setup.formats.weights = mixture.weights();
    mixture.set_unread_bytes(request.setup.model);
    return LlmInference(request, scenario_).memory(request);
  }

  [[nodiscard]] Choice choose(const FormatSweep& sweep) const {
    const double value = options_.budget.value;
    switch (options_.budget.kind) {
      case BudgetKind::kld:
        return sweep.within_noise(value);
      case BudgetKind::tpot:
        return within_time(sweep);
      case BudgetKind::memory: {
        const Mixture smallest = mixture(sweep.within_cost(0));
        return sweep.within_cost(value - (memory(smallest).footprint.total() - smallest.bytes()) - fixed_bytes_);
      }
      default:
        return sweep.within_cost(value - fixed_bytes_);
    }
  }

  /// Times of classes nearly add up: what the sum is off by is taken from the budget, until the step itself keeps to it.
  [[nodiscard]] Choice within_time(const FormatSweep& sweep) const {
    constexpr int most_tries = 6;
    Choice best = sweep.within_cost(-std::numeric_limits<double>::infinity());
    const double fastest = step_s(mixture(best));
    double allowed = sweep.at(best).cost + options_.budget.value - fastest;
    double least_noise = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_tries && fastest <= options_.budget.value; ++i) {
      const Choice choice = sweep.within_cost(allowed);
      const SweepPoint at = sweep.at(choice);
      const double left = options_.budget.value - step_s(mixture(choice));
      if (left >= 0 && at.noise < least_noise) best = choice, least_noise = at.noise;
      if (left >= 0 && left < 1e-3 * options_.budget.value) break;
      allowed = at.cost + (left < 0 ? 1.02 : 1) * left;
    }
    return best;
  }

  [[nodiscard]] FormatPlan described(const Choice& choice) const {
    const Model& model = request_.setup.model;
    const Mixture mixed = mixture(choice);
    FormatPlan out;
    out.subject = model.id.empty() ? model.name : model.id;
    out.machine = scenario_.machine.id;
    out.budget = options_.budget;
    out.imatrix = options_.imatrix;
    out.credit = table_.credit;
    out.bytes = mixed.bytes();
    out.time_s = step_s(mixed);
    DivergenceSum divergence;
    for (std::size_t item = 0; item < choice.size(); ++item)
      for (const std::size_t i : members_[item]) {
        const GgufTensor& tensor = plain_.tensors[i];
        const FormatOption& chosen = items_[item][choice[item]];
        const auto f = static_cast<std::size_t>(std::find(formats_.begin(), formats_.end(), chosen.format) - formats_.begin());
        FormatOption own = f < formats_.size() ? option({i}, f) : unchanged({i});
        if (!element_s_.empty()) own.time_s -= tensor.elements * *std::min_element(element_s_[i].begin(), element_s_[i].end());
        out.tensors.push_back({tensor.name,
                               module_of(tensor.name, request_.setup.model),
                               {},
                               {},
                               tensor.elements,
                               own,
                               sqnr_db(own.format, Sample::gaussian),
                               options_.own_errors.contains(tensor.name)});
        if (own.noise > 0) divergence.add(own.noise, divergences_.of(own.format), own.format);
      }
    const Divergence sum = divergence.result(options_.imatrix);
    out.kld = sum.kld;
    out.kld_low = sum.low;
    out.kld_high = sum.high;
    out.reached = reached(out, mixed);
    out.admissible = out.reached <= options_.budget.value * (1 + 1e-12);
    return out;
  }

  [[nodiscard]] double reached(const FormatPlan& plan, const Mixture& mixed) const {
    switch (options_.budget.kind) {
      case BudgetKind::memory:
        return memory(mixed).footprint.total();
      case BudgetKind::tpot:
        return plan.time_s;
      case BudgetKind::kld:
        return plan.kld;
      default:
        return plan.bytes;
    }
  }

  [[nodiscard]] std::string finding(const FormatPlan& plan, const Mixture& mixed) const {
    const BudgetKind kind = options_.budget.kind;
    const auto text = [&](double value) { return budget_text(kind, value); };
    std::string out = plan.admissible ? "Within " + text(plan.budget.value) + ": "
                                      : "No plan keeps to " + text(plan.budget.value) + ". The nearest has " + text(plan.reached) + ", " +
                                            text(plan.reached - plan.budget.value) + " too much: ";
    out += with_unit(plan.bytes, "B") + " of weights, KLD " + number(plan.kld) + " (80% of models: " + number(plan.kld_low) + " to " +
           number(plan.kld_high) + "), " + seconds(plan.time_s) + " per token on " + scenario_.machine.name + '.';
    const MemoryVerdict verdict = memory(mixed);
    if (!verdict.text().empty())
      out += " At " + with_commas(static_cast<std::size_t>(request_.context)) + " tokens of context it " + verdict.text() + '.';
    if (const std::string rows = fallback(); !rows.empty()) out += " Of the tensors, " + rows + '.';
    const BestMixture& best = plan.best_mixture;
    return best.name.empty() ? out
                             : out + " The best mixture of at most this " + (kind == BudgetKind::tpot ? "time" : "size") + ", " +
                                   best.name + ", has KLD " + number(best.kld) + '.';
  }

  /// Tensors that some formats are not for, because their rows are no whole blocks; empty: none.
  [[nodiscard]] std::string fallback() const {
    TensorsByRow out;
    for (const std::size_t i : planned_) {
      const auto block = [&](FormatId format) { return static_cast<double>(Formats::catalogue()[format].block); };
      double longest = 0;
      for (const FormatId format : formats_)
        if (std::fmod(plain_.tensors[i].row, block(format)) != 0) longest = std::max(longest, block(format));
      if (has_choice(i) && longest > 0) out.add(plain_.tensors[i], "no type in blocks of " + number(longest));
    }
    return out.text();
  }

  [[nodiscard]] BestMixture best_mixture(const FormatPlan& plan) const {
    const bool by_time = options_.budget.kind == BudgetKind::tpot;
    BestMixture best;
    for (const std::string& name : mixture_names()) {
      const Result<Mixture> other = roofline::mixture(request_.setup.model, name, options_.imatrix);
      const double kld = divergence(request_.setup.model, *other, options_.imatrix).kld;
      const bool within = by_time ? step_s(*other) <= plan.time_s : other->bytes() <= plan.bytes;
      if (within && known(kld) && !(kld >= best.kld)) best = {name, other->bytes(), step_s(*other), kld};
    }
    return best;
  }

  const LlmRequest& request_;
  const Scenario& scenario_;
  const QuantizePlanOptions& options_;
  const QualityTable& table_;
  FormatDivergences divergences_;
  Mixture plain_;                                  ///< all in 16 bits but what is never quantised
  std::vector<double> shares_;                     ///< by tensor
  std::vector<std::size_t> planned_;               ///< tensors that get a format
  std::vector<FormatId> formats_;                  ///< to choose from
  std::vector<std::vector<double>> element_s_;     ///< by tensor and format; empty: times do not matter
  std::vector<std::vector<std::size_t>> members_;  ///< tensors of each item
  std::vector<std::vector<FormatOption>> items_;
  double fixed_bytes_ = 0;
  double byte_price_s_ = 0;  ///< what a byte costs beside the time that it takes, of a budget of time
};

}  // namespace

Result<FormatPlan> plan_quantization(const LlmRequest& request, const Scenario& scenario, const QuantizePlanOptions& options) {
  return Planner(request, scenario, options).plan();
}

}  // namespace roofline
