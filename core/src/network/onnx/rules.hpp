// What each operator of ONNX makes of its inputs' shapes, and what work it does: tables, one row for each operator.
#pragma once

#include <span>
#include <string_view>

#include "network/onnx/sizes.hpp"
#include "network/work.hpp"

namespace roofline::onnx {

inline constexpr std::string_view microsoft = "com.microsoft";
inline constexpr std::size_t no_input = 1000;

/// Sets the shapes, values and types of a node's outputs, as far as they follow. The type is that of the first input unless it says so.
using SizeRule = void (*)(NodeSizes& n);

/// The operations of commands.json that a node comes to. Called where the shapes of its inputs and outputs are known.
using WorkRule = void (*)(const NodeSizes& n, SizedNode& out);

/// The shape of the first input.
inline void as_first(NodeSizes& n) {
  if (n.shape(0)) n.set(0, n.lengths(0));
}
/// `weight`: the input that is multiplied with.
[[nodiscard]] inline work::Types types_of(const NodeSizes& n, std::size_t weight = 1) { return {n.type(0), n.type(weight), n.out_type(0)}; }

/// Has a node's last record do more in the same kernel: FLOPs of the vector unit, and elements that are read or written besides the
/// record's operands. Does nothing without a record.
inline void add_to_kernel(SizedNode& out, double flops, double elements) {
  if (out.records.empty()) return;
  if (known(flops) && known(elements)) {
    out.records.back().add("fused_flops", flops).add("fused_elements", elements);
  } else {
    out.records.clear();
    out.not_counted = reason::no_shape;
  }
}

struct OperatorRule {
  std::string_view type;
  SizeRule size = nullptr;
  WorkRule work = nullptr;
  Fusing fusing = Fusing::none;
  bool of_any_output = false;  ///< its work follows without the shape of the first output, which may be left out
};

[[nodiscard]] std::span<const OperatorRule> elementwise_rules();  ///< and reductions, softmax
[[nodiscard]] std::span<const OperatorRule> shape_rules();        ///< constants, views and what shapes are made by
[[nodiscard]] std::span<const OperatorRule> movement_rules();     ///< transposes, slices, gathers, selections
[[nodiscard]] std::span<const OperatorRule> image_rules();        ///< convolutions, pooling, resizing, regions of images
[[nodiscard]] std::span<const OperatorRule> layer_rules();        ///< products, norms, recurrent layers
[[nodiscard]] std::span<const OperatorRule> attention_rules();    ///< attention and what transformers have beside it
[[nodiscard]] std::span<const OperatorRule> quantised_rules();    ///< of integers and packed weights

/// The rule of an operator; null where there is none.
[[nodiscard]] const OperatorRule* find_rule(const PlacedNode& node);

}  // namespace roofline::onnx
