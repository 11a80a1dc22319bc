#include "read/xla/xprof_table.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <roofline/machine/format.hpp>

#include "base/json.hpp"
#include "base/letters.hpp"
#include "read/operations/operations.hpp"
#include "read/text/csv.hpp"

namespace roofline::xprof {
namespace {

constexpr double kibi = 1024, mebi = kibi * 1024, gibi = mebi * 1024, tebi = gibi * 1024;

struct Unit {
  std::string_view name;
  double factor;
};
using Units = std::vector<Unit>;

/// A quantity's units, the one XProf writes first.
const Units& times() {
  static const Units units = {{"us", 1e-6}, {"\xC2\xB5s", 1e-6}, {"ns", 1e-9}, {"ms", 1e-3}, {"s", 1}};
  return units;
}
const Units& flop_rates() {
  static const Units units = {{"GFLOP/s", 1e9}, {"FLOP/s", 1}, {"MFLOP/s", 1e6}, {"TFLOP/s", 1e12}};
  return units;
}
const Units& byte_rates() {
  static const Units units = {{"GiB/s", gibi}, {"GB/s", 1e9},  {"B/s", 1},    {"KiB/s", kibi}, {"MiB/s", mebi},
                              {"TiB/s", tebi}, {"KB/s", 1000}, {"MB/s", 1e6}, {"TB/s", 1e12}};
  return units;
}
const Units& fractions() {
  static const Units units = {{"%", 1}};  // fractions 0 to 1 all the same
  return units;
}
const Units& plain() {
  static const Units units = {};
  return units;
}

struct Column {
  std::string_view id;     ///< in JSON
  std::string_view label;  ///< in CSV, without the unit
  const Units& (*units)();
  bool is_text;
  std::uint8_t field;  ///< Text or Number
};

/// What is read; columns of any other name are passed over. Where there are several names for one field, any of them will do.
constexpr Column columns[] = {
    {"step", "Step", plain, true, step},
    {"category", "Category", plain, true, category},
    {"operation", "Operation", plain, true, operation},
    {"hlo_op_name", "HLO op name", plain, true, operation},
    {"bound_by", "Bound by", plain, true, bound_by},
    {"hlo_module_id", "Program ID", plain, true, program},
    {"program_id", "Program id", plain, true, program},
    {"source_info", "Source Info", plain, true, source},
    {"occurrences", "# Occurrences", plain, false, occurrences},
    {"total_time", "Total Time", times, false, total_time},
    {"total_self_time", "Total self time", times, false, total_self_time},
    {"total_time_per_core", "Total Time per core", times, false, time_per_core},
    {"measured_flop_rate", "Normalized FLOP Rate", flop_rates, false, flop_rate},
    {"normalized_flop_rate", "Measured FLOP Rate", flop_rates, false, flop_rate},
    {"model_flop_rate", "Model FLOP Rate", flop_rates, false, model_flop_rate},
    {"measured_memory_bw", "Memory BW", byte_rates, false, memory_rate},
    {"hbm_bw", "HBM BW", byte_rates, false, hbm_rate},
    {"cmem_read_bw", "CMEM Read BW", byte_rates, false, cmem_read_rate},
    {"cmem_write_bw", "CMEM Write BW", byte_rates, false, cmem_write_rate},
    {"vmem_read_bw", "VMEM Read BW", byte_rates, false, vmem_read_rate},
    {"vmem_write_bw", "VMEM Write BW", byte_rates, false, vmem_write_rate},
    {"vmem_write_bw", "SHM/L1 BW", byte_rates, false, vmem_write_rate},
    {"compute_efficiency", "FLOP Rate / Peak", fractions, false, compute_utilization},
    {"max_mem_bw_utilization", "Max memory BW utilization (among supported memories)", fractions, false, memory_utilization},
    {"max_mem_bw_utilization", "Max memory (cmem or hbm) bandwidth utilization", fractions, false, memory_utilization},
    {"include_infeed_outfeed", "Include Infeed/Outfeed", plain, false, with_infeed},
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

/// "HBM BW (GiB/s)" as "HBM BW" and "GiB/s".
std::pair<std::string_view, std::string_view> split_label(std::string_view label) {
  label = trimmed(label);
  const std::size_t open = label.rfind('(');
  if (label.empty() || label.back() != ')' || open == std::string_view::npos) return {label, {}};
  return {trimmed(label.substr(0, open)), trimmed(label.substr(open + 1, label.size() - open - 2))};
}

const Unit* find_unit(const Units& units, std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == name; });
  return found == units.end() ? nullptr : &*found;
}

/// Where a column of the file goes.
struct Target {
  const Column* column = nullptr;  ///< null: nowhere
  double factor = 1;
};

/// Cells into rows, whatever they were written in.
class Builder {
 public:
  Table table;

  /// The next column of the header, by its id, its label, or a label alone (`id` empty).
  Result<void> add_column(std::string_view id, std::string_view label) {
    const std::string_view shown = label.empty() ? id : label;
    const auto [words, unit] = split_label(label);
    const Column* found = nullptr;
    bool unit_fits = true;
    for (const Column& column : columns) {
      const Units& units = column.units();
      const bool by_id = id == column.id || (id.empty() && words == column.id);
      if (!by_id && !(id.empty() && normalised(words) == normalised(column.label))) continue;
      // Two columns may differ by their unit alone: "Total self time (us)" and "Total self time (%)".
      const bool fits = unit.empty() || units.empty() || find_unit(units, unit);
      if (found && unit_fits) break;
      if (!by_id && !fits && unit == "%") continue;
      found = &column;
      unit_fits = fits;
    }
    if (!found) return targets_.push_back({}), Result<void>();
    const std::string where = "column " + std::to_string(targets_.size() + 1) + ", " + in_quotes(shown);
    const Units& units = found->units();
    if (!unit_fits) return fail(where + ": expected its unit to be " + list(units));
    bool& seen = found->is_text ? table.has_text[found->field] : table.has_number[found->field];
    if (seen) return fail(where + ": the table has a column of this meaning already; expected each once");
    seen = true;
    if (found->field == vmem_write_rate && !found->is_text) table.shared_memory = contains(normalised(label), normalised("SHM/L1"));
    const Unit* stated = find_unit(units, unit);
    targets_.push_back({found, stated ? stated->factor : units.empty() ? 1 : units[0].factor});
    return {};
  }

  /// After the last column.
  Result<void> end_header() const {
    std::string lacking;
    const auto need = [&](bool has, std::string_view what) {
      if (!has) lacking += (lacking.empty() ? "" : ", ") + std::string(what);
    };
    need(table.has_text[operation], "operation (\"Operation\")");
    need(table.has_number[total_time], "total_time (\"Total Time (us)\")");
    need(table.has_number[flop_rate], "measured_flop_rate (\"Normalized FLOP Rate (GFLOP/s)\")");
    need(table.has_number[hbm_rate] || table.has_number[memory_rate], "hbm_bw (\"HBM BW (GiB/s)\") or measured_memory_bw");
    if (lacking.empty()) return {};
    return fail("a table of XProf's without the columns of its roofline model: it lacks " + lacking +
                "; expected an export of the Roofline Model tool");
  }

  [[nodiscard]] std::size_t width() const { return targets_.size(); }
  [[nodiscard]] const Target& target(std::size_t cell) const { return targets_[cell]; }

  Row& add_row() {
    Row& row = table.rows.emplace_back();
    row.numbers.fill(unknown);
    return row;
  }

  void put(Row& row, const Target& target, double value) { row.numbers[target.column->field] = value * target.factor; }

  /// A fault of the row added last. At most this many are told one by one.
  void fault(std::string message, Severity severity = Severity::error, Error place = {}) {
    constexpr std::size_t most = 10000;
    if (table.diagnostics.size() < most)
      table.diagnostics.push_back({severity, std::move(message), static_cast<std::uint32_t>(table.rows.size() - 1), place.line,
                                   place.column, std::move(place.path)});
  }

  [[nodiscard]] static std::string name_of(const Target& target) {
    const Units& units = target.column->units();
    return std::string(target.column->id) + (units.empty() ? "" : " (" + std::string(units[0].name) + ")");
  }

 private:
  static std::string list(const Units& units) {
    std::string out;
    for (std::size_t i = 0; i < units.size(); ++i)
      if (units[i].name[0] > 0) out += (out.empty() ? "" : ", ") + std::string(units[i].name);  // ASCII spellings
    return out;
  }
  std::vector<Target> targets_;
};

// --- JSON ------------------------------------------------------------------------------------------------------------------------------

/// A cell: {"v": value}, null, or the value itself.
const Json& value_of(const Json& cell) { return cell.is_object() ? member(cell, "v") : cell; }

void read_cell(Builder& builder, Row& row, const Target& target, const Json& value, const std::string& path) {
  if (!target.column || value.is_null()) return;
  if (target.column->is_text) {
    row.texts[target.column->field] = value.is_string() ? text_of(value) : value.is_number() ? dump(value) : std::string();
    return;
  }
  std::optional<double> number;
  if (value.is_boolean()) number = value == Json(true) ? 1 : 0;
  if (value.is_number()) number = number_of(value);
  if (value.is_string()) {
    const std::string text = text_of(value);
    number = text == "true" ? 1 : text == "false" ? 0 : exact_number(trimmed(text));
    if (trimmed(text).empty()) return;
  }
  if (number && *number >= 0 && std::isfinite(*number)) return builder.put(row, target, *number);
  builder.fault(Builder::name_of(target) + ": expected a number of at least 0, found " +
                    (value.is_string()   ? in_quotes(text_of(value))
                     : value.is_number() ? dump(value)
                                         : kind_of(value)),
                Severity::error, {{}, 0, 0, path + "." + std::string(target.column->id)});
}

/// The profiler's own messages, in a table of their own.
void read_messages(Builder& builder, const Json& table) {
  const Json& rows = member(table, "rows");
  if (!rows.is_array()) return;
  for (const Json& row : rows) {
    const Json& cells = member(row, "c");
    if (!cells.is_array() || cells.size() < 2) continue;
    const std::string severity = text_of(value_of(cells[0])), message = text_of(value_of(cells[1]));
    if (message.empty()) continue;
    builder.table.diagnostics.push_back({severity == "ERROR"     ? Severity::error
                                         : severity == "WARNING" ? Severity::warning
                                                                 : Severity::info,
                                         "the profiler says: " + message,
                                         {},
                                         0,
                                         0,
                                         {}});
  }
}

Result<Table> read_json(std::string_view text) {
  constexpr const char* expected = "XProf's roofline_model table: {\"cols\": [...], \"rows\": [...], \"p\": {...}}";
  const auto json = parse_json(text, expected);
  if (!json) return Unexpected(json.error());
  const bool listed = json->is_array();
  const std::string path = listed ? "[0]." : "";
  if (listed && json->empty()) return fail(std::string("an empty array: expected ") + expected);
  const Json& table = listed ? (*json)[0] : *json;
  const Json &cols = member(table, "cols"), &rows = member(table, "rows"), &properties = member(table, "p");
  if (!cols.is_array()) return fail(std::string(kind_of(cols)) + ": expected the table's columns, an array", path + "cols");
  if (!rows.is_array()) return fail(std::string(kind_of(rows)) + ": expected the table's rows, an array", path + "rows");

  Builder builder;
  for (std::size_t i = 0; i < cols.size(); ++i) {
    const std::string id = text_of(member(cols[i], "id")), label = text_of(member(cols[i], "label"));
    if (auto ok = builder.add_column(id, label); !ok) return fail(ok.error().message, path + "cols[" + std::to_string(i) + "]");
  }
  if (auto ok = builder.end_header(); !ok) return fail(ok.error().message, path + "cols");
  if (properties.is_object())
    for (const auto& [key, value] : properties.items())
      builder.table.properties.emplace_back(key, value.is_string() ? text_of(value) : dump(value));

  builder.table.rows.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Row& row = builder.add_row();
    const std::string where = path + "rows[" + std::to_string(i) + "]";
    const Json& cells = rows[i].is_array() ? rows[i] : member(rows[i], "c");
    if (!cells.is_array()) {
      builder.fault("expected a row such as {\"c\": [{\"v\": ...}, ...]}, found " + std::string(kind_of(rows[i])), Severity::error,
                    {{}, 0, 0, where});
      continue;
    }
    if (cells.size() != builder.width())
      builder.fault("the row has " + std::to_string(cells.size()) + " cells: expected " + std::to_string(builder.width()),
                    cells.size() < builder.width() ? Severity::warning : Severity::error, {{}, 0, 0, where});
    for (std::size_t c = 0; c < cells.size() && c < builder.width(); ++c)
      read_cell(builder, row, builder.target(c), value_of(cells[c]), where);
  }
  if (listed && json->size() > 1) read_messages(builder, (*json)[1]);
  return std::move(builder.table);
}

// --- CSV -------------------------------------------------------------------------------------------------------------------------------

Result<Table> read_csv(std::string_view text) {
  Csv csv(text);
  const LineIndex lines(text);
  auto header = csv.next();
  if (!header) return Unexpected(header.error());
  Builder builder;
  for (const CsvField& field : csv.fields())
    if (auto ok = builder.add_column({}, field.text()); !ok) return Unexpected(lines.at(csv.offset(field), ok.error().message));
  if (auto ok = builder.end_header(); !ok) return Unexpected(lines.at(0, ok.error().message));
  for (;;) {
    auto more = csv.next();
    if (!more) return Unexpected(more.error());
    if (!*more) return std::move(builder.table);
    const auto& fields = csv.fields();
    Row& row = builder.add_row();
    row.begin = csv.row_begin();
    row.length = csv.row_end() - csv.row_begin();
    if (fields.size() != builder.width())
      builder.fault("the row has " + std::to_string(fields.size()) + " fields: expected " + std::to_string(builder.width()),
                    fields.size() < builder.width() ? Severity::warning : Severity::error, lines.at(csv.row_begin(), {}));
    for (std::size_t i = 0; i < fields.size() && i < builder.width(); ++i) {
      const Target& target = builder.target(i);
      if (!target.column) continue;
      if (target.column->is_text) {
        row.texts[target.column->field] = fields[i].text();
        continue;
      }
      const std::string_view view = trimmed(fields[i].view());
      std::optional<double> number = csv.number(fields[i]);
      const std::string word = normalised(view);
      if (word == "true" || word == "yes") number = 1;
      if (word == "false" || word == "no") number = 0;
      if (number && (std::isnan(*number) || (*number >= 0 && std::isfinite(*number))))
        builder.put(row, target, *number);
      else
        builder.fault(Builder::name_of(target) + ": expected a number of at least 0, found " + in_quotes(view), Severity::error,
                      lines.at(csv.offset(fields[i]), {}));
    }
  }
}

}  // namespace

bool detects(std::string_view text) {
  if (begins_json(text)) {
    // The first member of the first object is one of the table's own, and it has columns.
    constexpr std::string_view space = " \t\r\n";
    std::size_t at = text.find_first_not_of(space);
    if (text[at] == '[') at = text.find_first_not_of(space, at + 1);
    if (at == std::string_view::npos || text[at] != '{') return false;
    at = text.find_first_not_of(space, at + 1);
    if (at == std::string_view::npos) return false;
    const std::string_view first = text.substr(at);
    const auto starts = [&](std::string_view name) { return first.substr(0, name.size()) == name; };
    // Where the rows come first, the columns may stand far behind them.
    return starts("\"cols\"") || ((starts("\"rows\"") || starts("\"p\"")) && contains(text, "\"cols\"")) ||
           (starts("\"rows\"") && contains(text, "{\"c\""));
  }
  const std::string header = normalised(text.substr(0, std::min<std::size_t>(text.find_first_of("\r\n"), 8192)));
  constexpr std::string_view marks[] = {"boundby",       "rooflineefficiency", "operationalintensity", "floprate",       "hbmbw",
                                        "totalselftime", "hlomoduleid",        "includeinfeedoutfeed", "optimalfloprate"};
  std::size_t seen = 0;
  for (const std::string_view mark : marks) seen += contains(header, mark) ? 1 : 0;
  return seen >= 3;
}

Result<Table> read_table(std::string_view text) { return begins_json(text) ? read_json(text) : read_csv(text); }

}  // namespace roofline::xprof
