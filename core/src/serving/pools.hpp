// The search over deployments whose prefill has machines of its own.
#pragma once

#include <functional>
#include <roofline/serving/frontier.hpp>
#include <span>

namespace roofline {

/// The request in one format on a machine: in what the stack computes there, at the price that was chosen.
[[nodiscard]] ServingRequest request_on(const FrontierRequest& asked, std::size_t weights, const Scenario& scenario);

/// Whether the point has `users` users, within 0.2%: pools have them on the mean.
[[nodiscard]] bool has_users(const FrontierPoint& point, double users);

/// Calls `use` for each layout and batch of a decode worker, with the best worker counts for each layout of a prefill worker: points of one
/// call have the same time per token. Batches: a grid, the largest within each of `tpot_limits` (s) and, if the request has a number of
/// users, the one with that number, in a call by itself. Returns how many layouts were tried.
std::size_t search_pools(const FrontierRequest& request, const Scenario& scenario, std::span<const double> tpot_limits,
                         const std::function<void(std::span<const FrontierPoint>)>& use);
}  // namespace roofline
