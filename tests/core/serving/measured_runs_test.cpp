// Results of serving benchmarks, as their tools write them.
#include <algorithm>
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
  // As Python writes floats that are not finite.
  const ServingRun unlimited = only_run(R"({"backend": "sglang", "request_rate": Infinity, "accept_length": NaN, "max_concurrency": 64,
    "output_throughput": 2413.3, "mean_ttft_ms": 1500.2, "mean_tpot_ms": 25.2, "generated_texts": ["NaN", "Infinity"]})"
                                        "\n");
  CHECK(unlimited.concurrency == 64);
  CHECK(unlimited.tpot_s == Approx(0.0252));
}

TEST_CASE("measured runs: genai-perf's units of time", "[serving]") {
  for (const auto& [unit, time_s] : {std::pair("ms", 0.025), std::pair("us", 25e-6), std::pair("seconds", 25.0)}) {
    const std::string text = std::string(R"({"inter_token_latency": {"unit": ")") + unit + R"(", "avg": 25},
      "output_token_throughput": {"unit": "tokens/sec", "avg": 40}})";
    CHECK(only_run(text.c_str()).tpot_s == Approx(time_s));
  }
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

TEST_CASE("measured runs: tables with a row per run", "[serving]") {
  // As `vllm bench sweep serve` writes summary.csv: pandas' index comes first. A run that failed has no figures.
  const auto sweep = parse_serving_runs(
      ",max_concurrency,completed,total_input_tokens,total_output_tokens,output_throughput,mean_ttft_ms,mean_tpot_ms,mean_itl_ms\r\n"
      "0,16,100,102400,12800,812.5,150,12.5,11.0\r\n1,32,0,0,0,,,,\r\n2,64,100,102400,12800,1600,300,25,24.0\r\n");
  REQUIRE(sweep);
  REQUIRE(sweep->size() == 2);
  CHECK((*sweep)[0].concurrency == 16);
  CHECK((*sweep)[0].prompt == 1024);
  CHECK((*sweep)[0].generate == 128);
  CHECK((*sweep)[0].tpot_s == Approx(0.0125));
  CHECK((*sweep)[1].ttft_s == Approx(0.3));
  CHECK((*sweep)[1].output_tokens_per_s == 1600);
  // Of vLLM's suite, in Markdown, as CSV with decimal commas, and as records.
  const std::string header =
      "Test name|# of max concurrency.|Input Len|Output Len|Output Tput (tok/s)|Mean TTFT (ms)|Median TTFT (ms)|Mean TPOT (ms)";
  const ServingRun suite =
      only_run(("| " + header + " |\n|---|---|--:|---|---|---|---|---|\n| a | 16 | 1,024 | 128 | 812.5 | 150 | 140 | 12.5 |\n").c_str());
  std::string semicolons = header;
  std::replace(semicolons.begin(), semicolons.end(), '|', ';');
  const ServingRun german = only_run((semicolons + "\na;16;1024;128;812,5;150,0;140,0;12,5\n").c_str());
  const ServingRun record = only_run(R"j([{"# of max concurrency.": 16, "Input Len": 1024, "Output Len": 128, "Output Tput (tok/s)": 812.5,
    "Mean TTFT (ms)": 150, "Mean TPOT (ms)": 12.5}])j");
  for (const ServingRun& run : {suite, german, record}) {
    CHECK(run.concurrency == 16);
    CHECK(run.prompt == 1024);
    CHECK(run.generate == 128);
    CHECK(run.tpot_s == Approx(0.0125));
    CHECK(run.ttft_s == Approx(0.15));
    CHECK(run.output_tokens_per_s == 812.5);
  }
  // gptManagerBenchmark ends its header with a comma.
  const ServingRun trt = only_run(
      "num_samples,num_error_samples,total_latency(ms),seq_throughput(seq/sec),token_throughput(token/sec),avg_sequence_latency(ms),"
      "avg_time_to_first_token(ms),p99_time_to_first_token(ms),avg_inter_token_latency(ms),\n500,0,1000,10,812.5,1600,150,200,12.5\n");
  CHECK(trt.tpot_s == Approx(0.0125));
  CHECK(trt.ttft_s == Approx(0.15));
  CHECK(trt.output_tokens_per_s == 812.5);
  CHECK(!known(trt.concurrency));
}

TEST_CASE("measured runs: genai-perf's and AIPerf's CSV", "[serving]") {
  const std::string metrics =
      "Metric,avg,min,max,p99,std\r\nTime to First Token (ms),150.00,140.00,160.00,159.00,1.00\r\n"
      "Inter Token Latency (ms),12.50,11.00,14.00,13.00,0.10\r\nOutput Token Throughput Per User "
      "(tokens/sec/user),80.00,70.00,90.00,89.00,1.00\r\n"
      "Output Sequence Length (tokens),128.00,128.00,128.00,128.00,0.00\r\nInput Sequence Length (tokens),\"1,024.00\",1,1,1,0\r\n\r\n";
  const ServingRun aiperf =
      only_run((metrics + "Metric,Value\r\nOutput Token Throughput (tokens/sec),812.50\r\nRequest Count,50.00\r\n").c_str());
  const ServingRun genai =
      only_run((metrics + "Metric,Value\r\nOutput Token Throughput (per sec),812.50\r\nRequest Count (count),50.00\r\n").c_str());
  for (const ServingRun& run : {aiperf, genai}) {
    CHECK(run.prompt == 1024);
    CHECK(run.generate == 128);
    CHECK(run.tpot_s == Approx(0.0125));
    CHECK(run.ttft_s == Approx(0.15));
    CHECK(run.output_tokens_per_s == 812.5);
  }
  const auto two = parse_serving_runs(metrics + "Metric,Value\nOutput Token Throughput (tokens/sec),5\n" + metrics +
                                      "Metric,Value\nOutput Token Throughput (tokens/sec),6\n");
  REQUIRE(two);
  REQUIRE(two->size() == 2);
  CHECK((*two)[1].output_tokens_per_s == 6);
}

TEST_CASE("measured runs: the summary that vLLM and SGLang print, as often as a log has it", "[serving]") {
  const std::string block =
      "============ Serving Benchmark Result ============\nSuccessful requests:                     100       \n"
      "Maximum request concurrency:             16\nTotal input tokens:                      102400    \n"
      "Total generated tokens:                  12800     \nTotal generated tokens (retokenized):    12000\n"
      "Output token throughput (tok/s):         812.50    \nPeak output token throughput (tok/s):    2000.00   \n"
      "Mean TTFT (ms):                          150.00    \nMean TPOT (ms):                          12.50     \n"
      "Mean ITL (ms):                           11.00     \n==================================================\n";
  std::string log = "INFO starting\n";  // each line with a time and a colour, as containers log
  for (std::size_t at = 0; at < block.size();) {
    const std::size_t end = block.find('\n', at);
    log += "[2026-01-02T03:04:05Z] \x1b[32m" + block.substr(at, end - at) + "\x1b[0m\r\n";
    at = end + 1;
  }
  for (const std::string& text : {block + block, log + log}) {
    const auto runs = parse_serving_runs(text);
    REQUIRE(runs);
    REQUIRE(runs->size() == 2);
    for (const ServingRun& run : *runs) {
      CHECK(run.concurrency == 16);
      CHECK(run.prompt == 1024);
      CHECK(run.generate == 128);
      CHECK(run.tpot_s == Approx(0.0125));
      CHECK(run.ttft_s == Approx(0.15));
      CHECK(run.output_tokens_per_s == 812.5);
    }
  }
}

TEST_CASE("measured runs: tables without a mean are refused with the line", "[serving]") {
  CHECK(fault_of("model,output_throughput,median_tpot_ms\na,812.5,12.5\n").find("line 2") != std::string::npos);
  CHECK(fault_of("model,output_throughput,median_tpot_ms\na,812.5,12.5\n").find("medians and percentiles are no means") !=
        std::string::npos);
  CHECK(fault_of("model,mean_tpot_ms\na,12.5\n").find("expected a throughput") != std::string::npos);
  CHECK(fault_of("model,layers\na,3\n").find("expected a result of a serving benchmark") != std::string::npos);
  // llama-bench is no serving benchmark: its Markdown and its CSV name what to open.
  for (const char* table :
       {"| model | size | params | backend | test | t/s |\n| - | - | - | - | - | - |\n| a | 1 | 1 | Metal | pp512 | 9 |\n",
        "build_commit,model_type,n_prompt,n_gen,avg_ns\na,b,512,0,431000000\n"})
    CHECK(fault_of(table).find("`llama-bench -o json`") != std::string::npos);
  CHECK(fault_of("output_throughput,mean_tpot_ms\n,\n").find("no row has figures") != std::string::npos);
  // A header without its unit could be seconds.
  CHECK(fault_of("output_throughput,mean_tpot\n812.5,12.5\n").find("expected a mean time per token") != std::string::npos);
}

TEST_CASE("measured runs: what is none says what is missing", "[serving]") {
  CHECK(fault_of("{}").find("expected a mean time per token") != std::string::npos);
  CHECK(fault_of(R"({"mean_tpot_ms": 20})").find("expected a throughput") != std::string::npos);
  CHECK(fault_of("").find("the file is empty") != std::string::npos);
  CHECK(fault_of("[]").find("the list is empty") != std::string::npos);
  CHECK(fault_of("{\"mean_tpot_ms\": 20, \"output_throughput\": 1}\nnot JSON").find("line 2") != std::string::npos);
  // A unit that is not known is no second.
  CHECK(fault_of(R"({"output_token_throughput": {"avg": 5}, "inter_token_latency": {"unit": "fortnights", "avg": 1}})")
            .find("expected a mean time per token") != std::string::npos);
}
