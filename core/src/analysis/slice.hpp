// The workload's columns for up to a block of ops: as they lie, or gathered from anywhere. What all analysis reads.
#pragma once

#include <array>
#include <cstdint>
#include <roofline/analysis/analysis.hpp>
#include <vector>

namespace roofline {

/// Element j of every column belongs to the same op. A column that the workload lacks is a block of its default, which stays in the
/// nearest cache.
struct Plan::Slice {
  std::size_t count = 0;
  const std::uint32_t* op_class = nullptr;
  const std::uint32_t* sizes = nullptr;  ///< index into Workload::distinct_sizes; null: no op has any
  const double *matrix_flops = nullptr, *vector_flops = nullptr;
  const double *weight = nullptr, *activation = nullptr, *output = nullptr, *kv_read = nullptr, *kv_write = nullptr;
  const double* given = nullptr;        ///< bytes that the source states; NaN: none
  const double* bytes = nullptr;        ///< null: to be derived
  const double* time_s = nullptr;       ///< NaN: not measured; null: no statuses are asked for
  const double* self_time_s = nullptr;  ///< null: as time_s
  const double* occurrences = nullptr;
  const double* const* channels = nullptr;  ///< per Workload::channels
  double prompt_tokens = 0;                 ///< all are of one pass over so many tokens of a prompt; 0: their classes say
};

/// Of the device memory, by direction.
struct Bytes {
  double read, write;
  [[nodiscard]] double total() const { return read + write; }
};

inline Bytes derived_bytes(const Plan::Slice& c, std::size_t j, const Plan::ClassRates& r, double batch) {
  return {c.weight[j] * r.weight + batch * (c.activation[j] * r.activation + c.kv_read[j] * r.kv),
          batch * (c.output[j] * r.output + c.kv_write[j] * r.kv)};
}

/// `bytes` of the device memory, measured or derived, by direction as the derived ones are.
inline Bytes split_bytes(const Plan::Slice& c, std::size_t j, const Plan::ClassRates& r, double batch, double bytes) {
  const Bytes derived = derived_bytes(c, j, r, batch);
  const double scale = derived.total() > 0 ? bytes / derived.total() : 1;
  return {derived.read * scale, derived.write * scale};
}

/// Takes slices of a workload, one at a time: the next overwrites the last.
class Slicer {
 public:
  explicit Slicer(const Workload& w);
  /// Ops first..first+count-1, where they lie.
  const Plan::Slice& contiguous(std::size_t first, std::size_t count);
  /// Ops of the given indices, copied together. `roles`: with sizes and the columns from weight to given too, else
  /// those are null.
  const Plan::Slice& gathered(const std::uint32_t* ops, std::size_t count, bool roles);

 private:
  /// A column of the workload, and where a slice points to it.
  struct Column {
    const double* from;
    const double** to;
  };
  Slicer(const Slicer&) = delete;
  Slicer& operator=(const Slicer&) = delete;

  const Workload& workload_;
  Plan::Slice slice_;
  std::array<Column, 12> columns_;  ///< those that the workload has, channels aside; those of roles last
  std::size_t columns_count_ = 0, without_roles_ = 0;
  std::vector<double> copies_;  ///< a block per column; only where ops are gathered
  std::vector<std::uint32_t> classes_, sizes_;
  std::vector<const double*> channels_;
};

}  // namespace roofline
