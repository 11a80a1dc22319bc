// The order of operations by words and by a source's own measures.
#include <cmath>
#include <roofline/frame/frame.hpp>

#include "base/sort_stably.hpp"

namespace roofline {
namespace {

/// Per op its place by `before`, a strict order; equals share a place, so that the source's order decides among them.
template <class Before>
std::vector<std::uint32_t> places(std::size_t ops, const Before& before) {
  const std::vector<std::uint32_t> order = sorted_indices(ops, ComesBefore(before));
  std::vector<std::uint32_t> out(ops);
  std::uint32_t place = 0;
  for (std::size_t i = 0; i < ops; ++i) {
    if (i == 0 || before(order[i - 1], order[i])) place = static_cast<std::uint32_t>(i);
    out[order[i]] = place;
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> ranks(const Workload& w, SortKey key, std::string_view label) {
  if (key == SortKey::label)
    for (const Measure& measure : w.measures) {
      if (measure.name != label) continue;
      const auto value = [&](std::uint32_t i) { return measure.values[i] == measure.values[i] ? measure.values[i] : HUGE_VAL; };
      std::vector<std::uint32_t> out = places(w.size(), [&](std::uint32_t a, std::uint32_t b) { return value(a) < value(b); });
      for (std::size_t i = 0; i < out.size(); ++i)
        if (measure.values[i] != measure.values[i]) out[i] = no_rank;
      return out;
    }
  const std::string_view all = w.text;
  const Category* category = nullptr;
  for (const Category& c : w.categories)
    if (key == SortKey::label && c.name == label) category = &c;
  const auto word = [&](std::uint32_t i) -> std::string_view {
    switch (key) {
      case SortKey::type:
        return w.class_of(i).type;
      case SortKey::category:
        return w.class_of(i).category;
      case SortKey::step:
        return w.step.empty() ? std::string_view() : w.steps[w.step[i]];
      case SortKey::label:
        return category && category->value[i] < category->values.size() ? std::string_view(category->values[category->value[i]])
                                                                        : std::string_view();
      default:
        return i < w.name.size() ? all.substr(w.name[i].offset, w.name[i].length) : std::string_view();
    }
  };
  return places(w.size(), [&](std::uint32_t a, std::uint32_t b) { return word(a) < word(b); });
}

}  // namespace roofline
