// What nsys stats prints as CSV of the kernels on a GPU: their summary (cuda_gpu_kern_sum), with the summaries of copies before or after
// it, or their trace (cuda_gpu_trace). Times and counts; what was done in them, no column says.
#include <array>
#include <map>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>
#include <utility>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/device_copy.hpp"
#include "read/formats.hpp"
#include "read/text/csv.hpp"
#include "read/text/kernel_name.hpp"
#include "read/text/preamble.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

enum class Report : std::uint8_t { none, summary, trace, copy_times, copy_sizes, other };

Report report_of(std::string_view line) {
  if (begins_json(line)) return Report::none;  // --format json
  if (contains(line, "Start (") && contains(line, "Duration (") && contains(line, "CorrId") && contains(line, "Name")) return Report::trace;
  if (!contains(line, "StdDev (")) return Report::none;
  const bool of_copies = contains(line, "Count") && contains(line, "Operation");
  if (of_copies && contains(line, "Total (")) return Report::copy_sizes;
  if (!contains(line, "Total Time (")) return Report::none;
  if (of_copies) return Report::copy_times;
  return contains(line, "Instances") && contains(line, "Name") ? Report::summary : Report::other;
}

/// Headers without their units, which follow amounts in parentheses. No count: each row is one.
struct RequiredColumns {
  std::string_view name, amount, count;
};
RequiredColumns required_columns(Report report) {
  switch (report) {
    case Report::trace:
      return {"Name", "Duration", ""};
    case Report::copy_times:
      return {"Operation", "Total Time", "Count"};
    case Report::copy_sizes:
      return {"Operation", "Total", "Count"};
    default:
      return {"Name", "Total Time", "Instances"};
  }
}

bool is_of_kernels(Report report) { return report == Report::summary || report == Report::trace; }

bool is_report_header(std::string_view line) { return report_of(line) != Report::none; }

/// "Duration (us)" -> "us"
std::string_view unit_in(std::string_view header) {
  const std::size_t open = header.find('(');
  return open == std::string_view::npos ? "" : header.substr(open + 1, header.find(')', open) - open - 1);
}

struct ByteUnit {
  std::string_view name;
  double bytes = unknown;
  bool ambiguous = false;  ///< written for powers of 1000 and of 1024
};
constexpr ByteUnit byte_units[] = {{"B", 1},         {"KB", 1e3, true}, {"MB", 1e6, true}, {"GB", 1e9, true},
                                   {"KiB", 1 << 10}, {"MiB", 1 << 20},  {"GiB", 1 << 30}};

ByteUnit byte_unit(std::string_view name) {
  const auto* const found = std::find_if(std::begin(byte_units), std::end(byte_units), [&](const ByteUnit& u) { return u.name == name; });
  return found == std::end(byte_units) ? ByteUnit() : *found;
}

class NsightSystemsReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit NsightSystemsReader(const ReadOptions& options) : RowsReader(options.source_name, SourceFormat::nsight_systems, options.limits) {
    rows_.workload().own_records = options.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    for (;;) {
      if (!csv_) {
        const Result<bool> found = find_report(window, last);
        if (!found) return Unexpected(found.error());
        if (!*found) break;
      }
      csv_->reset(window.text(), window.start(), last);
      const Result<bool> ended = read_rows(window.lines());
      if (!ended) return Unexpected(ended.error());
      window.drop(*ended ? csv_->row_begin() : csv_->position());
      if (!*ended) break;
      csv_.reset();
    }
    if (!last) return {};
    if (kernels_ == Report::none)
      return no_kernel_report_error_ ? Result<void>(Unexpected(*no_kernel_report_error_)) : fail("the report has no table");
    add_rows();
    return {};
  }

 private:
  enum Column : std::uint8_t { name, time, count, minimum, median, maximum, deviation, bytes, device, grid, block, column_count };

  /// Goes to the rows of the next report that is read. False: there is none in what is at hand.
  Result<bool> find_report(TextWindow& window, bool last) {
    for (;;) {
      const Preamble found = find_header(window.text(), last, is_report_header, [](std::string_view) {});
      window.drop(found.passed);
      if (found.header == std::string_view::npos) return false;
      const std::string_view text = window.text();
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      report_ = report_of(text.substr(0, end));
      const LineIndex lines = window.lines();
      if (!no_kernel_report_error_)
        no_kernel_report_error_ =
            lines.at(0, "a report of nsys stats that is not of kernels: expected cuda_gpu_kern_sum or cuda_gpu_trace");
      if (claim_report(report_)) {
        csv_.emplace(text, last);
        if (auto ok = start(lines); !ok) return Unexpected(ok.error());
        window.drop(csv_->position());
        return true;
      }
      rows_.report(is_of_kernels(report_) ? Severity::warning : Severity::info, [&] {
        return lines.at(0,
                        "report left out: only cuda_gpu_kern_sum or cuda_gpu_trace is read, with cuda_gpu_mem_time_sum and "
                        "cuda_gpu_mem_size_sum");
      });
      window.drop(end);
    }
  }

  /// True for the first report of kernels and the first of either kind of copies: later ones are not read.
  bool claim_report(Report report) {
    if (is_of_kernels(report)) return std::exchange(kernels_, kernels_ == Report::none ? report : kernels_) == Report::none;
    if (report == Report::copy_times) return !std::exchange(copy_times_, true);
    return report == Report::copy_sizes && !std::exchange(copy_sizes_, true);
  }

  Result<void> start(const LineIndex& lines) {
    const auto more = csv_->next();
    if (!more || !*more) return Unexpected(lines.at(0, "expected the header of a report of nsys stats"));
    column_.fill(no_column);
    header_.clear();
    for (const CsvField& field : csv_->fields()) header_.push_back(field.text());
    const auto find = [&](Column column, const std::string& start) {
      for (std::size_t i = 0; i < header_.size() && column_[column] == no_column; ++i)
        if (header_[i].starts_with(start)) column_[column] = i;
    };
    const RequiredColumns required = required_columns(report_);
    const bool trace = report_ == Report::trace, sizes = report_ == Report::copy_sizes;
    find(name, std::string(required.name));
    find(sizes ? bytes : time, std::string(required.amount) + " (");
    if (!trace) find(count, std::string(required.count));
    find(minimum, "Min ("), find(median, "Med ("), find(maximum, "Max ("), find(deviation, "StdDev (");
    find(bytes, "Bytes ("), find(device, "Device"), find(grid, trace ? "GrdX" : "GridXYZ"), find(block, trace ? "BlkX" : "BlockXYZ");
    if (column_[name] == no_column || (!sizes && column_[time] == no_column) || (!trace && column_[count] == no_column))
      return Unexpected(lines.at(
          0, "expected the columns \"" + std::string(required.name) + "\"" + (trace ? " and \"" : ", \"") + std::string(required.amount) +
                 " (...)\"" + (trace ? "" : " and \"" + std::string(required.count) + '"') + ", as nsys stats --format csv prints them"));
    unit_ = sizes ? unknown : seconds_per(unit_in(header_[column_[time]]));
    if (!sizes && !known(unit_))
      return Unexpected(
          lines.at(0, "the column \"" + printable(header_[column_[time]]) + "\" names no unit of time: expected ns, us, ms or s"));
    if (column_[bytes] == no_column) return {};
    byte_unit_ = byte_unit(unit_in(header_[column_[bytes]]));
    if (!known(byte_unit_.bytes)) {
      rows_.note(Severity::warning, "the column \"" + printable(header_[column_[bytes]]) +
                                        "\" names no unit of bytes and is left out: expected B, kB, MB, GB, KiB, MiB or GiB");
      column_[bytes] = no_column;
    } else if (byte_unit_.ambiguous) {
      ambiguous_header_ = header_[column_[bytes]];
    }
    return {};
  }

  /// A kernel of one launch shape, or a copy of one size.
  struct Row {
    std::string grid, block;
    double time_s = 0, count = 0, bytes = unknown;
    std::array<double, 4> spread = {unknown, unknown, unknown, unknown};  ///< minimum, median, maximum, deviation: seconds
    bool of_copy_report = false;
  };

  [[nodiscard]] std::string cell(std::size_t at) const { return at < csv_->fields().size() ? csv_->fields()[at].text() : std::string(); }
  [[nodiscard]] double figure(Column column) const {
    return column_[column] == no_column ? unknown : table_number(cell(column_[column]), csv_->decimal_comma()).value_or(unknown);
  }
  /// "(256, 1, 1)" of three columns; of one, as it is.
  [[nodiscard]] std::string extent(Column column) const {
    const std::size_t at = column_[column];
    if (at == no_column || cell(at).empty()) return {};
    return report_ == Report::trace ? "(" + cell(at) + ", " + cell(at + 1) + ", " + cell(at + 2) + ")" : cell(at);
  }

  /// True if the last row read starts another report, or a line that the tool prints before one.
  Result<bool> read_rows(const LineIndex& lines) {
    for (;;) {
      const auto more = csv_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) return false;
      if (csv_->fields().size() == 1 || is_report_header(line_of(csv_->fields()))) return true;
      read_row(lines);
    }
  }

  void read_row(const LineIndex& lines) {
    const bool trace = report_ == Report::trace, sizes = report_ == Report::copy_sizes, copies = !is_of_kernels(report_);
    const double time_s = figure(time) * unit_, occurrences = trace ? 1 : figure(count), moved = figure(bytes) * byte_unit_.bytes;
    const std::string called = cell(column_[name]);
    if (csv_->fields().size() != header_.size() || !((sizes ? moved : time_s) >= 0) || !(occurrences >= 1)) {
      rows_.report(Severity::warning, [&] {
        const RequiredColumns required = required_columns(report_);
        return lines.at(csv_->row_begin(), (trace ? "expected a number in \"" : "expected numbers in \"") + std::string(required.amount) +
                                               (trace ? "" : "\" and \"" + std::string(required.count)) + "\" of " + printable(called) +
                                               ": the row is left out");
      });
      return;
    }
    const std::string key =
        copies ? "copies\n" + called : called + '\n' + extent(grid) + '\n' + extent(block) + '\n' + cell(column_[bytes]);
    const auto [found, is_new] = places_.try_emplace(key, grouped_.size());
    if (is_new) grouped_.emplace_back(called, Row{extent(grid), extent(block), 0, 0, copies ? unknown : moved, {}, copies});
    Row& row = grouped_[found->second].second;
    if (sizes) return void(row.bytes = moved / occurrences);
    row.time_s += time_s, row.count += occurrences;
    row.spread = {figure(minimum) * unit_, figure(median) * unit_, figure(maximum) * unit_, figure(deviation) * unit_};
    if (device_.empty()) device_ = cell(column_[device]);
  }
  static std::string line_of(const std::vector<CsvField>& fields) {
    std::string line;
    for (const CsvField& field : fields) line += field.text() + ',';
    return line;
  }

  /// A trace has the copies itself; a copy without a time has no place.
  void drop_copies() {
    std::size_t without_time = 0;
    std::erase_if(grouped_, [&](const auto& entry) {
      const Row& row = entry.second;
      without_time += row.of_copy_report && row.count == 0 ? 1 : 0;
      return row.of_copy_report && (kernels_ == Report::trace || row.count == 0);
    });
    if (kernels_ == Report::trace && (copy_times_ || copy_sizes_))
      rows_.note(Severity::info, "the summaries of copies are left out: cuda_gpu_trace has the same copies");
    else if (without_time > 0)
      rows_.note(Severity::info, "copies missing from cuda_gpu_mem_time_sum are left out: they have no time");
  }

  void add_rows() {
    drop_copies();
    const std::size_t grids = rows_.add_category("Grid"), blocks = rows_.add_category("Block");
    constexpr const char* spread[] = {"Shortest", "Median", "Longest", "Standard deviation"};
    if (kernels_ == Report::summary)
      for (const char* of : spread) rows_.add_measure(of, "s");
    bool over_links = false;
    KernelNames names;
    for (const auto& [called, row] : grouped_) names.add(called);
    for (const auto& [called, row] : grouped_) {
      const bool copy = called.starts_with("[CUDA memcpy"), fill = called.starts_with("[CUDA memset");
      const double bytes = copy || fill ? device_memory_traffic(called, row.bytes) : unknown;
      const bool moved = bytes > 0;
      over_links = over_links || (copy && row.bytes > 0 && !moved);
      OpClass traits;
      OpNumbers n;
      traits.type = copy ? "memcpy" : fill ? "memset" : "kernel";
      traits.category = copy || fill ? "copy" : "kernel";
      traits.symbol = Symbol::diamond;
      traits.activation = *Formats::catalogue().find("fp32");
      traits.time_only = !moved;
      n.matrix_flops = n.activation = n.given_bytes = unknown;
      if (moved) {
        traits.roles_unknown = traits.measured_bytes = true;
        n.matrix_flops = 0;
        n.given_bytes = bytes;
        n.activation = n.given_bytes / Formats::catalogue()[traits.activation].bytes();
      }
      n.time_s = row.time_s / row.count;
      rows_.push({rows_.op_class(traits),
                  times(n, row.count),
                  rows_.keep(printable(names.shown(called))),
                  {},
                  static_cast<std::uint32_t>(rows_.word(called + row.grid + row.block))});
      rows_.set_word(grids, row.grid);
      rows_.set_word(blocks, row.block);
      if (kernels_ == Report::summary)
        for (std::size_t i = 0; i < row.spread.size(); ++i) rows_.set_measure(i, row.spread[i]);
    }
    if (rows_.size() == 0) return rows_.note(Severity::warning, "the report has a header and no rows");
    rows_.note(Severity::info, "Nsight Systems states the times of kernels and not what they did: time only");
    if (over_links) rows_.note(Severity::info, note_copies_over_links);
    if (!ambiguous_header_.empty())
      rows_.note(Severity::info, "\"" + printable(ambiguous_header_) + "\" is taken in powers of 1000: no other column tells");
    name_machine();
  }

  /// "NVIDIA A100-SXM4-40GB (0)"
  void name_machine() {
    if (device_.empty()) return;
    rows_.workload().properties.emplace_back("Device", printable(device_));
    if (const Machine* machine = Machines::presets().find(std::string_view(device_).substr(0, device_.rfind(" ("))))
      rows_.workload().machine_json = '"' + machine->id + '"';
  }

  std::optional<Csv> csv_;
  std::vector<std::string> header_;
  std::array<std::size_t, column_count> column_{};
  double unit_ = unknown;
  ByteUnit byte_unit_;
  Report report_ = Report::none, kernels_ = Report::none;  // the one being read, and the one of kernels that is taken
  bool copy_times_ = false, copy_sizes_ = false;
  std::optional<Error> no_kernel_report_error_;  // for a file without a report of kernels
  std::string ambiguous_header_;                 // of a column whose unit of bytes has two meanings
  std::map<std::string, std::size_t> places_;
  std::vector<std::pair<std::string, Row>> grouped_;  // in the order in which they first occur
  std::string device_;
};

}  // namespace

bool detects_nsight_systems(std::string_view text) {
  return find_header(text, true, is_report_header, [](std::string_view) {}).header != std::string_view::npos;
}

std::unique_ptr<FormatReader> open_nsight_systems(const ReadOptions& options) { return std::make_unique<NsightSystemsReader>(options); }

}  // namespace roofline
