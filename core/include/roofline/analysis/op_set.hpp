// A plan and which of its operations count. Summaries, frames, questions and exports take an OpSet, so that none of them can forget a
// filter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <utility>
#include <vector>

namespace roofline {

/// Per row 1 where it is meant; empty: every row.
using RowMask = std::vector<std::uint8_t>;

/// Which rows count whatever the machine. It costs a pass over the workload: callers keep it across plans. See select_rows().
struct RowSelection {
  RowMask scope;                      ///< the others are as if they were not there
  RowMask counted;                    ///< of `scope` what totals are over: rows that are totals themselves only where nothing else is left
  RowMask found;                      ///< what name, step and words let through
  std::vector<std::uint8_t> classes;  ///< per OpClass 1: let through; empty: all
  [[nodiscard]] bool filters() const { return !found.empty() || !classes.empty(); }
};

/// Which operations count by what the analysis finds of them.
struct ResultFilter {
  std::uint16_t statuses = 0xffff;  ///< bit per Status
  std::uint32_t bounds = ~0u;       ///< bit per resource that bounds it; bit 31: no bound is known
  std::uint32_t limits = ~0u;       ///< bit per resource that limits it; bit 30: neither does (Limit::neither); bit 31: not known
  static constexpr unsigned neither_bit = 30, no_bound_bit = 31;
  [[nodiscard]] bool keeps_all() const { return statuses == 0xffff && bounds == ~0u && limits == ~0u; }
  [[nodiscard]] bool keeps(std::int32_t status, std::int32_t bound) const {
    const unsigned bit = static_cast<unsigned>(bound) < no_bound_bit ? static_cast<unsigned>(bound) : no_bound_bit;
    return (statuses >> static_cast<unsigned>(status) & 1) != 0 && (bounds >> bit & 1) != 0;
  }
  [[nodiscard]] bool keeps(Limit limit, std::int32_t bound) const {
    const unsigned bit = limit == Limit::neither ? neither_bit : limit == Limit::unknown ? no_bound_bit : static_cast<unsigned>(bound);
    return (limits >> bit & 1) != 0;
  }
  bool operator==(const ResultFilter&) const = default;
};

/// Keeps a reference to the plan, which must outlive it.
class OpSet {
 public:
  /// Every operation; of a profile's rows those that are no totals over others.
  OpSet(const Plan& plan);  // NOLINT(google-explicit-constructor): a plan stands for all of its operations
  OpSet(const Plan& plan, std::shared_ptr<const RowSelection> rows, ResultFilter results = {})
      : plan_(&plan), rows_(std::move(rows)), results_(results) {}

  [[nodiscard]] const Plan& plan() const { return *plan_; }
  [[nodiscard]] const Workload& workload() const { return plan_->workload(); }
  [[nodiscard]] const RowSelection& rows() const { return *rows_; }
  [[nodiscard]] const ResultFilter& results() const { return results_; }
  /// Whether a filter leaves out anything of the scope.
  [[nodiscard]] bool filtered() const { return rows_->filters() || !results_.keeps_all(); }

  /// Everything in scope.
  [[nodiscard]] OpSet unfiltered() const;
  /// The very same rows as the scope of a set without filters: what is let through under this plan, whatever `other` finds of them.
  /// `other` is of the same workload.
  [[nodiscard]] OpSet under(const Plan& other) const;
  [[nodiscard]] OpSet fixed() const { return under(*plan_); }
  /// One row alone.
  [[nodiscard]] static OpSet of(const Plan& plan, std::uint32_t op);

  /// The rows that are let through, totals over others among them, in the source's order.
  [[nodiscard]] std::vector<std::uint32_t> listed() const;
  /// Per row 1 where listed.
  [[nodiscard]] RowMask mask() const;

 private:
  const Plan* plan_;
  std::shared_ptr<const RowSelection> rows_;
  ResultFilter results_;
};

/// The row of a profile that states the whole program, with infeed and outfeed where the set's scope is; nullopt: there is none.
[[nodiscard]] std::optional<std::uint32_t> program_row(const OpSet& ops);

/// Totals over a set. `typical`: with typical times, which cost a second look at every operation; without it they are not known.
[[nodiscard]] Summary summarize(const OpSet& ops, bool typical = true);

/// The typical time of a set, term by term.
[[nodiscard]] TypicalTerms typical_terms(const OpSet& ops);

}  // namespace roofline
