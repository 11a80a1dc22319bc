#include "read/trace/pytorch/rows.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/machine/words.hpp>

#include "base/letters.hpp"
#include "read/assumed_format.hpp"
#include "read/device_copy.hpp"
#include "read/text/format_words.hpp"
#include "read/text/kernel_name.hpp"
#include "read/trace/stream_times.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

constexpr std::uint32_t none = HostOps::none;

class PyTorchRows {
 public:
  PyTorchRows(PyTorchTrace& trace, const ReadOptions& options, WorkloadBuilder& rows)
      : trace_(trace), each_launch_(options.each_launch), assumed_(assumed_format(options, "fp32")), rows_(rows) {}

  void put() {
    trace_.host.settle();
    trace_.calls.complete_convolutions(trace_.host);
    std::stable_sort(trace_.work.begin(), trace_.work.end(),
                     [](const DeviceWork& a, const DeviceWork& b) { return a.begin_us < b.begin_us; });
    on_host_ = trace_.work.empty() && !each_launch_;
    if (on_host_) run_on_host();
    find_owners();
    drop_outer_owners();
    trace_.steps.settle();
    group();
    for (const Row& row : grouped_)
      if (row.call == none) shown_.add(trace_.names[row.name]);
    for (const Row& row : grouped_) push(row);
    std::string kernels;  // most names come after the first bytes, which are searched in every format
    for (std::uint32_t i = 0; i < trace_.names.size(); ++i) kernels.append(trace_.names[i]) += '\n';
    for (std::string& word : words_of_machines(kernels)) rows_.workload().machine_words.push_back(std::move(word));
  }

  void report() const {
    trace_.steps.report(rows_);
    if (!trace_.rank.empty()) {
      rows_.workload().properties.emplace_back("Rank", trace_.rank);
      note(trace_.rank + ": work and times are of this one");
    }
    if (trace_.merged_ranks > 1) {
      rows_.workload().properties.emplace_back("Ranks", with_commas(trace_.merged_ranks));
      note("the trace holds " + with_commas(trace_.merged_ranks) + " ranks: work and times are of all of them together");
    }
    if (trace_.unlabelled_processes)
      note(
          "the trace mixes several processes, whose correlation IDs may clash, so kernels may be matched to the wrong operator; "
          "open the trace of one rank",
          Severity::warning);
    if (trace_.work.empty()) note("the trace has no kernels: expected one recorded with ProfilerActivity.CUDA (or XPU)", Severity::warning);
    bool winograd = false;
    for (std::uint32_t i = 0; i < trace_.names.size() && !winograd; ++i) winograd = contains(trace_.names[i], "winograd");
    if (winograd)
      note(
          "some convolutions ran as Winograd, which multiplies up to 2.25 times less than the direct convolution that is counted: "
          "they may lie above the roof");
    if (!trace_.counted.empty())
      note(
          "kernels are ranges of CUPTI's profiler: FLOPs as counted, without those of the tensor cores; times are of kernels that "
          "were replayed to be counted");
    note_share(each_launch_ ? Share() : unowned_,
               " have no operator in the trace (replayed from a CUDA graph, or launched before the recording), ",
               ": time only, by the kernel's name");
    note_share(
        each_launch_ ? Share() : unplaced_, " belong to operators whose arguments do not say what is done, ",
        std::string(": time only, by the kernel's name") + (trace_.calls.shapes_recorded() ? "" : "; record with record_shapes=True"));
    note_share(each_launch_ ? Share() : complex_, " have complex operands, ",
               ": time only, because their FLOPs and bytes are not those of real ones");
    note_share(exchanges_, " are collectives, ", ": their times include waiting for other ranks");
    if (unformatted_ > 0) rows_.note(Severity::info, rows_without_format(unformatted_, assumed_), std::string(assumed_key));
    if (over_links_) note(note_copies_over_links);
    if (trace_.unreadable > 0) note(with_commas(trace_.unreadable) + " events are not JSON and are left out", Severity::warning);
    times_.report(rows_);
  }

 private:
  struct Row {
    std::uint32_t call = none, name = none;  ///< an operator's call, else a kernel's name
    std::uint32_t step = none;
    double time_s = 0, bytes = 0;
    std::size_t calls = 0;
    bool moved = false, tf32 = false;
    CountedFlops flops = {};
  };
  struct Share {
    std::size_t kernels = 0;
    double time_s = 0;
    void add(const DeviceWork& work) { ++kernels, time_s += work.duration_s; }
  };

  void note(std::string message, Severity severity = Severity::info) const { rows_.note(severity, std::move(message)); }
  void note_share(const Share& share, const char* are, const std::string& so) const {
    if (share.kernels > 0)
      note(with_commas(share.kernels) + " of " + with_commas(all_.kernels) + " kernels" + are + percent(share.time_s / all_.time_s) +
           " of the GPU's time" + so);
  }

  /// A trace without a device: the operators ran on the host, each for its time without those within it.
  void run_on_host() {
    const HostOps& host = trace_.host;
    trace_.calls.forget_work_of_views();
    std::vector<double> own(host.size());
    for (std::uint32_t i = 0; i < host.size(); ++i) {
      own[i] += host[i].end - host[i].begin;
      if (host[i].parent != none) own[host[i].parent] -= host[i].end - host[i].begin;
    }
    const bool launches = host.launched() || trace_.calls.any_called("aten::record_stream");
    for (std::uint32_t i = 0; i < host.size(); ++i)
      if (const Call& call = trace_.calls[host[i].call]; !launches || call.work)
        trace_.work.push_back(
            {host[i].begin, launches ? unknown : std::max(own[i], 0.0) * 1e-6, 0, i, 0, trace_.names.intern(call.name), 0, true});
    if (trace_.work.empty()) return;
    if (launches) {
      note(
          "the trace shows launches on a device, but none of its events: the operators' times are launch times and are left out; "
          "record with ProfilerActivity.CUDA (or XPU)",
          Severity::warning);
    } else {
      note("the trace has no device: operators ran on the host, each for its time without those within it");
      rows_.workload().machine_words = {"cpu"};
    }
  }

  // --- which operator launched a kernel ------------------------------------------------------------------------------------------------

  /// For each kernel, copy or fill: the innermost operator that launched it and whose arguments state the work.
  void find_owners() {
    for (const DeviceWork& w : trace_.work) {
      const bool collective = trace_.collectives.count(w.name) > 0;
      const std::uint32_t op = on_host_                  ? static_cast<std::uint32_t>(w.external)
                               : w.kernel && !collective ? trace_.host.launcher(w.external, w.correlation)
                                                         : none;
      std::uint32_t owner = op;
      while (owner != none && !call_of(owner).work) owner = trace_.host[owner].parent;
      owner_.push_back(owner);
      if (!w.kernel || on_host_) continue;
      all_.add(w);
      if (collective)
        exchanges_.add(w);
      else if (op == none)
        unowned_.add(w);
      else if (owner == none)
        (call_of(op).complex ? complex_ : unplaced_).add(w);
    }
  }

  /// Counts work once: if nested operators have work, that of the operator around them is dropped. But it is kept if only the outer
  /// operator has matrix products: MIOpen's convolution contains the addition of the bias.
  void drop_outer_owners() {
    const HostOps& host = trace_.host;
    const auto has_products = [&](std::uint32_t op) { return call_of(op).work && call_of(op).work->matrix_flops > 0; };
    std::vector<std::uint8_t> chosen(host.size()), outer(host.size());
    for (const std::uint32_t owner : owner_)
      if (owner != none) chosen[owner] = 1;
    for (std::uint32_t i = 0; i < host.size(); ++i)
      if (chosen[i])
        for (std::uint32_t around = host[i].parent; around != none; around = host[around].parent)
          if (has_products(i) || !has_products(around)) outer[around] = 1;
    for (std::uint32_t& owner : owner_)
      if (owner != none && (outer[owner] || each_launch_)) owner = none;
  }

  [[nodiscard]] const Call& call_of(std::uint32_t op) const { return trace_.calls[trace_.host[op].call]; }

  // --- rows ----------------------------------------------------------------------------------------------------------------------------

  void group() {
    std::vector<std::uint8_t> seen(trace_.host.size());
    for (std::size_t i = 0; i < trace_.work.size(); ++i) {
      const DeviceWork& w = trace_.work[i];
      const std::uint32_t owner = owner_[i];
      const bool owned = owner != none;
      std::uint32_t step = none;
      if (trace_.steps.apart())
        step = trace_.steps.at(owned ? trace_.host[owner].begin : trace_.host.launched_at(w.correlation, w.begin_us));
      const std::uint32_t index = row_of(owned ? trace_.host[owner].call : none, owned ? none : w.name, step);
      if (!on_host_) times_.add({w.begin_us, w.duration_s * 1e6, trace_.streams[w.stream].first, trace_.streams[w.stream].second, index});
      Row& row = grouped_[index];
      row.time_s += w.duration_s;
      row.bytes += w.bytes;
      row.moved = !w.kernel;
      row.tf32 = row.tf32 || (owned && is_tf32(w.name));
      if (w.counted) row.flops.add(trace_.counted[static_cast<std::size_t>(w.bytes)]);
      if (!owned || !seen[owner]) ++row.calls;
      if (owned) seen[owner] = 1;
    }
  }

  /// Its index in grouped_, which is that of the workload's row.
  std::uint32_t row_of(std::uint32_t call, std::uint32_t name, std::uint32_t step) {
    const std::uint64_t key = static_cast<std::uint64_t>(step) << 32 | (call != none ? call : name | 0x80000000u);
    const auto next = static_cast<std::uint32_t>(grouped_.size());
    const std::uint32_t index = each_launch_ ? next : row_index_.emplace(key, next).first->second;
    if (index == next) grouped_.push_back({call, name, step});
    return index;
  }

  /// Products of FP32 operands may run in TF32: only the kernel's name says so.
  bool is_tf32(std::uint32_t name) {
    if (name >= tf32_.size()) tf32_.resize(name + 1);
    if (tf32_[name] == 0) {
      const FormatId format = format_of_kernel(trace_.names[name]);
      tf32_[name] = format != no_format && Formats::catalogue()[format].id == "tf32" ? 2 : 1;
    }
    return tf32_[name] == 2;
  }

  void push(const Row& row) {
    OpClass traits;
    WorkloadRow out;
    out.numbers.time_s = row.time_s / static_cast<double>(row.calls);
    double link_bytes = unknown;
    if (row.call != none) {
      fill_from_call(row, traits, out);
    } else if (const auto found = trace_.collectives.find(row.name); found != trace_.collectives.end()) {
      fill_from_collective(found->second, traits, out);
      link_bytes = found->second.link_bytes * static_cast<double>(row.calls);
    } else {
      fill_from_kernel(row, traits, out);
    }
    out.shape_hash = row.call != none ? row.call + 1 : row.name + 0x80000000u;
    out.op_class = rows_.op_class(traits);
    out.numbers = times(out.numbers, static_cast<double>(row.calls));
    rows_.push(out);
    if (!trace_.collectives.empty()) rows_.set_channel(0, link_bytes);
    if (trace_.steps.apart()) rows_.set_step(row.step == none ? "" : trace_.steps.name(row.step));
  }

  void fill_from_call(const Row& row, OpClass& traits, WorkloadRow& out) {
    const Call& call = trace_.calls[row.call];
    const Work work = call.work.value_or(Work());
    const FormatId stated = call.formats.input == no_format ? assumed_ : call.formats.input;
    const FormatId written = call.formats.output == no_format ? assumed_ : call.formats.output;
    const bool tf32 = row.tf32 && Formats::catalogue()[stated].id == "fp32" && work.matrix_flops > 0;
    const FormatId format = tf32 ? Formats::catalogue().find("tf32").value_or(stated) : stated;
    unformatted_ += call.formats.input == no_format || call.formats.output == no_format ? 1 : 0;
    static_cast<Work&>(out.numbers) = work;
    traits.type = call.name;
    traits.set_family(call.op->family);
    traits.symbol = call.op->symbol;
    traits.activation = format;
    traits.output = written == stated ? format : written;
    traits.weight = work.weight > 0 ? format : no_format;
    traits.kv = work.kv_read + work.kv_write > 0 ? format : no_format;
    traits.matrix_work = work.matrix_flops > 0;
    traits.vector_work = work.vector_flops > 0;
    out.name = rows_.keep(call.name + ' ' + call.shapes.substr(0, 120));
    out.record = call.record;
  }

  void fill_from_collective(const Collective& collective, OpClass& traits, WorkloadRow& out) {
    traits.type = collective.name.substr(0, collective.name.find(' '));
    traits.set_family(OpFamily::communication);
    traits.symbol = Symbol::x;
    traits.activation = traits.output = collective.format;
    out.numbers.activation = collective.read, out.numbers.output = collective.written;
    out.name = rows_.keep(collective.name);
  }

  /// A kernel without an operator, a copy or a fill.
  void fill_from_kernel(const Row& row, OpClass& traits, WorkloadRow& out) {
    OpNumbers& n = out.numbers;
    const std::string_view full = trace_.names[row.name];
    traits.activation = assumed_;
    traits.symbol = Symbol::diamond;
    if (row.moved) {
      traits.type = full.starts_with("Memset") ? "memset" : "memcpy";
      traits.category = "copy";
      traits.roles_unknown = true;
      n.matrix_flops = 0;
      n.given_bytes = device_memory_traffic(full, row.bytes) / static_cast<double>(row.calls);
      over_links_ = over_links_ || (row.bytes > 0 && !known(n.given_bytes));
      n.activation = n.given_bytes / Formats::catalogue()[assumed_].bytes();
      traits.measured_bytes = true;
    } else {
      traits.type = traits.category = "kernel";
    }
    if (!row.moved || !(n.given_bytes > 0)) {
      traits.time_only = true;
      n.matrix_flops = n.activation = n.given_bytes = unknown;
    }
    if (const CountedFlops& f = row.flops; f.all() > 0) {
      const char* most = f.fp64 > f.fp32 && f.fp64 > f.fp16 ? "fp64" : f.fp16 > f.fp32 ? "fp16" : "fp32";
      traits.activation = Formats::catalogue().find(most).value_or(no_format);
      traits.time_only = false;
      traits.vector_work = true;
      traits.roles_unknown = true;
      n.matrix_flops = 0;
      n.vector_flops = f.all() / static_cast<double>(row.calls);
    }
    out.name = rows_.keep(row.moved || each_launch_ ? full : shown_.shown(full));
  }

  PyTorchTrace& trace_;
  const bool each_launch_;
  const FormatId assumed_;
  WorkloadBuilder& rows_;
  bool on_host_ = false;
  std::vector<std::uint32_t> owner_;  // by work: the operator whose work it is, else none
  std::vector<Row> grouped_;
  std::unordered_map<std::uint64_t, std::uint32_t> row_index_;
  KernelNames shown_;
  std::vector<std::uint8_t> tf32_;  // by name: 0 not looked at, 1 no, 2 yes
  StreamTimes times_;
  Share all_, unowned_, unplaced_, complex_, exchanges_;
  std::size_t unformatted_ = 0;  // rows
  bool over_links_ = false;      // some copy is to or from the host or another device
};

}  // namespace

void add_rows(PyTorchTrace& trace, const ReadOptions& options, WorkloadBuilder& rows) {
  PyTorchRows out(trace, options, rows);
  out.put();
  out.report();
}

}  // namespace roofline
