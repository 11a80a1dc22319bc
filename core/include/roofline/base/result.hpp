// Errors as values. The core never throws: a function that can fail returns Result<T>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace roofline {

/// Why an input as a whole is unusable: what, where, and what was expected.
/// `line` and `column` count from 1 (0: not known); `path` is a JSON path such as "peaks.matrix.fp16".
struct Error {
  std::string message;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string path = {};

  /// "line 3, column 14: expected ..." or "peaks.matrix: expected ...".
  [[nodiscard]] std::string text() const;
};

/// A value or an Error. Test it before dereferencing; never call value(): without exceptions it does not check.
template <class T>
using Result = tl::expected<T, Error>;

using Unexpected = tl::unexpected<Error>;

/// Shorthand for `return fail("...")` in a function that returns Result<T>.
[[nodiscard]] inline Unexpected fail(std::string message, std::string path = {}) {
  return Unexpected(Error{std::move(message), 0, 0, std::move(path)});
}

enum class Severity : std::uint8_t { error, warning, info };
template <>
inline constexpr auto names_of<Severity> = std::to_array<const char*>({"error", "warning", "info"});

/// Something the user should know about one record (or, without `op`, about the whole input).
/// The rest of the input was still read.
struct Diagnostic {
  Severity severity = Severity::warning;
  std::string message;
  std::optional<std::uint32_t> op = {};  ///< index of the record in its source
  std::size_t line = 0;
  std::size_t column = 0;
  std::string path = {};
};

using Diagnostics = std::vector<Diagnostic>;

}  // namespace roofline
