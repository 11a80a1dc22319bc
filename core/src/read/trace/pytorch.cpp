// Traces of PyTorch's profiler. A row is an operator of one shape and format: its calls, and the time of the kernels that they launched.
// docs/formats/pytorch.md has the rules.
#include <algorithm>
#include <array>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/machine/words.hpp>
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
#include "read/trace/convolutions.hpp"
#include "read/trace/device.hpp"
#include "read/trace/host_ops.hpp"
#include "read/trace/steps.hpp"
#include "read/trace/stream_times.hpp"
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
  std::uint16_t stream;  ///< its place among those of the trace
  bool kernel;
  bool counted = false;  ///< a range with counters: `bytes` is its place among them
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
    settle_convolutions();
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
    const bool counted = category == "cuda_profiler_range";
    const bool kernel = category == "kernel" || category == "Kernel" || category == "mtia_ccp_events" || counted;
    const bool moved = category == "gpu_memcpy" || category == "gpu_memset" || category == "Memcpy" || category == "Memset";
    const bool launch = category.ends_with("_runtime") || category.ends_with("_driver") || category == "Runtime";
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
      work_.push_back({begin_us, duration_us * 1e-6, number(event.bytes), external, correlation, number_of_name,
                       stream_of(event.pid, event.tid), kernel});
      if (!counted) return;
      work_.back().counted = true;
      work_.back().external = of_range;
      work_.back().bytes = static_cast<double>(counted_.size());
      counted_.push_back(flops_of_range(event.args));
    }
  }

  /// FLOPs of a kernel by format, as CUPTI counted its instructions: those of the tensor cores are not among them.
  struct Counted {
    double fp16 = 0, fp32 = 0, fp64 = 0;
    [[nodiscard]] double all() const { return fp16 + fp32 + fp64; }
    void add(const Counted& more) { fp16 += more.fp16, fp32 += more.fp32, fp64 += more.fp64; }
  };
  static Counted flops_of_range(std::string_view args) {
    Counted flops;
    TraceMember m;
    for (std::size_t at = 0; next_member(args, at, m);) {
      const std::size_t op = m.key.find("_inst_executed_op_");
      if (op == std::string_view::npos) continue;
      const std::string_view instruction = m.key.substr(op + 18);  // "ffma_pred_on.sum"
      double& sum = instruction[0] == 'h' ? flops.fp16 : instruction[0] == 'd' ? flops.fp64 : flops.fp32;
      sum += known_or(number(m.value), 0) * (instruction.substr(1, 3) == "fma" ? 2 : 1);
    }
    return flops;
  }

  /// An event's values as they stand; empty: it has none.
  struct Event {
    std::string_view name, ts, dur, pid, tid, args;
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
      if (m.key == "pid") event.pid = m.value;
      if (m.key == "tid") event.tid = m.value;
      if (m.key == "args") event.args = m.value;
    }
    if (at != text.size()) return false;
    if (event.args.empty() || event.args[0] != '{') return true;
    for (at = 0; next_member(event.args, at, m);) {
      if (m.key == "External id" || (m.key == "external id" && event.external.empty())) event.external = m.value;
      if (m.key == "correlation") event.correlation = m.value;
      if (m.key == "bytes") event.bytes = m.value;
      if (m.key == "Input Dims" || (m.key == "Input dims" && event.dims.empty())) event.dims = m.value;
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

  std::uint16_t stream_of(std::string_view pid, std::string_view tid) {
    const std::pair stream(identity(pid), identity(tid));
    if (streams_.empty() || streams_[last_stream_] != stream) {
      const auto found = std::find(streams_.begin(), streams_.end(), stream);
      last_stream_ = static_cast<std::uint16_t>(found - streams_.begin());
      if (found == streams_.end() && streams_.size() < most_streams) streams_.push_back(stream);
      if (last_stream_ == most_streams) last_stream_ = 0;
    }
    return last_stream_;
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

  // --- convolutions whose shapes are spread over several calls -----------------------------------------------------------------------

  void settle_convolutions() {
    Convolutions convolutions;
    for (Call& call : calls_)
      if (const auto work = convolutions.backward(call.name, call.shapes, call.values); work && !call.work) {
        call.op = find_operator("conv2d");
        call.work = work;
      }
    std::vector<std::uint8_t> open(calls_.size());
    for (std::size_t c = 0; c < calls_.size(); ++c) open[c] = !calls_[c].work && calls_[c].name.find("conv") != std::string::npos;
    for (std::uint32_t i = 0; i < host_.size(); ++i) {
      if (host_[i].call >= open.size() || !open[host_[i].call]) continue;
      const Call& call = calls_[host_[i].call];
      const bool gradient = call.name.find("_backward_") != std::string::npos;
      if (gradient ? host_[i].parent == none : !call.op || call.op->family != OpFamily::convolution) continue;
      const Call& around = gradient ? calls_[host_[host_[i].parent].call] : call;
      const auto work = gradient ? Convolutions::gradient(call.name, around.name, around.shapes) : convolutions.forward(call.shapes);
      if (!work) continue;
      bool is_new = false;
      const std::uint32_t id = call_words_.intern(call.name + '\n' + around.shapes + "\nby its backward pass", &is_new);
      Call settled{call.name, around.shapes, around.types, call.values, call.record, find_operator("conv2d"), around.format, work};
      if (is_new) calls_.push_back(std::move(settled));
      host_.set_call(i, id);
    }
  }

  // --- which operator launched a kernel ------------------------------------------------------------------------------------------------

  /// The next around it, itself included, whose arguments say what is done; else none.
  [[nodiscard]] std::uint32_t with_work(std::uint32_t op) const {
    while (op != none && !calls_[host_[op].call].work) op = host_[op].parent;
    return op;
  }

  [[nodiscard]] bool has_products(std::uint32_t op) const {
    const auto& work = calls_[host_[op].call].work;
    return work && work->matrix_flops > 0;
  }

  // --- rows ----------------------------------------------------------------------------------------------------------------------------

  struct Row {
    std::uint32_t call = none, name = none;  ///< an operator's call, else a kernel's name
    std::uint32_t step = none;
    double time_s = 0, bytes = 0;
    std::size_t launches = 0, calls = 0;
    bool moved = false, tf32 = false;
    Counted flops = {};
  };

  void put_rows() {
    std::stable_sort(work_.begin(), work_.end(), [](const DeviceWork& a, const DeviceWork& b) { return a.begin < b.begin; });
    const bool on_host = work_.empty() && !each_launch_;
    if (on_host) run_on_host();
    std::vector<std::uint32_t> owner(work_.size());
    std::vector<std::uint8_t> chosen(host_.size()), within(host_.size());
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const bool collective = collectives_.count(work_[i].name) > 0;
      const std::uint32_t op = on_host                          ? static_cast<std::uint32_t>(work_[i].external)
                               : work_[i].kernel && !collective ? host_.launcher(work_[i].external, work_[i].correlation)
                                                                : none;
      owner[i] = with_work(op);
      if (owner[i] != none) chosen[owner[i]] = 1;
      if (work_[i].kernel && !on_host) count(i, op, owner[i], collective);
    }
    // Count work once: if nested operators have work, drop that of the operator around them. But keep it if only the outer operator
    // has matrix products: MIOpen's convolution contains the addition of the bias.
    for (std::uint32_t i = 0; i < host_.size(); ++i)
      if (chosen[i])
        for (std::uint32_t around = host_[i].parent; around != none; around = host_[around].parent)
          if (has_products(i) || !has_products(around)) within[around] = 1;

    steps_.settle();
    std::vector<std::uint32_t> last_call(host_.size(), none);
    for (std::size_t i = 0; i < work_.size(); ++i) {
      const DeviceWork& w = work_[i];
      if (!on_host) times_.add({w.begin, w.duration_s * 1e6, streams_[w.stream].first, streams_[w.stream].second});
      const bool own = !each_launch_ && owner[i] != none && !within[owner[i]];
      const std::uint32_t call = own ? host_[owner[i]].call : none;
      const std::uint32_t step = steps_.apart() ? steps_.at(own ? host_[owner[i]].begin : host_.launched_at(w.correlation, w.begin)) : none;
      Row& row = row_of(call, own ? none : w.name, step);
      row.time_s += w.duration_s;
      row.bytes += w.bytes;
      row.moved = !w.kernel;
      row.tf32 = row.tf32 || (own && is_tf32(w.name));
      if (w.counted) row.flops.add(counted_[static_cast<std::size_t>(w.bytes)]);
      ++row.launches;
      if (!own || last_call[owner[i]] == none) ++row.calls;
      if (own) last_call[owner[i]] = 0;
    }
    for (const Row& row : grouped_)
      if (row.call == none) shown_.add(names_[row.name]);
    for (const Row& row : grouped_) push(row);
    std::string kernels;  // most names come after the first bytes, which are searched in every format
    for (std::uint32_t i = 0; i < names_.size(); ++i) kernels.append(names_[i]) += '\n';
    for (std::string& word : words_of_machines(kernels)) rows_.workload().machine_words.push_back(std::move(word));
  }

  /// A trace without a device: the operators ran on the host, each for its time without those within it.
  void run_on_host() {
    // On the host a view of a tensor is a call, too, and moves nothing.
    constexpr std::array views = {"view",   "_unsafe_view", "_reshape_alias", "permute", "transpose", "t",         "expand",
                                  "select", "slice",        "narrow",         "split",   "squeeze",   "unsqueeze", "split_with_sizes",
                                  "chunk",  "unbind",       "as_strided",     "detach",  "alias",     "expand_as", "view_as"};
    for (Call& call : calls_)
      if (call.name.starts_with("aten::") && std::find(views.begin(), views.end(), std::string_view(call.name).substr(6)) != views.end())
        call.work.reset();
    std::vector<double> own(host_.size());
    for (std::uint32_t i = 0; i < host_.size(); ++i) {
      own[i] += host_[i].end - host_[i].begin;
      if (host_[i].parent != none) own[host_[i].parent] -= host_[i].end - host_[i].begin;
    }
    const bool launches =
        host_.launched() || std::any_of(calls_.begin(), calls_.end(), [](const Call& call) { return call.name == "aten::record_stream"; });
    for (std::uint32_t i = 0; i < host_.size(); ++i)
      if (const Call& call = calls_[host_[i].call]; !launches || call.work)
        work_.push_back({host_[i].begin, launches ? unknown : std::max(own[i], 0.0) * 1e-6, 0, i, 0, names_.intern(call.name), 0, true});
    if (work_.empty()) return;
    if (launches) {
      rows_.note(Severity::warning,
                 "the trace shows launches on a device, but none of its events: the operators' times are launch times and are left out; "
                 "record with ProfilerActivity.CUDA (or XPU)");
    } else {
      rows_.note(Severity::info, "the trace has no device: operators ran on the host, each for its time without those within it");
      rows_.workload().machine_words = {"cpu"};
    }
  }

  /// Products of FP32 operands may run in TF32: only the kernel's name says so.
  bool is_tf32(std::uint32_t name) {
    if (name >= tf32_.size()) tf32_.resize(name + 1);
    if (tf32_[name] == 0) {
      const FormatId format = format_of_kernel(names_[name]);
      tf32_[name] = format != no_format && Formats::catalogue()[format].id == "tf32" ? 2 : 1;
    }
    return tf32_[name] == 2;
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
      const FormatId stated = call.format == no_format ? assumed : call.format;
      const bool tf32 = row.tf32 && Formats::catalogue()[stated].id == "fp32" && work.matrix_flops > 0;
      const FormatId format = tf32 ? Formats::catalogue().find("tf32").value_or(stated) : stated;
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
      if (row.flops.all() > 0) put_counted(row, traits, n);
      name = rows_.keep(row.moved || each_launch_ ? full : shown_.shown(full));
      shape = row.name + 0x80000000u;
    }
    rows_.push({rows_.op_class(traits), times(n, static_cast<double>(row.calls)), name, record, shape});
    if (!collectives_.empty()) rows_.set_channel(0, link_bytes);
    if (steps_.apart()) rows_.set_step(row.step == none ? "" : steps_.name(row.step));
  }

  static void put_counted(const Row& row, OpClass& traits, Numbers& n) {
    const Counted& f = row.flops;
    const char* most = f.fp64 > f.fp32 && f.fp64 > f.fp16 ? "fp64" : f.fp16 > f.fp32 ? "fp16" : "fp32";
    traits.activation = Formats::catalogue().find(most).value_or(no_format);
    traits.time_only = false;
    traits.vector_work = true;
    traits.roles_unknown = true;
    n.matrix_flops = 0;
    n.vector_flops = f.all() / static_cast<double>(row.calls);
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
    bool winograd = false;
    for (std::uint32_t i = 0; i < names_.size() && !winograd; ++i) winograd = names_[i].find("winograd") != std::string_view::npos;
    if (winograd)
      rows_.note(Severity::info,
                 "some convolutions ran as Winograd, which multiplies up to 2.25 times less than the direct convolution that is counted: "
                 "they may lie above the roof");
    if (!counted_.empty())
      rows_.note(Severity::info,
                 "kernels are ranges of CUPTI's profiler: FLOPs as counted, without those of the tensor cores; times are of kernels that "
                 "were replayed to be counted");
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
      rows_.note(Severity::info,
                 of_kernels(exchanges_) + " are collectives, " + share(exchanges_s_) + ": their times include waiting for other ranks");
    if (unformatted_ > 0)
      rows_.note(Severity::info,
                 with_commas(unformatted_) + (unformatted_ == 1 ? " row names" : " rows name") +
                     " no number format: " + is_assumed(assumed_format(options_, "fp32")),
                 std::string(assumed_key));
    if (unreadable_ > 0) rows_.note(Severity::warning, with_commas(unreadable_) + " events are not JSON and are left out");
    times_.report(rows_);
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
  static constexpr std::uint16_t most_streams = 1024;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> streams_;  // process and thread
  std::uint16_t last_stream_ = 0;
  StreamTimes times_;
  static constexpr std::uint64_t of_range = ~0ull;  // instead of the number of an operator
  std::vector<Counted> counted_;
  KernelNames shown_;
  std::vector<std::uint8_t> tf32_;  // by name: 0 not looked at, 1 no, 2 yes
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
