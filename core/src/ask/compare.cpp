// "compare": the open run against the one kept before it.
//   {"offset": 0, "rows": 50, "arrows": 1000, "machine": "id of a's machine, else as the open run's"}
//     -> {"a", "b": {"source", "machine"}, "summary", "total", "ops": [...as in "roofline-compare/1"]}, and per arrow, of the operations
//     that
//        take most time: b (index), intensity_a, attained_a, intensity_b, attained_b
#include <algorithm>
#include <numeric>

#include "ask/questions.hpp"
#include "write/compare_json.hpp"

namespace roofline {
Result<Answer> ask_compare(const Plan& a, const Plan& b, const Json& request) {
  const Comparison c = compare(a, b);
  const auto whole = [&](const char* key, double standard, double most) {
    const double v = number_of(member(request, key));
    return static_cast<std::size_t>(v >= 0 && v <= most ? v : standard);
  };
  const std::size_t offset = std::min(whole("offset", 0, 1e9), c.ops.size());
  const std::size_t rows = std::min(whole("rows", 50, 10000), c.ops.size() - offset);

  Answer answer;
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    const auto run = [&](const char* key, const Plan& plan) {
      out.key(key);
      out.begin_object();
      out.member("source", plan.workload().source);
      out.member("machine", plan.scenario().machine.name);
      out.end_object();
    };
    run("a", a);
    run("b", b);
    out.key("summary");
    write_compare_summary(out, c);
    out.member_count("total", c.ops.size());
    out.key("ops");
    out.begin_array();
    for (std::size_t i = offset; i < offset + rows; ++i) write_change(out, a, b, c.ops[i]);
    out.end_array();
    out.end_object();
  });

  // Arrows: of what is in both runs, where it takes most time.
  std::vector<const OpChange*> both;
  for (const OpChange& o : c.ops)
    if (o.a != no_op && o.b != no_op) both.push_back(&o);
  const auto weight = [](const OpChange* o) { return std::max(o->time_a_s > 0 ? o->time_a_s : 0, o->time_b_s > 0 ? o->time_b_s : 0); };
  const std::size_t arrows = std::min(whole("arrows", 1000, 5000), both.size());
  std::partial_sort(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(arrows), both.end(),
                    [&](const OpChange* x, const OpChange* y) { return weight(x) != weight(y) ? weight(x) > weight(y) : x->b < y->b; });
  for (const char* name : {"b", "intensity_a", "attained_a", "intensity_b", "attained_b"})
    answer.columns.emplace_back(name, std::vector<float>());
  const auto attained = [](const OpAnalysis& op) {
    return op.achieved_flops == op.achieved_flops ? op.achieved_flops : op.attainable_flops;
  };
  for (std::size_t i = 0; i < arrows; ++i) {
    const OpAnalysis before = a.analyze(both[i]->a), after = b.analyze(both[i]->b);
    std::size_t column = 0;
    for (const double v : {static_cast<double>(both[i]->b), before.intensity, attained(before), after.intensity, attained(after)})
      answer.columns[column++].second.push_back(static_cast<float>(v));
  }
  return answer;
}

}  // namespace roofline
