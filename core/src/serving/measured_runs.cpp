#include <algorithm>
#include <roofline/serving/measured_runs.hpp>
#include <string>

#include "base/json.hpp"

namespace roofline {
namespace {

/// Seconds of one of genai-perf's statistics, {"unit": "ms", "avg": 25.1}; NaN: it has no such member or unit.
double mean_seconds(const Json& run, const char* name) {
  const Json& statistic = member(run, name);
  const std::string unit = text_of(member(statistic, "unit"));
  const double per_second = unit == "s" || unit == "sec" ? 1 : unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : unit == "ns" ? 1e-9 : unknown;
  return number_of(member(statistic, "avg")) * per_second;
}

/// Of vLLM and SGLang, whose members have the same names.
ServingRun from_bench_serve(const Json& run) {
  const auto number = [&](const char* name) { return number_of(member(run, name)); };
  const double completed = number("completed");
  return {number("max_concurrency"),
          number("total_input_tokens") / completed,
          number("total_output_tokens") / completed,
          number("mean_tpot_ms") * 1e-3,
          number("mean_ttft_ms") * 1e-3,
          number("output_throughput")};
}

/// Of genai-perf and AIPerf: a statistic each. Their inter-token latency is (latency - time to first token) / (tokens - 1).
ServingRun from_genai_perf(const Json& run) {
  const auto mean = [&](const char* name) { return number_of(member(member(run, name), "avg")); };
  const Json& config = member(run, "input_config");
  double users = number_of(member(member(member(config, "perf_analyzer"), "stimulus"), "concurrency"));
  if (!known(users)) users = number_of(member(config, "concurrency"));
  if (!known(users)) users = number_of(member(member(config, "loadgen"), "concurrency"));
  return {users,
          mean("input_sequence_length"),
          mean("output_sequence_length"),
          mean_seconds(run, "inter_token_latency"),
          mean_seconds(run, "time_to_first_token"),
          mean("output_token_throughput")};
}

Result<ServingRun> run_from(const Json& json) {
  const ServingRun run = member(json, "output_token_throughput").is_object() ? from_genai_perf(json) : from_bench_serve(json);
  if (!(run.tpot_s > 0)) return fail("expected a mean time per token: mean_tpot_ms, or inter_token_latency {unit, avg}");
  if (!(run.output_tokens_per_s > 0)) return fail("expected a throughput: output_throughput, or output_token_throughput {avg}");
  return run;
}

}  // namespace

Result<std::vector<ServingRun>> parse_serving_runs(std::string_view text) {
  Json list = Json::parse(text, nullptr, false);
  if (list.is_discarded()) {  // a line per run
    list = Json::array();
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = text.substr(at, end - at);
      at = end + 1;
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      list.push_back(Json::parse(line, nullptr, false));
      if (list.back().is_discarded()) return Unexpected(Error{"expected a result of a serving benchmark in JSON", number, 0, {}});
    }
  }
  if (!list.is_array()) list = Json::array({list});
  std::vector<ServingRun> runs;
  for (const Json& each : list) {
    Result<ServingRun> run = run_from(each);
    if (!run) return Unexpected(run.error());
    runs.push_back(*run);
  }
  if (runs.empty()) return fail("expected a result of a serving benchmark in JSON; the file is empty");
  return runs;
}

std::string serving_runs_json(const std::vector<ServingRun>& runs) {
  const auto number = [](double value) { return known(value) ? Json(value) : Json(); };
  Json list = Json::array();
  for (const ServingRun& r : runs)
    list.push_back({{"concurrency", number(r.concurrency)},
                    {"prompt", number(r.prompt)},
                    {"generate", number(r.generate)},
                    {"tpot_s", number(r.tpot_s)},
                    {"ttft_s", number(r.ttft_s)},
                    {"output_tokens_per_s", number(r.output_tokens_per_s)}});
  return dump(Json{{"runs", list}});
}

}  // namespace roofline
