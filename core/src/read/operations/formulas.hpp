// How one record's work was derived: its operator's formulas with the numbers put in.
#pragma once

#include <optional>
#include <roofline/operators/operator.hpp>
#include <roofline/read/read.hpp>
#include <string>
#include <string_view>
#include <utility>
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

/// The operator of a record, or of an operator's event in a trace of PyTorch's profiler, and its work by it; nullopt where it cannot be
/// read or derived.
[[nodiscard]] std::optional<std::pair<const Operator*, Work>> derive_record(std::string_view record, const Keys& keys, Trace& trace);

/// Empty where the record cannot be read or derived.
[[nodiscard]] DerivationText derivation_of(std::string_view record, const Keys& keys, const Registry& registry);

}  // namespace roofline
