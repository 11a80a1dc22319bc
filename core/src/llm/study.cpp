// What a request takes: time and memory of its passes.
#include <algorithm>
#include <cmath>
#include <roofline/llm/answer.hpp>

#include "llm/totals.hpp"

namespace roofline {

LlmStudy::LlmStudy(const LlmRequest& request, const Scenario& scenario) : request_(request), plan_(request.setup, scenario) {
  if (!request.speculation) return;
  draft_setup_ = std::make_unique<LlmSetup>(request.setup);  // run as the target is
  draft_setup_->model = request.speculation->draft;
  draft_setup_->ep = 1;
  draft_ = std::make_unique<LlmPlan>(*draft_setup_, scenario);
}

LlmMeasurement LlmStudy::asked() const {
  LlmMeasurement m;
  m.phase = request_.phase;
  m.batch = request_.batch;
  m.prompt = request_.prompt;
  m.context = request_.context;
  m.generate = request_.generate;
  return m;
}

void LlmStudy::step(double batch, double context, LlmRows& verify, LlmRows& draft) const {
  draft.size = 0;
  draft.total = {};
  if (!draft_) return plan_.evaluate({batch, 1, context, true}, verify);
  const double gamma = request_.speculation->gamma;
  plan_.evaluate({batch, gamma + 1, context + gamma, true}, verify);
  LlmRows once;
  draft_->evaluate({batch, 1, context, true}, once);
  LlmPlan::add(draft, once, gamma);
}

void LlmStudy::run(const LlmMeasurement& of, LlmParts& out) const {
  for (LlmRows* part : {&out.prefill, &out.decode, &out.draft}) {
    part->size = 0;
    part->total = {};
  }
  if (of.phase == LlmPhase::decode) return step(of.batch, of.context, out.decode, out.draft);
  const double end = of.phase == LlmPhase::prefill ? of.context : of.prompt;
  plan_.evaluate({of.batch, of.prompt, end, false}, out.prefill);
  if (draft_) {
    LlmRows once;
    draft_->evaluate({of.batch, of.prompt, end, false}, once);
    LlmPlan::add(out.draft, once, 1);
  }
  if (of.phase == LlmPhase::prefill || of.generate < 2) return;
  // The first token came out of the prefill. A verified pass yields several tokens, so there are fewer of them.
  const double first = of.prompt + 1, last = of.prompt + of.generate - 1;
  if (!draft_) return plan_.decode_range(of.batch, 1, first, last, 1, out.decode);
  const Speculation& s = *request_.speculation;
  plan_.decode_range(of.batch, s.gamma + 1, first + s.gamma, last + s.gamma, 1 / s.tokens_per_step(), out.decode);
  draft_->decode_range(of.batch, 1, first, last, s.gamma / s.tokens_per_step(), out.draft);
}

double LlmStudy::ttft_s(double batch, double prompt, bool typical) const {
  LlmRows rows;
  plan_.evaluate({batch, prompt, prompt, false}, rows);
  double time = typical ? rows.total.typical_s : rows.total.predicted_s;
  if (draft_) {
    draft_->evaluate({batch, prompt, prompt, false}, rows);
    time += typical ? rows.total.typical_s : rows.total.predicted_s;
  }
  return time;
}

double LlmStudy::tpot_s(double batch, double context, bool typical) const {
  LlmRows verify, draft;
  step(batch, context, verify, draft);
  const double time = typical ? verify.total.typical_s + draft.total.typical_s : verify.total.predicted_s + draft.total.predicted_s;
  return request_.speculation ? time / request_.speculation->tokens_per_step() : time;
}

LlmStudy::Need LlmStudy::need(double batch, double prompt, double context) const {
  Need n;
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

double LlmStudy::capacity() const {
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

double LlmStudy::largest_batch(double prompt, double context) const {
  const double room = capacity();
  if (!(room > 0)) return unknown;
  return largest([&](double batch) { return need(batch, prompt, context).total() <= room; });
}

double LlmStudy::longest_context(double batch) const {
  const double room = capacity();
  if (!(room > 0)) return unknown;
  return largest([&](double context) { return need(batch, std::min(context, request_.prompt), context).total() <= room; });
}

double LlmStudy::compute_bound_batch(double context) const {
  LlmParts parts;
  const auto bound = [&](double batch) {
    step(batch, context, parts.decode, parts.draft);
    parts.prefill.total = {};
    return most_of(total(parts)) == LlmBound::compute;
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

std::vector<float> llm_heat_map(const LlmStudy& study, std::span<const double> batches, std::span<const double> contexts) {
  const double room = study.capacity();
  std::vector<float> out;
  out.reserve(batches.size() * contexts.size());
  const LlmPlan& plan = study.plan();
  const double weights = study.need(1, 1, 1).weights;
  for (const double context : contexts)
    for (const double batch : batches) {
      // Of a decode step; a prompt can be taken in pieces, so that its activations do not decide.
      const bool fits =
          !(room > 0) || weights + plan.kv_bytes_per_machine(batch, context) + plan.activation_bytes({batch, 1, context, true}) <= room;
      out.push_back(fits ? static_cast<float>(batch / study.tpot_s(batch, context)) : std::numeric_limits<float>::quiet_NaN());
    }
  return out;
}

}  // namespace roofline
