// One operator of a TFLite subgraph with the tensors that it reads and writes.
#pragma once

#include <vector>

#include "network/tflite/model.hpp"
#include "network/work.hpp"

namespace roofline::tflite {

/// What follows from a subgraph as a whole, by tensor.
struct GraphFacts {
  std::vector<bool> constant;    ///< of the file, or made of its constants alone: worked out before anything runs
  std::vector<TensorType> seen;  ///< as it is stored: what is only dequantised from the file's constants is still of their type
};

class Operation {
 public:
  Operation(const Subgraph& graph, const Operator& op, const GraphFacts& facts) : graph_(graph), op_(op), facts_(facts) {}

  [[nodiscard]] const Table& options() const { return op_.options; }
  [[nodiscard]] const Operator& op() const { return op_; }
  [[nodiscard]] std::size_t inputs() const { return op_.inputs.size(); }
  [[nodiscard]] std::size_t outputs() const { return op_.outputs.size(); }
  [[nodiscard]] bool has(std::size_t input) const { return input < op_.inputs.size() && op_.inputs[input] >= 0; }
  [[nodiscard]] bool is_constant(std::size_t input) const { return has(input) && facts_.constant[index(input)]; }
  /// Empty where an input is left out.
  [[nodiscard]] const Lengths& shape(std::size_t input) const { return has(input) ? graph_.tensors[index(input)].shape : nothing(); }
  [[nodiscard]] const Lengths& out(std::size_t output = 0) const {
    return output < op_.outputs.size() ? graph_.tensors[static_cast<std::size_t>(op_.outputs[output])].shape : nothing();
  }
  [[nodiscard]] double length(std::size_t input, int dimension) const { return roofline::length(shape(input), dimension); }
  [[nodiscard]] double elements(std::size_t input) const;
  [[nodiscard]] TensorType type(std::size_t input) const { return has(input) ? facts_.seen[index(input)] : TensorType(); }
  [[nodiscard]] TensorType out_type(std::size_t output = 0) const {
    return output < op_.outputs.size() ? facts_.seen[static_cast<std::size_t>(op_.outputs[output])] : TensorType();
  }
  [[nodiscard]] work::Types types(std::size_t data = 0, std::size_t weight = 1) const { return {type(data), type(weight), out_type()}; }
  /// Of a small constant of whole numbers; empty where it is none.
  [[nodiscard]] std::vector<std::int64_t> values(std::size_t input) const {
    return has(input) ? graph_.tensors[index(input)].values : std::vector<std::int64_t>();
  }
  [[nodiscard]] std::vector<Lengths> shapes() const;  ///< of all inputs that are there

 private:
  [[nodiscard]] std::size_t index(std::size_t input) const { return static_cast<std::size_t>(op_.inputs[input]); }
  static const Lengths& nothing() {
    static const Lengths none;
    return none;
  }

  const Subgraph& graph_;
  const Operator& op_;
  const GraphFacts& facts_;
};

/// [N, spatial..., C] as [N, C, spatial...].
[[nodiscard]] Lengths channels_first(Lengths shape);

}  // namespace roofline::tflite
