// The diagnosis of one operation: why it is bound, and what would help.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <string>
#include <vector>

namespace roofline {

/// What would help one op, best first.
struct Suggestion {
  std::string change;        ///< "INT8", "INT4 weights", "batch x8"
  WhatIf whatif;             ///< the change itself; not active for "reach the roof"
  double bytes_factor = 1;   ///< today's bytes over the change's
  double low = 1, high = 1;  ///< range of the speed-up: pessimistic .. optimistic
  double at_roof = unknown;  ///< if it also reached the roof; NaN without a time
};

struct Diagnosis {
  std::string sentence;  ///< why it is where it is and what would move it
  std::vector<Suggestion> suggestions;
  std::vector<std::string> remarks;  ///< above the roof, fallbacks, data efficiency, upper bound, ...
};

/// `elsewhere`: the operations did not run on this machine (Summary::ran_elsewhere), so its time says nothing of how well it did.
[[nodiscard]] Diagnosis diagnose(const Plan& plan, std::size_t op, const OpAnalysis& analysis, bool elsewhere = false);
[[nodiscard]] inline Diagnosis diagnose(const Plan& plan, std::size_t op) { return diagnose(plan, op, plan.analyze(op)); }

}  // namespace roofline
