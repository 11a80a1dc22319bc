// Rows of a CSV file whose columns are known by name, in whatever order they stand, read in pieces.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <roofline/base/result.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "read/text/csv.hpp"
#include "read/text/text_window.hpp"

namespace roofline {

class NamedRows {
 public:
  static constexpr int no_column = -1;
  struct Use {
    std::function<Result<void>()> header;  ///< once, as soon as the columns are known
    std::function<void()> row;             ///< for each row, which text() and number() then read; not where the header is repeated
  };

  /// Reads what is whole and drops it; `longest`: bytes of one row.
  [[nodiscard]] Result<void> read(TextWindow& window, bool last, std::size_t longest, const Use& use);

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// The first column with one of these names, in their order; no_column: there is none.
  [[nodiscard]] int find(std::initializer_list<std::string_view> names) const;
  /// The field of the row being read; empty where there is no such column.
  [[nodiscard]] std::string text(int column) const;
  /// NaN where it is empty, or no number.
  [[nodiscard]] double number(int column) const;
  [[nodiscard]] std::size_t row_begin() const { return csv_->row_begin(); }

 private:
  /// The row is the header again: of files that were written one after the other.
  [[nodiscard]] bool is_header() const;

  std::optional<Csv> csv_;
  std::vector<std::string> header_;
  std::unordered_map<std::string, int> index_;  // of the first column with that name
};

/// The first line of a text that is not empty, and begins with no blank.
[[nodiscard]] std::string_view first_line(std::string_view text);

}  // namespace roofline
