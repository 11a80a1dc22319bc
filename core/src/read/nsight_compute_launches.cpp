#include "read/nsight_compute_launches.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "read/format_words.hpp"
#include "read/kernel_name.hpp"

namespace roofline::nsight {
namespace {

constexpr const char* level_names[] = {"DRAM", "L2", "L1"};
constexpr const char* precision_ids[] = {"fp64", "fp32", "fp16"};
constexpr const char* measure_names[] = {"FP64 FLOPs", "FP32 FLOPs", "FP16 FLOPs"};

bool any_known(const Amount& a) { return known(a.total) || known(a.per_second) || known(a.per_cycle); }

/// Which kinds of work were counted, as bits.
unsigned counted(const Counters& c) {
  unsigned out = c.tensor.empty() && !known(c.tensor_instructions) ? 0 : 1;
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
  into.tensor.insert(into.tensor.end(), from.tensor.begin(), from.tensor.end());
  take(into.tensor_instructions, from.tensor_instructions);
  if (from.tensor_used) into.tensor_used = into.tensor_used.value_or(false) || *from.tensor_used;
  take(into.passes, from.passes);
  if (!known(time_of(into)) || (into.instrumented && !from.instrumented && known(time_of(from)))) {
    into.time_s = from.time_s, into.cycles = from.cycles, into.clock_hz = clock_of(from);
    into.instrumented = from.instrumented;
  }
}

}  // namespace

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
  std::size_t placed = 0, all = 0;
  std::array<bool, level_count> level{};
  std::array<bool, precision_count> precision{};
  bool tensor = false;
  for (const Run& run : runs_)
    for (const Launch& launch : run.launches) {
      const Flops flops = flops_of(launch.counters, device);
      ++all;
      placed += known(time_of(launch.counters)) ? 1 : 0;
      tensor = tensor || flops.tensor > 0;
      for (std::size_t p = 0; p < precision_count; ++p)
        if (known(flops.vector[p])) precision[p] = true, ++placed;
      for (std::size_t l = 0; l < level_count; ++l)
        if (known(bytes_of(launch.counters, static_cast<Level>(l)))) level[l] = true, ++placed;
    }
  if (all == 0) return fail("Nsight Compute profiled no kernel: expected one");
  if (placed == 0 && !tensor)
    return fail(
        "none of Nsight Compute's metrics here places a kernel on a roofline: expected gpu__time_duration.sum, dram__bytes.sum or "
        "sm__sass_thread_inst_executed_op_ffma_pred_on.sum and its like, as ncu --set roofline collects them");

  const std::size_t name = rows.add_category("Kernel"), grid = rows.add_category("Grid"), block = rows.add_category("Block");
  std::vector<Level> caches;
  for (const Level l : {l2, l1})
    if (level[l]) rows.add_channel(level_names[l], false), caches.push_back(l);
  std::vector<Precision> measures;
  for (const Precision p : {fp64, fp32, fp16})
    if (precision[p]) rows.add_measure(measure_names[p], "FLOP"), measures.push_back(p);
  if (tensor) rows.add_measure("Tensor FLOPs", "FLOP");

  for (const Run& run : runs_)
    for (const Launch& launch : run.launches) {
      const Counters& c = launch.counters;
      const Flops flops = flops_of(c, device);
      double vector = unknown, most = 0;
      std::string of_vector = "fp32";
      for (const Precision p : measures) {
        if (!known(flops.vector[p])) continue;
        vector = known(vector) ? vector + flops.vector[p] : flops.vector[p];
        if (flops.vector[p] > most) most = flops.vector[p], of_vector = precision_ids[p];
      }
      Numbers n;
      OpClass traits;
      const FormatId stated = format_in(flops.tensor > 0 ? flops.tensor_format : of_vector);
      traits.activation = stated != no_format ? stated : format_in("fp32");
      traits.type = traits.category = "kernel";
      traits.symbol = flops.tensor > 0 ? Symbol::circle : Symbol::diamond;
      traits.roles_unknown = traits.measured_bytes = true;
      n.given_bytes = bytes_of(c, dram);
      const bool counted_flops = known(vector) || flops.tensor > 0;
      n.vector_flops = known(vector) || !counted_flops ? vector : 0;
      n.matrix_flops = counted_flops ? flops.tensor : unknown;
      n.activation = n.given_bytes / Formats::catalogue()[traits.activation].bytes();
      traits.matrix_work = n.matrix_flops > 0, traits.vector_work = n.vector_flops > 0;
      n.time_s = time_of(c);
      bool cached = false;
      for (const Level l : caches) cached = cached || known(bytes_of(c, l));
      if (!counted_flops && !known(n.given_bytes) && !cached) {
        traits.time_only = known(n.time_s);
        traits.invalid = !traits.time_only;
        n.vector_flops = 0;
      }
      rows.push({rows.op_class(traits), n, rows.keep(printable(short_kernel_name(launch.kernel))), launch.record,
                 static_cast<std::uint32_t>(rows.word(launch.kernel + launch.grid + launch.block))});
      rows.set_word(name, printable(launch.kernel));
      rows.set_word(grid, launch.grid);
      rows.set_word(block, launch.block);
      for (std::size_t i = 0; i < caches.size(); ++i) rows.set_channel(i, bytes_of(c, caches[i]));
      for (std::size_t i = 0; i < measures.size(); ++i) rows.set_measure(i, flops.vector[measures[i]]);
      if (tensor) rows.set_measure(measures.size(), flops.tensor);
    }
  remark(runs_, device, rows);
  rows.workload().machine_json = machine_of(device);
  return {};
}

}  // namespace roofline::nsight
