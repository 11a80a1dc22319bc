// How one record's work was derived: its operator's formulas with the numbers put in.
#pragma once

#include <roofline/read/read.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct FormulaText {
  std::string quantity;      ///< "matrix_flops"
  std::string expression;    ///< "2 * B * M * N * K"
  std::string with_numbers;  ///< "... = 2 * 1 * 1 * 4096 * 4096 = 33554432"; empty for a registry's
};

struct DerivationText {
  std::vector<FormulaText> formulas;  ///< of the quantities that are not zero
  std::vector<std::string> notes;     ///< assumptions and conventions
};

/// Empty where the record cannot be read or derived.
[[nodiscard]] DerivationText derivation_of(std::string_view record, const Keys& keys, const Registry& registry);

}  // namespace roofline
