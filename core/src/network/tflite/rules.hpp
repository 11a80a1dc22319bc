// What work each operator of TFLite does: tables, one row for each operator, by the codes of the schema (BuiltinOperator).
#pragma once

#include <span>
#include <string_view>

#include "network/tflite/operation.hpp"

namespace roofline::tflite {

struct OperatorRule;

/// The operations of commands.json that an operator comes to. `rule`: its row.
using WorkRule = void (*)(const Operation& op, const OperatorRule& rule, SizedNode& out);

struct OperatorRule {
  std::int32_t code = 0;
  std::string_view name;
  WorkRule work = nullptr;   ///< null: nothing is computed and nothing moved
  std::string_view as = {};  ///< the operator of commands.json; empty: the name or an alias of it (work.cpp) names it
  Fusing fusing = Fusing::none;

  [[nodiscard]] constexpr std::string_view operation() const { return as.empty() ? name : as; }
};

[[nodiscard]] std::span<const OperatorRule> layer_rules();  ///< products, convolutions, pooling, norms, resizing
[[nodiscard]] std::span<const OperatorRule> recurrent_rules();
[[nodiscard]] std::span<const OperatorRule> elementwise_rules();  ///< and reductions, softmax
[[nodiscard]] std::span<const OperatorRule> movement_rules();
[[nodiscard]] std::span<const OperatorRule> stablehlo_rules();

/// Null where there is none.
[[nodiscard]] const OperatorRule* find_rule(std::int32_t code);

/// Operators by name that are more than what they are written in: STABLEHLO_COMPOSITE's, and custom ones. Null: no such name is known.
[[nodiscard]] WorkRule find_named(std::string_view name);

// Rules that several tables use.
void elementwise(const Operation& op, const OperatorRule& rule, SizedNode& out);  ///< of all inputs
void of_first(const Operation& op, const OperatorRule& rule, SizedNode& out);     ///< of the first; further ones are numbers
void movement(const Operation& op, const OperatorRule& rule, SizedNode& out);     ///< the first input to the first output
void written(const Operation& op, const OperatorRule& rule, SizedNode& out);      ///< as much as is written
/// As much as one of the inputs holds.
template <std::size_t input>
void copy_of(const Operation& op, const OperatorRule&, SizedNode& out) {
  work::movement(out, "copy", {op.shape(input)}, op.shape(input), op.type(input));
}
void concat(const Operation& op, const OperatorRule& rule, SizedNode& out);

// Rows of element-wise operators.
constexpr OperatorRule binary(std::int32_t code, std::string_view name, std::string_view as = {}) {
  return {code, name, elementwise, as, Fusing::follows};
}
constexpr OperatorRule unary(std::int32_t code, std::string_view name, std::string_view as = {}) {
  return {code, name, of_first, as, Fusing::follows};
}

}  // namespace roofline::tflite
