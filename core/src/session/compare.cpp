// The open run against the one kept before it, as the view filters and sorts them.
#include <roofline/session/session.hpp>

#include "session/view.hpp"

namespace roofline {
Result<void> Session::with_changes(const UseChanges& use) const {
  if (!before_) return fail("no run is kept to compare with");
  const auto scenario = scenario_before();
  if (!scenario) return Unexpected(scenario.error());
  const Plan before(*before_, *scenario), after(work_, scenario_);
  OpFilter filter = in_force(*view_, work_);
  filter.level = Level::both;
  const auto rows = [&](const Workload& w) { return std::make_shared<RowSelection>(select_rows(w, filter)); };
  const ResultFilter results = results_in_force(*view_, after);
  ResultFilter results_before = results;
  if (results.bounds != ~0u) results_before.bounds = bounds_of(before, view_->bounds, after);
  if (results.limits != ~0u) results_before.limits = limits_of(before, view_->limits, after);
  Comparison changes = compare(OpSet(before, rows(*before_), results_before), OpSet(after, rows(work_), results));
  if (!view_->compare_sort.empty()) {
    const auto order = named<ChangeOrder>(view_->compare_sort);
    if (!order)
      return fail("changes cannot be sorted by \"" + view_->compare_sort + "\": expected " + any_of_names<ChangeOrder>(), "compare_sort");
    sort_changes(before, after, changes, *order, view_->compare_descending);
  }
  use(before, after, changes);
  return {};
}

Result<Scenario> Session::scenario_before() const {
  Scenario scenario = scenario_;
  if (!view_->before_machine.is_null()) {
    if (auto ok = use_stated_machine(scenario, dump(view_->before_machine)); !ok) return Unexpected(ok.error());
  } else if (!before_->machine_json.empty() && before_->machine_json != work_.machine_json) {
    static_cast<void>(use_stated_machine(scenario, before_->machine_json));  // it ran on a machine of its own
  }
  return scenario;
}

}  // namespace roofline
