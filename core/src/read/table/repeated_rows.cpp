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

bool RepeatedRows::is_total(const Amounts& a, std::string_view name) {
  const auto states = [&](double part) {
    constexpr double rounding = 0.005;
    bool any = false;
    for (const auto& [value, sum] :
         {std::pair(a.time * a.count, time_s_), std::pair(a.flops * a.count, flops_), std::pair(a.bytes * a.count, bytes_)}) {
      if (!known(value) || !(sum > 0)) continue;
      if (std::abs(value / (sum * part) - 1) > rounding) return false;
      any = true;
    }
    return any;
  };
  const bool sum = rows_ > 1 && states(1), mean = rows_ > 1 && states(1 / rows_);
  const std::string word = sum || mean ? first_word(name) : std::string();
  if ((sum && (word.empty() || one_of(word, "total totals sum summe gesamt overall all grand network model"))) ||
      (mean && one_of(word, "average avg mean mittelwert"))) {
    if (totals_++ == 0) total_ = name;
    return true;
  }
  ++rows_;
  time_s_ += known_or(a.time * a.count, 0);
  flops_ += known_or(a.flops * a.count, 0);
  bytes_ += known_or(a.bytes * a.count, 0);
  return false;
}

void RepeatedRows::report(WorkloadBuilder& rows) const {
  if (totals_ > 0)
    rows.note(Severity::info, quantity(totals_, "row states", "rows state") + " the sum or the mean of those above and " +
                                  (totals_ == 1 ? "is" : "are") + " left out" +
                                  (total_.empty() ? std::string() : ": " + in_quotes(total_)));
  if (left_out_ == 0) return;
  rows.note(Severity::warning, quantity(left_out_, "row has", "rows have") +
                                   " the same work, count and time as an earlier one under another name (" + in_quotes(inner_) +
                                   " inside " + in_quotes(outer_) + "): the same kernels, counted once");
}

}  // namespace roofline
