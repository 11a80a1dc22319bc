#include "read/text/json_text.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace roofline {

double parse_number(std::string_view text) {
  static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const char* p = text.data();
  const char* end = p + text.size();
  const bool minus = p < end && *p == '-';
  if (minus) ++p;
  if (p < end && *p == 'N') return std::numeric_limits<double>::quiet_NaN();
  if (p < end && *p == 'I') return minus ? -HUGE_VAL : HUGE_VAL;

  // Up to 18 digits fit 64 bits. A significand below 2^53 and a power of ten up to 22 are both exact, so one operation rounds correctly.
  std::uint64_t significand = 0;
  int digits = 0, exponent = 0;
  for (; p < end && *p >= '0' && *p <= '9'; ++p, ++digits) significand = significand * 10 + static_cast<unsigned>(*p - '0');
  if (p < end && *p == '.')
    for (++p; p < end && *p >= '0' && *p <= '9'; ++p, ++digits, --exponent)
      significand = significand * 10 + static_cast<unsigned>(*p - '0');
  if (p == end && digits <= 18 && significand <= (1ull << 53) && exponent >= -22) {
    const double value = exponent == 0 ? static_cast<double>(significand) : static_cast<double>(significand) / powers[-exponent];
    return minus ? -value : value;
  }
  return std::strtod(text.data(), nullptr);
}

const char* expected_by(rapidjson::ParseErrorCode code) {
  switch (code) {
    case rapidjson::kParseErrorObjectMissName:
      return "a member's name in double quotes";
    case rapidjson::kParseErrorObjectMissColon:
      return "':' after a member's name";
    case rapidjson::kParseErrorObjectMissCommaOrCurlyBracket:
      return "',' or '}' after a member";
    case rapidjson::kParseErrorArrayMissCommaOrSquareBracket:
      return "',' or ']' after an element";
    case rapidjson::kParseErrorStringUnicodeEscapeInvalidHex:
      return "four hexadecimal digits after \\u";
    case rapidjson::kParseErrorStringUnicodeSurrogateInvalid:
      return "both halves of a surrogate pair";
    case rapidjson::kParseErrorStringEscapeInvalid:
      return "an escape such as \\n, and no line break, in a text";
    case rapidjson::kParseErrorStringMissQuotationMark:
      return "a closing quote";
    case rapidjson::kParseErrorNumberTooBig:
      return "a number of at most 1.8e308";
    case rapidjson::kParseErrorNumberMissFraction:
      return "digits after the decimal point";
    case rapidjson::kParseErrorNumberMissExponent:
      return "digits in the exponent";
    default:
      return "a value";
  }
}

}  // namespace roofline
