// Numbers as text.
#pragma once

#include <roofline/base/number.hpp>
#include <string_view>

namespace roofline {

/// The number that all of `text` writes, correctly rounded, with '.' as the decimal mark in any locale; also "NaN" and "-Infinity". False
/// where it writes none.
[[nodiscard]] bool parse_number(std::string_view text, double& value);

/// The same; NaN where it writes none.
[[nodiscard]] inline double parse_number(std::string_view text) {
  double value = unknown;
  return parse_number(text, value) ? value : unknown;
}

/// How many seconds a unit of time has: "us", "nsec", "seconds". NaN where `unit` (lower case) is none.
[[nodiscard]] double seconds_per(std::string_view unit);

}  // namespace roofline
