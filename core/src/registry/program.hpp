// What a compiled expression consists of: its instructions, and the operators and functions they apply.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <roofline/registry/expression.hpp>
#include <span>
#include <string>
#include <string_view>

#include "base/letters.hpp"

namespace roofline {

// clang-format off
enum class Expression::Op : std::uint8_t {
  // one more value on the stack
  number, string, variable, field, has,
  // the values on top become one; operand: which function of the table, which bounds a slice has
  unary, binary, over_list, length, equal, not_equal, index, slice,
  expect_number,
  // operand: where to. The last two leave 0 or 1 when they jump and drop the value when they do not.
  jump, jump_if_false, keep_if_false, keep_if_true
};
// clang-format on

namespace program {

inline constexpr std::uint16_t has_start = 1, has_stop = 2;  // slice

/// Offsets count bytes, columns characters.
inline Error error_at(std::string_view text, std::size_t offset, std::string message) {
  const auto is_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };  // not a UTF-8 continuation byte
  const auto before = std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), is_character);
  return Error{std::move(message), 0, static_cast<std::size_t>(before) + 1, {}};
}

inline bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

using List = std::span<const double>;

// A new operator or function of numbers or of a list is a new row.

struct Unary {
  std::string_view name;
  double (*apply)(double);
};
inline constexpr Unary unaries[] = {{"-", [](double x) { return -x; }},
                                    {"!", [](double x) { return x == 0 ? 1.0 : 0.0; }},
                                    {"ceil", [](double x) { return std::ceil(x); }},
                                    {"floor", [](double x) { return std::floor(x); }},
                                    {"abs", [](double x) { return std::abs(x); }}};

inline constexpr int equality = 2, order = 3;  // precedences of comparisons
struct Binary {
  std::string_view name;
  int precedence;  // 0 is the loosest; min and max are no operators
  double (*apply)(double, double);
  bool divides = false;
};
inline constexpr Binary binaries[] = {{"||", 0, nullptr},
                                      {"&&", 1, nullptr},
                                      {"==", equality, nullptr},
                                      {"!=", equality, nullptr},
                                      {"<", order, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
                                      {"<=", order, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
                                      {">", order, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
                                      {">=", order, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
                                      {"+", 4, [](double a, double b) { return a + b; }},
                                      {"-", 4, [](double a, double b) { return a - b; }},
                                      {"*", 5, [](double a, double b) { return a * b; }},
                                      {"/", 5, [](double a, double b) { return a / b; }, true},
                                      {"//", 5, [](double a, double b) { return std::floor(a / b); }, true},
                                      {"%", 5,
                                       [](double a, double b) {
                                         const double remainder = std::fmod(a, b);
                                         return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
                                       },
                                       true},
                                      {"^", -1, [](double a, double b) { return std::pow(a, b); }},
                                      {"min", -1, [](double a, double b) { return std::min(a, b); }},
                                      {"max", -1, [](double a, double b) { return std::max(a, b); }}};

struct OverList {
  std::string_view name;
  double (*apply)(List);
  bool of_empty = true;  // defined for an empty list too
};
inline constexpr OverList over_lists[] = {
    {"prod", [](List x) { return std::accumulate(x.begin(), x.end(), 1.0, [](double a, double b) { return a * b; }); }},
    {"sum", [](List x) { return std::accumulate(x.begin(), x.end(), 0.0); }},
    {"min", [](List x) { return *std::min_element(x.begin(), x.end()); }, false},
    {"max", [](List x) { return *std::max_element(x.begin(), x.end()); }, false}};

inline constexpr std::string_view functions = "prod sum len min max ceil floor abs has";

/// The row of a table with this name; the table's size where there is none.
template <class Table>
std::size_t row_of(const Table& table, std::string_view name) {
  return static_cast<std::size_t>(std::find_if(std::begin(table), std::end(table), [&](const auto& row) { return row.name == name; }) -
                                  std::begin(table));
}

}  // namespace program
}  // namespace roofline
