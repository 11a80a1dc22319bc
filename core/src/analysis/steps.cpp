#include "analysis/steps.hpp"

#include <algorithm>

#include "analysis/own_time.hpp"
#include "analysis/wording.hpp"

namespace roofline {
namespace {

/// What is added up for one step: its operations, and the rows that are totals themselves.
struct Sums {
  std::size_t rows = 0;
  double time = 0, predicted = 0, judged_time = 0, judged_predicted = 0;
  std::vector<double> time_by_bound, time_by_limit, predicted_by_bound;
};

}  // namespace

std::vector<StepTotals> step_totals(const OpSet& set) {
  const Plan& plan = set.plan();
  const Workload& w = plan.workload();
  if (w.step.empty()) return {};
  const std::size_t resources = plan.resources().size();
  std::vector<std::array<Sums, 2>> sums(w.steps.size());  // operations, totals
  for (auto& pair : sums)
    for (Sums& s : pair) {
      s.time_by_bound.assign(resources + 1, 0);
      s.time_by_limit.assign(resources + 2, 0);
      s.predicted_by_bound.assign(resources + 1, 0);
    }
  const OwnTime own_time(w);
  std::vector<std::uint32_t> order;
  for_each_listed_block(set, [&](const OpBlock& ops) {
    for (std::size_t j = 0; j < ops.count; ++j) {
      const std::uint32_t op = ops.index[j];
      auto& pair = sums[w.step[op]];
      if (pair[0].rows + pair[1].rows == 0) order.push_back(w.step[op]);
      Sums& s = pair[!w.views.empty() && (w.views[op] & row_view::program) != 0 ? 1 : 0];
      const double taken = own_time(ops, j), predicted = ops.predicted_s[j] * (ops.share ? ops.share[j] : 1);
      const std::size_t bound = std::min(static_cast<std::size_t>(ops.bound[j]), resources);
      ++s.rows;
      s.time += own_time.measured() ? taken : 0;
      s.predicted += predicted;
      if (ops.status[j] < static_cast<std::int32_t>(Status::predicted)) {
        s.judged_time += taken;
        s.judged_predicted += predicted;
      }
      s.time_by_bound[bound] += taken;
      s.time_by_limit[std::min(limit_index(plan, ops, j), resources + 1)] += taken;
      s.predicted_by_bound[bound] += predicted;
    }
  });
  std::vector<StepTotals> out;
  for (const std::uint32_t step : order) {
    const Sums &operations = sums[step][0], &whole = sums[step][1].rows > 0 ? sums[step][1] : operations;
    StepTotals total;
    total.step = step;
    total.ops = operations.rows;
    total.time_s = whole.time;
    total.predicted_time_s = whole.predicted;
    total.judged_time_s = whole.judged_time;
    total.judged_predicted_s = whole.judged_predicted;
    const Sums& split = operations.rows > 0 ? operations : whole;
    total.time_by_bound = split.time_by_bound;
    total.time_by_limit = split.time_by_limit;
    double most = 0;
    for (std::size_t r = 0; r < resources; ++r) {
      if (whole.predicted_by_bound[r] <= most) continue;
      most = whole.predicted_by_bound[r];
      total.bound_by = static_cast<std::uint8_t>(r);
    }
    out.push_back(std::move(total));
  }
  return out;
}

namespace {

struct StepOf {
  const Plan& plan;
  const StepTotals& s;
  [[nodiscard]] bool timed() const { return s.time_s > 0; }

  /// The times that are not 0, of the resources by their names, then of `others`.
  void write_times(JsonOut& out, const std::vector<double>& times, std::initializer_list<const char*> others) const {
    const std::size_t resources = plan.resources().size();
    out.object([&] {
      for (std::size_t r = 0; r < times.size(); ++r)
        if (times[r] > 0) out.member(r < resources ? resource_name(plan, r) : others.begin()[r - resources], times[r]);
    });
  }
};
constexpr Member<StepOf> step_members[] = {
    {"name", schema::text, "", [](JsonOut& out, const StepOf& o) { out.value(o.plan.workload().steps[o.s.step]); }},
    {"ops", schema::count, "", [](JsonOut& out, const StepOf& o) { out.count(o.s.ops); }},
    {"time_s", schema::number, "s", [](JsonOut& out, const StepOf& o) { out.value(o.timed() ? o.s.time_s : unknown); }},
    {"predicted_time_s", schema::number, "s", [](JsonOut& out, const StepOf& o) { out.value(o.s.predicted_time_s); }},
    {"efficiency", schema::number, "bounds over measured time, of the operations with both",
     [](JsonOut& out, const StepOf& o) { out.value(o.s.judged_time_s > 0 ? o.s.judged_predicted_s / o.s.judged_time_s : unknown); }},
    {"bound_by", schema::name, "", [](JsonOut& out, const StepOf& o) { write_name(out, resource_name(o.plan, o.s.bound_by)); }},
    {"time_by_bound", schema::numbers, "self time, s",
     [](JsonOut& out, const StepOf& o) { o.write_times(out, o.s.time_by_bound, {"none"}); }},
    {"time_by_limit", schema::numbers, "self time, s: of each resource, of \"neither\" and of no known bound",
     [](JsonOut& out, const StepOf& o) { o.write_times(out, o.s.time_by_limit, {"neither", "none"}); }}};

}  // namespace

Finding gaps_finding(const Workload& w) {
  const DeviceTime& time = w.device_time;
  Finding out;
  if (w.launches.empty() || !(time.idle_share() >= least_idle_share)) return out;
  const std::uint32_t op = w.launches.op[w.launches.after_longest_gap];
  return out.say("The device is idle for ")
      .figure(percent(time.idle_share()), {seconds(time.idle_s()) + " of " + seconds(time.span_s)})
      .say(" of the " + seconds(time.span_s) + ", in " + quantity(time.gaps, "gap", "gaps") + ", the longest of ")
      .figure(seconds(time.longest_gap_s),
              {.formula = "from the end of all earlier launches to the start of " + short_name(w, op), .op = op})
      .say(" before " + short_name(w, op) + "." + (time.launch_bound() ? std::string(" ") + launch_bound_advice : std::string()));
}

ObjectSchema step_schema() { return ObjectSchema().with(step_members); }

void write_steps(JsonOut& out, const Plan& plan, const std::vector<StepTotals>& steps) {
  std::vector<StepOf> all;
  for (const StepTotals& s : steps) all.push_back({plan, s});
  write_objects<step_members>(out, all);
}

}  // namespace roofline
