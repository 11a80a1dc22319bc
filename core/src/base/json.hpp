// Small JSON files (presets, machines, settings): a DOM in the file's own key order, and an error that says where.
// Bulk input does not come through here: see read/text/json_text.hpp.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

namespace roofline {

using Json = nlohmann::ordered_json;
class JsonOut;

/// Deeper nesting is refused: readers and writers of JSON are recursive.
inline constexpr int max_json_depth = 256;

/// The JSON value of `text`; an error where it is nested deeper than max_json_depth. The error has a line and a column; `expected` says
/// what the file should have been ("a machine: {...}").
[[nodiscard]] Result<Json> parse_json(std::string_view text, std::string_view expected);
/// The same, or a list of the values that the lines hold. The error names the first line that is no value; of the first line, it is the
/// whole text's.
[[nodiscard]] Result<Json> parse_json_or_lines(std::string_view text, std::string_view expected);

/// The JSON value that `write` writes; a discarded value if that is no JSON.
[[nodiscard]] Json json_value(const std::function<void(JsonOut&)>& write);

/// What kind of value it is, for messages: "a number", "an array", ...
[[nodiscard]] const char* kind_of(const Json& value);

/// The member `key` of an object; null where there is none. The reference lives as long as `object`.
[[nodiscard]] const Json& member(const Json& object, std::string_view key);

/// The text of a string; "" where it is no string.
[[nodiscard]] std::string text_of(const Json& value);

/// The value of a number; NaN where it is no number.
[[nodiscard]] double number_of(const Json& value);

/// JSON text, indented by two; NaN becomes null, invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string dump(const Json& value);
/// The same on one line.
[[nodiscard]] std::string compact(const Json& value);

}  // namespace roofline
