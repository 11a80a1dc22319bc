// This computer's processor, as the probes of tools/measure measure it.
#pragma once

#include <roofline/base/result.hpp>
#include <string>
#include <vector>

namespace roofline::cli {

/// The best of several repeats, by how much the median stays below it (a fraction), and the kernels that reached it.
struct BestRate {
  double rate = 0, spread = 0;
  std::string kernels;
};

struct MeasuredPeak {
  std::string format;  ///< "fp32"
  BestRate all_cores;  ///< FLOP/s
  BestRate one_core;
  BestRate all_cores_128;  ///< by 128-bit vectors without fused multiply-adds, as WebAssembly has them
};

struct MeasuredSet {
  double bytes;  ///< of one core
  BestRate read;
};

struct MeasuredProcessor {
  std::string name;
  double memory_bytes = 0;  ///< of the computer; NaN: unknown
  int threads = 0;
  std::vector<MeasuredPeak> peaks;
  std::vector<MeasuredSet> curve;
  bool never_together = false;  ///< at some step the threads never ran at the same time: too much else was running
  BestRate write, copy;         ///< B/s in the largest working set; a copy's are those read and those written
};

/// Measures with as many threads as asked for; 0: one for each processor that this process may use.
[[nodiscard]] Result<MeasuredProcessor> measure_processor(int threads);

}  // namespace roofline::cli
