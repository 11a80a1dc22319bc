// Tables of kernels, one measurement per row, as CSV or JSON, whatever tool wrote them. columns.cpp tells what a header means; here rows
// become operations. docs/kernels.md has the rules.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/read/read.hpp>
#include <roofline/workload/record.hpp>

#include "base/interner.hpp"
#include "operators/matrix_product.hpp"
#include "read/columns.hpp"
#include "read/csv.hpp"
#include "read/formats.hpp"
#include "read/json_table.hpp"

namespace roofline {
namespace {

constexpr std::size_t max_diagnostics = 10000;
constexpr int no_column = -1;

std::string quoted(std::string_view text) { return '"' + printable(text) + '"'; }

/// Rows of either form.
class Rows {
 public:
  explicit Rows(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (text[first] == '[' || text[first] == '{'))
      json_.emplace(text);
    else
      csv_.emplace(text);
  }
  /// Reads the header; the next row is the first of data.
  Result<void> start() {
    if (json_) {
      auto ok = json_->start();
      header = json_->columns();
      return ok;
    }
    csv_->seek(0);
    const auto more = csv_->next();
    if (!more) return Unexpected(more.error());
    header.clear();
    if (*more)
      for (const CsvField& field : csv_->fields()) header.push_back(trimmed(field.text()));
    return {};
  }
  Result<bool> next() { return csv_ ? csv_->next() : json_->next(); }
  [[nodiscard]] const std::vector<CsvField>& fields() const { return csv_ ? csv_->fields() : json_->fields(); }
  [[nodiscard]] std::size_t offset(const CsvField& field) const { return csv_ ? csv_->offset(field) : json_->offset(field); }
  [[nodiscard]] std::size_t row_begin() const { return csv_ ? csv_->row_begin() : json_->row_begin(); }
  [[nodiscard]] std::size_t row_end() const { return csv_ ? csv_->row_end() : json_->row_end(); }
  [[nodiscard]] std::size_t position() const { return csv_ ? csv_->position() : json_->position(); }
  [[nodiscard]] std::optional<double> number(const CsvField& field) const {
    return table_number(field.view(), csv_ && csv_->decimal_comma());
  }
  [[nodiscard]] bool read(const CsvField& field, double& number) const {
    return read_number(field.view(), csv_ && csv_->decimal_comma(), number);
  }
  [[nodiscard]] bool is_json() const { return json_.has_value(); }

  std::vector<std::string> header;

 private:
  static std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
  }
  std::optional<Csv> csv_;
  std::optional<JsonTable> json_;
};

using Numbers = std::array<double, role_count>;  // by Role, in SI; NaN: not known

/// Which column plays which role, and in what unit.
struct Placement {
  std::array<int, role_count> column;
  std::array<double, role_count> scale;
  bool measured_bytes = false;
  Placement() { column.fill(no_column), scale.fill(1); }
  [[nodiscard]] int at(Role role) const { return column[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool has(Role role) const { return at(role) != no_column; }
  [[nodiscard]] double& unit(Role role) { return scale[static_cast<std::size_t>(role)]; }
  [[nodiscard]] bool product() const { return has(Role::m) && has(Role::n) && has(Role::k); }
  [[nodiscard]] bool convolution() const {
    return has(Role::kernel_p) && has(Role::kernel_q) && has(Role::height) && has(Role::width) && has(Role::channels) && has(Role::filters);
  }
  /// Something to place a row by: work, traffic or a rate.
  [[nodiscard]] bool enough() const {
    return product() || convolution() || has(Role::flops) || has(Role::macs) || has(Role::rate) || has(Role::bytes) ||
           has(Role::bandwidth) || has(Role::intensity);
  }
};

constexpr bool numeric(Role role) {
  return role != Role::none && role != Role::name && role != Role::type && role != Role::format && role != Role::weight_format &&
         role != Role::output_format && role != Role::success;
}

Placement place(const std::vector<std::string>& header) {
  std::vector<ColumnMeaning> meaning;
  for (const std::string& h : header) meaning.push_back(meaning_of(h));
  // Beside an operand's column "A", "B" and "C" are operands, not a batch and channels. GFLOPS beside FLOP/s are amounts.
  const bool operands = std::find(header.begin(), header.end(), "A") != header.end();
  bool rate = false;
  for (const ColumnMeaning& m : meaning) rate = rate || (m.role == Role::rate && m.scale > 0);
  Placement p;
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
    p.column[role] = static_cast<int>(i);
    p.scale[role] = m.scale;
    if (m.role == Role::bytes) p.measured_bytes = m.measured;
  }
  // The CUTLASS profiler divides by 2^30 and writes GB/s.
  const bool cutlass = p.has(Role::success) && std::find(header.begin(), header.end(), "OperationKind") != header.end();
  if (cutlass && p.unit(Role::bandwidth) == 1e9) p.unit(Role::bandwidth) = 0x1p30;
  return p;
}

/// A column that may turn out to have few different values.
struct Candidate {
  std::size_t column = 0;
  bool numbers = true, alive = true;
  Interner values;
  std::vector<std::uint32_t> value;
};

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
  KernelReader(std::string text, ReadOptions options) : bytes_(std::move(text)), rows_(bytes_), places_(bytes_) {
    work_.source = std::move(options.source_name);
    work_.source_format = "kernels";
  }

  Result<bool> step(std::size_t budget) override {
    if (!started_) {
      started_ = true;
      if (bytes_.size() >= 0xffffffffu) return fail("the file is larger than 4 GiB: split it");
      if (auto ok = start(); !ok) return Unexpected(ok.error());
    }
    const std::size_t begin = rows_.position();
    const std::size_t end = budget < bytes_.size() - begin ? begin + budget : bytes_.size();
    do {
      const auto more = rows_.next();
      if (!more) return Unexpected(more.error());
      if (!*more) return finish(), false;
      read_row();
      if (work_.size() == 256) reserve();
    } while (rows_.position() < end);
    return true;
  }
  [[nodiscard]] std::size_t position() const override { return rows_.position(); }
  [[nodiscard]] std::size_t size() const override { return bytes_.size(); }
  Workload take() override {
    work_.text = std::move(bytes_);
    work_.text += extra_;
    work_.fill_bytes();
    return std::move(work_);
  }

 private:
  // --- the columns ---------------------------------------------------------------------------------------------------------------------

  Result<void> start() {
    if (auto ok = rows_.start(); !ok) return ok;
    if (rows_.header.empty()) return fail("a table without columns: expected a header such as name,M,N,K,dtype,time_us");
    p_ = place(rows_.header);
    if (!p_.enough()) return Unexpected(lacks());
    for (std::size_t i = 0; i < rows_.header.size(); ++i) {
      const auto first = std::find(rows_.header.begin(), rows_.header.end(), rows_.header[i]) - rows_.header.begin();
      if (static_cast<std::size_t>(first) != i && !rows_.header[i].empty())
        note(Severity::warning, "two columns are called " + quoted(rows_.header[i]) + ": the first is used");
    }
    for (const std::string& h : rows_.header) {
      const ColumnMeaning m = meaning_of(h);
      const char* units = m.scale > 0                 ? nullptr
                          : m.role == Role::time_sum  ? "of time and is not used: expected ns, us, ms or s"
                          : m.role == Role::rate      ? "of a rate and is not used: expected FLOP/s, GFLOP/s or TFLOP/s"
                          : m.role == Role::bandwidth ? "of a bandwidth and is not used: expected B/s, GB/s or GiB/s"
                                                      : nullptr;
      if (units) note(Severity::warning, "the column " + quoted(h) + " names no unit " + units + " in its header");
    }
    if (auto ok = settle_units(); !ok) return ok;
    if (!p_.has(Role::format)) note(Severity::info, "no column names a number format: FP32 is assumed");
    for (std::size_t r = 0; r < role_count; ++r)
      if (p_.column[r] != no_column && numeric(static_cast<Role>(r)))
        numbers_.push_back({static_cast<std::size_t>(p_.column[r]), r, p_.scale[r]});
    for (std::size_t i = 0; i < rows_.header.size(); ++i) {
      const Role role = meaning_of(rows_.header[i]).role;
      const bool figure = role == Role::time || role == Role::time_sum || role == Role::flops || role == Role::macs || role == Role::rate ||
                          role == Role::bytes || role == Role::bandwidth || role == Role::intensity || role == Role::name ||
                          role == Role::count;
      if (figure || rows_.header[i].empty()) continue;
      candidates_.emplace_back();
      candidates_.back().column = i;
    }
    gemm_ = find_operator("gemm");
    return {};
  }

  /// What a table needs and this one does not have.
  [[nodiscard]] Error lacks() const {
    std::string found;
    for (const std::string& h : rows_.header) found += (found.empty() ? "" : ", ") + printable(h);
    if (found.size() > 200) found = found.substr(0, 200) + "...";
    return Error{
        "this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a rate (gflops, tflops), "
        "bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); " +
            std::string(p_.has(Role::time) ? "there is a time, but nothing that was done in it" : "nor is there a time") +
            "; the columns are: " + found,
        1,
        1,
        {}};
  }

  /// Units that headers leave open are told by the table's own other columns, in the first rows that have them all.
  Result<void> settle_units() {
    constexpr int rows_looked_at = 64;
    const bool time_open = p_.has(Role::time) && p_.unit(Role::time) == 0;
    if (p_.has(Role::time_sum) && p_.unit(Role::time_sum) == 0) p_.column[static_cast<std::size_t>(Role::time_sum)] = no_column;
    const double byte_unit = p_.has(Role::bytes) ? p_.unit(Role::bytes) : 0;
    const bool bytes_open = byte_unit == 1e3 || byte_unit == 1e6 || byte_unit == 1e9 || byte_unit == 1e12;
    const bool batch_open = p_.has(Role::batch_label) && !p_.has(Role::batch) && p_.product();
    bool time_found = false, bytes_found = false, batch_found = false;
    if (time_open || bytes_open || batch_open) {
      const auto near = [](double a, double b, double tolerance) { return std::abs(a / b - 1) < tolerance; };
      for (int i = 0; i < rows_looked_at; ++i) {
        const auto more = rows_.next();
        if (!more || !*more) break;
        const auto value = [&](Role role) {
          const int c = p_.at(role);
          if (c == no_column || static_cast<std::size_t>(c) >= rows_.fields().size()) return unknown;
          return rows_.number(rows_.fields()[static_cast<std::size_t>(c)]).value_or(unknown) * p_.unit(role);
        };
        double flops = value(Role::flops);
        if (flops != flops) flops = 2 * value(Role::macs);
        if (flops != flops) flops = 2 * value(Role::m) * value(Role::n) * value(Role::k) * (p_.has(Role::batch) ? value(Role::batch) : 1);
        if (time_open && !time_found) {
          p_.unit(Role::time) = 1;
          const double time = value(Role::time);
          p_.unit(Role::time) = 0;
          for (const double unit : {1e-9, 1e-6, 1e-3, 1.0})
            if (near(flops / (time * unit), value(Role::rate), 0.05) ||
                near(value(Role::bytes) / (time * unit), value(Role::bandwidth), 0.08))
              p_.unit(Role::time) = unit, time_found = true;
          if (time_found) {
            note(Severity::info, quoted(header(Role::time)) + " is taken as " +
                                     (p_.unit(Role::time) == 1      ? "s"
                                      : p_.unit(Role::time) == 1e-3 ? "ms"
                                      : p_.unit(Role::time) == 1e-6 ? "us"
                                                                    : "ns") +
                                     ": so say its own rates");
          }
        }
        if (bytes_open && !bytes_found &&
            near(flops / value(Role::bytes) / value(Role::intensity), binary_of(byte_unit) / byte_unit, 1e-3)) {
          p_.unit(Role::bytes) = binary_of(byte_unit);
          bytes_found = true;
          note(Severity::info, quoted(header(Role::bytes)) + " is in powers of 1024: so says its own intensity");
        }
        if (batch_open && !batch_found && value(Role::batch_label) > 1 &&
            near(value(Role::rate) * value(Role::time) / flops, value(Role::batch_label), 0.05)) {
          p_.column[static_cast<std::size_t>(Role::batch)] = p_.at(Role::batch_label);
          batch_found = true;
        }
      }
      if (auto ok = rows_.start(); !ok) return ok;
    }
    if (time_open && !time_found) {
      if (!p_.has(Role::rate) && !p_.has(Role::bandwidth))
        return Unexpected(Error{
            "the column " + quoted(header(Role::time)) + " names no unit of time: expected ns, us, ms or s in its header, such as time_us",
            1,
            1,
            {}});
      p_.column[static_cast<std::size_t>(Role::time)] = no_column;  // the rates stand on their own
      note(Severity::warning,
           "the column " + quoted(header(Role::time)) + " names no unit of time and is not used: expected ns, us, ms or s in its header");
    }
    return {};
  }
  static double binary_of(double decimal) { return decimal == 1e3 ? 0x1p10 : decimal == 1e6 ? 0x1p20 : decimal == 1e9 ? 0x1p30 : 0x1p40; }
  [[nodiscard]] std::string header(Role role) const {
    for (std::size_t i = 0; i < rows_.header.size(); ++i)
      if (meaning_of(rows_.header[i]).role == role && (p_.at(role) == no_column || p_.at(role) == static_cast<int>(i)))
        return rows_.header[i];
    return {};
  }

  // --- one row -------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] const CsvField* field(Role role) const {
    const int c = p_.at(role);
    if (c == no_column || static_cast<std::size_t>(c) >= rows_.fields().size()) return nullptr;
    const CsvField& f = rows_.fields()[static_cast<std::size_t>(c)];
    return f.size > 0 ? &f : nullptr;
  }

  void read_row() {
    const std::vector<CsvField>& fields = rows_.fields();
    if (fields.size() != rows_.header.size())
      report(Severity::warning, rows_.row_begin(),
             "the row has " + std::to_string(fields.size()) + (fields.size() == 1 ? " field" : " fields") + ": expected " +
                 std::to_string(rows_.header.size()) + ", as the header has");
    Numbers v;
    v.fill(unknown);
    bool fault = false;
    for (const NumberColumn& c : numbers_) {
      if (c.column >= fields.size()) continue;
      const CsvField& f = fields[c.column];
      double value = unknown;
      const bool is_number = rows_.read(f, value);
      if (is_number && !(value < 0) && !(value > 0x1p63)) {
        v[c.role] = value * c.scale;
        continue;
      }
      fault = true;
      report(Severity::error, f.size > 0 ? rows_.offset(f) : rows_.row_begin(),
             rows_.header[c.column] + ": expected a number" + (is_number ? std::string(" from 0 to 2^63") : std::string()) + ", found " +
                 quoted(f.text().substr(0, 60)));
    }
    const auto get = [&v](Role role) { return v[static_cast<std::size_t>(role)]; };

    OpClass kind;
    FormatId format = fp32_;
    if (const CsvField* f = field(Role::format)) format = format_of(*f, fault);
    FormatId weight_format = format, output_format = format;
    if (const CsvField* f = field(Role::weight_format)) weight_format = format_of(*f, fault);
    if (const CsvField* f = field(Role::output_format)) output_format = format_of(*f, fault);
    const std::uint32_t type = type_of();

    double count = get(Role::count), time = get(Role::time), flops = get(Role::flops), bytes = get(Role::bytes);
    const double rate = get(Role::rate), bandwidth = get(Role::bandwidth), intensity = get(Role::intensity);
    if (!(count >= 1)) count = 1;
    if (const double sum = get(Role::time_sum); sum > 0) time = sum / count;
    if (!(time > 0)) time = unknown;
    if (flops != flops) flops = 2 * get(Role::macs);

    // What follows from the shape.
    Work work;
    bool roles = false;
    const double batch = get(Role::batch) > 0 ? get(Role::batch) : 1;
    if (get(Role::m) > 0 && get(Role::n) > 0 && get(Role::k) > 0 && types_[type].product) {
      if (const ProductSizes sizes = products(get(Role::m), get(Role::n), get(Role::k), batch); sizes.countable()) {
        work = sizes.work();
        roles = true;
        if (flops != flops) flops = work.matrix_flops;
      }
    } else if (p_.convolution() && flops != flops) {
      // Symmetric in what the two kinds of channels are called.
      flops = 2 * batch * get(Role::height) * get(Role::width) * get(Role::channels) * get(Role::kernel_p) * get(Role::kernel_q) *
              get(Role::filters);
    }
    if (flops != flops) flops = rate * time;
    if (time != time && rate > 0) time = flops / rate;
    if (bytes != bytes) bytes = bandwidth * time;
    if (bytes != bytes && !roles && intensity > 0) bytes = flops / intensity;
    if (flops != flops && bytes == bytes) flops = intensity * bytes;
    if (flops != flops && bytes != bytes && time != time) {  // rates alone: stand-ins of the right ratio
      kind.rates_only = true;
      if (rate == rate) {
        flops = rate;
        time = 1;
        bytes = intensity > 0 ? rate / intensity : bandwidth;
      } else if (bandwidth == bandwidth) {
        bytes = bandwidth;
        time = 1;
        flops = intensity * bytes;
      } else if (intensity == intensity) {
        flops = intensity;
        bytes = 1;
      }
    }
    if (flops != flops && bytes != bytes && !fault) {
      fault = true;
      report(Severity::error, rows_.row_begin(), "nothing places this row: expected a number in " + placing_columns());
    }
    if (!(flops * count < 0x1p63) && flops == flops && !fault) {
      fault = true;
      report(Severity::error, rows_.row_begin(), "expected fewer than 2^63 FLOPs");
    }
    if (fault) {
      kind.invalid = true;
      kind.rates_only = false;
      work = Work();
      work.matrix_flops = work.activation = bytes = unknown;
      kind.activation = format;
    } else {
      work.matrix_flops = flops == flops ? flops : bytes == bytes && !p_.has(Role::rate) && !p_.has(Role::flops) ? 0 : unknown;
      kind.activation = format;
      kind.matrix_work = work.matrix_flops > 0;
      if (roles) {
        kind.weight = work.weight > 0 ? weight_format : no_format;
        kind.output = output_format;
      } else {
        kind.roles_unknown = true;
        work.activation = bytes == bytes ? bytes / width(format) : unknown;
      }
      kind.measured_bytes = p_.measured_bytes && get(Role::bytes) == get(Role::bytes);
    }
    check_success();
    push(intern_kind(type, kind), work, bytes * count, time * count, count, v);
    add_categories();
  }

  [[nodiscard]] double width(FormatId format) const { return Formats::catalogue()[format].bytes(); }

  [[nodiscard]] std::string placing_columns() const {
    std::string out;
    for (const NumberColumn& c : numbers_)
      if (out.size() < 120) out += (out.empty() ? "" : " or ") + rows_.header[c.column];
    return out;
  }

  FormatId format_of(const CsvField& f, bool& fault) {
    bool is_new = false;
    const std::uint32_t id = format_names_.intern(f.view(), &is_new);
    if (is_new) formats_.push_back(format_in(f.view()));
    if (formats_[id] != no_format) return formats_[id];
    fault = true;
    const auto near = Formats::catalogue().near(f.view());
    report(Severity::error, rows_.offset(f),
           "unknown number format " + quoted(f.text().substr(0, 60)) + ": expected one such as " + (near.empty() ? "f16" : near[0]));
    return fp32_;
  }

  /// The row's type: its column's, else what its shape says.
  std::uint32_t type_of() {
    const CsvField* f = field(Role::type);
    if (f) return type_called(f->view(), [f] { return f->text(); });
    if (shape_type_ == HashIndex::none) {
      const std::string name = p_.product() ? "gemm" : p_.convolution() ? "conv" : "kernel";
      shape_type_ = type_called(name, [&] { return name; });
    }
    return shape_type_;
  }
  /// `as_read` is a view of what `name()` spells out.
  template <class Name>
  std::uint32_t type_called(std::string_view as_read, const Name& name) {
    bool is_new = false;
    const std::uint32_t id = type_names_.intern(as_read, &is_new);
    if (!is_new) return id;
    Type type;
    type.name = name();
    type.op = find_operator(type.name);
    std::string lower = type.name;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    type.product = type.op ? type.op->category == gemm_->category
                           : lower.find("gemm") != std::string::npos || lower.find("matmul") != std::string::npos;
    types_.push_back(std::move(type));
    return id;
  }

  std::uint32_t intern_kind(std::uint32_t type, OpClass& kind) {
    const std::uint64_t key = static_cast<std::uint64_t>(type) << 32 | static_cast<std::uint64_t>(kind.activation) << 24 |
                              static_cast<std::uint64_t>(kind.weight) << 16 | static_cast<std::uint64_t>(kind.output) << 8 |
                              static_cast<std::uint64_t>(kind.rates_only) << 4 | static_cast<std::uint64_t>(kind.invalid) << 3 |
                              static_cast<std::uint64_t>(kind.roles_unknown) << 2 | static_cast<std::uint64_t>(kind.measured_bytes) << 1 |
                              static_cast<std::uint64_t>(kind.matrix_work);
    if (key == last_key_) return last_kind_;
    const std::uint64_t hash = hash_text({reinterpret_cast<const char*>(&key), sizeof key});
    last_key_ = key;
    last_kind_ = kind_index_.find(hash, [&](std::uint32_t i) { return kind_keys_[i] == key; });
    if (last_kind_ != HashIndex::none) return last_kind_;
    last_kind_ = static_cast<std::uint32_t>(work_.classes.size());
    const Type& t = types_[type];
    kind.type = t.name;
    kind.category = t.op ? std::string(t.op->category) : "kernel";
    kind.symbol = kind.invalid ? Symbol::star : t.op ? t.op->symbol : Symbol::diamond;
    kind_index_.insert(hash, last_kind_);
    kind_keys_.push_back(key);
    work_.classes.push_back(kind);
    return last_kind_;
  }

  void check_success() {
    const CsvField* f = field(Role::success);
    if (!f) return;
    std::string word = f->text();
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    constexpr std::array<std::string_view, 8> bad = {"false", "no", "0", "failed", "fail", "error", "incorrect", "invalid"};
    if (std::find(bad.begin(), bad.end(), word) == bad.end()) return;
    ++failed_;
    failed_word_ = f->text();
  }

  void push(std::uint32_t kind, const Work& w, double given, double time, double count, const Numbers& v) {
    const std::size_t i = work_.size();
    work_.op_class.push_back(kind);
    work_.matrix_flops.push_back(w.matrix_flops * count);
    work_.activation.push_back(w.activation * count);
    put(work_.weight, i, w.weight * count, 0);
    put(work_.output, i, w.output * count, 0);
    put(work_.given_bytes, i, given, unknown);
    put(work_.time_s, i, time, unknown);
    put(work_.count, i, count, 1);
    work_.record.push_back(
        {static_cast<std::uint32_t>(rows_.row_begin()), static_cast<std::uint32_t>(rows_.row_end() - rows_.row_begin())});
    const CsvField* name = field(Role::name);
    work_.name.push_back(name ? keep(*name) : TextRange());
    work_.shape_hash.push_back(shape_hash(v));
  }

  static std::uint32_t shape_hash(const Numbers& v) {
    std::uint64_t h = 0;
    for (std::size_t r = static_cast<std::size_t>(Role::m); r <= static_cast<std::size_t>(Role::filters); ++r) {
      std::uint64_t bits = 0;
      if (v[r] == v[r]) std::memcpy(&bits, &v[r], sizeof bits);
      h = (h ^ bits) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
    }
    return static_cast<std::uint32_t>(h >> 16);
  }

  /// Appends to a column that stays empty while it only holds its default.
  static void put(std::vector<double>& column, std::size_t i, double value, double standard) {
    if (column.empty()) {
      if (value == standard || (value != value && standard != standard)) return;
      column.resize(i, standard);
    }
    column.push_back(value);
  }

  TextRange keep(const CsvField& f) {
    if (!f.escaped && f.begin >= bytes_.data() && f.begin <= bytes_.data() + bytes_.size())
      return {static_cast<std::uint32_t>(rows_.offset(f)), f.size};
    const std::string text = f.text();
    extra_ += text;
    return {static_cast<std::uint32_t>(bytes_.size() + extra_.size() - text.size()), static_cast<std::uint32_t>(text.size())};
  }

  /// After some rows the rest can be estimated; growing by doubling would leave half of the memory unused.
  void reserve() {
    const double per_row = static_cast<double>(rows_.position()) / static_cast<double>(work_.size());
    const auto rows = static_cast<std::size_t>(static_cast<double>(bytes_.size()) / per_row * 1.05) + 64;
    work_.op_class.reserve(rows);
    work_.name.reserve(rows);
    work_.record.reserve(rows);
    work_.shape_hash.reserve(rows);
    for (auto* column : {&work_.matrix_flops, &work_.activation}) column->reserve(rows);
    for (auto* column : {&work_.weight, &work_.output, &work_.given_bytes, &work_.time_s, &work_.count})
      if (!column->empty()) column->reserve(rows);
    for (Candidate& c : candidates_)
      if (c.alive) c.value.reserve(rows);
  }

  // --- columns of few values -----------------------------------------------------------------------------------------------------------

  void add_categories() {
    const std::vector<CsvField>& fields = rows_.fields();
    for (Candidate& c : candidates_) {
      if (!c.alive) continue;
      if (c.column >= fields.size() || fields[c.column].size == 0) {
        c.value.push_back(Category::none);
        continue;
      }
      const std::string_view text = fields[c.column].view();
      bool is_new = false;
      const std::uint32_t code = c.values.intern(text, &is_new);
      if (is_new) {
        const auto number = rows_.number(fields[c.column]);
        c.numbers = c.numbers && number.has_value();
        const bool measurement = number && *number != std::floor(*number);  // a fraction names nothing
        if (measurement || code >= (c.numbers ? 64u : 255u)) {
          c.alive = false;
          c.value = {};
          continue;
        }
      }
      c.value.push_back(code);
    }
  }

  void keep_categories() {
    for (Candidate& c : candidates_) {
      if (!c.alive || c.values.size() < 2 || c.values.size() * 2 > work_.size() + 2) continue;
      std::vector<std::uint32_t> order(c.values.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      if (c.numbers)
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
          return table_number(c.values[a], false).value_or(0) < table_number(c.values[b], false).value_or(0);
        });
      Category category;
      std::vector<std::uint32_t> place(order.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        place[order[i]] = static_cast<std::uint32_t>(i);
        category.values.push_back(valid_utf8(c.values[order[i]]));
      }
      for (std::uint32_t& value : c.value)
        if (value != Category::none) value = place[value];
      category.name = valid_utf8(rows_.header[c.column]);
      for (const Category& other : work_.categories)
        if (other.name == category.name) category.name += " (2)";
      category.value = std::move(c.value);
      work_.categories.push_back(std::move(category));
    }
    candidates_.clear();
  }

  // --- diagnostics ---------------------------------------------------------------------------------------------------------------------

  void note(Severity severity, std::string message) { work_.diagnostics.push_back({severity, std::move(message), {}, 0, 0, {}}); }

  /// About the row that is pushed next.
  void report(Severity severity, std::size_t offset, std::string message) {
    if (work_.diagnostics.size() >= max_diagnostics) {
      ++work_.hidden_diagnostics;
      return;
    }
    Error error = places_.at(std::min(offset, bytes_.size()), std::move(message));
    work_.diagnostics.push_back(
        {severity, std::move(error.message), static_cast<std::uint32_t>(work_.size()), error.line, error.column, {}});
  }

  void finish() {
    if (work_.size() == 0) note(Severity::warning, "the table has a header and no rows");
    if (failed_ > 0)
      note(Severity::warning, std::to_string(failed_) + (failed_ == 1 ? " row is" : " rows are") + " marked " + quoted(failed_word_) +
                                  " in the column " + quoted(rows_.header[static_cast<std::size_t>(p_.at(Role::success))]) +
                                  ": its tool does not vouch for them");
    keep_categories();
  }

  struct NumberColumn {
    std::size_t column, role;
    double scale;
  };
  struct Type {
    std::string name;
    const Operator* op = nullptr;
    bool product = false;  ///< M, N, K make a matrix product of it
  };

  std::string bytes_, extra_;
  Rows rows_;
  Places places_;
  Placement p_;
  std::vector<NumberColumn> numbers_;
  std::vector<Candidate> candidates_;
  Workload work_;
  const Operator* gemm_ = nullptr;
  Interner type_names_, format_names_;
  std::vector<Type> types_;
  std::uint32_t shape_type_ = HashIndex::none;  ///< of rows that name none
  std::vector<FormatId> formats_;
  HashIndex kind_index_;
  std::vector<std::uint64_t> kind_keys_;
  std::uint64_t last_key_ = ~0ull;
  std::uint32_t last_kind_ = 0;
  std::size_t failed_ = 0;
  std::string failed_word_;
  bool started_ = false;
  const FormatId fp32_ = Formats::catalogue().find("fp32").value_or(0);
};

}  // namespace

namespace {

/// A list of operations has types, shapes and words of its own; records without any of them that speak of kernels (a format, a batch, M, a
/// time) are a table of kernels, though it may lack what places them.
bool speaks_of_kernels(const std::vector<std::string>& header, const Placement& p) {
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
  Rows rows(text);
  if (!rows.start() || rows.header.size() < 2) return false;
  if (!rows.is_json()) return true;
  // A list of operations has types and times; only a table of measurements has rates or intensities.
  const Placement p = place(rows.header);
  if (std::find(rows.header.begin(), rows.header.end(), "type") != rows.header.end()) return false;
  if (p.has(Role::rate) || p.has(Role::intensity) || p.has(Role::bandwidth) || (p.product() && p.has(Role::time))) return true;
  return text[first] == '[' && speaks_of_kernels(rows.header, p);
}

std::unique_ptr<FormatReader> open_kernels(std::string text, ReadOptions options) {
  return std::make_unique<KernelReader>(std::move(text), std::move(options));
}

}  // namespace roofline
