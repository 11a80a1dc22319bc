// Everything that follows from a request: speed, memory, cost, measurements beside the bound, and what would help.
#pragma once

#include <optional>
#include <roofline/analysis/mark.hpp>
#include <roofline/llm/inference.hpp>
#include <string>
#include <utility>
#include <vector>

namespace roofline {

/// One change to the request or the machine, and what it buys.
struct LlmChange {
  std::string change;                            ///< "INT8 weights", "batch 32"
  std::string patch;                             ///< JSON: the keys of the request that differ; {"machine": id} for another machine
  double gain = 1;                               ///< by the bound: tokens/s after over before; of a prefill: TTFT before over after
  double latency = 1;                            ///< by the bound: TPOT (of a prefill: TTFT) after over before
  double typical_gain = 1, typical_latency = 1;  ///< by the estimate: what they are ranked by, and shown with
  std::optional<bool> fits;                      ///< null: capacity not known
  bool barely_fits = false;                      ///< less than the reserve stays free
  bool hardware = false;                         ///< another machine, or more of them
};

/// Changes that gain over 1% by the estimate. Those that do not fit come last; where the request does not fit, those that make it fit come
/// first. Then software before hardware, each by gain.
[[nodiscard]] std::vector<LlmChange> ranked_changes(const LlmRequest& request, const Scenario& scenario);

/// A measurement beside what was predicted of it.
struct LlmComparison {
  LlmMeasurement measurement;
  double predicted_s = unknown, typical_s = unknown;
  double flops = unknown, bandwidth = unknown;  ///< achieved, of one machine
  double mfu = unknown, mbu = unknown;          ///< fractions of the matrix peak and of the device memory's bandwidth
  double efficiency = unknown, attainable_flops = unknown;
  std::string bottleneck;  ///< "memory-bound"
  struct Explanation {
    std::string assumption;
    double time_s;  ///< predicted under it
  };
  std::vector<Explanation> explanations;  ///< closest to the measured time first
};

/// What was achieved, and which assumptions would explain the rest.
[[nodiscard]] LlmComparison compare_with_measurement(const LlmMeasurement& measurement, const LlmRequest& request,
                                                     const Scenario& scenario);

/// How fast a request is: times in seconds, NaN where not known.
struct LlmSpeed {
  double ttft_s = unknown;   ///< time to first token, of all requests of the batch together
  double tpot_s = unknown;   ///< time per token; of a generation the mean over those after the first
  double total_s = unknown;  ///< of a generation; else NaN
  double tokens_per_s = unknown, tokens_per_s_per_user = unknown, tokens_per_s_per_machine = unknown;
};

struct LlmAnswer {
  double parameters = 0, active_parameters = 0;
  double weights_bytes = 0, kv_bytes = 0, state_bytes = 0, kv_bytes_per_token = 0;  ///< of the whole deployment
  MemoryVerdict memory;
  double largest_batch = unknown, compute_bound_batch = unknown;
  LongestContext longest_context;
  double machines = 1;
  LlmSpeed bound, estimate;
  double ttft_alone_s = unknown, typical_ttft_alone_s = unknown;  ///< of one request that has the machine to itself: bound, estimate
  double tokens_per_step = 1;
  double prefill_intensity = unknown, decode_intensity = unknown;
  double joules_per_token = unknown, typical_joules_per_token = unknown;
  LlmCost cost;  ///< `usd_per_hour` is what a machine costs in the end, `price_usd` what that follows from (NaN: from neither)
  double usd_per_million_tokens = unknown, typical_usd_per_million_tokens = unknown;
  double weight_share = unknown, kv_share = unknown;  ///< of the bytes that the phase moves
  FormatId compute = no_format;                       ///< what the products compute as
  std::optional<ResourceKind> bound_by;               ///< for most of the phase's predicted time; null: nothing known
  std::vector<LlmComparison> measured;
  std::vector<LlmChange> changes;
  std::string finding;  ///< a sentence or two
};
[[nodiscard]] LlmAnswer answer(const LlmRequest& request, const Scenario& scenario);

/// What a machine costs an hour, and from what that follows.
[[nodiscard]] LlmCost cost_of(const LlmRequest& request, const Machine& machine);
/// The price of a million tokens, or runs, where `machines` machines together make `per_s` of them per second. NaN: a price is not known.
[[nodiscard]] inline double usd_per_million(double usd_per_hour, double machines, double per_s) {
  return usd_per_hour / 3600 * machines / per_s * 1e6;
}

/// Where the measured points stand on the chart.
[[nodiscard]] std::vector<Mark> marks(const LlmAnswer& answer);

/// The answer's members for a document's summary: names with JSON text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& answer, const Scenario& scenario);

/// "memory-bound on HBM", "bound by NVLink". `machines`: of the deployment.
[[nodiscard]] std::string bound_text(std::optional<ResourceKind> bound, const Machine& machine, double machines);

}  // namespace roofline
