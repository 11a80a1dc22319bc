// Tables of kernels, one measurement per row, as CSV or JSON, whatever tool wrote them. columns.cpp tells what a header means; here rows
// become operations. docs/kernels.md has the rules.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "read/category_columns.hpp"
#include "read/column_map.hpp"
#include "read/formats.hpp"
#include "read/kernel_amounts.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr bool numeric(Role role) {
  return role != Role::none && role != Role::name && role != Role::type && role != Role::format && role != Role::weight_format &&
         role != Role::output_format && role != Role::success;
}

double width(FormatId format) { return Formats::catalogue()[format].bytes(); }

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// "('c10::BFloat16', 'c10::BFloat16')" and "f16:column" name a format; so does "bf16".
FormatId format_in(std::string_view text) {
  const auto& formats = Formats::catalogue();
  if (const auto whole = formats.find(text)) return *whole;
  constexpr std::string_view inside = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:";
  const std::size_t begin = text.find_first_of(inside);
  if (begin == std::string_view::npos) return no_format;
  const std::string_view word = text.substr(begin, text.find_first_not_of(inside, begin) - begin);
  if (const auto found = formats.find(word)) return *found;
  return formats.find(word.substr(0, word.find(':'))).value_or(no_format);
}

class KernelReader final : public FormatReader {
 public:
  explicit KernelReader(ReadOptions options) : options_(std::move(options)), rows_(options_.source_name, "kernels") {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    window_ = &window;
    lines_ = window.lines();
    if (!table_) {
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
    return {};
  }

  Workload take() override {
    if (rows_.size() == 0) rows_.note(Severity::warning, "the table has a header and no rows");
    if (failed_ > 0)
      rows_.note(Severity::warning, std::to_string(failed_) + (failed_ == 1 ? " row is" : " rows are") + " marked " +
                                        printed(failed_word_) + " in the column " +
                                        printed(table_->header()[static_cast<std::size_t>(map_->at(Role::success))]) +
                                        ": its tool does not vouch for them");
    for (CategoryColumn& column : categories_) column.keep(rows_.workload(), table_->header());
    return rows_.take();
  }

 private:
  // --- the columns ---------------------------------------------------------------------------------------------------------------------

  Result<void> start() {
    if (auto ok = table_->start(); !ok) return ok;
    const std::vector<std::string>& header = table_->header();
    if (header.empty()) return fail("a table without columns: expected a header such as name,M,N,K,dtype,time_us");
    map_.emplace(header);
    if (!map_->enough()) return Unexpected(lacks_columns(header, *map_));
    for (std::size_t i = 0; i < header.size(); ++i) {
      const auto first = std::find(header.begin(), header.end(), header[i]) - header.begin();
      if (static_cast<std::size_t>(first) != i && !header[i].empty())
        rows_.note(Severity::warning, "two columns are called " + printed(header[i]) + ": the first is used");
    }
    for (const std::string& h : header) {
      const ColumnMeaning m = meaning_of(h);
      const char* units = m.scale > 0                 ? nullptr
                          : m.role == Role::time_sum  ? "of time and is not used: expected ns, us, ms or s"
                          : m.role == Role::rate      ? "of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s"
                          : m.role == Role::bandwidth ? "of a bandwidth and is not used: expected B/s, GB/s or GiB/s"
                                                      : nullptr;
      if (units) rows_.note(Severity::warning, "the column " + printed(h) + " names no unit " + units + " in its header");
    }
    if (auto ok = find_units(*map_, *table_, rows_); !ok) return ok;
    if (!map_->has(Role::format)) rows_.note(Severity::info, "no column names a number format: FP32 is assumed");
    for (std::size_t r = 0; r < role_count; ++r)
      if (map_->column[r] != ColumnMap::none && numeric(static_cast<Role>(r)))
        numbers_.push_back({static_cast<std::size_t>(map_->column[r]), r, map_->scale[r]});
    for (std::size_t i = 0; i < header.size(); ++i) {
      const Role role = meaning_of(header[i]).role;
      const bool figure = role == Role::time || role == Role::time_sum || role == Role::flops || role == Role::macs || role == Role::rate ||
                          role == Role::bytes || role == Role::bandwidth || role == Role::intensity || role == Role::name ||
                          role == Role::count;
      if (!figure && !header[i].empty()) categories_.emplace_back(i);
    }
    return {};
  }

  // --- one row -------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] const CsvField* field(Role role) const {
    const int c = map_->at(role);
    if (c == ColumnMap::none || static_cast<std::size_t>(c) >= table_->fields().size()) return nullptr;
    const CsvField& f = table_->fields()[static_cast<std::size_t>(c)];
    return f.size > 0 ? &f : nullptr;
  }

  void read_row() {
    fault_ = false;
    if (table_->fields().size() != table_->header().size())
      rows_.report(Severity::warning, [&] {
        return lines_.at(table_->row_begin(), "the row has " + std::to_string(table_->fields().size()) +
                                                  (table_->fields().size() == 1 ? " field" : " fields") + ": expected " +
                                                  std::to_string(table_->header().size()) + ", as the header has");
      });
    const Cells cell = read_cells();
    OpClass traits;
    const FormatId format = read_format(Role::format, fp32_);
    const FormatId weight = read_format(Role::weight_format, format), output = read_format(Role::output_format, format);
    const std::uint32_t type_word = read_type();
    const Type& type = types_[type_word];

    Amounts a = amounts_of(cell, type.product, map_->convolution());
    if (!a.placed() && !fault_) fault(table_->row_begin(), "nothing places this row: expected a number in " + placing_columns());
    if (known(a.flops) && !(a.flops * a.count < 0x1p63) && !fault_) fault(table_->row_begin(), "expected fewer than 2^63 FLOPs");

    Numbers n;
    traits.activation = format;
    if (fault_) {
      traits.invalid = true;
      n.matrix_flops = n.activation = unknown;
    } else {
      const bool bytes_alone = known(a.bytes) && !map_->has(Role::rate) && !map_->has(Role::flops);
      n.matrix_flops = known(a.flops) ? a.flops : bytes_alone ? 0 : unknown;
      n.given_bytes = a.bytes;
      traits.rates_only = a.rates_only;
      traits.matrix_work = n.matrix_flops > 0;
      if (a.roles) {
        n.weight = a.work.weight;
        n.activation = a.work.activation;
        n.output = a.work.output;
        traits.weight = n.weight > 0 ? weight : no_format;
        traits.output = output;
      } else {
        traits.roles_unknown = true;
        n.activation = known(a.bytes) ? a.bytes / width(format) : unknown;
      }
      traits.measured_bytes = map_->measured_bytes && known(cell[Role::bytes]);
    }
    n.time_s = a.time;
    traits.symbol = traits.invalid ? Symbol::star : type.op ? type.op->symbol : Symbol::diamond;
    check_success();

    const std::size_t begin = table_->row_begin(), length = table_->row_end() - begin;
    const CsvField* name = field(Role::name);
    rows_.push({rows_.op_class(type_word, type.category, traits), times(n, a.count), name ? keep(*name) : TextRange(),
                options_.keep_records ? rows_.keep_record(window_->text().substr(begin, length))
                                      : SourceRange(window_->source_offset(begin), length),
                shape_hash(cell)});
    for (CategoryColumn& column : categories_) column.add(*table_);
  }

  Cells read_cells() {
    Cells cell;
    const std::vector<CsvField>& fields = table_->fields();
    for (const NumberColumn& c : numbers_) {
      if (c.column >= fields.size()) continue;
      const CsvField& f = fields[c.column];
      double value = unknown;
      const bool is_number = table_->read(f, value);
      if (is_number && !(value < 0) && !(value > 0x1p63)) {
        cell.values[c.role] = value * c.scale;
        continue;
      }
      fault(f.size > 0 ? table_->offset(f) : table_->row_begin(), table_->header()[c.column] + ": expected a number" +
                                                                      (is_number ? " from 0 to 2^63" : "") + ", found " +
                                                                      printed(f.text().substr(0, 60)));
    }
    return cell;
  }

  [[nodiscard]] std::string placing_columns() const {
    std::string out;
    for (const NumberColumn& c : numbers_)
      if (out.size() < 120) out += (out.empty() ? "" : " or ") + table_->header()[c.column];
    return out;
  }

  FormatId read_format(Role role, FormatId otherwise) {
    const CsvField* f = field(role);
    if (!f) return otherwise;
    bool is_new = false;
    const std::uint32_t id = format_names_.intern(f->view(), &is_new);
    if (is_new) formats_.push_back(format_in(f->view()));
    if (formats_[id] != no_format) return formats_[id];
    const auto near = Formats::catalogue().near(f->view());
    fault(table_->offset(*f),
          "unknown number format " + printed(f->text().substr(0, 60)) + ": expected one such as " + (near.empty() ? "f16" : near[0]));
    return fp32_;
  }

  /// The row's type: its column's, else what its shape says.
  std::uint32_t read_type() {
    const CsvField* f = field(Role::type);
    if (f && f->escaped) return type_called(f->text());
    return type_called(f ? f->view() : map_->product() ? "gemm" : map_->convolution() ? "conv" : "kernel");
  }
  std::uint32_t type_called(std::string_view name) {
    const std::uint32_t word = rows_.word(name);
    if (word >= types_.size()) types_.resize(word + 1);
    if (types_[word].known) return word;
    Type type;
    type.known = true;
    type.op = find_operator(name);
    type.category = rows_.word(type.op ? type.op->category : "kernel");
    const std::string low = lower(std::string(name));
    type.product = type.op ? type.op->category == find_operator("gemm")->category
                           : low.find("gemm") != std::string::npos || low.find("matmul") != std::string::npos;
    types_[word] = type;
    return word;
  }

  void check_success() {
    const CsvField* f = field(Role::success);
    if (!f) return;
    constexpr std::array<std::string_view, 8> bad = {"false", "no", "0", "failed", "fail", "error", "incorrect", "invalid"};
    if (std::find(bad.begin(), bad.end(), lower(f->text())) == bad.end()) return;
    ++failed_;
    failed_word_ = f->text();
  }

  TextRange keep(const CsvField& f) { return rows_.keep(f.escaped ? std::string_view(f.text()) : f.view()); }

  static std::uint32_t shape_hash(const Cells& cell) {
    std::uint64_t h = 0;
    for (std::size_t r = static_cast<std::size_t>(Role::m); r <= static_cast<std::size_t>(Role::filters); ++r) {
      std::uint64_t bits = 0;
      if (known(cell.values[r])) std::memcpy(&bits, &cell.values[r], sizeof bits);
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

  struct NumberColumn {
    std::size_t column, role;
    double scale;
  };
  struct Type {
    std::uint32_t category = 0;  ///< a word
    const Operator* op = nullptr;
    bool product = false;  ///< M, N, K make a matrix product of it
    bool known = false;
  };

  const ReadOptions options_;
  WorkloadBuilder rows_;
  TextWindow* window_ = nullptr;  // while reading
  LineIndex lines_;
  std::optional<TableRows> table_;
  std::optional<ColumnMap> map_;
  std::vector<NumberColumn> numbers_;
  std::vector<CategoryColumn> categories_;
  Interner format_names_;
  std::vector<FormatId> formats_;  // by format_names_
  std::vector<Type> types_;        // by word
  std::size_t failed_ = 0;
  std::string failed_word_;
  bool fault_ = false;  // of the row being read
  const FormatId fp32_ = Formats::catalogue().find("fp32").value_or(0);
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
    const Role role = meaning_of(h).role;
    kernels = kernels || (role != Role::none && role != Role::name && role != Role::type && role != Role::count);
  }
  const auto known_there = [&](Role role) { return !p.has(role) || keys.find(header[static_cast<std::size_t>(p.at(role))]) != Keys::npos; };
  const bool placed_there = (p.has(Role::flops) || p.has(Role::macs) || p.has(Role::bytes)) && known_there(Role::flops) &&
                            known_there(Role::macs) && known_there(Role::bytes) && known_there(Role::time);
  return kernels && !placed_there;
}

}  // namespace

bool detects_kernels(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  TableRows rows(text, true);
  if (!rows.start() || rows.header().size() < 2) return false;
  if (!rows.is_json()) return true;
  // A list of operations has types and times; only a table of measurements has rates or intensities.
  const ColumnMap map(rows.header());
  if (std::find(rows.header().begin(), rows.header().end(), "type") != rows.header().end()) return false;
  if (map.has(Role::rate) || map.has(Role::intensity) || map.has(Role::bandwidth) || (map.product() && map.has(Role::time))) return true;
  return text[first] == '[' && speaks_of_kernels(rows.header(), map);
}

std::unique_ptr<FormatReader> open_kernels(ReadOptions options) { return std::make_unique<KernelReader>(std::move(options)); }

}  // namespace roofline
