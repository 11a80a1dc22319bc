// Comma-separated values as spreadsheets, profilers and scripts write them, read where they lie: a row is views of the text.
//
// The delimiter (comma, semicolon or tab) is found in the first lines. Fields may be quoted, with "" for a quote and line breaks inside;
// rows may end in LF, CRLF or CR and have fewer or more fields than the header. Where the delimiter is not a comma, the first rows tell
// whether a comma is the decimal mark.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "read/text/lines.hpp"

namespace roofline {

/// The index of a column that the table does not have.
inline constexpr std::size_t no_column = ~std::size_t{0};

/// A field: a view of the text without its quotes.
struct CsvField {
  const char* begin = nullptr;
  std::uint32_t size = 0;
  bool quoted = false;
  bool escaped = false;  ///< holds "" for a quote: text() turns each into one
  [[nodiscard]] std::string_view view() const { return {begin, size}; }
  [[nodiscard]] std::string text() const;
};

/// The number that `text` writes, correctly rounded, with '.' as the decimal mark; nullopt where it is none.
[[nodiscard]] std::optional<double> exact_number(std::string_view text);

/// The number that a table's field holds, blanks around it left out; nullopt where it is no number. An empty field, "-", "NaN", "n/a",
/// "null" and the like are NaN. Thousands may be marked in groups of three: "1,234,567.8", with decimal commas "1.234.567,8".
[[nodiscard]] std::optional<double> table_number(std::string_view text, bool decimal_comma);
/// The same for hot loops, where an optional's two halves would go through memory; false, and `value` means nothing, where it is no number.
[[nodiscard]] bool read_number(std::string_view text, bool decimal_comma, double& value);

class Csv {
 public:
  /// `text` is UTF-8, followed by a NUL byte, and outlives this. Of a table in parts it is the first, and `last` false.
  explicit Csv(std::string_view text, bool last = true);
  /// The text that is at hand now, from a row's beginning.
  void reset(std::string_view text, LineStart start, bool last);

  /// Reads the next row into fields(); rows without any text are passed over. False at the end, and where the next row may go on behind it:
  /// position() is then before that row. A quote that is never closed is an error.
  [[nodiscard]] Result<bool> next();
  [[nodiscard]] const std::vector<CsvField>& fields() const { return fields_; }
  /// Makes one field of the one at `at` and the `more` behind it, with what separates them: a text with delimiters that nobody quoted.
  void join(std::size_t at, std::size_t more);

  [[nodiscard]] char delimiter() const { return delimiter_; }
  [[nodiscard]] bool decimal_comma() const { return decimal_comma_; }
  [[nodiscard]] std::size_t position() const { return static_cast<std::size_t>(p_ - begin_); }  ///< bytes read so far
  void seek(std::size_t position);                                                              ///< to where a row starts
  [[nodiscard]] std::size_t row_begin() const { return row_; }                                  ///< where the row read last starts
  [[nodiscard]] std::size_t row_end() const { return row_end_; }                                ///< and ends, its line break left out
  [[nodiscard]] std::size_t offset(const CsvField& field) const { return static_cast<std::size_t>(field.begin - begin_); }

  [[nodiscard]] std::optional<double> number(const CsvField& field) const { return table_number(field.view(), decimal_comma_); }

 private:
  [[nodiscard]] const char* quoted_end(CsvField& field);
  [[nodiscard]] const char* plain_end() const;
  const char *begin_ = nullptr, *p_ = nullptr, *end_ = nullptr;
  LineStart start_;
  bool last_ = true;
  std::size_t row_ = 0, row_end_ = 0;
  char delimiter_ = ',';
  bool decimal_comma_ = false;
  std::vector<CsvField> fields_;
};

}  // namespace roofline
