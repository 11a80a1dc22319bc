// The tensors of one operation, as its record writes them.
#pragma once

#include <roofline/operators/operator.hpp>
#include <roofline/read/read.hpp>
#include <string_view>
#include <vector>

namespace roofline {

struct OperationTensors {
  std::vector<TensorRead> reads;  ///< without those that are weights by their name; empty: not known
  std::vector<double> output;     ///< what it writes; empty: not known
};

/// Empty where the record cannot be read or derived, or its operation is a registry's.
[[nodiscard]] OperationTensors tensors_of(std::string_view record, const Keys& keys, const Registry& registry);

}  // namespace roofline
