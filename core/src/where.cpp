#include <algorithm>
#include <roofline/frame.hpp>

namespace roofline {

void keep_where(const Workload& w, const Where& where, std::vector<std::uint8_t>& mask) {
  for (const auto& [name, words] : where) {
    const auto category = std::find_if(w.categories.begin(), w.categories.end(), [&n = name](const Category& c) { return c.name == n; });
    if (category == w.categories.end()) continue;
    std::vector<std::uint8_t> keep(category->values.size() + 1);  // the last: rows without a word
    for (std::size_t i = 0; i < category->values.size(); ++i)
      keep[i] = std::find(words.begin(), words.end(), category->values[i]) != words.end() ? 1 : 0;
    if (mask.empty()) mask.assign(w.size(), 1);
    const std::uint32_t* value = category->value.data();
    const std::size_t last = keep.size() - 1;
    for (std::size_t i = 0; i < mask.size(); ++i)
      mask[i] = static_cast<std::uint8_t>(mask[i] & keep[std::min<std::size_t>(value[i], last)]);
  }
}

}  // namespace roofline
