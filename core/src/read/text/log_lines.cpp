#include "read/text/log_lines.hpp"

#include <algorithm>

namespace roofline {
namespace {

/// How many letters of `text` are as in `pattern`, in which 0 stands for a digit; 0: they differ.
std::size_t matched(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (pattern[i] == '0' ? !digit : pattern[i] != text[i] && !(pattern[i] == 'T' && text[i] == ' ')) return 0;
  }
  return pattern.size();
}

std::size_t length_of_stamp(std::string_view line) {
  std::size_t at = matched(line, "0000-00-00T00:00:00");
  if (at > 0) {
    const std::size_t end = line.find(' ', at);
    return end == std::string_view::npos || line.find_first_not_of("0123456789.,Z+-:", at) < end ? 0 : end + 1;
  }
  at = matched(line, "00-00 00:00:00.000 ");
  if (at == 0) return 0;
  for (int number = 0; number < 2; ++number) {  // the process and the thread
    at = line.find_first_not_of(' ', at);
    const std::size_t end = line.find_first_not_of("0123456789", std::min(at, line.size()));
    if (end == std::string_view::npos || end == at || line[end] != ' ') return 0;
    at = end + 1;
  }
  const std::size_t colon = line.find(": ", at);
  return at + 2 < line.size() && line[at + 1] == ' ' && colon != std::string_view::npos ? colon + 2 : 0;
}

}  // namespace

std::string without_log_marks(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t escape = std::min(text.find("\x1b[", at), text.size());
    plain += text.substr(at, escape - at);
    const std::size_t end = text.find_first_not_of("0123456789;", std::min(escape + 2, text.size()));
    at = escape == text.size() || end == std::string_view::npos ? text.size() : end + 1;
  }
  std::string out;
  out.reserve(plain.size());
  for (std::size_t at = 0; at < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', at), plain.size());
    std::string_view line = std::string_view(plain).substr(at, end - at);
    line.remove_prefix(length_of_stamp(line));
    out += line;
    if (end < plain.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace roofline
