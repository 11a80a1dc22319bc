// What Nsight Compute's metrics mean to a roofline: one table of their names for its CSV pages and its binary reports.
// docs/formats/nsight.md says which are read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/number.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::nsight {

enum Precision : std::uint8_t { fp64, fp32, fp16, precision_count };
/// Those on pairs of FP32 numbers are Blackwell's.
enum Instruction : std::uint8_t { add, multiply, multiply_add, add_pair, multiply_pair, multiply_add_pair, instruction_count };
enum Level : std::uint8_t { dram, l2, l1, level_count };

/// One quantity as the tool states it: its sum over the kernel, or a rate of it. NaN: not stated.
struct Amount {
  double total = unknown;
  double per_second = unknown;
  double per_cycle = unknown;  ///< of the multiprocessors' clock
};

/// FLOPs of the tensor cores by the format of what they multiply. `detail`: which of the tool's breakdowns of the same work this is.
struct TensorWork {
  std::string metric;  ///< its name without the ending that tells a sum from rates
  std::string format;  ///< as the metric writes it: "fp16"; of an instruction for several formats "fp4_fp6_fp8"
  std::uint8_t detail = 0;
  Amount flops;
};

/// What was measured of one launch of a kernel.
struct Counters {
  double time_s = unknown;
  double cycles = unknown, clock_hz = unknown;  ///< of the multiprocessors: a time too, where that is not stated
  double cluster_clock_hz = unknown;            ///< of the clusters of them: much the same, where theirs is not stated
  std::array<std::array<Amount, instruction_count>, precision_count> instructions;  ///< of threads, not of warps
  std::array<Amount, level_count> bytes, read_bytes, written_bytes;
  std::vector<TensorWork> tensor;
  Amount tensor_instructions;                       ///< of warps
  std::optional<bool> tensor_used;                  ///< whether the tensor cores did anything; empty: no metric says
  double dram_share = unknown, sm_share = unknown;  ///< of the peak of the DRAM's and of the multiprocessors' busiest unit, 0 to 1
  double dram_clock_hz = unknown;
  bool bytes_by_share = false;  ///< the DRAM's bytes are its share of its peak, times the time
  double passes = unknown;      ///< replays of the kernel that it took to collect all of this
  bool instrumented = false;    ///< instructions were counted by patching the kernel, which slows it down
};

/// The device as its attributes describe it. NaN, empty: not stated.
struct Device {
  std::string name;
  double capability_major = unknown, capability_minor = unknown;
  double multiprocessors = unknown, clock_hz = unknown;
  double memory_clock_hz = unknown, memory_bus_bits = unknown, memory_bytes = unknown, l2_bytes = unknown;
  double memory_bytes_per_s = unknown;                                                        ///< as the profiled program printed it
  std::array<double, precision_count> multiply_adds_per_cycle = {unknown, unknown, unknown};  ///< of all multiprocessors
  std::array<double, level_count> bytes_per_cycle = {unknown, unknown, unknown};              ///< of each level's own clock
  std::array<double, level_count> level_clock_hz = {unknown, unknown, unknown};               ///< while the kernel ran
};

/// Takes one metric in. `unit` as the tool prints it ("Gbyte/second"); without one: base units, nanoseconds for times. False where the
/// metric's unit is not one of its kind, or not known: the metric is left out.
[[nodiscard]] bool take_number(std::string_view name, double value, std::optional<std::string_view> unit, Counters& counters,
                               Device& device);
void take_text(std::string_view name, std::string_view value, Device& device);

}  // namespace roofline::nsight
