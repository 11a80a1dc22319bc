#include "read/nsight/compute_launches.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "read/text/format_words.hpp"
#include "read/text/kernel_name.hpp"

namespace roofline::nsight {
namespace {

constexpr const char* level_names[] = {"DRAM", "L2", "L1"};
constexpr const char* precision_ids[] = {"fp64", "fp32", "fp16"};
constexpr const char* measure_names[] = {"FP64 FLOPs", "FP32 FLOPs", "FP16 FLOPs"};

/// Which kinds of work were counted, as bits.
unsigned counted(const Counters& c) {
  unsigned out = c.tensor.empty() && !any_known(c.tensor_instructions) ? 0 : 1;
  for (std::size_t p = 0; p < precision_count; ++p)
    for (const Amount& a : c.instructions[p])
      if (any_known(a)) out |= 2u << p;
  for (std::size_t l = 0; l < level_count; ++l)
    if (any_known(c.bytes[l]) || any_known(c.read_bytes[l]) || any_known(c.written_bytes[l])) out |= 16u << l;
  return out;
}

bool same_kernels(const Run& a, const Run& b) {
  return std::equal(a.launches.begin(), a.launches.end(), b.launches.begin(), b.launches.end(), [](const Launch& x, const Launch& y) {
    return x.kernel == y.kernel && (counted(x.counters) & counted(y.counters)) == 0;
  });
}

/// What was counted in a pass of its own, by that pass's own clock and time.
void settle(Counters& c) {
  for (auto& precision : c.instructions)
    for (Amount& a : precision) a = {amount(a, c)};
  for (TensorWork& work : c.tensor) work.flops = {amount(work.flops, c)};
  c.tensor_instructions = {amount(c.tensor_instructions, c)};
  for (std::size_t l = 0; l < level_count; ++l) {
    c.bytes[l] = {bytes_of(c, static_cast<Level>(l))};
    c.read_bytes[l] = c.written_bytes[l] = {};
  }
}

void merge(Counters& into, Counters from) {
  settle(into), settle(from);
  const auto take = [](double& a, double b) { a = known(a) ? a : b; };
  for (std::size_t p = 0; p < precision_count; ++p)
    for (std::size_t i = 0; i < instruction_count; ++i) take(into.instructions[p][i].total, from.instructions[p][i].total);
  for (std::size_t l = 0; l < level_count; ++l) take(into.bytes[l].total, from.bytes[l].total);
  for (const TensorWork& work : from.tensor)
    if (std::none_of(into.tensor.begin(), into.tensor.end(), [&](const TensorWork& own) { return own.metric == work.metric; }))
      into.tensor.push_back(work);
  take(into.tensor_instructions.total, from.tensor_instructions.total);
  if (from.tensor_used) into.tensor_used = into.tensor_used.value_or(false) || *from.tensor_used;
  take(into.passes, from.passes);
  take(into.dram_share, from.dram_share), take(into.sm_share, from.sm_share), take(into.dram_clock_hz, from.dram_clock_hz);
  if (!known(time_of(into)) || (into.instrumented && !from.instrumented && known(time_of(from)))) {
    into.time_s = from.time_s, into.cycles = from.cycles, into.clock_hz = clock_of(from);
    into.instrumented = from.instrumented;
  }
}

/// Launches as rows, with a column for each kind of work that any of them states.
class Rows {
 public:
  Rows(const std::vector<Run>& runs, const Device& device, WorkloadBuilder& rows) : device_(device), rows_(rows) {
    for (const Run& run : runs)
      for (const Launch& launch : run.launches) look_at(launch.counters), names_.add(launch.kernel);
  }

  [[nodiscard]] bool placed() const { return placed_; }

  void add_columns() {
    for (const char* name : {"Kernel", "Grid", "Block"}) rows_.add_category(name);
    for (const Level level : {l2, l1})
      if (levels_[level]) rows_.add_channel(level_names[level], false);
    for (const Precision p : {fp64, fp32, fp16})
      if (precisions_[p]) rows_.add_measure(measure_names[p], "FLOP");
    if (tensor_) rows_.add_measure("Tensor FLOPs", "FLOP");
    if (shares_)
      for (const char* name : {"SM share of peak", "DRAM share of peak"}) rows_.add_measure(name, "");
  }

  void push(const Launch& launch) {
    const Counters& c = launch.counters;
    const Flops flops = flops_of(c, device_);
    double vector = unknown, most = 0;
    const char* of_vector = "fp32";
    for (std::size_t p = 0; p < precision_count; ++p) {
      if (!known(flops.vector[p])) continue;
      vector = known_or(vector, 0) + flops.vector[p];
      if (flops.vector[p] > most) most = flops.vector[p], of_vector = precision_ids[p];
    }
    OpClass traits;
    traits.type = traits.category = "kernel";
    traits.symbol = flops.tensor > 0 ? Symbol::circle : Symbol::diamond;
    traits.activation = slowest_format(flops.tensor > 0 ? flops.tensor_format : of_vector);
    traits.roles_unknown = traits.measured_bytes = true;
    OpNumbers n;
    const bool counted = known(vector) || flops.tensor > 0;
    n.matrix_flops = counted ? flops.tensor : unknown;
    n.vector_flops = known_or(vector, 0);
    n.given_bytes = bytes_of(c, dram);
    n.activation = n.given_bytes / Formats::catalogue()[traits.activation].bytes();
    n.time_s = time_of(c);
    traits.matrix_work = n.matrix_flops > 0;
    traits.vector_work = n.vector_flops > 0;
    const bool moved = known(n.given_bytes) || known(bytes_of(c, l2)) || known(bytes_of(c, l1));
    traits.time_only = !counted && !moved && known(n.time_s);
    traits.invalid = !counted && !moved && !known(n.time_s);
    rows_.push({rows_.op_class(traits), n, rows_.keep(printable(names_.shown(launch.kernel))), launch.record,
                rows_.word(launch.kernel + launch.grid + launch.block)});
    std::size_t column = 0;
    for (const std::string& word : {launch.kernel, launch.grid, launch.block}) rows_.set_word(column++, printable(word));
    column = 0;
    for (const Level level : {l2, l1})
      if (levels_[level]) rows_.set_channel(column++, bytes_of(c, level));
    column = 0;
    for (std::size_t p = 0; p < precision_count; ++p)
      if (precisions_[p]) rows_.set_measure(column++, flops.vector[p]);
    if (tensor_) rows_.set_measure(column++, flops.tensor);
    if (!shares_) return;
    rows_.set_measure(column++, c.sm_share);
    rows_.set_measure(column, c.dram_share);
  }

 private:
  void look_at(const Counters& c) {
    const Flops flops = flops_of(c, device_);
    tensor_ = tensor_ || flops.tensor > 0;
    for (std::size_t p = 0; p < precision_count; ++p) precisions_[p] = precisions_[p] || known(flops.vector[p]);
    for (std::size_t l = 0; l < level_count; ++l) levels_[l] = levels_[l] || known(bytes_of(c, static_cast<Level>(l)));
    shares_ = shares_ || known(c.sm_share) || known(c.dram_share);
    const auto any = [](const auto& list) { return std::find(list.begin(), list.end(), true) != list.end(); };
    placed_ = placed_ || known(time_of(c)) || tensor_ || any(precisions_) || any(levels_);
  }

  const Device& device_;
  WorkloadBuilder& rows_;
  KernelNames names_;
  std::array<bool, level_count> levels_{};
  std::array<bool, precision_count> precisions_{};
  bool tensor_ = false, placed_ = false, shares_ = false;
};

}  // namespace

FormatId slowest_format(std::string_view formats) {
  FormatId slowest = no_format;
  while (!formats.empty()) {
    const std::size_t end = std::min(formats.find('_'), formats.size());
    const FormatId format = format_in(formats.substr(0, end));
    const Formats& all = Formats::catalogue();
    if (format != no_format && (slowest == no_format || all[format].bytes() > all[slowest].bytes())) slowest = format;
    formats.remove_prefix(std::min(end + 1, formats.size()));
  }
  return slowest != no_format ? slowest : format_in("fp32");
}

Run& Launches::run(const std::string& key) {
  const auto found = std::find_if(runs_.rbegin(), runs_.rend(), [&](const Run& run) { return run.key == key; });
  return found != runs_.rend() ? *found : runs_.emplace_back(Run{key, {}});
}

void Launches::join(WorkloadBuilder& rows) {
  for (std::size_t first = 0; first < runs_.size(); ++first)
    for (std::size_t other = first + 1; other < runs_.size();) {
      if (!same_kernels(runs_[first], runs_[other])) {
        ++other;
        continue;
      }
      const std::size_t launches = runs_[first].launches.size();
      for (std::size_t i = 0; i < launches; ++i) merge(runs_[first].launches[i].counters, std::move(runs_[other].launches[i].counters));
      runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(other));
      rows.note(Severity::info, "two runs of the same " + std::to_string(launches) +
                                    " kernels count different things: they are read as passes over one program, with the time of the one "
                                    "that counted no instructions");
    }
}

Result<void> Launches::fill(WorkloadBuilder& rows) {
  join(rows);
  if (runs_.empty()) return fail("Nsight Compute profiled no kernel: expected one");
  for (Run& run : runs_)
    for (Launch& launch : run.launches) complete(launch.counters, device);
  Rows table(runs_, device, rows);
  if (!table.placed())
    return fail(
        "none of Nsight Compute's metrics here places a kernel on a roofline: expected gpu__time_duration.sum, dram__bytes.sum or "
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum and its like, as ncu --set roofline collects them");
  table.add_columns();
  for (const Run& run : runs_)
    for (const Launch& launch : run.launches) table.push(launch);
  remark(runs_, device, rows);
  rows.workload().machine_json = machine_of(device);
  return {};
}

}  // namespace roofline::nsight
