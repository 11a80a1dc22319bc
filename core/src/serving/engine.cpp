#include <algorithm>
#include <cmath>
#include <roofline/serving/engine.hpp>

namespace roofline {
namespace {

// Between stages of a pipeline, per hop; github.com/ai-dynamo/aiconfigurator, commit 095f58a, systems/*.yaml.
constexpr double hop_latency_s = 10e-6;

}  // namespace

ServingEngine::ServingEngine(const ServingRequest& request, const Scenario& scenario)
    : request_(request),
      scenario_(scenario),
      inference_(request.llm, scenario),
      terms_(scenario.terms_for(true)),
      passes_(std::make_unique<LlmPasses>()) {}

double ServingEngine::mean_context() const { return request_.mean_prompt() + request_.mean_generate() / 2; }

StepTime ServingEngine::time(double sequences, bool decode, double context) const {
  LlmRun run;
  run.phase = decode ? LlmPhase::decode : LlmPhase::prefill;
  run.batch = sequences;
  run.context = context;
  run.prompt = decode ? 0 : request_.new_tokens();
  inference_.evaluate(run, *passes_);
  StepTime out;
  for (const LlmRows* rows : {&passes_->prefill, &passes_->decode, &passes_->draft}) {
    if (rows->size == 0) continue;
    out.bound_s += rows->total.predicted_s;
    out.typical_s += rows->total.typical_s;
    for (std::size_t i = 0; i < out.bound_by_kind.size(); ++i) out.bound_by_kind[i] += rows->total.predicted_by_kind[i];
  }
  if (const double pp = request_.layout.pp; pp > 1) {
    const double tokens = sequences * (decode ? 1 : request_.new_tokens());
    const FormatId activations = request_.llm.setup.formats.activations;
    const double bytes = tokens * request_.llm.setup.model.hidden * Formats::catalogue()[activations].bytes();
    const double rate = scenario_.machine.links.empty() ? unknown : scenario_.machine.links[0].bandwidth.value;
    const double hops_s = (pp - 1) * known_or(bytes / rate, 0);
    out.bound_s += hops_s;
    out.bound_by_kind[static_cast<std::size_t>(ResourceKind::link)] += hops_s;
    out.typical_s += hops_s + (pp - 1) * hop_latency_s;
  }
  return out;
}

StepTime ServingEngine::whole_batch(double batch, double context) const {
  const double micro_batch = std::ceil(batch / request_.layout.pp);
  StepTime out = time(micro_batch, true, context);
  out.typical_s += terms_.sequence_s.value_or(0) * micro_batch / attention_replicas();
  if (request_.llm.speculation) {
    const double tokens = request_.llm.speculation->tokens_per_step();
    out.bound_s /= tokens;
    out.typical_s /= tokens;
    for (double& s : out.bound_by_kind) s /= tokens;
  }
  return out;
}

StepTime ServingEngine::decode(double batch, double context) const {
  const double low = std::max(1.0, std::floor(batch)), above = batch - low;
  StepTime out = whole_batch(low, context);
  if (!(above > 0)) return out;
  const StepTime high = whole_batch(low + 1, context);
  const auto between = [above](double a, double b) { return a + above * (b - a); };
  out.bound_s = between(out.bound_s, high.bound_s);
  out.typical_s = between(out.typical_s, high.typical_s);
  for (std::size_t i = 0; i < out.bound_by_kind.size(); ++i) out.bound_by_kind[i] = between(out.bound_by_kind[i], high.bound_by_kind[i]);
  return out;
}

StepTime ServingEngine::prefill_alone() const { return time(1, false, request_.mean_prompt()); }

StepTime ServingEngine::prefill_interval() const {
  // With data-parallel attention, each of its machines takes prompts of its own.
  const double packed = std::max(1.0, std::floor(request_.llm.chunk / request_.new_tokens())) * attention_replicas();
  StepTime out = time(packed, false, request_.mean_prompt());
  const double share = packed * request_.layout.pp;
  out.bound_s /= share;
  out.typical_s /= share;
  for (double& s : out.bound_by_kind) s /= share;
  return out;
}

MemoryFootprint ServingEngine::memory(double batch) const {
  LlmRun run = request_.llm;
  run.phase = LlmPhase::decode;
  run.batch = std::max(1.0, batch);
  run.prompt = request_.mean_prompt();
  run.generate = 0;
  run.context = mean_context();
  MemoryFootprint out = inference_.memory_footprint(run);
  out.weights /= request_.layout.pp;
  out.kv /= request_.layout.pp;
  return out;
}

double ServingEngine::largest_batch() const {
  const double room = inference_.capacity() * (1 - request_.llm.reserve), replicas = attention_replicas();
  if (!(room > 0)) return unknown;
  // The cache grows by the same bytes with every sequence of a machine; the activations hardly, so that a second look is enough.
  const double sequence = memory(replicas).kv;
  double local = 1;
  for (int look = 0; look < 2; ++look) {
    const MemoryFootprint used = memory(local * replicas);
    local = std::max(0.0, std::floor((room - used.weights - used.activations) / sequence));
    if (local == 0) return 0;
  }
  return local * replicas;
}

}  // namespace roofline
