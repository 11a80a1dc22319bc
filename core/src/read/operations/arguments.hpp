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

/// The work of a call of `op`, which the profile calls `name`, such as "aten::convolution"; nullopt where its arguments do not say enough:
/// where a stride or a layout would have to be guessed.
[[nodiscard]] std::optional<Work> work_of_call(const Operator& op, std::string_view name, const ArgumentLists& arguments,
                                               Trace* trace = nullptr);

/// The texts in quotes: "('', '[16, 16]')" has two.
[[nodiscard]] std::vector<std::string_view> quoted(std::string_view text);

/// Of the text of a JSON list such as ["c10::Half", ""]: "('c10::Half', '')", as tables of arguments have it.
[[nodiscard]] std::string quoted_words(std::string_view json);

}  // namespace roofline
