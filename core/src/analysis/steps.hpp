// Totals per step, for sources whose rows belong to steps.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/op_set.hpp>
#include <vector>

#include "base/members.hpp"

namespace roofline {

struct StepTotals {
  std::uint32_t step = 0;  ///< index into Workload::steps
  std::size_t ops = 0;     ///< rows that are operations
  double time_s = 0;       ///< of the step's own row where the source has one, else the sum of its operations
  double predicted_time_s = 0;
  double judged_time_s = 0, judged_predicted_s = 0;  ///< the same, of what has both a time and a bound
  std::uint8_t bound_by = no_resource;               ///< of that row, else what bounds most predicted time
  std::vector<double> time_by_bound;  ///< self time per resource, then of what has no known bound; of the operations where there are any
  std::vector<double> time_by_limit;  ///< the same per resource, then limited by neither compute nor memory, then without a known bound
};

/// In the order of first appearance among the rows listed.
[[nodiscard]] std::vector<StepTotals> step_totals(const OpSet& ops);

/// Of sources whose rows belong to steps: "12 steps take 1.1 ms to 1.3 ms; step 7 is the longest; DRAM limits 61% of the time, compute
/// 30%." Of others, what bounds alone. Empty where no operation has a time. `categories`: of the same operations, for the time by bound.
[[nodiscard]] Finding steps_finding(const Plan& plan, const std::vector<StepTotals>& steps, const std::vector<CategoryTotal>& categories);

/// Idle time below this share of a trace is not worth a sentence.
inline constexpr double least_idle_share = 0.1;

/// "The device is idle for 84% of the 7.56 ms, in 177 gaps, the longest of 1.2 ms before gelu." Empty if there are
/// no launches or the device idles for under 10% of the time.
[[nodiscard]] Finding gaps_finding(const Workload& workload);

[[nodiscard]] ObjectSchema step_schema();
/// As an array of such objects.
void write_steps(JsonOut& out, const Plan& plan, const std::vector<StepTotals>& steps);

}  // namespace roofline
