#include "read/table/columns/column_map.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"

namespace roofline {

std::string printed(std::string_view text) { return '"' + printable(text) + '"'; }

ColumnMap::ColumnMap(std::vector<std::string> headers, std::vector<std::string> headers_in_file, std::vector<bool> chosen_columns)
    : header(std::move(headers)), in_file(std::move(headers_in_file)), chosen(std::move(chosen_columns)) {
  column.fill(none), scale.fill(1);
  for (const std::string& h : header) meaning.push_back(meaning_of(h));
  // Beside an operand's column "A", "B" and "C" are operands, not a batch and channels. GFLOPS beside FLOP/s are amounts.
  const bool operands = std::find(header.begin(), header.end(), "A") != header.end();
  bool rate = false;
  for (const ColumnMeaning& m : meaning) rate = rate || (m.role == ColumnRole::rate && m.scale > 0);
  for (std::size_t i = 0; i < header.size(); ++i) {
    ColumnMeaning& m = meaning[i];
    if (operands && header[i] == "B") m.role = ColumnRole::weight_format;
    if (operands && header[i] == "C") m.role = ColumnRole::output_format;
    if (m.maybe_rate && !rate) m.role = ColumnRole::rate;
    if ((m.role == ColumnRole::rate || m.role == ColumnRole::time_sum) && m.scale == 0) m.role = ColumnRole::none;
    if (m.role == ColumnRole::bandwidth && m.scale == 0) m.rank += 10;
  }
  for (std::size_t r = 1; r < role_count; ++r) choose(static_cast<ColumnRole>(r));
  // A bandwidth without a unit: times the time, it may be the bytes of the shape.
  while (has(ColumnRole::bandwidth) && unit(ColumnRole::bandwidth) == 0 && !(product() && timed())) drop(ColumnRole::bandwidth);
  batched = has(ColumnRole::batch) && !(*this)[at(ColumnRole::batch)].label;
  if (has(ColumnRole::bytes)) measured_bytes = (*this)[at(ColumnRole::bytes)].measured;
  formats = candidates(ColumnRole::format);
  if (has(ColumnRole::dim_types)) formats.push_back(at(ColumnRole::dim_types));
}

bool ColumnMap::is_own_csv() const {
  constexpr std::array<std::string_view, 7> first = {"index", "name", "type", "category", "symbol", "step", "count"};
  return header.size() > first.size() && std::equal(first.begin(), first.end(), header.begin());
}

void ColumnMap::use_totals() {
  flops_total = bytes_total = true;
  if (!has(ColumnRole::time)) return;
  use(ColumnRole::time_sum, at(ColumnRole::time), unit(ColumnRole::time));
  forget(ColumnRole::time);
}

std::string ColumnMap::header_of(int index) const { return printed(raw_header(index)); }

void ColumnMap::choose(ColumnRole role) {
  const std::vector<int> columns = candidates(role);
  if (columns.empty())
    forget(role);
  else
    use(role, columns[0], (*this)[columns[0]].scale);
}

void ColumnMap::drop(ColumnRole role) {
  (*this)[at(role)].role = ColumnRole::none;
  choose(role);
}

ColumnRole ColumnMap::used_as(int index) const {
  for (std::size_t r = 1; r < role_count; ++r) {
    const auto role = static_cast<ColumnRole>(r);
    if (column[r] != index) continue;
    if (role >= ColumnRole::m && role <= ColumnRole::k && !product()) continue;
    if (role == ColumnRole::batch && !(batched && shaped())) continue;
    if (role >= ColumnRole::kernel_p && role <= ColumnRole::filters && !convolution()) continue;
    return role;
  }
  return std::find(formats.begin(), formats.end(), index) != formats.end() ? ColumnRole::format : ColumnRole::none;
}

std::vector<int> ColumnMap::candidates(ColumnRole role) const {
  std::vector<int> columns;
  for (std::size_t i = 0; i < meaning.size(); ++i)
    if (meaning[i].role == role) columns.push_back(static_cast<int>(i));
  sort_stably(columns, [&](int a, int b) { return (*this)[a].rank < (*this)[b].rank; });
  return columns;
}

}  // namespace roofline
