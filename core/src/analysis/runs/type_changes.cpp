#include "analysis/runs/type_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "base/sort_stably.hpp"
#include "workload/layer_nodes.hpp"

namespace roofline {
namespace {

using GroupOf = std::string (*)(const OpClass&);
std::string type_of(const OpClass& c) { return std::string(original_type(c.type)); }
std::string family_of(const OpClass& c) { return to_string(c.family); }

/// Sums the operations of both runs by group; `group_of` names the group of a class.
class TypeSums {
 public:
  TypeSums(const Plan& a, const Plan& b, const std::vector<OpChange>& ops, GroupOf group_of) : group_of_(group_of) {
    const std::vector<std::size_t> of_a = groups(a.workload()), of_b = groups(b.workload());
    for (const OpChange& o : ops) {
      if (!o.appeared()) add(a.workload(), of_a, o.a, &TypeChange::ops_a, o.time_a_s, &TypeChange::time_a_s);
      if (!o.vanished()) add(b.workload(), of_b, o.b, &TypeChange::ops_b, o.time_b_s, &TypeChange::time_b_s);
    }
  }

  std::vector<TypeChange> take() {
    std::erase_if(sums_, [](const TypeChange& t) { return t.types.empty(); });
    for (TypeChange& t : sums_) {
      t.time_ratio = t.time_b_s / t.time_a_s;
      t.time_saved_s = (t.ops_a == 0 ? 0 : t.time_a_s) - (t.ops_b == 0 ? 0 : t.time_b_s);
    }
    const auto size = [](const TypeChange& t) { return known_or(std::abs(t.time_saved_s), -1); };
    sort_stably(sums_, [&](const TypeChange& x, const TypeChange& y) { return size(x) > size(y); });
    return std::move(sums_);
  }

 private:
  std::vector<std::size_t> groups(const Workload& w) {
    std::vector<std::size_t> out;
    for (const OpClass& c : w.classes) {
      const auto [at, is_new] = group_index_.emplace(group_of_(c), sums_.size());
      if (is_new) sums_.emplace_back().type = at->first;
      out.push_back(at->second);
    }
    return out;
  }
  void add(const Workload& w, const std::vector<std::size_t>& groups, std::uint32_t op, std::size_t TypeChange::* count, double time_s,
           double TypeChange::* sum) {
    TypeChange& t = sums_[groups[w.op_class[op]]];
    ++(t.*count);
    if (known(time_s)) t.*sum = known_or(t.*sum, 0) + time_s;
    const std::string& type = w.class_of(op).type;
    if (std::find(t.types.begin(), t.types.end(), type) == t.types.end()) t.types.push_back(type);
  }

  GroupOf group_of_;
  std::map<std::string, std::size_t> group_index_;
  std::vector<TypeChange> sums_;
};

/// Whether most of the time of both runs is in types that the other run does not have.
bool hardly_shared(const std::vector<TypeChange>& sums) {
  double only_a = 0, only_b = 0, all_a = 0, all_b = 0;
  for (const TypeChange& t : sums) {
    all_a += known_or(t.time_a_s, 0);
    all_b += known_or(t.time_b_s, 0);
    if (t.ops_b == 0) only_a += known_or(t.time_a_s, 0);
    if (t.ops_a == 0) only_b += known_or(t.time_b_s, 0);
  }
  return 2 * only_a > all_a && 2 * only_b > all_b;
}

}  // namespace

void sum_by_type(const Plan& a, const Plan& b, Comparison& c) {
  c.by_type = TypeSums(a, b, c.ops, type_of).take();
  if (hardly_shared(c.by_type)) {
    std::vector<TypeChange> families = TypeSums(a, b, c.ops, family_of).take();
    c.by_family = families.size() > 1;  // one row would repeat the totals
    if (c.by_family) c.by_type = std::move(families);
  }
  for (TypeChange& t : c.by_type)
    if (!c.by_family && t.types.size() == 1) t.type = t.types[0];
}

}  // namespace roofline
