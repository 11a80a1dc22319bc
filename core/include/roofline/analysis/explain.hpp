// The diagnosis of one operation: why it is bound, and what would help.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <string>
#include <vector>

namespace roofline {

/// What would help one op.
struct Suggestion {
  std::string change;                 ///< "INT8 in all operands", "INT4 weights", "batch x8", "NVIDIA B200 SXM"
  WhatIf whatif;                      ///< the change itself; inactive if only a better kernel is meant
  double bytes_factor = 1;            ///< today's bytes over the change's
  double low = 1, high = 1;           ///< range of the speed-up: pessimistic .. optimistic; NaN: today's time is not known
  double typical_speedup = unknown;   ///< today's estimate over that with the change, per item; NaN: the op has a time, or no such estimate
  double predicted_time_s = unknown;  ///< bound with the change, s, for the same work; NaN if only a better kernel is meant
  double at_roof = unknown;           ///< if it also reached the roof; NaN without a time
  bool coarse_cache = false;          ///< attention would have a KV cache below 8 bits, which costs much accuracy: listed last
  /// What suggestions are sorted by.
  [[nodiscard]] double gain() const { return known_or(typical_speedup, high); }
};

/// In the order in which it is said.
struct Diagnosis {
  std::string verdict;                     ///< "Memory-bound, at 46% of the HBM bandwidth."
  std::string lever;                       ///< what would help most, software before hardware: "INT4 weights"; empty: nothing would
  std::string number;                      ///< what the lever buys: "1.7x to 8.0x faster"
  std::string evidence;                    ///< the figures behind the verdict; empty: there are none
  std::vector<Suggestion> suggestions;     ///< software, largest gain first, coarse caches last; then another machine of the same class
  std::vector<std::string> remarks;        ///< above the roof, fallbacks, data efficiency, upper bound, ...
  [[nodiscard]] std::string text() const;  ///< verdict, lever, number and evidence as sentences
};

/// `mismatch`: the operations did not run on this machine (Summary::machine_mismatch), so its time says nothing of how well it did.
[[nodiscard]] Diagnosis diagnose(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool mismatch = false);
[[nodiscard]] inline Diagnosis diagnose(const Plan& plan, std::size_t op) { return diagnose(plan, op, plan.analyze(op)); }

}  // namespace roofline
