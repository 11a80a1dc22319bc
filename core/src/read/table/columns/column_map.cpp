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
  bool rate = false, unit_in_row = false;
  for (const ColumnMeaning& m : meaning) {
    rate = rate || (m.role == ColumnRole::rate && m.scale > 0);
    unit_in_row = unit_in_row || m.role == ColumnRole::time_unit;
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    ColumnMeaning& m = meaning[i];
    if (operands && header[i] == "B") m.role = ColumnRole::weight_format;
    if (operands && header[i] == "C") m.role = ColumnRole::output_format;
    if (unit_in_row && header[i] == "FLOPS") m.maybe_rate = true;  // a counter of Google Benchmark
    if (m.maybe_rate && !rate) m.role = ColumnRole::rate;
    if (unit_in_row && m.role == ColumnRole::time && m.scale == 0 && !m.cycles) m.scale = 1, m.unit_in_row = true;
    if ((m.role == ColumnRole::rate || m.role == ColumnRole::time_sum) && m.scale == 0) m.role = ColumnRole::none;
    if (m.role == ColumnRole::bandwidth && m.scale == 0) m.rank += 10;
  }
  for (std::size_t r = 1; r < role_count; ++r) choose(static_cast<ColumnRole>(r));
  choose_bytes();
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

/// All bytes, else the parts that make them up, else what may be a size.
void ColumnMap::choose_bytes() {
  using Part = BytePart;
  constexpr std::array<std::array<Part, 3>, 4> complete = {{{Part::read, Part::write, Part::write},
                                                            {Part::input, Part::weight, Part::output},
                                                            {Part::input, Part::output, Part::output},
                                                            {Part::activation, Part::weight, Part::weight}}};
  const std::vector<int> columns = candidates(ColumnRole::bytes);
  const auto first = [&](Part part, bool maybe_size) {
    const auto fits = [&](int c) { return (*this)[c].part == part && (*this)[c].maybe_size == maybe_size; };
    const auto found = std::find_if(columns.begin(), columns.end(), fits);
    return found == columns.end() ? none : *found;
  };
  // The bytes of a product follow from its shape: better than a size, and its weights are more than input and output.
  const bool product_work = product() || has(ColumnRole::dims);
  std::vector<int> taken;
  if (const int all = first(Part::all, false); all != none) taken = {all};
  for (std::size_t set = 0; set < complete.size() && taken.empty(); ++set) {
    const bool lacks_weight = complete[set][0] == Part::input && complete[set][1] != Part::weight;
    if (lacks_weight && product_work) continue;
    for (const Part part : complete[set])
      if (const int c = first(part, false); std::find(taken.begin(), taken.end(), c) == taken.end()) taken.push_back(c);
    const auto differs = [&](int c) {
      return c == none || (*this)[c].scale != (*this)[taken[0]].scale || (*this)[c].total != (*this)[taken[0]].total;
    };
    if (std::any_of(taken.begin(), taken.end(), differs)) taken.clear();
  }
  if (const int size = first(Part::all, true); taken.empty() && size != none && !product_work && !convolution()) taken = {size};
  for (const int c : columns) {
    if (std::find(taken.begin(), taken.end(), c) != taken.end()) continue;
    if (taken.empty() && (*this)[c].part != Part::all) lone_parts.push_back(c);
    (*this)[c].role = ColumnRole::none;
  }
  choose(ColumnRole::bytes);
  for (const int c : taken)
    if (c != at(ColumnRole::bytes)) bytes_beside.push_back(c);
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
  if (std::find(bytes_beside.begin(), bytes_beside.end(), index) != bytes_beside.end()) return ColumnRole::bytes;
  return std::find(formats.begin(), formats.end(), index) != formats.end() ? ColumnRole::format : ColumnRole::none;
}

std::vector<int> ColumnMap::candidates(ColumnRole role) const {
  std::vector<int> columns;
  for (std::size_t i = 0; i < meaning.size(); ++i)
    if (meaning[i].role == role) columns.push_back(static_cast<int>(i));
  sort_stably(columns, [&](int a, int b) {
    const ColumnMeaning &x = (*this)[a], &y = (*this)[b];
    return x.rank != y.rank ? x.rank < y.rank : x.achieved && !y.achieved;
  });
  return columns;
}

}  // namespace roofline
