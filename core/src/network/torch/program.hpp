// An exported program of PyTorch (torch/_export/serde/schema.py): calls of operators in the order in which they run, every tensor with its
// sizes, which are numbers or expressions of symbols.
#pragma once

#include <map>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "network/length_expression.hpp"
#include "network/sized.hpp"

namespace roofline::torch_export {

/// A number of the file: as it stands, or an expression of Program::expressions.
struct Number {
  static constexpr std::uint32_t stated = 0xffffffff;
  double value = unknown;
  std::uint32_t expression = stated;
};

enum class Role : std::uint8_t { computed, input, parameter, buffer, constant };

struct Tensor {
  std::string name;  ///< of a parameter and the like, as the module has it: "blocks.0.qkv.weight"
  TensorType type;
  std::vector<Number> sizes;
  Role role = Role::computed;
  TensorId same_as = no_tensor;  ///< it is stored as another one: tied weights
  std::uint64_t data = 0;        ///< SizedTensor::data
};

/// An argument of a call: a list, or a single value as a list of one.
struct Argument {
  std::string name;               ///< "stride"
  std::vector<TensorId> tensors;  ///< no_tensor: None
  std::vector<Number> numbers;    ///< truth values as 0 and 1
  std::string text;               ///< of a string, and of an operator that is passed
};

struct Call;

/// A graph that a call is given: a branch of a condition, a loop's body.
struct Body {
  std::string name;
  std::vector<Call> calls;
  std::vector<TensorId> inputs, outputs;
};

struct Call {
  std::string space, target;  ///< "aten" and "linear"
  std::string name;           ///< of its first output
  std::string module;         ///< "blocks.0.qkv"
  std::vector<Argument> arguments;
  std::vector<TensorId> outputs;
  std::vector<Body> bodies;

  [[nodiscard]] const Argument* find(std::string_view argument) const;
};

struct Symbol {
  double least = unknown, greatest = unknown;  ///< NaN: not stated
  double example = unknown;                    ///< as it was while exporting
};

struct Program {
  std::string producer;  ///< "PyTorch 2.6.0"
  std::vector<Tensor> tensors;
  std::vector<Call> calls;
  std::vector<TensorId> inputs, outputs;
  std::vector<LengthExpression> expressions;
  std::map<std::string, Symbol> symbols;
  std::vector<std::string> notes;
};

/// `weights_config`: which weight is stored where; empty: not stated. Error.path is that of the member at fault.
[[nodiscard]] Result<Program> read_program(std::string_view json, std::string_view weights_config);

}  // namespace roofline::torch_export
