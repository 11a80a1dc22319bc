// The tensors of a checkpoint by transformers' names, and the class of weights that each belongs to.
#pragma once

#include <roofline/llm/weight_formats.hpp>
#include <string_view>
#include <vector>

namespace roofline {

/// "model.layers.12.self_attn.q_proj.weight_scale".
struct CheckpointName {
  enum class Kind : std::uint8_t { known, unknown, other_tower, predicting, computed, adapter };
  /// other_tower: of vision or audio; predicting: of further tokens (MTP); computed: a mask or a table that programs compute themselves;
  /// adapter: a low-rank change (LoRA) of another tensor
  Kind kind = Kind::unknown;
  int layer = -1;                 ///< -1: of no layer
  std::vector<WeightPart> parts;  ///< several where a tensor fuses them
  bool is_value = true;           ///< false: a scale, a zero point or the like of another tensor
};

[[nodiscard]] CheckpointName checkpoint_name(std::string_view name);

}  // namespace roofline
