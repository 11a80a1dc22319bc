#include "llm/performance.hpp"

namespace roofline {

LlmTotals total(const LlmPasses& passes) {
  LlmTotals t;
  for (const LlmRows* rows : {&passes.prefill, &passes.decode, &passes.draft}) t.add(rows->total, 1);
  return t;
}

std::string name_of(std::optional<ResourceKind> bound) {
  constexpr const char* names[] = {"compute", "memory", "link"};
  return bound ? names[static_cast<std::size_t>(*bound)] : "";
}

double tokens(const LlmRun& run, const std::optional<Speculation>& speculation) {
  if (run.phase == LlmPhase::prefill) return run.batch * run.prompt;
  if (run.phase == LlmPhase::generate) return run.batch * run.generate;
  return run.batch * (speculation ? speculation->tokens_per_step() : 1);
}

LlmPerformance performance(const LlmInference& inference, LlmPasses& passes) {
  const LlmRequest& r = inference.request();
  inference.evaluate(r, passes);
  LlmPerformance out;
  out.totals = total(passes);
  const double made = tokens(r, r.speculation);
  for (const bool typical : {false, true}) {
    LlmSpeed& s = typical ? out.estimate : out.bound;
    const double time = typical ? out.totals.typical_s : out.totals.predicted_s;
    s.ttft_s = r.phase == LlmPhase::prefill ? time : inference.ttft_s(r.batch, r.prompt, typical);
    s.tpot_s = inference.tpot_s(r.batch, r.context, typical);
    if (r.phase == LlmPhase::generate) {
      s.total_s = time;
      if (r.generate > 1) s.tpot_s = (time - s.ttft_s) / (r.generate - 1);  // the mean over the tokens after the first
    }
    s.tokens_per_s = made / time;
    s.tokens_per_s_per_user = 1 / s.tpot_s;
    s.tokens_per_s_per_machine = s.tokens_per_s / r.setup.machines();
  }
  return out;
}

}  // namespace roofline
