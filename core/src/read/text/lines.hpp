// Lines and columns of a text that is read in parts.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

#include "base/lines.hpp"

namespace roofline {

/// Where a part begins in the whole text: line breaks before it, and bytes since the last of them.
struct LineStart {
  std::size_t lines = 0, bytes = 0;
  void pass(std::string_view text);
};

/// The places of offsets into a part, asked for in rising order: each byte is looked at once.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text = {}, LineStart start = {}) : text_(text), first_(start), counted_(start) {}
  /// An error with the line and column of `offset`, both from 1.
  [[nodiscard]] Error at(std::size_t offset, std::string message) const;

 private:
  std::string_view text_;
  LineStart first_;
  mutable LineStart counted_;  // at position_
  mutable std::size_t position_ = 0;
};

}  // namespace roofline
