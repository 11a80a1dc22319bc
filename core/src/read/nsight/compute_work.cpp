// From what was counted of a launch to its FLOPs, bytes and time.
#include <algorithm>
#include <map>

#include "read/nsight/compute_launches.hpp"

namespace roofline::nsight {
double clock_of(const Counters& counters) { return known_or(counters.clock_hz, counters.cluster_clock_hz); }

double amount(const Amount& a, const Counters& counters) {
  if (known(a.total)) return a.total;
  const double time = time_of(counters);
  if (known(a.per_second)) return a.per_second * time;
  return a.per_cycle * clock_of(counters) * time;
}

namespace {

/// All three kinds of instruction, or nothing: some of them would be less than was done.
double flops_of(const std::array<Amount, instruction_count>& instructions, const Counters& counters) {
  return amount(instructions[add], counters) + amount(instructions[multiply], counters) + 2 * amount(instructions[multiply_add], counters);
}

}  // namespace

double time_of(const Counters& counters) { return known(counters.time_s) ? counters.time_s : counters.cycles / clock_of(counters); }

double bytes_of(const Counters& counters, Level level) {
  const double whole = counters.bytes[level].total;
  if (known(whole)) return whole;
  const double both = amount(counters.read_bytes[level], counters) + amount(counters.written_bytes[level], counters);
  return known(both) ? both : amount(counters.bytes[level], counters);
}

void complete(Counters& counters, const Device& device) {
  // Two transfers in each cycle of the memory's clock.
  const double per_cycle = known_or(device.bytes_per_cycle[dram], 2 * device.memory_bus_bits / 8);
  const double rate = counters.dram_share * per_cycle * known_or(counters.dram_clock_hz, device.memory_clock_hz);
  const double time = time_of(counters), bytes = bytes_of(counters, dram);
  if (!(rate > 0)) return;
  if (!known(time)) counters.time_s = bytes / rate;
  if (known(bytes) || !known(time)) return;
  counters.bytes[dram].total = rate * time;
  counters.bytes_by_share = true;
}

Flops flops_of(const Counters& counters, const Device& device) {
  Flops flops;
  for (std::size_t p = 0; p < precision_count; ++p) flops.vector[p] = flops_of(counters.instructions[p], counters);
  // The same work, broken down in several ways: the most of them is all of it.
  std::map<std::string, std::map<std::uint8_t, double>> by_format;
  for (const TensorWork& work : counters.tensor) by_format[work.format][work.detail] += work.flops;
  double most = 0;
  for (const auto& [format, details] : by_format) {
    double all = 0;
    for (const auto& [detail, work] : details) all = std::max(all, work);
    flops.tensor = known(flops.tensor) ? flops.tensor + all : all;
    if (all > most) most = all, flops.tensor_format = format;
  }
  if (known(flops.tensor)) return flops;
  // One instruction is a quarter of the 8x8x4 product of four quads on Volta; later architectures have instructions of several sizes.
  constexpr double volta_flops = 512;
  if (device.capability_major == 7 && device.capability_minor == 0 && known(counters.tensor_instructions)) {
    flops.tensor = volta_flops * counters.tensor_instructions;
    if (flops.tensor > 0) flops.tensor_format = "fp16";
  } else if (!counters.tensor_used.value_or(false)) {
    flops.tensor = 0;
  }
  return flops;
}

}  // namespace roofline::nsight
