// Timelines in Chrome's trace format that are not of PyTorch's profiler: JAX, rocprof v1, Ascend's trace_view, Intel's NPU. The names of
// their processes tell the devices, whose events become a table of kernels with times alone. docs/formats/tools.md has the rules.
#include <algorithm>
#include <roofline/base/text.hpp>
#include <tuple>

#include "base/interner.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "base/sort_stably.hpp"
#include "read/formats.hpp"
#include "read/text/lines.hpp"
#include "read/tools/tool_tables.hpp"
#include "read/trace/stream_times.hpp"
#include "read/trace/trace.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

struct DeviceProcess {
  std::string_view name;    ///< before its number
  std::string_view behind;  ///< behind it
  std::string_view thread;  ///< how the names of its threads with work begin: the others repeat it, grouped
  const char* tool;
  bool nests = false;  ///< a loop's event encloses those of the operations in it
};
constexpr DeviceProcess device_processes[] = {{"/device:GPU:", "", "Stream", "JAX or TensorFlow trace"},
                                              {"/device:GPU:", "/stream:all Compute", "", "TensorFlow timeline"},
                                              {"/device:TPU:", "", "XLA Ops", "JAX or TensorFlow trace", true},
                                              {"Ascend Hardware", "", "", "Ascend trace_view"},
                                              {"Layers", "", "", "Intel NPU profile"},
                                              {"GPU", "", "", "rocprof trace"}};

/// "/device:GPU:0", "GPU 0", and "6 GPU0" of rocprof, which writes the place among the processes before the name.
bool is_process(std::string_view called, const DeviceProcess& device) {
  constexpr std::string_view digits = "0123456789";
  if (const std::size_t after = called.find_first_not_of(digits); after != 0 && after < called.size() && called[after] == ' ')
    called.remove_prefix(after + 1);
  if (!called.starts_with(device.name)) return false;
  called = without_blanks(called.substr(device.name.size()));
  return called.substr(std::min(called.find_first_not_of(digits), called.size())) == device.behind;
}

class DeviceTraceReader final : public RewritingReader {
 public:
  explicit DeviceTraceReader(const ReadOptions& options) : RewritingReader(open_kernels, options) {}

  Result<void> read(TextWindow& window, bool last) override {
    auto ok = scanner_.read(
        window, last, {[this](std::string_view event, std::size_t) { read_event(event); }, [](std::string_view, std::string_view) {}});
    if (!last || (!ok && !scanner_.truncated())) return ok;
    const std::string csv = table();
    if (csv.empty()) return ok ? fail(refusal()) : ok;
    if (!ok) truncation_ = ok.error().message;
    return read_as(csv);
  }

  Workload take() override {
    WorkloadBuilder remarks("", SourceFormat::kernels);
    times_.report(remarks);
    if (!truncation_.empty()) remarks.note(Severity::error, truncation_);
    if (waits_ > 0) remarks.note(Severity::info, quantity(waits_, "event") + " of waiting left out");
    Workload w = RewritingReader::take(), said = remarks.take();
    w.device_time = said.device_time;
    w.broken_off = truncation_;
    if (w.size() == rows_ && !nested_) w.launches = std::move(said.launches);
    w.properties.emplace_back("Tool", tool_);
    for (auto& property : said.properties) w.properties.push_back(std::move(property));
    for (Diagnostic& d : said.diagnostics) w.diagnostics.push_back(std::move(d));
    return w;
  }

 private:
  struct Ran {
    double begin, duration;  ///< µs
    std::uint32_t process, thread, name, type;
    double exclusive_us = duration;  ///< without the events nested in it
    bool enclosed = false;           ///< in another event's time
    [[nodiscard]] double end() const { return begin + duration; }
  };

  static std::string text_in(std::string_view json) {
    const Result<Json> value = parse_json(json, "a value");
    return value ? text_of(*value) : std::string();
  }
  /// A number, in quotes or without them.
  static double figure(std::string_view json) {
    if (json.size() > 1 && json[0] == '"') json = json.substr(1, json.size() - 2);
    return !json.empty() && json.find_first_not_of("0123456789.eE+-") == std::string_view::npos ? parse_number(json) : unknown;
  }

  void read_event(std::string_view event) {
    std::string_view name, phase, begin, duration, process, thread, arguments;
    TraceMember m;
    for (std::size_t at = 0; next_member(event, at, m);) {
      if (m.key == "name") name = m.value;
      if (m.key == "ph") phase = m.value;
      if (m.key == "ts") begin = m.value;
      if (m.key == "dur") duration = m.value;
      if (m.key == "pid") process = m.value;
      if (m.key == "tid") thread = m.value;
      if (m.key == "args") arguments = m.value;
    }
    const std::uint32_t pid = ids_.intern(process);
    const std::uint32_t tid = ids_.intern(std::string(process) + '/' + std::string(thread));
    if (phase == "\"M\"") {
      if (name != "\"process_name\"" && name != "\"thread_name\"") return;
      TraceMember argument;
      for (std::size_t at = 0; next_member(arguments, at, argument);)
        if (argument.key == "name") name_of(name == "\"process_name\"" ? pid : tid) = text_in(argument.value);
      return;
    }
    const double from = figure(begin), took = figure(duration);
    if (phase != "\"X\"" || !(took >= 0) || !known(from)) return;
    std::string type;
    TraceMember argument;
    if (contains(arguments, " type\"") || contains(arguments, " Type\""))
      for (std::size_t at = 0; next_member(arguments, at, argument);)
        if (argument.key == "Task Type" || argument.key == "Layer type") type = text_in(argument.value);
    ran_.push_back({from, took, pid, tid, words_.intern(text_in(name)), words_.intern(type)});
  }

  std::string& name_of(std::uint32_t id) {
    if (id >= names_of_.size()) names_of_.resize(id + 1);
    return names_of_[id];
  }
  [[nodiscard]] const DeviceProcess* device_of(const Ran& r) {
    name_of(std::max(r.process, r.thread));  // both are there
    const std::string &process = names_of_[r.process], &thread = names_of_[r.thread];
    const auto* const found = std::find_if(std::begin(device_processes), std::end(device_processes),
                                           [&](const DeviceProcess& d) { return is_process(process, d); });
    if (found == std::end(device_processes)) return nullptr;
    return thread.starts_with(found->thread) ? found : nullptr;
  }

  /// Subtracts the time of nested events from that of the event around them.
  void subtract_nested_events() {
    std::vector<Ran*> order;
    for (Ran& r : ran_)
      if (const DeviceProcess* device = device_of(r); device && device->nests) order.push_back(&r);
    sort_stably(order, [](const Ran* a, const Ran* b) {
      return std::tuple(a->thread, a->begin, -a->duration) < std::tuple(b->thread, b->begin, -b->duration);
    });
    constexpr double rounding_us = 1e-3;  // sums of microseconds: a loop and its last operation end together
    const auto encloses = [](const Ran& a, const Ran& b) {
      return a.thread == b.thread && a.end() > b.begin && a.end() + rounding_us >= b.end();
    };
    std::vector<Ran*> open;
    for (Ran* r : order) {
      while (!open.empty() && !encloses(*open.back(), *r)) open.pop_back();
      r->enclosed = !open.empty();
      nested_ = nested_ || r->enclosed;
      if (r->enclosed) open.back()->exclusive_us = std::max(open.back()->exclusive_us - r->duration, 0.0);
      open.push_back(r);
    }
  }

  /// As CSV; empty: nothing ran on a device.
  std::string table() {
    struct Sum {
      std::string_view name, type;
      double count = 0, time = 0;
    };
    std::vector<Sum> sums;
    std::vector<StreamWork> work;
    Interner rows_by_words;
    subtract_nested_events();
    for (const Ran& r : ran_) {
      const DeviceProcess* device = device_of(r);
      if (!device) continue;
      const std::string_view name = words_[r.name], type = words_[r.type];
      if (type.ends_with("_WAIT") || name.ends_with("_WAIT") || name.ends_with("_Wait")) {
        ++waits_;
        continue;
      }
      tool_ = device->tool;
      const std::uint32_t row = rows_by_words.intern(std::to_string(r.name) + '/' + std::to_string(r.type));
      if (!r.enclosed) work.push_back({r.begin, r.duration, r.process, r.thread, row});
      if (row == sums.size()) sums.push_back({name, type.empty() ? "kernel" : type});
      ++sums[row].count, sums[row].time += r.exclusive_us;
    }
    rows_ = sums.size();
    times_.add_all(std::move(work));
    CsvRows rows("name,type,count,total_time_us");
    for (const Sum& sum : sums) rows.add({sum.name, sum.type, exact(sum.count), exact(sum.time)});
    return sums.empty() ? std::string() : rows.text();
  }

  [[nodiscard]] std::string refusal() const {
    std::vector<std::string> processes;
    for (std::uint32_t id = 0; id < names_of_.size(); ++id)
      if (!names_of_[id].empty() && !contains(ids_[id], '/') && processes.size() < 5)
        processes.push_back('"' + printable(names_of_[id]) + '"');
    return "the trace has " + with_commas(ran_.size()) + " events and no process of a known device" +
           (processes.empty() ? std::string() : " (its processes are " + listed(processes) + ")") +
           ": expected one of torch.profiler, jax.profiler, rocprof, Ascend's trace_view or Intel's NPU";
  }

  TraceScanner scanner_;
  Interner ids_, words_;
  std::vector<std::string> names_of_;  // of processes and threads, by their number in ids_
  std::vector<Ran> ran_;
  StreamTimes times_;
  std::string tool_, truncation_;
  std::size_t waits_ = 0;
  std::size_t rows_ = 0;  ///< of the table
  bool nested_ = false;   ///< some events lie within others
};

}  // namespace

bool detects_device_trace(std::string_view text) {
  return contains(text, "\"ph\"") && (contains(text, "\"traceEvents\"") || (contains(text, "\"pid\"") && contains(text, "process_name")));
}

std::unique_ptr<FormatReader> open_device_trace(const ReadOptions& options) { return std::make_unique<DeviceTraceReader>(options); }

}  // namespace roofline
