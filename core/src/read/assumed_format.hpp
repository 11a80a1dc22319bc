// The format of operations whose source names none: the reader's own, or the one that the user states for all of them.
#pragma once

#include <roofline/base/text.hpp>
#include <roofline/read/read.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// The setting that states it: the path of the remark that says what is assumed, so that it can be followed to the choice.
inline constexpr std::string_view assumed_key = "assumed_format";

[[nodiscard]] inline FormatId assumed_format(const ReadOptions& options, std::string_view otherwise) {
  return options.assumed_format != no_format ? options.assumed_format : Formats::catalogue().find(otherwise).value_or(no_format);
}

/// "FP32 is assumed".
[[nodiscard]] inline std::string is_assumed(FormatId format) {
  return (format == no_format ? "none" : Formats::catalogue()[format].name) + " is assumed";
}

/// "FP32 is assumed for 1 row without a number format".
[[nodiscard]] inline std::string rows_without_format(std::size_t rows, FormatId assumed) {
  return is_assumed(assumed) + " for " + quantity(rows, "row", "rows") + " without a number format";
}

}  // namespace roofline
