// Names and types: which ops a text is found in, and their alphabetical order.
#include <algorithm>
#include <roofline/frame.hpp>

namespace roofline {

namespace {
bool contains_ignoring_case(std::string_view text, std::string_view lower) {
  if (lower.size() > text.size()) return false;
  const auto fold_case = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  for (std::size_t i = 0; i + lower.size() <= text.size(); ++i) {
    std::size_t j = 0;
    while (j < lower.size() && fold_case(text[i + j]) == lower[j]) ++j;
    if (j == lower.size()) return true;
  }
  return false;
}
}  // namespace

std::vector<std::uint8_t> search(const Workload& w, std::string_view text, bool types) {
  if (text.empty()) return {};
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  std::vector<std::uint8_t> type_hits(w.kinds.size());
  for (std::size_t k = 0; k < w.kinds.size(); ++k) type_hits[k] = types && contains_ignoring_case(w.kinds[k].type, lower) ? 1 : 0;
  std::vector<std::uint8_t> out(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const bool named = i < w.name.size() && w.name[i].length > 0;
    const std::string standard = named ? std::string() : w.name_of(i);
    const std::string_view name = named ? std::string_view(w.text).substr(w.name[i].offset, w.name[i].length) : std::string_view(standard);
    out[i] = type_hits[w.kind[i]] != 0 || contains_ignoring_case(name, lower) ? 1 : 0;
  }
  return out;
}

std::vector<std::uint32_t> ranks(const Workload& w, SortKey key) {
  std::vector<std::uint32_t> order(w.size()), out(w.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  const std::string_view all = w.text;
  const auto word = [&](std::uint32_t i) -> std::string_view {
    if (key == SortKey::type) return w.kind_of(i).type;
    return i < w.name.size() ? all.substr(w.name[i].offset, w.name[i].length) : std::string_view();
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int difference = word(a).compare(word(b));
    return difference != 0 ? difference < 0 : a < b;
  });
  std::uint32_t rank = 0;  // equals share a rank, so that the source's order decides among them
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && word(order[i]) == word(order[i - 1]);
    out[order[i]] = same ? rank : rank = static_cast<std::uint32_t>(i);
  }
  return out;
}

}  // namespace roofline
