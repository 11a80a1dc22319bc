// Fields of the JSON that `list` and `show` print, as a person reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace roofline::cli {

using Json = nlohmann::ordered_json;

/// The unit of a field, from its own name or that of the group it is in; empty where it has none. "%": a fraction.
[[nodiscard]] std::string unit_of(const std::string& key, const std::string& group_unit = {});

/// A string, number, boolean or null.
[[nodiscard]] std::string field_text(const Json& value, const std::string& unit);

}  // namespace roofline::cli
