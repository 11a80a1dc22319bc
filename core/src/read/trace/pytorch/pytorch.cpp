// Traces of PyTorch's profiler. A row is an operator of one shape and format: its calls, and the time of the kernels that they launched.
// docs/formats/pytorch.md has the rules.
#include <algorithm>
#include <cmath>

#include "base/interner.hpp"
#include "base/letters.hpp"
#include "read/formats.hpp"
#include "read/trace/pytorch/device.hpp"
#include "read/trace/pytorch/rows.hpp"
#include "read/trace/trace.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr std::uint64_t external_of_range = ~0ull;  // instead of the number of an operator

class PyTorchReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit PyTorchReader(ReadOptions options)
      : RowsReader(options.source_name, SourceFormat::pytorch, options.limits), options_(std::move(options)) {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    const Result<void> ok = scanner_.read(window, last,
                                          {[&](std::string_view event, std::size_t begin) { read_event(event, begin, window); },
                                           [this](std::string_view key, std::string_view value) {
                                             if (key == "deviceProperties") devices_ = std::string(value);
                                             if (key == "distributedInfo") ranks_ = std::string(value);
                                           }});
    if (ok && trace_.host.full())
      return Unexpected(window.lines().at(0, "too many operators of the host: expected at most " + std::to_string(trace_.host.size())));
    if (ok || !scanner_.truncated() || trace_.work.empty()) return ok;
    rows_.workload().broken_off = ok.error().message;
    rows_.note(Severity::error, ok.error().message);
    return {};
  }

  Workload take() override {
    const Machine* device = name_device(devices_, rows_.workload());
    if (!trace_.collectives.empty()) rows_.add_channel(device && !device->links.empty() ? device->links[0].name : "Link", true);
    trace_.rank = ranks_in_file_.size() > 1 ? std::string() : rank_of(ranks_);
    trace_.merged_ranks = ranks_in_file_.size();
    add_rows(trace_, options_, rows_);
    return rows_.take();
  }

 private:
  void read_event(std::string_view text, std::size_t begin, const TextWindow& window) {
    const std::string_view category = category_of(text);
    const bool host = category == "cpu_op" || category == "Operator";
    const bool counted = category == "cuda_profiler_range";
    const bool kernel = category == "kernel" || category == "Kernel" || category == "mtia_ccp_events" || counted;
    const bool moved = category == "gpu_memcpy" || category == "gpu_memset" || category == "Memcpy" || category == "Memset";
    const bool launch = category.ends_with("_runtime") || category.ends_with("_driver") || category == "Runtime";
    const bool annotation = category == "user_annotation";
    if (!host && !kernel && !moved && !launch && !annotation) return;
    PyTorchEvent event;
    if (!split_event(text, event)) {
      ++trace_.unreadable;
      return;
    }
    const double begin_us = event_number(event.ts), duration_us = event_number(event.dur);
    if (!(duration_us >= 0) || std::isnan(begin_us)) return;
    const std::uint64_t rank = rank_bits(event.pid), thread = event_identity(event.tid) ^ rank;
    const auto of_rank = [rank](std::uint64_t number) { return number == 0 ? 0 : number ^ rank; };  // 0: no number
    const std::uint64_t external = of_rank(event_identity(event.external)), correlation = of_rank(event_identity(event.correlation));
    if (launch) return trace_.host.add_launch(begin_us, thread, correlation);
    const std::string_view name = word(event.name);
    if (host) {
      if (host_process_.empty()) host_process_ = event.pid;
      trace_.unlabelled_processes = trace_.unlabelled_processes || (rank_label(event.pid).empty() && event.pid != host_process_);
      bool is_new = false;
      const std::uint32_t call = trace_.calls.index_of(name, event, &is_new);
      if (is_new)
        trace_.calls.set_record(call,
                                options_.keep_records ? rows_.keep_record(text) : SourceRange(window.source_offset(begin), text.size()));
      trace_.host.add({begin_us, begin_us + duration_us, thread, external, call});
    } else if (annotation) {
      trace_.steps.add(begin_us, begin_us + duration_us, std::string(name));
    } else {
      DeviceWork work{begin_us, duration_us * 1e-6, event_number(event.bytes), external, correlation, 0, stream_of(event), kernel};
      work.name = kernel ? name_of_kernel(name, event) : trace_.names.intern(name);
      if (counted) {
        work.external = external_of_range;
        work.bytes = static_cast<double>(trace_.counted.size());
        work.counted = true;
        trace_.counted.push_back(counted_flops(event.args));
      }
      trace_.work.push_back(work);
    }
  }

  /// That of its collective, if it is one.
  std::uint32_t name_of_kernel(std::string_view name, const PyTorchEvent& event) {
    const bool exchange = !options_.each_launch && contains(event.args, "\"Collective name\"");
    const std::optional<Collective> collective = exchange ? collective_of(event_json(event.args)) : std::nullopt;
    if (!collective) return trace_.names.intern(name);
    const std::uint32_t id = trace_.names.intern(collective->name);
    trace_.collectives.emplace(id, *collective);
    return id;
  }

  /// High bits that keep IDs of merged ranks distinct: each rank numbers threads, operators, launches and devices from 0, below 2^47.
  /// 0: the trace is of one rank.
  std::uint64_t rank_bits(std::string_view process) {
    const std::string_view label = rank_label(process);
    return label.empty() ? 0 : static_cast<std::uint64_t>(ranks_in_file_.intern(label) + 1) << 48;
  }

  /// A text without its quotes, good until the next; empty: it is none.
  std::string_view word(std::string_view value) {
    if (value.size() < 2 || value[0] != '"') return {};
    if (!contains(value, '\\')) return value.substr(1, value.size() - 2);
    unescaped_ = text_of(event_json(value));
    return unescaped_;
  }

  std::uint16_t stream_of(const PyTorchEvent& event) {
    constexpr std::uint16_t most = 1024;
    const std::pair stream(event_identity(event.pid) ^ rank_bits(event.pid), event_identity(event.tid));
    auto& streams = trace_.streams;
    if (streams.empty() || streams[last_stream_] != stream) {
      last_stream_ = static_cast<std::uint16_t>(std::find(streams.begin(), streams.end(), stream) - streams.begin());
      if (last_stream_ == most)
        last_stream_ = 0;
      else if (last_stream_ == streams.size())
        streams.push_back(stream);
    }
    return last_stream_;
  }

  const ReadOptions options_;
  TraceScanner scanner_;
  PyTorchTrace trace_;
  std::string devices_, ranks_;  // JSON
  Interner ranks_in_file_;       // labels of merged ranks
  std::string host_process_;     // of the first operator
  std::string unescaped_;        // of the event at hand
  std::uint16_t last_stream_ = 0;
};

}  // namespace

bool detects_pytorch(std::string_view text) {
  return contains(text, "\"traceEvents\"") && (contains(text, "\"deviceProperties\"") || contains(text, "\"cpu_op\"") ||
                                               contains(text, "\"python_function\"") || contains(text, "\"External id\""));
}

std::unique_ptr<FormatReader> open_pytorch(const ReadOptions& options) { return std::make_unique<PyTorchReader>(options); }

}  // namespace roofline
