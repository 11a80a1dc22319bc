#include "read/table/spread_columns.hpp"

#include <roofline/base/number.hpp>

#include "read/table/columns.hpp"

namespace roofline {

SpreadColumns::SpreadColumns(const ColumnMap& map, const std::vector<std::string>& header) {
  const auto is_of = [&](std::size_t column, ColumnRole role) {
    return map.has(role) && without_statistic(header[column]) == without_statistic(header[static_cast<std::size_t>(map.at(role))]);
  };
  for (std::size_t i = 0; i < header.size(); ++i) {
    const SpreadMeaning meaning = spread_of(header[i]);
    if (meaning.spread == Spread::none || !(is_of(i, ColumnRole::time) || is_of(i, ColumnRole::time_sum))) continue;
    Column& column = meaning.spread == Spread::deviation ? deviation_ : meaning.spread == Spread::shortest ? shortest_ : longest_;
    if (!column.used()) column = {i, meaning.to_s};  // of several the first
  }
}

double SpreadColumns::Column::of(const TableRows& table) const {
  double value = unknown;
  const auto& fields = table.fields();
  return used() && index < fields.size() && table.read(fields[index], value) && value >= 0 ? value * to_s : unknown;
}

double SpreadColumns::of(const TableRows& table) const {
  if (const double deviation = deviation_.of(table); known(deviation)) return deviation;
  const double range = longest_.of(table) - shortest_.of(table);
  return range >= 0 ? range / 2 : unknown;
}

}  // namespace roofline
