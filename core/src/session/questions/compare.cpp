// "compare": the open run against the one kept before it, through the view's filters and in its order.
//   {"offset": 0, "rows": 50, "unchanged": true, "arrows": 1000, "memory": "bottleneck"}; "unchanged": false leaves those out of "ops"
//     -> {"a", "b": {"source", "machine"}, "finding" and "summary" of what the filters let through, "all" of everything, "filtered": true,
//         "total" of the rows listed, "ops", "sum_by" and "by_type" as in "roofline-compare/1", at most "rows" of each, "types": how many},
//        and per arrow, of the operations that take most time: b (index), intensity_a, attained_a, intensity_b, attained_b
#include <algorithm>

#include "analysis/finding_json.hpp"
#include "frame/chart_point.hpp"
#include "session/questions/questions.hpp"
#include "write/runs/compare_json.hpp"

namespace roofline {

Result<Answer> ask_compare(const Plan& a, const Plan& b, const Comparison& c, const Json& request) {
  std::vector<const OpChange*> listed;
  const bool unchanged = !(member(request, "unchanged") == Json(false));
  for (const OpChange& o : c.ops)
    if (unchanged || !o.unchanged()) listed.push_back(&o);
  const std::size_t offset = count_in(request, "offset", 0, listed.size());
  const std::size_t most = count_in(request, "rows", 50, 10000), rows = std::min(most, listed.size() - offset);

  Answer answer;
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    const auto run = [&](const char* key, const Plan& plan) {
      out.object(key, [&] {
        out.member("source", plan.workload().source);
        out.member("machine", plan.scenario().machine.name);
        out.member("ran_elsewhere", summarize(plan, false).machine_mismatch());
      });
    };
    run("a", a);
    run("b", b);
    write_finding(out, compare_finding(a, b, c.totals, c.predicted));
    write_compare_totals(out, a, b, c);
    write_sums_by_type(out, c, most);
    out.member_count("types", c.by_type.size());
    out.member("filtered", c.all.has_value());
    out.member_count("total", listed.size());
    out.array("ops", [&] {
      for (std::size_t i = offset; i < offset + rows; ++i) write_change(out, a, b, *listed[i]);
    });
    out.end_object();
  });

  // Arrows: of what is in both runs, where it takes most time.
  std::vector<const OpChange*> both;
  for (const OpChange& o : c.ops)
    if (o.in_both()) both.push_back(&o);
  const auto weight = [](const OpChange* o) { return std::max(o->time_a_s > 0 ? o->time_a_s : 0, o->time_b_s > 0 ? o->time_b_s : 0); };
  const std::size_t arrows = std::min(count_in(request, "arrows", 1000, 5000), both.size());
  std::partial_sort(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(arrows), both.end(),
                    [&](const OpChange* x, const OpChange* y) { return weight(x) != weight(y) ? weight(x) > weight(y) : x->b < y->b; });
  for (const char* name : {"b", "intensity_a", "attained_a", "intensity_b", "attained_b"})
    answer.columns.emplace_back(name, std::vector<float>());
  std::string memory = text_of(member(request, "memory"));
  if (memory.empty() || memory == "all") memory = "bottleneck";
  Blocks in_a(a, a.axis(memory).value_or(device_axis)), in_b(b, b.axis(memory).value_or(device_axis));
  const auto put = [&](Blocks& run, std::uint32_t op, std::size_t column) {
    const ChartPoint point = chart_point(run.plan(), run.of(op), op);
    answer.columns[column].second.push_back(static_cast<float>(point.intensity));
    answer.columns[column + 1].second.push_back(static_cast<float>(point.attained));
  };
  for (std::size_t i = 0; i < arrows; ++i) {
    answer.columns[0].second.push_back(static_cast<float>(both[i]->b));
    put(in_a, both[i]->a, 1);
    put(in_b, both[i]->b, 3);
  }
  return answer;
}

}  // namespace roofline
