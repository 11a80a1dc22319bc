#include <roofline/scenario/scenario.hpp>

#include "scenario/values.hpp"

namespace roofline {
namespace {

constexpr double tera = 1e12, giga = 1e9;

Figure typed_figure(double value) { return {value, "typed by the user", "typed", ""}; }

void put_peak(std::vector<Peak>& peaks, FormatId format, double flops) {
  for (Peak& p : peaks)
    if (p.format == format) {
      p.flops = typed_figure(flops);
      return;
    }
  peaks.push_back({format, typed_figure(flops)});
}

void put_bandwidth(Figure& figure, const std::optional<double>& typed) {
  if (typed) figure = typed_figure(*typed * giga);
}

void put_bandwidth(Memory& memory, const ChannelRates& typed) {
  if (memory.split()) {
    put_bandwidth(memory.read_bandwidth, typed.whole ? typed.whole : typed.read);
    put_bandwidth(memory.write_bandwidth, typed.whole ? typed.whole : typed.write);
  } else {
    put_bandwidth(memory.bandwidth, typed.whole);
  }
}

}  // namespace

Scenario Scenario::standard() {
  Scenario s;
  if (auto npu = Machines::preset("npu-32t50")) s.use(std::move(*npu), MachineBasis::assumed);
  return s;
}

void Scenario::use(Machine m, MachineBasis by) {
  base = std::move(m);
  basis = by;
  typed = {};
  resolve();
}

void Scenario::resolve() {
  machine = base;
  const double flops_per_tops = tera * 2 / ops_per_mac;
  if (typed.peak_tops) {
    machine.matrix.clear();
    machine.vector.clear();
    for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
      for (auto* peaks : {&machine.matrix, &machine.vector}) put_peak(*peaks, static_cast<FormatId>(f), *typed.peak_tops * flops_per_tops);
  }
  for (const auto& [format, peak] : typed.matrix_peaks) put_peak(machine.matrix, format, peak * flops_per_tops);
  for (const auto& [format, peak] : typed.vector_peaks) put_peak(machine.vector, format, peak * flops_per_tops);
  if (typed.mem_bw) {
    if (machine.memories.empty()) machine.memories.emplace_back().name = "DRAM";
    put_bandwidth(machine.memories[0], {typed.mem_bw, {}, {}});
  }
  for (const auto& [name, rates] : typed.bandwidths) {
    for (Memory& memory : machine.memories)
      if (memory.name == name) put_bandwidth(memory, rates);
    for (Link& link : machine.links)
      if (link.name == name) put_bandwidth(link.bandwidth, rates.whole);
  }
  const auto put = [](Figure& figure, const std::optional<double>& value) {
    if (value) figure = *value > 0 ? typed_figure(*value) : Figure();
  };
  const bool peaks = typed.peak_tops || !typed.matrix_peaks.empty() || !typed.vector_peaks.empty();
  if (basis == MachineBasis::assumed && peaks && (typed.mem_bw || !typed.bandwidths.empty())) basis = MachineBasis::chosen;
  put(machine.launch_s, overhead.launch_s);
  if (overhead.compute) machine.set_achievable_compute(*overhead.compute > 0 ? typed_figure(*overhead.compute) : Figure());
  put(machine.achievable_bandwidth, overhead.bandwidth);
  put(machine.units, overhead.units);
}

const Stack& Scenario::stack_for(StackUse use) const {
  const Stacks& stacks = Stacks::presets();
  return stacks[stack ? *stack : stacks.usual(base, use)];
}

StackTerms Scenario::terms_for(StackUse use) const {
  StackTerms out = stack_for(use).terms;
  // A typed fraction is the whole one: the stack's is in it.
  if (overhead.compute.value_or(0) > 0) out.compute.reset();
  if (overhead.bandwidth.value_or(0) > 0) out.bandwidth.reset();
  for (const StackTermInfo& term : stack_terms())
    if (const auto& typed = terms.*term.value) out.*term.value = typed;
  if (overhead.launch_s || machine.launch_s.known()) out.launch_s = known_or(machine.launch_s.value, 0);  // the machine's own goes before
  if (overhead.overlap) out.overlap = overhead.overlap;
  return out;
}

}  // namespace roofline
