// The registry's expression language: arithmetic over the fields of a record. Compiled once, run per record without allocating.
#pragma once

#include <cstdint>
#include <roofline/base/result.hpp>
#include <roofline/workload/record.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Names an expression may use beside the record's fields. A later name hides an earlier one and a field of the same name.
struct Variables {
  std::vector<std::string> names;
  bool parts = false;                                   ///< whether name['part'] is a name too, of a part of the record's object `name`
  [[nodiscard]] int find(std::string_view name) const;  ///< -1 where there is none
};

/// A compiled expression: a flat program for a stack of fixed size.
///
/// Grammar, loosest first: `a ? b : c`, `||`, `&&`, `== !=`, `< <= > >=`, `+ -`, `* / // %`, unary `- !`, `^` (power, from the right),
/// indexing and slices `x[i]`, `x[-1]`, `x[1:]`, `x[:-2]`, calls `prod sum len min max ceil floor abs has`, numbers, names, 'strings'.
/// Numbers are doubles and true is anything but 0; `//` and `%` round towards minus infinity; slices are cut to the list's ends.
/// A string can only be compared by == and !=, in any case. `has(f)` tells whether the record has the field f.
class Expression {
 public:
  static constexpr std::size_t max_text = 4096;  ///< bytes
  static constexpr int max_nesting = 100;        ///< brackets, signs, powers and ?: within each other; the compiler recurses
  static constexpr std::size_t max_values = 64;  ///< intermediate values held at once

  /// Compiles; a name that is no variable is a field's, and new ones are added to `keys`. Error.column counts characters from 1.
  [[nodiscard]] static Result<Expression> compile(std::string_view text, Keys& keys, const Variables& variables);

  /// The value for one record, always finite; `variables` are in the order of the Variables it was compiled with, NaN: not known.
  /// Fails, with a column, where a field is absent or of the wrong kind, an index is out of range, a divisor is zero or a result
  /// overflows. Error.path names the field at fault, where there is one.
  [[nodiscard]] Result<double> evaluate(const Record& record, std::span<const double> variables) const;

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The names of fields as they are written in it, in that order; with their parts, where they have any.
  [[nodiscard]] std::vector<std::string_view> fields() const;

 private:
  enum class Op : std::uint8_t;
  /// `begin` and `end` bound the part of the text that a fault of this instruction is about.
  struct Instruction {
    Op op;
    std::uint16_t operand = 0;
    std::uint16_t begin = 0, end = 0;
    double number = 0;
  };
  friend class ExpressionCompiler;
  Expression() = default;
  std::string text_;
  std::vector<Instruction> code_;
};

/// "by_status" and "memory-bound" of by_status['memory-bound'], as fields() has it.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view field);

}  // namespace roofline
