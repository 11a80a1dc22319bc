// The modules that quantisation tools name, and the classes of weights that they hold.
#pragma once

#include <roofline/llm/model.hpp>
#include <span>
#include <vector>

namespace roofline {

/// A module that quantisation tools can name.
struct WeightModule {
  WeightPart part;
  std::vector<const char*> names;  ///< names in configs; N is the layer, expert 0 represents all
  /// Relative size within its class; null: all equal.
  double (*elements)(const Model&) = nullptr;
};

[[nodiscard]] std::span<const WeightModule> weight_modules();

/// Whether the class has weights in a layer; those outside the layers count as in the first.
[[nodiscard]] bool in_layer(WeightPart part, const Model& model, int layer);

}  // namespace roofline
