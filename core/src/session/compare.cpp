// The open run against the one kept before it, as the view filters and sorts them.
#include <roofline/session/session.hpp>


namespace roofline {
Result<void> Session::with_changes(const UseChanges& use) const {
  if (!before_) return fail("no run is kept to compare with");
  const auto scenario = scenario_before();
  if (!scenario) return Unexpected(scenario.error());
  const Plan before(*before_, *scenario), after(work_, scenario_);
  OpFilter filter = filter_in_force();
  filter.level = Level::both;
  const auto rows = [&](const Workload& w) { return std::make_shared<RowSelection>(select_rows(w, filter)); };
  const std::uint32_t bounds = bounds_of(after, filter_.bounds, after);  // words that mean nothing on this machine are no filter
  const OpSet ops_before(before, rows(*before_), {filter_.statuses, bounds != 0 ? bounds_of(before, filter_.bounds, after) : ~0u});
  const OpSet ops_after(after, rows(work_), {filter_.statuses, bounds != 0 ? bounds : ~0u});
  Comparison changes = compare(ops_before, ops_after);
  if (!compare_sort_.empty() && !sort_changes(before, after, changes, compare_sort_, compare_descending_))
    return fail(
        "changes cannot be sorted by \"" + compare_sort_ + "\": expected name, type, before, after, speedup, saved, efficiency or bound_by",
        "compare_sort");
  use(before, after, changes);
  return {};
}

Result<Scenario> Session::scenario_before() const {
  Scenario scenario = scenario_;
  if (!before_machine_.empty()) {
    if (auto ok = use_stated_machine(scenario, before_machine_); !ok) return Unexpected(ok.error());
  } else if (!before_->machine_json.empty() && before_->machine_json != work_.machine_json) {
    static_cast<void>(use_stated_machine(scenario, before_->machine_json));  // it ran on a machine of its own
  }
  return scenario;
}

}  // namespace roofline
