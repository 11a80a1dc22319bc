// Tables of kernels, one measurement per row, as CSV or JSON, whatever tool wrote them. columns/column_meaning.cpp tells what a header
// means, columns/reading.cpp how the columns are to be read together; here rows become operations. docs/formats/kernels.md has the rules.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "base/joined.hpp"
#include "base/letters.hpp"
#include "read/assumed_format.hpp"
#include "read/formats.hpp"
#include "read/operations/arguments.hpp"
#include "read/operations/operations.hpp"
#include "read/table/columns/category_columns.hpp"
#include "read/table/columns/reading.hpp"
#include "read/table/kernel_amounts.hpp"
#include "read/table/repeated_rows.hpp"
#include "read/table/stated_twice.hpp"
#include "read/text/format_words.hpp"
#include "workload/builder.hpp"
#include "workload/spread.hpp"

namespace roofline {
namespace {

double width(FormatId format) { return Formats::catalogue()[format].bytes(); }

class KernelReader final : public FormatReader {
 public:
  explicit KernelReader(ReadOptions options)
      : options_(std::move(options)), rows_(options_.source_name, SourceFormat::kernels, options_.limits) {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    window_ = &window;
    lines_ = window.lines();
    if (!table_) {
      window.drop(before_table(window.text()));
      lines_ = window.lines();
      table_.emplace(window.text(), last);
      if (auto ok = start(); !ok) return ok;
    } else {
      table_->reset(window.text(), window.start(), last);
    }
    for (;;) {
      const auto more = table_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      if (table_->row_end() - table_->row_begin() > options_.longest_record)
        return Unexpected(too_long(lines_, table_->row_begin(), options_.longest_record));
      read_row();
    }
    window.drop(table_->position());
    rows_.reserve_for(window.source_offset(0) - options_.first_byte, options_.source_bytes);
    for (CategoryColumn& column : categories_) column.reserve(rows_.workload().op_class.capacity());
    return {};
  }

  const WorkloadBuilder& rows() const override { return rows_; }
  Workload take() override {
    note_ignored(column_uses(*map_, *spread_, categories_, rows_.size()), categories_, rows_);
    if (rows_.size() == 0) rows_.note(Severity::warning, "the table has a header and no rows");
    if (failed_ > 0)
      rows_.note(Severity::warning, std::to_string(failed_) + (failed_ == 1 ? " row is" : " rows are") + " marked " +
                                        printed(failed_word_) + " in the column " + map_->header_of(ColumnRole::success) +
                                        ": its tool does not vouch for them");
    for (const auto& [column, found] : without_number_)
      rows_.note(Severity::info, map_->header_of(static_cast<int>(column)) + ": no number in " + quantity(found.rows, "row") +
                                     " (first: " + printed(found.word) + "); taken as not known");
    if (by_name_formats_ > 0)
      rows_.note(Severity::info, quantity(by_name_formats_, "row") + " of a format by the name of the kernel: no column has it");
    if (map_->formats.empty() && map_->places() && map_->format == no_format && by_name_formats_ < rows_.size())
      rows_.note(Severity::info, "no column names a number format: " + is_assumed(assumed_), std::string(assumed_key));
    else if (unformatted_ > 0 && !map_->formats.empty())
      rows_.note(Severity::info,
                 quantity(unformatted_, "row") + (unformatted_ == 1 ? " names" : " name") + " no number format: " + is_assumed(assumed_),
                 std::string(assumed_key));
    if (derived_ > 0)
      rows_.note(Severity::info, "FLOPs and bytes of " + quantity(derived_, "row") + " follow from the arguments in " +
                                     map_->header_of(ColumnRole::dims) + ": " + (derived_ == 1 ? "it states" : "they state") + " none");
    if (time_only_ > 0)
      rows_.note(Severity::info, quantity(time_only_, "row") + (time_only_ == 1 ? " states" : " state") +
                                     " a time and nothing that was done in it: time only");
    repeated_.report(rows_);
    twice_.report(rows_, *map_);
    Diagnostics& said = rows_.workload().diagnostics;  // what is about the whole before what is about its rows
    std::stable_partition(said.begin(), said.end(), [](const Diagnostic& d) { return !d.op.has_value(); });
    for (CategoryColumn& column : categories_) column.keep(rows_.workload(), table_->header());
    return rows_.take();
  }

 private:
  struct NumberColumn {
    std::size_t column, role;
    double scale;
  };
  struct Type {
    std::uint32_t category = 0;  ///< a word
    const Operator* op = nullptr;
    OpFamily family = OpFamily::other;  ///< a matrix product: M, N, K are its sizes
    bool vector = false;                ///< its FLOPs are the vector unit's
    bool known = false;
  };

  // --- the columns ---------------------------------------------------------------------------------------------------------------------

  Result<void> start() {
    if (auto ok = table_->start(); !ok) return ok;
    if (std::string missing; !table_->rename(options_.columns, missing)) return fail("no column is called " + printed(missing), "columns");
    const std::vector<std::string>& header = table_->header();
    if (header.empty()) return fail("a table without columns: expected a header such as name,M,N,K,dtype,time_us");
    map_.emplace(header);
    Interner headers;
    for (const std::string& h : header) {
      bool is_new = false;
      headers.intern(h, &is_new);
      if (!is_new && meaning_of(h).role != ColumnRole::none)
        rows_.note(Severity::warning, "two columns are called " + printed(h) + ": the first is used");
    }
    if (auto ok = settle_reading(*map_, *table_, rows_); !ok) return ok;
    for (std::size_t i = 0; i < header.size(); ++i) {
      const std::string& h = header[i];
      const ColumnMeaning m = meaning_of(h);
      const char* units = m.scale > 0 || map_->used_as(static_cast<int>(i)) != ColumnRole::none ? nullptr
                          : m.role == ColumnRole::time_sum  ? "of time and is not used: expected ns, us, ms or s"
                          : m.role == ColumnRole::rate      ? "of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s"
                          : m.role == ColumnRole::bandwidth ? "of a bandwidth and is not used: expected B/s, GB/s or GiB/s"
                                                            : nullptr;
      if (units) rows_.note(Severity::warning, "the column " + printed(h) + " names no unit " + units + " in its header");
    }
    if (options_.assumed_format == no_format && map_->format != no_format) assumed_ = map_->format;
    shape_type_ = type_called(map_->product() ? "gemm" : map_->convolution() ? "conv" : "kernel");
    twice_ = StatedTwice(*map_);
    spread_.emplace(*map_);
    if (spread_->any()) spread_measure_ = rows_.add_measure(time_spread, "s");
    for (std::size_t r = 0; r < role_count; ++r) {
      if (map_->column[r] == ColumnMap::none || !is_quantity(static_cast<ColumnRole>(r))) continue;
      numbers_.push_back({static_cast<std::size_t>(map_->column[r]), r, map_->scale[r]});
      if (r >= static_cast<std::size_t>(ColumnRole::m) && r <= static_cast<std::size_t>(ColumnRole::filters)) shape_.push_back(r);
    }
    categories_ = possible_filters(header);
    return {};
  }

  // --- one row -------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] const CsvField* field(ColumnRole role) const { return table_->field(map_->at(role)); }

  void read_row() {
    fault_ = false;
    if (repeats_header()) return;
    if (table_->fields().size() != table_->header().size())
      rows_.report(Severity::warning, [&] {
        return lines_.at(table_->row_begin(), "the row has " + std::to_string(table_->fields().size()) +
                                                  (table_->fields().size() == 1 ? " field" : " fields") + ": expected " +
                                                  std::to_string(table_->header().size()) + ", as the header has");
      });
    const bool all_read = read_cells();
    OpClass traits;
    const FormatId format = read_row_format();
    const FormatId weight = read_format(ColumnRole::weight_format, format);
    const FormatId output = read_format(ColumnRole::output_format, map_->output != no_format ? map_->output : format);
    const std::uint32_t type_word = read_type();
    const CsvField* name = field(ColumnRole::name);
    const Type* type = &types_[type_word];
    const Work* arguments = nullptr;
    if (map_->has(ColumnRole::dims) && name) {
      const Type& by_name = type_by_name(name->text());
      if (by_name.op) type = &by_name;
      arguments = work_of_arguments(*type, name->text());
    }

    Amounts a = amounts_of(cells_, *map_, type->family == OpFamily::matrix_product, map_->convolution(), arguments);
    const bool time_only = !a.placed() && known(a.time) && all_read && !fault_;
    if (!a.placed() && !time_only && !fault_)
      fault(table_->row_begin(), "nothing places this row: expected a number in " + placing_columns());
    if (known(a.flops) && !(a.flops * a.count < 0x1p63) && !fault_) fault(table_->row_begin(), "expected fewer than 2^63 FLOPs");
    if (map_->has(ColumnRole::count) && name && repeated_.seen(a, name->view())) return;
    if (map_->has(ColumnRole::name) && repeated_.is_total(a, name ? name->view() : std::string_view())) return;
    twice_.compare(cells_, a);

    WorkloadRow row;
    Numbers& n = row.numbers;
    traits.activation = format;
    traits.family = type->family;
    if (fault_ || time_only) {
      traits.invalid = fault_;
      traits.time_only = time_only;
      time_only_ += time_only ? 1 : 0;
      n.matrix_flops = n.activation = unknown;
    } else {
      const bool bytes_alone = known(a.bytes) && !map_->has(ColumnRole::rate) && !map_->has(ColumnRole::flops);
      const bool derived = arguments && a.work && !a.states_flops;
      derived_ += derived ? 1 : 0;
      unformatted_ += unformatted_row_ ? 1 : 0;
      const double flops = known(a.flops) ? a.flops : bytes_alone ? 0 : unknown;
      n.matrix_flops = derived ? a.work->matrix_flops : type->vector ? 0 : flops;
      n.vector_flops = derived ? a.work->vector_flops : type->vector ? flops : 0;
      n.given_bytes = a.bytes;
      traits.rates_only = a.rates_only;
      traits.matrix_work = n.matrix_flops > 0;
      traits.vector_work = n.vector_flops > 0;
      if (a.work) {
        n.weight = a.work->weight;
        n.activation = a.work->activation;
        n.output = a.work->output;
        n.kv_read = a.work->kv_read;
        n.kv_write = a.work->kv_write;
        n.sizes = a.work->sizes;
        traits.weight = n.weight > 0 ? weight : no_format;
        traits.output = output;
        traits.kv = n.kv_read > 0 || n.kv_write > 0 ? format : no_format;
      } else {
        traits.roles_unknown = true;
        n.activation = known(a.bytes) ? a.bytes / width(format) : unknown;
      }
      traits.measured_bytes = map_->measured_bytes && known(cells_[ColumnRole::bytes]);
    }
    n.time_s = a.time;
    traits.symbol = traits.invalid ? Symbol::star : type->op ? type->op->symbol : Symbol::diamond;
    check_success();

    const std::size_t begin = table_->row_begin(), length = table_->row_end() - begin;
    if (a.count != 1) n = times(n, a.count);
    row.op_class = rows_.op_class(type_word, type->category, traits);
    if (name) row.name = keep(*name);
    row.record = options_.keep_records ? rows_.keep_record(window_->text().substr(begin, length))
                                       : SourceRange(window_->source_offset(begin), length);
    row.shape_hash = shape_hash();
    rows_.push(row);
    if (spread_->any()) rows_.set_measure(spread_measure_, spread_->of(*table_));
    for (CategoryColumn& column : categories_) column.add(*table_);
  }

  /// A cell that cannot be read is as good as none: what else the row says may place it. False where there was one.
  bool read_cells() {
    bool all = true;
    const std::vector<CsvField>& fields = table_->fields();
    for (const NumberColumn& c : numbers_) {
      double& cell = cells_.values[c.role];
      cell = unknown;
      if (c.column >= fields.size()) {
        all = false;
        continue;
      }
      const CsvField& f = fields[c.column];
      double value = unknown;
      const bool is_number = table_->read(f, value);
      const bool is_time = c.role == static_cast<std::size_t>(ColumnRole::time) || c.role == static_cast<std::size_t>(ColumnRole::time_sum);
      const char* expected = !is_number                                                  ? "a number"
                             : value < 0 || value > 0x1p63                               ? "a number from 0 to 2^63"
                             : is_time && value > 0 && value * c.scale < shortest_time_s ? "a time of at least 1 ps"
                                                                                         : nullptr;
      if (!expected) {
        cell = value * c.scale;
        if (f.size > 0 && !known(value)) note_word(c.column, f);
        continue;
      }
      all = false;
      rows_.report(Severity::warning, [&] {
        return lines_.at(f.size > 0 ? table_->offset(f) : table_->row_begin(), table_->header()[c.column] + ": expected " + expected +
                                                                                   ", found " + printed(f.text().substr(0, 60)) +
                                                                                   ": the cell is not used");
      });
    }
    return all;
  }

  /// Counts a cell that states that it has no number, such as "NaN" or "n/a".
  void note_word(std::size_t column, const CsvField& f) {
    WithoutNumber& found = without_number_[column];
    if (found.rows++ == 0) found.word = f.text();
  }

  /// Tables that were put after each other have their header again.
  [[nodiscard]] bool repeats_header() const {
    const std::vector<CsvField>& fields = table_->fields();
    return fields.size() > 1 && fields[0].size > 0 && fields[0].view() == table_->header()[0] && fields.size() == table_->header().size() &&
           fields[1].view() == table_->header()[1];
  }

  [[nodiscard]] std::string placing_columns() const {
    std::string out;
    for (const NumberColumn& c : numbers_)
      if (out.size() < 120) out += (out.empty() ? "" : " or ") + table_->header()[c.column];
    return out;
  }

  /// The first of the columns that name formats which names one in this row.
  FormatId read_row_format() {
    const CsvField* unread = nullptr;
    for (const int c : map_->formats) {
      const CsvField* f = table_->field(c);
      if (!f) continue;
      if (const FormatId format = format_of(*f); format != no_format) return unformatted_row_ = false, format;
      if (!unread && c != map_->at(ColumnRole::dim_types)) unread = f;
    }
    unformatted_row_ = true;
    if (unread) return unknown_format(*unread);
    if (const CsvField* name = field(ColumnRole::name); name && map_->format == no_format && options_.assumed_format == no_format) {
      bool is_new = false;
      const std::uint32_t id = format_kernels_.intern(name->view(), &is_new);
      if (is_new) of_kernel_.push_back(format_of_kernel(name->view()));
      if (of_kernel_[id] != no_format) return ++by_name_formats_, unformatted_row_ = false, of_kernel_[id];
    }
    return assumed_;
  }
  FormatId read_format(ColumnRole role, FormatId otherwise) {
    const CsvField* f = field(role);
    if (!f) return otherwise;
    const FormatId format = format_of(*f);
    return format != no_format ? format : unknown_format(*f);
  }
  FormatId format_of(const CsvField& f) {
    bool is_new = false;
    const std::uint32_t id = format_names_.intern(f.view(), &is_new);
    if (is_new) formats_.push_back(format_in(f.view()));
    return formats_[id];
  }
  FormatId unknown_format(const CsvField& f) {
    const auto near = Formats::catalogue().near(f.view());
    fault(table_->offset(f),
          "unknown number format " + printed(f.text().substr(0, 60)) + ": expected one such as " + (near.empty() ? "f16" : near[0]));
    return assumed_;
  }

  /// The row's type: its column's, else what its shape says.
  std::uint32_t read_type() {
    const CsvField* f = field(ColumnRole::type);
    if (!f) return shape_type_;
    return f->escaped ? type_called(f->text()) : type_called(f->view());
  }
  std::uint32_t type_called(std::string_view name) {
    const std::uint32_t word = rows_.word(name);
    if (word >= types_.size()) types_.resize(word + 1);
    if (!types_[word].known) types_[word] = type_of(name);
    return word;
  }
  Type type_of(std::string_view name) {
    Type type;
    type.known = true;
    type.op = find_operator(name);
    type.category = rows_.word(type.op ? to_string(type.op->family) : "kernel");
    const std::string low = lower(name);
    const bool product = low.find("gemm") != std::string::npos || low.find("matmul") != std::string::npos;
    type.family = type.op ? type.op->family : product ? OpFamily::matrix_product : OpFamily::other;
    // What is no product or convolution runs on the vector unit (docs/reference/conventions.md).
    type.vector =
        type.op && type.family != OpFamily::matrix_product && type.family != OpFamily::convolution && type.family != OpFamily::attention;
    return type;
  }

  // --- arguments, in tables that list them: summaries of a few thousand rows -----------------------------------------------------------

  const Type& type_by_name(const std::string& name) {
    bool is_new = false;
    const std::uint32_t id = operator_names_.intern(name, &is_new);
    if (is_new) by_name_.push_back(type_of(name));
    return by_name_[id];
  }
  /// What the row's arguments amount to; null where the operator is not known, or does not say enough.
  const Work* work_of_arguments(const Type& type, const std::string& name) {
    const CsvField* shapes = field(ColumnRole::dims);
    if (!type.op || !shapes) return nullptr;
    const CsvField *types = field(ColumnRole::dim_types), *values = field(ColumnRole::dim_values);
    const ArgumentLists lists{shapes->view(), types ? types->view() : "", values ? values->view() : ""};
    derived_work_ = work_of_call(*type.op, name, lists);
    return derived_work_ ? &*derived_work_ : nullptr;
  }

  void check_success() {
    const CsvField* f = field(ColumnRole::success);
    if (!f) return;
    constexpr std::array<std::string_view, 8> bad = {"false", "no", "0", "failed", "fail", "error", "incorrect", "invalid"};
    if (std::find(bad.begin(), bad.end(), lower(f->text())) == bad.end()) return;
    ++failed_;
    failed_word_ = f->text();
  }

  TextRange keep(const CsvField& f) { return rows_.keep(f.escaped ? std::string_view(f.text()) : f.view()); }

  [[nodiscard]] std::uint32_t shape_hash() const {
    std::uint64_t h = 0;
    for (const std::size_t r : shape_) {
      std::uint64_t bits = 0;
      if (known(cells_.values[r])) std::memcpy(&bits, &cells_.values[r], sizeof bits);
      h = (h ^ bits) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h >> 16);
  }

  /// The row gets no cost.
  void fault(std::size_t offset, std::string message) {
    fault_ = true;
    rows_.report(Severity::error, [&] { return lines_.at(offset, std::move(message)); });
  }

  const ReadOptions options_;
  WorkloadBuilder rows_;
  TextWindow* window_ = nullptr;  // while reading
  LineIndex lines_;
  std::optional<TableRows> table_;
  std::optional<ColumnMap> map_;
  std::vector<NumberColumn> numbers_;
  std::vector<std::size_t> shape_;  // of these, the roles that make a shape
  Cells cells_;                     // of the row being read
  StatedTwice twice_;
  std::optional<SpreadColumns> spread_;
  std::size_t spread_measure_ = 0;
  RepeatedRows repeated_;
  std::vector<CategoryColumn> categories_;
  Interner format_names_, format_kernels_;
  std::vector<FormatId> of_kernel_;  // by format_kernels_: what a kernel's name says
  std::vector<FormatId> formats_;    // by format_names_
  std::vector<Type> types_;          // by word
  std::uint32_t shape_type_ = 0;     // of a row that names no type: what the columns of shapes say
  Interner operator_names_;
  std::vector<Type> by_name_;  // by operator_names_
  std::optional<Work> derived_work_;
  struct WithoutNumber {
    std::size_t rows = 0;
    std::string word;  // of the first
  };
  std::map<std::size_t, WithoutNumber> without_number_;  // by column
  std::size_t failed_ = 0, unformatted_ = 0, derived_ = 0, time_only_ = 0, by_name_formats_ = 0;
  std::string failed_word_;
  bool fault_ = false, unformatted_row_ = false;  // of the row being read
  FormatId assumed_ = assumed_format(options_, "fp32");
};

/// A list of operations has types, shapes and words of its own; records without any of them that speak of kernels (a format, a batch, M, a
/// time) are a table of kernels, though it may lack what places them.
bool speaks_of_kernels(const std::vector<std::string>& header, const ColumnMap& p) {
  const Keys keys;
  constexpr std::array shapes = {key::type,       key::input_shape,      key::output_shape,  key::input_mat1,
                                 key::input_mat2, key::input_input,      key::input_self,    key::input_other,
                                 key::inputs,     key::normalized_shape, key::indices_shape, key::weight_shape};
  constexpr std::array spelled = {key::data_type, key::weight_type,  key::output_type, key::kv_type,
                                  key::time_ns,   key::predicted_ns, key::hw_bytes};
  bool kernels = false;
  for (const std::string& h : header) {
    const Key known = keys.find(h);
    if (std::find(shapes.begin(), shapes.end(), known) != shapes.end()) return false;
    if (std::find(spelled.begin(), spelled.end(), known) != spelled.end() && h == key_name(known)) return false;
    const ColumnRole role = meaning_of(h).role;
    kernels = kernels || (role != ColumnRole::none && role != ColumnRole::name && role != ColumnRole::type && role != ColumnRole::count);
  }
  const auto known_there = [&](ColumnRole role) {
    const Key known = p.has(role) ? keys.find(header[static_cast<std::size_t>(p.at(role))]) : Key{};
    return !p.has(role) || (known != Keys::npos && (role != ColumnRole::time || known == key::time_ns));
  };
  const bool placed_there = (p.has(ColumnRole::flops) || p.has(ColumnRole::macs) || p.has(ColumnRole::bytes)) &&
                            known_there(ColumnRole::flops) && known_there(ColumnRole::macs) && known_there(ColumnRole::bytes) &&
                            known_there(ColumnRole::time);
  return kernels && !placed_there;
}

}  // namespace

bool detects_kernels(std::string_view text) {
  text.remove_prefix(before_table(text));
  if (first_visible(text) == '\0') return false;
  TableRows rows(text, true);
  if (!rows.start() || rows.header().size() < 2) return false;
  if (!rows.is_json()) return true;
  // A list of operations has types and times; only a table of measurements has rates or intensities.
  const ColumnMap map(rows.header());
  if (std::find(rows.header().begin(), rows.header().end(), "type") != rows.header().end()) return false;
  if (map.has(ColumnRole::rate) || map.has(ColumnRole::intensity) || map.has(ColumnRole::bandwidth) ||
      (map.product() && map.has(ColumnRole::time)))
    return true;
  return first_visible(text) == '[' && speaks_of_kernels(rows.header(), map);
}

std::unique_ptr<FormatReader> open_kernels(const ReadOptions& options) { return std::make_unique<KernelReader>(options); }

}  // namespace roofline
