// What nsys stats prints as CSV of the kernels on a GPU: their summary (cuda_gpu_kern_sum) or their trace (cuda_gpu_trace). Times and
// counts; what was done in them, no column says.
#include <array>
#include <map>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

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

enum class Report : std::uint8_t { none, summary, trace, other };

Report report_of(std::string_view line) {
  if (contains(line, "Start (") && contains(line, "Duration (") && contains(line, "CorrId") && contains(line, "Name")) return Report::trace;
  if (!contains(line, "Total Time (") || !contains(line, "StdDev (")) return Report::none;
  return contains(line, "Instances") && contains(line, "Name") ? Report::summary : Report::other;
}

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
    if (!csv_) {
      const Preamble found = find_header(window.text(), last, is_report_header, [](std::string_view) {});
      window.drop(found.passed);
      if (found.header == std::string_view::npos) return last ? fail("the report has no table") : Result<void>();
      csv_.emplace(window.text(), last);
      if (auto ok = start(window.lines()); !ok) return ok;
      window.drop(csv_->position());
    }
    csv_->reset(window.text(), window.start(), last);
    while (!done_) {
      const auto more = csv_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      read_row(window.lines());
    }
    window.drop(done_ ? window.text().size() : csv_->position());
    if (last) add_rows();
    return {};
  }

 private:
  enum Column : std::uint8_t { name, time, count, minimum, median, maximum, deviation, bytes, device, grid, block, column_count };

  Result<void> start(const LineIndex& lines) {
    const auto more = csv_->next();
    if (!more || !*more) return Unexpected(lines.at(0, "expected the header of a report of nsys stats"));
    column_.fill(no_column);
    for (const CsvField& field : csv_->fields()) header_.push_back(field.text());
    const auto find = [&](Column column, std::initializer_list<std::string_view> starts) {
      for (std::size_t i = 0; i < header_.size() && column_[column] == no_column; ++i)
        for (const std::string_view start : starts)
          if (header_[i].starts_with(start)) column_[column] = i;
    };
    const std::string line = line_of(csv_->fields());
    trace_ = report_of(line) == Report::trace;
    if (report_of(line) == Report::other)
      return Unexpected(lines.at(0, "a report of nsys stats that is not of kernels: expected cuda_gpu_kern_sum or cuda_gpu_trace"));
    find(name, {"Name"});
    find(time, {trace_ ? "Duration (" : "Total Time ("});
    find(count, {"Instances"});
    find(minimum, {"Min ("}), find(median, {"Med ("}), find(maximum, {"Max ("}), find(deviation, {"StdDev ("});
    find(bytes, {"Bytes ("}), find(device, {"Device"}), find(grid, {trace_ ? "GrdX" : "GridXYZ"}),
        find(block, {trace_ ? "BlkX" : "BlockXYZ"});
    if (column_[name] == no_column || column_[time] == no_column || (!trace_ && column_[count] == no_column))
      return Unexpected(lines.at(0, "the header lacks a name, a time or the instances: expected it as nsys stats --format csv prints it"));
    unit_ = seconds_per(unit_in(header_[column_[time]]));
    if (!known(unit_))
      return Unexpected(
          lines.at(0, "the column \"" + printable(header_[column_[time]]) + "\" names no unit of time: expected ns, us, ms or s"));
    if (column_[bytes] == no_column) return {};
    byte_unit_ = byte_unit(unit_in(header_[column_[bytes]]));
    if (!known(byte_unit_.bytes)) {
      rows_.note(Severity::warning, "the column \"" + printable(header_[column_[bytes]]) +
                                        "\" names no unit of bytes and is left out: expected B, kB, MB, GB, KiB, MiB or GiB");
      column_[bytes] = no_column;
    }
    return {};
  }

  /// A kernel of one launch shape, or a copy of one size.
  struct Row {
    std::string grid, block;
    double time_s = 0, count = 0, bytes = unknown;
    std::array<double, 4> spread = {unknown, unknown, unknown, unknown};  ///< minimum, median, maximum, deviation: seconds
  };

  [[nodiscard]] std::string cell(std::size_t at) const { return at < csv_->fields().size() ? csv_->fields()[at].text() : std::string(); }
  [[nodiscard]] double figure(Column column) const {
    return column_[column] == no_column ? unknown : table_number(cell(column_[column]), csv_->decimal_comma()).value_or(unknown);
  }
  /// "(256, 1, 1)" of three columns; of one, as it is.
  [[nodiscard]] std::string extent(Column column) const {
    const std::size_t at = column_[column];
    if (at == no_column || cell(at).empty()) return {};
    return trace_ ? "(" + cell(at) + ", " + cell(at + 1) + ", " + cell(at + 2) + ")" : cell(at);
  }

  void read_row(const LineIndex& lines) {
    const std::vector<CsvField>& fields = csv_->fields();
    if (fields.size() == 1 || is_report_header(line_of(fields)))
      return void(done_ = true);  // the next report, or what the tool says before it
    const double time_s = figure(time) * unit_, occurrences = trace_ ? 1 : figure(count);
    const std::string called = cell(column_[name]);
    if (fields.size() != header_.size() || !(time_s >= 0) || !(occurrences >= 1)) {
      rows_.report(Severity::warning, [&] {
        return lines.at(csv_->row_begin(), "expected a time" + std::string(trace_ ? "" : " and a number of instances") + " of " +
                                               printable(called) + ": the row is left out");
      });
      return;
    }
    const double moved = figure(bytes) * byte_unit_.bytes;
    const std::string key = called + '\n' + extent(grid) + '\n' + extent(block) + '\n' + cell(column_[bytes]);
    const auto [found, is_new] = places_.try_emplace(key, grouped_.size());
    if (is_new) grouped_.emplace_back(called, Row{extent(grid), extent(block), 0, 0, moved, {}});
    Row& row = grouped_[found->second].second;
    row.time_s += time_s, row.count += occurrences;
    row.spread = {figure(minimum) * unit_, figure(median) * unit_, figure(maximum) * unit_, figure(deviation) * unit_};
    if (device_.empty()) device_ = cell(column_[device]);
  }
  static std::string line_of(const std::vector<CsvField>& fields) {
    std::string line;
    for (const CsvField& field : fields) line += field.text() + ',';
    return line;
  }

  void add_rows() {
    const std::size_t grids = rows_.add_category("Grid"), blocks = rows_.add_category("Block");
    constexpr const char* spread[] = {"Shortest", "Median", "Longest", "Standard deviation"};
    if (!trace_)
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
      Numbers n;
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
      if (!trace_)
        for (std::size_t i = 0; i < row.spread.size(); ++i) rows_.set_measure(i, row.spread[i]);
    }
    if (rows_.size() == 0) return rows_.note(Severity::warning, "the report has a header and no rows");
    rows_.note(Severity::info, "Nsight Systems states the times of kernels and not what they did: time only");
    if (over_links) rows_.note(Severity::info, note_copies_over_links);
    if (column_[bytes] != no_column && byte_unit_.ambiguous)
      rows_.note(Severity::info, "\"" + printable(header_[column_[bytes]]) + "\" is taken in powers of 1000: no other column tells");
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
  bool trace_ = false, done_ = false;
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
