#include "read/table/column_map.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"

namespace roofline {

std::string printed(std::string_view text) { return '"' + printable(text) + '"'; }

ColumnMap::ColumnMap(const std::vector<std::string>& header) {
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
  batched = has(ColumnRole::batch) && !meaning[static_cast<std::size_t>(at(ColumnRole::batch))].label;
  if (has(ColumnRole::bytes)) measured_bytes = meaning[static_cast<std::size_t>(at(ColumnRole::bytes))].measured;
  formats = candidates(ColumnRole::format);
  if (has(ColumnRole::dim_types)) formats.push_back(at(ColumnRole::dim_types));
}

void ColumnMap::choose(ColumnRole role) {
  const std::vector<int> columns = candidates(role);
  if (columns.empty())
    forget(role);
  else
    use(role, columns[0], meaning[static_cast<std::size_t>(columns[0])].scale);
}

void ColumnMap::drop(ColumnRole role) {
  meaning[static_cast<std::size_t>(at(role))].role = ColumnRole::none;
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
  sort_stably(columns, [&](int a, int b) { return meaning[static_cast<std::size_t>(a)].rank < meaning[static_cast<std::size_t>(b)].rank; });
  return columns;
}

Error lacks_columns(const std::vector<std::string>& header) {
  std::string found;
  for (const std::string& h : header) found += (found.empty() ? "" : ", ") + printable(h);
  if (found.size() > 200) found = found.substr(0, 200) + "...";
  return Error{
      "this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a rate (gflops, tflops), "
      "bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); nor is there a time; the columns are: " +
          found,
      1,
      1,
      {}};
}

}  // namespace roofline
