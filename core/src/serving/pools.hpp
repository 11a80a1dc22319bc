// The search over deployments whose prefill has machines of its own.
#pragma once

#include <functional>
#include <roofline/serving/frontier.hpp>

namespace roofline {

/// The request in one format on a machine: in what the stack computes there, at the price that was chosen.
[[nodiscard]] ServingRequest request_on(const FrontierRequest& asked, std::size_t weights, const Scenario& scenario);

/// Whether the point has `users` users, within 0.2%: pools have them on the mean.
[[nodiscard]] bool has_users(const FrontierPoint& point, double users);

/// Calls `use` with the best worker counts of each layout of a prefill and a decode worker at each batch and, if the request has a number
/// of users, at the batch that gives that number. Returns how many layouts were tried.
std::size_t search_pools(const FrontierRequest& request, const Scenario& scenario, const std::function<void(const FrontierPoint&)>& use);

}  // namespace roofline
