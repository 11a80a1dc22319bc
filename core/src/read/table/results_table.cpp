#include "read/table/results_table.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/workload/record.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/table/columns/column_meaning.hpp"
#include "read/table/columns/header_words.hpp"
#include "read/text/csv.hpp"

namespace roofline::results {
namespace {

Column column_of(std::string_view name) {
  Column column;
  column.name = std::string(name);
  const std::vector<std::string> words = header_words(name);
  if (!words.empty()) column.ns = unit_ns(words.back());
  const auto any = [&words](std::string_view list) {
    return std::any_of(words.begin(), words.end(), [list](const std::string& word) { return is_one_of(word, list); });
  };
  const std::string whole = normalised(name);
  // BLAS' A x B + C = D: "D Type" is the result's format alone.
  const bool output_type = whole == "dtype" && words == std::vector<std::string>{"d", "type"} && name.size() > whole.size();
  if (is_one_of(whole, "operator op optype")) {
    column.role = Role::type;
  } else if (is_one_of(whole, "name case label")) {
    column.role = Role::name;
  } else if (!output_type && is_one_of(whole, "format dtype datatype precision")) {
    column.role = Role::format;
  } else if (is_one_of(whole, "shape size dims dimensions problem")) {
    column.role = Role::shape;
  } else if (is_one_of(whole, "machine device gpu hardware")) {
    column.role = Role::machine;
  } else if (any("std stddev stdev min max p95 p99 error deviation")) {
    column.role = Role::none;
  } else if (std::any_of(words.begin(), words.end(), is_prediction)) {
    column.role = Role::predicted;
  } else if (any("measured actual time latency duration runtime elapsed mean") || whole.substr(0, 6) == "median") {
    column.role = Role::measured;
    column.rank = any("measured actual") ? 3 : any("time latency duration runtime elapsed") && !any("mean") ? 1 : 2;
  } else {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> roles = {
        {{"weightformat", "weight_type"}, {"activationformat", "data_type"}, {"outputformat", "output_type"}, {"kvformat", "kv_type"}}};
    for (const auto& [from, to] : roles)
      if (whole == from) column.field = to;
    static const Keys keys;
    if (column.field.empty() && keys.find(name) != Keys::npos) column.field = std::string(name);
    if (!column.field.empty()) column.role = Role::field;
  }
  return column;
}

/// Several measured columns: the best name wins, the first of equals.
void choose_measured(std::vector<Column>& columns) {
  Column* best = nullptr;
  for (Column& column : columns)
    if (column.role == Role::measured && (!best || column.rank > best->rank)) best = &column;
  for (Column& column : columns)
    if (column.role == Role::measured && &column != best) column.role = Role::none;
}

bool has(const std::vector<Column>& columns, Role role) {
  return std::any_of(columns.begin(), columns.end(), [role](const Column& column) { return column.role == role; });
}

/// Only the reader of kernel tables uses it: a rate, an amount in a unit, the format of one operand, a count of products.
bool is_kernel_column(const Column& column) {
  if (column.role != Role::none && column.role != Role::measured) return false;
  const ColumnMeaning meaning = meaning_of(column.name);
  switch (meaning.role) {
    case ColumnRole::rate:
    case ColumnRole::bandwidth:
    case ColumnRole::flops:
    case ColumnRole::macs:
    case ColumnRole::bytes:
    case ColumnRole::intensity:
    case ColumnRole::format:
    case ColumnRole::weight_format:
    case ColumnRole::output_format:
      return true;
    case ColumnRole::batch:
      return !meaning.label;
    default:
      return false;
  }
}

/// Only the reader of results tables uses it: a shape in one cell.
bool is_shape_column(const Column& column) {
  return column.role == Role::shape || column.field.find("shape") != std::string::npos || column.field.starts_with("input");
}

/// `type`: of the first row. A profiler's summary also has types and times, but no shapes, or a list of each operator's arguments: it is a
/// table of kernels. So is a table that states more than shapes and times, unless its work follows from shapes that kernel tables lack.
bool is_table(const std::vector<Column>& columns, std::string_view type) {
  const auto any = [&](const auto& test) { return std::any_of(columns.begin(), columns.end(), test); };
  if (any(is_kernel_column) && !(any(is_shape_column) && find_operator(type))) return false;
  const bool shaped =
      any([](const Column& c) { return c.role == Role::shape || (c.role == Role::field && normalised(c.name) != "count"); });
  const bool lists_arguments = any([](const Column& c) { return normalised(c.name) == "inputshapes"; });
  return has(columns, Role::type) && has(columns, Role::measured) && shaped && !lists_arguments;
}

// --- the table, whichever way it was written --------------------------------------------------------------------------------------------

bool is_blank(const std::vector<CsvField>& fields) {
  return fields.empty() || (!fields[0].view().empty() && fields[0].view()[0] == '#');  // a comment
}

/// Behind the lines that begin with '#' at the top: they would mislead about the delimiter.
std::size_t first_row(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string_view::npos || text[at] != '#') return std::min(at, text.size());
    at = std::min(text.find('\n', at), text.size());
  }
}

/// The header of a CSV text; empty where there is none.
Result<std::vector<Column>> csv_header(Csv& csv) {
  for (;;) {
    const Result<bool> more = csv.next();
    if (!more) return Unexpected(more.error());
    if (!*more) return std::vector<Column>();
    if (!is_blank(csv.fields())) break;
  }
  std::vector<Column> columns;
  for (const CsvField& field : csv.fields()) columns.push_back(column_of(field.text()));
  choose_measured(columns);
  return columns;
}

Result<Table> csv_table(std::string_view text) {
  const std::size_t begin = first_row(text);
  Csv csv(text.substr(begin));
  const LineIndex lines(text);
  Table table;
  Result<std::vector<Column>> columns = csv_header(csv);
  if (!columns) return Unexpected(columns.error());
  table.columns = std::move(*columns);
  table.header_line = lines.at(begin + csv.row_begin(), "").line;
  for (;;) {
    const Result<bool> more = csv.next();
    if (!more) return Unexpected(more.error());
    if (!*more) return table;
    if (is_blank(csv.fields())) continue;
    Table::Row row{lines.at(begin + csv.row_begin(), "").line, {}};
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const CsvField* field = c < csv.fields().size() ? &csv.fields()[c] : nullptr;
      const std::optional<double> number = field ? csv.number(*field) : unknown;
      row.cells.push_back(!number ? Json(valid_utf8(field->text())) : known(*number) ? Json(*number) : Json());
    }
    table.rows.push_back(std::move(row));
  }
}

/// {"results": [...], "machine": ...}, or the array alone. Members of a "shape" that is an object count as columns.
Result<Table> json_table(std::string_view text) {
  Result<Json> json = parse_json(text, "a results table");
  if (!json) return Unexpected(json.error());
  const Json& list = json->is_array() ? *json : member(*json, "results");
  Table table;
  if (const Json& machine = member(*json, "machine"); !machine.is_null()) table.machine = compact(machine);
  const auto cell = [&table](Table::Row& row, const std::string& key, const Json& value) {
    std::size_t c = 0;
    while (c < table.columns.size() && table.columns[c].name != key) ++c;
    if (c == table.columns.size()) table.columns.push_back(column_of(key));
    if (row.cells.size() <= c) row.cells.resize(c + 1);
    row.cells[c] = value;
  };
  for (const Json& item : list) {
    Table::Row row;
    for (const auto& [key, value] : item.items()) {
      if (key == "shape" && value.is_object())
        for (const auto& [inner, size] : value.items()) cell(row, inner, size);
      else
        cell(row, key, value);
    }
    table.rows.push_back(std::move(row));
  }
  choose_measured(table.columns);
  return table;
}

/// The first record of [{...}] or {"results": [{...}]}, if it begins within the first 64 KiB; empty where there is none.
std::string_view first_record(std::string_view text) {
  constexpr std::size_t reach = 65536, longest = 16384;
  const std::string_view head = text.substr(0, reach + longest);
  int depth = 0;
  std::size_t begin = std::string_view::npos;
  std::string_view key;  // of the member at depth 1 whose value comes next
  for (std::size_t i = 0; i < head.size(); ++i) {
    const char c = head[i];
    if (c == '"') {
      const std::size_t start = ++i;
      while (i < head.size() && head[i] != '"') i += head[i] == '\\' ? 2 : 1;
      if (i >= head.size()) return {};
      if (depth == 1) key = head.substr(start, i - start);
    } else if (c == '{' || c == '[') {
      const bool element = c == '{' && ((depth == 1 && first_visible(head) == '[') || (depth == 2 && key == "results"));
      if (element && begin == std::string_view::npos) {
        if (i > reach) return {};
        begin = i;
        depth = 0;
      }
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return begin == std::string_view::npos ? std::string_view() : head.substr(begin, i + 1 - begin);
    }
  }
  return {};
}

}  // namespace

double unit_ns(std::string_view word) { return seconds_per(word) * 1e9; }

std::string_view words_of(Role role) {
  constexpr std::array<std::string_view, 9> words = {"",     "type",           "name",    "number format", "shape",
                                                     "time", "predicted time", "machine", "size"};
  return words[static_cast<std::size_t>(role)];
}

Result<Table> read_table(std::string_view text) { return begins_json(text) ? json_table(text) : csv_table(text); }

bool detects(std::string_view text) {
  std::vector<Column> columns;
  std::string type;  // of the first row
  if (begins_json(text)) {
    const std::string_view record = first_record(text);
    if (record.empty()) return false;
    const Json json = Json::parse(record.begin(), record.end(), nullptr, false);
    if (!json.is_object() || json.contains("type")) return false;
    for (const auto& item : json.items()) {
      columns.push_back(column_of(item.key()));
      if (columns.back().role == Role::type) type = text_of(item.value());
    }
  } else {
    if (const char first = first_visible(text); first == '\0' || first == '<') return false;
    const std::string head(text.substr(0, 16384));  // a header beyond that is none
    Csv csv(std::string_view(head).substr(first_row(head)));
    const auto header = csv_header(csv);
    if (!header) return false;
    columns = *header;
    if (const Result<bool> row = csv.next(); row && *row)
      for (std::size_t c = 0; c < std::min(columns.size(), csv.fields().size()); ++c)
        if (columns[c].role == Role::type) type = csv.fields()[c].text();
  }
  return is_table(columns, type);
}

}  // namespace roofline::results
