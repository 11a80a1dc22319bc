#include "machine/product_name.hpp"

#include <algorithm>
#include <string_view>

namespace roofline {
namespace {

struct Series {
  std::string_view word;
  std::string_view prefixes;  ///< letters before a model number, between blanks; two blanks: a number may have none
  std::size_t fewest, most;   ///< digits of a model number
  char least = '0';           ///< the lowest first digit
};

constexpr Series all_series[] = {
    {"rtx", "  a ", 3, 4},      {"gtx", "  ", 3, 4},        {"geforce", " gt mx ", 3, 4}, {"quadro", "  gp gv k m p t ", 3, 4},
    {"tesla", " k m p ", 2, 3}, {"rx", "  ", 4, 4, '5'},    {"radeon", "  r w ", 3, 4},   {"nvidia", " a b gb gh h k l m p t v ", 2, 4},
    {"arc", " a b ", 2, 3},     {"instinct", " mi ", 2, 3}, {"mi", "  ", 3, 3},
};

/// Words between a series and its number: "Quadro RTX 8000", "Radeon AI PRO R9700", "Arc Pro B60".
constexpr std::string_view within[] = {"rtx", "rx", "ai", "pro"};
constexpr std::string_view variants[] = {"ti", "super", "laptop", "mobile", "maxq",       "d",
                                         "xt", "xtx",   "gre",    "ada",    "generation", "blackwell"};

constexpr std::string_view digits = "0123456789";

/// Whether the part is a model number, with or without letters before and after it: "5070", "a6000", "7900xtx".
bool is_model(std::string_view part, const Series& series) {
  const std::size_t first = part.find_first_of(digits);
  if (first == std::string_view::npos) return false;
  const std::size_t last = std::min(part.find_first_not_of(digits, first), part.size());
  if (part.find_first_of(digits, last) != std::string_view::npos) return false;
  if (last - first < series.fewest || last - first > series.most || part[first] < series.least) return false;
  return series.prefixes.find(' ' + std::string(part.substr(0, first)) + ' ') != std::string_view::npos;
}

template <std::size_t n>
bool among(const std::string_view (&words)[n], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// A series and its number, which may be one part: "rtx5070ti".
ProductName without_variants(std::span<const std::string> parts) {
  for (const Series& series : all_series) {
    if (!parts[0].starts_with(series.word)) continue;
    if (parts[0].size() > series.word.size()) {
      if (is_model(std::string_view(parts[0]).substr(series.word.size()), series)) return {1, 0};
      continue;
    }
    std::size_t at = 1;
    while (at < parts.size() && among(within, parts[at])) ++at;
    if (at < parts.size() && is_model(parts[at], series)) return {at + 1, at};
  }
  return {};
}

}  // namespace

ProductName product_name(std::span<const std::string> parts) {
  if (parts.empty()) return {};
  ProductName name = without_variants(parts);
  if (name.length == 0) return name;
  const auto is = [&](std::size_t at, std::string_view word) { return at < parts.size() && parts[at] == word; };
  for (;;) {
    const std::size_t with = is(name.length, "with") ? 1 : 0;  // "RTX 2070 with Max-Q Design"
    if (is(name.length + with, "max") && is(name.length + with + 1, "q"))
      name.length += with + 2;
    else if (name.length < parts.size() && among(variants, parts[name.length]))
      ++name.length;
    else
      return name;
  }
}

}  // namespace roofline
