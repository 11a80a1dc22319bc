// What ncu --csv prints: the details page (one row per metric) and the raw page (one row per launch, its second row of units), behind what
// the program and the profiler said. docs/formats/nsight.md has the rules.
#include <algorithm>
#include <map>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "base/joined.hpp"
#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/nsight/compute_launches.hpp"
#include "read/text/csv.hpp"
#include "read/text/preamble.hpp"

namespace roofline {
namespace {

bool says(std::string_view line, std::string_view what) { return line.starts_with("==" + std::string(what) + "=="); }

bool is_page_header(std::string_view line) {
  const bool table = line.starts_with("\"ID\",") || line.starts_with("ID,");
  return table && contains(line, "Kernel Name") && (contains(line, "Metric Name") || contains(line, "__"));
}

/// How numbers are written: the tool follows its computer's language.
struct Style {
  bool comma = false;  ///< decimal commas
  bool guessed = false;
};

/// What the digits say: "1.234.567" and "65,77" have decimal commas, "1,234,567" and "65.77" have none. Two decimals are printed, so three
/// digits behind a mark are a group.
class StyleVotes {
 public:
  void add(std::string_view cell) {
    constexpr std::string_view digits = "0123456789.,";
    constexpr std::string_view group_separators = " '\xc2\xa0\xe2\x80\xaf\x99";  // bytes of: space, ', U+2019, U+00A0, U+202F
    std::string text;
    for (const char c : cell) {
      if (contains(digits, c))
        text += c;
      else if (!contains(group_separators, c))
        return;
    }
    const std::size_t mark = text.find_last_of(".,");
    if (mark == std::string::npos) return;
    // If another separator groups the digits, the mark is a decimal one.
    const bool comma = text[mark] == ',', group = text.size() - mark == 4 && text[0] != '0' && text.size() == cell.size();
    ++(comma != group ? commas_ : points_);
    const bool two_marks = contains(text, comma ? '.' : ',');
    sure_ = sure_ || !group || two_marks;
  }
  [[nodiscard]] Style style() const { return {commas_ > points_, commas_ > points_ && !sure_}; }

 private:
  std::size_t commas_ = 0, points_ = 0;
  bool sure_ = false;
};

class NsightCsvReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit NsightCsvReader(const ReadOptions& options) : RowsReader(options.source_name, SourceFormat::nsight_compute_csv, options.limits) {
    rows_.workload().own_records = options.keep_records;
    keeps_places_ = !options.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    if (!csv_) {
      const Preamble found = find_header(window.text(), last, is_page_header, [&](std::string_view line) { hear(line); });
      window.drop(found.passed);
      if (found.header == std::string_view::npos) return last ? no_table() : Result<void>();
      csv_.emplace(window.text(), last);
      if (auto ok = start(); !ok) return ok;
    }
    csv_->reset(window.text(), window.start(), last);
    for (;;) {
      const auto more = csv_->next();
      if (!more) return Unexpected(more.error());
      if (!*more) break;
      read_row(window);
    }
    window.drop(csv_->position());
    if (!last) return {};
    if (style_.comma)
      rows_.note(Severity::warning,
                 std::string("numbers are read with decimal commas, as ") +
                     (style_.guessed ? "\"117.344\" with three digits for a fraction is not printed" : "\"65,77\" has them"));
    if (noise_ > 0)
      rows_.note(Severity::info, std::to_string(noise_) + (noise_ == 1 ? " line within the table is" : " lines within the table are") +
                                     " not part of it and left out");
    for (const auto& [unit, metric] : unknown_units_)
      rows_.note(Severity::warning, printable(metric) + ": unit \"" + printable(unit) + "\" is not one of this metric's: it is not used");
    for (const std::string& error : errors_) rows_.note(Severity::warning, "Nsight Compute says: " + error);
    return all_.fill(rows_);
  }

  Workload take() override {
    if (!all_.device.name.empty()) rows_.workload().properties.emplace_back("Device", all_.device.name);
    if (!capability_.empty()) rows_.workload().properties.emplace_back("Compute capability", capability_);
    return rows_.take();
  }

 private:
  // --- before the table ----------------------------------------------------------------------------------------------------------------

  void hear(std::string_view line) {
    constexpr std::size_t most = 5;
    nsight::take_program_output(line, all_.device);
    if (!says(line, "ERROR") || errors_.size() >= most) return;
    line.remove_prefix(std::string_view("==ERROR==").size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) errors_.push_back(printable(line));
  }

  [[nodiscard]] Result<void> no_table() const {
    if (errors_.empty()) return fail("Nsight Compute's output has no table: expected what ncu --csv --page raw prints");
    return fail("Nsight Compute measured nothing: " + joined(errors_, " "));
  }

  // --- the columns ---------------------------------------------------------------------------------------------------------------------

  Result<void> start() {
    const auto more = csv_->next();
    if (!more || !*more) return fail("the table has no header: expected what ncu --csv prints");
    read_header();
    StyleVotes votes;
    for (std::size_t rows = 0; rows < 4096; ++rows) {
      const auto next = csv_->next();
      if (!next || !*next) break;
      for (std::size_t c = long_ ? value_ : 0; c < csv_->fields().size() && (!long_ || c == value_); ++c)
        if (long_ || (c < columns_.size() && contains(columns_[c], "__"))) votes.add(csv_->fields()[c].view());
    }
    style_ = votes.style();
    csv_->seek(0);
    return {};
  }

  void read_header() {
    ++table_;
    columns_.clear();
    units_.clear();
    launches_.clear();
    for (const CsvField& field : csv_->fields()) columns_.push_back(field.text());
    const auto column = [&](std::string_view name) {
      const auto found = std::find(columns_.begin(), columns_.end(), name);
      return found == columns_.end() ? no_column : static_cast<std::size_t>(found - columns_.begin());
    };
    id_ = column("ID"), process_ = column("Process ID"), kernel_ = column("Kernel Name");
    grid_ = column("Grid Size"), block_ = column("Block Size"), cc_ = column("CC");
    metric_ = column("Metric Name"), unit_ = column("Metric Unit"), value_ = column("Metric Value");
    long_ = metric_ != no_column && value_ != no_column;
  }

  // --- one row -------------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::string cell(std::size_t column) const {
    return column < csv_->fields().size() ? csv_->fields()[column].text() : std::string();
  }

  void read_row(const TextWindow& window) {
    const std::vector<CsvField>& fields = csv_->fields();
    if (fields[0].view() == "ID" && fields.size() > kernel_) return read_header();
    if (fields[0].view().starts_with("==")) return hear(window.text().substr(csv_->row_begin(), csv_->row_end() - csv_->row_begin()));
    if (!long_ && units_.empty() && cell(id_).empty() && fields.size() >= columns_.size()) {
      for (const CsvField& field : fields) units_.push_back(field.text());
      return;
    }
    if (fields.size() <= std::max(kernel_, long_ ? value_ : kernel_) || fields.size() > columns_.size() + 1) return void(++noise_);
    nsight::Launch& launch = launch_of(window);
    if (long_) {
      take(cell(metric_), fields[value_].view(), unit_ == no_column ? std::nullopt : std::optional(cell(unit_)), launch.counters);
      return;
    }
    for (std::size_t c = kernel_ + 1; c < std::min(fields.size(), columns_.size()); ++c)
      if (contains(columns_[c], "__"))
        take(columns_[c], fields[c].view(), c < units_.size() ? std::optional(units_[c]) : std::nullopt, launch.counters);
  }

  void take(const std::string& metric, std::string_view value, const std::optional<std::string>& unit, nsight::Counters& counters) {
    double number = unknown;
    if (metric.empty() || value.empty()) return;  // a rule's remark
    if (!read_number(value, style_.comma, number)) return nsight::take_text(metric, value, all_.device);
    const std::optional<std::string_view> as = unit ? std::optional<std::string_view>(*unit) : std::nullopt;
    if (!nsight::take_number(metric, number, as, counters, all_.device)) unknown_units_.try_emplace(*unit, metric);
  }

  /// The rows of a launch follow each other, and a run of several processes numbers the launches of each.
  nsight::Launch& launch_of(const TextWindow& window) {
    nsight::Run& run = all_.run(std::to_string(table_) + ' ' + cell(process_));
    const auto [found, is_new] = launches_.try_emplace(cell(process_) + ' ' + cell(id_), run.launches.size());
    const std::uint64_t begin = window.source_offset(csv_->row_begin()), end = window.source_offset(csv_->row_end());
    if (is_new) {
      nsight::Launch launch;
      launch.kernel = cell(kernel_), launch.grid = cell(grid_), launch.block = cell(block_);
      if (keeps_places_) launch.record = SourceRange(begin, end - begin);
      run.launches.push_back(std::move(launch));
      note_capability(cell(cc_));
    }
    nsight::Launch& launch = run.launches[found->second];
    if (keeps_places_) launch.record = SourceRange(launch.record.offset, end - launch.record.offset);
    return launch;
  }

  void note_capability(const std::string& capability) {
    const std::size_t point = capability.find('.');
    if (point == std::string::npos || !capability_.empty()) return;
    capability_ = printable(capability);
    all_.device.capability_major = table_number(std::string_view(capability).substr(0, point), false).value_or(unknown);
    all_.device.capability_minor = table_number(std::string_view(capability).substr(point + 1), false).value_or(unknown);
    rows_.workload().machine_words.push_back("sm_" + capability.substr(0, point) + capability.substr(point + 1));
  }

  bool keeps_places_ = true;  // of records in the source
  nsight::Launches all_;
  std::optional<Csv> csv_;
  Style style_;
  std::vector<std::string> columns_, units_;
  std::size_t id_ = no_column, process_ = no_column, kernel_ = no_column, grid_ = no_column, block_ = no_column, cc_ = no_column;
  std::size_t metric_ = no_column, unit_ = no_column, value_ = no_column;
  bool long_ = false;
  std::unordered_map<std::string, std::size_t> launches_;  // of this table, by process and number: places in their run
  std::map<std::string, std::string> unknown_units_;       // a metric of each
  std::string capability_;
  std::vector<std::string> errors_;
  std::size_t table_ = 0, noise_ = 0;
};

}  // namespace

bool detects_nsight_compute_csv(std::string_view text) {
  bool spoke = false;
  const Preamble found =
      find_header(text, true, is_page_header, [&](std::string_view line) { spoke = spoke || says(line, "PROF") || says(line, "ERROR"); });
  return spoke || found.header != std::string_view::npos;
}

std::unique_ptr<FormatReader> open_nsight_compute_csv(const ReadOptions& options) { return std::make_unique<NsightCsvReader>(options); }

}  // namespace roofline
