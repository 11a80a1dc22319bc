// Which column of a kernel table plays which role, and in what unit.
#pragma once

#include <array>
#include <roofline/base/result.hpp>
#include <string>
#include <vector>

#include "read/columns.hpp"

namespace roofline {

/// By the headers alone; reading.hpp then asks the rows.
struct ColumnMap {
  static constexpr int none = -1;
  std::array<int, role_count> column;
  std::array<double, role_count> scale;  ///< to SI; 0: not known
  std::vector<int> formats;              ///< columns that may name a row's number format, the likeliest first
  std::vector<ColumnMeaning> meaning;    ///< by column
  bool measured_bytes = false;
  bool flops_total = false, bytes_total = false;  ///< of all occurrences, not of one

  explicit ColumnMap(const std::vector<std::string>& header);
  [[nodiscard]] int at(Role role) const { return column[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool has(Role role) const { return at(role) != none; }
  [[nodiscard]] double& unit(Role role) { return scale[static_cast<std::size_t>(role)]; }
  [[nodiscard]] double unit(Role role) const { return scale[static_cast<std::size_t>(role)]; }
  void forget(Role role) { column[static_cast<std::size_t>(role)] = none; }
  void use(Role role, int index, double to_si) {
    column[static_cast<std::size_t>(role)] = index;
    unit(role) = to_si;
  }
  /// The columns of a role, the likeliest first.
  [[nodiscard]] std::vector<int> candidates(Role role) const;
  [[nodiscard]] bool product() const { return has(Role::m) && has(Role::n) && has(Role::k); }
  [[nodiscard]] bool convolution() const {
    return has(Role::kernel_p) && has(Role::kernel_q) && has(Role::height) && has(Role::width) && has(Role::channels) && has(Role::filters);
  }
  [[nodiscard]] bool timed() const { return has(Role::time) || has(Role::time_sum); }
  /// Something to place a row by: work, traffic or a rate.
  [[nodiscard]] bool places() const {
    return product() || convolution() || has(Role::flops) || has(Role::macs) || has(Role::rate) || has(Role::bytes) ||
           has(Role::bandwidth) || has(Role::intensity) || has(Role::dims);
  }
};

/// What a table needs and this one does not have.
[[nodiscard]] Error lacks_columns(const std::vector<std::string>& header);

/// `text` in quotes, safe to print.
[[nodiscard]] std::string printed(std::string_view text);

}  // namespace roofline
