// The tensors of a language model's plan, put together by name and format: one line of a command for many layers.
#pragma once

#include <roofline/accuracy/format_plan.hpp>
#include <string>
#include <vector>

namespace roofline {

struct TensorGroup {
  std::string base;    ///< "ffn_down", of the name "blk.3.ffn_down.weight"
  std::string module;  ///< the module's name with N for the layer's number; empty: not known
  FormatId format = no_format;
  std::vector<int> layers;   ///< ascending; empty: of no layer
  bool every_layer = false;  ///< no tensor of that name is in another format
  double bytes = 0;
};

/// In the order of the first tensor of each.
[[nodiscard]] std::vector<TensorGroup> tensor_groups(const FormatPlan& plan);

/// "(0|1|31)", "31", or "\d+" for every layer.
[[nodiscard]] std::string layer_pattern(const TensorGroup& group);

}  // namespace roofline
