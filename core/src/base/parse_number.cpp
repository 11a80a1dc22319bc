#include "base/parse_number.hpp"

#ifdef __EMSCRIPTEN__
#include <cstdlib>
#include <string>
#else
#include <fast_float/fast_float.h>
#endif

#include <cstdint>

namespace roofline {
namespace {

/// Decimals without an exponent, as most of tables and traces, in 6 ns where fast_float takes 10. A significand up to 2^53 and a
/// power of ten up to 22 are exact, so one division rounds correctly.
bool parse_short(std::string_view text, double& value) {
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                      1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  const char *p = text.data(), *end = p + text.size();
  const bool minus = p < end && *p == '-';
  if (minus) ++p;
  if (end - p > 19) return false;
  std::uint64_t significand = 0;
  int digits = 0, behind = 0;
  for (; p < end && *p >= '0' && *p <= '9'; ++p, ++digits) significand = significand * 10 + static_cast<unsigned>(*p - '0');
  if (p < end && *p == '.')
    for (++p; p < end && *p >= '0' && *p <= '9'; ++p, ++digits, ++behind) significand = significand * 10 + static_cast<unsigned>(*p - '0');
  if (p != end || digits == 0 || digits > 18 || significand > 1ull << 53) return false;
  const auto whole = static_cast<double>(significand);
  value = behind > 0 ? whole / powers[behind] : whole;
  if (minus) value = -value;
  return true;
}

#ifdef __EMSCRIPTEN__
// The page waits for its module's bytes, and fast_float's table of powers is 10 kB of them even packed. The C library's strtod is there
// for other libraries, has no locale here, and rounds as fast_float does; it takes more than fast_float: blanks, a plus, hexadecimals.
bool parse_any(std::string_view text, double& value) {
  if (text.empty() || text.find_first_of(" \t\r\n\v\f+xX") == 0 || text.find_first_of("xX") != text.npos) return false;
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + copy.size();
}
#else
bool parse_any(std::string_view text, double& value) {
  // Beyond a double's range `value` is infinite or 0, whatever the library's versions report of it.
  const auto result = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec != std::errc::invalid_argument && result.ptr == text.data() + text.size();
}
#endif

}  // namespace

bool parse_number(std::string_view text, double& value) { return parse_short(text, value) || parse_any(text, value); }

double seconds_per(std::string_view unit) {
  struct Unit {
    double seconds;
    std::string_view names[8];
  };
  static constexpr Unit units[] = {{1e-9, {"ns", "nsec", "nsecs", "nsecond", "nanosec", "nanosecond", "nanoseconds"}},
                                   {1e-6, {"us", "µs", "usec", "usecs", "usecond", "microsec", "microsecond", "microseconds"}},
                                   {1e-3, {"ms", "msec", "msecs", "msecond", "millisec", "millisecond", "milliseconds"}},
                                   {1, {"s", "sec", "secs", "second", "seconds"}}};
  if (unit.empty()) return unknown;
  for (const Unit& each : units)
    for (const std::string_view name : each.names)
      if (unit == name) return each.seconds;
  return unknown;
}

}  // namespace roofline
