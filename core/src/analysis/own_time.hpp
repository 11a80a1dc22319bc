// The time and the limit of an operation, as views of time add them up.
#pragma once

#include "analysis/blocks.hpp"

namespace roofline {

/// The time of an operation in s: its self time, else its measured time. Where no operation of the workload has one, its bound: measured
/// and predicted times are never added up, so an operation without a time in a run of measured ones counts 0. So does one of rates alone,
/// whose time is a stand-in.
class OwnTime {
 public:
  explicit OwnTime(const Workload& w) : measured_(w.timed()) {}
  [[nodiscard]] bool measured() const { return measured_; }
  [[nodiscard]] double operator()(const OpBlock& ops, std::size_t j) const {
    if (is_stand_in(ops, j)) return 0;
    if (!measured_) return ops.predicted_s[j];
    if (ops.self_time_s[j] >= 0) return ops.self_time_s[j];
    return ops.time_s[j] > 0 ? ops.time_s[j] : 0;
  }
  /// An operation of a measured run has no time at all; a self time of 0 is one.
  [[nodiscard]] bool lacks(const OpBlock& ops, std::size_t j) const {
    return measured_ && (is_stand_in(ops, j) || (!(ops.self_time_s[j] >= 0) && !(ops.time_s[j] > 0)));
  }

 private:
  static bool is_stand_in(const OpBlock& ops, std::size_t j) { return ops.rates_only && ops.rates_only[j] != 0; }
  bool measured_;
};

/// The index of the resource that limits an operation; plan.resources().size() where neither compute nor memory does, no_resource where
/// that is not known.
[[nodiscard]] inline std::size_t limit_index(const Plan& plan, Limit limit, std::size_t bound_by) {
  return limit == Limit::unknown ? no_resource : limit == Limit::neither ? plan.resources().size() : bound_by;
}
[[nodiscard]] inline std::size_t limit_index(const Plan& plan, const OpBlock& ops, std::size_t j) {
  return limit_index(plan, limit_of(plan, ops, j), static_cast<std::size_t>(ops.bound[j]));
}

}  // namespace roofline
