// A results table: measured times of operators by shape and format; what tools/measure writes, and docs/guide/measuring.md describes. Each
// row becomes a record of commands.json, so that its work, its faults and its formulas are those of every other source.
#include <algorithm>
#include <optional>
#include <roofline/base/names.hpp>
#include <roofline/base/text.hpp>
#include <roofline/operators/operator.hpp>
#include <roofline/registry/registry.hpp>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/operations/json_record.hpp"
#include "read/operations/operations.hpp"
#include "read/table/columns/header_words.hpp"
#include "read/table/results_table.hpp"
#include "read/text/csv.hpp"

namespace roofline {
namespace {

using results::Column;
using results::Role;
using results::Table;

/// The text without the commas that group digits, where lengths are separated by x: "2,048x4096" as "2048x4096"; nullopt: other commas.
std::optional<std::string> without_groups(const std::string& text) {
  const auto separates = [](char c) { return c == 'x' || c == 'X' || c == '*' || static_cast<unsigned char>(c) >= 0x80; };
  if (std::none_of(text.begin(), text.end(), separates)) return text;
  const auto digits_at = [&](std::size_t at) {
    const std::size_t end = text.find_first_not_of("0123456789", at);
    return (end == std::string::npos ? text.size() : end) - at;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',')
      out += text[i];
    else if (i == 0 || !is_digit(text[i - 1]) || digits_at(i + 1) != 3)
      return std::nullopt;
  }
  return out;
}

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
  const std::optional<std::string> plain = without_groups(text_of(cell));
  if (!plain) return {};
  const std::string& text = *plain;
  double number = 0;
  bool digits = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (is_digit(c)) {
      number = number * 10 + (c - '0');
      digits = true;
    } else if ((c == 'K' || c == 'k') && digits) {
      number *= 1024;
    } else if (contains(" xX*,;[]()", c) || static_cast<unsigned char>(c) >= 0x80) {
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
  if (!op || op->family != OpFamily::matrix_product) {
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
    *lacks_unit = *lacks_unit || !known(column.ns);
    return number_of(cell) * column.ns;
  }
  if (!cell.is_string()) return cell;
  const std::string text = text_of(cell);
  const std::size_t end = text.find_first_not_of("0123456789.eE+-");
  const std::optional<double> number = exact_number(text.substr(0, end));
  const std::vector<std::string> unit = header_words(end == std::string::npos ? "" : text.substr(end));
  const double ns = unit.size() == 1 ? results::unit_ns(unit[0]) : unknown;
  return number && known(ns) ? Json(*number * ns) : cell;
}

/// "gemv 1x4096x4096 FP16", for a table that gives its rows no names.
std::string name_of(const Json& record, const std::string& type) {
  std::string name = type, shape;
  const auto add = [&](double length) {
    if (length >= 1 && length < 1e15) shape += (shape.empty() ? "" : "x") + std::to_string(static_cast<long long>(length));
  };
  for (const char* key : {"batch", "m", "n", "k"}) add(number_of(member(record, key)));
  const Json& input = member(record, "input_shape");
  if (shape.empty() && input.is_array()) {
    for (const Json& length : input) add(number_of(length));
  } else if (shape.empty() && !input.is_null()) {
    shape = compact(input);
  }
  for (const std::string& part : {shape, text_of(member(record, "data_type"))})
    if (!part.empty()) name += " " + part;
  return name;
}

class ResultsReader final : public FormatReader {
 public:
  explicit ResultsReader(const ReadOptions& options)
      : registry_(options.registry), operations_(options, SourceFormat::results, [this](std::size_t, std::string message) {
          return Error{std::move(message), line_, line_ > 0 ? std::size_t{1} : 0, {}};
        }) {
    operations_.rows().workload().own_records = true;
  }

  /// The table is small: all of it is there.
  Result<void> read(TextWindow& window, bool) override {
    const Result<Table> read = results::read_table(window.text());
    if (!read) return Unexpected(read.error());
    const Table& table = *read;
    for (const Table::Row& row : table.rows) {
      Result<Json> record = record_of(table, row);
      if (!record) return Unexpected(record.error());
      line_ = row.line;
      fill(operations_.record(), operations_.keys(), *record);
      operations_.add(operations_.rows().keep_record(compact(*record)));
    }
    operations_.rows().workload().machine_json = !table.machine.empty() || machines_.empty() ? table.machine : compact(Json(machines_[0]));
    for (const Column& column : table.columns)
      if (column.role == Role::none && !column.name.empty()) unused_ += (unused_.empty() ? "" : ", ") + column.name;
    window.drop(window.text().size());
    return {};
  }

  const WorkloadBuilder& rows() const override { return operations_.rows(); }
  Workload take() override {
    Workload work = operations_.take();
    const auto remark = [&](Severity severity, std::string message, std::string path) {
      work.diagnostics.push_back({severity, std::move(message), {}, 0, 0, std::move(path)});
    };
    if (machines_.size() > 1)
      remark(Severity::warning,
             "the table names " + std::to_string(machines_.size()) + " machines: all rows are judged by one, \"" + machines_[0] + '"',
             "machine");
    if (products_ > 0)
      remark(Severity::info,
             quantity(products_, "row names", "rows name") + " no known operation: counted as matrix products of m, n and k", "type");
    if (!unused_.empty()) remark(Severity::info, "columns that are not used: " + unused_, {});
    return work;
  }

 private:
  Result<Json> record_of(const Table& table, const Table::Row& row) {
    Json record = Json::object();
    std::string type, sizes;
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
          record["name"] = cell.is_string() ? cell : Json(compact(cell));
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
          if (cell.is_string() && std::find(machines_.begin(), machines_.end(), text_of(cell)) == machines_.end())
            machines_.push_back(text_of(cell));
          break;
        case Role::field:
          record[column.field] = cell;
          sizes += ' ' + normalised(column.field);
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
    const bool product = is_one_of("m", sizes) && is_one_of("n", sizes) && is_one_of("k", sizes);
    if (product && !type.empty() && !find_operator(type) && !(registry_ && registry_->find(type))) {  // the type column holds names
      if (!record.contains("name")) record["name"] = type;
      record["type"] = "matmul";
      ++products_;
    }
    if (!record.contains("name")) record["name"] = name_of(record, type);
    return record;
  }

  const Registry* registry_;
  Operations operations_;
  std::size_t products_ = 0;  // rows
  std::size_t line_ = 0;      // of the row that is added; 0: not known
  std::vector<std::string> machines_;
  std::string unused_;
};

}  // namespace

bool detects_results(std::string_view text) { return results::detects(text); }

std::unique_ptr<FormatReader> open_results(const ReadOptions& options) { return std::make_unique<ResultsReader>(options); }

}  // namespace roofline
