#include <algorithm>
#include <roofline/analysis/selection.hpp>

#include "analysis/blocks.hpp"

namespace roofline {

RowMask scope(const Workload& w, Level level, bool infeed) {
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

RowMask operations_of(const Workload& w, RowMask mask) {
  if (w.views.empty()) return mask;
  if (mask.empty()) mask.assign(w.size(), 1);
  RowMask operations = mask;
  for (std::size_t i = 0; i < mask.size(); ++i)
    if ((w.views[i] & row_view::program) != 0) operations[i] = 0;
  return std::find(operations.begin(), operations.end(), 1) == operations.end() ? mask : operations;
}

ProfileRank profile_rank(const Workload& w, bool infeed) {
  const RowMask rows = scope(w, Level::both, infeed);
  const auto self = [&](std::uint32_t i) { return w.self_time_s[i] == w.self_time_s[i] ? w.self_time_s[i] : 0; };
  ProfileRank s;
  s.rank.resize(w.size());
  s.cumulative_s.resize(w.size());
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < w.size(); ++i) {
    if (!rows.empty() && rows[i] == 0) continue;
    const bool program = !w.views.empty() && (w.views[i] & row_view::program) != 0;
    if (!program)
      order.push_back(i);
    else if (w.steps[w.step[i]] == "Total")
      s.whole_s = w.time_s[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return self(a) > self(b); });
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
  std::uint32_t found = wanted == "none" || wanted == "unknown" ? 1u << Filter::no_bound_bit : 0;
  for (std::size_t i = 0; i < plan.resources().size(); ++i) {
    const Resource& r = plan.resources()[i];
    const bool of_kind = (wanted == "memory" && r.kind == ResourceKind::memory) || (wanted == "link" && r.kind == ResourceKind::link);
    if (of_kind || normalised(r.name) == wanted) found |= 1u << i;
  }
  return found;
}

}  // namespace

std::optional<std::uint32_t> bounds_of(const Plan& plan, const std::vector<std::string>& words) {
  if (words.empty()) return ~0u;
  std::uint32_t bits = 0;
  for (const std::string& word : words) {
    const std::uint32_t found = bounds_meant(plan, word);
    if (found == 0) return std::nullopt;
    bits |= found;
  }
  return bits;
}

std::uint32_t known_bounds(const Plan& plan, const std::vector<std::string>& words, const Plan& beside) {
  std::uint32_t bits = 0;
  for (const std::string& word : words) {
    std::uint32_t found = bounds_meant(plan, word);
    if (found == 0 && (bounds_meant(beside, word) & beside.device_bounds()) != 0) found = plan.device_bounds();
    bits |= found;
  }
  return bits;
}

namespace {

using Words = std::vector<std::string>;

std::string listed(const Words& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

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
                    (there.empty() ? "none, for the file has no " + std::string(what) + "s" : "one of " + listed(there)),
                what);
  }
  return {};
}

/// Of each kind its category, then of each its type.
Words kind_words(const Workload& w) {
  Words words;
  for (const OpClass& kind : w.classes) words.push_back(kind.category);
  for (const OpClass& kind : w.classes) words.push_back(kind.type);
  return words;
}

/// Whether every word means something in one of the runs.
Result<void> means_something(const std::vector<const Plan*>& runs, const Selection& selection) {
  Words steps, kinds, resources;
  std::string machines;
  for (const Plan* run : runs) {
    const Words &own = run->workload().steps, of_kinds = kind_words(run->workload());
    steps.insert(steps.end(), own.begin(), own.end());
    kinds.insert(kinds.end(), of_kinds.begin(), of_kinds.end());
    for (const Resource& r : run->resources())
      if (std::find(resources.begin(), resources.end(), r.name) == resources.end()) resources.push_back(r.name);
    const std::string& name = run->scenario().machine.name;
    if (machines != name) machines += (machines.empty() ? "" : " or ") + name;
  }
  if (auto ok = all_known(selection.steps, steps, "step"); !ok) return ok;
  if (auto ok = all_known(selection.categories, kinds, "category"); !ok) return ok;
  for (const std::string& word : selection.bounds)
    if (std::all_of(runs.begin(), runs.end(), [&](const Plan* run) { return bounds_meant(*run, word) == 0; }))
      return fail(
          "no resource of " + machines + " is called \"" + word + "\": expected one of " + listed(resources) + ", memory, link, none",
          "bound-by");
  return {};
}

/// Words that mean nothing here let nothing through.
RowMask rows_of(const Plan& plan, const Selection& selection, const Plan& beside) {
  const Workload& w = plan.workload();
  RowMask mask = scope(w, Level::both, selection.infeed);
  const auto keep = [&](const auto& test) {
    if (mask.empty()) mask.assign(w.size(), 1);
    for (std::size_t i = 0; i < mask.size(); ++i)
      if (mask[i] != 0 && !test(i)) mask[i] = 0;
  };
  if (!selection.steps.empty()) {
    const auto hits = any_of(selection.steps, w.steps);
    keep([&](std::size_t i) { return i < w.step.size() && hits[w.step[i]] != 0; });
  }
  if (!selection.categories.empty()) {
    const auto hits = any_of(selection.categories, kind_words(w));
    keep([&](std::size_t i) { return hits[w.op_class[i]] != 0 || hits[w.classes.size() + w.op_class[i]] != 0; });
  }
  if (!selection.name.empty()) {
    const std::vector<std::uint8_t> hits = search(w, selection.name, false);
    keep([&](std::size_t i) { return hits[i] != 0; });
  }
  if (!selection.bounds.empty()) {
    const std::uint32_t bits = known_bounds(plan, selection.bounds, beside);
    if (mask.empty()) mask.assign(w.size(), 1);
    for_each_block(plan, [&](const OpBlock& ops) {
      for (std::size_t j = 0; j < ops.count; ++j)
        if ((bits >> std::min(static_cast<unsigned>(ops.bound[j]), Filter::no_bound_bit) & 1) == 0) mask[ops.index[j]] = 0;
    });
  }
  return mask;
}

}  // namespace

Result<RowMask> select(const Plan& plan, const Selection& selection) {
  if (auto ok = means_something({&plan}, selection); !ok) return Unexpected(ok.error());
  return rows_of(plan, selection, plan);
}

Result<std::pair<RowMask, RowMask>> select(const Plan& a, const Plan& b, const Selection& selection) {
  if (auto ok = means_something({&a, &b}, selection); !ok) return Unexpected(ok.error());
  return std::pair(rows_of(a, selection, b), rows_of(b, selection, a));
}

}  // namespace roofline
