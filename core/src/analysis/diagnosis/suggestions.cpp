#include "analysis/diagnosis/suggestions.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/analysis/estimate.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/scenario/operands.hpp>

#include "analysis/blocks.hpp"
#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

class Suggester {
 public:
  Suggester(const Plan& plan, std::size_t op, const OpAnalysis& analysis)
      : plan_(plan), op_(op), op_class_(plan.workload().class_of(op)), a_(analysis), row_(single_row(plan.workload(), op)) {
    typical_today_s_ = typical_time(row_);
  }

  void suggest() {
    if (a_.limit == Limit::neither) return reach_median_of_type();
    if (a_.limit == Limit::unknown && !plan_.lacks_rate(op_)) return;
    try_computed_formats();
    if (a_.limit == Limit::unknown) return sort_by_predicted_time();
    const Formats& formats = Formats::catalogue();
    const auto narrower = [&](FormatId today, std::string_view name) -> std::optional<FormatId> {
      const auto f = formats.find(name);
      if (!f || today == no_format || formats[*f].bytes() >= formats[today].bytes()) return std::nullopt;
      return f;
    };
    for (const std::string_view name : {"int8", "int4_g128"}) {
      const auto f = narrower(op_class_.weight, name);
      if (!f) continue;
      WhatIf weights;
      weights.weight = f;
      try_change(formats[*f].describe("weights"), weights);
    }
    for (const std::string_view name : {"fp8_e4m3", "int8"}) {
      const auto f = narrower(op_class_.kv, name);
      if (!f) continue;
      WhatIf cache;
      cache.kv = f;
      try_change(formats[*f].name + " KV cache", cache);
    }
    if (op_class_.weight != no_format) {
      WhatIf batch;
      batch.batch_scale = 8;
      try_change("batch x8", batch);
    }
    reach_roof();
    move_only_what_is_needed();
    sort_stably(out_, [](const Suggestion& x, const Suggestion& y) {
      return x.coarse_cache != y.coarse_cache ? y.coarse_cache : x.gain() > y.gain();
    });
    if (out_.size() > 6) out_.resize(6);
    other_machine();
  }

  [[nodiscard]] std::vector<Suggestion> take() { return std::move(out_); }
  [[nodiscard]] bool one_rate() const { return one_rate_; }

 private:
  [[nodiscard]] bool by_compute() const { return plan_.resources()[a_.bound_by].kind == ResourceKind::compute; }

  void try_change(std::string name, const WhatIf& whatif) {
    Scenario scenario = plan_.scenario();
    scenario.whatif = whatif;
    const Plan plan(row_, scenario);
    const OpWhatIf then = plan.what_if(0);
    if (!(then.predicted_time_s > 0 || then.speedup.high > 0) || then.lacks_rate) return;
    const bool one_rate = computes_narrower_at_one_rate(plan);
    const double per_item = whatif.batch_scale;  // a larger batch does more in the same run
    Suggestion s;
    s.change = std::move(name);
    s.whatif = whatif;
    const bool known_today = a_.limit != Limit::unknown;  // else today's bound is of the bytes alone
    s.low = known_today ? then.speedup.low : unknown;
    s.high = known_today ? then.speedup.high : unknown;
    s.predicted_time_s = then.predicted_time_s / per_item;
    s.bytes_factor = a_.bytes > 0 && then.bytes > 0 ? a_.bytes * per_item / then.bytes : 1;
    if (a_.time_s > 0) s.at_roof = a_.time_s * per_item / then.predicted_time_s;
    s.typical_speedup = typical_speedup(whatif);
    s.coarse_cache = (op_class_.kv != no_format || op_class_.roles_unknown) && whatif.kv && Formats::catalogue()[*whatif.kv].bits < 8;
    if (s.gain() <= 1.05) return;
    out_.push_back(std::move(s));
    one_rate_ |= one_rate;
  }

  /// Suggestion::typical_speedup. Unknown also where a change would scale bytes that no operand tells: on links and in inner memories.
  [[nodiscard]] double typical_speedup(const WhatIf& whatif) const {
    const bool moves_elsewhere = std::any_of(row_.channels.begin(), row_.channels.end(), [](const Channel& c) { return c.bytes[0] > 0; });
    if (known(a_.time_s) || op_class_.rates_only || op_class_.roles_unknown || known(a_.hw_bytes) || moves_elsewhere) return unknown;
    if (a_.limit == Limit::unknown || (whatif.batch_scale != 1 && !batch_is_rows())) return unknown;
    Workload changed = with_batch(row_, whatif.batch_scale);
    for (OpClass& op_class : changed.classes) op_class = with_formats(op_class, whatif);
    return whatif.batch_scale * typical_today_s_ / typical_time(changed, whatif.machine);
  }
  /// Whether a larger batch only adds rows to its products; not so of a gradient.
  [[nodiscard]] bool batch_is_rows() const {
    if (op_class_.family != OpFamily::matrix_product || row_.sizes.empty()) return true;
    const OpSizes& sizes = row_.distinct_sizes[row_.sizes[0]];
    const double inputs = sizes.m * sizes.k * sizes.batch * row_.count_of(0);
    return std::abs(row_.activation[0] - inputs) <= 1e-9 * inputs;
  }
  /// The row with its batch multiplied by `times`; the weights stay.
  static Workload with_batch(Workload row, double times) {
    for (auto column : {&Workload::matrix_flops, &Workload::vector_flops, &Workload::activation, &Workload::output, &Workload::kv_read,
                        &Workload::kv_write})
      for (double& value : row.*column) value *= times;
    for (OpSizes& sizes : row.distinct_sizes) (sizes.batch > 1 ? sizes.batch : sizes.m) *= times;
    for (OpClass& op_class : row.classes) op_class.prompt_tokens *= times;
    return row;
  }
  [[nodiscard]] double typical_time(const Workload& row, const std::optional<Machine>& machine = {}) const {
    Scenario scenario = plan_.scenario().without_whatif();
    if (machine) scenario.use(*machine);
    return Plan(row, scenario).analyze(0).typical_time_s;
  }

  /// The same operands as the formats' table and a network's plan give a format to, by the same words.
  void try_operands(FormatId format) {
    const WhatIf whatif = with_format({}, format, Roles::all);
    try_change(formats_words(whatif), whatif);
  }

  /// The formats that the machine computes in and that take fewer bytes, or compute in fewer bits. Of as many bytes also BF16, where FP16
  /// has no known rate.
  void try_computed_formats() {
    const Formats& formats = Formats::catalogue();
    const FormatId today = op_class_.activation;
    if (today == no_format) return;
    const std::string& id = formats[today].id;
    for (const std::string_view name : {"fp16", "int8", "fp8_e4m3", "nvfp4", "int4", "tf32", "bf16"}) {
      const auto f = formats.find(name);
      if (!f || support(plan_.scenario().machine, *f, true) != FormatSupport::computes) continue;
      const bool instead = (name == "tf32" && id == "fp32") || (name == "bf16" && id == "fp16" && a_.limit == Limit::unknown);
      if (name == "tf32" || name == "bf16" ? instead : formats[*f].bytes() < formats[today].bytes()) try_operands(*f);
    }
  }

  void sort_by_predicted_time() {
    sort_stably(out_, [](const Suggestion& x, const Suggestion& y) { return x.predicted_time_s < y.predicted_time_s; });
  }

  void reach_roof() {
    if (!(a_.efficiency < 0.95)) return;
    Suggestion s;
    s.change = "if it reached the roof";
    s.high = 1 / a_.efficiency;
    out_.push_back(s);
  }

  /// Suggests the median efficiency of the other operations of its type, which this run reaches; the roof if that is unknown or no gain.
  void reach_median_of_type() {
    const double median = median_efficiency_of_type();
    if (!(median > a_.efficiency)) return reach_roof();
    Suggestion s;
    s.change = "if it ran like the other " + op_class_.type + " ops (median: " + percent(median) + " of the roof)";
    s.high = median / a_.efficiency;
    out_.push_back(std::move(s));
  }
  /// Median over the operations that a roof limits. NaN: fewer than three, or too many rows to scan while a slider is dragged.
  [[nodiscard]] double median_efficiency_of_type() const {
    constexpr std::size_t min_ops = 3, max_rows = 10'000;
    const Workload& w = plan_.workload();
    if (w.size() > max_rows) return unknown;
    std::vector<std::uint8_t> of_type;
    for (const OpClass& op_class : w.classes) of_type.push_back(op_class.type == op_class_.type ? 1 : 0);
    OpMask mask;
    mask.classes = of_type.data();
    mask.op_class = w.op_class.data();
    std::vector<double> found;
    Blocks blocks(plan_);
    for_each_block(blocks, mask, [&](const OpBlock& block) {
      for (std::size_t j = 0; j < block.count; ++j) {
        const Limit limit = limit_of(plan_, block, j);
        const double efficiency = efficiency_of(block.predicted_s[j], block.time_s[j]);
        if (limit != Limit::neither && limit != Limit::unknown && efficiency <= 1) found.push_back(efficiency);
      }
    });
    if (found.size() < min_ops) return unknown;
    const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
    std::nth_element(found.begin(), middle, found.end());
    return *middle;
  }

  /// If more bytes were moved than the operands have: the speed-up of moving only those, at today's efficiency.
  void move_only_what_is_needed() {
    const double bandwidth = a_.bytes / a_.min_time_s[a_.bound_by];
    if (by_compute() || !(a_.derived_bytes < 0.95 * a_.hw_bytes) || a_.bytes != a_.work[a_.bound_by]) return;
    Suggestion s;
    s.change = "moving only the " + with_unit(a_.derived_bytes, "B") + " needed";
    s.high = a_.predicted_time_s / std::max(a_.derived_bytes / bandwidth, known_or(a_.min_time_s[0], 0));
    if (s.gain() > 1.05) out_.push_back(std::move(s));
  }

  /// The machine of the same segment with the shortest estimate that rests on its own benchmarks. Nothing for an assumed machine.
  void other_machine() {
    const Machine& own = plan_.scenario().base;
    if (plan_.scenario().basis == MachineBasis::assumed || own.segment.empty() || a_.bound_by == no_resource) return;
    // Sorted by a lower bound of the time, so that most machines need no estimate: copying a machine costs more than analysing the
    // operation.
    std::vector<std::pair<double, const Machine*>> candidates;
    for (const Machine& m : Machines::presets().all()) {
      if (m.segment != own.segment || m.memories.empty()) continue;
      const double transfer_s = a_.bytes / m.memories[0].rate().value, compute_s = a_.matrix_flops / m.highest_peak();
      candidates.emplace_back(std::max(known_or(transfer_s, 0), known_or(compute_s, 0)), &m);
    }
    sort_stably(candidates, [](const auto& x, const auto& y) { return x.first < y.first; });
    const Machine* best = nullptr;
    double least = typical_today_s_;
    Scenario scenario = plan_.scenario().without_whatif();
    for (const auto& [least_s, m] : candidates) {
      if (least_s >= least) break;
      scenario.use(*m);
      if (estimate_is_assumed(scenario, plan_.stack_use()) || !launch_is_known(scenario, plan_.stack_use())) continue;
      const double time = Plan(row_, scenario).analyze(0).typical_time_s;
      if (time < least) least = time, best = m;
    }
    if (!best) return;
    WhatIf machine;
    machine.machine = *best;
    try_change(best->name, machine);
  }

  const Plan& plan_;
  std::size_t op_;
  const OpClass& op_class_;
  const OpAnalysis& a_;
  Workload row_;
  double typical_today_s_ = unknown;  ///< estimate of row_
  bool one_rate_ = false;
  std::vector<Suggestion> out_;
};

}  // namespace

std::vector<Suggestion> suggestions(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool& one_rate) {
  Suggester suggester(plan, op, analysis);
  suggester.suggest();
  one_rate = suggester.one_rate();
  return suggester.take();
}

}  // namespace roofline
