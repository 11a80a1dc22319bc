// What aggregated and disaggregated deployments have in common.
#pragma once

#include <roofline/serving/operating_point.hpp>
#include <string>

namespace roofline {

/// The request of one worker of its prefill pool.
[[nodiscard]] ServingRequest prefill_worker(const ServingRequest& request);

/// What bounds most of a decode step.
[[nodiscard]] ServingLimit limit_of_step(const StepTime& step);

/// Mean wait, s, of requests that arrive at random at a server that takes `service_s` for each (M/D/1). `busy`: the fraction of its time
/// that it works, below 1.
[[nodiscard]] double queue_s(double busy, double service_s);

/// The error for a rate beyond saturation. `limit`: the cause of the highest rate that `machines` serve; `advice`: what to add.
[[nodiscard]] Error beyond_saturation(const ServingRequest& request, const std::string& machines, double most_rate,
                                      const std::string& limit, const std::string& advice);

/// Why a model does not fit: what it needs of a machine, and what that has.
[[nodiscard]] std::string unfit_text(const ServingRequest& request, const Machine& machine, const ServingEngine& engine);

/// A request's cache on its way from prefill to decode.
struct CacheTransfer {
  double time_s;      ///< NaN: the link rate of at least one machine is unknown
  double interfaces;  ///< network interfaces that send it: one per machine of the smaller worker
  /// Caches per second that `machines` send or take.
  [[nodiscard]] double per_s(double machines) const { return machines / (interfaces * time_s); }
};
/// `decode`: the request and the engine of a decode worker.
[[nodiscard]] CacheTransfer cache_transfer(const ServingRequest& decode, const ServingEngine& engine, double prefill_tp,
                                           const Machine& from, const Machine& to);

}  // namespace roofline
