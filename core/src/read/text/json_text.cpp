#include "read/text/json_text.hpp"

namespace roofline {

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
