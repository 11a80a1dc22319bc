#include "read/formats.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/machine/words.hpp>
#include <utility>
#include <vector>

#include "read/text/utf8.hpp"

namespace roofline {

// Each format's functions that detect and open it, defined in its reader's file.
using Detects = bool(std::string_view text);
using Opens = std::unique_ptr<FormatReader>(const ReadOptions& options);
Detects detects_kernels, detects_summary, detects_operation_rows, detects_answer, detects_xprof, detects_pytorch, detects_tensorrt,
    detects_onnxruntime, detects_device_trace, detects_openvino, detects_ascend, detects_rocprofv3, detects_rocprof_compute, detects_rknn,
    detects_tenstorrent, detects_tool_table, detects_known_file, detects_nsight_compute_text, detects_nsight_compute_csv,
    detects_nsight_systems, detects_nsight_compute_report, detects_xplane, detects_providers;
Opens open_summary, open_operation_rows, open_answer, open_xprof, open_pytorch, open_tensorrt, open_onnxruntime, open_device_trace,
    open_openvino, open_ascend, open_rocprofv3, open_rocprof_compute, open_rknn, open_tenstorrent, open_tool_table, open_known_file,
    open_nsight_compute_text, open_nsight_systems, open_results, open_providers;

/// Whether several columns hold the same amount, one for each implementation.
bool names_providers(const ReadOptions& options);

const InputFormat* table_format() {
  static const InputFormat tables{detects_kernels, open_kernels};
  return &tables;
}

const InputFormat* find_format(std::string_view text) {
  static const std::vector<InputFormat> formats = {
      {detects_summary, open_summary, true},
      {detects_operation_rows, open_operation_rows, true},
      {detects_answer, open_answer},
      {detects_xprof, open_xprof, true},
      {detects_pytorch, open_pytorch},
      {detects_tensorrt, open_tensorrt, true},
      {detects_onnxruntime, open_onnxruntime},
      {detects_device_trace, open_device_trace},
      {detects_openvino, open_openvino, true},
      {detects_ascend, open_ascend},
      {detects_rocprof_compute, open_rocprof_compute},
      {detects_rocprofv3, open_rocprofv3},
      {detects_rknn, open_rknn, true},
      {detects_tenstorrent, open_tenstorrent},
      {detects_tool_table, open_tool_table, true},
      {detects_known_file, open_known_file},
      {detects_nsight_compute_text, open_nsight_compute_text, true},
      {detects_nsight_compute_csv, open_nsight_compute_csv},
      {detects_nsight_systems, open_nsight_systems},
      {detects_results, open_results, true},
      {detects_providers, open_providers, true},
      *table_format(),  // last: any table with columns
  };
  for (const InputFormat& format : formats)
    if (format.detects(text)) return &format;
  return nullptr;
}

const InputFormat* find_binary_format(std::string_view bytes) {
  static const std::vector<InputFormat> formats = {
      {detects_nsight_compute_report, open_nsight_compute_report},
      {detects_xplane, open_xplane},
  };
  for (const InputFormat& format : formats)
    if (format.detects(bytes)) return &format;
  return nullptr;
}

Error too_long(const LineIndex& lines, std::size_t at, std::size_t most) {
  const std::string size = most >> 20 > 0 ? std::to_string(most >> 20) + " MiB" : std::to_string(most) + " bytes";
  return lines.at(at, "more than " + size + " in one record: expected smaller ones");
}

/// So many of the first bytes are searched for words that tell the machine.
constexpr std::size_t most_named = std::size_t{256} << 10;

/// A word that tells whose machine a tool is for; null: anybody's.
const char* vendor_of(SourceFormat format) {
  switch (format) {
    case SourceFormat::nsight_compute_csv:
    case SourceFormat::nsight_compute_report:
    case SourceFormat::nsight_systems:
      return "nsight";
    case SourceFormat::tensorrt:
      return "tensorrt";
    case SourceFormat::rocprofv3:
    case SourceFormat::rocprof_compute:
      return "rocm";
    case SourceFormat::rknn:
      return "rockchip";
    case SourceFormat::ascend:
      return "ascend";
    default:
      return nullptr;
  }
}

/// The machines and other GPUs that the file's "Device" property names.
std::vector<std::string> words_of_device(const Workload& workload) {
  std::vector<std::string> out;
  const std::vector<Machine>& machines = Machines::presets().all();
  for (const auto& [property, text] : workload.properties)
    if (property == "Device")
      for (std::string& word : words_of_machines(text)) {
        const auto is = [&word](const Machine& machine) { return match(machine, word) >= WordMatch::family; };
        if (is_product(word) || std::any_of(machines.begin(), machines.end(), is)) out.push_back(std::move(word));
      }
  return out;
}

struct Reader::State {
  ReadOptions options;
  std::string head;  // the first bytes, until they tell whether this is text
  bool told = false, binary = false;
  TextDecoder decoder;
  TextWindow window;
  std::unique_ptr<FormatReader> format;
  std::vector<std::string> machine_words;
  bool whole = false;
  std::size_t wanted = 0;  // bytes at hand before it is worth trying again

  void open() {
    static const InputFormat providers{detects_kernels, open_providers, true};
    const InputFormat* known = options.lines              ? nullptr
                               : options.columns.empty()  ? find_format(window.text())
                               : names_providers(options) ? &providers
                                                          : table_format();
    if (!options.lines) machine_words = words_of_machines(options.source_name + '\n' + std::string(window.text().substr(0, most_named)));
    window.set_first_byte(options.first_byte + decoder.skipped());
    options.keep_records = options.keep_records || decoder.recoded();
    whole = known && known->whole;
    format = (known ? known->open : open_commands)(options);
  }

  /// Uses only the device's name if the format found one; else the words that the format found, then those of the text or, if the file is
  /// not text, of its properties.
  void name_machine(Workload& workload) {
    std::vector<std::string>& words = workload.machine_words;
    if (std::vector<std::string> device = words_of_device(workload); !device.empty()) {
      words = std::move(device);
      return;
    }
    if (binary) machine_words = words_of_machines(options.source_name);
    std::string named(std::string_view(workload.text).substr(0, most_named));
    for (const auto& [property, text] : workload.properties) named += '\n' + text;
    if (!options.lines)
      for (std::string& word : words_of_machines(named)) machine_words.push_back(std::move(word));
    if (const char* vendor = vendor_of(workload.source_format)) machine_words.emplace_back(vendor);
    for (std::string& word : machine_words)
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
  }

  [[nodiscard]] bool full() const { return format && !format->rows().refused().empty(); }
  [[nodiscard]] Error refusal() const {
    const std::uint64_t bytes = window.source_offset(0) - options.first_byte;
    const std::string where = " (in the first " + with_unit(static_cast<double>(bytes), "B") + ")";
    return binary ? Error{format->rows().refused() + where} : window.lines().at(0, format->rows().refused() + where);
  }

  Result<void> read(bool last) {
    const bool crowded = window.text().size() > options.longest_record;
    if (whole && crowded) return Unexpected(too_long(window.lines(), 0, options.longest_record));
    if (whole && !last) return {};
    if (auto ok = format->read(window, last); !ok) return ok;
    if (full()) return Unexpected(refusal());
    const std::size_t left = window.text().size();
    if (!last && !binary && left > options.longest_record) return Unexpected(too_long(window.lines(), 0, options.longest_record));
    wanted = std::min(2 * left, options.longest_record + 1);
    return {};
  }

  Result<void> feed(std::string_view bytes, bool last) {
    std::string held;
    if (!told) {
      if (!head.empty() || bytes.size() < binary_head) {
        head += bytes;
        if (head.size() < binary_head && !last) return {};
        bytes = held = std::exchange(head, {});
      }
      told = true;
      if (const InputFormat* known = options.lines ? nullptr : find_binary_format(bytes.substr(0, binary_head))) {
        binary = true;
        format = known->open(options);
      }
    }
    if (binary) return pass(bytes);
    const Result<std::string_view> text = decoder.decode(bytes, last);
    return text ? add(*text) : Result<void>(Unexpected(text.error()));
  }

  Result<void> add(std::string_view text) {
    const std::size_t nul = text.find('\0');
    if (auto ok = pass(text.substr(0, nul)); !ok || nul == std::string_view::npos) return ok;
    if (format)
      if (auto ok = read(false); !ok) return ok;  // a fault before it comes first
    return nul_byte(window.lines(), window.text().size());
  }

  Result<void> pass(std::string_view rest) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    while (!rest.empty()) {
      // What an input is, its first bytes tell, and no others: however it is fed, it is read alike.
      const std::string_view next = rest.substr(0, format ? piece : options.head_bytes - window.text().size());
      window.append(next);
      rest.remove_prefix(next.size());
      if (!format && window.text().size() < options.head_bytes) break;
      if (!format) open();
      if (window.text().size() < wanted) continue;
      if (auto ok = read(false); !ok) return ok;
    }
    return {};
  }
};

Reader::Reader(ReadOptions options) : state_(std::make_unique<State>()) { state_->options = std::move(options); }
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

bool Reader::full() const { return state_->full(); }

Result<void> Reader::feed(std::string_view bytes) { return state_->feed(bytes, false); }

Result<Workload> Reader::finish() {
  State& s = *state_;
  if (auto ok = s.feed({}, true); !ok) return Unexpected(ok.error());
  if (!s.format) s.open();
  if (auto ok = s.read(true); !ok) return Unexpected(ok.error());
  Workload workload = s.format->take();
  if (s.full()) return Unexpected(s.refusal());
  s.name_machine(workload);
  if (!workload.simulated_by.empty())
    workload.diagnostics.push_back({Severity::info, "times were simulated by " + workload.simulated_by + ", not measured", {}, 0, 0, {}});
  return workload;
}

Result<Workload> read(std::string_view bytes, const ReadOptions& options) {
  ReadOptions all = options;
  all.source_bytes = bytes.size();
  Reader reader(std::move(all));
  if (auto ok = reader.feed(bytes); !ok) return Unexpected(ok.error());
  return reader.finish();
}

}  // namespace roofline
