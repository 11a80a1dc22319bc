// The finding above the chart, in a sentence.
#pragma once

#include <roofline/analysis/finding.hpp>
#include <roofline/frame/frame.hpp>

namespace roofline {

/// `frame`: of `ops`.
/// "DRAM limits 83% of the 13.3 ms. Tuning 10 of 88 ops could save up to 2.55 ms."
[[nodiscard]] Finding headline(const OpSet& ops, const Frame& frame);
/// The headline of `ops` if the caller has no frame.
[[nodiscard]] Finding headline(const OpSet& ops);

/// The total under a what-if, as in the headline. NaN: there is no what-if.
struct WhatIfOutcome {
  Range speedup;             ///< NaN where today_s is
  double today_s = unknown;  ///< measured; if nothing was, the estimate, or the bound if the summary has no estimate; NaN: most bounds are
                             ///< only partly known, or a rate is not known under the what-if
  Range then_s;              ///< if today_s is NaN, low is a lower bound and high is NaN
  bool per_item = false;     ///< the batch changes: then_s is of one of its items
  std::uint8_t limited_by =
      no_resource;                    ///< most of then_s; no_resource: mostly neither compute nor memory limits the run, or it is not known
  FormatId without_rate = no_format;  ///< where today_s is NaN: a format of the what-if for which no rate is known either
};
[[nodiscard]] WhatIfOutcome whatif_outcome(const Plan& plan, const Summary& summary);
/// "at least 934 µs": then_s.low in words, where today_s is NaN.
[[nodiscard]] std::string at_least(const WhatIfOutcome& outcome);
/// " With INT8 weights: 1.5x to 2x faster in total.": begins with a space. Empty if there is no what-if or its result is unknown.
[[nodiscard]] std::string whatif_sentence(const Plan& plan, const Summary& summary);

}  // namespace roofline
