#include "read/table/columns/spread_columns.hpp"

#include <roofline/base/number.hpp>

#include "read/table/columns/header_words.hpp"

namespace roofline {

SpreadColumns::SpreadColumns(const ColumnMap& map) {
  const auto is_of = [&](const std::string& header, ColumnRole role) {
    return map.has(role) && without_statistic(header) == without_statistic(map.header[static_cast<std::size_t>(map.at(role))]);
  };
  for (std::size_t i = 0; i < map.header.size(); ++i) {
    const std::string& header = map.header[i];
    const SpreadMeaning meaning = spread_of(header);
    if (meaning.spread == Spread::none || !(is_of(header, ColumnRole::time) || is_of(header, ColumnRole::time_sum))) continue;
    Column& column = meaning.spread == Spread::deviation ? deviation_ : meaning.spread == Spread::shortest ? shortest_ : longest_;
    if (!column.used()) column = {static_cast<int>(i), meaning.to_s};  // of several the first
  }
}

double SpreadColumns::Column::of(const TableRows& table) const {
  const CsvField* field = table.field(index);
  double value = unknown;
  return field && table.read(*field, value) && value >= 0 ? value * to_s : unknown;
}

double SpreadColumns::of(const TableRows& table) const {
  if (const double deviation = deviation_.of(table); known(deviation)) return deviation;
  const double range = longest_.of(table) - shortest_.of(table);
  return range >= 0 ? range / 2 : unknown;
}

}  // namespace roofline
