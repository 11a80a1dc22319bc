#include "session/masks.hpp"

#include <algorithm>

namespace roofline {
namespace {

bool has_column(const Workload& w, const std::string& name) {
  return std::any_of(w.categories.begin(), w.categories.end(), [&](const Category& c) { return c.name == name; });
}

bool holds(const Words& list, const std::string& word) { return std::find(list.begin(), list.end(), word) != list.end(); }

}  // namespace

RowMask rows_that_count(const Workload& w, const ProfileRows& rows) {
  if (rows.level == Level::operations || w.views.empty()) return operations_of(w, scope(w, Level::both, rows.infeed));
  return scope(w, rows.level, rows.infeed);
}

Filter filter_by_words(const Workload& w, const WordFilter& words, const Workload& open_run) {
  Filter filter;
  filter.ops = search(w, words.search);
  if (!words.steps.empty() && !open_run.step.empty()) {
    if (filter.ops.empty()) filter.ops.assign(w.size(), 1);
    for (std::size_t i = 0; i < w.size(); ++i)
      if (w.step.empty() || !holds(words.steps, w.steps[w.step[i]])) filter.ops[i] = 0;
  }
  for (const auto& column : words.where) {
    if (!has_column(open_run, column.first)) continue;
    if (has_column(w, column.first))
      keep_where(w, {column}, filter.ops);
    else
      filter.ops.assign(w.size(), 0);
  }
  if (!words.types && words.categories.empty()) return filter;
  for (const OpClass& kind : w.classes)
    filter.kinds.push_back((!words.types || holds(*words.types, kind.type)) &&
                           (words.categories.empty() || holds(words.categories, kind.category)));
  return filter;
}

}  // namespace roofline
