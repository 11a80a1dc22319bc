// A line of a CSV export.
#pragma once

#include <roofline/base/text.hpp>
#include <string>
#include <string_view>

#include "base/json_out.hpp"

namespace roofline {

/// Text as a cell of CSV: quoted where it must be, never run as a formula.
[[nodiscard]] inline std::string csv_cell(const std::string& text) {
  // A cell that begins like a formula is run by spreadsheets: a leading quote keeps it text.
  const std::string safe = !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos ? '\'' + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return valid_utf8(safe);
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return valid_utf8(quoted + '"');
}

/// One row of comma-separated values; text is quoted where it must be.
class CsvRow {
 public:
  void add(double v) { cell(shortest(v)); }
  void add(const std::string& text) { cell(csv_cell(text)); }
  void add_plain(std::string_view text) { cell(text); }
  [[nodiscard]] std::string take() {
    std::string out = std::move(line_) + "\r\n";
    line_.clear();
    first_ = true;
    return out;
  }

 private:
  void cell(std::string_view text) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += text;
  }
  std::string line_;
  bool first_ = true;
};

/// A column of a CSV export, with a row per `Of`.
template <class Of>
struct CsvColumn {
  const char* name;
  void (*write)(CsvRow&, const Of&);
};

template <class Columns>
void add_header(CsvRow& row, const Columns& columns) {
  for (const auto& column : columns) row.add_plain(column.name);
}
template <class Columns, class Of>
void add_cells(CsvRow& row, const Columns& columns, const Of& of) {
  for (const auto& column : columns) column.write(row, of);
}

}  // namespace roofline
