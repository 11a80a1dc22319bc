// What each layer of OpenVINO makes of open lengths, and what work it does: tables, one row for each type.
#pragma once

#include <span>
#include <string_view>

#include "network/openvino/layer_sizes.hpp"

namespace roofline::openvino {

struct LayerRule;

/// Carries open lengths from the inputs to the outputs, as far as they follow: what the file states stays.
using CarryRule = void (*)(LayerSizes& n);
/// The operations of commands.json that a layer comes to. `rule`: its row.
using WorkRule = void (*)(const LayerSizes& n, const LayerRule& rule, SizedNode& out);

struct LayerRule {
  std::string_view type;
  CarryRule carry = nullptr;  ///< null: nothing follows
  WorkRule work = nullptr;    ///< null: nothing is computed and nothing moved
  std::string_view as = {};   ///< the operator of commands.json; empty: the type or an alias of it (work.cpp) names it
  Fusing fusing = Fusing::none;

  [[nodiscard]] constexpr std::string_view operation() const { return as.empty() ? type : as; }
};

[[nodiscard]] std::span<const LayerRule> layer_rules();        ///< products, convolutions, pooling, norms, attention, recurrent layers
[[nodiscard]] std::span<const LayerRule> elementwise_rules();  ///< and reductions, softmax
[[nodiscard]] std::span<const LayerRule> movement_rules();

/// Null where there is none.
[[nodiscard]] const LayerRule* find_rule(std::string_view type);

/// The shape of the first input.
inline void as_first(LayerSizes& n) { n.follow_all(n.shape(0)); }

}  // namespace roofline::openvino
