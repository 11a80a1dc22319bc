// How long machines that share experts take to send each other their tokens, by published measurements.
#pragma once

#include <roofline/machine/machine.hpp>

namespace roofline {

/// One layer's exchange on one machine.
struct Exchange {
  double ranks = 1;           ///< machines that share the experts
  double tokens = 0;          ///< of one machine
  double copies = 1;          ///< machines that a token goes to: at most `ranks`
  double dispatch_bytes = 0;  ///< of a token on its way to an expert
  double combine_bytes = 0;   ///< on its way back
};

/// Seconds: a latency, and bytes over a rate that falls with the ranks. Within the machine's scale-up domain over its first link, beyond it
/// over its scale-out link. NaN: that link's rate is not known.
/// Sources: TensorRT-LLM, tech blog 18, commit 22de8b3 (GB200 NVL72, one-sided); DeepEP, legacy.md, commit 0297fc8 (H800, low latency).
[[nodiscard]] double all_to_all_s(const Exchange& exchange, const Machine& machine);

/// Seconds if all tokens are gathered on each machine and the results are summed, as engines do on few machines. `fraction`: of the first
/// link's rate that is reached; `latency_s`: of an all-reduce. NaN: the link's rate is not known.
[[nodiscard]] double gather_and_sum_s(const Exchange& exchange, const Machine& machine, double fraction, double latency_s);

/// Mean number of distinct experts that `tokens` tokens go to, each to `top_k` of `experts`, where some are chosen more often than others:
/// E k T / (E - k + k T), for shares that are distributed exponentially. With equal shares it would be distinct_experts(). The
/// distribution agrees with SGLang's gain of 2.54x from balancing DeepSeek-V3's experts on 72 machines with four each
/// (lmsys.org/blog/2025-05-05-large-scale-ep): by it, the busiest of them has 2.6 times the mean.
[[nodiscard]] double uneven_distinct_experts(double experts, double top_k, double tokens);

/// Experts read by the busiest machine over the mean, if `touched` of `experts` are chosen at random and `ranks` machines share them:
/// 1 + sqrt(ln(ranks) (1 - p) / mean), p = touched / experts, at most all experts of a machine. The mean of the largest of n normal
/// values is about sqrt(ln n) deviations above theirs.
[[nodiscard]] double uneven_reads(double ranks, double experts, double touched);

/// The busiest machine's share of the experts' work over the mean, where each of `assignments` (tokens times experts per token) goes to one
/// of `ranks` at random: 1 + sqrt(2 ln(ranks) / mean), up to all on one.
[[nodiscard]] double uneven_experts(double ranks, double assignments);

}  // namespace roofline
