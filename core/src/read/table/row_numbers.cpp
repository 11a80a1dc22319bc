#include "read/table/row_numbers.hpp"

#include "base/joined.hpp"

namespace roofline {

RowNumbers::RowNumbers(const ColumnMap& map) : map_(map) {
  for (std::size_t r = 0; r < role_count; ++r) {
    const auto role = static_cast<ColumnRole>(r);
    if (!map.has(role) || !is_quantity(role)) continue;
    columns_.push_back({map.at(role), role, map.unit(role), map[role].unit_in_row});
    if (role == ColumnRole::bytes)
      for (const int c : map.bytes_beside) columns_.push_back({c, role, map.unit(role), false, true});
    if (role <= ColumnRole::filters) shape_.push_back(role);
  }
}

std::string RowNumbers::headers() const {
  std::vector<std::string> shape;
  for (const Column& c : columns_)
    if (c.role <= ColumnRole::filters) shape.push_back(map_.raw_header(c.index));
  std::string out = listed(shape);
  for (const Column& c : columns_)
    if (c.role > ColumnRole::filters && c.role != ColumnRole::count && out.size() < 120)
      out += (out.empty() ? "" : " or ") + map_.raw_header(c.index);
  return out;
}

void RowNumbers::report(WorkloadBuilder& rows) const {
  for (const auto& [column, missing] : missing_)
    rows.note(Severity::info, map_.header_of(column) + ": no number in " + quantity(missing.rows, "row") +
                                  " (first: " + printed(missing.first) + "); taken as not known");
}

Error RowNumbers::unit_fault(const TableRows& table, const LineIndex& lines) const {
  const int column = map_.at(ColumnRole::time_unit);
  const CsvField* cell = table.field(column);
  return lines.at(cell ? table.offset(*cell) : table.row_begin(), map_.raw_header(column) + ": expected ns, us, ms or s, found " +
                                                                      printed(cell ? cell->text().substr(0, 60) : std::string()) +
                                                                      ": the time is not used");
}

}  // namespace roofline
