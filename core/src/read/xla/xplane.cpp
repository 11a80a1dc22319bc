// Profiles of JAX and TensorFlow on TPUs, .xplane.pb: the operations of the line "XLA Ops" with the work that XLA states for them, and the
// device's peaks. docs/formats/xplane.md has the rules. Planes are read one at a time; those of the host are passed over.
#include <algorithm>
#include <array>
#include <roofline/base/text.hpp>

#include "base/joined.hpp"
#include "read/formats.hpp"
#include "read/protobuf.hpp"
#include "read/xla/xla.hpp"
#include "read/xla/xplane_gpu.hpp"
#include "read/xla/xplane_operations.hpp"
#include "read/xla/xplane_plane.hpp"
#include "workload/builder.hpp"

namespace roofline {
namespace {

using protobuf::Read, protobuf::Wire;
using xplane::Line, xplane::Operation, xplane::Plane, xplane::Stat;

/// A plane is read as a whole; one of a TPU holds some 60 bytes per operation that ran.
constexpr std::size_t largest_plane = std::size_t{512} << 20;
constexpr std::string_view tpu_planes = "/device:TPU:", gpu_planes = "/device:GPU:";
constexpr std::string_view operations_line = "XLA Ops", steps_line = "Steps", streams = "Stream #";

bool is_one_of(std::string_view plane, std::string_view devices) {
  return plane.starts_with(devices) && plane.find_first_not_of("0123456789", devices.size()) == std::string_view::npos;
}

double number_of(const Stat* stat) { return stat ? stat->number : unknown; }
std::string_view text_of(const Stat* stat) { return stat ? stat->text : std::string_view(); }

class XplaneReader final : public RowsReader<WorkloadBuilder> {
 public:
  explicit XplaneReader(const ReadOptions& options) : RowsReader(options.source_name, SourceFormat::xplane, options.limits) {
    rows_.workload().own_records = options.keep_records;
  }

  Result<void> read(TextWindow& window, bool last) override {
    for (;;) {
      skip_ = window.skip(skip_);
      if (skip_ > 0) break;
      const std::string_view bytes = window.text();
      protobuf::Head head;
      if (bytes.empty()) break;
      const Read read = read_head(bytes, head);
      if (read == Read::end) break;
      if (read == Read::bad) {
        if (auto ok = stop(window, "no field of an XSpace"); !ok) return ok;
        break;
      }
      const std::uint64_t size = head.field.wire == Wire::bytes ? head.field.value : 0;
      const std::string_view begun = bytes.substr(head.size, static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes.size())));
      const bool all = bytes.size() - head.size >= size;
      constexpr std::size_t enough_for_a_name = 4096;
      if (head.field.is(1, Wire::bytes) && !all && begun.size() < enough_for_a_name) break;
      if (!head.field.is(1, Wire::bytes) || !wanted(begun)) {
        skip_ = head.size + size;
        continue;
      }
      if (size > largest_plane) {
        if (auto ok = stop(window, "a plane of " + std::to_string(size) + " bytes: expected at most 512 MiB; record fewer steps"); !ok)
          return ok;
        break;
      }
      if (!all) break;
      if (Plane plane; xplane::read_plane(begun, {steps_line, operations_line, streams}, plane)) {
        if (!is_one_of(plane.name, gpu_planes))
          add(plane);
        else if (plane.lines.empty())
          left_out_.push_back(printable(plane.name) + " (no streams)");
        else
          gpus_.add(plane);
      } else if (auto ok = stop(window, "a damaged plane"); !ok) {
        return ok;
      }
      if (stopped_) break;
      window.drop(head.size + begun.size());
    }
    if (stopped_) window.drop(window.text().size());
    if (!last) return {};
    if (!stopped_ && (skip_ > 0 || !window.text().empty()))
      if (auto ok = stop(window, "the file ends in the middle of a plane"); !ok) return ok;
    return add_rows();
  }

 private:
  // --- planes --------------------------------------------------------------------------------------------------------------------------

  /// What came before the fault still counts.
  Result<void> stop(const TextWindow& window, const std::string& fault) {
    const std::string text = "byte " + std::to_string(window.source_offset(0)) + ": " + fault;
    if (cores_.empty() && gpus_.empty()) return fail(text + ": expected a whole .xplane.pb of a TPU or a GPU");
    stopped_ = true;
    rows_.workload().broken_off = "the profile is damaged at " + text.substr(0, text.find(':'));
    rows_.note(Severity::error, text + "; what comes before it is read");
    return {};
  }

  bool wanted(std::string_view begun) {
    const std::string name(xplane::name_of_plane(begun));
    if (is_one_of(name, tpu_planes) || is_one_of(name, gpu_planes)) return true;
    if (name.starts_with("/device:")) left_out_.push_back(printable(name));
    return false;
  }

  void add(const Plane& plane) {
    const auto line = [&](std::string_view name) {
      const auto found = std::find_if(plane.lines.begin(), plane.lines.end(), [&](const Line& l) { return l.name == name; });
      return found == plane.lines.end() ? nullptr : &*found;
    };
    const Line* operations = line(operations_line);
    if (!operations) return left_out_.push_back(printable(plane.name) + " (no line \"XLA Ops\")");
    if (cores_.empty()) take_device(plane);
    cores_.push_back(operations->events.size());
    operations_.add(plane, *operations, line(steps_line));
  }

  // --- the machine ---------------------------------------------------------------------------------------------------------------------

  void take_device(const Plane& plane) {
    const auto figure = [&](const char* name, double unit) {
      const double value = number_of(plane.find(name)) * unit;
      return value > 0 ? Figure{value, std::string("the profile's device properties: ") + name, "datasheet", ""} : Figure{};
    };
    const std::string name = printable(text_of(plane.find("device_type_string")));
    const Figure peak = figure("peak_teraflops_per_second", xla::tera), hbm = figure("peak_hbm_bw_gigabytes_per_second", xla::giga);
    const std::array<Figure, xla::channel_count> channels = {
        figure("peak_cmem_rd_bw_gigabytes_per_second", xla::giga), figure("peak_cmem_wr_bw_gigabytes_per_second", xla::giga),
        figure("peak_vmem_rd_bw_gigabytes_per_second", xla::giga), figure("peak_vmem_wr_bw_gigabytes_per_second", xla::giga)};
    const auto say = [&](std::string property, std::string text) {
      rows_.workload().properties.emplace_back(std::move(property), std::move(text));
    };
    if (!name.empty()) say("Device type", name);
    if (peak.known()) say("Peak FLOP rate per TensorCore", with_unit(peak.value, "FLOP/s"));
    if (hbm.known()) say("Peak HBM bandwidth per TensorCore", with_unit(hbm.value, "B/s"));
    for (std::size_t c = 0; c < xla::channel_count; ++c)
      if (channels[c].known())
        say(std::string("Peak ") + xla::channel_names[c] + " bandwidth per TensorCore", with_unit(channels[c].value, "B/s"));
    if (!peak.known() || !hbm.known())
      return rows_.note(Severity::warning, "the profile does not state its " +
                                               std::string(peak.known() ? "memory's bandwidth" : "device's peak") +
                                               ": choose the machine it ran on");
    Machine machine = xla::device(name, bf16(), peak, hbm, channels);
    machine.notes.push_back("Rates are of one TensorCore.");
    if (number_of(plane.find("has_megacore")) == 1)
      machine.notes.push_back("Megacore: an operation runs on both TensorCores of a chip; the rates are those of both.");
    rows_.workload().machine_json = machine_json(machine, true);
  }

  static FormatId bf16() { return Formats::catalogue().find("bf16").value_or(no_format); }

  // --- rows ----------------------------------------------------------------------------------------------------------------------------

  Result<void> add_rows() {
    if (cores_.empty() && gpus_.empty()) return no_operations();
    if (cores_.empty()) return gpus_.put_into(rows_), Result<void>();
    const std::vector<Operation>& all = operations_.all();
    for (const char* name : {"Program ID", "Source", "Framework op"}) rows_.add_category(name);
    rows_.add_measure("Model FLOP Rate", "FLOP/s");
    rows_.add_measure("Time per core", "s");
    std::vector<std::size_t> used;
    for (std::size_t c = 0; c < xla::channel_count; ++c)
      if (std::any_of(all.begin(), all.end(), [c](const Operation& op) { return op.work.channels[c] > 0; })) used.push_back(c);
    for (const std::size_t c : used) rows_.add_channel(xla::channel_names[c], false);
    rows_.add_channel(xla::all_memories, false);
    const bool stepped = std::any_of(all.begin(), all.end(), [&](const Operation& op) { return op.step != all[0].step; });
    for (const Operation& op : all) {
      push(op, used);
      if (stepped) rows_.set_step(op.step);
    }
    report();
    return {};
  }

  void push(const Operation& op, const std::vector<std::size_t>& channels) {
    const xplane::Work& work = op.work;
    OpClass traits;
    traits.type = traits.category = op.category.empty() ? "other" : op.category;
    traits.symbol = xla::symbol_of(traits.category);
    traits.activation = bf16();
    traits.matrix_work = work.flops > 0;
    traits.roles_unknown = true;
    OpNumbers n;
    n.matrix_flops = work.known() ? work.flops : unknown;
    n.given_bytes = work.known() ? work.hbm : unknown;
    n.activation = n.given_bytes / Formats::catalogue()[traits.activation].bytes();
    n.time_s = op.time_s;
    n.self_time_s = op.self_s;
    n.count = op.count;
    rows_.push({rows_.op_class(traits), n, rows_.keep(op.name), {}, rows_.word(op.program + '\n' + op.name)});
    std::size_t column = 0;
    for (const std::string& word : {op.program, op.source, op.framework}) rows_.set_word(column++, word);
    column = 0;
    for (const std::size_t c : channels) rows_.set_channel(column++, work.known() ? work.channels[c] : unknown);
    rows_.set_channel(column, work.known() ? work.bytes : unknown);
    rows_.set_measure(0, work.known() ? work.model_flops / op.time_s : unknown);
    rows_.set_measure(1, op.time_s / static_cast<double>(cores_.size()));
  }

  [[nodiscard]] Result<void> no_operations() const {
    return fail(
        "an XSpace without operations of a TPU or kernels of a GPU" + (left_out_.empty() ? "" : ": it has " + joined(left_out_, ", ")) +
        "; expected a plane /device:TPU:0 with a line \"XLA Ops\" or a plane /device:GPU:0 with streams, as jax.profiler records them");
  }

  void report() {
    const auto say = [&](std::string text) { rows_.note(Severity::info, std::move(text)); };
    const auto count = [&](const auto& is) {
      return static_cast<std::size_t>(std::count_if(operations_.all().begin(), operations_.all().end(), is));
    };
    const std::size_t uncosted = count([](const Operation& op) { return !op.work.known(); });
    const std::size_t unplaced = count([](const Operation& op) { return op.work.known() && !known(op.work.hbm); });
    const std::size_t started = count([](const Operation& op) { return op.category.ends_with("-start") && op.work.bytes > 0; });
    std::size_t events = 0;
    for (const std::size_t n : cores_) events += n;
    if (cores_.size() > 1)
      say("sums over " + std::to_string(cores_.size()) + " cores: " + std::to_string(events) + " executions, " + std::to_string(cores_[0]) +
          " of them on the first");
    const auto rows = [](std::size_t n, const char* one, const char* many) { return std::to_string(n) + (n == 1 ? one : many); };
    if (uncosted > 0) say(rows(uncosted, " row has", " rows have") + " neither FLOPs nor bytes: no bound can be given");
    if (unplaced > 0) say(rows(unplaced, " row does", " rows do") + " not say which memory its bytes are of: they are no HBM bytes");
    if (started > 0) say("asynchronous copies are read as XProf reads them: a copy-start has its bytes and only the time of issuing them");
    if (operations_.untimed() > 0)
      rows_.note(Severity::warning, std::to_string(operations_.untimed()) + " executions have no possible duration and are left out");
    if (operations_.damaged()) rows_.note(Severity::warning, "some bytes by memory are damaged and left out");
    if (!gpus_.empty()) rows_.note(Severity::warning, "kernels of GPUs are left out: the operations of the TPU are read");
    if (!left_out_.empty()) say("planes left out: " + std::to_string(left_out_.size()) + ", the first " + left_out_[0]);
    say("number formats are not in the file: BF16 is assumed, so what-ifs on formats are upper bounds");
  }

  std::uint64_t skip_ = 0;
  bool stopped_ = false;
  std::vector<std::size_t> cores_;  // executions on each
  std::vector<std::string> left_out_;
  xplane::Operations operations_;
  xplane::GpuKernels gpus_;
};

/// An XSpace has no mark of its own. Its first field is a plane, which begins with a number, or none, and a name.
bool begins_with_plane(std::string_view bytes) {
  protobuf::Head head;
  if (read_head(bytes, head) != Read::done || !head.field.is(1, Wire::bytes)) return false;
  bytes.remove_prefix(head.size);
  if (read_head(bytes, head) != Read::done) return false;
  if (head.field.is(1, Wire::varint)) {
    bytes.remove_prefix(head.size);
    if (read_head(bytes, head) != Read::done) return false;
  }
  if (!head.field.is(2, Wire::bytes) || head.field.value == 0) return false;
  const std::string_view name = bytes.substr(head.size, static_cast<std::size_t>(std::min<std::uint64_t>(head.field.value, bytes.size())));
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

}  // namespace

bool detects_xplane(std::string_view bytes) { return begins_with_plane(bytes); }

std::unique_ptr<FormatReader> open_xplane(const ReadOptions& options) { return std::make_unique<XplaneReader>(options); }

}  // namespace roofline
