// A run's time, or range of times, under the what-if.
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>

namespace roofline {
namespace {

/// A format that some operations compute in under the what-if and for which no rate is known; no_format: there is none.
FormatId format_without_rate(const Plan& plan) {
  const std::vector<OpClass>& classes = plan.workload().classes;
  for (std::size_t kind = 0; kind < classes.size(); ++kind) {
    const Plan::ClassRates& rates = plan.whatif_rates(kind);
    if ((classes[kind].matrix_work && std::isinf(rates.matrix)) || (classes[kind].vector_work && std::isinf(rates.vector)))
      return rates.wanted;
  }
  return no_format;
}

}  // namespace

std::string at_least(const WhatIfOutcome& outcome) {
  const FormatId lacking = outcome.without_rate;
  return "at least " + seconds(outcome.then_s.low) +
         (lacking != no_format ? ", with no known rate for " + Formats::catalogue()[lacking].name : std::string());
}

WhatIfOutcome whatif_outcome(const Plan& plan, const Summary& s) {
  WhatIfOutcome out;
  if (!plan.has_whatif() || !(s.whatif_predicted_s > 0)) return out;
  const double items = plan.scenario().whatif.batch_scale;
  if (s.whatif_without_rate > 0) {
    out.then_s = {s.whatif_predicted_s / items, unknown};
    out.without_rate = format_without_rate(plan);
  } else if (s.judged_time_s > 0 && !s.machine_mismatch()) {
    out.today_s = s.judged_time_s;
    out.then_s = s.whatif_measured.times(items);
  } else if (s.mostly_partly_known()) {
    out.then_s = {s.whatif_predicted_s / items, unknown};
  } else {
    out.today_s = s.whatif_estimated.today_s;
    out.then_s = s.whatif_estimated.times(items);
  }
  out.speedup = speedup(out.today_s, out.then_s);
  out.per_item = items != 1;
  if (known(out.today_s) && !s.mostly_neither()) out.limited_by = s.whatif_bound_by;
  return out;
}

}  // namespace roofline
