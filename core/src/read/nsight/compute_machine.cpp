#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine.hpp>

#include "base/letters.hpp"
#include "base/parse_number.hpp"
#include "read/nsight/compute_launches.hpp"

namespace roofline::nsight {
namespace {

/// FP32 multiply-adds per cycle and multiprocessor: the CUDA C++ programming guide's table of throughputs of native arithmetic.
double multiply_adds(double major, double minor) {
  if (major == 7) return 64;
  if (major == 8) return minor == 0 ? 64 : 128;
  if (major == 6) return minor == 0 ? 64 : 128;
  return major >= 9 && major <= 12 ? 128 : unknown;
}

Figure of_attributes(double value, std::string what) {
  return {value, "the report's device attributes: " + std::move(what), "datasheet", ""};
}

/// The rate of a level at the clock that it had while the kernel ran.
Figure level_rate(const Device& device, Level level) {
  const double rate = device.bytes_per_cycle[level] * device.level_clock_hz[level];
  return rate > 0 ? Figure{rate, "the report: bytes per cycle at their peak, times the clock", "measured", ""} : Figure{};
}

/// True where one was added.
bool add_caches(const Device& device, Machine& machine) {
  bool added = false;
  const std::pair<Level, const char*> caches[] = {{l2, "L2"}, {l1, "L1"}};
  for (const auto& [level, name] : caches) {
    const Figure rate = level_rate(device, level);
    if (!rate.known()) continue;
    const auto same = [&name = name](const Memory& m) { return m.name == name; };
    auto found = std::find_if(machine.memories.begin(), machine.memories.end(), same);
    if (found == machine.memories.end()) found = machine.memories.insert(machine.memories.end(), Memory{name, {}, {}, {}, {}});
    if (found->rate().known()) continue;
    found->bandwidth = rate;
    added = true;
  }
  return added;
}

Machine of_attributes(const Device& device) {
  Machine machine;
  machine.id = hyphenated(device.name);
  machine.name = device.name;
  machine.vendor = "NVIDIA";
  if (known(device.capability_major) && known(device.capability_minor))
    machine.architecture = "sm_" + plain(device.capability_major) + plain(device.capability_minor);
  machine.units = of_attributes(device.multiprocessors, "multiprocessors");
  const double stated = device.multiply_adds_per_cycle[fp32];
  const double fp32_rate =
      known(stated) ? stated : multiply_adds(device.capability_major, device.capability_minor) * device.multiprocessors;
  const auto add = [&](const char* format, double per_cycle) {
    const Figure peak = of_attributes(2 * per_cycle * device.clock_hz, "multiply-adds per cycle, at the highest clock");
    if (!peak.known()) return;
    machine.vector.push_back({*Formats::catalogue().find(format), peak});
    machine.matrix.push_back(machine.vector.back());
  };
  add("fp64", device.multiply_adds_per_cycle[fp64]);
  add("fp32", fp32_rate);
  // Two transfers per cycle of the memory's clock, as CUDA states it.
  Memory memory{"DRAM", of_attributes(2 * device.memory_clock_hz * device.memory_bus_bits / 8, "memory clock and bus width"), {}, {}, {}};
  if (!memory.bandwidth.known() && known(device.memory_bytes_per_s))
    memory.bandwidth = {device.memory_bytes_per_s, "the profiled program's output: theoretical bandwidth", "datasheet", ""};
  if (device.memory_bytes > 0) memory.capacity = of_attributes(device.memory_bytes, "total memory");
  machine.memories.push_back(std::move(memory));
  machine.notes.push_back(
      "Worked out from the device attributes of a profile. The tensor cores' peaks are not among them: products are held "
      "against the other units.");
  return machine;
}

/// The number before a unit, such as 48 before " SMs" in "(sm_120), 48 SMs, 2.625 GHz"; NaN: there is none.
double number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return unknown;
  const std::size_t before = line.substr(0, end).find_last_not_of("0123456789.") + 1;
  return parse_number(line.substr(before, end - before));
}

}  // namespace

void take_program_output(std::string_view line, Device& device) {
  constexpr std::string_view label = "device: ";
  const double multiprocessors = number_before(line, " SMs"), gigahertz = number_before(line, " GHz");
  if (line.starts_with(label) && known(multiprocessors) && known(gigahertz)) {
    line.remove_prefix(label.size());
    device.name = printable(line.substr(0, std::min(line.find(" ("), line.find(','))));
    device.multiprocessors = multiprocessors;
    device.clock_hz = gigahertz * 1e9;
  } else if (const double rate = number_before(line, " GB/s"); known(rate) && contains(line, "theoretical")) {
    device.memory_bytes_per_s = rate * 1e9;
  }
}

std::string machine_of(const Device& device) {
  if (device.name.empty()) return {};
  if (const Machine* preset = Machines::presets().find(device.name)) {
    Machine machine = *preset;
    return add_caches(device, machine) ? machine_json(machine, true) : '"' + preset->id + '"';
  }
  Machine machine = of_attributes(device);
  if (machine.vector.empty() || !machine.memories[0].bandwidth.known()) return {};
  add_caches(device, machine);
  return machine_json(machine, true);
}

}  // namespace roofline::nsight
