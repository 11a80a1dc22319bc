// Which operations a text is found in.
#include <array>
#include <roofline/analysis/selection.hpp>

#include "base/letters.hpp"

namespace roofline {
namespace {

/// Finds one text in many, case ignored (ASCII): Horspool's method, which passes over most letters of what it searches.
class Finder {
 public:
  explicit Finder(std::string_view text) : lower_(lower(text)) {
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
      while (i > 0 && lower(text[end - size + i - 1]) == lower_[i - 1]) --i;
      if (i == 0) return true;
    }
    return false;
  }

 private:
  static std::size_t byte(char c) { return static_cast<unsigned char>(c); }
  std::string lower_;
  std::array<std::size_t, 256> skip_;  ///< how far to go where this letter is the last
};

}  // namespace

std::vector<std::uint8_t> search(const Workload& w, std::string_view text, bool types) {
  if (text.empty()) return {};
  const Finder finder(text);
  std::vector<std::uint8_t> type_hits(w.classes.size());
  for (std::size_t k = 0; k < w.classes.size(); ++k) type_hits[k] = types && finder.in(w.classes[k].type) ? 1 : 0;
  std::vector<std::uint8_t> out(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const bool named = i < w.name.size() && w.name[i].length > 0;
    const std::string standard = named ? std::string() : w.name_of(i);
    const std::string_view name = named ? std::string_view(w.text).substr(w.name[i].offset, w.name[i].length) : std::string_view(standard);
    out[i] = type_hits[w.op_class[i]] != 0 || finder.in(name) ? 1 : 0;
  }
  return out;
}

}  // namespace roofline
