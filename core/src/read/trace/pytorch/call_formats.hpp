// The number formats of what an operator call reads and writes, by the types of its arguments.
#pragma once

#include <roofline/machine/format.hpp>
#include <roofline/operators/operator.hpp>
#include <string_view>

#include "read/operations/arguments.hpp"

namespace roofline {

/// no_format: the call does not say.
struct CallFormats {
  FormatId input = no_format;  ///< of the operand with the most elements, where they differ
  FormatId output = no_format;
  /// Correction in elements of `input` for element-wise operands in other formats; negative if they are narrower.
  double extra_input_elements = 0;
};

/// `op` is what `name` means, such as "aten::copy_"; null: not known. PyTorch's rules of type promotion say what an element-wise operator
/// writes (https://pytorch.org/docs/stable/tensor_attributes.html, torch.dtype).
[[nodiscard]] CallFormats formats_of_call(const Operator* op, std::string_view name, const ArgumentLists& arguments);

}  // namespace roofline
