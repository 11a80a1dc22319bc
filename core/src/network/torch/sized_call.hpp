// One call of a program whose sizes are known, as the rules of its operator see it.
#pragma once

#include <string_view>
#include <vector>

#include "network/torch/program.hpp"
#include "network/work.hpp"

namespace roofline::torch_export {

/// The type in which calls compute with each tensor: integers that are only dequantised for a product stay integers.
using ComputeTypes = std::vector<TensorType>;

class SizedCall {
 public:
  SizedCall(const Call& call, const std::vector<SizedTensor>& tensors, const ComputeTypes& compute_types, const Lengths& expressions)
      : call_(call), tensors_(tensors), compute_types_(compute_types), expressions_(expressions) {}

  [[nodiscard]] const Call& call() const { return call_; }
  /// Whether it is given a tensor of that name.
  [[nodiscard]] bool has(std::string_view argument) const { return id(argument) != no_tensor; }
  [[nodiscard]] TensorId id(std::string_view argument, std::size_t place = 0) const;
  /// Empty where there is none; a list's `place`-th.
  [[nodiscard]] const Lengths& shape(std::string_view argument, std::size_t place = 0) const { return shape_of(id(argument, place)); }
  [[nodiscard]] TensorType type(std::string_view argument, std::size_t place = 0) const { return type_of(id(argument, place)); }
  [[nodiscard]] bool is_constant(std::string_view argument) const { return has(argument) && tensors_[id(argument)].constant; }
  /// All tensors among the arguments, in their order.
  [[nodiscard]] std::vector<TensorId> tensors() const;
  [[nodiscard]] const Lengths& shape_of(TensorId id) const;
  [[nodiscard]] TensorType type_of(TensorId id) const { return id == no_tensor ? TensorType() : compute_types_[id]; }
  [[nodiscard]] const Lengths& out(std::size_t place = 0) const;
  [[nodiscard]] TensorType out_type(std::size_t place = 0) const;

  /// Whether its first output may have elements.
  [[nodiscard]] bool writes_something() const;

  /// NaN: not known, which `otherwise` does not stand for.
  [[nodiscard]] double number(std::string_view argument, double otherwise) const;
  [[nodiscard]] bool flag(std::string_view argument, bool otherwise = false) const { return number(argument, otherwise ? 1 : 0) == 1; }
  [[nodiscard]] Lengths list(std::string_view argument) const;
  /// One for each of `size` dimensions: one number stands for all; `otherwise` where there is none.
  [[nodiscard]] Lengths list(std::string_view argument, std::size_t size, double otherwise) const;
  [[nodiscard]] std::string_view text(std::string_view argument) const;

 private:
  const Call& call_;
  const std::vector<SizedTensor>& tensors_;
  const ComputeTypes& compute_types_;
  const Lengths& expressions_;
};

}  // namespace roofline::torch_export
