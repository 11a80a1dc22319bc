// Totals over blocks of operations.
#pragma once

#include "analysis/blocks.hpp"
#include "base/simd.hpp"

namespace roofline {

/// Sums operations into a Summary. Unknown values add zero.
class SummaryAccumulator {
 public:
  explicit SummaryAccumulator(const Plan& plan)
      : plan_(plan),
        resources_(plan.resources().size()),
        links_from_(static_cast<double>(plan.links_from())),
        advice_threshold_(plan.scenario().advice_threshold),
        compute_headroom_(std::max(0.0, plan.scenario().machine.clock_headroom() - Summary::above_roof_ratio)),
        whatif_(plan.has_whatif()),
        timed_(plan.workload().timed()) {}

  void add(const OpBlock& ops);
  [[nodiscard]] Summary summary() const;

 private:
  /// Adds each operation's own share; the operations that it calls count where they are listed.
  void add_own(const OpBlock& ops);
  void add_whatif(const OpBlock& ops);
  /// Adds the operations with a bound and a time in `today_s`.
  void add_whatif(WhatIfSums& sums, const OpBlock& ops, const double* today_s) const;
  void add_typical(const OpBlock& ops);

  struct Row {
    simd::Pair times{};  ///< taken, predicted
    /// The time of ops that no resource is known to limit; the number of ops.
    simd::Pair unlimited_and_count{};
  };
  /// Rows without a bound have one of the last two statuses, so that no_resource, which exceeds max_resources, overlaps no other row.
  static constexpr std::size_t row_of(std::size_t bound, std::size_t status) { return status * max_resources + bound; }
  static constexpr std::size_t rows = (status_count - 1) * max_resources + no_resource + 1;
  const Plan& plan_;
  Summary s_;
  simd::Pair flops_{}, bytes_{}, lost_{}, far_above_{}, neither_{}, partly_known_{};
  std::array<std::array<Row, rows>, 4> rows_{};
  std::size_t resources_;
  double links_from_, advice_threshold_;
  double compute_headroom_;                              ///< beyond above_roof_ratio
  std::array<double, max_resources> whatif_by_bound_{};  ///< what-if time of each resource, s
  bool whatif_, timed_;
};

}  // namespace roofline
