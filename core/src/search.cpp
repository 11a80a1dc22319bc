// Words: which ops a text is found in, and the order by them.
#include <algorithm>
#include <array>
#include <cmath>
#include <roofline/frame.hpp>

namespace roofline {

namespace {

/// Finds one text in many, case ignored (ASCII): Horspool's method, which passes over most letters of what it searches.
class Finder {
 public:
  explicit Finder(std::string_view text) : lower_(text) {
    for (char& c : lower_) c = fold_case(c);
    skip_.fill(lower_.size());
    for (std::size_t i = 0; i + 1 < lower_.size(); ++i) {
      const char c = lower_[i];
      skip_[byte(c)] = skip_[byte(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c)] = lower_.size() - 1 - i;
    }
  }
  [[nodiscard]] bool in(std::string_view text) const {
    const std::size_t size = lower_.size();
    for (std::size_t end = size; end <= text.size(); end += skip_[byte(text[end - 1])]) {
      std::size_t i = size;
      while (i > 0 && fold_case(text[end - size + i - 1]) == lower_[i - 1]) --i;
      if (i == 0) return true;
    }
    return false;
  }

 private:
  static char fold_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
  static std::size_t byte(char c) { return static_cast<unsigned char>(c); }
  std::string lower_;
  std::array<std::size_t, 256> skip_;  ///< how far to go where this letter is the last
};

}  // namespace

std::vector<std::uint8_t> search(const Workload& w, std::string_view text, bool types) {
  if (text.empty()) return {};
  const Finder finder(text);
  std::vector<std::uint8_t> type_hits(w.kinds.size());
  for (std::size_t k = 0; k < w.kinds.size(); ++k) type_hits[k] = types && finder.in(w.kinds[k].type) ? 1 : 0;
  std::vector<std::uint8_t> out(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const bool named = i < w.name.size() && w.name[i].length > 0;
    const std::string standard = named ? std::string() : w.name_of(i);
    const std::string_view name = named ? std::string_view(w.text).substr(w.name[i].offset, w.name[i].length) : std::string_view(standard);
    out[i] = type_hits[w.kind[i]] != 0 || finder.in(name) ? 1 : 0;
  }
  return out;
}

namespace {

/// Per op its place by `before`, a strict order; equals share a place, so that the source's order decides among them.
template <class Before>
std::vector<std::uint32_t> places(std::size_t ops, const Before& before) {
  std::vector<std::uint32_t> order(ops), out(ops);
  for (std::size_t i = 0; i < ops; ++i) order[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(order.begin(), order.end(), before);
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
        return w.kind_of(i).type;
      case SortKey::category:
        return w.kind_of(i).category;
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
