// How an all-reduce uses a machine's links.
#pragma once

#include <cmath>
#include <roofline/machine/machine.hpp>
#include <roofline/machine/stack.hpp>

namespace roofline {

/// Seconds. `link_rate`: B/s one way of the link, NaN: not known.
inline double all_reduce_latency_s(const StackTerms& terms, double link_rate) {
  const double fitted_on = terms.all_reduce_link.value_or(0);
  return terms.all_reduce_s.value_or(0) * (fitted_on > 0 && link_rate > fitted_on ? fitted_on / link_rate : 1);
}

/// Seconds to add to all_reduce_latency_s() if the machines span several scale-up domains: 30 us, between two measurements. NCCL sums 16 KB
/// over 16 GPUs on two nodes with InfiniBand in 36 us (H100) and 43 us (B200), 25 and 37 us more than the serving stacks take within a node
/// (github.com/dstackai/dstack, commit b27f99c, nebius.md and lambda.md of its cluster examples). 0 if the stack states no such latency.
inline double scale_out_latency_s(const StackTerms& terms) { return terms.all_reduce_s.value_or(0) > 0 ? 30e-6 : 0; }

/// Of the bytes that a machine sends to others: the fraction on the first link, and that on the scale-out link.
struct LinkShares {
  double first = 1, scale_out = 0;
};

/// For an all-reduce of `machines` in m equal scale-up domains of d: each domain scatters the sum over its machines, each machine sums its
/// part with those of the other domains, and the domain gathers. Each sends 2 (d - 1) / d and 2 (m - 1) / (m d) of the tensor, together the
/// 2 (n - 1) / n of a ring over all n. An exchange between experts sends at least as much between the domains.
/// Without a known rate of the scale-out link all are on the first one.
inline LinkShares link_shares(double machines, const Machine& machine) {
  const double domains = std::ceil(machines / machine.linked());
  if (domains <= 1 || !machine.scale_out.known()) return {};
  return {(machines - domains) / (machines - 1), (domains - 1) / (machines - 1)};
}

}  // namespace roofline
