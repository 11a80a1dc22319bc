// Convolutions of traces that do not state their strides: the shapes of input, output and weight say what was done. A backward pass states
// all three, and so tells the forward pass of the same input and weight.
#pragma once

#include <map>
#include <optional>
#include <roofline/operators/operator.hpp>
#include <string>
#include <string_view>

namespace roofline {

class Convolutions {
 public:
  /// The shapes and the flags of a backward pass, as JSON and as quoted words; remembered for the forward pass. Its work: the gradients
  /// that the flags ask for, both without flags. nullopt: no such call.
  std::optional<Work> backward(std::string_view name, std::string_view shapes, std::string_view values);
  /// One gradient of the backward pass `around`, by the name of the call within it: "..._backward_weight".
  [[nodiscard]] static std::optional<Work> gradient(std::string_view name, std::string_view around, std::string_view shapes);
  /// A forward pass whose output some backward pass states.
  [[nodiscard]] std::optional<Work> forward(std::string_view shapes) const;

 private:
  struct Output {
    std::string shape;  ///< as JSON; empty: two backward passes differ
    bool transposed = false;
    bool operator==(const Output&) const = default;
  };
  std::map<std::string, Output> output_;  ///< by input and weight, as JSON
};

}  // namespace roofline
