// Rows of a table of any tool, as CSV or as a JSON list of records.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/parse_number.hpp"
#include "read/table/columns/column_map.hpp"
#include "read/text/csv.hpp"
#include "read/text/json_table.hpp"

namespace roofline {

/// Bytes before a table's header: titles, which are lines of one cell, and comments, which begin with '#'. Above a row of numbers a comment
/// of several cells is the header.
[[nodiscard]] std::size_t before_table(std::string_view text);

class TableRows {
 public:
  /// `text` is the table's first part, all of it where `last`.
  TableRows(std::string_view text, bool last);
  /// Reads the header; the next row is the first of data. Only in the first part.
  Result<void> start();
  /// Headers that are to be read as others; what they then say of a quantity, no other column does. False where one is not there:
  /// `missing`.
  bool rename(const std::vector<std::pair<std::string, std::string>>& columns, std::string& missing);
  /// The text that is at hand now, from a row's beginning.
  void reset(std::string_view text, LineStart start, bool last);

  /// As Csv::next() and JsonTable::next().
  Result<bool> next() {
    if (!csv_) return json_->next();
    Result<bool> more = csv_->next();
    if (more && *more && csv_->fields().size() > header_.size()) join_name();
    return more;
  }
  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
  /// What the columns are by their headers.
  [[nodiscard]] ColumnMap column_map() const {
    if (in_file_.empty()) return ColumnMap(header_, header_, std::vector<bool>(header_.size()));
    return ColumnMap(header_, in_file_, chosen_);
  }
  [[nodiscard]] const std::vector<CsvField>& fields() const { return csv_ ? csv_->fields() : json_->fields(); }
  /// Of the current row; null where it has no such field, or an empty one.
  [[nodiscard]] const CsvField* field(int column) const {
    const std::vector<CsvField>& all = fields();
    const auto c = static_cast<std::size_t>(column);  // -1 is beyond all
    return c < all.size() && all[c].size > 0 ? &all[c] : nullptr;
  }
  /// Where the field lies in the text; where its row begins, if it was decoded.
  [[nodiscard]] std::size_t offset(const CsvField& field) const {
    const bool inside = field.begin >= text_.data() && field.begin <= text_.data() + text_.size();
    return inside ? static_cast<std::size_t>(field.begin - text_.data()) : row_begin();
  }
  [[nodiscard]] std::size_t row_begin() const { return csv_ ? csv_->row_begin() : json_->row_begin(); }
  [[nodiscard]] std::size_t row_end() const { return csv_ ? csv_->row_end() : json_->row_end(); }
  [[nodiscard]] std::size_t position() const { return csv_ ? csv_->position() : json_->position(); }
  [[nodiscard]] std::optional<double> number(const CsvField& field) const {
    return table_number(field.view(), csv_ && csv_->decimal_comma());
  }
  [[nodiscard]] bool read(const CsvField& field, double& number) const {
    return read_number(field.view(), csv_ && csv_->decimal_comma(), number);
  }
  /// Of the unit of time that the row's cell names; NaN: it names none.
  [[nodiscard]] double seconds_in(int column) const {
    const CsvField* cell = field(column);
    return cell ? seconds_per(cell->view()) : unknown;
  }
  [[nodiscard]] bool is_json() const { return json_.has_value(); }
  /// Of JSON, whether its records are those of commands.json by their place: a list alone, records on lines, or such a file's member.
  [[nodiscard]] bool may_be_operations() const {
    return json_->member().empty() || json_->member() == "ops" || json_->member() == "commands";
  }
  [[nodiscard]] bool has_lines() const { return json_ && json_->lines(); }

 private:
  void join_name();
  void take_units();
  std::string_view text_;
  std::vector<std::string> header_;
  std::vector<std::string> renamed_, in_file_;  ///< what rename() made of the header, and the header before it; empty: nothing
  std::vector<bool> chosen_;                    ///< the columns that rename() named
  std::optional<Csv> csv_;
  std::optional<JsonTable> json_;
};

}  // namespace roofline
