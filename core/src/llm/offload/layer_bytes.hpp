// The bytes of a model's layers, each as its tensors are stored: not every layer's are the same.
#pragma once

#include <array>
#include <roofline/llm/request.hpp>
#include <vector>

namespace roofline {

/// Of each class of tensors, what the layers hold. Tensors are those of the mixture or GGUF file that the weights are of; else all of a
/// class have its format.
class LayerBytes {
 public:
  explicit LayerBytes(const LlmRequest& request);

  /// The fraction of a class' bytes that the last `layers` hold; 0: no layer has any.
  [[nodiscard]] double share(WeightPart part, double layers) const;

 private:
  std::vector<std::array<double, weight_parts>> layers_;  ///< of each, bytes by class
};

}  // namespace roofline
