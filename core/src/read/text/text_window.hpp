// The part of a text, or of a binary file, that is at hand: what has come in and is not read yet. In one piece, and followed by a NUL byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "read/text/lines.hpp"

namespace roofline {

class TextWindow {
 public:
  void append(std::string_view text) {
    buffer_.erase(0, read_);
    read_ = 0;
    buffer_ += text;
  }
  /// The first `bytes` are read and not needed again.
  void drop(std::size_t bytes) {
    start_.pass(text().substr(0, bytes));
    read_ += bytes;
    offset_ += bytes;
  }
  /// Drops up to `bytes` bytes that are at hand; returns how many are still to come.
  [[nodiscard]] std::uint64_t skip(std::uint64_t bytes) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, text().size()));
    drop(here);
    return bytes - here;
  }
  [[nodiscard]] std::string_view text() const { return std::string_view(buffer_).substr(read_); }
  [[nodiscard]] LineStart start() const { return start_; }
  [[nodiscard]] LineIndex lines() const { return LineIndex(text(), start_); }

  /// Where the text's first byte lies in its source.
  void set_first_byte(std::uint64_t offset) { first_byte_ = offset; }
  [[nodiscard]] std::uint64_t source_offset(std::size_t i) const { return first_byte_ + offset_ + i; }

 private:
  std::string buffer_;
  std::size_t read_ = 0;  // of buffer_
  std::uint64_t offset_ = 0, first_byte_ = 0;
  LineStart start_;
};

}  // namespace roofline
