#include "read/table/columns/reading.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/number.hpp>

#include "base/joined.hpp"
#include "read/table/columns/reading_steps.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

/// Some time of one call times this is some time of all.
bool counts_calls(const ColumnMap& map, const TableSample& sample, int count) {
  for (const int one : map.candidates(ColumnRole::time))
    for (const int all : map.candidates(ColumnRole::time_sum))
      if (sample.multiplies(one, count, all)) return true;
  return false;
}

/// Numbers of rows under a header for counts, or points in time under one for times.
bool is_identifier(const ColumnMap& map, const TableSample& sample, int column, ColumnRole role) {
  if (map.chosen[static_cast<std::size_t>(column)]) return false;
  std::vector<double> values;
  for (std::size_t r = 0; r < sample.rows(); ++r)
    if (const double v = sample.number(column, r); known(v)) values.push_back(v);
  const auto huge = [&](double v) { return role == ColumnRole::count ? v > 1e9 : v * map[column].scale > longest_time_s; };
  if (std::any_of(values.begin(), values.end(), huge)) return true;
  if (role != ColumnRole::count || values.size() < 2 || counts_calls(map, sample, column)) return false;
  bool equal_steps = values[1] > values[0];
  for (std::size_t i = 2; i < values.size(); ++i) equal_steps = equal_steps && values[i] - values[i - 1] == values[1] - values[0];
  std::sort(values.begin(), values.end());
  if (std::adjacent_find(values.begin(), values.end()) != values.end()) return false;
  const bool neighbours = values.back() < 1.01 * values.front() && values.front() >= 1e5;  // 5,242,880 and 5,242,881
  return neighbours || (equal_steps && (values.size() >= 4 || values.front() >= 1000)) || values.size() >= 16;
}

void drop_identifiers(ColumnMap& map, const TableSample& sample, WorkloadBuilder& notes) {
  for (const ColumnRole role : {ColumnRole::count, ColumnRole::time, ColumnRole::time_sum})
    for (const int c : map.candidates(role)) {
      if (!is_identifier(map, sample, c, role)) continue;
      notes.note(Severity::warning, map.header_of(c) + (role == ColumnRole::count ? " numbers the rows: it is not used as their count"
                                                                                  : " holds points in time: it is not used as a duration"));
      map[c].role = ColumnRole::none;
      map.choose(role);
    }
}

/// "A" and "B" may be formats, or say how operands are transposed; other columns of a format's name may hold none.
void choose_formats(ColumnMap& map, const TableSample& sample, WorkloadBuilder& notes) {
  std::vector<std::string> transposes;
  const auto holds_none = [&](int column) {
    const ColumnSample& cells = sample[column];
    if (cells.named > 0) return false;
    if (cells.transposes == 0 || cells.unnamed > 0) return map[column].rank >= 5;
    transposes.push_back(map.header_of(column));
    map[column].role = ColumnRole::none;
    return true;
  };
  for (const ColumnRole role : {ColumnRole::format, ColumnRole::weight_format, ColumnRole::output_format}) {
    std::vector<int> columns = map.candidates(role);
    columns.erase(std::remove_if(columns.begin(), columns.end(), holds_none), columns.end());
    map.forget(role);
    if (!columns.empty()) map.use(role, columns[0], 1);
    if (role == ColumnRole::format) map.formats = columns;
  }
  if (map.has(ColumnRole::dim_types) && sample[map.at(ColumnRole::dim_types)].named > 0)
    map.formats.push_back(map.at(ColumnRole::dim_types));
  if (!transposes.empty())
    notes.note(Severity::info, joined(transposes, " and ") + " say how operands are transposed: they are not formats");
}

void note_parts(const ColumnMap& map, WorkloadBuilder& notes) {
  const auto names = [&](const std::vector<int>& columns) {
    std::vector<std::string> out;
    for (const int c : columns) out.push_back(map.header_of(c));
    return listed(out);
  };
  if (!map.bytes_beside.empty()) {
    std::vector<int> summed = map.bytes_beside;
    summed.insert(summed.begin(), map.at(ColumnRole::bytes));
    notes.note(Severity::info, "the bytes are the sum of " + names(summed));
  }
  if (!map.lone_parts.empty())
    notes.note(Severity::warning, names(map.lone_parts) + (map.lone_parts.size() == 1 ? " is" : " are") +
                                      " only a part of the bytes and not used: expected the others, too, or --column " +
                                      printed(map.raw_header(map.lone_parts[0]) + "=bytes") + " for all bytes");
}

/// Beside a column of rates per second, "cublas_tflops" looks like an amount. If the rate times the time contradicts that in every row, it
/// is another rate.
ColumnUnitSolver reading_without_other_rates(ColumnMap& map, const TableSample& sample, WorkloadBuilder& notes) {
  for (;;) {
    ColumnUnitSolver best = best_reading(map, sample);
    const ColumnOption *flops = best.at(flops_of), *time = best.at(time_of), *rate = best.at(rate_of);
    if (!flops || !time || !rate || flops->role != ColumnRole::flops || flops->column == ColumnMap::none || best.corroborated(flops_of))
      return best;
    const int column = flops->column;
    if (!map[column].maybe_rate || map.chosen[static_cast<std::size_t>(column)]) return best;
    std::size_t compared = 0;
    for (std::size_t r = 0; r < sample.rows(); ++r) {
      const double off = std::abs(time->logs[r] + rate->logs[r] - flops->logs[r]);
      if (off <= agreement) return best;
      compared += std::isfinite(off) ? 1 : 0;
    }
    if (compared == 0) return best;
    notes.note(Severity::info, map.header_of(column) + " is another rate and not used: as an amount, " + map.header_of(rate->column) +
                                   " times " + map.header_of(time->column) + " contradicts it in every row");
    map.drop(ColumnRole::flops);
  }
}

/// Without a column of names, the text that differs most from row to row, if it does in half of them.
void choose_name(ColumnMap& map, const TableSample& sample) {
  if (map.has(ColumnRole::name)) return;
  const auto most = std::max_element(sample.columns().begin(), sample.columns().end(),
                                     [](const ColumnSample& a, const ColumnSample& b) { return a.texts.size() < b.texts.size(); });
  if (most != sample.columns().end() && !most->texts.empty() && 2 * most->texts.size() >= sample.rows())
    map.use(ColumnRole::name, static_cast<int>(most - sample.columns().begin()), 1);
}

/// "h100::Kernel Time (µs)_mean" beside "mi300::Kernel Time (µs)_mean": the run of the time in use is the one that is read.
void note_runs(const ColumnMap& map, WorkloadBuilder& notes) {
  if (!map.timed()) return;
  const std::string& taken = map.raw_header(map.has(ColumnRole::time) ? ColumnRole::time : ColumnRole::time_sum);
  const std::size_t colons = taken.find("::");
  if (colons == std::string::npos) return;
  for (const std::string& other : map.in_file) {
    const std::size_t at = other.find("::");
    if (at == std::string::npos || other == taken || other.substr(at) != taken.substr(colons)) continue;
    const std::string run = printed(taken.substr(0, colons));
    return notes.note(Severity::info, "two runs stand side by side, " + run + " and " + printed(other.substr(0, at)) + ": " + run +
                                          " is read; for the other, or to compare them, say which time is meant, as in --column " +
                                          printed(other + "=time_us"));
  }
}

}  // namespace

Result<void> settle_reading(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes) {
  if (is_vela(map.header)) {
    settle_vela(map, rows, notes);
    if (auto ok = rows.start(); !ok) return ok;
  }
  const TableSample sample(map, rows);
  if (auto ok = rows.start(); !ok) return ok;
  if (!map.has_work_columns() && !map.timed()) {
    if (auto ok = refuse_unnamed_times(map, sample); !ok) return ok;
    const bool known = std::any_of(map.meaning.begin(), map.meaning.end(), [](const auto& c) { return c.role != ColumnRole::none; });
    return Unexpected(known || sample.has_numbers() ? no_columns_error(map) : no_table_error());
  }
  drop_identifiers(map, sample, notes);
  choose_formats(map, sample, notes);
  choose_name(map, sample);
  note_parts(map, notes);
  if (map.is_own_csv())
    map.use_totals();
  else
    use_reading(map, sample, reading_without_other_rates(map, sample, notes), notes);
  note_runs(map, notes);
  if (auto ok = refuse_unnamed_times(map, sample); !ok) return ok;
  note_unnamed_times(map, notes);
  return check_time_unit(map, notes);
}

}  // namespace roofline
