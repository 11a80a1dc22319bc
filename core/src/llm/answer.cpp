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

/// "It fits on 4 x NVIDIA H100 SXM, with under 10% free. "; empty: it does not fit on as many as can work together.
std::string enough_machines(const LlmRequest& r, const Scenario& scenario) {
  const LlmRequest enough = on_enough_machines(r, scenario);
  const MemoryVerdict verdict = LlmInference(enough, scenario).memory(enough);
  if (!verdict.in_memory().value_or(false)) return {};
  return "It fits on " + number(enough.setup.machines()) + " x " + scenario.machine.name +
         (verdict.fit == MemoryFit::tight ? ", with under " + percent(verdict.reserve) + " free. " : ". ");
}

/// "85.9 GB (80 GiB)": data sheets call that 80 GB.
std::string with_gib(double bytes) { return with_unit(bytes, "B") + " (" + number(bytes / (1 << 30)) + " GiB)"; }

std::string finding(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const LlmTotals& t) {
  std::string text;
  const MemoryFootprint& memory = a.memory.footprint;
  if (a.memory.fit == MemoryFit::too_large)
    text = "It does not fit: it needs " + with_unit(memory.total(), "B") + ", and " + scenario.machine.name + " has " +
           with_gib(a.memory.capacity) + ". Of the " + with_unit(memory.total(), "B") + ", " + with_unit(memory.weights, "B") +
           " are weights, " + with_unit(memory.kv, "B") + " cache and " + with_unit(memory.activations, "B") + " activations. " +
           enough_machines(r, scenario);
  else if (!a.memory.in_memory())
    text = "It needs " + with_unit(memory.total(), "B") + "; the memory of " + scenario.machine.name + " is not known. ";
  else if (a.memory.fit == MemoryFit::tight)
    text = capitalised(a.memory.text()) + ". ";
  if (a.memory.beyond_training()) text += capitalised(a.memory.training_text()) + ". ";
  text += r.phase == LlmPhase::prefill ? "Prefill of " + number(r.prompt) + " tokens" +
                                             (r.context > r.prompt ? " after " + number(r.context - r.prompt) + " cached" : "")
          : r.phase == LlmPhase::decode ? "Decode"
                                        : "Generating " + number(r.generate) + " tokens after " + number(r.prompt);
  text += " at batch " + number(r.batch);
  if (t.lacks_rate)
    return text + " takes at least " + seconds(t.predicted_s) + ": " + scenario.machine.name + " has no known rate for " +
           Formats::catalogue()[r.setup.formats.activations].name + ".";
  text += " is " + bound_text(a.bound_by, scenario.machine, a.machines) + on_assumed(scenario);
  if (a.bound_by == ResourceKind::memory) {
    const double rest = 1 - a.weight_share - a.kv_share;
    const bool by_cache = a.kv_share > a.weight_share;
    text += rest > std::max(a.weight_share, a.kv_share) ? ": " + percent(rest) + " of the bytes are activations."
                                                        : ": " + percent(by_cache ? a.kv_share : a.weight_share) + " of the bytes are " +
                                                              (by_cache ? "key-value cache." : "weights.");
  } else if (a.bound_by == ResourceKind::compute) {
    text += ": " + percent(t.predicted_by(ResourceKind::compute) / t.predicted_s) + " of the time.";
  } else {
    text += ".";
  }
  if (r.speculation && r.phase == LlmPhase::decode)
    text += " A step of draft and model takes at least " + seconds(t.predicted_s) + " and makes " + number(a.tokens_per_step) + " tokens.";
  // One change to the formats and one to the batch: what is a setting, not another machine.
  std::string changes;
  const LlmChange *format = nullptr, *batch = nullptr;
  for (const LlmChange& c : a.changes) {
    if (c.fits == std::optional<bool>(false) || c.hardware) continue;
    if (!batch && c.change.rfind("batch", 0) == 0) batch = &c;
    if (!format &&
        (c.change.find("weights") != std::string::npos || c.change.find("cache") != std::string::npos || c.change == "fused attention"))
      format = &c;
  }
  const bool makes_fit = a.memory.fit == MemoryFit::too_large && format && format->fits == std::optional<bool>(true);
  if (makes_fit)
    changes = std::string(format->barely_fits ? "It barely fits with " : "It fits with ") + format->change + ", at about " +
              times(format->typical_gain) + " the speed";
  else if (format)
    changes = format->change + ": about " + times(format->typical_gain);
  if (batch)
    changes += (changes.empty() ? "B" : makes_fit ? ". B" : "; b") + batch->change.substr(1) + ": about " + times(batch->typical_gain) +
               " the tokens per second at " + times(batch->typical_latency) + " the latency";
  return changes.empty() ? text : text + " " + changes + ".";
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
