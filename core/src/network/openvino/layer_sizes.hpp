// One layer of an OpenVINO model with the tensors that it reads and writes.
#pragma once

#include <vector>

#include "network/openvino/model.hpp"
#include "network/work.hpp"

namespace roofline::openvino {

struct TensorSize {
  TensorType type;
  TensorType stored_type;  ///< in the file, of weights that are dequantised or rounded by FakeQuantize
  Lengths stored, shape;   ///< as the file has it; with the open lengths as far as they follow
  bool constant = false;   ///< of the file, or made of its constants alone: worked out before anything runs
};

class LayerSizes {
 public:
  /// `inputs`, `outputs`: the tensors of the layer's ports; no_tensor: nothing feeds it.
  /// `context`: tokens that attention over a paged cache attends to.
  LayerSizes(const Layer& layer, const std::vector<TensorId>& inputs, const std::vector<TensorId>& outputs,
             std::vector<TensorSize>& tensors, double context)
      : layer_(layer), inputs_(inputs), outputs_(outputs), tensors_(tensors), context_(context) {}

  [[nodiscard]] const Layer& layer() const { return layer_; }
  [[nodiscard]] std::size_t inputs() const { return inputs_.size(); }
  [[nodiscard]] std::size_t outputs() const { return outputs_.size(); }
  [[nodiscard]] bool has(std::size_t input) const { return input < inputs_.size() && inputs_[input] != no_tensor; }
  [[nodiscard]] const TensorSize& in(std::size_t input) const { return has(input) ? tensors_[inputs_[input]] : nothing(); }
  [[nodiscard]] const TensorSize& out(std::size_t output = 0) const {
    return output < outputs_.size() ? tensors_[outputs_[output]] : nothing();
  }
  [[nodiscard]] const Lengths& shape(std::size_t input) const { return in(input).shape; }
  [[nodiscard]] double length(std::size_t input, int dimension) const { return roofline::length(shape(input), dimension); }
  [[nodiscard]] std::vector<Lengths> shapes() const;  ///< of all inputs
  [[nodiscard]] double context() const { return context_; }
  [[nodiscard]] work::Types types(std::size_t data = 0, std::size_t weight = 1) const;
  /// Puts what follows where the file leaves a length open.
  void follow(std::size_t output, const Lengths& lengths);
  void follow_all(const Lengths& lengths);
  /// The same, where lengths are taken to keep their order: the file does not hold in which they are.
  void guess(std::size_t output, const Lengths& lengths);
  [[nodiscard]] bool guessed() const { return guessed_; }

 private:
  static const TensorSize& nothing() {
    static const TensorSize none;
    return none;
  }

  const Layer& layer_;
  const std::vector<TensorId>&inputs_, &outputs_;
  std::vector<TensorSize>& tensors_;
  double context_;
  bool guessed_ = false;
};

[[nodiscard]] bool is_open(const Lengths& lengths);

}  // namespace roofline::openvino
