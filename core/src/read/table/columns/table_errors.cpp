#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/joined.hpp"
#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/table/columns/header_words.hpp"
#include "read/table/columns/reading_steps.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

Error in_header(std::string message) { return {std::move(message), 1, 0, {}}; }

/// '--column "baseline_us=time_us"' for each header with a unit of time.
std::vector<std::string> unnamed_times(const std::vector<std::string>& header) {
  std::vector<std::string> out;
  for (const std::string& h : header) {
    const std::vector<std::string> words = header_words(h);
    const auto unit = std::find_if(words.begin(), words.end(), [](const std::string& word) { return known(seconds_per(word)); });
    const bool is_rate = std::find(words.begin(), words.end(), "per") != words.end();
    if (unit != words.end() && words.size() > 1 && !is_rate && !is_no_amount(h)) out.push_back("--column " + printed(h + "=time_" + *unit));
  }
  return out;
}

/// Columns of implementations: all that have no role, if each holds fractions under a name.
std::vector<std::string> implementations(const ColumnMap& map, const TableSample& sample) {
  std::vector<std::string> out;
  for (std::size_t c = 0; c < map.header.size(); ++c) {
    const std::string& h = map.header[c];
    if (map.meaning[c].role != ColumnRole::none || h.empty() || is_no_amount(h)) continue;
    const bool named = std::any_of(h.begin(), h.end(), [](char l) { return lower(l) >= 'a' && lower(l) <= 'z'; });
    if (!sample.columns()[c].fractions || !named) return {};
    out.push_back(h);
  }
  return out;
}

/// A part of a sentence between commas, not a header: four words or more.
bool is_prose(const std::string& header) { return std::count(header.begin(), header.end(), ' ') >= 3; }

}  // namespace

Error no_table_error() {
  return in_header(
      "this text is of no format that Roofline reads, and no table of numbers; expected JSON, or a row per operation or kernel");
}

Error no_columns_error(const ColumnMap& map) {
  if (std::all_of(map.header.begin(), map.header.end(), is_prose)) return no_table_error();
  std::string found = printable(joined(map.header, ", "));
  if (found.size() > 200) found = found.substr(0, 200) + "...";
  return in_header(
      "this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a rate (gflops, tflops), "
      "bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); nor is there a time; the columns are: " +
      found);
}

Result<void> refuse_unnamed_times(const ColumnMap& map, const TableSample& sample) {
  if (map.timed() || (map.has_work_columns() && !map.product()) || map.states_amounts()) return {};
  if (const std::vector<std::string> times = unnamed_times(map.header); !times.empty())
    return Unexpected(in_header("no column is called a time; choose the one to use: " + joined(times, " or ")));
  const std::vector<std::string> names = implementations(map, sample);
  if (names.empty() || (names.size() == 1 && !map.product())) return {};
  std::vector<std::string> quoted;
  std::string columns;
  for (const std::string& name : names) {
    quoted.push_back(printed(name));
    columns += " --column " + printed(name + "=TFLOP/s");
  }
  return Unexpected(in_header(joined(quoted, " and ") +
                              ": the table, as of Triton's perf_report, does not say in which unit they are: expected it, as in" + columns +
                              " (or GB/s, or time_ms)"));
}

void note_unnamed_times(const ColumnMap& map, WorkloadBuilder& notes) {
  if (map.timed() || map.has(ColumnRole::rate) || map.has(ColumnRole::bandwidth) || !map.states_work()) return;
  if (const std::vector<std::string> times = unnamed_times(map.header); !times.empty())
    notes.note(Severity::warning, "no column is called a time, so the operations have none; to use one: " + joined(times, " or "));
}

Result<void> check_time_unit(ColumnMap& map, WorkloadBuilder& notes) {
  if (!map.has(ColumnRole::time) || map.unit(ColumnRole::time) > 0) return {};
  const int time = map.at(ColumnRole::time);
  const std::string name = map.header_of(time), expected = "expected ns, us, ms or s in its header";
  map.forget(ColumnRole::time);
  if (map[time].cycles)
    return Unexpected(in_header("the column " + name + " counts cycles, and nothing tells their clock: expected it with --column, as in " +
                                "--column " + printed(map.raw_header(time) + "=cycles at 1 GHz")));
  if (!map.has(ColumnRole::rate) && !map.has(ColumnRole::bandwidth))
    return Unexpected(in_header("the column " + name + " names no unit of time: " + expected + ", such as time_us"));
  notes.note(Severity::warning, "the column " + name + " names no unit of time and is not used: " + expected);
  return {};
}

}  // namespace roofline
