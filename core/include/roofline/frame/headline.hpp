// The finding above the chart, in a sentence.
#pragma once

#include <roofline/analysis/finding.hpp>
#include <roofline/frame/frame.hpp>

namespace roofline {

/// `frame`: of `ops`.
/// "71% of the time above the bound is in 3 of 214 ops; all are memory-bound."
[[nodiscard]] Finding headline(const OpSet& ops, const Frame& frame);
/// The total under a what-if, as in the headline. NaN: there is no what-if.
struct WhatIfOutcome {
  Range speedup;
  double today_s = unknown;  ///< measured; if nothing was, the estimate, or the bound if the summary has no estimate
  Range then_s;
  bool per_item = false;  ///< the batch changes: then_s is of one of its items
};
[[nodiscard]] WhatIfOutcome whatif_outcome(const Plan& plan, const Summary& summary);
/// Without a frame at hand.
[[nodiscard]] Finding headline(const OpSet& ops);

}  // namespace roofline
