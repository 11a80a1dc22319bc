// Launches of kernels that Nsight Compute measured, whichever of its files they stood in, as operations.
#pragma once

#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "read/nsight/compute_metrics.hpp"
#include "workload/builder.hpp"

namespace roofline::nsight {

struct Launch {
  std::string kernel;  ///< its name, demangled
  std::string grid, block;
  Counters counters;
  SourceRange record;
};

/// One run of the profiler over one process.
struct Run {
  std::string key;  ///< tells runs apart; the launches of one need not follow each other in the file
  std::vector<Launch> launches;
};

/// All runs of a file. Two that launched the same kernels in the same order and counted different things are passes over one program:
/// they become one, and the time is that of the pass that counted no instructions.
class Launches {
 public:
  Run& run(const std::string& key);
  Device device;

  /// Fills the operations, the machine and what is to be said about both into `rows`. An error where nothing that was measured places a
  /// kernel on a roofline.
  [[nodiscard]] Result<void> fill(WorkloadBuilder& rows);

 private:
  void join(WorkloadBuilder& rows);
  std::vector<Run> runs_;
};

/// FLOPs of one launch by what did them; NaN: not known.
struct Flops {
  std::array<double, precision_count> vector = {unknown, unknown, unknown};
  double tensor = unknown;    ///< 0 where the tensor cores did nothing or no metric is about them
  std::string tensor_format;  ///< of most of it, as the metric writes it: "fp16", "bf16", "int8", "fp4_fp6_fp8"
};
[[nodiscard]] Flops flops_of(const Counters& counters, const Device& device);

/// The widest format in "fp4_fp6_fp8" (here FP8), which has the lowest peak; FP32 if none is known.
[[nodiscard]] FormatId slowest_format(std::string_view formats);

[[nodiscard]] inline bool any_known(const Amount& a) { return known(a.total) || known(a.per_second) || known(a.per_cycle); }

/// Of the multiprocessors, while the kernel ran: Hz.
[[nodiscard]] double clock_of(const Counters& counters);
/// The whole of it over the launch.
[[nodiscard]] double amount(const Amount& a, const Counters& counters);
/// Seconds; by the clock where the time itself was not measured.
[[nodiscard]] double time_of(const Counters& counters);
[[nodiscard]] double bytes_of(const Counters& counters, Level level);

/// What the tool's default sections leave open: bytes of the DRAM by its share of its peak and the time, or the time by bytes and share.
void complete(Counters& counters, const Device& device);

/// What the metrics of all launches leave open, and how the tool itself slowed them, as remarks.
void remark(const std::vector<Run>& runs, const Device& device, WorkloadBuilder& rows);

/// Reads what the profiled program prints about its device: "device: NVIDIA GeForce RTX 5070 (sm_120), 48 SMs, 2.625 GHz" and
/// "theoretical: 32.26 TFLOP/s, 672.0 GB/s". Other lines change nothing.
void take_program_output(std::string_view line, Device& device);

/// The machine that the device's attributes tell, as JSON: the preset of its name, with the caches' rates where the file has them and the
/// preset does not; else one of the attributes alone. Empty where they do not tell enough.
[[nodiscard]] std::string machine_of(const Device& device);

}  // namespace roofline::nsight
