// JSON as the tests read it: by another library than the core's own reader, so that neither vouches for itself.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace nlohmann {
extern template class basic_json<ordered_map>;  // compiled once, in json.cpp
}

namespace roofline {

using Json = nlohmann::ordered_json;

/// The member `key` of an object; null where there is none.
inline const Json& member(const Json& object, const std::string& key) {
  static const Json null;
  return object.is_object() && object.contains(key) ? object.find(key).value() : null;
}

/// "" where it is no string.
inline std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : std::string(); }

/// NaN where it is no number.
inline double number_of(const Json& value) { return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN(); }

inline std::string dump(const Json& value) { return value.dump(2, ' ', false, Json::error_handler_t::replace); }

}  // namespace roofline
