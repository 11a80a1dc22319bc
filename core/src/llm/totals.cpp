#include "llm/totals.hpp"

namespace roofline {

LlmBound most_of(const LlmTotals& t) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < t.bound_s.size(); ++i)
    if (t.bound_s[i] > t.bound_s[best]) best = i;
  return static_cast<LlmBound>(best);
}

namespace {

void accumulate(LlmTotals& to, const LlmTotals& from) {
  LlmRows sum, part;
  sum.total = to;
  part.total = from;
  LlmPlan::add(sum, part, 1);
  to = sum.total;
}

}  // namespace

LlmTotals total(const LlmParts& parts) {
  LlmTotals t;
  for (const LlmRows* rows : {&parts.prefill, &parts.decode, &parts.draft}) accumulate(t, rows->total);
  return t;
}

double tokens(const LlmMeasurement& run, const std::optional<Speculation>& speculation) {
  if (run.phase == LlmPhase::prefill) return run.batch * run.prompt;
  if (run.phase == LlmPhase::generate) return run.batch * run.generate;
  return run.batch * (speculation ? speculation->tokens_per_step() : 1);
}

LlmOutcome outcome(const LlmStudy& study, LlmParts& parts) {
  const LlmRequest& r = study.request();
  const LlmMeasurement run = study.asked();
  study.run(run, parts);
  LlmOutcome out;
  out.totals = total(parts);
  const double made = tokens(run, r.speculation);
  for (const bool typical : {false, true}) {
    LlmSpeed& s = typical ? out.typical : out.ideal;
    const double time = typical ? out.totals.typical_s : out.totals.predicted_s;
    s.ttft_s = r.phase == LlmPhase::prefill ? time : study.ttft_s(r.batch, r.prompt, typical);
    s.tpot_s = study.tpot_s(r.batch, r.context, typical);
    if (r.phase == LlmPhase::generate) {
      s.total_s = time;
      if (r.generate > 1) s.tpot_s = (time - s.ttft_s) / (r.generate - 1);  // the mean over the tokens after the first
    }
    s.tokens_per_s = made / time;
    s.tokens_per_s_per_user = 1 / s.tpot_s;
  }
  return out;
}

}  // namespace roofline
