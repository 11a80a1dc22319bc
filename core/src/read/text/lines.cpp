#include "read/text/lines.hpp"

#include <algorithm>
#include <cstring>

namespace roofline {

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
