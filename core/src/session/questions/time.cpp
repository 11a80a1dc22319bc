// Where the time goes: by category, by step, and along the operations in the order of the source.
#include <algorithm>
#include <cmath>
#include <functional>
#include <roofline/analysis/selection.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/own_time.hpp"
#include "analysis/steps.hpp"
#include "session/questions/metrics.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
/// {"categories": [{"name", "ops", "time_s", "share", "time_by_bound": {...}}], "finding"}, most time first. Bounds are resources, "none"
/// (not known, or measured on another machine) and "neither": of operations that neither compute nor memory limits.
Result<Answer> ask_categories(const QuestionContext& of, const Json&) {
  const Plan& plan = of.plan();
  const std::vector<CategoryTotal> totals = category_totals(of.ops);
  double whole = 0;
  for (const CategoryTotal& t : totals) whole += t.time_s;
  const bool judged = !of.machine_mismatch();
  const auto write = [&](JsonOut& out) {
    out.object([&] {
      out.array("categories", [&] {
        for (const CategoryTotal& t : totals)
          out.object([&] {
            out.member("name", t.name);
            out.member_count("ops", t.ops);
            out.member("time_s", t.time_s);
            out.member("share", whole > 0 ? t.time_s / whole : unknown);
            out.object("time_by_bound", [&] {
              if (!judged) return out.member("none", t.time_s);
              for (std::size_t r = 0; r < t.by_bound_s.size(); ++r)
                if (t.by_bound_s[r] > 0) out.member(r < plan.resources().size() ? plan.resources()[r].name : "none", t.by_bound_s[r]);
              if (t.neither_s > 0) out.member("neither", t.neither_s);
            });
          });
      });
      write_finding(out, categories_finding(of.ops, totals));
    });
  };
  return Answer{json_text(write), {}};
}

namespace {

constexpr std::size_t most_segments = 2000, unknown_limit = max_resources + 1;  // unknown_limit: after the resources and "neither"
using TimeByLimit = std::array<double, unknown_limit + 1>;

struct TimelineSums {
  std::size_t ops = 0;      ///< in the range; launches where the source has them
  std::size_t untimed = 0;  ///< in the whole run, as are `repeated` and `whole_s`
  bool repeated = false;
  double whole_s = 0;
  double busy_s = 0;       ///< time in the range in which anything ran; overlaps count once
  TimeByLimit by_limit{};  ///< in the range
};

/// Columns of segments along time.
struct Segments {
  std::vector<float> start = {}, length = {}, limit = {}, op = {}, op_class = {}, step = {};

  void add(const Workload& w, double at, double time, std::size_t limit_index, std::uint32_t op_index) {
    start.push_back(static_cast<float>(at));
    length.push_back(static_cast<float>(time));
    limit.push_back(static_cast<float>(limit_index));
    op.push_back(static_cast<float>(op_index));
    op_class.push_back(static_cast<float>(w.op_class[op_index]));
    step.push_back(w.step.empty() ? 0 : static_cast<float>(w.step[op_index]));
  }
};

/// One launch; without launches, all calls of one operation.
struct Stretch {
  double begin = 0, time = 0;  ///< s
  std::uint32_t op = 0;
  std::size_t limit = no_resource;
  bool untimed = false;  ///< a measured run states no time for it
};

/// The listed operations over time: each launch when it ran, with gaps in which the device idles; where the source has no launches, one
/// operation after another, in its order.
class Timeline {
 public:
  /// `judged`: times measured on another machine do not show the limits of this one.
  Timeline(const OpSet& ops, bool judged) : ops_(ops), w_(ops.workload()), own_time_(w_), judged_(judged) {
    if (!launched()) return;
    limits_.assign(w_.size(), not_listed);
    for_each_listed_block(ops_, [&](const OpBlock& block) {
      for (std::size_t j = 0; j < block.count; ++j) limits_[block.index[j]] = static_cast<std::uint16_t>(limit(block, j));
    });
  }

  [[nodiscard]] bool launched() const { return !w_.launches.empty(); }

  [[nodiscard]] TimelineSums sum(double from, double to) const {
    TimelineSums out;
    double busy_until = from;
    each([&](const Stretch& s) {
      const double end = s.begin + s.time;
      out.whole_s = std::max(out.whole_s, end);
      out.untimed += s.untimed ? 1 : 0;
      out.repeated = out.repeated || (!launched() && w_.count_of(s.op) > 1);
      const double part = std::min(end, to) - std::max(s.begin, from);
      if (!(part > 0)) return;
      ++out.ops;
      out.by_limit[std::min(s.limit, unknown_limit)] += part;
      out.busy_s += std::max(0.0, std::min(end, to) - std::max(s.begin, busy_until));
      busy_until = std::max(busy_until, end);
    });
    return out;
  }

  [[nodiscard]] Segments operations(double from, double to) const {
    Segments out;
    each([&](const Stretch& s) {
      if (s.time > 0 && s.begin + s.time > from && s.begin < to) out.add(w_, s.begin, s.time, s.limit, s.op);
    });
    return out;
  }

  /// Segments of equal length; those that idle for more than half of it are left out.
  [[nodiscard]] Segments bins(double from, double to) const {
    Segments out;
    const double width = (to - from) / static_cast<double>(most_segments);
    if (!(width > 0)) return out;
    std::vector<TimeByLimit> bins(most_segments);
    std::vector<std::uint32_t> longest_op(most_segments, 0);
    std::vector<double> longest_part(most_segments, 0), busy(most_segments, 0);
    double busy_until = from;
    each([&](const Stretch& s) {
      const std::size_t l = std::min(s.limit, unknown_limit);
      const double end = std::min(s.begin + s.time, to);
      for (double t = std::max(s.begin, from); t < end;) {  // an op may reach over several bins
        const auto bin = std::min(static_cast<std::size_t>((t - from) / width), most_segments - 1);
        const double edge = bin + 1 == most_segments ? end : from + static_cast<double>(bin + 1) * width;
        const double next = edge > t ? std::min(end, edge) : end;
        bins[bin][l] += next - t;
        busy[bin] += std::max(0.0, next - std::max(t, busy_until));
        if (next - t > longest_part[bin]) longest_part[bin] = next - t, longest_op[bin] = s.op;
        t = next;
      }
      busy_until = std::max(busy_until, end);
    });
    for (std::size_t b = 0; b < most_segments; ++b) {
      const auto longest = std::max_element(bins[b].begin(), bins[b].end());
      const auto l = static_cast<std::size_t>(longest - bins[b].begin());
      if (*longest > 0 && busy[b] >= 0.5 * width)
        out.add(w_, from + static_cast<double>(b) * width, width, l == unknown_limit ? no_resource : l, longest_op[b]);
    }
    return out;
  }

 private:
  static constexpr std::uint16_t not_listed = 0xffff;

  /// Visits the listed launches, or without launches the listed operations, in order of start.
  void each(const std::function<void(const Stretch&)>& visit) const {
    const Launches& launches = w_.launches;
    for (std::size_t i = 0; i < launches.size(); ++i)
      if (const std::uint16_t limit = limits_[launches.op[i]]; limit != not_listed)
        visit({launches.begin_s[i], launches.length_s[i], launches.op[i], limit});
    if (launched()) return;
    double at = 0;
    for_each_listed_block(ops_, [&](const OpBlock& ops) {
      for (std::size_t j = 0; j < ops.count; ++j) {
        const double time = own_time_(ops, j);
        visit({at, time, ops.index[j], limit(ops, j), own_time_.lacks(ops, j)});
        at += time;
      }
    });
  }
  [[nodiscard]] std::size_t limit(const OpBlock& ops, std::size_t j) const {
    return judged_ ? limit_index(ops_.plan(), ops, j) : no_resource;
  }

  const OpSet& ops_;
  const Workload& w_;
  OwnTime own_time_;
  bool judged_;
  std::vector<std::uint16_t> limits_;  ///< by operation, where there are launches
};

}  // namespace

/// {"infeed": true, "from": s, "to": s} -> {"limits", "steps": [...], "time_s", "untimed", "repeated", "bins", "launched", "range":
/// {"ops", "busy_s", "time_by_limit"}}; where the source has an order, columns of segments along time, of the range from "from" to "to" if
/// they are given: start, length (s), limit (index into limits, the resources and "neither"; 255: none, or measured on another machine),
/// op, class (index into the source's kinds) and step of the operation with most time in it. Beyond 2,000 operations in the range a segment
/// is a bin of equal length and has the limit with most time in it. "untimed": operations of a measured run without a time, which are in no
/// segment. "repeated": an operation ran more than once; all its calls are one segment. "launched": each segment is a launch when it ran,
/// with gaps in which the device idles; then "ops" counts launches. "busy_s": the time in the range in which anything runs, s.
Result<Answer> ask_steps(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Workload& w = plan.workload();
  // A profile's steps are rows of their own beside the operations, as long as nothing is asked for that they are not divided by.
  OpFilter all_rows;
  all_rows.infeed = member(request, "infeed") != Json(false);
  const bool own_rows = !w.views.empty() && !of.ops.filtered();
  const OpSet shown = own_rows ? OpSet(plan, std::make_shared<RowSelection>(select_rows(w, all_rows))) : of.ops;
  const bool ordered = w.views.empty();  // a profile's rows are totals over the whole run
  const bool judged = !of.machine_mismatch();
  const double from = known_or(number_of(member(request, "from")), 0), asked_to = known_or(number_of(member(request, "to")), HUGE_VAL);
  const Timeline timeline(shown, judged);
  const TimelineSums sums = ordered ? timeline.sum(from, asked_to) : TimelineSums();
  const double to = std::min(asked_to, sums.whole_s);
  const bool launched = ordered && timeline.launched();
  const bool in_bins = sums.ops > most_segments;
  Segments segments = in_bins ? timeline.bins(from, to) : ordered ? timeline.operations(from, to) : Segments();
  Answer answer;
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    out.array("limits", [&] {
      for (const Resource& r : plan.resources()) out.value(r.name);
      out.value("neither");
    });
    out.key("steps");
    const std::vector<StepTotals> steps = step_totals(shown);
    write_steps(out, plan, steps);
    Finding finding = launched && !of.ops.filtered() ? gaps_finding(w) : Finding();
    Finding limits = steps_finding(plan, steps, judged ? category_totals(shown) : std::vector<CategoryTotal>());
    if (!finding.parts.empty() && !limits.parts.empty()) finding.say(" ");
    finding.parts.insert(finding.parts.end(), limits.parts.begin(), limits.parts.end());
    write_finding(out, finding);
    out.member("time_s", sums.whole_s);
    out.member_count("untimed", sums.untimed);
    out.member("repeated", sums.repeated);
    out.member("bins", in_bins);
    out.member("launched", launched);
    out.object("range", [&] {
      out.member_count("ops", sums.ops);
      out.member("busy_s", sums.busy_s);
      out.object("time_by_limit", [&] {
        for (std::size_t l = 0; l <= unknown_limit; ++l)
          if (sums.by_limit[l] > 0)
            out.member(l < plan.resources().size() ? plan.resources()[l].name : l == unknown_limit ? "none" : "neither", sums.by_limit[l]);
      });
    });
    out.end_object();
  });
  answer.columns = {{"start", std::move(segments.start)}, {"length", std::move(segments.length)},  {"limit", std::move(segments.limit)},
                    {"op", std::move(segments.op)},       {"class", std::move(segments.op_class)}, {"step", std::move(segments.step)}};
  return answer;
}

}  // namespace roofline
