#include "read/text/csv.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <roofline/base/number.hpp>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/letters.hpp"
#include "base/parse_number.hpp"

namespace roofline {
namespace {

/// The delimiter that splits the first lines into the most fields of equal number; ties go to the comma, then the semicolon, then the tab.
char find_delimiter(std::string_view text) {
  constexpr std::array candidates = {',', ';', '\t', '|'};
  constexpr std::size_t lines_looked_at = 8;
  std::array<std::size_t, candidates.size()> least{}, first{}, count{};
  std::size_t lines = 0;
  bool in_quotes = false, any = false;
  for (std::size_t i = 0; i <= text.size() && lines < lines_looked_at; ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    if (c == '\n' || c == '\r') {
      if (any) {
        for (std::size_t k = 0; k < candidates.size(); ++k) {
          if (lines == 0) first[k] = count[k];
          least[k] = lines == 0 ? count[k] : std::min(least[k], count[k]);
        }
        ++lines;
      }
      count = {};
      any = false;
      continue;
    }
    any = any || (c != ' ' && c != '\t');
    for (std::size_t k = 0; k < candidates.size(); ++k) count[k] += c == candidates[k] ? 1 : 0;
  }
  // The header decides, unless some row has none of its delimiter: then that is part of its words.
  std::size_t best = 0;
  for (std::size_t k = 1; k < candidates.size(); ++k)
    if (std::pair(least[k] > 0, first[k]) > std::pair(least[best] > 0, first[best])) best = k;
  return candidates[best];
}

/// "1,234,567.8" without its group marks; empty where the groups are not of three digits.
std::string without_groups(std::string_view text, char group, char point) {
  std::string out;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) out += text[i++];
  std::size_t run = 0;
  bool grouped = false;
  for (; i < text.size() && text[i] != point; ++i) {
    if (text[i] == group) {
      if (grouped ? run != 3 : run < 1 || run > 3) return {};
      grouped = true;
      run = 0;
    } else if (is_digit(text[i])) {
      out += text[i];
      ++run;
    } else {
      return {};
    }
  }
  if (grouped && run != 3) return {};
  if (i < text.size()) {
    out += '.';
    out += text.substr(i + 1);
  }
  return out;
}

/// How often the numbers of a table use the comma or the point as the decimal mark.
class DecimalMarks {
 public:
  /// A number without the other marks between its groups, or any text.
  void add(std::string_view text) {
    text = text.substr(0, text.find_first_of("eE"));
    if (text.find_first_not_of("+-0123456789.,") != std::string_view::npos || std::none_of(text.begin(), text.end(), is_digit)) return;
    const std::size_t first = text.find_first_of(".,"), last = text.find_last_of(".,");
    if (first == std::string_view::npos) return;
    const char point = text[last], other = point == ',' ? '.' : ',';
    const auto times = std::count(text.begin(), text.end(), point);
    if (contains(text, other)) {  // "1.234,5"
      if (times == 1 && !without_groups(text, other, point).empty()) ++decisive_[point == ','];
    } else if (times > 1) {  // "1.234.567"
      if (!without_groups(text, point, other).empty()) ++decisive_[other == ','];
    } else {  // "1.234" may be either; "0.234", "1234.567" and "1.2" are not groups of three digits
      const bool maybe_groups = !without_groups(text, point, other).empty() && text[text.find_first_not_of("+-")] != '0';
      ++(maybe_groups ? undecided_ : decisive_)[point == ','];
    }
  }
  [[nodiscard]] bool comma() const { return decisive_[0] != decisive_[1] ? decisive_[1] > decisive_[0] : undecided_[1] > undecided_[0]; }

 private:
  std::array<int, 2> decisive_{}, undecided_{};  // point, comma
};

/// The number with neither the blanks nor the apostrophes that stand between groups of three digits, as "1 234 567" or "1'234'567" do.
std::string without_marks(std::string_view text) {
  std::string out;
  std::size_t run = 0, groups = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t mark = text[i] == ' ' || text[i] == '\''                                            ? 1
                             : text.substr(i, 2) == "\xc2\xa0"                                            ? 2
                             : text.substr(i, 3) == "\xe2\x80\xaf" || text.substr(i, 3) == "\xe2\x80\x99" ? 3
                                                                                                          : 0;
    if (mark == 0) {
      out += text[i];
      run = is_digit(text[i]) ? run + 1 : 0;
      continue;
    }
    const std::string_view next = text.substr(i + mark, 3);
    const bool three = next.size() == 3 && std::all_of(next.begin(), next.end(), is_digit);
    if (!three || (i + mark + 3 < text.size() && is_digit(text[i + mark + 3])) || (groups++ == 0 ? run < 1 || run > 3 : run != 3))
      return {};
    run = 0;
    i += mark - 1;
  }
  return out;
}

bool is_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 10> words = {"-", "--", "nan", "n/a", "na", "null", "none", "inf", "-inf", "#n/a"};
  if (text.empty()) return true;
  if (text.size() > 4) return false;
  return std::find(words.begin(), words.end(), lower(text)) != words.end();
}

/// Neither "nan" nor "inf".
bool read_exact(std::string_view text, double& value) {
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string_view digits = text.substr(sign ? 1 : 0);
  return !digits.empty() && (is_digit(digits[0]) || digits[0] == '.') && parse_number(text[0] == '+' ? digits : text, value);
}

}  // namespace

std::optional<double> exact_number(std::string_view text) {
  double value = 0;
  return read_exact(text, value) ? std::optional(value) : std::nullopt;
}

std::string CsvField::text() const {
  std::string out(view());
  if (escaped)
    for (std::size_t i = out.find('"'); i != std::string::npos; i = out.find('"', i + 1)) out.erase(i, 1);
  return out;
}

Csv::Csv(std::string_view text, bool last) : delimiter_(find_delimiter(text)) {
  reset(text, {}, last);
  if (delimiter_ == ',') return;
  DecimalMarks marks;
  for (int row = 0; row < 32; ++row) {
    const auto more = next();
    if (!more || !*more) break;
    for (const CsvField& field : fields_) marks.add(without_marks(field.view()));
  }
  decimal_comma_ = marks.comma();
  seek(0);
}

void Csv::reset(std::string_view text, LineStart start, bool last) {
  begin_ = p_ = text.data();
  end_ = begin_ + text.size();
  start_ = start;
  last_ = last;
}

void Csv::seek(std::size_t position) { p_ = begin_ + position; }

/// Past the closing quote of the field that starts at p_, a quote; null where there is none.
const char* Csv::quoted_end(CsvField& field) {
  field.begin = ++p_;
  field.quoted = true;
  for (;;) {
    const auto* quote = static_cast<const char*>(std::memchr(p_, '"', static_cast<std::size_t>(end_ - p_)));
    if (!quote) return nullptr;
    p_ = quote + 1;
    if (*p_ != '"') {
      field.size = static_cast<std::uint32_t>(quote - field.begin);
      return p_;
    }
    field.escaped = true;
    ++p_;
  }
}

/// Where the field without quotes that starts at p_ ends.
const char* Csv::plain_end() const {
  const char* p = p_;
#ifdef __SSE2__  // in WebAssembly too: sixteen letters at a time, without a guess at each
  const __m128i delimiter = _mm_set1_epi8(delimiter_), feed = _mm_set1_epi8('\n'), turn = _mm_set1_epi8('\r');
  for (; end_ - p >= 16; p += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i ends =
        _mm_or_si128(_mm_cmpeq_epi8(text, delimiter), _mm_or_si128(_mm_cmpeq_epi8(text, feed), _mm_cmpeq_epi8(text, turn)));
    if (const int found = _mm_movemask_epi8(ends); found != 0) return p + __builtin_ctz(static_cast<unsigned>(found));
  }
#endif
  while (*p != delimiter_ && *p != '\n' && *p != '\r' && (*p != 0 || p < end_)) ++p;
  return p;
}

Result<bool> Csv::next() {
  do {
    while (*p_ == '\n' || *p_ == '\r') ++p_;
    if (p_ >= end_) return false;
    row_ = position();
    fields_.clear();
    for (;;) {
      CsvField field;
      const char* start = p_;
      if (*p_ == ' ') {  // blanks before a quote are not part of the field
        while (*p_ == ' ') ++p_;
        if (*p_ != '"') p_ = start;
      }
      if (*p_ == '"') {
        if (!quoted_end(field)) {
          seek(row_);
          if (!last_) return false;
          const LineIndex lines({begin_, static_cast<std::size_t>(end_ - begin_)}, start_);
          return Unexpected(lines.at(static_cast<std::size_t>(field.begin - begin_) - 1, "a quote that is never closed: expected '\"'"));
        }
        while (*p_ != delimiter_ && *p_ != '\n' && *p_ != '\r' && p_ < end_) ++p_;  // what stands behind the quote is dropped
      } else {
        field.begin = p_;
        p_ = plain_end();
        field.size = static_cast<std::uint32_t>(p_ - field.begin);
        if (delimiter_ == '|') {  // as Markdown has it
          while (field.size > 0 && *field.begin == ' ') ++field.begin, --field.size;
          while (field.size > 0 && field.begin[field.size - 1] == ' ') --field.size;
        }
      }
      fields_.push_back(field);
      if (*p_ != delimiter_) break;
      ++p_;
    }
    row_end_ = position();
    if (p_ >= end_ && !last_) return seek(row_), false;
  } while (std::all_of(fields_.begin(), fields_.end(), [](const CsvField& f) { return f.size == 0; }));
  return true;
}

void Csv::join(std::size_t at, std::size_t more) {
  const CsvField& last = fields_[at + more];
  fields_[at].size = static_cast<std::uint32_t>(last.begin + last.size - fields_[at].begin);
  fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(at) + 1, fields_.begin() + static_cast<std::ptrdiff_t>(at + more) + 1);
}

bool read_number(std::string_view text, bool decimal_comma, double& value) {
  if (!decimal_comma && read_exact(text, value)) return true;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (is_nothing(text)) return value = unknown, true;
  const char point = decimal_comma ? ',' : '.', group = decimal_comma ? '.' : ',';
  std::string unmarked;
  if (text.find_first_of(" '\xc2\xe2") != std::string_view::npos) text = unmarked = without_marks(text);
  if (contains(text, group)) return read_exact(without_groups(text, group, point), value);
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), point, '.');
  return read_exact(plain, value);
}

std::optional<double> table_number(std::string_view text, bool decimal_comma) {
  double value = 0;
  return read_number(text, decimal_comma, value) ? std::optional(value) : std::nullopt;
}

}  // namespace roofline
