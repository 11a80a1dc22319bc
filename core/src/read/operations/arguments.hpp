// The arguments of a framework's operators, as its profilers list them in tables, and the work that follows.
#pragma once

#include <optional>
#include <roofline/operators/operator.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One call: shapes "((768,), (788, 768), ())" or "[[768], [788, 768], []]", types "('c10::BFloat16', 'Scalar')" and values
/// "('', '[16, 16]', 'False')". Types and values may be empty.
struct ArgumentLists {
  std::string_view shapes, types, values;
};

/// The shapes of one argument: a tensor's, or those of a list of tensors. A number has the shape of a scalar tensor, without dimensions.
struct ArgumentShapes {
  std::vector<std::vector<double>> shapes;
};
[[nodiscard]] std::vector<ArgumentShapes> argument_shapes(std::string_view shapes);

/// Whether a type of ArgumentLists is a tensor's: "float", "c10::Half", "TensorList". Of numbers and settings it is "Scalar", or "Int" and
/// "GenericList" in traces of 2021.
[[nodiscard]] bool is_tensor_type(std::string_view type);

/// The operator that `name` means with these arguments: max and min of one tensor are reductions. Null where unknown.
[[nodiscard]] const Operator* operator_of_call(std::string_view name, const ArgumentLists& arguments);

/// The work of a call of `op`, which the profile calls `name`, such as "aten::convolution"; nullopt where its arguments do not say enough:
/// where a stride or a layout would have to be guessed.
[[nodiscard]] std::optional<Work> work_of_call(const Operator& op, std::string_view name, const ArgumentLists& arguments,
                                               Trace* trace = nullptr);

/// The texts in quotes: "('', '[16, 16]')" has two.
[[nodiscard]] std::vector<std::string_view> quoted(std::string_view text);

/// Of the text of a JSON list such as ["c10::Half", ""]: "('c10::Half', '')", as tables of arguments have it.
[[nodiscard]] std::string quoted_words(std::string_view json);

}  // namespace roofline
