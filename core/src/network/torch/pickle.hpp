// What Python's pickle holds, without running any of it: enough for the state_dict that torch.save writes (protocol 2).
#pragma once

#include <memory>
#include <roofline/base/number.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::torch_export {

struct PickleValue;
using Pickled = std::shared_ptr<const PickleValue>;

struct PickleValue {
  std::string text;            ///< of a string; of a global "module name"
  double number = unknown;     ///< of an integer
  std::vector<Pickled> items;  ///< of a tuple; keys and values of a dict in turn; of a call: the callable and its arguments
  int depth = 0;               ///< of items within items
};

/// nullptr: damaged, or it has opcodes that a state_dict of tensors does not need.
[[nodiscard]] Pickled read_pickle(std::string_view bytes);

}  // namespace roofline::torch_export
