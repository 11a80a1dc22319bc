// Stable sorting by indices, whose code is compiled once: std::stable_sort adds kilobytes for each type and comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace roofline {

/// A reference to a function (index, index) -> bool: whether the first comes before the second. The function must outlive it.
class ComesBefore {
 public:
  template <class Function>
  explicit ComesBefore(const Function& function)
      : function_(&function),
        call_([](const void* f, std::uint32_t a, std::uint32_t b) { return (*static_cast<const Function*>(f))(a, b); }) {}
  bool operator()(std::uint32_t a, std::uint32_t b) const { return call_(function_, a, b); }

 private:
  const void* function_;
  bool (*call_)(const void*, std::uint32_t, std::uint32_t);
};

/// Equal indices keep their order.
void sort_indices(std::vector<std::uint32_t>& indices, ComesBefore before);

/// The indices 0 to count - 1, sorted; equal ones keep their order.
std::vector<std::uint32_t> sorted_indices(std::size_t count, ComesBefore before);

/// Sorts by `before(item, item)`, a strict weak order; equal items keep their order.
template <class T, class Before>
void sort_stably(std::vector<T>& items, const Before& before) {
  const auto by_index = [&](std::uint32_t a, std::uint32_t b) { return before(items[a], items[b]); };
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (const std::uint32_t i : sorted_indices(items.size(), ComesBefore(by_index))) sorted.push_back(std::move(items[i]));
  items = std::move(sorted);
}

}  // namespace roofline
