#include "read/text/format_words.hpp"

#include <algorithm>

namespace roofline {
namespace {

FormatId format_of(std::string_view word) {
  const Formats& formats = Formats::catalogue();
  for (const std::string_view before : {"matrix_", "vector_", "DT_"})
    if (word.substr(0, before.size()) == before) word.remove_prefix(before.size());
  if (const auto found = formats.find(word)) return *found;
  if (word.size() > 2 && (word.substr(word.size() - 2) == "_r" || word.substr(word.size() - 2) == "_R"))  // real, not complex
    return formats.find(word.substr(0, word.size() - 2)).value_or(no_format);
  return formats.find(word.substr(0, word.find(':'))).value_or(no_format);
}

}  // namespace

FormatId format_in(std::string_view cell) {
  const Formats& formats = Formats::catalogue();
  if (const auto whole = formats.find(cell)) return *whole;
  constexpr std::string_view inside = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:";
  FormatId first = no_format;
  for (std::size_t begin = cell.find_first_of(inside); begin < cell.size();) {
    const std::size_t end = std::min(cell.find_first_not_of(inside, begin), cell.size());
    const FormatId format = format_of(cell.substr(begin, end - begin));
    if (format != no_format && formats[format].family == FormatFamily::floating) return format;
    if (first == no_format) first = format;
    begin = cell.find_first_of(inside, end);
  }
  return first;
}

bool is_transpose(std::string_view cell) { return cell.size() == 1 && std::string_view("TNCtnc").find(cell[0]) != std::string_view::npos; }

}  // namespace roofline
