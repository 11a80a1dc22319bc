// The mixtures of llama-quantize for a language model: {"request", "imatrix": true} -> "roofline-quantize/1", its finding in parts.
#include <roofline/llm/quantize.hpp>

#include "llm/request_json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_model_mixtures(const QuestionContext& of, const Json& question) {
  const Result<LlmRequest> request = llm_request_from(member(question, "request"));
  if (!request) return Unexpected(request.error());
  const Scenario& scenario = of.plan().scenario();
  const bool imatrix = member(question, "imatrix") != Json(false);
  const std::vector<QuantizedChoice> choices = quantized_choices(*request, scenario, imatrix);
  Json answer = Json::parse(quantize_json(*request, scenario, imatrix, choices), nullptr, false);
  answer["finding"] = Json::array({{{"text", quantize_finding(scenario.machine, choices)}}});
  return Answer{compact(answer), {}};
}

}  // namespace roofline
