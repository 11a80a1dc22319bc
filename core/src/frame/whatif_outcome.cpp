// A run's time, or range of times, under the what-if, and the sentence about it.
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>

#include "analysis/steps.hpp"
#include "analysis/wording.hpp"

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

/// ", 1.02x to 1.09x including idle time": the speed-up of the whole run that follows from that of the busy time.
std::string with_idle_time(const DeviceTime& device, Range speedup) {
  const auto whole = [&](double busy) { return device.span_s / (device.idle_s() + device.busy_s / busy); };
  const std::string low = times(whole(speedup.low)), high = times(whole(speedup.high));
  return ", " + (low == high ? high : low + " to " + high) + " including idle time";
}

bool changes_formats(const WhatIf& whatif) { return whatif.weight || whatif.activation || whatif.output || whatif.kv; }

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

std::string whatif_sentence(const Plan& plan, const Summary& s) {
  constexpr double min_speedup = 1.1;  // below it, the headline says why the formats save so little
  const WhatIfOutcome outcome = whatif_outcome(plan, s);
  const auto [low, high] = outcome.speedup;
  const std::string change = ' ' + capitalised(whatif_words(plan.scenario().whatif)) + ": ";
  if (!known(outcome.today_s) && known(outcome.then_s.low)) return change + at_least(outcome) + (outcome.per_item ? " per item." : ".");
  if (!known(low)) return {};
  const DeviceTime& device = plan.workload().device_time;
  const char* of_what = outcome.per_item ? " per item" : " in total";
  if (std::abs(low - 1) < 0.005 && std::abs(high - 1) < 0.005) return change + "no change" + of_what + '.';
  // With a larger batch the idle time per item is unknown: there are fewer launches.
  const bool idles = device.devices == 1 && device.idle_share() >= least_idle_share && s.ops == plan.workload().size() && !outcome.per_item;
  const bool mostly_neither = !outcome.per_item && s.neither_s > 0.5 * s.judged_time_s && high > 1.005 * low;
  const bool formats_change = !outcome.per_item && changes_formats(plan.scenario().whatif) && s.bytes > 0 && s.whatif_bytes > 0;
  const std::string bytes_left =
      formats_change && high < min_speedup ? " " + percent(s.whatif_bytes / s.bytes) + " of the bytes remain." : std::string();
  const bool other_limit = outcome.limited_by != no_resource && s.limiting() != no_resource && outcome.limited_by != s.limiting();
  const std::string then = other_limit ? ", then mostly limited by " + resource_name(plan, outcome.limited_by) + '.' : std::string(".");
  const std::string one_rate = computes_narrower_at_one_rate(plan) ? std::string(" ") + one_rate_for_all : std::string();
  return change + faster(low, high) + (idles ? " while the device is busy" + with_idle_time(device, {low, high}) : of_what) +
         (mostly_neither
              ? "; expect the low end: neither compute nor memory limits " + percent(s.neither_s / s.judged_time_s) + " of the time."
              : then) +
         bytes_left + one_rate;
}

}  // namespace roofline
