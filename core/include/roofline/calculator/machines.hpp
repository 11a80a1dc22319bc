// The same work on other machines, side by side.
#pragma once

#include <memory>
#include <optional>
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/op_set.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// Of operations that are equal but for their time the first, and how many of it they make together: what many machines are asked about.
struct DistinctOps {
  std::shared_ptr<const RowSelection> rows;
  std::vector<double> times;     ///< per row of the workload; 0: another stands for it, or it is not in the set
  double working_set = unknown;  ///< bytes of the operands of the largest operation; NaN: of none are they known
  std::uint32_t most_work = 0;   ///< the operation with the most FLOPs; the first of the set if none are known
};
[[nodiscard]] DistinctOps distinct_ops(const OpSet& ops);

/// What one machine makes of the work.
struct OnMachine {
  const Machine* machine = nullptr;
  FormatId compute = no_format;           ///< the format in which the operation with the most FLOPs computes there
  bool fallback = false;                  ///< the machine lacks the format it asks for
  double peak = unknown;                  ///< FLOP/s in that format, on the unit that takes longer
  double bandwidth = unknown;             ///< B/s of the device memory; the slower of two channels
  double ridge = unknown;                 ///< FLOP/B
  double predicted_s = 0, typical_s = 0;  ///< over every operation
  std::optional<bool> fits;               ///< the largest operation's operands into the device memory; null: not known
  double speedup = unknown;               ///< predicted time on the scenario's machine over its own
  std::string bound_by;                   ///< the resource that bounds most predicted time
  bool assumed = false;                   ///< the typical time: see estimate_is_assumed()
  bool launch_known = true;               ///< see launch_is_known()
};

/// The same operations on other machines as they come, in their order. The scenario's overhead model holds for all of them. `ones`: of the
/// same set, where the caller keeps them.
[[nodiscard]] std::vector<OnMachine> compare_machines(const OpSet& ops, const std::vector<const Machine*>& machines,
                                                      const DistinctOps* ones = nullptr);

/// A machine, or as many of it as the work takes, as a choice.
struct MachineChoice {
  std::string name;
  std::string segment = {};                    ///< see Machine
  std::optional<bool> fits;                    ///< into the memory of so many; null: not known
  double machines = 1;                         ///< NaN: more than can work together
  double bound = unknown, estimate = unknown;  ///< s, or tokens/s
  double measured = unknown;                   ///< s, of the open run; NaN: not every operation has a time
  bool contradicted = false;                   ///< of the first: measured times exceed its roofs, so it is compared with `measured`
  double usd_per_million = unknown;            ///< runs or tokens
  double usd_per_hour = unknown;               ///< of one machine
  bool assumed = false;                        ///< the estimate: see estimate_is_assumed()
  bool launch_known = true;                    ///< see launch_is_known()
  bool barely_fits = false;                    ///< of a language model: less than its reserve stays free
};
[[nodiscard]] MachineChoice choice_of(const OnMachine& run);

/// "NVIDIA B200 SXM is the fastest that fits: 1.1 ms (bound 0.8 ms), 1.6x as fast as NVIDIA H100 SXM. Of the 23 with a known
/// price (no data-centre machine), 2 x RTX 4090 is the cheapest: $0.5 per million runs." A faster machine without a known benchmark follows
/// in a second sentence. A machine that barely fits is recommended only if none leaves the reserve free. The first choice is today's
/// machine. `rates`: figures are tokens/s, higher is better, ranked per machine: the finding then begins with "Per machine, " if any choice
/// is several. Empty if no figure is known. `fastest_first`, if given: gets the indices of the machines named as fastest, in that order.
[[nodiscard]] Finding choice_finding(const std::vector<MachineChoice>& choices, bool rates,
                                     std::vector<std::size_t>* fastest_first = nullptr);

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

/// "By the bounds, the fastest at 30 dB or more is FP8 on B200: 5.1x, as on 2 other machines. On H100 it is INT8: 1.9x." `sqnr_db`:
/// one per format, in dB. Formats below `least_db`, or that the machine does not compute, do not count.
[[nodiscard]] Finding matrix_finding(const MachineMatrix& matrix, const std::vector<double>& sqnr_db, double least_db, const Machine& here);

/// Every row of the workload on every machine, as a table, "csv" or "json" ("roofline-machines/1"). Speed-ups refer to the same row on the
/// scenario's machine, or where `baseline` names a row, to that one.
[[nodiscard]] std::string machines_text(const Workload& workload, const Scenario& scenario, const std::vector<const Machine*>& machines,
                                        std::string_view form, std::optional<std::uint32_t> baseline = {});

}  // namespace roofline
