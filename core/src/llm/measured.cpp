// Measured phases and points against the bound.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>

#include "base/sort_stably.hpp"
#include "llm/performance.hpp"

namespace roofline {

LlmComparison compare_with_measurement(const LlmMeasurement& m, const LlmRequest& request, const Scenario& scenario) {
  LlmComparison out;
  out.measurement = m;
  const LlmInference inference(request, scenario);
  const LlmPlan& plan = inference.plan();
  const double bandwidth = scenario.machine.device_memory().rate().value;
  const double rate = plan.rates(LlmOp::up_proj).matrix, peak = rate < std::numeric_limits<double>::infinity() ? rate : unknown;
  if (m.flops > 0) {  // a point: beside the roof at its intensity
    out.flops = m.flops;
    out.attainable_flops = std::min(peak, m.intensity * bandwidth);
    out.efficiency = m.flops / out.attainable_flops;
    out.mfu = m.flops / peak;
    out.bandwidth = m.flops / m.intensity;
    out.mbu = out.bandwidth / bandwidth;
    out.bottleneck = m.intensity * bandwidth < peak ? "memory-bound" : "compute-bound";
    return out;
  }
  const auto passes = std::make_unique<LlmPasses>();
  inference.evaluate(m, *passes);
  const LlmTotals t = total(*passes);
  out.predicted_s = t.predicted_s;
  out.typical_s = t.typical_s;
  out.flops = t.flops / m.time_s;
  out.bandwidth = t.bytes / m.time_s;
  out.mfu = t.matrix_flops / m.time_s / peak;
  out.mbu = out.bandwidth / bandwidth;
  out.efficiency = t.predicted_s / m.time_s;
  out.attainable_flops = t.flops / t.predicted_s;
  out.bottleneck = t.bound() ? name_of(t.bound()) + "-bound" : "unknown";

  const auto explain = [&](std::string assumption, double time) { out.explanations.push_back({std::move(assumption), time}); };
  const auto otherwise = [&](std::string assumption, const auto& change) {
    LlmRequest r = request;
    change(r);
    const LlmInference other(r, scenario);
    other.evaluate(m, *passes);
    explain(std::move(assumption), total(*passes).typical_s);
  };
  explain("every rate at its peak", t.predicted_s);
  if (t.typical_s > t.predicted_s) explain("it takes what is usual for " + scenario.stack_for(StackUse::language_model).name, t.typical_s);
  if (request.setup.attention != AttentionTraffic::unfused)
    otherwise("attention is not fused", [](LlmRequest& r) { r.setup.attention = AttentionTraffic::unfused; });
  if (request.setup.causal && m.phase != LlmPhase::decode)
    otherwise("attention computes the masked half too", [](LlmRequest& r) { r.setup.causal = false; });
  const WeightFormats& weights = request.setup.formats.weights;
  if (std::any_of(weights.begin(), weights.end(), [](FormatId format) { return Formats::catalogue()[format].bits < 16; }))
    otherwise("weights are dequantised to 16 bits in memory before use",
              [](LlmRequest& r) { r.setup.formats.weights = Formats::catalogue().find("fp16").value_or(0); });
  if (const double gap = (m.time_s - t.typical_s) / t.launches; gap >= 1e-7 && gap <= 1e-3)
    explain(seconds(gap) + " of launching and waiting per operator (" + number(t.launches) + " of them)", m.time_s);
  const auto distance = [&](const LlmComparison::Explanation& e) { return std::max(e.time_s / m.time_s, m.time_s / e.time_s); };
  sort_stably(out.explanations, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return out;
}

std::vector<Mark> marks(const LlmAnswer& answer) {
  std::vector<Mark> out;
  for (const LlmComparison& m : answer.measured) {
    const double intensity = m.measurement.flops > 0 ? m.measurement.intensity : m.flops / m.bandwidth;
    if (intensity > 0 && m.flops > 0) out.push_back({m.measurement.name, intensity, m.flops});
  }
  return out;
}

}  // namespace roofline
