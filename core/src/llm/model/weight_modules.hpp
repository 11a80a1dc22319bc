// The modules that quantisation tools name, and the classes of weights that they hold.
#pragma once

#include <roofline/llm/model.hpp>
#include <span>
#include <vector>

namespace roofline {

/// A tensor of a class.
struct WeightModule {
  WeightPart part;
  std::vector<const char*> names;  ///< under which models and tools have it; N is the layer, experts are named by their first
  /// Elements of it beside those of the class's other modules, in any unit; null: all modules of the class have the same number.
  double (*elements)(const Model&) = nullptr;
};

[[nodiscard]] std::span<const WeightModule> weight_modules();

/// Whether the class has weights in a layer; those outside the layers count as in the first.
[[nodiscard]] bool in_layer(WeightPart part, const Model& model, int layer);

}  // namespace roofline
