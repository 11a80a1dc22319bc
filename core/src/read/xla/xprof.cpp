// XProf's roofline_model export: operations, and the program and its steps as totals over them. docs/formats/xprof.md has the format.
#include <algorithm>
#include <array>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/text/csv.hpp"
#include "read/xla/xla.hpp"
#include "read/xla/xprof_table.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

using xprof::Row;
using xprof::Table;

/// A memory's channel: where its rate lies in a row, what the analysis calls it, and the property that has its peak.
struct MemoryChannel {
  xprof::Number field;
  const char* name;
  const char* peak;
  const char* flag;  ///< the property that says whether the device has it; null: none
};
constexpr MemoryChannel hbm = {xprof::hbm_rate, "HBM", "peak_hbm_bw", nullptr};
constexpr MemoryChannel tpu_channels[] = {
    {xprof::cmem_read_rate, xla::channel_names[xla::cmem_read], "peak_cmem_read_bw", "has_cmem"},
    {xprof::cmem_write_rate, xla::channel_names[xla::cmem_write], "peak_cmem_write_bw", "has_cmem"},
    {xprof::vmem_read_rate, xla::channel_names[xla::vmem_read], "peak_vmem_read_bw", "has_merged_vmem"},
    {xprof::vmem_write_rate, xla::channel_names[xla::vmem_write], "peak_vmem_write_bw", "has_merged_vmem"},
};
constexpr MemoryChannel gpu_channels[] = {{xprof::vmem_write_rate, "Shm/L1", "peak_vmem_write_bw", nullptr}};

/// Text without HTML: tags fall away, the five named entities and &#39; become their characters.
std::string plain_text(std::string_view html) {
  std::string out;
  bool in_tag = false;
  for (std::size_t i = 0; i < html.size(); ++i) {
    const char c = html[i];
    if (in_tag) {
      in_tag = c != '>';
    } else if (c == '<') {
      in_tag = true;
    } else if (c == '&') {
      constexpr std::pair<std::string_view, char> entities[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                                                                {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}};
      const auto found =
          std::find_if(std::begin(entities), std::end(entities), [&](const auto& e) { return html.substr(i, e.first.size()) == e.first; });
      if (found == std::end(entities)) {
        out += c;
      } else {
        out += found->second;
        i += found->first.size() - 1;
      }
    } else {
      out += c;
    }
  }
  return out;
}

/// The program's rows, one marker each: its totals, those of hardware counters, an average step, the steps.
Symbol symbol_of_step(std::string_view step) {
  return step == whole_program_step ? Symbol::star
         : step == "Total (HW)"     ? Symbol::x
         : step == "Average"        ? Symbol::diamond
                                    : Symbol::circle;
}

class XprofReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit XprofReader(const ReadOptions& options)
      : RowsReader(options.source_name, SourceFormat::xprof, options.limits),
        keep_records_(options.keep_records),
        work_(rows_.workload()) {}

  /// The tables are small (XProf keeps the top 1,000 operations): all of it is there.
  Result<void> read(TextWindow& window, bool) override {
    auto table = xprof::read_table(window.text());
    if (!table) return Unexpected(table.error());
    window_ = &window;
    fill(*table);
    window.drop(window.text().size());
    return {};
  }

 private:
  void fill(Table& table) {
    table_ = &table;
    for (const auto& [key, value] : table.properties)
      if (key == "device_type") device_ = value;
    gpu_ = table.shared_memory || contains(device_, "GPU");
    format_ = Formats::catalogue().find(gpu_ ? "fp16" : "bf16").value_or(no_format);
    work_.diagnostics = std::move(table.diagnostics);
    work_.own_records = keep_records_;
    program_ = rows_.add_category("Program ID");
    source_ = rows_.add_category("Source");
    if (table.has_number[xprof::model_flop_rate]) add_measure(xprof::model_flop_rate, "Model FLOP Rate", "FLOP/s");
    if (table.has_number[xprof::time_per_core]) add_measure(xprof::time_per_core, "Time per core", "s");
    if (gpu_)
      add_channels(gpu_channels);
    else
      add_channels(tpu_channels);
    add_channel(xprof::memory_rate, xla::all_memories);
    for (const Row& row : table.rows) add(row);
    if (std::all_of(work_.views.begin(), work_.views.end(), [](std::uint8_t v) { return v == both_infeeds; })) work_.views.clear();
    state_machine();
    state_device();
    inform();
  }

  template <std::size_t n>
  void add_channels(const MemoryChannel (&channels)[n]) {
    for (const MemoryChannel& channel : channels) add_channel(channel.field, channel.name);
  }
  void add_channel(xprof::Number field, const char* name) {
    const bool used = std::any_of(table_->rows.begin(), table_->rows.end(), [&](const Row& row) { return row.numbers[field] > 0; });
    if (!used) return;
    rows_.add_channel(name, false);
    channel_fields_.push_back(field);
  }

  void add_measure(xprof::Number field, const char* name, const char* unit) {
    rows_.add_measure(name, unit);
    measure_fields_.push_back(field);
  }

  // --- rows ----------------------------------------------------------------------------------------------------------------------------

  /// Every row is there twice, with the time of infeed and outfeed and without; where both are the same, they are one.
  void add(const Row& row) {
    const double with = row.numbers[xprof::with_infeed];
    const std::uint8_t views = with == 1 ? +row_view::with_infeed : with == 0 ? +row_view::without_infeed : both_infeeds;
    std::string key;
    for (const auto field : {xprof::step, xprof::category, xprof::operation, xprof::program, xprof::source}) key += row.texts[field] + '\0';
    for (const auto field : {xprof::occurrences, xprof::total_time, xprof::flop_rate, xprof::hbm_rate})
      key.append(reinterpret_cast<const char*>(&row.numbers[field]), sizeof(double));
    bool is_new = false;
    const std::uint32_t id = seen_.intern(key, &is_new);
    if (is_new)
      first_of_.push_back(static_cast<std::uint32_t>(work_.size()));
    else if (views != both_infeeds && (work_.views[first_of_[id]] & views) == 0)
      return void(work_.views[first_of_[id]] |= views);
    const bool program = row.texts[xprof::category] == "Program";
    push(row, program);
    rows_.set_views(static_cast<std::uint8_t>(views | (program ? row_view::program : 0)));
  }

  void push(const Row& row, bool program) {
    const auto& n = row.numbers;
    const double time = n[xprof::total_time] > 0 ? n[xprof::total_time] : unknown;
    const double self = program ? time : n[xprof::total_self_time];
    const double flops = n[xprof::flop_rate] * time;
    const bool has_hbm = table_->has_number[xprof::hbm_rate];
    const double bytes = n[has_hbm ? xprof::hbm_rate : xprof::memory_rate] * time;
    bool costed = flops > 0 || bytes > 0;
    for (const xprof::Number field : channel_fields_) costed = costed || n[field] > 0;

    OpClass op_class;
    op_class.type = op_class.category = row.texts[xprof::category].empty() ? "other" : row.texts[xprof::category];
    op_class.symbol = program ? symbol_of_step(row.texts[xprof::step]) : xla::symbol_of(op_class.category);
    op_class.activation = format_;
    op_class.matrix_work = flops > 0;
    op_class.roles_unknown = true;

    // All zero is how XProf writes that it knows no cost (a custom call, idle time).
    OpNumbers numbers;
    numbers.matrix_flops = costed ? flops : unknown;
    numbers.given_bytes = costed ? bytes : unknown;
    numbers.activation = costed ? bytes / Formats::catalogue()[format_].bytes() : unknown;
    numbers.time_s = time;
    numbers.self_time_s = known_or(self, time);
    numbers.count = n[xprof::occurrences] >= 1 ? n[xprof::occurrences] : 1;
    const std::string& name = row.texts[xprof::operation];
    rows_.push({rows_.op_class(op_class), numbers, rows_.keep(name), record_of(row), static_cast<std::uint32_t>(hash_text(name))});
    rows_.set_step(row.texts[xprof::step]);
    rows_.set_word(program_, row.texts[xprof::program]);
    rows_.set_word(source_, plain_text(row.texts[xprof::source]));
    for (std::size_t c = 0; c < channel_fields_.size(); ++c) rows_.set_channel(c, costed ? n[channel_fields_[c]] * time : unknown);
    for (std::size_t m = 0; m < measure_fields_.size(); ++m) rows_.set_measure(m, n[measure_fields_[m]]);
    if (const double cores = time / n[xprof::time_per_core]; program && cores >= 1.5 && cores < 1e6) cores_ = std::round(cores);
  }

  [[nodiscard]] SourceRange record_of(const Row& row) {
    if (row.length == 0) return {};
    return keep_records_ ? rows_.keep_record(window_->text().substr(row.begin, row.length))
                         : SourceRange(window_->source_offset(row.begin), row.length);
  }

  // --- the machine ---------------------------------------------------------------------------------------------------------------------

  [[nodiscard]] double property(std::string_view name) const {
    for (const auto& [key, value] : table_->properties)
      if (key == name) return exact_number(value).value_or(unknown);
    return unknown;
  }

  /// The rate that the rows' own utilisation implies. They say which memory the utilisation is of by what bounds the row.
  [[nodiscard]] double implied(xprof::Number rate, xprof::Number utilization, std::string_view bound) const {
    double best = unknown, most = 0;
    for (const Row& row : table_->rows) {
      const double u = row.numbers[utilization], r = row.numbers[rate];
      if (!(u > most) || !(r > 0) || (!bound.empty() && row.texts[xprof::bound_by] != bound)) continue;
      most = u;
      best = r / u;
    }
    return best;
  }

  /// A property keeps six digits; where the rows agree with it, they have all of them. Without the property the rows stand alone.
  [[nodiscard]] Figure figure(const char* peak, double unit, double implied_rate) const {
    const double stated = property(peak) * unit;
    if (!(stated > 0)) {
      const bool absent = !(stated == 0);
      return absent && implied_rate > 0 ? Figure{implied_rate, "worked out from the rows' utilisation", "estimate", ""} : Figure{};
    }
    const double difference = std::fabs(implied_rate - stated) / stated;
    const bool sharper = difference > 1e-12 && difference <= 1e-5;
    return {sharper ? implied_rate : stated, std::string("the profile's device properties: ") + peak, "datasheet", ""};
  }

  [[nodiscard]] Figure channel_figure(const MemoryChannel& channel) const {
    if (channel.flag && property(channel.flag) == 0) return {};
    return figure(channel.peak, xla::gibi, implied(channel.field, xprof::memory_utilization, channel.name));
  }

  void state_machine() {
    const Figure peak = figure("peak_flop_rate", xla::giga, implied(xprof::flop_rate, xprof::compute_utilization, {}));
    Figure bandwidth = channel_figure(hbm);
    if (!bandwidth.known() && !table_->has_text[xprof::bound_by])
      bandwidth = figure(hbm.peak, xla::gibi, implied(xprof::hbm_rate, xprof::memory_utilization, {}));
    if (!peak.known() || !bandwidth.known()) {
      rows_.note(Severity::warning,
                 std::string("the profile does not state its ") + (peak.known() ? "memory's bandwidth" : "device's peak") +
                     ": choose the machine it ran on",
                 "p");
      return;
    }
    std::array<Figure, xla::channel_count> channels;
    if (!gpu_)
      std::transform(std::begin(tpu_channels), std::end(tpu_channels), channels.begin(),
                     [&](const MemoryChannel& c) { return channel_figure(c); });
    Machine machine = xla::device(device_, format_, peak, bandwidth, channels);
    if (gpu_) {
      const Figure shared = figure(gpu_channels[0].peak, xla::gibi, unknown);
      if (shared.known()) machine.memories.push_back({gpu_channels[0].name, shared, {}, {}, {}});
    }
    machine.notes.push_back(gpu_ ? "Rates are of one GPU." : "Rates are of one TensorCore.");
    if (cores_ > 1) machine.notes.push_back("The profile's times are sums over " + std::to_string(static_cast<int>(cores_)) + " cores.");
    if (property("megacore") == 1)
      machine.notes.push_back("Megacore: an operation runs on both TensorCores of a chip; the rates are those of both.");
    if (const double scale = property("time_scale_multiplier"); scale > 0)
      machine.notes.push_back("Time scale multiplier " + table_property("time_scale_multiplier") + ".");
    work_.machine_json = machine_json(machine, true);
  }
  /// The device properties as XProf's page has them.
  void state_device() {
    const auto say = [&](std::string name, std::string text) { work_.properties.emplace_back(std::move(name), std::move(text)); };
    if (!device_.empty()) say("Device type", device_);
    if (const double megacore = property("megacore"); known(megacore)) say("Megacore", megacore > 0 ? "yes" : "no");
    const std::string per = gpu_ ? " per GPU" : " per TensorCore";
    if (const double peak = property("peak_flop_rate"); peak > 0) say("Peak FLOP rate" + per, with_unit(peak * xla::giga, "FLOP/s"));
    const auto memory = [&](const MemoryChannel& channel) {
      const double rate = property(channel.peak);
      if (!(rate > 0) || (channel.flag && property(channel.flag) == 0)) return;
      say("Peak " + std::string(channel.name) + " bandwidth" + per,
          with_unit(rate * xla::gibi, "B/s") + " (" + table_property(channel.peak) + " GiB/s)");
      const double ridge = property("peak_flop_rate") * xla::giga / (rate * xla::gibi);
      if (ridge > 0) say(std::string(channel.name) + " ridge point", number(ridge) + " FLOP/B");
    };
    memory(hbm);
    if (gpu_)
      memory(gpu_channels[0]);
    else
      for (const MemoryChannel& channel : tpu_channels) memory(channel);
    if (cores_ > 1) say("Cores profiled", std::to_string(static_cast<int>(cores_)));
    if (property("time_scale_multiplier") > 0) say("Time scale multiplier", table_property("time_scale_multiplier"));
  }
  [[nodiscard]] std::string table_property(std::string_view name) const {
    for (const auto& [key, value] : table_->properties)
      if (key == name) return value;
    return {};
  }

  void inform() {
    const auto say = [&](std::string message) { rows_.note(Severity::info, std::move(message)); };
    if (work_.size() == 0) return rows_.note(Severity::warning, "the file holds no operations");
    const auto uncosted = std::count_if(work_.matrix_flops.begin(), work_.matrix_flops.end(), [](double f) { return !known(f); });
    if (uncosted > 0)
      say(std::to_string(uncosted) + (uncosted == 1 ? " row has" : " rows have") + " neither FLOPs nor bytes: no bound can be given");
    if (!table_->has_number[xprof::hbm_rate]) say("no HBM BW: the total memory rate is used instead");
    say(std::string("number formats are not in the file: ") + (gpu_ ? "FP16" : "BF16") +
        " is assumed, so what-ifs on formats are upper bounds");
  }

  static constexpr std::uint8_t both_infeeds = row_view::with_infeed | row_view::without_infeed;

  const bool keep_records_;
  Workload& work_;  // of rows_
  TextWindow* window_ = nullptr;
  std::size_t program_ = 0, source_ = 0;  // columns of words
  bool gpu_ = false;
  const Table* table_ = nullptr;
  std::string device_;
  FormatId format_ = no_format;
  double cores_ = 1;
  std::vector<xprof::Number> channel_fields_, measure_fields_;
  Interner seen_;
  std::vector<std::uint32_t> first_of_;
};

}  // namespace

bool detects_xprof(std::string_view text) { return xprof::detects(text); }

std::unique_ptr<FormatReader> open_xprof(const ReadOptions& options) { return std::make_unique<XprofReader>(options); }

}  // namespace roofline
