#include "read/table/repeated_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/operations/operations.hpp"
#include "read/table/columns/header_words.hpp"
#include "workload/builder.hpp"

namespace roofline {

namespace {

/// The first word of a name, in lower case.
std::string first_word(std::string_view name) {
  const std::size_t begin = std::min(name.find_first_not_of(" *#-=_"), name.size());
  return lower(name.substr(begin, name.find_first_of(" :*(", begin) - begin));
}

bool nearly_equal(double a, double b) {
  constexpr double rounding = 0.005;
  return std::abs(a - b) <= rounding * std::abs(b);
}

enum class Summary : std::uint8_t { none, unnamed, total, subtotal, mean, geomean };

/// What a row's name says that it is.
Summary summary_in(std::string_view name) {
  const std::string word = first_word(name);
  if (word.empty()) return Summary::unnamed;
  if (is_one_of(word, "total totals sum summe gesamt overall all grand network model")) return Summary::total;
  if (is_one_of(word, "subtotal subtotals sub-total zwischensumme")) return Summary::subtotal;
  if (is_one_of(word, "average avg mean mittelwert")) return Summary::mean;
  return is_one_of(word, "geomean gmean geometric") ? Summary::geomean : Summary::none;
}

/// Beyond doubt: operators may be called "sum" or "model", and "average pooling". Asked of every row, so its first letters come first.
bool is_named_summary(std::string_view name) {
  const std::string_view rest = name.substr(std::min(name.find_first_not_of(" *#-=_"), name.size()));
  constexpr std::array<std::string_view, 5> beginnings = {"tot", "sub", "ave", "geo", "gme"};
  const auto begins = [&](std::string_view with) {
    return rest.size() >= with.size() && std::equal(with.begin(), with.end(), rest.begin(), [](char a, char b) { return a == lower(b); });
  };
  if (std::none_of(beginnings.begin(), beginnings.end(), begins)) return false;
  const std::string word = first_word(name);
  return is_one_of(word, "total totals subtotal subtotals sub-total geomean gmean geometric") ||
         (word == "average" && !contains(lower(name), "pool"));
}

}  // namespace

bool RepeatedRows::seen(const Amounts& a, std::string_view name) {
  const double nanoseconds = a.time * a.count * 1e9;
  if (!contains(name, "::") || !known(a.time) || !a.placed() || std::fmod(std::round(nanoseconds), 1000) == 0) return false;
  std::uint64_t hash = 0;
  for (const double part : {a.time, a.count, a.flops}) {
    std::uint64_t bits = 0;
    if (known(part)) std::memcpy(&bits, &part, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 31;
  }
  const std::uint32_t word = names_.intern(name), found = index_.find(hash, [](std::uint32_t) { return true; });
  if (found == HashIndex::none) {
    index_.insert(hash, static_cast<std::uint32_t>(name_of_.size()));
    name_of_.push_back(word);
    return false;
  }
  if (name_of_[found] == word) return false;
  if (left_out_++ == 0) outer_ = names_[name_of_[found]], inner_ = name;
  return true;
}

/// Of what the row itself states: a rate times a time is no sum, as the rate of a sum is a mean.
RepeatedRows::Stated::Stated(const Amounts& a)
    : values{a.states_time ? a.time * a.count : unknown, a.states_flops ? a.flops * a.count : unknown,
             a.states_bytes ? a.bytes * a.count : unknown} {}

void RepeatedRows::Sums::add(const Stated& row) {
  ++rows;
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += known_or(row.values[i], 0);
}

/// Whether so many times the row are the sums, and nothing else.
bool RepeatedRows::Sums::equal(const Stated& row, double times) const {
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!known(row.values[i]) || !(values[i] > 0)) continue;
    if (!nearly_equal(times * row.values[i], values[i])) return false;
    any = true;
  }
  return any;
}

bool RepeatedRows::is_total(const Amounts& a, std::string_view name) {
  const Stated row(a);
  const bool several = all_.rows > 1, named = is_named_summary(name);
  const bool sum = several && all_.equal(row, 1), mean = several && all_.equal(row, all_.rows),
             of_section = section_.rows > 0 && section_.equal(row, 1),
             geomean = several && named && nearly_equal(row.values[0], std::exp2((std::log2(product_) + exponent_) / all_.rows));
  const Summary says = sum || mean || of_section || geomean ? summary_in(name) : Summary::none;
  if ((sum && ((says == Summary::unnamed && !any_unnamed_) || says == Summary::total)) ||
      ((sum || of_section) && says == Summary::subtotal) || (of_section && section_.rows > 1 && says == Summary::total)) {
    section_ = {};
    return leave_out(name);
  }
  if ((mean && says == Summary::mean) || (geomean && says == Summary::geomean)) return leave_out(name);
  any_unnamed_ = any_unnamed_ || name.empty();
  if (named && counted_++ == 0) counted_name_ = name;
  all_.add(row);
  section_.add(row);
  int exponent = 0;
  product_ = std::frexp(product_ * row.values[0], &exponent);
  exponent_ += exponent;
  return false;
}

bool RepeatedRows::leave_out(std::string_view name) {
  if (totals_++ == 0) total_ = name;
  return true;
}

void RepeatedRows::report(WorkloadBuilder& rows) const {
  if (totals_ > 0)
    rows.note(Severity::info, quantity(totals_, "row states", "rows state") + " the sum or the mean of those above and " +
                                  (totals_ == 1 ? "is" : "are") + " left out" +
                                  (total_.empty() ? std::string() : ": " + in_quotes(total_)));
  if (counted_ > 0)
    rows.note(Severity::warning, quantity(counted_, "row is", "rows are") +
                                     " counted though named as a sum or a mean: " + in_quotes(counted_name_) +
                                     " does not state that of the rows above it; remove it if it is no operation");
  if (left_out_ == 0) return;
  rows.note(Severity::warning, quantity(left_out_, "row has", "rows have") +
                                   " the same work, count and time as an earlier one under another name (" + in_quotes(inner_) +
                                   " inside " + in_quotes(outer_) + "): the same kernels, counted once");
}

}  // namespace roofline
