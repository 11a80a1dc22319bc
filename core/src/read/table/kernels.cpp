// Tables of kernels, one measurement per row, as CSV or JSON, whatever tool wrote them. columns/ tells what the columns hold; here rows
// become operations. docs/formats/kernels.md has the rules.
#include <algorithm>
#include <array>
#include <optional>
#include <roofline/base/text.hpp>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/operations/arguments.hpp"
#include "read/table/columns/category_columns.hpp"
#include "read/table/columns/header_words.hpp"
#include "read/table/columns/reading.hpp"
#include "read/table/repeated_rows.hpp"
#include "read/table/row_formats.hpp"
#include "read/table/row_numbers.hpp"
#include "read/table/row_types.hpp"
#include "read/table/stated_twice.hpp"
#include "workload/builder.hpp"
#include "workload/spread.hpp"

namespace roofline {
namespace {

std::string unknown_format(const CsvField& cell) {
  const auto near = Formats::catalogue().near(cell.view());
  return "unknown number format " + printed(cell.text().substr(0, 60)) + ": expected one such as " + (near.empty() ? "f16" : near[0]);
}

/// The rows of a table, which become operations.
class KernelRows {
 public:
  /// All of these outlive it.
  KernelRows(const ReadOptions& options, const ColumnMap& map, const TableRows& table, WorkloadBuilder& rows)
      : map_(map),
        table_(table),
        rows_(rows),
        keep_records_(options.keep_records),
        numbers_(map),
        formats_(map, options),
        types_(map, rows),
        twice_(map),
        spread_(map),
        categories_(possible_filters(map.header)) {
    if (spread_.any()) spread_measure_ = rows_.add_measure(time_spread, "s");
  }

  /// Adds the table's current row; `window` and `lines` are of the current text.
  void add(const TextWindow& window, const LineIndex& lines) {
    if (repeats_header() || is_remark() || did_not_run() || is_of_repetitions()) return;
    const std::size_t begin = table_.row_begin(), length = table_.row_end() - begin, fields = table_.fields().size();
    if (fields != map_.header.size())
      rows_.report(Severity::warning, [&] {
        return lines.at(begin, "the row has " + std::to_string(fields) + (fields == 1 ? " field" : " fields") + ": expected " +
                                   std::to_string(map_.header.size()) + ", as the header has");
      });
    OpClass traits;
    const auto fault = [&](std::size_t offset, std::string message) {  // the row gets no cost
      traits.invalid = true;
      rows_.report(Severity::error, [&] { return lines.at(offset, std::move(message)); });
    };
    const bool all_read = numbers_.read(table_, lines, rows_);
    const Cells& cells = numbers_.cells();
    const OperandFormats formats = formats_.of(table_);
    for (const CsvField* cell : formats.unknown)
      if (cell) fault(table_.offset(*cell), unknown_format(*cell));
    const RowType type = types_.of(table_);
    const std::optional<Work> arguments = map_.has(ColumnRole::dims) ? work_of_arguments(type) : std::nullopt;

    const Amounts a =
        amounts_of(cells, map_, type.family == OpFamily::matrix_product, map_.convolution(), arguments ? &*arguments : nullptr);
    if (!traits.invalid && !a.placed()) {
      traits.time_only = known(a.time) && all_read;
      if (!traits.time_only)
        fault(begin, (known(a.time) ? "this row has a time, and no work that can be read" : "this row has neither work nor a time") +
                         (": expected numbers in " + numbers_.headers()));
    }
    if (!traits.invalid && known(a.flops) && !(a.flops * a.count < 0x1p63)) fault(begin, "expected fewer than 2^63 FLOPs");
    const CsvField* name = table_.field(map_.at(ColumnRole::name));
    if (map_.has(ColumnRole::count) && name && repeated_.seen(a, name->view())) return;
    if (map_.has(ColumnRole::name) && repeated_.is_total(a, name ? name->view() : std::string_view())) return;
    twice_.compare(cells, a);

    WorkloadRow row;
    Numbers& n = row.numbers;
    traits.activation = formats.activation;
    traits.family = type.family;
    if (traits.invalid || traits.time_only) {
      time_only_ += traits.time_only ? 1 : 0;
      n.matrix_flops = n.activation = unknown;
    } else {
      const bool derived = arguments && a.work && !a.states_flops;
      derived_ += derived ? 1 : 0;
      assumed_formats_ += formats.assumed ? 1 : 0;
      put_work(a, type, formats, derived, n, traits);
    }
    n.time_s = a.time;
    traits.symbol = traits.invalid ? Symbol::star : type.op ? type.op->symbol : Symbol::diamond;
    check_success();

    if (a.count != 1) n = times(n, a.count);
    row.op_class = rows_.op_class(type.word, type.category, traits);
    if (name) row.name = name->escaped ? rows_.keep(name->text()) : rows_.keep(name->view());
    row.record = keep_records_ ? rows_.keep_record(window.text().substr(begin, length)) : SourceRange(window.source_offset(begin), length);
    row.shape_hash = numbers_.shape_hash();
    rows_.push(row);
    if (spread_.any()) rows_.set_measure(spread_measure_, spread_.of(table_));
    for (CategoryColumn& column : categories_) column.add(table_);
  }

  void reserve(std::size_t rows) {
    for (CategoryColumn& column : categories_) column.reserve(rows);
  }

  /// After the last: what was found, and the columns that rows can be filtered by.
  void finish() {
    note_ignored(column_uses(map_, spread_, categories_, rows_.size()), categories_, rows_);
    if (rows_.size() == 0 && not_run_ == 0) rows_.note(Severity::warning, "the table has a header and no rows");
    if (failed_ > 0)
      rows_.note(Severity::warning, std::to_string(failed_) + (failed_ == 1 ? " row is" : " rows are") + " marked " +
                                        printed(failed_word_) + " in the column " + map_.header_of(ColumnRole::success) +
                                        ": its tool does not vouch for them");
    if (not_run_ > 0)
      rows_.note(Severity::info, quantity(not_run_, "row is", "rows are") + " marked " + printed(not_run_word_) + " in the column " +
                                     map_.header_of(ColumnRole::success) + " and left out");
    if (statistics_ > 0)
      rows_.note(Severity::info, quantity(statistics_, "row is", "rows are") + " statistics of repetitions and left out");
    if (sentences_ > 0)
      rows_.note(Severity::warning, quantity(sentences_, "line of text is", "lines of text are") + " left out (first: " +
                                        printed(std::string_view(first_sentence_).substr(0, 60)) + "): expected rows of the table");
    numbers_.report(rows_);
    formats_.report(rows_, assumed_formats_);
    if (derived_ > 0)
      rows_.note(Severity::info, "FLOPs and bytes of " + quantity(derived_, "row") + " follow from the arguments in " +
                                     map_.header_of(ColumnRole::dims) + ": " + (derived_ == 1 ? "it states" : "they state") + " none");
    if (time_only_ > 0)
      rows_.note(Severity::info, quantity(time_only_, "row states", "rows state") +
                                     " a time but no work: shapes, FLOPs or bytes would place " + (time_only_ == 1 ? "it" : "them"));
    repeated_.report(rows_);
    twice_.report(rows_, map_);
    Diagnostics& said = rows_.workload().diagnostics;  // what is about the whole before what is about its rows
    std::stable_partition(said.begin(), said.end(), [](const Diagnostic& d) { return !d.op.has_value(); });
    for (CategoryColumn& column : categories_) column.keep(rows_.workload(), map_.header);
  }

 private:
  /// Tables that were put after each other have their header again.
  [[nodiscard]] bool repeats_header() const {
    const std::vector<CsvField>& fields = table_.fields();
    return fields.size() > 1 && fields[0].size > 0 && fields[0].view() == map_.header[0] && fields.size() == map_.header.size() &&
           fields[1].view() == map_.header[1];
  }

  /// A comment between the rows, or a sentence below them.
  bool is_remark() {
    const std::vector<CsvField>& fields = table_.fields();
    const auto is_filled = [](const CsvField& f) { return f.size > 0; };
    if (table_.is_json() || (fields.size() > 1 && is_filled(fields[0]) && fields[0].view()[0] != '#')) return false;  // most rows
    if (map_.header.size() < 2 || std::count_if(fields.begin(), fields.end(), is_filled) != 1) return false;
    const std::string_view text = without_blanks(std::find_if(fields.begin(), fields.end(), is_filled)->view());
    if (text.starts_with('#')) return true;
    constexpr std::ptrdiff_t most_blanks = 2;  // of a name
    if (fields.size() > 1 || std::count(text.begin(), text.end(), ' ') <= most_blanks) return false;
    if (sentences_++ == 0) first_sentence_ = text;
    return true;
  }

  /// A row of what its tool did not run: no time stands for it, and its work was not done.
  bool did_not_run() {
    const CsvField* cell = table_.field(map_.at(ColumnRole::success));
    if (!cell || !one_of(normalised(cell->view()), "notrun notsupported skipped invalidproblem optimizedout")) return false;
    if (not_run_++ == 0) not_run_word_ = cell->text();
    return true;
  }

  /// Google Benchmark's mean, median and deviation of the repetitions of a benchmark; without these, the mean stands for them.
  bool is_of_repetitions() {
    const CsvField* cell = table_.field(map_.at(ColumnRole::name));
    if (!map_.has(ColumnRole::time_unit) || !cell) return false;
    const std::string_view name = cell->view(), of = name.substr(0, name.rfind('_'));
    const std::string_view statistic = name.substr(std::min(of.size() + 1, name.size()));
    if (one_of(statistic, "mean median stddev cv min max") && of == repeated_name_) {
      ++statistics_;
      return true;
    }
    repeated_name_ = statistic == "mean" ? of : name;
    return false;
  }

  /// What the row's arguments amount to, in summaries of a few thousand rows; nullopt where the operator is not known, or does not say
  /// enough.
  std::optional<Work> work_of_arguments(const RowType& type) const {
    const CsvField *name = table_.field(map_.at(ColumnRole::name)), *shapes = table_.field(map_.at(ColumnRole::dims));
    if (!type.op || !name || !shapes) return {};
    const CsvField *types = table_.field(map_.at(ColumnRole::dim_types)), *values = table_.field(map_.at(ColumnRole::dim_values));
    return work_of_call(*type.op, name->text(), {shapes->view(), types ? types->view() : "", values ? values->view() : ""});
  }

  /// `derived`: the work follows from the row's arguments alone.
  void put_work(const Amounts& a, const RowType& type, const OperandFormats& formats, bool derived, Numbers& n, OpClass& traits) const {
    if (a.work) static_cast<Work&>(n) = *a.work;
    if (!derived) {
      const bool bytes_alone = known(a.bytes) && !map_.has(ColumnRole::rate) && !map_.has(ColumnRole::flops);
      const double flops = known(a.flops) ? a.flops : bytes_alone ? 0 : unknown;
      n.matrix_flops = type.vector ? 0 : flops;
      n.vector_flops = type.vector ? flops : 0;
    }
    n.given_bytes = a.bytes;
    traits.rates_only = a.rates_only;
    traits.matrix_work = n.matrix_flops > 0;
    traits.vector_work = n.vector_flops > 0;
    traits.measured_bytes = map_.measured_bytes && known(numbers_.cells()[ColumnRole::bytes]);
    if (a.work) {
      traits.weight = n.weight > 0 ? formats.weight : no_format;
      traits.output = formats.output;
      traits.kv = n.kv_read > 0 || n.kv_write > 0 ? formats.activation : no_format;
    } else {
      traits.roles_unknown = true;
      n.activation = known(a.bytes) ? a.bytes / Formats::catalogue()[formats.activation].bytes() : unknown;
    }
  }

  void check_success() {
    const CsvField* cell = table_.field(map_.at(ColumnRole::success));
    if (!cell) return;
    constexpr std::array<std::string_view, 8> bad = {"false", "no", "0", "failed", "fail", "error", "incorrect", "invalid"};
    if (std::find(bad.begin(), bad.end(), lower(cell->text())) == bad.end()) return;
    ++failed_;
    failed_word_ = cell->text();
  }

  const ColumnMap& map_;
  const TableRows& table_;
  WorkloadBuilder& rows_;
  const bool keep_records_;
  RowNumbers numbers_;
  RowFormats formats_;
  RowTypes types_;
  StatedTwice twice_;
  RepeatedRows repeated_;
  SpreadColumns spread_;
  std::size_t spread_measure_ = 0;
  std::vector<CategoryColumn> categories_;
  std::size_t failed_ = 0, assumed_formats_ = 0, derived_ = 0, time_only_ = 0, not_run_ = 0, sentences_ = 0, statistics_ = 0;  // rows
  std::string failed_word_, not_run_word_, first_sentence_, repeated_name_;
};

class KernelReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit KernelReader(ReadOptions options)
      : RowsReader(options.source_name, SourceFormat::kernels, options.limits), options_(std::move(options)) {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    if (!table_) {
      window.drop(before_table(window.text()));
      table_.emplace(window.text(), last);
      if (auto ok = start(); !ok) return ok;
    } else {
      table_->reset(window.text(), window.start(), last);
    }
    const LineIndex lines = window.lines();
    for (;;) {
      const auto more = table_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      if (table_->row_end() - table_->row_begin() > options_.longest_record)
        return Unexpected(too_long(lines, table_->row_begin(), options_.longest_record));
      kernels_->add(window, lines);
    }
    window.drop(table_->position());
    rows_.reserve_for(window.source_offset(0) - options_.first_byte, options_.source_bytes);
    kernels_->reserve(rows_.workload().op_class.capacity());
    return {};
  }

  Workload take() override {
    kernels_->finish();
    return rows_.take();
  }

 private:
  Result<void> start() {
    if (auto ok = table_->start(); !ok) return ok;
    if (std::string missing; !table_->rename(options_.columns, missing)) return fail("no column is called " + printed(missing), "columns");
    if (table_->header().empty()) return fail("a table without columns: expected a header such as name,M,N,K,dtype,time_us");
    map_ = table_->column_map();
    note_equal_headers();
    if (auto ok = settle_reading(*map_, *table_, rows_); !ok) return ok;
    if (!map_->is_own_csv()) note_lacking_units();
    kernels_.emplace(options_, *map_, *table_, rows_);
    return {};
  }

  void note_equal_headers() {
    Interner headers;
    for (const std::string& h : map_->header) {
      bool is_new = false;
      headers.intern(h, &is_new);
      if (!is_new && meaning_of(h).role != ColumnRole::none)
        rows_.note(Severity::warning, "two columns are called " + printed(h) + ": the first is used");
    }
  }

  void note_lacking_units() {
    for (std::size_t i = 0; i < map_->header.size(); ++i) {
      const ColumnMeaning m = meaning_of(map_->header[i]);
      const char* units = m.scale > 0 || map_->used_as(static_cast<int>(i)) != ColumnRole::none ? nullptr
                          : m.role == ColumnRole::time_sum  ? "of time and is not used: expected ns, us, ms or s"
                          : m.role == ColumnRole::rate      ? "of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s"
                          : m.role == ColumnRole::bandwidth ? "of a bandwidth and is not used: expected B/s, GB/s or GiB/s"
                                                            : nullptr;
      if (units)
        rows_.note(Severity::warning, "the column " + map_->header_of(static_cast<int>(i)) + " names no unit " + units + " in its header");
    }
  }

  const ReadOptions options_;
  std::optional<TableRows> table_;
  std::optional<ColumnMap> map_;
  std::optional<KernelRows> kernels_;
};

/// A list of operations has types, shapes and words of its own; records without any of them that speak of kernels (a format, a batch, M, a
/// time) are a table of kernels, though it may lack what places them.
bool speaks_of_kernels(const ColumnMap& p) {
  const Keys keys;
  constexpr std::array shapes = {key::type,       key::input_shape,      key::output_shape,  key::input_mat1,
                                 key::input_mat2, key::input_input,      key::input_self,    key::input_other,
                                 key::inputs,     key::normalized_shape, key::indices_shape, key::weight_shape};
  constexpr std::array spelled = {key::data_type, key::weight_type,  key::output_type, key::kv_type,
                                  key::time_ns,   key::predicted_ns, key::hw_bytes};
  const auto is_operation_key = [&](ColumnRole role) {
    const Key known = p.has(role) ? keys.find(p.raw_header(role)) : Key{};
    return !p.has(role) || known != Keys::npos;
  };
  const bool all_operation_keys = is_operation_key(ColumnRole::name) && is_operation_key(ColumnRole::flops) &&
                                  is_operation_key(ColumnRole::macs) && is_operation_key(ColumnRole::bytes) &&
                                  is_operation_key(ColumnRole::time);
  bool kernels = false;
  for (const std::string& h : p.header) {
    const Key known = keys.find(h);
    if (std::find(shapes.begin(), shapes.end(), known) != shapes.end()) return false;
    if (all_operation_keys && std::find(spelled.begin(), spelled.end(), known) != spelled.end() && h == key_name(known)) return false;
    const ColumnRole role = meaning_of(h).role;
    kernels = kernels || (role != ColumnRole::none && role != ColumnRole::name && role != ColumnRole::type && role != ColumnRole::count);
  }
  return kernels && !(p.states_work() && all_operation_keys);
}

bool names_time_unit(const ColumnMap& map) {
  return (map.has(ColumnRole::time) && map.unit(ColumnRole::time) > 0) || map.has(ColumnRole::time_sum);
}

}  // namespace

bool detects_kernels(std::string_view text) {
  text.remove_prefix(before_table(text));
  if (first_visible(text) == '\0') return false;
  TableRows rows(text, true);
  if (!rows.start() || rows.header().size() < 2) return false;
  if (!rows.is_json()) return true;
  const ColumnMap map = rows.column_map();
  const bool measured = map.has(ColumnRole::rate) || map.has(ColumnRole::intensity) || map.has(ColumnRole::bandwidth) ||
                        (map.product() && map.has(ColumnRole::time));
  // Many tools write a JSON object that holds a list; it is a table only if its rows have times, of work or of something with a name.
  if (!rows.may_be_operations())
    return measured || (map.states_work() && map.timed()) || (map.has(ColumnRole::name) && names_time_unit(map));
  // A list of operations has types and times; only a table of measurements has rates or intensities.
  if (std::find(rows.header().begin(), rows.header().end(), "type") != rows.header().end()) return false;
  if (measured) return true;
  return (first_visible(text) == '[' || rows.has_lines() || (map.states_work() && map.timed())) && speaks_of_kernels(map);
}

std::unique_ptr<FormatReader> open_kernels(const ReadOptions& options) { return std::make_unique<KernelReader>(options); }

}  // namespace roofline
