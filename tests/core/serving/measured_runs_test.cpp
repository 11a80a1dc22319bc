// Results of serving benchmarks, as their tools write them.
#include <roofline/serving/measured_runs.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

ServingRun only_run(const char* text) {
  const auto runs = parse_serving_runs(text);
  INFO(text);
  REQUIRE(runs);
  REQUIRE(runs->size() == 1);
  return (*runs)[0];
}

std::string fault_of(const char* text) {
  const auto runs = parse_serving_runs(text);
  REQUIRE(!runs);
  return runs.error().text();
}

}  // namespace

TEST_CASE("measured runs: vLLM's and SGLang's benchmark", "[serving]") {
  const ServingRun run = only_run(R"({"backend": "vllm", "completed": 100, "total_input_tokens": 102400, "total_output_tokens": 12800,
    "max_concurrency": 16, "output_throughput": 812.5, "mean_ttft_ms": 150, "mean_tpot_ms": 12.5})");
  CHECK(run.concurrency == 16);
  CHECK(run.prompt == 1024);
  CHECK(run.generate == 128);
  CHECK(run.tpot_s == Approx(0.0125));
  CHECK(run.ttft_s == Approx(0.15));
  CHECK(run.output_tokens_per_s == 812.5);
  const ServingRun bare = only_run(R"({"output_throughput": 10, "mean_tpot_ms": 20, "max_concurrency": null})");
  CHECK(!known(bare.concurrency));
  CHECK(!known(bare.prompt));
  CHECK(!known(bare.ttft_s));
}

TEST_CASE("measured runs: a line for each", "[serving]") {
  const auto runs =
      parse_serving_runs("{\"output_throughput\": 10, \"mean_tpot_ms\": 20}\n\n{\"output_throughput\": 18, \"mean_tpot_ms\": 25}\n");
  REQUIRE(runs);
  REQUIRE(runs->size() == 2);
  CHECK((*runs)[1].tpot_s == Approx(0.025));
  const Json json = Json::parse(serving_runs_json(*runs));
  CHECK(json["runs"][0]["output_tokens_per_s"] == 10);
  CHECK(json["runs"][0]["ttft_s"].is_null());
}

TEST_CASE("measured runs: genai-perf's export, in its units", "[serving]") {
  const ServingRun run = only_run(R"({"output_token_throughput": {"unit": "tokens/sec", "avg": 812.5},
    "time_to_first_token": {"unit": "ms", "avg": 150}, "inter_token_latency": {"unit": "us", "avg": 12500},
    "input_sequence_length": {"unit": "tokens", "avg": 1000}, "output_sequence_length": {"unit": "tokens", "avg": 127.5},
    "input_config": {"perf_analyzer": {"stimulus": {"concurrency": 16}}}})");
  CHECK(run.concurrency == 16);
  CHECK(run.prompt == 1000);
  CHECK(run.generate == 127.5);
  CHECK(run.tpot_s == Approx(0.0125));
  CHECK(run.ttft_s == Approx(0.15));
  CHECK(run.output_tokens_per_s == 812.5);
}

TEST_CASE("measured runs: what is none says what is missing", "[serving]") {
  CHECK(fault_of("{}").find("expected a mean time per token") != std::string::npos);
  CHECK(fault_of(R"({"mean_tpot_ms": 20})").find("expected a throughput") != std::string::npos);
  CHECK(fault_of("").find("the file is empty") != std::string::npos);
  CHECK(fault_of("[]").find("the file is empty") != std::string::npos);
  CHECK(fault_of("{\"mean_tpot_ms\": 20, \"output_throughput\": 1}\nnot JSON").find("line 2") != std::string::npos);
  // A unit that is not known is no second.
  CHECK(fault_of(R"({"output_token_throughput": {"avg": 5}, "inter_token_latency": {"unit": "fortnights", "avg": 1}})")
            .find("expected a mean time per token") != std::string::npos);
}
