// Results of serving benchmarks, to hold a frontier against.
#pragma once

#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One run of a benchmark; what its file does not state is NaN.
struct ServingRun {
  double concurrency = unknown;          ///< users
  double prompt = unknown;               ///< mean tokens of a prompt
  double generate = unknown;             ///< mean tokens of an answer
  double tpot_s = unknown;               ///< mean time per token after the first
  double ttft_s = unknown;               ///< mean time to first token
  double output_tokens_per_s = unknown;  ///< of the whole deployment
};

/// From JSON, or a line of it per run: `vllm bench serve --save-result`, SGLang's bench_serving, genai-perf's and AIPerf's export; their
/// CSV, tables in CSV or Markdown with a row per run, and the summary that vLLM and SGLang print. Fails where a run has one of time per
/// token and throughput alone; rows of a table with neither, which failed, are passed over.
[[nodiscard]] Result<std::vector<ServingRun>> parse_serving_runs(std::string_view text);

/// {"runs": [...]}, members as above.
[[nodiscard]] std::string serving_runs_json(const std::vector<ServingRun>& runs);

}  // namespace roofline
