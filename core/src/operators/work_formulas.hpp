// An operator's work: one formula for each quantity over named sizes, which its derivation finds in a record.
#pragma once

#include <array>
#include <roofline/operators/operator.hpp>

#include "operators/static_formula.hpp"

namespace roofline {

/// The formula of one quantity, a member of Work or of another table: FormulaOf<&Work::output, "N * Co * Po">.
template <auto quantity, StaticText text>
struct FormulaOf {
  template <class Names>
  using Compiled = StaticFormula<Names, text>;
  static constexpr auto member = quantity;
  static constexpr std::string_view expression = text.view();
};

constexpr std::string_view quantity_name(double Work::* quantity) {
  return quantity == &Work::matrix_flops   ? "matrix_flops"
         : quantity == &Work::vector_flops ? "vector_flops"
         : quantity == &Work::weight       ? "weight"
         : quantity == &Work::activation   ? "activation"
         : quantity == &Work::output       ? "output"
         : quantity == &Work::kv_read      ? "kv_read"
                                           : "kv_write";
}

/// WorkFormulas<"M N K", FormulaOf<...>...>: quantities without a formula are zero.
template <StaticText sizes, class... Formulas>
struct WorkFormulas {
  using Names = VariableNames<sizes>;
  using Sizes = std::array<double, Names::count>;  ///< in the order of the names
  static constexpr std::array<Formula, sizeof...(Formulas)> formulas = {Formula{quantity_name(Formulas::member), Formulas::expression}...};
  static constexpr Work work(const Sizes& values) {
    Work out;
    ((out.*Formulas::member = Formulas::template Compiled<Names>::value(values.data())), ...);
    return out;
  }
};

}  // namespace roofline
