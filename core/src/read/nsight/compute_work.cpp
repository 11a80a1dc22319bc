// From what was counted of a launch to its FLOPs, bytes and time.
#include <algorithm>
#include <map>

#include "base/letters.hpp"
#include "read/nsight/compute_launches.hpp"

namespace roofline::nsight {
double clock_of(const Counters& counters) { return known_or(counters.clock_hz, counters.cluster_clock_hz); }

double amount(const Amount& a, const Counters& counters) {
  if (known(a.total)) return a.total;
  if (a.per_second == 0 || a.per_cycle == 0) return 0;  // whatever the time and the clock are
  const double time = time_of(counters);
  if (known(a.per_second)) return a.per_second * time;
  return a.per_cycle * clock_of(counters) * time;
}

namespace {

/// All three kinds of instruction, or nothing: some of them would be less than was done. Only Blackwell has those on pairs.
double flops_of(const std::array<Amount, instruction_count>& instructions, const Counters& counters) {
  constexpr double flops[instruction_count] = {1, 1, 2, 2, 2, 4};
  double sum = 0;
  for (std::size_t i = 0; i < instruction_count; ++i)
    if (i < add_pair || any_known(instructions[i])) sum += flops[i] * amount(instructions[i], counters);
  return sum;
}

/// The formats of `part` are among those of `group`: "bf16" and "fp16_bf16_tf32".
bool is_within(const std::string& part, const std::string& group) { return contains('_' + group + '_', '_' + part + '_'); }

/// The tensor cores' FLOPs by the formats of an instruction, those with the fewest formats first; NaN: not known.
std::map<std::pair<std::size_t, std::string>, double> tensor_flops(const Counters& counters) {
  std::map<std::string, std::map<std::uint8_t, double>> by_format;
  for (const TensorWork& work : counters.tensor) by_format[work.format][work.detail] += amount(work.flops, counters);
  std::map<std::pair<std::size_t, std::string>, double> out;
  for (const auto& [format, details] : by_format) {
    // The same work, broken down in several ways: the most of them is all of it.
    double all = unknown;
    for (const auto& [detail, work] : details)
      if (!(work <= all)) all = known_or(work, all);
    out[{static_cast<std::size_t>(std::count(format.begin(), format.end(), '_')), format}] = all;
  }
  return out;
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
  auto by_format = tensor_flops(counters);
  double most = 0;
  if (!by_format.empty()) flops.tensor = 0;
  for (auto& [key, work] : by_format) {
    const std::string& format = key.second;
    // Subtract work that a single-format metric already counts.
    if (contains(format, '_'))
      for (const auto& [other, part] : by_format)
        if (other < key && is_within(other.second, format)) work = std::max(work - part, 0.0);
    flops.tensor += work;
    if (work > most) most = work, flops.tensor_format = format;
  }
  if (!counters.tensor.empty()) return flops;
  // One instruction is a quarter of the 8x8x4 product of four quads on Volta; later architectures have instructions of several sizes.
  constexpr double volta_flops = 512;
  if (device.capability_major == 7 && device.capability_minor == 0 && any_known(counters.tensor_instructions)) {
    flops.tensor = volta_flops * amount(counters.tensor_instructions, counters);
    if (flops.tensor > 0) flops.tensor_format = "fp16";
  } else if (!counters.tensor_used.value_or(false)) {
    flops.tensor = 0;
  }
  return flops;
}

}  // namespace roofline::nsight
