// A language model's inference, from the request that docs/llm.md describes.
#include <roofline/llm_answer.hpp>

#include "build/sources.hpp"

namespace roofline {

Result<Workload> build_model(const Json& request, const Scenario& scenario) {
  const Result<LlmRequest> parsed = parse_llm_request(dump(request));
  if (!parsed) return Unexpected(parsed.error());
  return llm_workload(*parsed, scenario);
}

}  // namespace roofline
