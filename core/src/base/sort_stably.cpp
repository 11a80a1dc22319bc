#include "base/sort_stably.hpp"

#include <algorithm>
#include <numeric>

namespace roofline {

void sort_indices(std::vector<std::uint32_t>& indices, ComesBefore before) { std::stable_sort(indices.begin(), indices.end(), before); }

std::vector<std::uint32_t> sorted_indices(std::size_t count, ComesBefore before) {
  std::vector<std::uint32_t> indices(count);
  std::iota(indices.begin(), indices.end(), 0U);
  sort_indices(indices, before);
  return indices;
}

}  // namespace roofline
