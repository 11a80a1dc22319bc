// The open run against the one kept before it, as the view filters and sorts them.
#include <roofline/session/session.hpp>

#include "frame/filter.hpp"
#include "session/masks.hpp"

namespace roofline {
namespace {

RowMask let_through(const Plan& plan, Filter filter) {
  FrameRequest request;
  request.filter = std::move(filter);
  RowMask mask(plan.workload().size());
  for_each_shown_block(plan, request, device_axis, [&](const OpBlock& ops) {
    for (std::size_t j = 0; j < ops.count; ++j) mask[ops.index[j]] = 1;
  });
  return mask;
}

}  // namespace

Result<void> Session::with_changes(const UseChanges& use) const {
  if (!before_) return fail("no run is kept to compare with");
  const auto scenario = scenario_before();
  if (!scenario) return Unexpected(scenario.error());
  const Plan before(*before_, *scenario), after(work_, scenario_);
  Comparison changes = compare(before, after, view_->infeed);
  Filter of_before = filter_by_words(*before_, *view_, work_), of_after = filter_by_words(work_, *view_, work_);
  of_before.statuses = of_after.statuses = view_->statuses.bits;
  if (const auto bounds = bounds_of(after, view_->bounds); bounds && !view_->bounds.empty()) {
    of_after.bounds = *bounds;
    of_before.bounds = known_bounds(before, view_->bounds, after);
  }
  if (of_before.active() || of_after.active()) keep_changes(changes, let_through(before, of_before), let_through(after, of_after));
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
