#include <array>
#include <roofline/base/text.hpp>
#include <roofline/read/table_columns.hpp>

#include "read/table/columns.hpp"
#include "read/table/table_rows.hpp"

namespace roofline {
namespace {

/// In the order of ColumnRole.
constexpr std::array<std::string_view, role_count> words = {"",
                                                            "name",
                                                            "type",
                                                            "number format",
                                                            "number format of the second operand",
                                                            "number format of the result",
                                                            "M",
                                                            "N",
                                                            "K",
                                                            "batch",
                                                            "batch",
                                                            "kernel height",
                                                            "kernel width",
                                                            "height",
                                                            "width",
                                                            "channels",
                                                            "filters",
                                                            "occurrences",
                                                            "time",
                                                            "time of all runs",
                                                            "FLOPs",
                                                            "MACs",
                                                            "FLOP rate",
                                                            "bytes",
                                                            "bandwidth",
                                                            "intensity",
                                                            "shapes of arguments",
                                                            "types of arguments",
                                                            "values of arguments",
                                                            "whether the run may be trusted"};

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
      {"count", "occurrences"},
      {"time_ns", "time of one run, ns"},
      {"time_us", "time of one run, µs"},
      {"time_ms", "time of one run, ms"},
      {"time_s", "time of one run, s"},
      {"total_time_ns", "time of all runs, ns"},
      {"total_time_us", "time of all runs, µs"},
      {"total_time_ms", "time of all runs, ms"},
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

Result<std::vector<TableColumn>> table_columns(std::string_view head) {
  TableRows rows(head, true);  // a row that is cut off at the end is one of many
  if (auto ok = rows.start(); !ok) return Unexpected(ok.error());
  if (rows.header().size() < 2) return fail("not a table: expected a header of two columns or more");
  std::vector<TableColumn> columns;
  for (const std::string& header : rows.header())
    columns.push_back({header, std::string(words[static_cast<std::size_t>(meaning_of(header).role)]), {}});
  constexpr int shown = 3;
  for (int i = 0; i < shown; ++i) {
    const auto more = rows.next();
    if (!more || !*more) break;
    for (std::size_t c = 0; c < columns.size() && c < rows.fields().size(); ++c)
      columns[c].first.push_back(printable(rows.fields()[c].text()));
  }
  return columns;
}

}  // namespace roofline
