#include <algorithm>
#include <cmath>
#include <roofline/analysis/compare.hpp>
#include <string>
#include <unordered_map>

#include "analysis/runs/match.hpp"
#include "analysis/runs/type_changes.hpp"
#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"
#include "workload/spread.hpp"

namespace roofline {
namespace {

bool has_times(const Plan& plan) {
  const auto& times = plan.workload().time_s;
  return std::any_of(times.begin(), times.end(), [](double t) { return t > 0; });
}

/// Of an operation in both runs; `spread_s`: of its repeated runs, 0 where none are stated.
Verdict verdict_of(const OpChange& o, double spread_s) {
  const double change = known(o.time_saved_s) ? o.time_saved_s : 1 - o.time_ratio;  // of rows with rates alone as a share
  const double noise = known(o.time_saved_s) ? std::max(least_change * o.time_a_s, spread_s) : least_change;
  if (!known(change)) return Verdict::unknown;
  return std::abs(change) <= noise ? Verdict::unchanged : change > 0 ? Verdict::faster : Verdict::slower;
}

double size_of(const OpChange& o) { return std::abs(o.time_saved_s); }

ChangeTotals totals_of(const std::vector<OpChange>& ops) {
  ChangeTotals t;
  const auto add = [](double& sum, double value) { sum += known_or(value, 0); };
  for (const OpChange& o : ops) {
    ++(o.appeared() ? t.appeared : o.vanished() ? t.vanished : t.matched);
    if (o.appeared() && !known(o.time_b_s)) ++t.appeared_untimed;
    if (o.vanished() && !known(o.time_a_s)) ++t.vanished_untimed;
    add(t.time_a_s, o.time_a_s);
    add(t.time_b_s, o.time_b_s);
    if (o.renamed) ++t.renamed, t.last_renamed = o;
    t.above_roof += o.above_roof ? 1 : 0;
    if (o.verdict == Verdict::faster) ++t.faster, add(t.faster_saved_s, o.time_saved_s);
    if (o.verdict == Verdict::slower) ++t.slower, add(t.slower_lost_s, -o.time_saved_s);
    if (o.verdict == Verdict::unchanged) ++t.unchanged, add(t.unchanged_time_s, o.time_b_s);
    if (o.verdict == Verdict::unchanged && o.reformatted) ++t.reformatted, add(t.reformatted_time_s, o.time_b_s);
    if (known(o.time_saved_s) && !(size_of(o) <= size_of(t.largest))) t.largest = o;
    if (o.verdict == Verdict::slower && !(size_of(o) <= size_of(t.largest_slowdown))) t.largest_slowdown = o;
    if (!o.in_both() || !known(o.time_saved_s)) continue;
    t.matched_time_a_s += o.time_a_s;
    t.matched_time_b_s += o.time_b_s;
  }
  return t;
}

/// The module whose time changed most, of those with at least two operations.
ModuleChange largest_module(const Workload& a, const Workload& b, const std::vector<OpChange>& ops) {
  std::unordered_map<std::string, ModuleChange> modules;
  for (const OpChange& o : ops) {
    const std::string name = o.pick(a, b).name_of(o.op());
    const std::size_t end = name.find_first_of("./", 1), begin = name[0] == '/' ? 1 : 0;
    if (end == std::string::npos || end + 1 == name.size()) continue;
    ModuleChange& module = modules[name.substr(begin, end - begin)];
    ++module.ops;
    module.time_a_s += known_or(o.time_a_s, 0);
    module.time_b_s += known_or(o.time_b_s, 0);
  }
  ModuleChange out;
  for (auto& [name, module] : modules) {
    const double size = std::abs(module.saved_s()), most = std::abs(out.saved_s());
    if (module.ops < 2 || size < most || (size == most && name > out.name)) continue;
    out = module;
    out.name = name;
  }
  return out;
}

/// Sets OpChange::same_name.
void mark_same_names(const Workload& a, const Workload& b, std::vector<OpChange>& ops) {
  const auto name_of = [&](const OpChange& o) { return o.pick(a, b).name_of(o.op()); };
  const auto sized = [&](const OpChange& o) { return o.pick(a, b).sizes_of(o.op()).known(); };
  std::unordered_map<std::string, std::size_t> operations;  // of sized ones, by name
  for (const OpChange& o : ops)
    if (sized(o)) ++operations[std::string(name_of(o))];
  for (OpChange& o : ops) o.same_name = sized(o) && operations[std::string(name_of(o))] > 1;
}

/// Sorts by a word of each row, empty ones last.
template <class Row, class WordOf>
void sort_by_word(std::vector<Row>& rows, bool descending, const WordOf& word_of) {
  std::vector<std::pair<std::string, Row>> by_word;
  by_word.reserve(rows.size());
  for (Row& row : rows) {
    std::string word(word_of(row));
    by_word.emplace_back(std::move(word), std::move(row));
  }
  sort_stably(by_word, [&](const auto& x, const auto& y) {
    if (x.first.empty() || y.first.empty()) return !x.first.empty() && y.first.empty();
    return descending ? x.first > y.first : x.first < y.first;
  });
  rows.clear();
  for (auto& [word, row] : by_word) rows.push_back(std::move(row));
}

template <class Row>
void sort_by_figure(std::vector<Row>& rows, double Row::* figure, bool most_first) {
  sort_stably(rows, [&](const Row& x, const Row& y) {
    const double p = x.*figure, q = y.*figure;
    if (!known(p) || !known(q)) return known(p) && !known(q);
    return most_first ? p > q : p < q;
  });
}

/// Turns the largest change first into the smallest first; rows without a known change stay last.
template <class Row>
void reverse_known(std::vector<Row>& rows) {
  std::reverse(rows.begin(), std::find_if(rows.begin(), rows.end(), [](const Row& r) { return !known(r.time_saved_s); }));
}

void sort_types(std::vector<TypeChange>& types, ChangeOrder by, bool descending) {
  switch (by) {
    case ChangeOrder::name:
    case ChangeOrder::type:
      return sort_by_word(types, descending, [](const TypeChange& t) { return t.type; });
    case ChangeOrder::before:
      return sort_by_figure(types, &TypeChange::time_a_s, descending);
    case ChangeOrder::after:
      return sort_by_figure(types, &TypeChange::time_b_s, descending);
    case ChangeOrder::speedup:
      return sort_by_figure(types, &TypeChange::time_ratio, !descending);
    case ChangeOrder::saved:
      return sort_by_figure(types, &TypeChange::time_saved_s, descending);
    case ChangeOrder::change:
      if (!descending) reverse_known(types);
      return;
    case ChangeOrder::efficiency:
    case ChangeOrder::limited_by:
      return;
  }
}

}  // namespace

std::string name_of_change(const Workload& a, const Workload& b, const OpChange& o) {
  if (o.renamed) return short_name(a, o.a) + " → " + short_name(b, o.b);
  const Workload& run = o.pick(a, b);
  const std::string name = short_name(run, o.op()), sizes = o.same_name ? product_sizes(run, o.op()) : std::string();
  return sizes.empty() || name.ends_with(sizes) ? name : name + ' ' + sizes;
}

Comparison compare(const OpSet& ops_a, const OpSet& ops_b) {
  const Plan &a = ops_a.plan(), &b = ops_b.plan();
  Comparison c;
  c.predicted = !has_times(a) || !has_times(b);
  const RowMask &in_a = ops_a.rows().counted, &in_b = ops_b.rows().counted;
  const Matches found = match(a.workload(), in_a, b.workload(), in_b);
  const auto time_of = [&](const OpAnalysis& op) { return c.predicted ? op.fully_known_bound_s() : known_or(op.self_time_s, op.time_s); };

  for (std::size_t i = 0; i < a.workload().size(); ++i) {
    if (!is_operation(in_a, i)) continue;
    OpChange change;
    change.a = static_cast<std::uint32_t>(i);
    change.b = found.of_a[i];
    const OpAnalysis before = a.analyze(i);
    change.time_a_s = time_of(before);
    if (change.vanished()) {
      change.time_saved_s = change.time_a_s;
    } else {
      const OpAnalysis after = b.analyze(change.b);
      change.time_b_s = time_of(after);
      change.above_roof = !c.predicted && after.above_roof();
      change.time_saved_s = change.time_a_s - change.time_b_s;
      change.time_ratio =
          before.rates_only && after.rates_only ? before.achieved_flops / after.achieved_flops : change.time_b_s / change.time_a_s;
      change.efficiency_change = after.efficiency - before.efficiency;
      change.renamed = found.renamed[i] != 0;
      change.reformatted = before.bound_by != no_resource && after.bound_by != no_resource && before.compute != after.compute;
      const double of_a = time_spread_s(a.workload(), i), of_b = time_spread_s(b.workload(), change.b);
      change.verdict = verdict_of(change, c.predicted ? 0 : std::sqrt(of_a * of_a + of_b * of_b));
    }
    c.ops.push_back(change);
  }
  for (std::size_t i = 0; i < b.workload().size(); ++i) {
    if (!is_operation(in_b, i) || found.of_b[i] != no_op) continue;
    OpChange change;
    change.b = static_cast<std::uint32_t>(i);
    const OpAnalysis after = b.analyze(i);
    change.time_b_s = time_of(after);
    change.time_saved_s = -change.time_b_s;
    change.above_roof = !c.predicted && after.above_roof();
    c.ops.push_back(change);
  }
  mark_same_names(a.workload(), b.workload(), c.ops);
  c.totals = totals_of(c.ops);
  // Unknown changes go last; among those, of rates alone, the larger gain first.
  const auto size = [](const OpChange& o) { return known_or(size_of(o), -1); };
  const auto gain = [](const OpChange& o) { return known(o.time_ratio) ? -o.time_ratio : -HUGE_VAL; };
  sort_stably(c.ops, [&](const OpChange& x, const OpChange& y) {
    const double sx = size(x), sy = size(y);
    return sx != sy ? sx > sy : sx < 0 && gain(x) > gain(y);
  });
  if (ops_a.filtered() || ops_b.filtered()) {
    const RowMask kept_a = ops_a.mask(), kept_b = ops_b.mask();
    const auto stays = [](const RowMask& mask, std::uint32_t op) { return op != no_op && mask[op] != 0; };
    c.all = c.totals;
    std::erase_if(c.ops, [&](const OpChange& o) { return !stays(kept_a, o.a) && !stays(kept_b, o.b); });
    c.totals = totals_of(c.ops);
  }
  c.totals.module = largest_module(a.workload(), b.workload(), c.ops);
  sum_by_type(a, b, c);
  for (const TypeChange& type : c.by_type)
    if (c.totals.types.size() < 2 && std::abs(type.time_saved_s) > least_change * std::abs(c.by_type[0].time_saved_s))
      c.totals.types.push_back(type);
  return c;
}

void sort_changes(const Plan& a, const Plan& b, Comparison& c, ChangeOrder by, bool descending) {
  sort_types(c.by_type, by, descending);
  const auto sort_by = [&](auto word_of) {
    sort_by_word(c.ops, descending, [&](const OpChange& o) { return word_of(o.pick(a, b), o.op()); });
  };
  switch (by) {
    case ChangeOrder::name:
      return sort_by([](const Plan& plan, std::uint32_t op) { return plan.workload().name_of(op); });
    case ChangeOrder::type:
      return sort_by([](const Plan& plan, std::uint32_t op) { return plan.workload().class_of(op).type; });
    case ChangeOrder::limited_by:
      return sort_by([](const Plan& plan, std::uint32_t op) {
        const OpAnalysis a = plan.analyze(op);
        if (a.limit == Limit::neither) return std::string(to_string(a.limit));
        return resource_name(plan, a.bound_by);
      });
    case ChangeOrder::before:
      return sort_by_figure(c.ops, &OpChange::time_a_s, descending);
    case ChangeOrder::after:
      return sort_by_figure(c.ops, &OpChange::time_b_s, descending);
    case ChangeOrder::speedup:  // one over the ratio
      return sort_by_figure(c.ops, &OpChange::time_ratio, !descending);
    case ChangeOrder::saved:
      return sort_by_figure(c.ops, &OpChange::time_saved_s, descending);
    case ChangeOrder::efficiency:
      return sort_by_figure(c.ops, &OpChange::efficiency_change, descending);
    case ChangeOrder::change:
      if (!descending) reverse_known(c.ops);
      return;  // else as they stand
  }
}

}  // namespace roofline
