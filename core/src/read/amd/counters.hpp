// What AMD's hardware counters say of kernels, whichever tool collected them. The formulas are those of rocprof-compute
// (src/utils/roofline_calc.py).
#pragma once

#include <functional>
#include <roofline/base/number.hpp>
#include <roofline/read/read.hpp>
#include <string>
#include <string_view>

#include "workload/builder.hpp"

namespace roofline {

/// The value of a counter; NaN: it was not collected.
using Counter = std::function<double(std::string_view name)>;

/// NaN: the counters that tell it were not collected.
struct CountedWork {
  double matrix_flops = unknown;  ///< of the MFMA instructions
  double vector_flops = unknown;
  double hbm_bytes = unknown, l2_bytes = unknown, l1_bytes = unknown, lds_bytes = unknown;
  FormatId format = no_format;  ///< of most of the FLOPs; no_format: there are none
  bool mixed = false;           ///< there are FLOPs in others, too

  [[nodiscard]] bool flops_known() const { return known(matrix_flops + vector_flops); }
};
[[nodiscard]] CountedWork work_of(const Counter& counter);

/// The architecture that has the counters which were collected, as LLVM calls it: "gfx942"; empty: several do.
[[nodiscard]] std::string architecture_of(const std::function<bool(std::string_view counter)>& collected);

struct CountedKernel {
  std::string name;
  double time_s = unknown;  ///< of one dispatch
  double dispatches = 1;
  CountedWork work;  ///< of one dispatch
};

/// Kernels as rows: bytes of the device memory, and of L2, L1 and LDS as further memories.
class CountedKernels {
 public:
  CountedKernels(const ReadOptions& options, SourceFormat source_format);
  /// `record`: what its source says of it.
  void add(const CountedKernel& kernel, std::string_view record);
  [[nodiscard]] WorkloadBuilder& rows() { return rows_; }
  [[nodiscard]] const WorkloadBuilder& rows() const { return rows_; }
  [[nodiscard]] Workload take();

 private:
  WorkloadBuilder rows_;
  std::size_t counted_ = 0, without_flops_ = 0, without_bytes_ = 0, mixed_ = 0, timed_ = 0;
  const std::size_t l2_, l1_, lds_;
};

}  // namespace roofline
