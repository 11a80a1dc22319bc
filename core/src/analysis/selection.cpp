#include <algorithm>
#include <roofline/analysis/selection.hpp>
#include <roofline/base/names.hpp>

#include "base/joined.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// The rows of a level, with or without the time of infeed and outfeed. Empty where that is every row.
RowMask rows_at(const Workload& w, Level level, bool infeed) {
  RowMask mask(w.views.size());
  bool all = true;
  const std::uint8_t wanted = infeed ? row_view::with_infeed : row_view::without_infeed;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const bool program = (w.views[i] & row_view::program) != 0;
    mask[i] = (w.views[i] & wanted) != 0 && (level == Level::both || program == (level == Level::program)) ? 1 : 0;
    all = all && mask[i] != 0;
  }
  return all ? RowMask() : mask;
}

}  // namespace

RowMask operations_of(const Workload& w, RowMask mask) {
  if (w.views.empty()) return mask;
  if (mask.empty()) mask.assign(w.size(), 1);
  RowMask operations = mask;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if ((w.views[i] & row_view::program) != 0) operations[i] = 0;
  return std::find(operations.begin(), operations.end(), 1) == operations.end() ? mask : operations;
}

ProfileRank profile_rank(const Workload& w, bool infeed) {
  const RowMask rows = rows_at(w, Level::both, infeed);
  const auto self = [&](std::uint32_t i) { return known_or(w.self_time_s[i], 0); };
  ProfileRank s;
  s.rank.resize(w.size());
  s.cumulative_s.resize(w.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < w.size(); ++i) {
    if (!rows.empty() && rows[i] == 0) continue;
    const bool program = !w.views.empty() && (w.views[i] & row_view::program) != 0;
    if (!program)
      order.push_back(i);
    else if (w.steps[w.step[i]] == whole_program_step)
      s.whole_s = w.time_s[i];
  }
  const auto longer = [&](std::uint32_t a, std::uint32_t b) { return self(a) > self(b); };
  sort_indices(order, ComesBefore(longer));
  double sum = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    s.rank[order[place]] = static_cast<std::uint32_t>(place + 1);
    s.cumulative_s[order[place]] = sum += self(order[place]);
  }
  if (!(s.whole_s > 0)) s.whole_s = sum;
  return s;
}

namespace {

/// Bit per resource that the word means; 0: it means none.
std::uint32_t bounds_meant(const Plan& plan, const std::string& word) {
  const std::string wanted = normalised(word);
  std::uint32_t found = wanted == "none" || wanted == "unknown" ? 1u << ResultFilter::no_bound_bit : 0;
  for (std::size_t i = 0; i < plan.resources().size(); ++i) {
    const Resource& r = plan.resources()[i];
    const bool of_kind = (wanted == "memory" && r.kind == ResourceKind::memory) || (wanted == "link" && r.kind == ResourceKind::link);
    if (of_kind || normalised(r.name) == wanted) found |= 1u << i;
  }
  return found;
}

bool means_neither(const std::string& word) { return normalised(word) == to_string(Limit::neither); }

}  // namespace

std::uint32_t bounds_of(const Plan& plan, const Words& words, const Plan& beside) {
  std::uint32_t bits = words.empty() ? ~0u : 0;
  for (const std::string& word : words) {
    std::uint32_t found = bounds_meant(plan, word);
    if (found == 0 && (bounds_meant(beside, word) & beside.device_bounds()) != 0) found = plan.device_bounds();
    bits |= found;
  }
  return bits;
}

std::uint32_t limits_of(const Plan& plan, const Words& words, const Plan& beside) {
  Words resources;
  std::uint32_t bits = words.empty() ? ~0u : 0;
  for (const std::string& word : words)
    if (means_neither(word))
      bits |= 1u << ResultFilter::neither_bit;
    else
      resources.push_back(word);
  return resources.empty() ? bits : bits | bounds_of(plan, resources, beside);
}

namespace {

/// Per word of `known` 1 where any of `words` means it.
std::vector<std::uint8_t> any_of(const Words& words, const Words& known) {
  std::vector<std::uint8_t> hits(known.size());
  for (const std::string& word : words)
    for (std::size_t i = 0; i < known.size(); ++i)
      if (normalised(known[i]) == normalised(word)) hits[i] = 1;
  return hits;
}

Result<void> all_known(const Words& words, const Words& known, const char* what) {
  for (const std::string& word : words) {
    if (std::any_of(known.begin(), known.end(), [&](const std::string& k) { return normalised(k) == normalised(word); })) continue;
    Words there = near_matches(word, known);
    if (there.empty()) there = known;
    std::sort(there.begin(), there.end());
    there.erase(std::unique(there.begin(), there.end()), there.end());
    return fail("no " + std::string(what) + " is called \"" + word + "\": expected " +
                    (there.empty() ? "none, because the file has no " + std::string(what) + "s" : "one of " + joined(there, ", ")),
                what);
  }
  return {};
}

/// Of each kind its category, then of each its type.
Words class_words(const Workload& w) {
  Words words;
  for (const OpClass& op_class : w.classes) words.push_back(op_class.category);
  for (const OpClass& op_class : w.classes) words.push_back(op_class.type);
  return words;
}

/// Whether every word means something in one of the runs.
Result<void> means_something(const std::vector<const Plan*>& runs, const OpFilter& filter) {
  Words steps, classes, resources;
  std::string machines;
  for (const Plan* run : runs) {
    const Words &own = run->workload().steps, of_classes = class_words(run->workload());
    steps.insert(steps.end(), own.begin(), own.end());
    classes.insert(classes.end(), of_classes.begin(), of_classes.end());
    for (const Resource& r : run->resources())
      if (std::find(resources.begin(), resources.end(), r.name) == resources.end()) resources.push_back(r.name);
    const std::string& name = run->scenario().machine.name;
    if (machines != name) machines += (machines.empty() ? "" : " or ") + name;
  }
  if (auto ok = all_known(filter.steps, steps, "step"); !ok) return ok;
  if (auto ok = all_known(filter.category_or_type, classes, "category"); !ok) return ok;
  const auto names_it = [&](const Plan* run) {
    const std::vector<std::uint8_t> found = search(run->workload(), filter.text, false);
    return std::find(found.begin(), found.end(), 1) != found.end();
  };
  if (filter.names_only && !filter.text.empty() && std::none_of(runs.begin(), runs.end(), names_it))
    return fail("no operation's name holds \"" + filter.text + '"', "name");
  const auto check_resource = [&](const std::string& word, const char* others, const char* option) -> Result<void> {
    if (std::any_of(runs.begin(), runs.end(), [&](const Plan* run) { return bounds_meant(*run, word) != 0; })) return {};
    return fail("no resource of " + machines + " is called \"" + word + "\": " + expected_one_of(resources) + others, option);
  };
  for (const std::string& word : filter.bounds)
    if (auto ok = check_resource(word, ", memory, link, none", "bound-by"); !ok) return ok;
  for (const std::string& word : filter.limits)
    if (!means_neither(word))
      if (auto ok = check_resource(word, ", memory, link, neither, none", "limited-by"); !ok) return ok;
  return {};
}

}  // namespace

bool OpFilter::active() const {
  return !text.empty() || !steps.empty() || !category_or_type.empty() || !categories.empty() || types || !where.empty() ||
         statuses != 0xffff || !bounds.empty() || !limits.empty();
}

RowSelection select_rows(const Workload& w, const OpFilter& filter) {
  RowSelection rows;
  rows.scope = rows_at(w, Level::both, filter.infeed);
  if (filter.level == Level::operations) rows.scope = operations_of(w, std::move(rows.scope));
  if (filter.level == Level::program && !w.views.empty()) rows.scope = rows_at(w, Level::program, filter.infeed);
  rows.counted = operations_of(w, rows.scope);

  rows.found = search(w, filter.text, !filter.names_only);
  if (!filter.steps.empty()) {
    if (rows.found.empty()) rows.found.assign(w.size(), 1);
    const auto hits = any_of(filter.steps, w.steps);
    for (std::size_t i = 0; i < w.size(); ++i)
      if (i >= w.step.size() || hits[w.step[i]] == 0) rows.found[i] = 0;
  }
  for (const auto& column : filter.where) {
    const auto named = [&](const Category& c) { return c.name == column.first; };
    if (std::any_of(w.categories.begin(), w.categories.end(), named))
      keep_where(w, {column}, rows.found);
    else
      rows.found.assign(w.size(), 0);
  }

  if (filter.category_or_type.empty() && filter.categories.empty() && !filter.types) return rows;
  const auto hits = any_of(filter.category_or_type, class_words(w));
  const auto listed = [](const Words& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (std::size_t c = 0; c < w.classes.size(); ++c)
    rows.classes.push_back((filter.category_or_type.empty() || hits[c] != 0 || hits[w.classes.size() + c] != 0) &&
                           (filter.categories.empty() || listed(filter.categories, w.classes[c].category)) &&
                           (!filter.types || listed(*filter.types, w.classes[c].type)));
  return rows;
}

namespace {

OpSet rows_of(const Plan& plan, const OpFilter& filter, const Plan& beside) {
  return {plan,
          std::make_shared<RowSelection>(select_rows(plan.workload(), filter)),
          {filter.statuses, bounds_of(plan, filter.bounds, beside), limits_of(plan, filter.limits, beside)}};
}

}  // namespace

Result<OpSet> select(const Plan& plan, const OpFilter& filter) {
  if (auto ok = means_something({&plan}, filter); !ok) return Unexpected(ok.error());
  return rows_of(plan, filter, plan).fixed();
}

Result<std::pair<OpSet, OpSet>> select(const Plan& a, const Plan& b, const OpFilter& filter) {
  if (auto ok = means_something({&a, &b}, filter); !ok) return Unexpected(ok.error());
  return std::pair(rows_of(a, filter, b), rows_of(b, filter, a));
}

void keep_where(const Workload& w, const Where& where, std::vector<std::uint8_t>& mask) {
  for (const auto& [name, words] : where) {
    const auto category = std::find_if(w.categories.begin(), w.categories.end(), [&n = name](const Category& c) { return c.name == n; });
    if (category == w.categories.end()) continue;
    std::vector<std::uint8_t> keep(category->values.size() + 1);  // the last: rows without a word
    for (std::size_t i = 0; i < category->values.size(); ++i)
      keep[i] = std::find(words.begin(), words.end(), category->values[i]) != words.end() ? 1 : 0;
    const bool first = mask.empty();
    if (first) mask.resize(w.size());
    // Local copies: the byte stores below may alias the vectors' pointers, which would be reloaded for each row.
    const std::uint32_t* value = category->value.data();
    const std::uint8_t* kept = keep.data();
    std::uint8_t* out = mask.data();
    const std::size_t rows = mask.size();
    const auto last = static_cast<std::uint32_t>(keep.size() - 1);
    if (first)
      for (std::size_t i = 0; i < rows; ++i) out[i] = kept[std::min(value[i], last)];
    else
      for (std::size_t i = 0; i < rows; ++i) out[i] &= kept[std::min(value[i], last)];
  }
}

}  // namespace roofline
