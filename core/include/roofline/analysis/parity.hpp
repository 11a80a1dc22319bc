// Theory against measurement: what the machine allows, what is typical, and what was measured, operation by operation.
#pragma once

#include <optional>
#include <roofline/analysis/op_set.hpp>
#include <vector>

namespace roofline {

/// One operation. Times are totals over its occurrences; NaN: not known. Errors are predicted / measured - 1: negative where the
/// prediction is too short, as a bound should be.
struct ParityRow {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t op = 0;
  FormatId format = no_format;  ///< of the weights; of the activations where it has no weights
  double predicted_s = unknown, typical_s = unknown, measured_s = unknown;
  double stated_s = unknown;  ///< the source's own prediction
  double error = unknown, typical_error = unknown, stated_error = unknown;
  double efficiency = unknown;                                     ///< predicted / measured
  std::uint32_t baseline = none;                                   ///< the op of the same shape in the baseline format
  double speedup_predicted = unknown, speedup_measured = unknown;  ///< over that op
};

/// How well one kind of prediction meets the measurements.
struct Agreement {
  std::size_t ops = 0;      ///< with both
  double mape = unknown;    ///< mean absolute percentage error, as a fraction
  double within = unknown;  ///< share of them within the band
};

struct Parity {
  static constexpr double band = 0.05;  ///< +-5%
  FormatId baseline = no_format;
  std::vector<FormatId> formats;  ///< those that occur, in the order of first appearance: what the baseline can be
  std::vector<ParityRow> rows;    ///< in source order: the operations with a bound or a time
  Agreement predicted, typical, stated;
};

/// The source is a results table: measurements made to be compared with predictions. Other documents leave parity out.
[[nodiscard]] inline bool is_results(const Workload& workload) { return workload.source_format == SourceFormat::results; }

/// Without a baseline format: FP16, else BF16, else FP32, else the first that occurs. Operations are matched by type and work: equal
/// FLOPs and equal elements by role are equal shapes, whatever their formats.
[[nodiscard]] Parity compare_with_measured(const OpSet& ops, std::optional<FormatId> baseline = {});

}  // namespace roofline
