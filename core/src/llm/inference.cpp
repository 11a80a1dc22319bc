// What a request takes: time and memory of its passes.
#include <algorithm>
#include <cmath>
#include <roofline/llm/inference.hpp>

#include "llm/performance.hpp"

namespace roofline {

LlmInference::LlmInference(const LlmRequest& request, const Scenario& scenario) : request_(request), plan_(request.setup, scenario) {
  if (!request.speculation) return;
  draft_setup_ = std::make_unique<LlmSetup>(request.setup);  // run as the target is
  draft_setup_->model = request.speculation->draft;
  draft_setup_->ep = 1;
  draft_setup_->draft = true;
  draft_ = std::make_unique<LlmPlan>(*draft_setup_, scenario);
}

void LlmInference::evaluate_decode_step(double batch, double context, LlmRows& verify, LlmRows& draft) const {
  draft.clear();
  if (!draft_) return plan_.evaluate({batch, 1, context, true}, verify);
  const double gamma = request_.speculation->gamma;
  plan_.evaluate({batch, gamma + 1, context + gamma, true}, verify);
  LlmRows once;
  draft_->evaluate({batch, 1, context, true}, once);
  draft.add(once, gamma);
}

void LlmInference::evaluate(const LlmRun& run, LlmPasses& out) const {
  for (LlmRows* rows : {&out.prefill, &out.decode, &out.draft}) rows->clear();
  if (run.phase == LlmPhase::decode) return evaluate_decode_step(run.batch, run.context, out.decode, out.draft);
  const double end = run.phase == LlmPhase::prefill ? run.context : run.prompt;
  plan_.evaluate({run.batch, run.prompt, end, false}, out.prefill);
  if (draft_) {
    LlmRows once;
    draft_->evaluate({run.batch, run.prompt, end, false}, once);
    out.draft.add(once, 1);
  }
  if (run.phase == LlmPhase::prefill || run.generate < 2) return;
  // The first token came out of the prefill. A verified pass yields several tokens, so there are fewer of them.
  const double first = run.prompt + 1, last = run.prompt + run.generate - 1;
  if (!draft_) return plan_.decode_range(run.batch, 1, first, last, 1, out.decode);
  const Speculation& s = *request_.speculation;
  plan_.decode_range(run.batch, s.gamma + 1, first + s.gamma, last + s.gamma, 1 / s.tokens_per_step(), out.decode);
  draft_->decode_range(run.batch, 1, first, last, s.gamma / s.tokens_per_step(), out.draft);
}

double LlmInference::ttft_s(double batch, double prompt, bool typical) const {
  LlmRows rows;
  plan_.evaluate({batch, prompt, prompt, false}, rows);
  double time = typical ? rows.total.typical_s : rows.total.predicted_s;
  if (draft_) {
    draft_->evaluate({batch, prompt, prompt, false}, rows);
    time += typical ? rows.total.typical_s : rows.total.predicted_s;
  }
  return time;
}

double LlmInference::tpot_s(double batch, double context, bool typical) const {
  LlmRows verify, draft;
  evaluate_decode_step(batch, context, verify, draft);
  const double time = typical ? verify.total.typical_s + draft.total.typical_s : verify.total.predicted_s + draft.total.predicted_s;
  return request_.speculation ? time / request_.speculation->tokens_per_step() : time;
}

MemoryFootprint LlmInference::memory_footprint(double batch, double prompt, double context) const {
  MemoryFootprint n;
  n.weights = plan_.weight_bytes_per_machine();
  n.kv = plan_.kv_bytes_per_machine(batch, context);
  const LlmPhase phase = request_.phase;
  if (phase != LlmPhase::decode) n.activations = plan_.activation_bytes({batch, prompt, prompt, false});
  if (phase != LlmPhase::prefill) n.activations = std::max(n.activations, plan_.activation_bytes({batch, 1, context, true}));
  if (draft_) {
    n.weights += draft_->weight_bytes_per_machine();
    n.kv += draft_->kv_bytes_per_machine(batch, context);
  }
  return n;
}

double LlmInference::capacity() const {
  const auto& memories = plan_.scenario().machine.memories;
  return memories.empty() ? unknown : memories[0].capacity.value;
}

namespace {

/// The largest whole number that `holds`, which it does for all below; 0: none, infinite: no limit up to 2^30.
template <class Test>
double largest(const Test& holds) {
  if (!holds(1.0)) return 0;
  double low = 1, high = 2;
  while (high <= 0x1p30 && holds(high)) low = high, high *= 2;
  if (high > 0x1p30) return std::numeric_limits<double>::infinity();
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

double LlmInference::largest_batch(double prompt, double context) const {
  const double room = capacity();
  if (!(room > 0)) return unknown;
  return largest([&](double batch) { return memory_footprint(batch, prompt, context).total() <= room; });
}

double LlmInference::longest_context(double batch) const {
  const double room = capacity();
  if (!(room > 0)) return unknown;
  return largest([&](double context) { return memory_footprint(batch, std::min(context, request_.prompt), context).total() <= room; });
}

double LlmInference::compute_bound_batch(double context) const {
  LlmPasses passes;
  const auto bound = [&](double batch) {
    evaluate_decode_step(batch, context, passes.decode, passes.draft);
    passes.prefill.clear();
    return total(passes).bound() == ResourceKind::compute;
  };
  double high = 1;
  while (high <= 0x1p20 && !bound(high)) high *= 2;
  if (high > 0x1p20) return unknown;
  if (high == 1) return 1;
  double low = high / 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (bound(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<float> llm_heat_map(const LlmInference& inference, std::span<const double> batches, std::span<const double> contexts) {
  const double room = inference.capacity();
  std::vector<float> out;
  out.reserve(batches.size() * contexts.size());
  const LlmPlan& plan = inference.plan();
  const double weights = inference.memory_footprint(1, 1, 1).weights;
  for (const double context : contexts)
    for (const double batch : batches) {
      // Of a decode step; a prompt can be taken in pieces, so that its activations do not decide.
      const bool fits =
          !(room > 0) || weights + plan.kv_bytes_per_machine(batch, context) + plan.activation_bytes({batch, 1, context, true}) <= room;
      out.push_back(fits ? static_cast<float>(batch / inference.tpot_s(batch, context)) : std::numeric_limits<float>::quiet_NaN());
    }
  return out;
}

}  // namespace roofline
