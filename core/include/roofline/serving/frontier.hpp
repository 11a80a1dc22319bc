// The best deployments of a model: every layout, batch and format on every machine, what is Pareto-optimal, and what binds the best.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/serving/operating_point.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

struct FrontierRequest {
  std::vector<ServingRequest> formats;  ///< the model and its load, once for each format of the weights; layouts and users are searched
  std::vector<std::string> weights;     ///< what each is called, as it was asked for
  std::vector<Scenario> machines;
  double gpus = unknown;         ///< machines to use, all of them; NaN: one replica on any number of a scale-up domain
  double concurrency = unknown;  ///< users of one more pick; NaN: no such pick
  double tpot_max = unknown;     ///< s; NaN: no limit
  double ttft_max = unknown;     ///< s; NaN: no limit
  std::string price;             ///< part of the name of one of Machine::per_hour; empty: no prices
  std::vector<std::pair<std::string, double>> usd_per_hour;  ///< by a machine's id, in place of its own prices
  bool disaggregated = false;                                ///< search prefill and decode on machines of their own, too
  std::vector<Machine> prefill_machines;                     ///< further candidates for prefill, besides the machine that decodes
};

/// A deployment that was searched.
struct FrontierPoint {
  std::uint16_t weights = 0;  ///< index into FrontierRequest::weights
  double tp = 1, ep = 1, pp = 1, dp = 1;
  bool attention_dp = false;
  double prefill_workers = 0, decode_workers = 0;  ///< of a disaggregated deployment; 0: prefill and decode on the same machines
  std::uint16_t prefill_machine = 0;               ///< 0: the one that decodes, else 1 + index into FrontierRequest::prefill_machines
  double prefill_tp = 0, prefill_ep = 0;           ///< of a prefill worker; `tp` and `ep` are then a decode worker's
  double concurrency = 0, machines = 1;
  double tpot_s = unknown, ttft_s = unknown;  ///< estimates, as what follows
  double request_s = unknown;                 ///< from a request to its last token: by Little's law, users / requests per second
  double tokens_per_s_per_user = unknown, tokens_per_s_per_machine = unknown, tokens_per_s = unknown;
  double joules_per_token = unknown, usd_per_million_tokens = unknown;  ///< of output tokens
  double bound_tpot_s = unknown, bound_tokens_per_s_per_machine = unknown;
  ServingLimit limit = ServingLimit::unknown;
  bool meets_limits = true;  ///< tpot_max and ttft_max
  bool pareto = false;       ///< among the points that meet the limits: no other has more tokens/s per user and per machine
};

/// The best point of a machine within the request's limits and one more condition: a speed for each user, or a number of users.
struct FrontierPick {
  double tokens_per_s_per_user = unknown;   ///< at least; NaN: any
  double asked_users = unknown;             ///< users, all of whom must fit in the cache; NaN: any number
  std::optional<FrontierPoint> best, next;  ///< the most tokens/s per machine; the best of another layout or format
  std::optional<FrontierPoint> nearest;     ///< where none meets the limits: the one that misses by least
  double missed_by = unknown;  ///< factor by which `nearest` exceeds its worst limit, or by which the users exceed those that it holds
  std::string binds;           ///< what keeps the best from being better: "cache", "prefill", "memory", "time per token", ...
};

/// Why layouts gave no point.
struct FrontierRejected {
  std::size_t unknown_memory = 0;  ///< the size of the machine's memory is not known
  std::size_t unknown_link = 0;    ///< need a link whose rate is not known
  std::size_t unfit_layouts = 0;   ///< the model does not fit
  std::size_t ttft = 0;            ///< fit, and miss the limit on the time to first token even with one user
  std::size_t tpot = 0;            ///< fit, and miss the limit on the time per token even with one user
};

struct FrontierMachine {
  std::string id, name, stack;
  double usd_per_hour = unknown;           ///< of one machine; NaN: no price was chosen
  std::size_t layouts = 0, evaluated = 0;  ///< layouts and formats that were tried, and operating points that were computed
  FrontierRejected rejected;
  std::string why_unfit;  ///< why the layout that needs the least memory does not, or may not, fit; empty: it fits
  std::string assumed;    ///< source of the machine's efficiencies if assumed; empty: measured
  double tpot_error = unknown, throughput_error = unknown;  ///< median of the stack's estimate on runs held back; NaN: none on this machine
  std::vector<FrontierPoint> points;                        ///< by layout, and users within it
  std::vector<FrontierPick> picks;                          ///< the limits alone; 20, 50 and 100 tokens/s per user; the users asked for
};

struct Frontier {
  std::vector<FrontierMachine> machines;
  [[nodiscard]] std::size_t evaluated() const;
};

/// The figures of a point by name, in the order of the documents.
struct FrontierMetric {
  std::string_view name, meaning;
  double FrontierPoint::* value;
};
[[nodiscard]] std::span<const FrontierMetric> frontier_metrics();

/// The users of each layout are searched on a grid, and for the picks to the last one.
[[nodiscard]] Frontier frontier(const FrontierRequest& request);

/// Index into FrontierMachine::picks of the answer to the request: for its users, else within its limits, else at the first speed.
[[nodiscard]] std::size_t main_pick(const FrontierRequest& request);

/// From JSON: the keys of parse_serving_request() but rate and layout, and "machines" (ids or machine files), "gpus" (a number, or
/// "any"), "tpot_max" and "ttft_max" (s), "weights" (a list), "disaggregated", "prefill_machines" (as "machines"), "price", and
/// "usd_per_hour" (one for all, or by machine id). `base` has the stack and what else holds for all machines.
[[nodiscard]] Result<FrontierRequest> parse_frontier_request(std::string_view json, const Scenario& base);

/// "roofline-frontier/1". Without `points` everything but the points, for who takes those as columns.
[[nodiscard]] std::string frontier_json(const Frontier& frontier, const FrontierRequest& request, bool points = true);
/// One row per point.
[[nodiscard]] std::string frontier_csv(const Frontier& frontier, const FrontierRequest& request);
/// Which machine makes the most under the limits, how, and what the next one loses; or that none meets them, and by how much.
[[nodiscard]] std::string frontier_finding(const Frontier& frontier, const FrontierRequest& request);
/// How a point's throughput follows from its users and times: "64 users x 1,000 tokens / 13.4 s per request = 4,776 tokens/s ...".
[[nodiscard]] std::string throughput_text(const FrontierPoint& point, const ServingRequest& request);
/// For a terminal: how many were searched, and the picks of each machine.
[[nodiscard]] std::string frontier_table(const Frontier& frontier, const FrontierRequest& request);

}  // namespace roofline
