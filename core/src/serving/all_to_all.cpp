#include "serving/all_to_all.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace roofline {
namespace {

struct AtRanks {
  double ranks, rate;  ///< B/s per machine
};
constexpr double scale_up_measured = 900e9, scale_out_measured = 50e9;  ///< B/s one way, of the links that were measured

constexpr std::array scale_up_dispatch = {AtRanks{8, 807e9}, AtRanks{32, 650e9}, AtRanks{64, 620e9}},
                     scale_up_combine = {AtRanks{8, 800e9}, AtRanks{32, 630e9}, AtRanks{64, 640e9}};
constexpr std::array scale_out_dispatch = {AtRanks{8, 98e9},  AtRanks{16, 63e9},  AtRanks{32, 48e9},
                                           AtRanks{64, 43e9}, AtRanks{128, 39e9}, AtRanks{256, 39e9}},
                     scale_out_combine = {AtRanks{8, 127e9}, AtRanks{16, 74e9},  AtRanks{32, 53e9},
                                          AtRanks{64, 46e9}, AtRanks{128, 39e9}, AtRanks{256, 40e9}};
// Of few tokens; of many, a part of it hides behind the bytes.
constexpr double dispatch_latency_s = 17.5e-6, combine_latency_s = 31e-6;
constexpr double dispatch_latency_per_doubling_s = 2e-6;  ///< from 8 ranks up

/// By the logarithm of the ranks; beyond the table its ends.
double rate_at(std::span<const AtRanks> table, double ranks) {
  if (ranks <= table.front().ranks) return table.front().rate;
  for (std::size_t i = 1; i < table.size(); ++i)
    if (ranks <= table[i].ranks) {
      const double at = std::log2(ranks / table[i - 1].ranks) / std::log2(table[i].ranks / table[i - 1].ranks);
      return table[i - 1].rate + at * (table[i].rate - table[i - 1].rate);
    }
  return table.back().rate;
}

}  // namespace

double all_to_all_s(const Exchange& e, const Machine& machine) {
  constexpr double node = 8;
  const bool beyond = e.ranks > machine.linked();
  const double link = beyond ? machine.scale_out.value : machine.link_rate();
  const double scale = link / (beyond ? scale_out_measured : scale_up_measured);
  const double sent = e.copies * e.tokens;
  const double dispatch_s = dispatch_latency_s + dispatch_latency_per_doubling_s * std::max(0.0, std::log2(e.ranks / node));
  const auto one_way = [&](double latency_s, double bytes, std::span<const AtRanks> table) {
    return latency_s + sent * bytes / (scale * rate_at(table, e.ranks));
  };
  if (beyond)
    return one_way(dispatch_s, e.dispatch_bytes, scale_out_dispatch) + one_way(combine_latency_s, e.combine_bytes, scale_out_combine);
  return one_way(dispatch_s, e.dispatch_bytes, scale_up_dispatch) + one_way(combine_latency_s, e.combine_bytes, scale_up_combine);
}

double gather_and_sum_s(const Exchange& e, const Machine& machine, double fraction, double latency_s) {
  const double link = machine.link_rate();
  return latency_s + (e.ranks - 1) * e.tokens * (e.dispatch_bytes + e.combine_bytes) / (link * fraction);
}

double uneven_distinct_experts(double experts, double top_k, double tokens) {
  return experts * top_k * tokens / (experts - top_k + top_k * tokens);
}

double uneven_reads(double ranks, double experts, double touched) {
  if (!(ranks > 1) || !(touched > 0)) return 1;
  const double share = touched / experts;
  return std::min(1 / share, 1 + std::sqrt(std::log(ranks) * std::max(0.0, 1 - share) / (touched / ranks)));
}

double uneven_experts(double ranks, double assignments) {
  if (!(ranks > 1) || !(assignments > 0)) return 1;
  return std::min(ranks, 1 + std::sqrt(2 * std::log(ranks) * ranks / assignments));
}

}  // namespace roofline
