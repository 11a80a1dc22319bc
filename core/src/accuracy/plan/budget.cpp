#include <algorithm>
#include <cmath>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"

namespace roofline {
namespace {

struct BudgetUnit {
  std::string_view text;
  double factor;
};
constexpr BudgetUnit byte_units[] = {{"", 1},         {"k", 1e3},      {"m", 1e6},      {"g", 1e9},     {"t", 1e12},
                                     {"kib", 0x1p10}, {"mib", 0x1p20}, {"gib", 0x1p30}, {"tib", 0x1p40}};
constexpr BudgetUnit second_units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}};
constexpr BudgetUnit plain_units[] = {{"", 1}};
constexpr BudgetUnit decibel_units[] = {{"", 1}, {"db", 1}};

struct BudgetSyntax {
  std::span<const BudgetUnit> units;
  const char* example;
  double least_bare = 0;  ///< a smaller number needs a unit: it is more likely meant in GB
};
BudgetSyntax syntax_of(BudgetKind kind) {
  switch (kind) {
    case BudgetKind::bytes:
      return {byte_units, "bytes=5G"};
    case BudgetKind::memory:
      return {byte_units, "memory=24GiB", 1e6};
    case BudgetKind::tpot:
      return {second_units, "tpot=20ms"};
    case BudgetKind::time:
      return {second_units, "time=5ms"};
    case BudgetKind::kld:
      return {plain_units, "kld=0.02"};
    case BudgetKind::sqnr:
      break;
  }
  return {decibel_units, "sqnr=30dB"};
}

/// Characters of the number that `text` begins with, its exponent included: of "5e9 B" 3.
std::size_t number_length(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const auto after = [&](std::string_view characters, std::size_t from) {
    return std::min(text.find_first_not_of(characters, from), text.size());
  };
  const std::size_t end = after("0123456789.+-", 0);
  if (end == text.size() || (text[end] != 'e' && text[end] != 'E')) return end;
  const std::size_t sign = end + 1, first = sign < text.size() && (text[sign] == '+' || text[sign] == '-') ? sign + 1 : sign;
  const std::size_t last = after(digits, first);
  return last > first ? last : end;
}

/// NaN where `text` is no number with one of the units.
double value_of(std::string_view text, const BudgetSyntax& kind) {
  const std::size_t end = number_length(text);
  std::string unit = lower(text.substr(std::min(text.find_first_not_of(' ', end), text.size())));
  if (unit.empty() && parse_number(text.substr(0, end)) < kind.least_bare) return unknown;
  if (kind.units.data() == byte_units && unit.ends_with('b')) unit.pop_back();  // "5GB", "24GiB"
  if (unit.ends_with('i')) unit += "b";                                         // the table has "gib"
  for (const BudgetUnit& known_unit : kind.units)
    if (known_unit.text == unit) return parse_number(text.substr(0, end)) * known_unit.factor;
  return unknown;
}

}  // namespace

Result<Budget> parse_budget(std::string_view text, std::span<const BudgetKind> allowed) {
  const std::size_t equals = text.find('=');
  std::string examples;
  for (const BudgetKind kind : allowed) examples += (examples.empty() ? "" : ", ") + std::string(syntax_of(kind).example);
  const std::optional<BudgetKind> kind = named<BudgetKind>(text.substr(0, equals));
  if (!kind || equals == std::string_view::npos || std::find(allowed.begin(), allowed.end(), *kind) == allowed.end())
    return fail('"' + printable(text) + "\" is not a budget: expected " + examples);
  const double value = value_of(text.substr(equals + 1), syntax_of(*kind));
  if (!(value > 0 && std::isfinite(value)))
    return fail('"' + printable(text.substr(equals + 1)) + "\" is not valid: expected a positive number with its unit, as in " +
                syntax_of(*kind).example);
  return Budget{*kind, value};
}

std::string budget_text(BudgetKind kind, double value) {
  switch (kind) {
    case BudgetKind::bytes:
    case BudgetKind::memory:
      return with_unit(value, "B");
    case BudgetKind::tpot:
    case BudgetKind::time:
      return seconds(value);
    case BudgetKind::kld:
      return "KLD " + number(value);
    case BudgetKind::sqnr:
      break;
  }
  return number(value) + " dB";
}

}  // namespace roofline
