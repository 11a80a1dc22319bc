#include "read/text/lines.hpp"

#include <algorithm>
#include <cstring>

namespace roofline {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out = split(text, '\n');
  if (!out.empty() && out.back().empty()) out.pop_back();
  for (std::string_view& line : out)
    if (line.ends_with('\r')) line.remove_suffix(1);
  return out;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  for (std::size_t at = line.find_first_not_of(" \t\r"); at < line.size();) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    out.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t\r", end);
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}
namespace {

/// In blocks whose count fits a byte: compilers then count sixteen letters at a time.
std::size_t count_line_breaks(std::string_view text) {
  constexpr std::size_t block = 240;
  std::size_t count = 0, i = 0;
  for (; i + block <= text.size(); i += block) {
    std::uint8_t here = 0;
    for (std::size_t k = 0; k < block; ++k) here = static_cast<std::uint8_t>(here + (text[i + k] == '\n' ? 1 : 0));
    count += here;
  }
  return count + static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), '\n'));
}

}  // namespace

void LineStart::pass(std::string_view text) {
  const std::size_t more = count_line_breaks(text);
  lines += more;
  bytes = more == 0 ? bytes + text.size() : text.size() - text.rfind('\n') - 1;
}

Error LineIndex::at(std::size_t offset, std::string message) const {
  if (offset < position_) counted_ = first_, position_ = 0;
  while (position_ < offset) {
    const char* from = text_.data() + position_;
    const void* line_break = std::memchr(from, '\n', offset - position_);  // not beyond: a file may be one long line
    const std::size_t passed = line_break ? static_cast<std::size_t>(static_cast<const char*>(line_break) - from) + 1 : offset - position_;
    counted_ = line_break ? LineStart{counted_.lines + 1, 0} : LineStart{counted_.lines, counted_.bytes + passed};
    position_ += passed;
  }
  return Error{std::move(message), counted_.lines + 1, counted_.bytes + 1, {}};
}

}  // namespace roofline
