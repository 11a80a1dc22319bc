#include "read/formats.hpp"

#include <algorithm>
#include <roofline/machine/words.hpp>
#include <vector>

#include "read/utf8.hpp"

namespace roofline {

const InputFormat* find_format(std::string_view text) {
  static const std::vector<InputFormat> formats = {
      {"XProf roofline_model", detects_xprof, open_xprof, true},
      {"PyTorch trace", detects_pytorch, open_pytorch},
      {"TensorRT", detects_tensorrt, open_tensorrt, true},
      {"ONNX Runtime profile", detects_onnxruntime, open_onnxruntime},
      {"OpenVINO graph", detects_openvino, open_openvino, true},
      {"Ascend profile", detects_ascend, open_ascend},
      {"rocprofv3", detects_rocprofv3, open_rocprofv3},
      {"rocprof-compute", detects_rocprof_compute, open_rocprof_compute},
      {"RKNN eval_perf", detects_rknn, open_rknn, true},
      {results_source, detects_results, open_results, true},
      {"kernels", detects_kernels, open_kernels},  // last: any table with columns
  };
  for (const InputFormat& format : formats)
    if (format.detects(text)) return &format;
  return nullptr;
}

Error too_long(const LineIndex& lines, std::size_t at, std::size_t most) {
  const std::string size = most >> 20 > 0 ? std::to_string(most >> 20) + " MiB" : std::to_string(most) + " bytes";
  return lines.at(at, "more than " + size + " in one record: expected smaller ones");
}

/// So many of the first bytes are searched for words that tell the machine.
constexpr std::size_t most_named = std::size_t{256} << 10;

struct Reader::State {
  ReadOptions options;
  TextDecoder decoder;
  TextWindow window;
  std::unique_ptr<FormatReader> format;
  std::vector<std::string> machine_words;
  bool whole = false;
  std::size_t wanted = 0;  // bytes at hand before it is worth trying again

  void open() {
    const InputFormat* known = find_format(window.text());
    machine_words = words_of_machines(options.source_name + '\n' + std::string(window.text().substr(0, most_named)));
    window.set_first_byte(options.first_byte + decoder.skipped());
    options.keep_records = options.keep_records || decoder.recoded();
    whole = known && known->whole;
    format = (known ? known->open : open_commands)(options);
  }

  Result<void> read(bool last) {
    const bool crowded = window.text().size() > options.longest_record;
    if (whole && crowded) return Unexpected(too_long(window.lines(), 0, options.longest_record));
    if (whole && !last) return {};
    if (auto ok = format->read(window, last); !ok) return ok;
    const std::size_t left = window.text().size();
    if (!last && left > options.longest_record) return Unexpected(too_long(window.lines(), 0, options.longest_record));
    wanted = std::min(2 * left, options.longest_record + 1);
    return {};
  }

  Result<void> add(std::string_view text) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    const std::size_t nul = text.find('\0');
    for (std::string_view rest = text.substr(0, nul); !rest.empty();) {
      // What an input is, its first bytes tell, and no others: however it is fed, it is read alike.
      const std::string_view next = rest.substr(0, format ? piece : options.head_bytes - window.text().size());
      window.append(next);
      rest.remove_prefix(next.size());
      if (!format && window.text().size() < options.head_bytes) break;
      if (!format) open();
      if (window.text().size() < wanted) continue;
      if (auto ok = read(false); !ok) return ok;
    }
    if (nul == std::string_view::npos) return {};
    if (format)
      if (auto ok = read(false); !ok) return ok;  // a fault before it comes first
    return nul_byte(window.lines(), window.text().size());
  }
};

Reader::Reader(ReadOptions options) : state_(std::make_unique<State>()) { state_->options = std::move(options); }
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

Result<void> Reader::feed(std::string_view bytes) {
  const Result<std::string_view> text = state_->decoder.decode(bytes, false);
  if (!text) return Unexpected(text.error());
  return state_->add(*text);
}

Result<Workload> Reader::finish() {
  State& s = *state_;
  const Result<std::string_view> text = s.decoder.decode({}, true);
  if (!text) return Unexpected(text.error());
  if (auto ok = s.add(*text); !ok) return Unexpected(ok.error());
  if (!s.format) s.open();
  if (auto ok = s.read(true); !ok) return Unexpected(ok.error());
  Workload workload = s.format->take();
  // What the reader has found out stands before what is written somewhere.
  for (std::string& word : s.machine_words)
    if (std::find(workload.machine_words.begin(), workload.machine_words.end(), word) == workload.machine_words.end())
      workload.machine_words.push_back(std::move(word));
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
