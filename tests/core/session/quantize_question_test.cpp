// What the page asks about formats: plans, a model shared with its host, the accuracy of GGUF's types.
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/llm/offload.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "json.hpp"
#include "llm/request_json.hpp"
#include "session/questions/quantize/quantize_answers.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Json asked(std::string_view question, std::string_view request) {
  return Json::parse(answer_quantize(question, R"({"machine": "rtx-4090"})", request));
}

Scenario rtx_4090() {
  Scenario scenario = Scenario::standard();
  REQUIRE(apply_config(scenario, R"({"machine": "rtx-4090"})"));
  return scenario;
}

LlmRequest request_of(std::string_view text) {
  const Result<LlmRequest> request = parse_llm_request(text);
  REQUIRE(request);
  return *request;
}

}  // namespace

TEST_CASE("a question about a plan is answered with the plan, its groups and its text", "[quantize]") {
  const Json found = asked("plan", R"({"request": {"model": "llama-3.1-8b"}, "budget": {"kind": "bytes", "value": 4.9e9},
    "tool": "llama-quantize"})");
  const Result<FormatPlan> plan =
      plan_quantization(request_of(R"({"model": "llama-3.1-8b"})"), rtx_4090(), {{BudgetKind::bytes, 4.9e9}, {}});
  REQUIRE(plan);
  CHECK(found["plan"] == Json::parse(plan_json(*plan)));
  CHECK(found["text"] == plan_for_llama_quantize(*plan));
  double bytes = 0;
  for (const Json& group : found["groups"]) bytes += group["bytes"].get<double>();
  CHECK(bytes == Approx(plan->bytes).epsilon(1e-3));  // norms are in no group
  // The mixture that the finding names.
  const Json& best = found["plan"]["best_mixture"];
  CHECK(plan->finding.find("this size, " + best["name"].get<std::string>() + ", has KLD") != std::string::npos);
  CHECK(best["weights_bytes"] <= found["plan"]["weights_bytes"]);
  CHECK(best["kld"] > found["plan"]["kld"]);
}

TEST_CASE("a question about mixtures is answered as the command does", "[quantize]") {
  const LlmRequest request = request_of(R"({"model": "llama-3.1-8b"})");
  const auto choices = quantized_choices(request, rtx_4090(), true);
  Json expected = Json::parse(quantize_json(request, rtx_4090(), true, choices));
  expected["finding"] = Json::array({{{"text", quantize_finding(rtx_4090().machine, choices)}}});
  CHECK(asked("mixtures", R"({"request": {"model": "llama-3.1-8b"}})") == expected);
  CHECK(asked("mixtures", R"({"request": {"model": "llama-3.1-8b"}, "imatrix": false})")["mixtures"] != expected["mixtures"]);
  CHECK(asked("mixtures", R"({"request": {"model": "no-model"}})")["error"]["path"] == "model");
}

TEST_CASE("own errors of tensors change a plan", "[quantize]") {
  const Json found = asked("plan", R"({"request": {"model": "llama-3.1-8b"}, "budget": {"kind": "bytes", "value": 4.9e9},
    "tool": "llama-quantize", "own_errors": {"blk.3.ffn_down.weight": 50}})");
  std::size_t seen = 0;
  for (const Json& tensor : found["plan"]["tensors"])
    if (tensor["name"] == "blk.3.ffn_down.weight") {
      ++seen;
      CHECK(tensor["own_error"] == true);
      CHECK(Formats::catalogue()[*Formats::catalogue().find(tensor["format"].get<std::string>())].bits >= 6);
    }
  CHECK(seen == 1);
}

TEST_CASE("a plan that cannot be made says why", "[quantize]") {
  const auto error = [](std::string_view request) { return asked("plan", request)["error"]; };
  CHECK(error(R"({"request": {"model": "no-model"}})")["path"] == "model");
  CHECK(error(R"({"request": {"model": "llama-3.1-8b"}, "budget": {"kind": "sqnr", "value": 30}})")["path"] == "budget.kind");
  CHECK(error(R"({"request": {"model": "llama-3.1-8b"}, "budget": {"kind": "kld", "value": -1}})")["path"] == "budget.value");
  CHECK(Json::parse(answer_quantize("plan", R"({"machine": "no-machine"})", "{}"))["error"].is_object());
  CHECK(asked("what", "{}")["error"]["message"] == "no question is called 'what'");
}

TEST_CASE("a question about a host is answered with the split and the best one", "[quantize]") {
  constexpr std::string_view model = R"({"model": "qwen3-30b-a3b", "weights": "Q8_0"})";
  Scenario host = Scenario::standard();
  REQUIRE(apply_config(host, R"({"machine": "epyc-9654"})"));
  const LlmRequest request = request_of(model);
  const OffloadSplit ten = offload_split(request, rtx_4090(), host, {10, true}), best = best_offload(request, rtx_4090(), host, true);
  Json found =
      asked("offload", R"({"request": )" + std::string(model) + R"(, "host": "epyc-9654", "gpu_layers": 10, "experts_on_host": true})");
  CHECK(found["layers"] == 49);
  found.erase("layers");
  CHECK(found == Json::parse(offload_json(request, rtx_4090(), host, ten, best)));
  found = asked("offload", R"({"request": )" + std::string(model) + R"(, "host": "epyc-9654", "experts_on_host": true})");
  CHECK(found["gpu_layers"] == best.offload.gpu_layers);
  CHECK(asked("offload", R"({"request": {"model": "llama-3.1-8b"}, "host": "epyc-9654", "experts_on_host": true})")["error"]["path"] ==
        "experts_on_host");
  CHECK(asked("offload", R"({"request": {"model": "llama-3.1-8b", "tp": 2}, "host": "epyc-9654"})")["error"]["path"] == "host");
  CHECK(asked("offload", R"({"request": {"model": "llama-3.1-8b"}, "host": "no-machine"})")["error"]["path"] == "host");
}

TEST_CASE("a question about accuracy is answered by type", "[quantize]") {
  const Json found = asked("accuracy", R"({"sample": "gaussian"})")["sqnr_db"];
  CHECK(found.size() == gguf_types().size());
  const auto values = sample_values(Sample::gaussian).first(gguf_sample);
  CHECK(found["q4_k"].get<double>() == Approx(gguf_sqnr_db(*Formats::catalogue().find("q4_k"), values, sample_row)));
  CHECK(asked("accuracy", R"({"sample": "mine"})")["error"]["path"] == "sample");
}
