#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/read/table_columns.hpp>

#include "base/joined.hpp"
#include "read/formats.hpp"
#include "read/table/columns/category_columns.hpp"
#include "read/table/columns/reading.hpp"
#include "read/table/results_table.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

/// "GFLOP/s" for 1e9; "GMAC/s" for 2e9 FLOP/s; empty: no such unit.
std::string unit_text(std::string_view unit, double scale) {
  constexpr std::array factors = {1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12, 1e15, 0x1p10, 0x1p20, 0x1p30, 0x1p40, 0x1p50};
  constexpr std::array prefixes = {"n", "µ", "m", "", "k", "M", "G", "T", "P", "Ki", "Mi", "Gi", "Ti", "Pi"};
  const bool macs = unit.substr(0, 4) == "FLOP" && std::find(factors.begin(), factors.end(), scale) == factors.end();
  const auto found = std::find(factors.begin(), factors.end(), macs ? scale / 2 : scale);
  if (unit.empty() || found == factors.end()) return {};
  return joined({prefixes[static_cast<std::size_t>(found - factors.begin())], macs ? "MAC" : "", macs ? unit.substr(4) : unit});
}

}  // namespace

const std::vector<ColumnChoice>& column_choices() {
  static const std::vector<ColumnChoice> choices = {
      {"", "not used"},
      {"name", "name"},
      {"type", "type of operation"},
      {"dtype", "number format"},
      {"M", "M of a matrix product"},
      {"N", "N of a matrix product"},
      {"K", "K of a matrix product"},
      {"batch_count", "batch: multiplies the work of the shape"},
      {"count", "occurrences"},
      {"time_ns", "time of one run, ns"},
      {"time_us", "time of one run, µs"},
      {"time_ms", "time of one run, ms"},
      {"time_s", "time of one run, s"},
      {"cycles", "cycles of one run"},
      {"cycles at 500 MHz", "cycles of one run, at 500 MHz"},
      {"cycles at 1 GHz", "cycles of one run, at 1 GHz"},
      {"total_time_ns", "time of all runs, ns"},
      {"total_time_us", "time of all runs, µs"},
      {"total_time_ms", "time of all runs, ms"},
      {"total_time_s", "time of all runs, s"},
      {"flops", "FLOPs of one run"},
      {"gflop", "GFLOPs of one run"},
      {"macs", "MACs of one run"},
      {"FLOP/s", "FLOP/s"},
      {"GFLOP/s", "GFLOP/s"},
      {"TFLOP/s", "TFLOP/s"},
      {"bytes", "bytes of one run"},
      {"bytes_mb", "MB of one run"},
      {"B/s", "B/s"},
      {"GB/s", "GB/s"},
      {"GiB/s", "GiB/s"},
      {"FLOP/byte", "intensity, FLOP/byte"},
  };
  return choices;
}

std::vector<CategoryColumn> possible_filters(const std::vector<std::string>& header) {
  std::vector<CategoryColumn> filters;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const ColumnRole role = meaning_of(header[i]).role;
    const bool figure = role == ColumnRole::name || (role >= ColumnRole::count && role <= ColumnRole::dim_values);
    if (!figure && !header[i].empty()) filters.emplace_back(i);
  }
  return filters;
}

std::vector<TableColumn> column_uses(const ColumnMap& map, const SpreadColumns& spread, const std::vector<CategoryColumn>& filters,
                                     std::size_t rows) {
  std::vector<TableColumn> columns;
  for (std::size_t i = 0; i < map.header.size(); ++i) {
    const int index = static_cast<int>(i);
    TableColumn& c = columns.emplace_back();
    c.header = map.header[i];
    c.meaning = words_of(meaning_of(c.header).role);
    if (const ColumnRole role = map.used_as(index); role != ColumnRole::none) {
      c.use = ColumnUse::used;
      c.as = words_of(role);
      const bool total = (role == ColumnRole::flops && map.flops_total) || (role == ColumnRole::bytes && map.bytes_total);
      if (total) c.as += " of all runs";
      c.unit = map[index].unit_in_row ? map.raw_header(ColumnRole::time_unit) : unit_text(unit_of(role), map.unit(role));
    } else if (spread.uses(index)) {
      c.use = ColumnUse::used;
      c.as = "spread of the time";
      c.unit = unit_text("s", spread_of(c.header).to_s);
    }
  }
  for (const CategoryColumn& filter : filters)
    if (TableColumn& c = columns[filter.column()]; c.use == ColumnUse::ignored && filter.tells_apart(rows)) c.use = ColumnUse::filter;
  return columns;
}

void note_ignored(const std::vector<TableColumn>& columns, const std::vector<CategoryColumn>& filters, WorkloadBuilder& notes) {
  const auto quoted = [&columns](const std::vector<std::size_t>& which) {
    std::vector<std::string> names;
    for (const std::size_t i : which) {
      const auto same = std::count_if(columns.begin(), columns.end(), [&](const TableColumn& c) { return c.header == columns[i].header; });
      names.push_back(printed(columns[i].header) + (same > 1 ? " (column " + std::to_string(i + 1) + ")" : std::string()));
    }
    constexpr std::size_t most = 12;
    const std::size_t more = names.size() - std::min(names.size(), most);
    if (more > 0) names.resize(most), names.push_back(std::to_string(more) + " more");
    return listed(names);
  };
  std::vector<std::size_t> ignored, work;
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].use == ColumnUse::ignored && !columns[i].header.empty()) ignored.push_back(i);
  for (const CategoryColumn& filter : filters)
    if (const TableColumn& c = columns[filter.column()]; c.use == ColumnUse::ignored && filter.may_multiply() && suggests_work(c.header))
      work.push_back(filter.column());
  if (!work.empty())
    notes.note(Severity::warning, quoted(work) +
                                      (work.size() == 1 ? " is ignored, but its name suggests" : " are ignored, but their names suggest") +
                                      " work: check that the FLOPs include it, or say what the column is");
  if (!ignored.empty()) notes.note(Severity::info, "columns that are not used: " + quoted(ignored));
}

Result<std::vector<TableColumn>> table_columns(std::string_view head, const std::vector<std::pair<std::string, std::string>>& as) {
  head.remove_prefix(before_table(head));
  TableRows rows(head, true);  // a row that is cut off at the end is one of many
  if (auto ok = rows.start(); !ok) return Unexpected(ok.error());
  if (rows.header().size() < 2) return fail("not a table: expected a header of two columns or more");
  const std::vector<std::string> original = rows.header();
  if (std::string missing; !rows.rename(as, missing)) return fail("no column is called " + printed(missing), "columns");
  ColumnMap map = rows.column_map();
  WorkloadBuilder notes({}, {});
  static_cast<void>(settle_reading(map, rows, notes));  // where a unit is missing, the column is not used
  std::vector<CategoryColumn> filters = possible_filters(map.header);
  std::vector<std::vector<std::string>> first(map.header.size());
  std::size_t count = 0;
  for (auto more = rows.next(); more && *more; more = rows.next(), ++count) {
    for (CategoryColumn& filter : filters) filter.add(rows);
    for (std::size_t c = 0; count < 3 && c < first.size() && c < rows.fields().size(); ++c)
      first[c].push_back(printable(rows.fields()[c].text()));
  }
  std::vector<TableColumn> columns = column_uses(map, SpreadColumns(map), filters, count);
  if (as.empty() && detects_results(head))  // its reader recognises columns by other words
    if (const auto table = results::read_table(head))
      for (std::size_t c = 0; c < columns.size() && c < table->columns.size(); ++c) {
        const results::Role role = table->columns[c].role;
        columns[c].use = role == results::Role::none ? ColumnUse::ignored : ColumnUse::used;
        columns[c].as = results::words_of(role);
        columns[c].unit =
            role == results::Role::measured || role == results::Role::predicted ? unit_text("s", table->columns[c].ns / 1e9) : "";
      }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].header = original[c];
    columns[c].first = std::move(first[c]);
  }
  return columns;
}

}  // namespace roofline
