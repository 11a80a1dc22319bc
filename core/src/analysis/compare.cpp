#include <algorithm>
#include <cmath>
#include <roofline/analysis/compare.hpp>
#include <roofline/analysis/selection.hpp>
#include <roofline/base/text.hpp>
#include <string>

#include "base/interner.hpp"

namespace roofline {
namespace {

/// Totals of a profile over its other rows are no operations, and are left out.
bool meant(const RowMask& mask, std::size_t i) { return mask.empty() || mask[i] != 0; }

/// Names, types and shapes as hashes, so that a million operations match in one pass.
class Matcher {
 public:
  Matcher(const Workload& a, const RowMask& in_a, const Workload& b, const RowMask& in_b)
      : a_(a), b_(b), in_a_(in_a), in_b_(in_b), of_a_(a.size(), no_op), of_b_(b.size(), no_op) {
    pass([&](const Workload& w, std::size_t i) { return key(w, i, true); });
    pass([&](const Workload& w, std::size_t i) { return named(w, i) ? key(w, i, false) : 0; });
  }
  [[nodiscard]] std::uint32_t of_a(std::size_t i) const { return of_a_[i]; }
  [[nodiscard]] std::uint32_t of_b(std::size_t i) const { return of_b_[i]; }

 private:
  static bool named(const Workload& w, std::size_t i) { return i < w.name.size() && w.name[i].length > 0; }
  static std::uint64_t key(const Workload& w, std::size_t i, bool shape) {
    const std::string_view name = named(w, i) ? std::string_view(w.text).substr(w.name[i].offset, w.name[i].length) : std::string_view();
    std::uint64_t h = hash_text(name) * 0x9E3779B97F4A7C15ull ^ hash_text(w.class_of(i).type);
    if (shape && i < w.shape_hash.size()) h = (h ^ w.shape_hash[i]) * 0xD6E8FEB86659FD93ull;
    return (h ^ h >> 31) | 1;
  }

  /// Equal keys are matched in order: the k-th of one run with the k-th of the other. A key of 0 matches nothing.
  template <class KeyOf>
  void pass(const KeyOf& key_of) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> left, right;
    const auto gather = [&](const Workload& w, const RowMask& in, const std::vector<std::uint32_t>& taken, auto& into) {
      for (std::size_t i = 0; i < w.size(); ++i)
        if (taken[i] == no_op && meant(in, i))
          if (const std::uint64_t k = key_of(w, i); k != 0) into.emplace_back(k, static_cast<std::uint32_t>(i));
      std::sort(into.begin(), into.end());
    };
    gather(a_, in_a_, of_a_, left);
    gather(b_, in_b_, of_b_, right);
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() && r != right.end()) {
      if (l->first < r->first) {
        ++l;
      } else if (r->first < l->first) {
        ++r;
      } else {
        of_a_[l->second] = r->second;
        of_b_[r->second] = l->second;
        ++l, ++r;
      }
    }
  }

  const Workload &a_, &b_;
  const RowMask &in_a_, &in_b_;
  std::vector<std::uint32_t> of_a_, of_b_;
};

bool has_times(const Plan& plan) {
  const auto& times = plan.workload().time_s;
  return std::any_of(times.begin(), times.end(), [](double t) { return t > 0; });
}

ChangeTotals totals_of(const std::vector<OpChange>& ops) {
  ChangeTotals t;
  const auto add = [](double& sum, double value) { sum += known_or(value, 0); };
  for (const OpChange& o : ops) {
    ++(o.a == no_op ? t.appeared : o.b == no_op ? t.vanished : t.matched);
    add(t.time_a_s, o.time_a_s);
    add(t.time_b_s, o.time_b_s);
    if (o.time_saved_s > 0) t.saved_s += o.time_saved_s;
    if (o.time_saved_s < 0) t.lost_s -= o.time_saved_s;
    if (o.a == no_op || o.b == no_op || !known(o.time_saved_s)) continue;
    t.matched_time_a_s += o.time_a_s;
    t.matched_time_b_s += o.time_b_s;
  }
  return t;
}

/// Sorts by a word of each operation, empty ones last.
template <class WordOf>
void sort_by_word(std::vector<OpChange>& ops, bool descending, const WordOf& word_of) {
  std::vector<std::pair<std::string, std::size_t>> order;
  for (std::size_t i = 0; i < ops.size(); ++i) order.emplace_back(word_of(ops[i]), i);
  std::stable_sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
    if (x.first.empty() || y.first.empty()) return !x.first.empty() && y.first.empty();
    return descending ? x.first > y.first : x.first < y.first;
  });
  std::vector<OpChange> sorted;
  for (const auto& [word, i] : order) sorted.push_back(ops[i]);
  ops = std::move(sorted);
}

}  // namespace

Comparison compare(const OpSet& ops_a, const OpSet& ops_b) {
  const Plan &a = ops_a.plan(), &b = ops_b.plan();
  Comparison c;
  c.predicted = !has_times(a) || !has_times(b);
  const RowMask &in_a = ops_a.rows().counted, &in_b = ops_b.rows().counted;
  const Matcher match(a.workload(), in_a, b.workload(), in_b);
  const auto time_of = [&](const OpAnalysis& op) { return c.predicted ? op.predicted_time_s : known_or(op.self_time_s, op.time_s); };

  for (std::size_t i = 0; i < a.workload().size(); ++i) {
    if (!meant(in_a, i)) continue;
    OpChange change;
    change.a = static_cast<std::uint32_t>(i);
    change.b = match.of_a(i);
    const OpAnalysis before = a.analyze(i);
    change.time_a_s = time_of(before);
    if (change.b == no_op) {
      change.time_saved_s = change.time_a_s;
    } else {
      const OpAnalysis after = b.analyze(change.b);
      change.time_b_s = time_of(after);
      change.time_saved_s = change.time_a_s - change.time_b_s;
      change.time_ratio =
          before.rates_only && after.rates_only ? before.achieved_flops / after.achieved_flops : change.time_b_s / change.time_a_s;
      change.efficiency_change = after.efficiency - before.efficiency;
    }
    c.ops.push_back(change);
  }
  for (std::size_t i = 0; i < b.workload().size(); ++i) {
    if (!meant(in_b, i) || match.of_b(i) != no_op) continue;
    OpChange change;
    change.b = static_cast<std::uint32_t>(i);
    change.time_b_s = time_of(b.analyze(i));
    change.time_saved_s = -change.time_b_s;
    c.ops.push_back(change);
  }
  c.totals = totals_of(c.ops);
  // Unknown savings go last; among those, of rates alone, the larger gain first.
  const auto saved = [](const OpChange& o) { return known_or(o.time_saved_s, -HUGE_VAL); };
  const auto gain = [](const OpChange& o) { return known(o.time_ratio) ? -o.time_ratio : -HUGE_VAL; };
  std::stable_sort(c.ops.begin(), c.ops.end(), [&](const OpChange& x, const OpChange& y) {
    const double sx = saved(x), sy = saved(y);
    return sx != sy ? sx > sy : sx == -HUGE_VAL && gain(x) > gain(y);
  });
  if (!ops_a.filtered() && !ops_b.filtered()) return c;
  const RowMask kept_a = ops_a.mask(), kept_b = ops_b.mask();
  const auto stays = [](const RowMask& mask, std::uint32_t op) { return op != no_op && mask[op] != 0; };
  c.all = c.totals;
  c.ops.erase(std::remove_if(c.ops.begin(), c.ops.end(), [&](const OpChange& o) { return !stays(kept_a, o.a) && !stays(kept_b, o.b); }),
              c.ops.end());
  c.totals = totals_of(c.ops);
  return c;
}

void sort_changes(const Plan& a, const Plan& b, Comparison& c, ChangeOrder by, bool descending) {
  const auto sort_by = [&](auto word_of) {
    sort_by_word(c.ops, descending, [&](const OpChange& o) { return o.b != no_op ? word_of(b, o.b) : word_of(a, o.a); });
  };
  const auto sort_by_figure = [&](double OpChange::* figure, bool most_first) {
    std::stable_sort(c.ops.begin(), c.ops.end(), [&](const OpChange& x, const OpChange& y) {
      const double p = x.*figure, q = y.*figure;
      if (!known(p) || !known(q)) return known(p) && !known(q);
      return most_first ? p > q : p < q;
    });
  };
  switch (by) {
    case ChangeOrder::name:
      return sort_by([](const Plan& plan, std::uint32_t op) { return plan.workload().name_of(op); });
    case ChangeOrder::type:
      return sort_by([](const Plan& plan, std::uint32_t op) { return plan.workload().class_of(op).type; });
    case ChangeOrder::bound_by:
      return sort_by([](const Plan& plan, std::uint32_t op) {
        const std::uint8_t bound = plan.analyze(op).bound_by;
        return bound == no_resource ? std::string() : plan.resources()[bound].name;
      });
    case ChangeOrder::before:
      return sort_by_figure(&OpChange::time_a_s, descending);
    case ChangeOrder::after:
      return sort_by_figure(&OpChange::time_b_s, descending);
    case ChangeOrder::speedup:  // one over the ratio
      return sort_by_figure(&OpChange::time_ratio, !descending);
    case ChangeOrder::saved:
      if (!descending) sort_by_figure(&OpChange::time_saved_s, false);  // else as they stand
      return;
    case ChangeOrder::efficiency:
      return sort_by_figure(&OpChange::efficiency_change, descending);
  }
}

std::string headline(const ChangeTotals& t, bool predicted) {
  const char* what = predicted ? " predicted" : "";
  std::string out;
  if (t.time_a_s > 0 && t.time_b_s > 0) {
    const double speedup = t.time_a_s / t.time_b_s;
    out = std::abs(speedup - 1) < 0.005 ? "As fast as before: "
          : speedup > 1                 ? number(speedup) + " times as fast: "
                                        : number(1 / speedup) + " times as slow: ";
    out += seconds(t.time_b_s) + what + " instead of " + seconds(t.time_a_s) + ". ";
    out += seconds(t.saved_s) + " saved, " + seconds(t.lost_s) + " lost. ";
  }
  out += std::to_string(t.matched) + (t.matched == 1 ? " operation" : " operations") + " in both runs";
  if (t.appeared > 0) out += ", " + std::to_string(t.appeared) + " appeared";
  if (t.vanished > 0) out += ", " + std::to_string(t.vanished) + " vanished";
  return out + '.';
}

}  // namespace roofline
