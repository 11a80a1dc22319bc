// The same work on other machines, side by side.
#pragma once

#include <optional>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/op_set.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// What one machine makes of the work.
struct OnMachine {
  const Machine* machine = nullptr;
  FormatId compute = no_format;           ///< what the first operation computes as there
  bool fallback = false;                  ///< the machine lacks the format it asks for
  double peak = unknown;                  ///< FLOP/s in that format, on the unit that takes longer
  double bandwidth = unknown;             ///< B/s of the device memory; the slower of two channels
  double ridge = unknown;                 ///< FLOP/B
  double predicted_s = 0, typical_s = 0;  ///< over every operation
  double speedup = unknown;               ///< predicted time on the scenario's machine over its own
  std::string bound_by;                   ///< the resource that bounds most predicted time
};

/// The same operations on other machines as they come, in their order. The scenario's overhead model holds for all of them.
[[nodiscard]] std::vector<OnMachine> compare_machines(const OpSet& ops, const std::vector<const Machine*>& machines);

/// "MI300X, bound by HBM, would be the fastest: 1.6x as fast as H100; A100 reaches 0.61x." `here`: what the speed-ups refer to. Empty where
/// no other machine has a time.
[[nodiscard]] Finding machines_finding(const Machine& here, const std::vector<OnMachine>& machines);

/// The same operations in each format on each machine; machines slowest, formats fastest.
struct MachineMatrix {
  std::vector<const Machine*> machines;
  std::vector<FormatId> formats;
  double today_s = 0;               ///< predicted, on the scenario's machine in the formats as they are
  std::vector<double> predicted_s;  ///< NaN: not known
  std::vector<bool> fallback;       ///< the machine has no peak for the format: computed in a wider one
};
/// Weights and activations take the format; of formats for weights alone, the weights.
[[nodiscard]] MachineMatrix machine_matrix(const OpSet& ops, const std::vector<const Machine*>& machines,
                                           const std::vector<FormatId>& formats);

/// "FP8 on B200 would be the fastest: 5.1x; on H100, INT8: 1.9x." Formats that a machine falls back from do not count.
[[nodiscard]] Finding matrix_finding(const MachineMatrix& matrix, const Machine& here);

/// Every row of the workload on every machine, as a table, "csv" or "json" ("roofline-machines/1"). Speed-ups refer to the same row on the
/// scenario's machine, or where `baseline` names a row, to that one.
[[nodiscard]] std::string machines_text(const Workload& workload, const Scenario& scenario, const std::vector<const Machine*>& machines,
                                        std::string_view form, std::optional<std::uint32_t> baseline = {});

}  // namespace roofline
