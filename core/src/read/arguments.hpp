// The arguments of a framework's operators, as its profilers list them in tables, as the record of an operator.
#pragma once

#include <roofline/operators/operator.hpp>
#include <string_view>

namespace roofline {

/// One call: shapes "((768,), (788, 768), ())" or "[[768], [788, 768], []]", types "('c10::BFloat16', 'Scalar')" and values
/// "('', '[16, 16]', 'False')". Types and values may be empty.
struct ArgumentLists {
  std::string_view shapes, types, values;
};

/// Fills `record` with the call's tensors and, where the order of its arguments is known, what else its work depends on. False where
/// nothing can be derived from it: where a stride or a layout would have to be guessed. `name` is as "aten::convolution".
[[nodiscard]] bool fill_arguments(Record& record, const Operator& op, std::string_view name, const ArgumentLists& arguments);

}  // namespace roofline
