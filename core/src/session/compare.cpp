// The open run against the one kept before it, as the view filters and sorts them.
#include <roofline/session/session.hpp>

#include "frame/filter.hpp"

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
  Comparison changes = compare(before, after, infeed_);
  Filter of_before, of_after;
  filter_by_words(*before_, of_before);
  filter_by_words(work_, of_after);
  of_before.statuses = of_after.statuses = request_.filter.statuses;
  if (const auto bounds = bounds_of(after, bounds_); bounds && !bounds_.empty()) {
    of_after.bounds = *bounds;
    of_before.bounds = known_bounds(before, bounds_, after);
  }
  if (of_before.active() || of_after.active()) keep_changes(changes, let_through(before, of_before), let_through(after, of_after));
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
