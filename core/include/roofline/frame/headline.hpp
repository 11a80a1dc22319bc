// The finding above the chart, in a sentence.
#pragma once

#include <roofline/analysis/finding.hpp>
#include <roofline/frame/frame.hpp>

namespace roofline {

/// `frame`: of `ops`.
/// "3 of 214 ops account for 71% of the time above the bound; all are memory-bound."
[[nodiscard]] Finding headline(const OpSet& ops, const Frame& frame);
/// The what-if's speed-up, as the headline has it: a range of the total, or per item where the batch changes. NaN: there is no what-if.
struct WhatIfSpeedup {
  Range range;
  bool per_item = false;
};
[[nodiscard]] WhatIfSpeedup whatif_speedup(const Plan& plan, const Summary& summary);
/// Without a frame at hand.
[[nodiscard]] Finding headline(const OpSet& ops);

}  // namespace roofline
