// Members of a request, read one by one: the first fault is kept, with its key and what was expected.
#pragma once

#include <cmath>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/base/number.hpp>
#include <string>
#include <utility>

#include "base/joined.hpp"
#include "base/json.hpp"

namespace roofline {

inline constexpr double most_counted = 1e9;  ///< of tokens, sequences, layers: no request has more

/// A value in a message: as it is if short, else its kind.
inline std::string shown(const Json& value) {
  const std::string text = dump(value);
  return text.size() <= 40 && !value.is_structured() ? text : kind_of(value);
}

class MemberReader {
 public:
  explicit MemberReader(const Json& json) : json_(json) {}

  void fault(const std::string& path, std::string message) {
    if (!error) error = Error{std::move(message), 0, 0, path};
  }

  double whole(const char* key, double otherwise, double least = 1) {
    const Json& value = member(json_, key);
    if (value.is_null()) return otherwise;
    const double v = number_of(value);
    if (v >= least && v <= most_counted && v == std::floor(v)) return v;
    fault(key, "expected a whole number from " + std::to_string(static_cast<int>(least)) + " to 1000000000, found " + shown(value));
    return otherwise;
  }

  double positive(const char* key, const char* unit, double otherwise) {
    const Json& value = member(json_, key);
    if (value.is_null()) return otherwise;
    const double v = number_of(value);
    if (v > 0 && v <= 1e12) return v;
    fault(key, std::string("expected a positive number of ") + unit + ", found " + shown(value));
    return otherwise;
  }

  double fraction(const char* key, double otherwise) {
    const Json& value = member(json_, key);
    if (value.is_null()) return otherwise;
    const double v = number_of(value);
    if (v >= 0 && v < 1) return v;
    fault(key, "expected a fraction from 0 to below 1, found " + shown(value));
    return otherwise;
  }

  bool flag(const char* key, bool otherwise) {
    const Json& value = member(json_, key);
    if (value.is_null() || value.is_boolean()) return value.is_null() ? otherwise : value == Json(true);
    fault(key, "expected true or false, found " + shown(value));
    return otherwise;
  }

  template <class Enum>
  Enum choice(const char* key, Enum otherwise) {
    const Json& value = member(json_, key);
    if (value.is_null()) return otherwise;
    if (const auto found = named<Enum>(text_of(value))) return *found;
    fault(key, expected_one_of(names_of<Enum>) + "; found " + shown(value));
    return otherwise;
  }

  std::optional<Error> error;

 protected:
  const Json& json_;
};

}  // namespace roofline
