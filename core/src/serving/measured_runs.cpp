#include <algorithm>
#include <roofline/serving/measured_runs.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "base/python_json.hpp"
#include "serving/measured_names.hpp"

namespace roofline {
namespace {

/// Seconds of one of genai-perf's statistics, {"unit": "ms", "avg": 25.1}; NaN: it has no such member or unit.
double mean_seconds(const Json& run, const char* name) {
  const Json& statistic = member(run, name);
  return number_of(member(statistic, "avg")) * seconds_per(text_of(member(statistic, "unit")));
}

/// Of vLLM and SGLang, whose members have the same names; records of a table have its headers.
ServingRun from_bench_serve(const Json& run) {
  StatedFigures figures;
  if (run.is_object())
    for (const auto& [name, value] : run.items()) figures.add(name, number_of(value));
  return figures.run();
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
  if (auto ok = check_run(run); !ok) return Unexpected(ok.error());
  return run;
}

}  // namespace

Result<std::vector<ServingRun>> parse_serving_runs(std::string_view file) {
  if (first_visible(file) == '\0') return fail("expected a result of a serving benchmark; the file is empty");
  if (!begins_json(file) || file.find(summary_title) != std::string_view::npos) {
    Result<std::vector<ServingRun>> runs = parse_serving_tables(std::string(file));
    if (runs && runs->empty()) return fail("expected a result of a serving benchmark; no row has figures");
    return runs;
  }
  const std::string text = plain_json(file);  // SGLang writes an unlimited rate as Infinity
  const Result<Json> parsed = parse_json_or_lines(text, "a result of a serving benchmark in JSON");
  if (!parsed) return Unexpected(parsed.error());
  const Json list = parsed->is_array() ? *parsed : Json::array({*parsed});
  std::vector<ServingRun> runs;
  for (const Json& each : list) {
    Result<ServingRun> run = run_from(each);
    if (!run) return Unexpected(run.error());
    runs.push_back(*run);
  }
  if (runs.empty()) return fail("expected a result of a serving benchmark; the list is empty");
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
