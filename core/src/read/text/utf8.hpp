// Bytes to text, in pieces: a byte order mark is dropped, UTF-16 becomes UTF-8, and what looks like something else is refused.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <string_view>

#include "read/text/lines.hpp"

namespace roofline {

class TextDecoder {
 public:
  /// The text of the next bytes: a view of them, or of what this holds until the next call.
  [[nodiscard]] Result<std::string_view> decode(std::string_view bytes, bool last);

  [[nodiscard]] std::size_t skipped() const { return skipped_; }  ///< bytes of the mark before the text
  /// Whether places in the text are none in the source.
  [[nodiscard]] bool recoded() const { return form_ == Form::utf16_little || form_ == Form::utf16_big; }

 private:
  enum class Form : std::uint8_t { open, utf8, utf16_little, utf16_big };
  [[nodiscard]] Result<void> find_form(std::string_view start);
  [[nodiscard]] Result<void> from_utf16(std::string_view bytes, bool last);
  Form form_ = Form::open;
  std::string held_, text_;
  std::size_t skipped_ = 0;
  bool blank_ = true;
};

/// Text has no NUL bytes; the error for the one at `at`.
[[nodiscard]] Unexpected nul_byte(const LineIndex& lines, std::size_t at);

}  // namespace roofline
