// "compare": the open run against the one kept before it.
//   {"offset": 0, "rows": 50, "arrows": 1000, "sort": "saved", "descending": true, "memory": "bottleneck"}
//     -> {"a", "b": {"source", "machine"}, "summary", "total", "ops": [...as in "roofline-compare/1"]}, and per arrow, of the operations
//        that take most time: b (index), intensity_a, attained_a, intensity_b, attained_b
// Sorted by name, type, before, after, speedup, saved, efficiency (its change) or bound_by; what is not known goes last. Under
// filters only what they let through of the later run is listed; the summary is of everything.
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "ask/questions.hpp"
#include "ask/shown.hpp"
#include "write/compare_json.hpp"

namespace roofline {
namespace {

/// The changes in another order than by time saved; false: there is none of that name.
bool sort_changes(const Plan& a, const Plan& b, std::vector<OpChange>& ops, const std::string& by, bool descending) {
  const auto by_word = [&](const std::function<std::string(const Plan&, std::uint32_t)>& word_of) {
    std::vector<std::pair<std::string, std::size_t>> order;
    for (std::size_t i = 0; i < ops.size(); ++i) order.emplace_back(ops[i].b != no_op ? word_of(b, ops[i].b) : word_of(a, ops[i].a), i);
    std::stable_sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
      if (x.first.empty() || y.first.empty()) return !x.first.empty() && y.first.empty();
      return descending ? x.first > y.first : x.first < y.first;
    });
    std::vector<OpChange> sorted;
    for (const auto& [word, i] : order) sorted.push_back(ops[i]);
    ops = std::move(sorted);
    return true;
  };
  if (by == "name") return by_word([](const Plan& plan, std::uint32_t op) { return plan.workload().name_of(op); });
  if (by == "type") return by_word([](const Plan& plan, std::uint32_t op) { return plan.workload().kind_of(op).type; });
  if (by == "bound_by")
    return by_word([](const Plan& plan, std::uint32_t op) {
      const std::uint8_t bound = plan.analyze(op).bound_by;
      return bound == no_resource ? std::string() : plan.resources()[bound].name;
    });
  double OpChange::*figure = by == "before"       ? &OpChange::time_a_s
                             : by == "after"      ? &OpChange::time_b_s
                             : by == "speedup"    ? &OpChange::time_ratio
                             : by == "saved"      ? &OpChange::time_saved_s
                             : by == "efficiency" ? &OpChange::efficiency_change
                                                  : nullptr;
  if (!figure) return false;
  const bool most_first = descending != (by == "speedup");  // a speed-up is one over the ratio
  std::stable_sort(ops.begin(), ops.end(), [&](const OpChange& x, const OpChange& y) {
    const double p = x.*figure, q = y.*figure;
    if (p != p || q != q) return p == p && q != q;
    return most_first ? p > q : p < q;
  });
  return true;
}

}  // namespace

Result<Answer> ask_compare(const Plan& a, const Plan& b, const FrameRequest* view, const Json& request) {
  Comparison c = compare(a, b);
  const std::string sort = text_of(member(request, "sort"));
  const bool descending = member(request, "descending") != Json(false);
  if (!(sort.empty() || (sort == "saved" && descending)) && !sort_changes(a, b, c.ops, sort, descending))
    return fail("changes cannot be sorted by \"" + sort + "\": expected name, type, before, after, speedup, saved, efficiency or bound_by",
                "sort");
  std::optional<Comparison> all;  // where filters leave some of it out
  if (view && view->filter.active()) {
    all = c;
    std::vector<std::uint8_t> shown(b.workload().size());
    fold_shown(b, *view, [&](const OpBlock& ops) {
      for (std::size_t j = 0; j < ops.count; ++j) shown[ops.index[j]] = 1;
    });
    c.ops.erase(std::remove_if(c.ops.begin(), c.ops.end(), [&](const OpChange& o) { return o.b == no_op || shown[o.b] == 0; }),
                c.ops.end());
  }
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
    write_compare_summary(out, all ? *all : c);
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
  // As the chart places its points.
  std::string memory = text_of(member(request, "memory"));
  if (memory.empty() || memory == "all") memory = "bottleneck";
  Blocks in_a(a, a.axis(memory).value_or(device_axis)), in_b(b, b.axis(memory).value_or(device_axis));
  const auto put = [&](Blocks& plan, std::uint32_t op, std::size_t column) {
    const OpBlock& one = plan.of(op);
    const double bytes = one.axis_bytes[0], time = one.time_s[0] > 0 ? one.time_s[0] : one.predicted_s[0];
    answer.columns[column].second.push_back(static_cast<float>(bytes > 0 ? one.flops[0] / bytes : unknown));
    answer.columns[column + 1].second.push_back(static_cast<float>(time > 0 ? one.flops[0] / time : unknown));
  };
  for (std::size_t i = 0; i < arrows; ++i) {
    answer.columns[0].second.push_back(static_cast<float>(both[i]->b));
    put(in_a, both[i]->a, 1);
    put(in_b, both[i]->b, 3);
  }
  return answer;
}

}  // namespace roofline
