#include "read/column_map.hpp"

#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>

#include "workload/builder.hpp"

namespace roofline {
namespace {

double binary_of(double decimal) { return decimal == 1e3 ? 0x1p10 : decimal == 1e6 ? 0x1p20 : decimal == 1e9 ? 0x1p30 : 0x1p40; }

std::string name_of(Role role, const std::vector<std::string>& header, const ColumnMap& map) {
  for (std::size_t i = 0; i < header.size(); ++i)
    if (meaning_of(header[i]).role == role && (!map.has(role) || map.at(role) == static_cast<int>(i))) return header[i];
  return {};
}

}  // namespace

std::string printed(std::string_view text) { return '"' + printable(text) + '"'; }

ColumnMap::ColumnMap(const std::vector<std::string>& header) {
  column.fill(none), scale.fill(1);
  std::vector<ColumnMeaning> meaning;
  for (const std::string& h : header) meaning.push_back(meaning_of(h));
  // Beside an operand's column "A", "B" and "C" are operands, not a batch and channels. GFLOPS beside FLOP/s are amounts.
  const bool operands = std::find(header.begin(), header.end(), "A") != header.end();
  bool rate = false;
  for (const ColumnMeaning& m : meaning) rate = rate || (m.role == Role::rate && m.scale > 0);
  std::array<int, role_count> rank;
  rank.fill(100);
  for (std::size_t i = 0; i < header.size(); ++i) {
    ColumnMeaning& m = meaning[i];
    if (operands && header[i] == "B") m.role = Role::weight_format;
    if (operands && header[i] == "C") m.role = Role::output_format;
    if (m.maybe_rate && !rate) m.role = Role::rate;
    const auto role = static_cast<std::size_t>(m.role);
    if (m.role == Role::none || m.rank >= rank[role]) continue;
    if ((m.role == Role::bandwidth || m.role == Role::rate) && m.scale == 0) continue;  // a number without a unit says nothing
    rank[role] = m.rank;
    column[role] = static_cast<int>(i);
    scale[role] = m.scale;
    if (m.role == Role::bytes) measured_bytes = m.measured;
  }
  // The CUTLASS profiler divides by 2^30 and writes GB/s.
  const bool cutlass = has(Role::success) && std::find(header.begin(), header.end(), "OperationKind") != header.end();
  if (cutlass && unit(Role::bandwidth) == 1e9) unit(Role::bandwidth) = 0x1p30;
}

Error lacks_columns(const std::vector<std::string>& header, const ColumnMap& map) {
  std::string found;
  for (const std::string& h : header) found += (found.empty() ? "" : ", ") + printable(h);
  if (found.size() > 200) found = found.substr(0, 200) + "...";
  return Error{
      "this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a rate (gflops, tflops), "
      "bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); " +
          std::string(map.has(Role::time) ? "there is a time, but nothing that was done in it" : "nor is there a time") +
          "; the columns are: " + found,
      1,
      1,
      {}};
}

Result<void> find_units(ColumnMap& map, TableRows& rows, WorkloadBuilder& notes) {
  constexpr int rows_looked_at = 64;
  const bool time_open = map.has(Role::time) && map.unit(Role::time) == 0;
  if (map.has(Role::time_sum) && map.unit(Role::time_sum) == 0) map.forget(Role::time_sum);
  const double byte_unit = map.has(Role::bytes) ? map.unit(Role::bytes) : 0;
  const bool bytes_open = byte_unit == 1e3 || byte_unit == 1e6 || byte_unit == 1e9 || byte_unit == 1e12;
  const bool batch_open = map.has(Role::batch_label) && !map.has(Role::batch) && map.product();
  bool time_found = false, bytes_found = false, batch_found = false;
  if (time_open || bytes_open || batch_open) {
    const auto near = [](double a, double b, double tolerance) { return std::abs(a / b - 1) < tolerance; };
    for (int i = 0; i < rows_looked_at; ++i) {
      const auto more = rows.next();
      if (!more || !*more) break;
      const auto value = [&](Role role) {
        const int c = map.at(role);
        if (c == ColumnMap::none || static_cast<std::size_t>(c) >= rows.fields().size()) return unknown;
        return rows.number(rows.fields()[static_cast<std::size_t>(c)]).value_or(unknown) * map.unit(role);
      };
      double flops = value(Role::flops);
      if (!known(flops)) flops = 2 * value(Role::macs);
      if (!known(flops)) flops = 2 * value(Role::m) * value(Role::n) * value(Role::k) * (map.has(Role::batch) ? value(Role::batch) : 1);
      if (time_open && !time_found) {
        map.unit(Role::time) = 1;
        const double time = value(Role::time);
        map.unit(Role::time) = 0;
        for (const double unit : {1e-9, 1e-6, 1e-3, 1.0})
          if (near(flops / (time * unit), value(Role::rate), 0.05) ||
              near(value(Role::bytes) / (time * unit), value(Role::bandwidth), 0.08))
            map.unit(Role::time) = unit, time_found = true;
        if (time_found) {
          notes.note(Severity::info, printed(name_of(Role::time, rows.header(), map)) + " is taken as " +
                                         (map.unit(Role::time) == 1      ? "s"
                                          : map.unit(Role::time) == 1e-3 ? "ms"
                                          : map.unit(Role::time) == 1e-6 ? "us"
                                                                         : "ns") +
                                         ": so say its own rates");
        }
      }
      if (bytes_open && !bytes_found && near(flops / value(Role::bytes) / value(Role::intensity), binary_of(byte_unit) / byte_unit, 1e-3)) {
        map.unit(Role::bytes) = binary_of(byte_unit);
        bytes_found = true;
        notes.note(Severity::info, printed(name_of(Role::bytes, rows.header(), map)) + " is in powers of 1024: so says its own intensity");
      }
      if (batch_open && !batch_found && value(Role::batch_label) > 1 &&
          near(value(Role::rate) * value(Role::time) / flops, value(Role::batch_label), 0.05)) {
        map.column[static_cast<std::size_t>(Role::batch)] = map.at(Role::batch_label);
        batch_found = true;
      }
    }
    if (auto ok = rows.start(); !ok) return ok;
  }
  if (time_open && !time_found) {
    if (!map.has(Role::rate) && !map.has(Role::bandwidth))
      return Unexpected(Error{"the column " + printed(name_of(Role::time, rows.header(), map)) +
                                  " names no unit of time: expected ns, us, ms or s in its header, such as time_us",
                              1,
                              1,
                              {}});
    map.forget(Role::time);  // the rates stand on their own
    notes.note(Severity::warning, "the column " + printed(name_of(Role::time, rows.header(), map)) +
                                      " names no unit of time and is not used: expected ns, us, ms or s in its header");
  }
  return {};
}

}  // namespace roofline
