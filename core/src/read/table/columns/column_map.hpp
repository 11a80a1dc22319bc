// Which column of a kernel table plays which role, and in what unit.
#pragma once

#include <array>
#include <roofline/machine/format.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "read/table/columns/column_meaning.hpp"

namespace roofline {

/// By the headers alone; reading.hpp then asks the rows.
struct ColumnMap {
  static constexpr int none = -1;
  std::vector<std::string> header;     ///< as read: a column that the user described has the header for that
  std::vector<std::string> in_file;    ///< the headers as the file has them
  std::vector<bool> chosen;            ///< by column: the user described it, and no guess may change it
  std::vector<ColumnMeaning> meaning;  ///< by column
  std::array<int, role_count> column;
  std::array<double, role_count> scale;  ///< to SI; 0: not known
  std::vector<int> formats;              ///< columns that may name a row's number format, the likeliest first
  std::vector<int> bytes_beside;         ///< columns of the bytes' other parts: added to those of the bytes' column
  std::vector<int> lone_parts;           ///< columns of a part of the bytes whose other parts no column has: not used
  bool measured_bytes = false;
  bool flops_total = false, bytes_total = false;    ///< of all occurrences, not of one
  bool batched = false;                             ///< the batch multiplies the work
  FormatId format = no_format, output = no_format;  ///< of a table without formats: what its tool or its figures prove

  ColumnMap(std::vector<std::string> headers, std::vector<std::string> headers_in_file, std::vector<bool> chosen_columns);
  [[nodiscard]] ColumnMeaning& operator[](int index) { return meaning[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const ColumnMeaning& operator[](int index) const { return meaning[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const ColumnMeaning& operator[](ColumnRole role) const { return (*this)[at(role)]; }
  /// As the file has it.
  [[nodiscard]] const std::string& raw_header(int index) const { return in_file[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const std::string& raw_header(ColumnRole role) const { return raw_header(at(role)); }
  /// In quotes, safe to print.
  [[nodiscard]] std::string header_of(int index) const;
  [[nodiscard]] std::string header_of(ColumnRole role) const { return header_of(at(role)); }
  [[nodiscard]] int at(ColumnRole role) const { return column[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool has(ColumnRole role) const { return at(role) != none; }
  [[nodiscard]] double& unit(ColumnRole role) { return scale[static_cast<std::size_t>(role)]; }
  [[nodiscard]] double unit(ColumnRole role) const { return scale[static_cast<std::size_t>(role)]; }
  void forget(ColumnRole role) { column[static_cast<std::size_t>(role)] = none; }
  void use(ColumnRole role, int index, double to_si) {
    column[static_cast<std::size_t>(role)] = index;
    unit(role) = to_si;
  }
  /// Whether write_csv() wrote the table: its FLOPs, bytes and times are of all occurrences.
  [[nodiscard]] bool is_own_csv() const;
  void use_totals();
  /// Uses the likeliest column of a role; none where there is none.
  void choose(ColumnRole role);
  /// The column in use has no such role; the next one takes its place.
  void drop(ColumnRole role);
  /// What the figures take from a column; none: nothing. M without N and K is of no use.
  [[nodiscard]] ColumnRole used_as(int index) const;
  /// Whether the header says that the column, in this role, is of all occurrences.
  [[nodiscard]] bool says_total(int index, ColumnRole role) const {
    return role == ColumnRole::time_sum || ((*this)[index].total && has(ColumnRole::count));
  }
  /// The columns of a role, the likeliest first.
  [[nodiscard]] std::vector<int> candidates(ColumnRole role) const;
  [[nodiscard]] bool product() const { return has(ColumnRole::m) && has(ColumnRole::n) && has(ColumnRole::k); }
  [[nodiscard]] bool convolution() const {
    return has(ColumnRole::kernel_p) && has(ColumnRole::kernel_q) && has(ColumnRole::height) && has(ColumnRole::width) &&
           has(ColumnRole::channels) && has(ColumnRole::filters);
  }
  [[nodiscard]] bool shaped() const { return product() || convolution(); }
  [[nodiscard]] bool timed() const { return has(ColumnRole::time) || has(ColumnRole::time_sum); }
  /// FLOPs or bytes.
  [[nodiscard]] bool states_work() const { return has(ColumnRole::flops) || has(ColumnRole::macs) || has(ColumnRole::bytes); }
  /// FLOPs, bytes or a quotient of them.
  [[nodiscard]] bool states_amounts() const {
    return has(ColumnRole::flops) || has(ColumnRole::macs) || has(ColumnRole::rate) || has(ColumnRole::bytes) ||
           has(ColumnRole::bandwidth) || has(ColumnRole::intensity);
  }
  /// Something to place a row by.
  [[nodiscard]] bool has_work_columns() const { return shaped() || states_amounts() || has(ColumnRole::dims); }

 private:
  void choose_bytes();
};

/// `text` in quotes, safe to print.
[[nodiscard]] std::string printed(std::string_view text);

}  // namespace roofline
