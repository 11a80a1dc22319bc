// Traces of PyTorch's profiler. A row is an operator of one shape and format: its calls, and the time of the kernels that they launched.
// docs/formats/pytorch.md has the rules.
#include <algorithm>
#include <array>
#include <cmath>
#include <roofline/base/text.hpp>
#include <unordered_map>

#include "base/interner.hpp"
#include "base/json.hpp"
#include "base/parse_number.hpp"
#include "read/assumed_format.hpp"
#include "read/formats.hpp"
#include "read/operations/arguments.hpp"
#include "read/text/format_words.hpp"
#include "read/text/json_text.hpp"
#include "read/text/kernel_name.hpp"
#include "read/trace/collective.hpp"
#include "read/trace/device.hpp"
#include "read/trace/host_ops.hpp"
#include "read/trace/steps.hpp"
#include "read/trace/trace.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr std::uint32_t none = HostOps::none;

/// Calls of one operator with equal arguments.
struct Call {
  std::string name, shapes, types, values;
  SourceRange record;  ///< of the first
  const Operator* op = nullptr;
  FormatId format = no_format;
  std::optional<Work> work;
};

/// One kernel, copy or fill on the device.
struct DeviceWork {
  double begin, duration_s, bytes;
  std::uint64_t external, correlation;
  std::uint32_t name;
  bool kernel;
};

class PyTorchReader final : public FormatReader {
 public:
  explicit PyTorchReader(ReadOptions options)
      : options_(std::move(options)),
        each_launch_(options_.each_launch),
        rows_(options_.source_name, SourceFormat::pytorch, options_.limits) {
    rows_.workload().own_records = options_.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    window_ = &window;
    const Result<void> ok = scanner_.read(window, last,
                                          {[this](std::string_view event, std::size_t begin) { read_event(event, begin); },
                                           [this](std::string_view key, std::string_view value) {
                                             if (key == "deviceProperties") devices_ = std::string(value);
                                             if (key == "distributedInfo") ranks_ = std::string(value);
                                           }});
    if (ok && host_.full())
      return Unexpected(window.lines().at(0, "too many operators of the host: expected at most " + std::to_string(host_.size())));
    return ok;
  }

  const WorkloadBuilder& rows() const override { return rows_; }
  Workload take() override {
    const Machine* device = name_device(devices_, rows_.workload());
    if (!collectives_.empty()) rows_.add_channel(device && !device->links.empty() ? device->links[0].name : "Link", true);
    host_.settle();
    put_rows();
    steps_.report(rows_);
    if (const std::string rank = rank_of(ranks_); !rank.empty()) {
      rows_.workload().properties.emplace_back("Rank", rank);
      rows_.note(Severity::info, rank + ": work and times are of this one");
    }
    report();
    return rows_.take();
  }

 private:
  // --- events --------------------------------------------------------------------------------------------------------------------------

  void read_event(std::string_view text, std::size_t begin) {
    const std::string_view category = category_of(text);
    const bool host = category == "cpu_op" || category == "Operator";
    const bool kernel = category == "kernel" || category == "Kernel";
    const bool moved = category == "gpu_memcpy" || category == "gpu_memset" || category == "Memcpy" || category == "Memset";
    const bool launch = category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime";
    const bool annotation = category == "user_annotation";
    if (!host && !kernel && !moved && !launch && !annotation) return;
    Event event;
    if (!split(text, event)) {
      ++unreadable_;
      return;
    }
    const double begin_us = number(event.ts), duration_us = number(event.dur);
    if (!(duration_us >= 0) || std::isnan(begin_us)) return;
    const std::uint64_t thread = identity(event.tid), external = identity(event.external), correlation = identity(event.correlation);
    if (launch) return host_.add_launch(begin_us, thread, correlation);
    const std::string_view name = word(event.name);
    if (host) {
      host_.add({begin_us, begin_us + duration_us, thread, external, call_of(name, event, text, begin)});
    } else if (annotation) {
      steps_.add(begin_us, begin_us + duration_us, std::string(name));
    } else {
      const bool exchange = kernel && !each_launch_ && event.args.find("\"Collective name\"") != std::string_view::npos;
      const std::optional<Collective> collective = exchange ? collective_of(json(event.args)) : std::nullopt;
      const std::uint32_t number_of_name = names_.intern(collective ? std::string_view(collective->name) : name);
      if (collective) collectives_.emplace(number_of_name, *collective);
      work_.push_back({begin_us, duration_us * 1e-6, number(event.bytes), external, correlation, number_of_name, kernel});
    }
  }

  /// An event's values as they stand; empty: it has none.
  struct Event {
    std::string_view name, ts, dur, tid, args;
    std::string_view external, correlation, bytes, dims, types, values;  // of args
  };

  /// False: it is no object with members.
  static bool split(std::string_view text, Event& event) {
    TraceMember m;
    std::size_t at = 0;
    while (next_member(text, at, m)) {
      if (m.key == "name") event.name = m.value;
      if (m.key == "ts") event.ts = m.value;
      if (m.key == "dur") event.dur = m.value;
      if (m.key == "tid") event.tid = m.value;
      if (m.key == "args") event.args = m.value;
    }
    if (at != text.size()) return false;
    if (event.args.empty() || event.args[0] != '{') return true;
    for (at = 0; next_member(event.args, at, m);) {
      if (m.key == "External id" || (m.key == "external id" && event.external.empty())) event.external = m.value;
      if (m.key == "correlation") event.correlation = m.value;
      if (m.key == "bytes") event.bytes = m.value;
      if (m.key == "Input Dims") event.dims = m.value;
      if (m.key == "Input type" || (m.key == "Input Type" && event.types.empty())) event.types = m.value;
      if (m.key == "Concrete Inputs") event.values = m.value;
    }
    return at == event.args.size();
  }

  static bool is_number(std::string_view value) {
    return !value.empty() &&
           (value[0] == '-' ? value.size() > 1 && value[1] >= '0' && value[1] <= '9' : value[0] >= '0' && value[0] <= '9');
  }
  static double number(std::string_view value) { return is_number(value) ? parse_number(value) : unknown; }

  /// A number as it is, a text by its digits; 0: there is none.
  static std::uint64_t identity(std::string_view value) {
    if (!value.empty() && value[0] == '"') value.remove_prefix(1);
    const bool minus = !value.empty() && value[0] == '-';
    std::uint64_t id = 0;
    for (std::size_t i = minus ? 1 : 0; i < value.size() && value[i] >= '0' && value[i] <= '9'; ++i)
      id = id * 10 + static_cast<std::uint64_t>(value[i] - '0');
    return minus ? 0 - id : id;
  }

  /// JSON that has been cut out as it stands; null where it is none.
  static Json json(std::string_view value) {
    Result<Json> parsed = parse_json(value, "a value");
    return parsed ? std::move(*parsed) : Json();
  }

  /// A text without its quotes, good until the next; empty: it is none.
  std::string_view word(std::string_view value) {
    if (value.size() < 2 || value[0] != '"') return {};
    if (value.find('\\') == std::string_view::npos) return value.substr(1, value.size() - 2);
    unescaped_ = text_of(json(value));
    return unescaped_;
  }

  /// The number of its call. What stands there word by word as before is looked at once.
  std::uint32_t call_of(std::string_view name, const Event& event, std::string_view text, std::size_t begin) {
    written_.assign(name).append(1, '\n').append(event.dims).append(1, '\n').append(event.types).append(1, '\n').append(event.values);
    bool is_new = false;
    const std::uint32_t seen = written_calls_.intern(written_, &is_new);
    if (is_new) call_.push_back(new_call(name, event, text, begin));
    return call_[seen];
  }

  std::uint32_t new_call(std::string_view name, const Event& event, std::string_view text, std::size_t begin) {
    Call call{
        std::string(name), compact(json(event.dims)), quoted_words(event.types), quoted_words(event.values), {}, nullptr, no_format, {}};
    bool is_new = false;
    const std::uint32_t id = call_words_.intern(call.name + '\n' + call.shapes + '\n' + call.types + '\n' + call.values, &is_new);
    if (!is_new) return id;
    call.record = options_.keep_records ? rows_.keep_record(text) : SourceRange(window_->source_offset(begin), text.size());
    call.op = find_operator(name);
    call.format = format_in(call.types);
    if (call.op && call.shapes != "null") call.work = work_of_call(*call.op, name, {call.shapes, call.types, call.values});
    calls_.push_back(std::move(call));
    return id;
  }

  // --- which operator launched a kernel ------------------------------------------------------------------------------------------------

  /// The next around it, itself included, whose arguments say what is done; else none.
  [[nodiscard]] std::uint32_t with_work(std::uint32_t op) const {
    while (op != none && !calls_[host_[op].call].work) op = host_[op].parent;
    return op;
  }

  // --- rows ----------------------------------------------------------------------------------------------------------------------------

  struct Row {
    std::uint32_t call = none, name = none;  ///< an operator's call, else a kernel's name
    std::uint32_t step = none;
    double time_s = 0, bytes = 0;
    std::size_t launches = 0, calls = 0;
    bool moved = false;
  };

  void put_rows() {
    std::stable_sort(work_.begin(), work_.end(), [](const DeviceWork& a, const DeviceWork& b) { return a.begin < b.begin; });
    std::vector<std::uint32_t> owner(work_.size());
    std::vector<std::uint8_t> chosen(host_.size()), within(host_.size());
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const bool collective = collectives_.count(work_[i].name) > 0;
      const std::uint32_t op = work_[i].kernel && !collective ? host_.launcher(work_[i].external, work_[i].correlation) : none;
      owner[i] = with_work(op);
      if (owner[i] != none) chosen[owner[i]] = 1;
      if (work_[i].kernel) count(i, op, owner[i], collective);
    }
    // What an operator does is done by those within it, where they have work of their own: it is counted once.
    for (std::uint32_t i = 0; i < host_.size(); ++i)
      if (chosen[i])
        for (std::uint32_t around = host_[i].parent; around != none; around = host_[around].parent) within[around] = 1;

    steps_.settle();
    std::vector<std::uint32_t> last_call(host_.size(), none);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const DeviceWork& w = work_[i];
      const bool own = !each_launch_ && owner[i] != none && !within[owner[i]];
      const std::uint32_t call = own ? host_[owner[i]].call : none;
      const std::uint32_t step = steps_.apart() ? steps_.at(own ? host_[owner[i]].begin : host_.launched_at(w.correlation, w.begin)) : none;
      Row& row = row_of(call, own ? none : w.name, step);
      row.time_s += w.duration_s;
      row.bytes += w.bytes;
      row.moved = !w.kernel;
      ++row.launches;
      if (!own || last_call[owner[i]] == none) ++row.calls;
      if (own) last_call[owner[i]] = 0;
    }
    for (const Row& row : grouped_) push(row);
  }

  Row& row_of(std::uint32_t call, std::uint32_t name, std::uint32_t step) {
    if (each_launch_) return grouped_.emplace_back(Row{call, name, step});
    const std::uint64_t key = static_cast<std::uint64_t>(step) << 32 | (call != none ? call : name | 0x80000000u);
    const auto [found, is_new] = row_index_.emplace(key, grouped_.size());
    if (is_new) grouped_.push_back({call, name, step});
    return grouped_[found->second];
  }

  void push(const Row& row) {
    OpClass traits;
    Numbers n;
    n.time_s = row.time_s / static_cast<double>(row.calls);
    TextRange name;
    SourceRange record;
    std::uint32_t shape = 0;
    double link_bytes = unknown;
    const FormatId assumed = assumed_format(options_, "fp32");
    if (row.call != none) {
      const Call& call = calls_[row.call];
      const Work work = call.work.value_or(Work());
      const FormatId format = call.format == no_format ? assumed : call.format;
      unformatted_ += call.format == no_format ? 1 : 0;
      static_cast<Work&>(n) = work;
      traits.type = call.name;
      traits.set_family(call.op->family);
      traits.symbol = call.op->symbol;
      traits.activation = traits.output = format;
      traits.weight = work.weight > 0 ? format : no_format;
      traits.kv = work.kv_read + work.kv_write > 0 ? format : no_format;
      traits.matrix_work = work.matrix_flops > 0;
      traits.vector_work = work.vector_flops > 0;
      name = rows_.keep(call.name + ' ' + call.shapes.substr(0, 120));
      record = call.record;
      shape = row.call + 1;
    } else if (const auto found = collectives_.find(row.name); found != collectives_.end()) {
      const Collective& collective = found->second;
      traits.type = collective.name.substr(0, collective.name.find(' '));
      traits.set_family(OpFamily::communication);
      traits.symbol = Symbol::x;
      traits.activation = traits.output = collective.format;
      n.activation = collective.read, n.output = collective.written;
      link_bytes = collective.link_bytes * static_cast<double>(row.calls);
      name = rows_.keep(collective.name);
      shape = row.name + 0x80000000u;
    } else {
      const std::string_view full = names_[row.name];
      traits.activation = assumed;
      traits.symbol = Symbol::diamond;
      if (row.moved) {  // a copy within the device reads and writes
        const bool within = full.find("DtoD") != std::string_view::npos;
        traits.type = full.substr(0, 6) == "Memset" ? "memset" : "memcpy";
        traits.category = "copy";
        traits.roles_unknown = true;
        n.matrix_flops = 0;
        n.given_bytes = (within ? 2 : 1) * row.bytes / static_cast<double>(row.calls);
        n.activation = n.given_bytes / Formats::catalogue()[assumed].bytes();
        traits.measured_bytes = true;
      }
      if (!row.moved || !(row.bytes > 0)) {
        if (!row.moved) traits.type = traits.category = "kernel";
        traits.time_only = true;
        n.matrix_flops = n.activation = n.given_bytes = unknown;
      }
      name = rows_.keep(row.moved || each_launch_ ? full : short_kernel_name(full));
      shape = row.name + 0x80000000u;
    }
    rows_.push({rows_.op_class(traits), times(n, static_cast<double>(row.calls)), name, record, shape});
    if (!collectives_.empty()) rows_.set_channel(0, link_bytes);
    if (steps_.apart()) rows_.set_step(row.step == none ? "" : steps_.name(row.step));
  }

  // --- what is said --------------------------------------------------------------------------------------------------------------------

  void count(std::size_t i, std::uint32_t op, std::uint32_t owner, bool collective) {
    total_s_ += work_[i].duration_s;
    ++kernels_;
    if (collective) {
      ++exchanges_;
      exchanges_s_ += work_[i].duration_s;
    } else if (op == none) {
      ++unowned_;
      unowned_s_ += work_[i].duration_s;
    } else if (owner == none) {
      ++unplaced_;
      unplaced_s_ += work_[i].duration_s;
    }
  }

  void report() {
    const auto share = [&](double time) { return percent(time / total_s_) + " of the GPU's time"; };
    const auto of_kernels = [&](std::size_t n) { return with_commas(n) + " of " + with_commas(kernels_) + " kernels"; };
    if (work_.empty()) rows_.note(Severity::warning, "the trace has no kernels: expected one recorded with ProfilerActivity.CUDA (or XPU)");
    if (unowned_ > 0 && !each_launch_)
      rows_.note(Severity::info, of_kernels(unowned_) +
                                     " have no operator in the trace (replayed from a CUDA graph, or launched before the "
                                     "recording), " +
                                     share(unowned_s_) + ": time only, by the kernel's name");
    if (unplaced_ > 0 && !each_launch_)
      rows_.note(Severity::info, of_kernels(unplaced_) + " belong to operators whose arguments do not say what is done, " +
                                     share(unplaced_s_) + ": time only, by the kernel's name" +
                                     (shapes_recorded() ? "" : "; record with record_shapes=True"));
    if (exchanges_ > 0)
      rows_.note(Severity::info, of_kernels(exchanges_) + " are collectives, " + share(exchanges_s_) +
                                     ": what they took includes waiting for the other ranks, which is no work");
    if (unformatted_ > 0)
      rows_.note(Severity::info,
                 with_commas(unformatted_) + (unformatted_ == 1 ? " row names" : " rows name") +
                     " no number format: " + is_assumed(assumed_format(options_, "fp32")),
                 std::string(assumed_key));
    if (unreadable_ > 0) rows_.note(Severity::warning, with_commas(unreadable_) + " events are not JSON and are left out");
  }

  [[nodiscard]] bool shapes_recorded() const {
    return std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.shapes != "null"; });
  }

  ReadOptions options_;
  bool each_launch_;
  TextWindow* window_ = nullptr;  // while reading
  TraceScanner scanner_;
  WorkloadBuilder rows_;
  std::string devices_, ranks_;  // JSON

  std::vector<Call> calls_;
  Interner written_calls_, call_words_, names_;
  std::vector<std::uint32_t> call_;  // by its number among written_calls_
  std::string written_, unescaped_;  // of the event at hand
  HostOps host_;
  std::unordered_map<std::uint32_t, Collective> collectives_;  // by their name
  std::vector<DeviceWork> work_;
  TraceSteps steps_;

  std::vector<Row> grouped_;
  std::unordered_map<std::uint64_t, std::size_t> row_index_;
  std::size_t kernels_ = 0, unowned_ = 0, unplaced_ = 0, unformatted_ = 0, unreadable_ = 0;
  std::size_t exchanges_ = 0;
  double total_s_ = 0, unowned_s_ = 0, unplaced_s_ = 0, exchanges_s_ = 0;
};

}  // namespace

bool detects_pytorch(std::string_view text) {
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  return has("\"traceEvents\"") &&
         (has("\"deviceProperties\"") || has("\"cpu_op\"") || has("\"python_function\"") || has("\"External id\""));
}

std::unique_ptr<FormatReader> open_pytorch(const ReadOptions& options) { return std::make_unique<PyTorchReader>(options); }

}  // namespace roofline
