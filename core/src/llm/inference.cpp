// What a request takes: time and memory of its passes.
#include <roofline/base/whole_numbers.hpp>
#include <roofline/llm/inference.hpp>

#include "llm/performance.hpp"

namespace roofline {

LlmInference::LlmInference(const LlmRequest& request, const Scenario& scenario) : request_(request), plan_(request.setup, scenario) {
  if (!request.speculation) return;
  draft_setup_ = std::make_unique<LlmSetup>(request.setup);  // run as the target is
  draft_setup_->model = request.speculation->draft;
  draft_setup_->draft = true;
  draft_ = std::make_unique<LlmPlan>(*draft_setup_, scenario);
}

void LlmInference::evaluate_decode_step(double batch, double context, LlmRows& verify, LlmRows& draft) const {
  draft.clear();
  if (!draft_) return plan_.evaluate(LlmPass::decode_step(batch, context), verify);
  const double gamma = request_.speculation->gamma;
  plan_.evaluate(LlmPass::decode_step(batch, context + gamma, gamma + 1), verify);
  LlmRows once;
  draft_->evaluate(LlmPass::decode_step(batch, context), once);
  draft.add(once, gamma);
}

void LlmInference::evaluate(const LlmRun& run, LlmPasses& out) const {
  for (LlmRows* rows : {&out.prefill, &out.decode, &out.draft}) rows->clear();
  if (run.phase == LlmPhase::decode) return evaluate_decode_step(run.batch, run.context, out.decode, out.draft);
  plan_.evaluate(LlmPass::prefill(run.batch, run.prompt, run.prompt_end()), out.prefill);
  if (draft_) {
    LlmRows once;
    draft_->evaluate(LlmPass::prefill(run.batch, run.prompt, run.prompt_end()), once);
    out.draft.add(once, 1);
  }
  if (run.phase == LlmPhase::prefill || run.generate < 2) return;
  // The first token came out of the prefill. A verified pass yields several tokens, so there are fewer of them.
  const double first = run.cached + run.prompt + 1, last = run.cached + run.prompt + run.generate - 1;
  if (!draft_) return plan_.decode_range(run.batch, 1, first, last, 1, out.decode);
  const Speculation& s = *request_.speculation;
  plan_.decode_range(run.batch, s.gamma + 1, first + s.gamma, last + s.gamma, 1 / s.tokens_per_step(), out.decode);
  draft_->decode_range(run.batch, 1, first, last, s.gamma / s.tokens_per_step(), out.draft);
}

double LlmInference::ttft_s(double batch, double prompt, bool typical) const {
  LlmRows rows;
  plan_.evaluate(LlmPass::prefill(batch, prompt, prompt), rows);
  double time = typical ? rows.total.typical_s : rows.total.predicted_s;
  if (draft_) {
    draft_->evaluate(LlmPass::prefill(batch, prompt, prompt), rows);
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
  return first_whole(high / 2, high, bound);
}

namespace {

/// The request's run at a context (of a prefill: its prompt), with room in the cache for what the request generates.
LlmRun run_at(const LlmRequest& request, double context) {
  LlmRun run = request;
  run.generate = request.longest() - request.context + 1;
  run.prompt = run.context = context;
  return run;
}

}  // namespace

std::vector<float> largest_batches(const LlmInference& inference, std::span<const double> contexts) {
  std::vector<float> out;
  for (const double context : contexts) out.push_back(static_cast<float>(inference.largest_batch(run_at(inference.request(), context))));
  return out;
}

std::vector<float> llm_heat_map(const LlmInference& inference, std::span<const double> batches, std::span<const double> contexts) {
  const double capacity = inference.capacity();
  std::vector<float> out;
  out.reserve(batches.size() * contexts.size());
  const bool prefill = inference.request().phase == LlmPhase::prefill;
  for (const double context : contexts) {
    LlmRun run = run_at(inference.request(), context);
    for (const double batch : batches) {
      run.batch = batch;
      const bool fits = !(capacity > 0) || inference.memory_footprint(run).total() <= capacity;
      const double tokens_per_s = !fits     ? unknown
                                  : prefill ? batch * context / inference.ttft_s(batch, context)
                                            : batch / inference.tpot_s(batch, context);
      out.push_back(static_cast<float>(tokens_per_s));
    }
  }
  return out;
}

}  // namespace roofline
