#include <algorithm>
#include <cctype>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>

#include "analysis/wording.hpp"
#include "llm/performance.hpp"
#include "machine/all_reduce.hpp"

namespace roofline {
namespace {

constexpr double hours_per_year = 365 * 24.0;

/// The first suggested change to the formats or the attention, and to the batch; not to the hardware. Null: none.
struct SettingChanges {
  explicit SettingChanges(const LlmAnswer& a) {
    for (const LlmChange& c : a.changes) {
      if (c.fits == std::optional<bool>(false) || c.hardware) continue;
      if (!batch && c.change.rfind("batch", 0) == 0) batch = &c;
      if (!format &&
          (c.change.find("weights") != std::string::npos || c.change.find("cache") != std::string::npos || c.change == "fused attention"))
        format = &c;
    }
    makes_fit = a.memory.fit == MemoryFit::too_large && format && format->fits == std::optional<bool>(true);
  }
  const LlmChange *format = nullptr, *batch = nullptr;
  bool makes_fit = false;  ///< `format` makes the model fit
};

/// "85.9 GB (80 GiB)": data sheets call that 80 GB.
std::string with_gib(double bytes) { return with_unit(bytes, "B") + " (" + number(bytes / (1 << 30)) + " GiB)"; }

/// "It fits on 4 x NVIDIA H100 NVL (barely on 2), or on 1 with INT4 weights. "; empty: neither helps.
std::string how_to_fit(const LlmRequest& r, const Scenario& scenario, const SettingChanges& changes) {
  const LlmRequest enough = on_enough_machines(r, scenario);
  const MemoryVerdict verdict = LlmInference(enough, scenario).memory(enough);
  const bool more_machines = verdict.in_memory().value_or(false);
  std::string text;
  if (more_machines)
    text = " on " + number(enough.setup.machines()) + " x " + scenario.machine.name +
           (verdict.fit == MemoryFit::tight ? ", with under " + percent(verdict.reserve) + " free" : "");
  if (const auto fewer = barely_fits_on(r, enough, scenario)) text += " (barely on " + number(*fewer) + ")";
  if (changes.makes_fit)
    text += std::string(more_machines ? ", or " : " ") + (changes.format->barely_fits ? "barely " : "") +
            (more_machines ? "on " + number(r.setup.machines()) + " " : "") + "with " + changes.format->change;
  return text.empty() ? text : "It fits" + text + ". ";
}

/// Whether the model fits, and if not, what would make it fit; empty: it fits.
std::string fit_text(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const SettingChanges& changes) {
  const std::string needed = with_unit(a.memory.footprint.total(), "B");
  std::string text;
  if (a.memory.fit == MemoryFit::too_large)
    text = "It does not fit: it needs " + needed + ", and " + scenario.machine.name + " has " + with_gib(a.memory.capacity) + ". " +
           how_to_fit(r, scenario, changes);
  else if (!a.memory.in_memory())
    text = "It needs " + needed + "; the memory of " + scenario.machine.name + " is not known. ";
  else if (a.memory.fit == MemoryFit::tight)
    text = capitalised(a.memory.text()) + ". ";
  return a.memory.beyond_training() ? text + capitalised(a.memory.training_text()) + ". " : text;
}

/// "Decode at batch 16"
std::string phase_text(const LlmRequest& r) {
  const std::string phase =
      r.phase == LlmPhase::prefill ? "Prefill of " + number(r.prompt) + " tokens" +
                                         (r.context > r.prompt ? " after " + number(r.context - r.prompt) + " cached" : "")
      : r.phase == LlmPhase::decode ? "Decode"
                                    : "Generating " + number(r.generate) + " tokens after a prompt of " + number(r.prompt);
  return phase + " at batch " + number(r.batch);
}

/// "Decode at batch 16 is memory-bound on HBM: 76% of the bytes are weights." Says for which part of the time, if not for nearly all.
std::string limit_text(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const LlmTotals& t) {
  if (t.lacks_rate)
    return phase_text(r) + " takes at least " + seconds(t.predicted_s) + ": " + scenario.machine.name + " has no known rate for " +
           Formats::catalogue()[r.setup.formats.activations].name + ".";
  const std::string text = phase_text(r) + " is " + bound_text(a.bound_by, scenario.machine, a.machines) + on_assumed(scenario);
  constexpr double nearly_all = 0.95;
  const double part = a.bound_by ? t.predicted_by(*a.bound_by) / t.predicted_s : 1;
  const std::string for_part = part < nearly_all ? " for " + percent(part) + " of the time" : std::string();
  if (a.bound_by == ResourceKind::compute) return text + " for " + percent(part) + " of the time.";
  if (a.bound_by != ResourceKind::memory) return text + for_part + ".";
  const double rest = 1 - a.weight_share - a.kv_share;
  const bool by_cache = a.kv_share > a.weight_share;
  if (rest > std::max(a.weight_share, a.kv_share)) return text + for_part + ": " + percent(rest) + " of the bytes are activations.";
  return text + for_part + ": " + percent(by_cache ? a.kv_share : a.weight_share) + " of the bytes are " +
         (by_cache ? "key-value cache." : "weights.");
}

/// " INT8 weights: about 1.4x as fast; batch 64: about 3x the tokens per second at 1.3x the latency."; empty: none would help.
std::string change_text(const SettingChanges& changes) {
  std::string text;
  if (changes.format && !changes.makes_fit) text = changes.format->change + ": about " + times(changes.format->typical_gain) + " as fast";
  if (const LlmChange* batch = changes.batch)
    text += (text.empty() ? "B" : "; b") + batch->change.substr(1) + ": about " + times(batch->typical_gain) +
            " the tokens per second at " + times(batch->typical_latency) + " the latency";
  return text.empty() ? text : ' ' + text + '.';
}

std::string finding(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const LlmTotals& t) {
  const SettingChanges changes(a);
  const std::string text = fit_text(a, r, scenario, changes) + limit_text(a, r, scenario, t);
  if (t.lacks_rate) return text;
  std::string step;
  if (r.speculation && r.phase == LlmPhase::decode)
    step = " A step of draft and model takes at least " + seconds(t.predicted_s) + " and makes " + number(a.tokens_per_step) + " tokens.";
  if (r.phase == LlmPhase::generate && a.estimate.total_s > 0)
    step = " Prefill takes " + percent(a.estimate.ttft_s / a.estimate.total_s) + " of the time, decode the rest.";
  return text + step + change_text(changes);
}

}  // namespace

std::string bound_text(std::optional<ResourceKind> bound, const Machine& machine, double machines) {
  if (bound == ResourceKind::compute) return "compute-bound";
  if (bound == ResourceKind::memory)
    return "memory-bound on " + (machine.memories.empty() ? std::string("memory") : machine.memories[0].name);
  if (bound == ResourceKind::link) {
    if (machine.links.empty()) return "bound by the link";
    if (link_shares(machines, machine).scale_out > 0) return "bound by its links (" + machine.links[0].name + ", scale-out)";
    return "bound by " + machine.links[0].name;
  }
  return "not bounded by anything known";
}

LlmCost cost_of(const LlmRequest& r, const Machine& machine) {
  LlmCost cost = r.cost;
  if (cost.usd_per_hour > 0) {
    cost.price_usd = unknown;
    return cost;
  }
  if (!(cost.price_usd > 0)) cost.price_usd = machine.price_usd.value;
  cost.usd_per_hour = cost.price_usd / (cost.years * hours_per_year);
  return cost;
}

LlmAnswer answer(const LlmRequest& r, const Scenario& scenario) {
  LlmAnswer a;
  const LlmInference inference(r, scenario);
  const LlmPlan& plan = inference.plan();
  const Parameters p = parameters(r.setup.model);
  a.parameters = p.total();
  a.active_parameters = p.active();
  a.machines = r.setup.machines();
  a.weights_bytes = plan.weight_bytes();
  a.kv_bytes_per_token = plan.kv_bytes_per_token();
  a.kv_bytes = plan.kv_bytes(r.batch, r.context);
  a.state_bytes = plan.state_bytes(r.batch);
  a.memory = inference.memory(r);
  a.largest_batch = inference.largest_batch(r);
  a.longest_context = inference.longest_context(r);
  a.compute_bound_batch = inference.compute_bound_batch(r.context);
  if (r.speculation) a.tokens_per_step = r.speculation->tokens_per_step();

  const auto passes = std::make_unique<LlmPasses>();
  const LlmPerformance speed = performance(inference, *passes);
  const LlmTotals& t = speed.totals;
  a.bound = speed.bound;
  a.estimate = speed.estimate;
  a.bound_by = t.bound();
  a.compute = plan.rates(LlmOp::up_proj).compute;
  a.weight_share = t.weight_bytes / t.bytes;
  a.kv_share = t.kv_bytes / t.bytes;
  LlmRun alone = r;
  alone.batch = 1;
  alone.phase = LlmPhase::prefill;
  if (r.phase != LlmPhase::prefill) alone.context = alone.prompt;
  inference.evaluate(alone, *passes);
  const LlmTotals one = total(*passes);
  a.ttft_alone_s = one.predicted_s;
  a.typical_ttft_alone_s = one.typical_s;
  LlmRows rows;
  plan.evaluate(LlmPass::prefill(r.batch, r.prompt, r.prompt_end()), rows);
  a.prefill_intensity = rows.total.flops / rows.total.bytes;
  plan.evaluate(LlmPass::decode_step(r.batch, r.context), rows);
  a.decode_intensity = rows.total.flops / rows.total.bytes;

  const Machine& machine = scenario.machine;
  if (machine.tdp_w.known() && !t.lacks_rate) {
    a.joules_per_token = machine.tdp_w.value * a.machines / a.bound.tokens_per_s;
    a.typical_joules_per_token = machine.tdp_w.value * a.machines / a.estimate.tokens_per_s;
  }
  a.cost = cost_of(r, machine);
  if (a.cost.usd_per_hour > 0 && !t.lacks_rate) {
    a.usd_per_million_tokens = usd_per_million(a.cost.usd_per_hour, a.machines, a.bound.tokens_per_s);
    a.typical_usd_per_million_tokens = usd_per_million(a.cost.usd_per_hour, a.machines, a.estimate.tokens_per_s);
  }

  for (const LlmMeasurement& m : r.measured) a.measured.push_back(compare_with_measurement(m, r, scenario));
  a.changes = ranked_changes(r, scenario);
  a.finding = finding(a, r, scenario, t);
  return a;
}

}  // namespace roofline
