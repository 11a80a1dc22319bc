// Where the time goes: by category, by step, and along the operations in the order of the source.
#include <algorithm>
#include <cmath>
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

/// {"infeed": true, "from": s, "to": s} -> {"limits", "steps": [...], "time_s", "untimed", "repeated", "bins", "range": {"ops",
/// "time_by_limit"}}; where the source has an order, columns of segments along time, of the range from "from" to "to" if they are given:
/// start, length (s), limit (index into limits, the resources and "neither"; 255: none, or measured on another machine), op, class (index
/// into the source's kinds) and step of the operation with most time in it. Beyond 2,000 operations in the range a segment is a bin of
/// equal length and has the limit with most time in it. "untimed": operations of a measured run without a time, which are in no segment.
/// "repeated": an operation ran more than once; all its calls are one segment.
Result<Answer> ask_steps(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Workload& w = plan.workload();
  // A profile's steps are rows of their own beside the operations, as long as nothing is asked for that they are not divided by.
  OpFilter all_rows;
  all_rows.infeed = member(request, "infeed") != Json(false);
  const bool own_rows = !w.views.empty() && !of.ops.filtered();
  const OpSet shown = own_rows ? OpSet(plan, std::make_shared<RowSelection>(select_rows(w, all_rows))) : of.ops;
  constexpr std::size_t most = 2000;
  const bool ordered = w.views.empty();  // a profile's rows are totals over the whole run
  const OwnTime own_time(w);
  const double from = known_or(number_of(member(request, "from")), 0), asked_to = known_or(number_of(member(request, "to")), HUGE_VAL);
  std::size_t ops_shown = 0, untimed = 0;  // ops_shown: in the range
  bool repeated = false;
  double whole = 0;
  constexpr std::size_t no_limit = max_resources + 1;  // after the resources and "neither"
  std::array<double, no_limit + 1> in_range{};
  const bool judged = !of.machine_mismatch();  // times measured on another machine do not show the limits of this one
  const auto limit_now = [&](const OpBlock& ops, std::size_t j) { return judged ? limit_index(plan, ops, j) : no_resource; };
  const auto each = [&](const auto& visit) {
    for_each_listed_block(shown, [&](const OpBlock& ops) {
      for (std::size_t j = 0; j < ops.count; ++j) visit(own_time(ops, j), limit_now(ops, j), ops.index[j]);
    });
  };
  if (ordered)
    for_each_listed_block(shown, [&](const OpBlock& ops) {
      for (std::size_t j = 0; j < ops.count; ++j) {
        const double time = own_time(ops, j);
        if (const double part = std::min(whole + time, asked_to) - std::max(whole, from); part > 0) {
          ++ops_shown;
          in_range[std::min(limit_now(ops, j), no_limit)] += part;
        }
        untimed += own_time.lacks(ops, j) ? 1 : 0;
        repeated = repeated || w.count_of(ops.index[j]) > 1;
        whole += time;
      }
    });
  const double to = std::min(asked_to, whole);
  std::vector<float> start, length, limits, op, classes, step;
  const auto segment = [&](double at, double time, std::size_t limit, std::uint32_t first) {
    start.push_back(static_cast<float>(at));
    length.push_back(static_cast<float>(time));
    limits.push_back(static_cast<float>(limit));
    op.push_back(static_cast<float>(first));
    classes.push_back(static_cast<float>(w.op_class[first]));
    step.push_back(w.step.empty() ? 0 : static_cast<float>(w.step[first]));
  };
  double at = 0;
  if (ops_shown <= most) {
    if (ordered)
      each([&](double time, std::size_t limit, std::uint32_t index) {
        if (time > 0 && at + time > from && at < to) segment(at, time, limit, index);
        at += time;
      });
  } else if (const double width = (to - from) / static_cast<double>(most); width > 0) {
    std::vector<std::array<double, no_limit + 1>> bins(most);
    std::vector<std::uint32_t> longest_op(most, 0);
    std::vector<double> longest_part(most, 0);
    each([&](double time, std::size_t limit, std::uint32_t index) {
      const std::size_t l = std::min(limit, no_limit);
      const double end = std::min(at + time, to);
      for (double t = std::max(at, from); t < end;) {  // an op may reach over several bins
        const auto bin = std::min(static_cast<std::size_t>((t - from) / width), most - 1);
        const double edge = bin + 1 == most ? end : from + static_cast<double>(bin + 1) * width;
        const double next = edge > t ? std::min(end, edge) : end;
        bins[bin][l] += next - t;
        if (next - t > longest_part[bin]) longest_part[bin] = next - t, longest_op[bin] = index;
        t = next;
      }
      at += time;
    });
    for (std::size_t b = 0; b < most; ++b) {
      const auto longest = std::max_element(bins[b].begin(), bins[b].end());
      const auto l = static_cast<std::size_t>(longest - bins[b].begin());
      if (*longest > 0) segment(from + static_cast<double>(b) * width, width, l == no_limit ? no_resource : l, longest_op[b]);
    }
  }
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
    write_finding(out, steps_finding(plan, steps, judged ? category_totals(shown) : std::vector<CategoryTotal>()));
    out.member("time_s", whole);
    out.member_count("untimed", untimed);
    out.member("repeated", repeated);
    out.member("bins", ops_shown > most);
    out.object("range", [&] {
      out.member_count("ops", ops_shown);
      out.object("time_by_limit", [&] {
        for (std::size_t l = 0; l <= no_limit; ++l)
          if (in_range[l] > 0)
            out.member(l < plan.resources().size() ? plan.resources()[l].name : l == no_limit ? "none" : "neither", in_range[l]);
      });
    });
    out.end_object();
  });
  answer.columns = {{"start", std::move(start)}, {"length", std::move(length)}, {"limit", std::move(limits)},
                    {"op", std::move(op)},       {"class", std::move(classes)}, {"step", std::move(step)}};
  return answer;
}

}  // namespace roofline
