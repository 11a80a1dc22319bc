// A results table: measured times of operators by shape and format, as CSV or JSON; what tools/measure writes, and docs/measuring.md
// describes. Each row becomes a record of commands.json, so that its work, its faults and its formulas are those of every other source.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <roofline/base/number.hpp>

#include "base/json.hpp"
#include "read/csv.hpp"
#include "read/formats.hpp"

namespace roofline {
namespace {

// --- what a column means, by its name ---------------------------------------------------------------------------------------------------

enum class Role : std::uint8_t { none, type, name, format, shape, measured, predicted, machine, field };

struct Column {
  std::string name;
  Role role = Role::none;
  int rank = 0;         ///< of several measured columns, the one that says so best
  double ns = unknown;  ///< nanoseconds of one unit; NaN: the name has no unit
  std::string field;    ///< Role::field: the key of commands.json
};

/// Lower-case words of letters and digits; other than ASCII counts as letters ("µs").
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (const char c : text) {
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool letter = (low >= 'a' && low <= 'z') || (low >= '0' && low <= '9') || static_cast<unsigned char>(c) >= 0x80;
    if (letter && !inside) words.emplace_back();
    if (letter) words.back() += low;
    inside = letter;
  }
  return words;
}

template <std::size_t n>
bool one_of(std::string_view word, const std::array<std::string_view, n>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Nanoseconds of a unit of time; NaN where it is none.
double unit_ns(std::string_view unit) {
  constexpr std::array<std::string_view, 4> ns = {"ns", "nsec", "nanosecond", "nanoseconds"},
                                            ms = {"ms", "msec", "millisecond", "milliseconds"}, s = {"s", "sec", "second", "seconds"};
  constexpr std::array<std::string_view, 6> us = {"us", "usec", "microsecond", "microseconds", "\xC2\xB5s", "\xCE\xBCs"};
  return one_of(unit, ns) ? 1 : one_of(unit, us) ? 1e3 : one_of(unit, ms) ? 1e6 : one_of(unit, s) ? 1e9 : unknown;
}

Column column_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> types = {"operator", "op", "optype"}, names = {"name", "case", "label"};
  constexpr std::array<std::string_view, 4> formats = {"format", "dtype", "datatype", "precision"};
  constexpr std::array<std::string_view, 5> shapes = {"shape", "size", "dims", "dimensions", "problem"};
  constexpr std::array<std::string_view, 4> machines = {"machine", "device", "gpu", "hardware"};
  constexpr std::array<std::string_view, 5> predictions = {"predicted", "prediction", "theory", "expected", "estimated"};
  constexpr std::array<std::string_view, 9> spreads = {"std", "stddev", "stdev", "min", "max", "p95", "p99", "error", "deviation"};
  constexpr std::array<std::string_view, 2> measured = {"measured", "actual"};
  constexpr std::array<std::string_view, 6> times = {"time", "latency", "duration", "runtime", "elapsed", "mean"};
  Column column;
  column.name = std::string(name);
  std::vector<std::string> words = words_of(name);
  if (!words.empty()) column.ns = unit_ns(words.back());
  const auto any = [&words](const auto& list) {
    return std::any_of(words.begin(), words.end(), [&list](const std::string& word) { return one_of(word, list); });
  };
  const std::string whole = normalised(name);
  if (one_of(whole, types)) {
    column.role = Role::type;
  } else if (one_of(whole, names)) {
    column.role = Role::name;
  } else if (one_of(whole, formats)) {
    column.role = Role::format;
  } else if (one_of(whole, shapes)) {
    column.role = Role::shape;
  } else if (one_of(whole, machines)) {
    column.role = Role::machine;
  } else if (any(spreads)) {
    column.role = Role::none;
  } else if (any(predictions)) {
    column.role = Role::predicted;
  } else if (any(measured) || any(times) || whole.substr(0, 6) == "median") {
    column.role = Role::measured;
    column.rank = any(measured) ? 3 : any(times) && !any(std::array<std::string_view, 1>{"mean"}) ? 1 : 2;
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

bool is_table(const std::vector<Column>& columns) { return has(columns, Role::type) && has(columns, Role::measured); }

// --- the table, whichever way it was written --------------------------------------------------------------------------------------------

struct Table {
  struct Row {
    std::size_t line = 0;     ///< in the source; 0: not known
    std::vector<Json> cells;  ///< by column: a number, a text, an array, or null
  };
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::string machine;  ///< JSON: an id or an object; empty: none
  std::size_t header_line = 1;
};

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
  Places places(text);
  Table table;
  Result<std::vector<Column>> columns = csv_header(csv);
  if (!columns) return Unexpected(columns.error());
  table.columns = std::move(*columns);
  table.header_line = places.at(begin + csv.row_begin(), "").line;
  for (;;) {
    const Result<bool> more = csv.next();
    if (!more) return Unexpected(more.error());
    if (!*more) return table;
    if (is_blank(csv.fields())) continue;
    Table::Row row{places.at(begin + csv.row_begin(), "").line, {}};
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const CsvField* field = c < csv.fields().size() ? &csv.fields()[c] : nullptr;
      const std::optional<double> number = field ? csv.number(*field) : unknown;
      row.cells.push_back(!number ? Json(field->text()) : *number == *number ? Json(*number) : Json());
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
  if (const Json& machine = member(*json, "machine"); !machine.is_null()) table.machine = machine.dump();
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
      const bool element = c == '{' && ((depth == 1 && head[head.find_first_not_of(" \t\r\n")] == '[') || (depth == 2 && key == "results"));
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

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

// --- from rows to records ---------------------------------------------------------------------------------------------------------------

/// "1x4096x4096", "4K", "[1, 4096]" as numbers (K is 1024); empty where it is anything else.
std::vector<double> lengths(const Json& cell) {
  std::vector<double> out;
  if (cell.is_number()) return {number_of(cell)};
  if (cell.is_array()) {
    for (const Json& item : cell) {
      if (!item.is_number()) return {};
      out.push_back(number_of(item));
    }
    return out;
  }
  const std::string text = text_of(cell);
  double number = 0;
  bool digits = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
      digits = true;
    } else if ((c == 'K' || c == 'k') && digits) {
      number *= 1024;
    } else if (std::string_view(" xX*,;[]()").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80) {
      if (digits) out.push_back(number);
      number = 0;
      digits = false;
    } else {
      return {};
    }
  }
  return out;
}

/// Puts the lengths where the operator looks for them. Of a matrix product: M x N x K, with B before them; N x K of a matrix-vector
/// product; one length for all.
void put_shape(Json& record, const Json& cell, std::string_view type) {
  const std::vector<double> shape = lengths(cell);
  const Operator* op = find_operator(type);
  const bool gemv = op && op->id == "gemv";
  if (!op || op->category != "matrix product") {
    record["input_shape"] = shape.empty() ? cell : Json(shape);
    return;
  }
  const std::size_t n = shape.size();
  if (n == 1) {
    record["m"] = gemv ? 1 : shape[0];
    record["n"] = record["k"] = shape[0];
  } else if (n == 2 && gemv) {
    record["n"] = shape[0];
    record["k"] = shape[1];
  } else if (n == 3 || n == 4) {
    if (n == 4) record["batch"] = shape[0];
    record["m"] = shape[n - 3];
    record["n"] = shape[n - 2];
    record["k"] = shape[n - 1];
  } else {
    record["m"] = cell;  // the operator says what it expected
  }
}

/// A time in nanoseconds: a number in the column's unit, or a text with a unit behind it. Otherwise the cell as it is.
Json time_ns(const Json& cell, const Column& column, bool* lacks_unit) {
  if (cell.is_number()) {
    *lacks_unit = *lacks_unit || column.ns != column.ns;
    return number_of(cell) * column.ns;
  }
  if (!cell.is_string()) return cell;
  const std::string text = text_of(cell);
  const std::size_t end = text.find_first_not_of("0123456789.eE+-");
  const std::optional<double> number = exact_number(text.substr(0, end));
  const std::vector<std::string> unit = words_of(end == std::string::npos ? "" : text.substr(end));
  const double ns = unit.size() == 1 ? unit_ns(unit[0]) : unknown;
  return number && ns == ns ? Json(*number * ns) : cell;
}

/// "gemv 1x4096x4096 FP16", for a table that gives its rows no names.
std::string name_of(const Json& record, const std::string& type) {
  std::string name = type, shape;
  for (const char* key : {"batch", "m", "n", "k"})
    if (const double length = number_of(member(record, key)); length >= 1 && length < 1e15)
      shape += (shape.empty() ? "" : "x") + std::to_string(static_cast<long long>(length));
  if (shape.empty() && record.contains("input_shape")) shape = record["input_shape"].dump();
  for (const std::string& part : {shape, text_of(member(record, "data_type"))})
    if (!part.empty()) name += " " + part;
  return name;
}

class ResultsReader final : public FormatReader {
 public:
  ResultsReader(std::string text, ReadOptions options) : text_(std::move(text)), options_(std::move(options)) {}

  Result<bool> step(std::size_t bytes) override {
    if (!records_) {
      Result<Table> table = is_json(text_) ? json_table(text_) : csv_table(text_);
      if (!table) return Unexpected(table.error());
      Result<std::string> text = records_of(*table);
      if (!text) return Unexpected(text.error());
      text_.clear();
      records_ = open_commands(std::move(*text), options_);
    }
    return records_->step(bytes);
  }
  [[nodiscard]] std::size_t position() const override { return records_ ? records_->position() : 0; }
  [[nodiscard]] std::size_t size() const override { return records_ ? records_->size() : text_.size(); }

  Workload take() override {
    Workload work = records_->take();
    work.source_format = results_source;
    work.own_records = true;
    for (Diagnostic& diagnostic : work.diagnostics) {  // columns, and lines of a JSON table, are the records', not the file's
      if (!lines_) diagnostic.line = 0;
      diagnostic.column = diagnostic.line > 0 ? 1 : 0;
    }
    work.diagnostics.insert(work.diagnostics.end(), remarks_.begin(), remarks_.end());
    return work;
  }

 private:
  /// {"machine": ..., "ops": [...]} with a record per row, on the row's own line where that is known.
  Result<std::string> records_of(const Table& table) {
    const auto shaped = [](const Column& column) { return column.role == Role::shape || column.role == Role::field; };
    if (std::none_of(table.columns.begin(), table.columns.end(), shaped))
      return Unexpected(Error{
          "a results table without shapes: expected a column shape, such as 1x4096x4096, or columns m, n and k", table.header_line, 1, {}});
    std::string machine = table.machine, unused;
    std::vector<std::string> machines;
    std::string records;
    std::size_t line = table.header_line;
    for (const Table::Row& row : table.rows) {
      Json record = Json::object();
      std::string type;
      for (std::size_t c = 0; c < row.cells.size(); ++c)
        if (table.columns[c].role == Role::type) type = text_of(row.cells[c]);
      for (std::size_t c = 0; c < row.cells.size(); ++c) {
        const Column& column = table.columns[c];
        const Json& cell = row.cells[c];
        bool lacks_unit = false;
        if (cell.is_null()) continue;
        switch (column.role) {
          case Role::type:
            record["type"] = cell;
            break;
          case Role::name:
            record["name"] = cell.is_string() ? cell : Json(cell.dump());
            break;
          case Role::format:
            record["data_type"] = cell;
            break;
          case Role::shape:
            put_shape(record, cell, type);
            break;
          case Role::measured:
            record["time_ns"] = time_ns(cell, column, &lacks_unit);
            break;
          case Role::predicted:
            record["predicted_ns"] = time_ns(cell, column, &lacks_unit);
            break;
          case Role::machine:
            if (cell.is_string() && std::find(machines.begin(), machines.end(), text_of(cell)) == machines.end())
              machines.push_back(text_of(cell));
            break;
          case Role::field:
            record[column.field] = cell;
            break;
          case Role::none:
            break;
        }
        if (lacks_unit)
          return Unexpected(Error{"the column \"" + column.name + "\" has no unit: expected one in its name, such as " + column.name +
                                      "_us (ns, us, ms or s), or behind each number",
                                  table.header_line,
                                  1,
                                  {}});
      }
      if (!record.contains("name")) record["name"] = name_of(record, type);
      records += records.empty() ? "" : ",";
      for (; line < row.line; ++line) records += '\n';
      records += record.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    lines_ = !table.rows.empty() && table.rows[0].line > 0;
    if (machine.empty() && !machines.empty()) machine = Json(machines[0]).dump(-1, ' ', false, Json::error_handler_t::replace);
    if (machines.size() > 1)
      remarks_.push_back(
          {Severity::warning,
           "the table names " + std::to_string(machines.size()) + " machines: all rows are judged by one, \"" + machines[0] + '"',
           {},
           0,
           0,
           "machine"});
    for (const Column& column : table.columns)
      if (column.role == Role::none && !column.name.empty()) unused += (unused.empty() ? "" : ", ") + column.name;
    if (!unused.empty()) remarks_.push_back({Severity::info, "columns that are not used: " + unused, {}, 0, 0, {}});
    return std::string(table.header_line - 1, '\n') + "{" + (machine.empty() ? "" : "\"machine\":" + machine + ",") + "\"ops\":[" +
           records + "]}";
  }

  std::string text_;
  ReadOptions options_;
  std::unique_ptr<FormatReader> records_;
  Diagnostics remarks_;
  bool lines_ = false;
};

}  // namespace

bool detects_results(std::string_view text) {
  std::vector<Column> columns;
  if (is_json(text)) {
    const std::string_view record = first_record(text);
    if (record.empty()) return false;
    const Json json = Json::parse(record.begin(), record.end(), nullptr, false);
    if (!json.is_object() || json.contains("type")) return false;
    for (const auto& item : json.items()) columns.push_back(column_of(item.key()));
  } else {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] == '<') return false;
    const std::string head(text.substr(0, 16384));  // a header beyond that is none
    Csv csv(std::string_view(head).substr(first_row(head)));
    const auto header = csv_header(csv);
    if (!header) return false;
    columns = *header;
  }
  return is_table(columns);
}

std::unique_ptr<FormatReader> open_results(std::string text, ReadOptions options) {
  return std::make_unique<ResultsReader>(std::move(text), std::move(options));
}

}  // namespace roofline
