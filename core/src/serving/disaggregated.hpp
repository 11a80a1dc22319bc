// What aggregated and disaggregated deployments have in common.
#pragma once

#include <roofline/serving/operating_point.hpp>
#include <string>

namespace roofline {

/// The request of one worker of its prefill pool.
[[nodiscard]] ServingRequest prefill_worker(const ServingRequest& request);

/// What bounds most of a decode step.
[[nodiscard]] ServingLimit limit_of_step(const StepTime& step);

/// Why a model does not fit: what it needs of a machine, and what that has.
[[nodiscard]] std::string unfit_text(const ServingRequest& request, const Machine& machine, const ServingEngine& engine);

/// Seconds from prefill to decode of one request's cache: its bytes over the network interfaces of the smaller worker's machines that hold
/// it. NaN: no link's rate is known.
[[nodiscard]] double cache_transfer_s(const ServingRequest& request, const Machine& from, const Machine& to, const ServingEngine& engine);

}  // namespace roofline
