// Which column of a kernel table plays which role, and in what unit.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "read/columns.hpp"
#include "read/table_rows.hpp"

namespace roofline {

class WorkloadBuilder;

struct ColumnMap {
  static constexpr int none = -1;
  std::array<int, role_count> column;
  std::array<double, role_count> scale;  ///< to SI; 0: not known
  bool measured_bytes = false;

  explicit ColumnMap(const std::vector<std::string>& header);
  [[nodiscard]] int at(Role role) const { return column[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool has(Role role) const { return at(role) != none; }
  [[nodiscard]] double& unit(Role role) { return scale[static_cast<std::size_t>(role)]; }
  void forget(Role role) { column[static_cast<std::size_t>(role)] = none; }
  [[nodiscard]] bool product() const { return has(Role::m) && has(Role::n) && has(Role::k); }
  [[nodiscard]] bool convolution() const {
    return has(Role::kernel_p) && has(Role::kernel_q) && has(Role::height) && has(Role::width) && has(Role::channels) && has(Role::filters);
  }
  /// Something to place a row by: work, traffic or a rate.
  [[nodiscard]] bool enough() const {
    return product() || convolution() || has(Role::flops) || has(Role::macs) || has(Role::rate) || has(Role::bytes) ||
           has(Role::bandwidth) || has(Role::intensity);
  }
};

/// What a table needs and this one does not have.
[[nodiscard]] Error lacks_columns(const std::vector<std::string>& header, const ColumnMap& map);

/// Units that headers leave open are told by the table's own other columns, in the first rows that have them all: those that `rows` reads
/// on from its start. What was found out, and what is not used, is noted in `notes`.
[[nodiscard]] Result<void> find_units(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes);

/// `text` in quotes, safe to print.
[[nodiscard]] std::string printed(std::string_view text);

}  // namespace roofline
