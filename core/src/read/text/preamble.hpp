// What profilers and programs print before a table.
#pragma once

#include <string_view>

namespace roofline {

struct Preamble {
  std::size_t header = std::string_view::npos;  ///< where the table's header begins; npos: not in this text
  std::size_t passed = 0;                       ///< the whole lines before it
};

/// The first line that `is_header` takes for one; `use` gets those before it. An unfinished line is only looked at where `last`.
template <class IsHeader, class Use>
[[nodiscard]] Preamble find_header(std::string_view text, bool last, const IsHeader& is_header, const Use& use) {
  Preamble out;
  while (out.passed < text.size()) {
    const std::size_t end = text.find('\n', out.passed);
    if (end == std::string_view::npos && !last) break;
    const std::string_view line = text.substr(out.passed, end == std::string_view::npos ? end : end - out.passed);
    if (is_header(line)) {
      out.header = out.passed;
      break;
    }
    use(line);
    out.passed = end == std::string_view::npos ? text.size() : end + 1;
  }
  return out;
}

}  // namespace roofline
