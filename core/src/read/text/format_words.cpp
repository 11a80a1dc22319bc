#include "read/text/format_words.hpp"

#include <algorithm>

#include "base/letters.hpp"

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
    const bool part = cell.substr(0, begin).ends_with("complex<");  // of a complex number, which is two of them
    const FormatId format = part ? no_format : format_of(cell.substr(begin, end - begin));
    if (format != no_format && formats[format].family == FormatFamily::floating) return format;
    if (first == no_format) first = format;
    begin = cell.find_first_of(inside, end);
  }
  return first;
}

FormatId format_of_kernel(std::string_view name) {
  struct Mark {
    std::string_view begins, format;  // of a run of letters and digits
  };
  // What names a format goes before what names an instruction, of which several formats may have one: fp16_s1688gemm. cuBLAS writes the
  // accumulator's letter before the instruction's shape, hipBLASLt the letters of operands and results behind the layout.
  constexpr Mark named[] = {{"tf32", "tf32"},     {"bf16", "bf16"},    {"fp16", "fp16"},  {"f16", "fp16"},   {"half", "fp16"},
                            {"e4m3", "fp8_e4m3"}, {"fp8", "fp8_e4m3"}, {"int8", "int8"},  {"hgemm", "fp16"}, {"hcudnn", "fp16"},
                            {"h884", "fp16"},     {"h1688", "fp16"},   {"h16816", "fp16"}};
  constexpr Mark meant[] = {{"s1688", "tf32"}, {"s884", "fp16"},  {"i8816", "int8"}, {"i16832", "int8"}, {"i16864", "int4"},
                            {"d884", "fp64"},  {"dgemm", "fp64"}, {"sgemm", "fp32"}, {"scudnn", "fp32"}, {"HHS", "fp16"},
                            {"HHH", "fp16"},   {"BBS", "bf16"},   {"F8", "fp8_e4m3"}};
  const auto is_part = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const auto& [first, last] : {std::pair(std::begin(named), std::end(named)), std::pair(std::begin(meant), std::end(meant))})
    for (std::size_t at = 0; at < name.size();) {
      std::size_t end = at;
      while (end < name.size() && is_part(name[end])) ++end;
      const std::string_view part = name.substr(at, end - at);
      const auto* const mark = std::find_if(first, last, [&](const Mark& m) { return part.starts_with(m.begins); });
      if (mark != last) return Formats::catalogue().find(mark->format).value_or(no_format);
      at = end + 1;
    }
  return no_format;
}

bool is_transpose(std::string_view cell) { return cell.size() == 1 && contains("TNCtnc", cell[0]); }

}  // namespace roofline
