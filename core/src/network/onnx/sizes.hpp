// What is known of the tensors of one node, and what follows from it.
#pragma once

#include <optional>
#include <roofline/network/network.hpp>
#include <vector>

#include "network/onnx/graph.hpp"
#include "network/sized.hpp"

namespace roofline::onnx {

using Values = std::vector<double>;  ///< of a tensor's elements in their order; NaN: not known

struct TensorSize {
  TensorType type;
  std::optional<Lengths> shape;  ///< nullopt: not even the rank is known
  std::optional<Values> values;  ///< of small tensors, which shapes are made of
  bool constant = false;         ///< of the file, or following from its constants alone: worked out before anything runs
  bool of_table = false;         ///< cut from a constant
  bool past_end = false;         ///< it takes more of a constant table than there is: its lengths are those asked for
};

class NodeSizes {
 public:
  NodeSizes(const PlacedNode& node, std::vector<TensorSize>& tensors, double opset, const std::vector<Dimension>& dimensions)
      : node_(node), tensors_(tensors), opset_(opset), dimensions_(dimensions) {}

  [[nodiscard]] const PlacedNode& node() const { return node_; }
  [[nodiscard]] double opset() const { return opset_; }
  [[nodiscard]] double number(std::string_view attribute, double otherwise) const { return node_.number(attribute, otherwise); }
  [[nodiscard]] bool flag(std::string_view attribute, bool otherwise = false) const {
    return node_.number(attribute, otherwise ? 1 : 0) != 0;
  }
  [[nodiscard]] std::size_t inputs() const { return node_.inputs.size(); }
  [[nodiscard]] std::size_t outputs() const { return node_.outputs.size(); }

  [[nodiscard]] bool has(std::size_t input) const { return node_.input(input) != no_tensor; }
  [[nodiscard]] const TensorSize& in(std::size_t input) const;
  [[nodiscard]] const TensorSize& out(std::size_t output) const;
  /// The shape of an input; null where its rank is not known, or it is left out.
  [[nodiscard]] const Lengths* shape(std::size_t input) const { return in(input).shape ? &*in(input).shape : nullptr; }
  [[nodiscard]] const Values* values(std::size_t input) const { return in(input).values ? &*in(input).values : nullptr; }
  /// The same; of a tensor whose rank is not known, or that is left out, those of a scalar.
  [[nodiscard]] const Lengths& lengths(std::size_t input) const;
  [[nodiscard]] const Lengths& out_lengths(std::size_t output) const;
  /// The length of an input's dimension; negative ones count from the end. NaN where it is not known.
  [[nodiscard]] double length(std::size_t input, int dimension) const { return roofline::length(lengths(input), dimension); }
  /// The type of an input or an output as the node computes with it: what is only dequantised for it is still of integers.
  [[nodiscard]] TensorType type(std::size_t input) const { return compute_type(node_.input(input)); }
  [[nodiscard]] TensorType out_type(std::size_t output) const { return compute_type(node_.output(output)); }
  void set_compute_type(TensorId tensor, TensorType type) { compute_types_.emplace_back(tensor, type); }
  [[nodiscard]] bool is_constant(std::size_t input) const { return in(input).constant; }
  /// The value of a scalar, or of a list's first element.
  [[nodiscard]] double scalar(std::size_t input) const {
    return values(input) && !values(input)->empty() ? values(input)->front() : unknown;
  }
  /// The whole numbers of an attribute or, in newer operator sets, of an input.
  [[nodiscard]] std::optional<Values> list(std::string_view attribute, std::size_t input) const;
  [[nodiscard]] double axis(double rank, double otherwise) const;
  /// The same as an index; `rank` where there is no such dimension.
  [[nodiscard]] std::size_t dimension(std::size_t rank, double otherwise) const;

  void set(std::size_t output, Lengths shape);
  /// Sets a shape of this rank and unknown lengths; does nothing if the rank is unknown or above 32.
  void set_rank(std::size_t output, double rank);
  void set_values(std::size_t output, Values values);
  /// All elements of an output, whose shape is set, are `value`.
  void fill(std::size_t output, double value);
  void set_type(std::size_t output, TensorType type);
  /// Of an output that is cut from a constant; `past_end`: more than there is.
  void set_of_table(std::size_t output, bool past_end);
  /// A length that the data decide: as the user has set it for the tensor's name, else the most that it can be.
  [[nodiscard]] double decided_by_data(std::size_t output, double most) const;

 private:
  [[nodiscard]] TensorType compute_type(TensorId tensor) const;

  const PlacedNode& node_;
  std::vector<TensorSize>& tensors_;
  double opset_;
  const std::vector<Dimension>& dimensions_;
  std::vector<std::pair<TensorId, TensorType>> compute_types_;
};

}  // namespace roofline::onnx
