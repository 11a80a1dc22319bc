#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>

namespace roofline {
namespace {

/// A number as its leading decimal digits: digits[0].digits[1]digits[2]... times 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  // without trailing zeros, at least one
  int exponent = 0;
};

/// Rounded to `significant` digits, at most 9, ties away from zero as people and the page round them: printf would take the even
/// neighbour, 31.2 for 31.25. A sum may be a bit below a tie such as 0.001625: within 1e-12 it rounds as the tie. Only the digits are taken
/// from printf: what it puts between them follows the C locale, and numbers here must not.
Decimal to_decimal(double value, int significant) {
  char buffer[64];
  constexpr double tie = 1e-12;  // relative; as rounded3() of the page
  const double size = std::min(std::abs(value) * (1 + tie), std::numeric_limits<double>::max());
  const int length = std::snprintf(buffer, sizeof buffer, "%.*e", significant - 1, size);
  const std::string_view text(buffer, static_cast<std::size_t>(length));
  const std::size_t e = text.find('e');
  Decimal decimal{value < 0, {}, std::atoi(buffer + e + 1)};
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') decimal.digits += c;
  }
  decimal.digits.resize(std::max<std::size_t>(decimal.digits.find_last_not_of('0') + 1, 1), '0');
  return decimal;
}

/// The digits before the decimal point, thousands apart.
std::string grouped(std::string whole) {
  for (std::size_t at = whole.size(); at > 3; at -= 3) whole.insert(at - 3, ",");
  return whole;
}

/// Plain notation, the decimal point moved `shift` places to the left.
std::string plain(const Decimal& decimal, int shift = 0) {
  const int point = decimal.exponent - shift + 1;  // digits before the decimal point
  std::string text = decimal.digits;
  if (point <= 0) {
    text = "0." + std::string(static_cast<std::size_t>(-point), '0') + text;
  } else if (static_cast<std::size_t>(point) >= text.size()) {
    text = grouped(text.append(static_cast<std::size_t>(point) - text.size(), '0'));
  } else {
    text.insert(static_cast<std::size_t>(point), ".");
  }
  return decimal.negative ? "-" + text : text;
}

/// All before the point, thousands apart.
std::string whole(double value) {
  const std::string digits = grouped(std::to_string(std::llround(std::abs(value))));
  return value < 0 ? "-" + digits : digits;
}

/// "unknown" or "infinite" where there is no number to write.
const char* no_number(double value) { return std::isnan(value) ? "unknown" : value < 0 ? "-infinite" : "infinite"; }

/// Characters of UTF-8 text: every byte but those that continue one.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

std::string number(double value) {
  if (!std::isfinite(value)) return no_number(value);
  const Decimal decimal = to_decimal(value, 3);
  if (decimal.exponent < -4 || decimal.exponent > 14) {
    return plain(decimal, decimal.exponent) + "e" + std::to_string(decimal.exponent);
  }
  return decimal.exponent < 3 ? plain(decimal) : whole(value);
}

std::string plain(double value) {
  if (std::isnan(value)) return "not a number";
  constexpr double largest_exact = 0x1p53;  // above it, doubles skip whole numbers
  char text[32];
  const bool whole = value == std::trunc(value) && std::abs(value) <= largest_exact;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.6g", value);
  return text;
}

std::string with_unit(double value, std::string_view unit) {
  if (!std::isfinite(value)) return no_number(value);
  static constexpr const char* prefixes[] = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
  constexpr int base = 5;  // the place of no prefix
  const Decimal decimal = to_decimal(value, 3);
  // Below 0.001 f, and from 1,000,000 E up, no prefix helps.
  if (value != 0 && (decimal.exponent < -18 || decimal.exponent > 23)) return number(value) + (unit.empty() ? "" : " ") + std::string(unit);
  const int thousands = value == 0 ? 0 : std::clamp(static_cast<int>(std::floor(decimal.exponent / 3.0)), -base, base + 1);
  const std::string suffix = std::string(prefixes[base + thousands]).append(unit);
  return plain(decimal, 3 * thousands) + (suffix.empty() ? "" : " ") + suffix;
}

std::string seconds(double value) {
  constexpr double minute = 60, hour = 3600, day = 24 * hour, year = 365.25 * day;
  const double size = std::abs(value);
  if (!std::isfinite(value) || size < 2 * minute) return with_unit(value, "s");
  if (size < 2 * hour) return number(value / minute) + " min";
  if (size < 2 * day) return number(value / hour) + " h";
  return size < 2 * year ? number(value / day) + " d" : number(value / year) + " y";
}

std::string percent(double fraction) {
  if (!std::isfinite(fraction)) return no_number(fraction);
  if (std::abs(fraction) >= 1000) return times(fraction);
  const double value = 100 * fraction;
  const Decimal decimal = to_decimal(value, 2);
  if (value != 0 && decimal.exponent < -3) return value < 0 ? ">-0.001%" : "<0.001%";
  if (value >= 99.5 && value < 99.995) return plain(std::floor(10 * value) / 10) + '%';  // rounded down: nearly all is not all
  return (decimal.exponent < 1 ? plain(decimal) : whole(value)) + '%';
}

std::string times(double factor) { return std::isfinite(factor) ? number(factor) + 'x' : no_number(factor); }

std::string with_commas(std::size_t n) { return grouped(std::to_string(n)); }

std::string quantity(std::size_t n, std::string_view one, std::string_view many) {
  return with_commas(n).append(" ").append(n == 1 ? one : many);
}

std::string quantity(std::size_t n, std::string_view noun) { return quantity(n, noun, std::string(noun) + 's'); }

std::string or_dash(double value, std::string (*text)(double)) { return known(value) ? text(value) : "-"; }

std::string or_dash(double value, std::string_view unit) { return known(value) ? with_unit(value, unit) : "-"; }

std::string valid_utf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  std::size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    // The second byte's range keeps out overlong forms, surrogates and what is above U+10FFFF (Unicode 15, table 3-7).
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    std::size_t good = length == 0 ? 0 : 1;  // bytes that fit together so far
    while (good != 0 && good < length && i + good < text.size()) {
      const auto byte = static_cast<unsigned char>(text[i + good]);
      if (good == 1 ? byte < low || byte > high : byte < 0x80 || byte > 0xbf) break;
      ++good;
    }
    if (length != 0 && good == length) {
      valid.append(text.substr(i, length));
    } else {
      valid += "\xef\xbf\xbd";
    }
    i += std::max<std::size_t>(good, 1);
  }
  return valid;
}

std::string printable(std::string_view text) {
  std::string line;
  const std::string valid = valid_utf8(text);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const auto byte = static_cast<unsigned char>(valid[i]);
    // C0 and DEL are one byte, C1 (U+0080 to U+009F) two.
    const bool c1 = byte == 0xc2 && static_cast<unsigned char>(valid[i + 1]) < 0xa0;
    if (byte < 0x20 || byte == 0x7f || c1) {
      line += "\xef\xbf\xbd";
      i += c1;
    } else {
      line += valid[i];
    }
  }
  return line;
}

std::string shortened(std::string_view text, std::size_t most_characters) {
  std::string line = printable(text);
  std::size_t characters = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if ((line[i] & 0xc0) == 0x80 || ++characters <= most_characters) continue;  // not the first byte of a character
    return line.substr(0, i) + "…";
  }
  return line;
}

std::string align(const std::vector<std::vector<std::string>>& rows, std::string_view sides) {
  std::vector<std::size_t> widths(sides.size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string lines;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += sides[i] == 'r' ? padding + row[i] : row[i] + padding;
    }
    line.resize(line.find_last_not_of(' ') + 1);
    lines += line + "\n";
  }
  return lines;
}

}  // namespace roofline
