#include "session/frame_cache.hpp"

#include <algorithm>

namespace roofline {
namespace {

/// Whether every operation's place on the chart is measured, so that no machine moves it.
bool measured(const Workload& w) {
  const auto known = [](const std::vector<double>& times) {
    return std::all_of(times.begin(), times.end(), [](double t) { return t > 0; });
  };
  return !w.time_s.empty() && known(w.time_s) && known(w.self_time_s);
}

}  // namespace

const FrameCache::Groups& FrameCache::groups(const FrameSubject& s) {
  return groups_.get(s.view.grouped ? rows_of(s) : Rows(), [&] {  // as good as none where they are not shown
    Groups groups;
    if (s.view.grouped) groups.rows = group_identical(s.workload, &groups.members);
    return groups;
  });
}

const Workload& FrameCache::rows(const FrameSubject& s) {
  const Groups& grouped = groups(s);
  return s.view.grouped ? grouped.rows : s.workload;
}

const std::vector<std::vector<std::uint32_t>>& FrameCache::members(const FrameSubject& s) { return groups(s).members; }

const ProfileRank* FrameCache::profile_rank(const FrameSubject& s) {
  const Workload& w = rows(s);
  if (w.views.empty()) return nullptr;
  return &profile_rank_.get(counted(s), [&] { return roofline::profile_rank(w, s.view.infeed); });
}

FrameCache::Selected FrameCache::selected(const FrameSubject& s) {
  OpFilter filter = in_force(s.view, s.workload);
  filter.statuses = OpFilter().statuses;
  filter.bounds.clear();
  filter.limits.clear();
  return {rows_of(s), std::move(filter)};
}

OpSet FrameCache::ops(const FrameSubject& s, const Plan& plan) {
  const Selected key = selected(s);
  const auto& rows = selection_.get(key, [&] { return std::make_shared<const RowSelection>(select_rows(plan.workload(), key.filter)); });
  return {plan, rows, results_in_force(s.view, plan)};
}

const DistinctOps& FrameCache::distinct(const FrameSubject& s, const Plan& plan) {
  const OpSet set = ops(s, plan);
  return distinct_.get({selected(s), set.results(), s.configured}, [&] { return distinct_ops(set.fixed()); });
}

FrameRequest FrameCache::request(const FrameSubject& s, const Plan& plan) {
  const Workload& w = plan.workload();
  const ViewSettings& v = s.view;
  FrameRequest r;
  r.top = v.top;
  r.offset = v.offset;
  r.rows = v.rows;
  r.selected = v.selected;
  r.descending = v.descending;
  r.sort = v.sort.key;
  r.label = v.sort.label;
  r.ranks = ranks_.get({rows_of(s), v.sort},
                       [&] { return sorts_by_rank(v.sort.key) ? ranks(w, v.sort.key, v.sort.label) : std::vector<std::uint32_t>(); });
  r.axis = plan.axis(v.memory).value_or(plan.axis("bottleneck").value_or(device_axis));
  r.every_memory = v.memory == "all";
  if (v.log_x0) {
    const auto take = [](const std::optional<double>& decade, double& target) { target = decade.value_or(target); };
    take(v.log_x0, r.window.log_x0);
    take(v.log_x1, r.window.log_x1);
    take(v.log_y0, r.window.log_y0);
    take(v.log_y1, r.window.log_y1);
  } else {
    r.window = chart_axes(s.scenario.machine);
  }
  return r;
}

bool FrameCache::machine_mismatch(const FrameSubject& s, const Plan& plan) {
  const Frame* totals = totals_.find({counted(s), s.configured});
  return (totals ? totals->all : summarize(ops(s, plan).unfiltered(), false)).machine_mismatch();
}

Frame FrameCache::frame(const FrameSubject& s, const Plan& plan, const FrameRequest& r) {
  const OpSet set = ops(s, plan);
  const bool stands =
      set.results().keeps_all() && r.axis != bottleneck_axis && all_measured_.get(rows_of(s), [&] { return measured(plan.workload()); });
  const Placed placed{selected(s), set.results(), r.axis, r.top, r.window, stands ? std::nullopt : std::optional(s.configured)};
  const Totalled totalled{counted(s), s.configured};
  const Frame *positions = positions_.find(placed), *totals = totals_.find(totalled);
  Frame frame = make_frame(set, r, {positions, totals});
  if (frame.chart_alone) return frame;
  Frame chart;
  chart.all = frame.all;
  chart.shown = frame.shown;
  chart.points = frame.points;
  chart.density = frame.density;
  chart.density_outside = frame.density_outside;
  positions_.put(placed, std::move(chart));
  if (!totals) {
    Frame kept;
    kept.all = frame.all;
    totals_.put(totalled, std::move(kept));
  }
  return frame;
}

}  // namespace roofline
