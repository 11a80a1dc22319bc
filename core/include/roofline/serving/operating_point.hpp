// Where a deployment settles: users or a rate in, times per token and throughput out, in closed form. docs/guide/serving.md derives it.
#pragma once

#include <optional>
#include <roofline/serving/engine.hpp>
#include <string>

namespace roofline {

struct ServingSpeed {
  double tpot_s = unknown;               ///< time per token after the first; NaN: one token is generated
  double ttft_s = unknown;               ///< mean time to first token; NaN: pools, and no link's rate is known
  double output_tokens_per_s = unknown;  ///< of the whole deployment
  double output_tokens_per_s_per_machine = unknown;
  double tokens_per_s_per_user = unknown;  ///< 1 / tpot_s
  double requests_per_s = unknown;
  double concurrency = unknown;  ///< requests in flight or queued, of the whole deployment; NaN: at a given rate, if `ttft_s` is NaN
  double batch = unknown;        ///< sequences that decode together, of the whole deployment
};

/// What keeps throughput from growing.
enum class ServingLimit : std::uint8_t { unknown, cache, prefill, compute, memory, link };
template <>
inline constexpr auto names_of<ServingLimit> = std::to_array<const char*>({"", "cache", "prefill", "compute", "memory", "link"});

struct ServingPoint {
  ServingSpeed bound, typical;
  double machines = 1;
  double concurrency_max = unknown;  ///< requests of the whole deployment whose cache fits; NaN: capacity not known
  double saturation_rate = unknown;  ///< requests/s of the whole deployment that it can serve, estimate
  double prefill_share = unknown;    ///< of a token's estimated time, what other requests' prompts take; a fraction
  MemoryFootprint memory;            ///< of one machine
  ServingLimit limit = ServingLimit::unknown;
  double joules_per_token = unknown;  ///< output token, at serving_power_w(), estimate
  double transfer_s = unknown;        ///< of a request's cache to decode, included in `ttft_s`; NaN: one pool, or no link's rate is known
  double usd_per_million_tokens = unknown;  ///< output tokens, estimate; NaN: no price was given
};

/// Fails if the model does not fit, if a link's rate is not known (link_fault()), and if the rate of requests is beyond saturation.
[[nodiscard]] Result<ServingPoint> operating_point(const ServingRequest& request, const Scenario& scenario);
/// The same of an engine that is at hand. `request` is the engine's own but for its concurrency, rate and replicas.
[[nodiscard]] Result<ServingPoint> operating_point(const ServingRequest& request, const Scenario& scenario, const ServingEngine& engine);

/// Of one deployment whose prefill has machines of its own: `request` has the pool, and each engine is of one worker.
[[nodiscard]] Result<ServingPoint> disaggregated_point(const ServingRequest& request, const Scenario& scenario,
                                                       const ServingEngine& prefill, const Machine& prefill_machine,
                                                       const ServingEngine& decode);

/// W that one machine takes: all-in where that is stated, else its rated power.
[[nodiscard]] double serving_power_w(const Machine& machine);

/// "64 users: 2,710 tokens/s (339 per machine), 23.6 ms per token ...".
[[nodiscard]] std::string serving_finding(const ServingPoint& point, const ServingRequest& request, const Scenario& scenario);
/// "roofline-serving/1": model, machine and `summary`.
[[nodiscard]] std::string serving_json(const ServingPoint& point, const ServingRequest& request, const Scenario& scenario);
/// For a terminal.
[[nodiscard]] std::string serving_table(const ServingPoint& point, const ServingRequest& request, const Scenario& scenario);

}  // namespace roofline
