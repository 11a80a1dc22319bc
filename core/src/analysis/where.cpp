#include <algorithm>
#include <roofline/analysis/selection.hpp>

namespace roofline {

void keep_where(const Workload& w, const Where& where, std::vector<std::uint8_t>& mask) {
  for (const auto& [name, words] : where) {
    const auto category = std::find_if(w.categories.begin(), w.categories.end(), [&n = name](const Category& c) { return c.name == n; });
    if (category == w.categories.end()) continue;
    std::vector<std::uint8_t> keep(category->values.size() + 1);  // the last: rows without a word
    for (std::size_t i = 0; i < category->values.size(); ++i)
      keep[i] = std::find(words.begin(), words.end(), category->values[i]) != words.end() ? 1 : 0;
    const bool first = mask.empty();
    if (first) mask.resize(w.size());
    // Bytes may alias anything: without copies of their own, compilers read the vectors' pointers again for each row.
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
