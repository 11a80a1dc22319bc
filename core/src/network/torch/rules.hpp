// What work each operator of PyTorch does: tables, one row for each operator.
#pragma once

#include <span>
#include <string_view>

#include "network/torch/sized_call.hpp"

namespace roofline::torch_export {

struct Rule;
/// The operations of commands.json that a call comes to.
using WorkRule = void (*)(const SizedCall& c, const Rule& rule, SizedNode& out);

struct Rule {
  std::string_view target;   ///< "linear" of the space "aten"; in other spaces "torchao.dequantize_affine"
  WorkRule work = nullptr;   ///< null: it does none
  std::string_view as = {};  ///< the operator of commands.json; empty: the target or an alias of it (work.cpp) names it
  int operands = 1;          ///< tensors that it reads element by element
  Fusing fusing = Fusing::none;
  bool keeps_type = false;    ///< what goes in quantised comes out quantised
  bool reads_tensors = true;  ///< false: it makes one of numbers alone

  [[nodiscard]] constexpr std::string_view operation() const { return as.empty() ? target : as; }
};

[[nodiscard]] std::span<const Rule> elementwise_rules();  ///< and reductions
[[nodiscard]] std::span<const Rule> movement_rules();     ///< views, which move nothing, and what copies
[[nodiscard]] std::span<const Rule> layer_rules();        ///< products, convolutions, pooling, norms, recurrent layers
[[nodiscard]] std::span<const Rule> attention_rules();
[[nodiscard]] std::span<const Rule> quantised_rules();

/// The rule of a call's operator, in place or not; null where there is none.
[[nodiscard]] const Rule* find_rule(const Call& call);
/// Whether an index is a mask: truth values, or bytes as in older PyTorch. Other types hold positions.
[[nodiscard]] inline bool is_mask(const TensorType& index) { return index.bits == 8; }
/// Types of the first argument of two, and of what is written.
[[nodiscard]] inline work::Types types(const SizedCall& c, std::string_view data, std::string_view weight) {
  return {c.type(data), c.type(weight), c.out_type()};
}

}  // namespace roofline::torch_export
