// A line of a CSV export.
#pragma once

#include <string>

#include "base/json_out.hpp"

namespace roofline {

/// Text as a cell of CSV: quoted where it must be, never run as a formula.
[[nodiscard]] std::string csv_cell(const std::string& text);

/// One row of comma-separated values; text is quoted where it must be.
class CsvRow {
 public:
  void add(double v) { cell(shortest(v)); }
  void add(const std::string& text) { cell(csv_cell(text)); }
  void add_plain(const std::string& text) { cell(text); }
  [[nodiscard]] std::string take() {
    std::string out = std::move(line_) + "\r\n";
    line_.clear();
    first_ = true;
    return out;
  }

 private:
  void cell(const std::string& text) {
    if (!first_) line_ += ',';
    first_ = false;
    line_ += text;
  }
  std::string line_;
  bool first_ = true;
};

}  // namespace roofline
