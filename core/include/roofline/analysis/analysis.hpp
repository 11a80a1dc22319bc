// Work divided by rate is time; the largest time is the bound. A pure function of (Workload, Scenario).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/scenario/scenario.hpp>
#include <roofline/workload/workload.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

enum class Status : std::uint8_t {
  compute_bound,
  memory_bound,
  link_bound,
  latency_bound,
  compute_inefficient,
  memory_inefficient,
  link_inefficient,
  normal,
  predicted,
  time_only,
  unknown
};
template <>
inline constexpr auto names_of<Status> =
    std::to_array<const char*>({"compute-bound", "memory-bound", "link-bound", "latency-bound", "compute-inefficient", "memory-inefficient",
                                "link-inefficient", "normal", "predicted", "time-only", "unknown"});
inline constexpr std::size_t status_count = names_of<Status>.size();
[[nodiscard]] constexpr bool is_near_roof(Status status) {
  return status == Status::compute_bound || status == Status::memory_bound || status == Status::link_bound;
}
/// What people read of them: "bound" is said of what bounds an operation, whether it gets there or not.
inline constexpr std::array<const char*, status_count> status_words{"near the roof (compute)",
                                                                    "near the roof (memory)",
                                                                    "near the roof (link)",
                                                                    "latency",
                                                                    "well below the roof (compute)",
                                                                    "well below the roof (memory)",
                                                                    "well below the roof (link)",
                                                                    "in between",
                                                                    "predicted",
                                                                    "time only",
                                                                    "unknown"};
[[nodiscard]] constexpr const char* words_of(Status status) { return status_words[static_cast<std::size_t>(status)]; }

enum class ResourceKind : std::uint8_t { compute, memory, link };
template <>
inline constexpr auto names_of<ResourceKind> = std::to_array<const char*>({"compute", "memory", "link"});

/// What limits an operation. The resource that bounds it does where it comes near that roof; `neither`: it stays below
/// Scenario::advice_threshold of it, so overhead, waiting or a poor kernel does; `unknown`: it is partly known, or nothing bounds it.
enum class Limit : std::uint8_t { compute, memory, link, neither, unknown };
template <>
inline constexpr auto names_of<Limit> = std::to_array<const char*>({"compute", "memory", "link", "neither", "unknown"});

/// Something with a rate that work can run out of. Resource 0 is compute (both units); then the memories' channels from the outermost
/// inward, read before write; then links.
struct Resource {
  std::string name;  ///< "compute", "HBM", "VMEM Read", "NVLink"
  ResourceKind kind = ResourceKind::compute;
};
inline constexpr std::uint8_t no_resource = 255;

/// Whose bytes an intensity is of: an index into Workload::channels, or one of these.
using MemoryAxis = std::int32_t;
inline constexpr MemoryAxis device_axis = -1;      ///< the device memory
inline constexpr MemoryAxis bottleneck_axis = -2;  ///< for each operation the memory that takes it longest

/// Everything known of one operation. NaN: not known or does not apply.
struct OpAnalysis {
  double flops = unknown, matrix_flops = unknown, vector_flops = unknown;
  double bytes = unknown, derived_bytes = unknown, hw_bytes = unknown;
  double intensity = unknown;
  std::array<double, max_resources> work{};        ///< per resource: FLOPs, or bytes
  std::array<double, max_resources> min_time_s{};  ///< per resource
  std::uint8_t bound_by = no_resource;
  Unit bound_unit = Unit::matrix;
  double predicted_time_s = unknown;  ///< the largest min_time
  double typical_time_s = unknown;    ///< conversions included
  Typical typical;
  double attainable_flops = unknown;  ///< the bounding unit's FLOPs / predicted_time: never above its peak
  double time_s = unknown, self_time_s = unknown, lost_time_s = unknown;
  double achieved_flops = unknown, achieved_bandwidth = unknown, efficiency = unknown;
  Status status = Status::unknown;
  Limit limit = Limit::unknown;
  /// Something bounds it, but its FLOPs or bytes are not counted or the machine has no rate for its format, and what is known does not
  /// explain its time. Its efficiency and lost time then cover only the known part, and are not shown.
  bool partly_known = false;
  [[nodiscard]] bool above_roof() const { return efficiency > 1; }
  /// predicted_time_s; NaN if it leaves work out, s.
  [[nodiscard]] double fully_known_bound_s() const { return partly_known ? unknown : predicted_time_s; }
  FormatId compute = no_format;        ///< the format it computes as on this machine
  bool compute_fallback = false;       ///< not the format it asks for: the machine lacks that
  bool vector_on_matrix_peak = false;  ///< the machine has no vector peak; the matrix peak was used
  bool rates_only = false;
};

/// FLOPs over what the peak would do in the measured time, and the same of the memory that is used most; NaN: not known.
[[nodiscard]] double compute_utilization(const OpAnalysis& op);
class Plan;
[[nodiscard]] double memory_utilization(const Plan& plan, const OpAnalysis& op);
/// Index into Plan::resources() of the memory that needs the longest time for the operation; 0: no memory's time is known.
[[nodiscard]] std::size_t slowest_memory(const Plan& plan, const OpAnalysis& op);

/// A status as shown: "above the roof", "partly known", else words_of(status).
inline constexpr const char *above_roof_words = "above the roof", *partly_known_words = "partly known";
[[nodiscard]] constexpr const char* status_text(Status status, bool above_roof, bool partly_known) {
  return above_roof ? above_roof_words : partly_known ? partly_known_words : words_of(status);
}
[[nodiscard]] inline const char* status_text(const OpAnalysis& op) { return status_text(op.status, op.above_roof(), op.partly_known); }

struct Range {
  double low = unknown, high = unknown;
};

/// The least and the most time under a what-if, s: one end keeps the efficiency, the other the time above the bound. `bound_s`, `then_s`:
/// the bounds today and under the what-if, for the same number of items. Above the roof there is no time above the bound: both ends keep
/// the efficiency. Infinite or NaN if `bound_s` is 0. A larger batch may save `amortised_s` of the time above the bound: the range includes
/// this case too.
[[nodiscard]] inline Range whatif_times(double time_s, double bound_s, double then_s, double amortised_s = 0) {
  const double efficient = time_s * (then_s / bound_s), overhead = time_s > bound_s ? time_s - bound_s + then_s : efficient;
  const auto [least, most] = std::minmax({efficient, overhead, overhead - amortised_s});
  return {least, most};
}

/// Launch overhead saved if each launch processes `items` times the work, s. `launch_s`: overhead today, s. Negative if `items` < 1.
[[nodiscard]] inline double saved_overhead(double launch_s, double items) { return launch_s - launch_s / items; }

/// `times`: under the what-if, for the same number of items as `today_s`.
[[nodiscard]] inline Range speedup(double today_s, Range times) { return {today_s / times.high, today_s / times.low}; }

/// The operation under the what-if beside today.
struct OpWhatIf {
  double bytes = unknown, flops = unknown;
  double predicted_time_s = unknown;
  std::uint8_t bound_by = no_resource;
  double speedup_optimistic = unknown;   ///< per run; P / P' (same efficiency), or the other formula if that gives more
  double speedup_pessimistic = unknown;  ///< what is above the bound stays: t / (max(t - P, 0) + P')
  Range speedup;             ///< as shown, per item; from the estimate if nothing was measured; NaN: no time, and the bound is partly known
  bool upper_bound = false;  ///< bytes without roles were scaled as a whole
  /// No rate is known there for its format or for the resource that bounds it today: predicted_time_s leaves that work out.
  bool lacks_rate = false;
};

/// The class with the what-if's formats. The what-if's other changes are ignored.
[[nodiscard]] OpClass with_formats(OpClass op_class, const WhatIf& whatif);

/// A scenario compiled against a workload's kinds: look-up tables only, built in O(kinds), not in O(ops).
/// Keeps references: the workload and the scenario must outlive it.
class Plan {
 public:
  Plan(const Workload& workload, const Scenario& scenario);

  /// After the formats of the scenario's what-if, active before and after, have become others: the rest stays as it is.
  void compile_whatif_formats();

  [[nodiscard]] const std::vector<Resource>& resources() const { return resources_; }
  /// The resource that a channel of the workload is; nullopt where the machine has no rate for it.
  [[nodiscard]] std::optional<std::uint8_t> resource_of(std::size_t channel) const;
  [[nodiscard]] bool has_whatif() const { return whatif_active_; }
  [[nodiscard]] const Workload& workload() const { return workload_; }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

  [[nodiscard]] OpAnalysis analyze(std::size_t op) const;
  [[nodiscard]] OpWhatIf what_if(std::size_t op) const;  ///< all NaN without an active what-if
  /// Estimated fixed overhead of an op (launch, layer, all-reduce latency), at most `time_s` - `bound_s`, s. 0 if it is not known.
  [[nodiscard]] double fixed_overhead(std::size_t op, double time_s, double bound_s) const;
  /// `efficiency`: NaN without a time.
  [[nodiscard]] Limit limit(std::int32_t bound, bool partly_known, double efficiency) const;
  /// The unit that takes longer over its FLOPs, and those.
  [[nodiscard]] std::pair<Unit, double> bounding_work(std::size_t op) const;
  /// Whether the machine has no rate for a unit that the op needs: its bound is then that of the memory and the other unit alone.
  [[nodiscard]] bool lacks_rate(std::size_t op) const;
  /// Whether, under the what-if, no rate is known for the resource that bounds the op today (`bound`, from Block::bound) or, unless that is
  /// a link, for a unit that the op needs. Only if has_whatif().
  [[nodiscard]] bool whatif_lacks_rate(std::size_t op, std::int32_t bound) const;
  /// Whether some op's rate may be unknown under the what-if.
  [[nodiscard]] bool whatif_may_lack_rates() const { return whatif_rate_unknown_ || whatif_unknown_resources_ != 0; }

  static constexpr std::size_t block_size = 256;

  /// The hot path: bounds and statuses of up to block_size consecutive ops, column by column. A predicted time of 0: no bound is known.
  struct Block {
    std::array<double, block_size> flops, compute_s, predicted_s, whatif_flops, whatif_bytes, whatif_s;
    std::array<double, block_size> lost_s;  ///< minus infinity where time or bound is not known
    const double* bytes;                    ///< the workload's column, or derived_bytes
    std::array<double, block_size> derived_bytes;
    std::array<std::int32_t, block_size> bound, whatif_bound;  ///< resource, or no_resource
    std::array<std::int32_t, block_size> status;               ///< Status as a number
    std::array<std::int32_t, block_size> partly_known;         ///< 0 or -1: OpAnalysis::partly_known
  };
  void evaluate(std::size_t first, std::size_t count, Block& block) const;
  /// The same of any ops whose columns stand side by side: core/src/analysis/slice.hpp.
  struct Slice;
  void evaluate(const Slice& slice, Block& block) const;
  /// Typical times of a slice whose block evaluate() has filled, conversions included; 0 where no bound is known. They are piecewise linear
  /// in the work: `piece`, where asked for, tells apart on which side of each maximum an op is. (Waves are steps, not pieces.)
  void typical(const Slice& slice, const Block& block, double* typical_s, std::uint8_t* piece = nullptr) const;
  /// Adds the slice's typical times term by term, each operation's times its weight.
  void add_terms(const Slice& slice, const Block& block, const double* weight, TypicalTerms& sums) const;
  /// Whether these need the elements by role, not the bytes' sum alone.
  [[nodiscard]] bool reads_roles() const {
    return workload_.bytes.empty() || whatif_active_ || read_resource_ != no_resource || scenario_.overhead.network.has_value() ||
           stack_reads_roles_;
  }
  /// The stack that typical times are for.
  [[nodiscard]] const Stack& stack() const { return *stack_; }
  [[nodiscard]] StackUse stack_use() const { return stack_use_; }  ///< what the stack runs: a language model, or operations by themselves
  [[nodiscard]] const StackTerms& terms_in_force() const { return in_force_; }
  /// The fraction of a peak that estimates assume to be reached: the machine's, times the stack's for matrix products. At most 1, so that
  /// no estimate is below its bound, which is at the rated clock. NaN: not known.
  [[nodiscard]] double reached(Unit unit, FormatId format) const;
  /// The fraction of the device memory's bandwidth that they assume. Not capped; NaN: not known.
  [[nodiscard]] double reached_bandwidth() const { return bandwidth_; }

  /// The axis of a memory's or a channel's name, or of "bottleneck"; nullopt where there is none of that name.
  [[nodiscard]] std::optional<MemoryAxis> axis(std::string_view name) const;
  /// The first resource that is a link; as many as there are resources where none is.
  [[nodiscard]] std::size_t links_from() const { return links_from_; }
  /// Bit per resource that is the device memory: one, or one per direction.
  [[nodiscard]] std::uint32_t device_bounds() const {
    std::uint32_t bits = 0;
    for (const std::uint8_t resource : {device_resource_, read_resource_, write_resource_})
      if (resource != no_resource) bits |= 1u << resource;
    return bits;
  }
  /// The names that axis() takes, the device memory's first.
  [[nodiscard]] std::vector<std::string> axes() const;
  /// The ops' bytes on that axis; `device`: theirs of the device memory.
  void axis_bytes(MemoryAxis axis, const Slice& slice, const double* device, double* out) const;

  /// The ops' least time on the device memory, in s: of the direction that takes longer, where they differ; NaN: bytes or rate not known.
  void device_memory_times(const Slice& slice, const double* device, double* out) const;
  /// The ops' least time on their longest memory, in s; NaN: of no memory are bytes and rate known. `device`: as in axis_bytes.
  void memory_times(const Slice& slice, const double* device, double* out) const;

  struct UnitRates {
    double matrix, vector;  ///< FLOP/s; infinite where not known
    /// Whether there is work for a unit whose rate is not known.
    [[nodiscard]] bool lack(double matrix_flops, double vector_flops) const {
      return (matrix_flops > 0 && matrix == unlimited) || (vector_flops > 0 && vector == unlimited);
    }
  };
  /// What a kind's formats mean on the machine: bytes per element by role, FLOP/s by unit. One cache line.
  struct ClassRates {
    double weight = 0, activation = 0, output = 0, kv = 0;
    double matrix = 0, vector = 0;  ///< FLOP/s; infinite where not known, so that no time comes of it
    FormatId compute = no_format, wanted = no_format, vector_compute = no_format;
    bool vector_on_matrix_peak = false;
    [[nodiscard]] bool lack(double matrix_flops, double vector_flops) const {
      return UnitRates{matrix, vector}.lack(matrix_flops, vector_flops);
    }
  };
  [[nodiscard]] const ClassRates& rates(std::size_t kind) const { return today_[kind]; }
  /// The same under the what-if, its factors included. Only where has_whatif().
  [[nodiscard]] const ClassRates& whatif_rates(std::size_t kind) const { return whatif_[kind]; }

 private:
  class TypicalModel;
  /// What a kind's typical times take beside its ClassRates.
  struct ClassTerms {
    double compute = 1;                                          ///< fraction of the peak that is reached
    double slower = 1;                                           ///< times the memory's time
    double link = 1;                                             ///< times the bytes over links
    double elementwise = 0;                                      ///< of the memory's time, more
    double scores_s = 0;                                         ///< per vector FLOP: attention scores to and from memory
    double dequantise_s = 0;                                     ///< per weight
    double weight_s = 0;                                         ///< per weight: reading it again
    double prompt_weight_s = 0;                                  ///< per weight: dequantising it in memory, in a prompt
    double launch_s = 0, layer_s = 0, all_reduce_latency_s = 0;  ///< per occurrence
    bool once = false;                                           ///< one pass over its weights whatever the prompt
    bool product = false;
    double prompt_tokens = 0;
  };
  /// The tile that was last found for an op class and sizes, at the time that its FLOPs take. Filled as they are met: a plan is of one
  /// thread.
  struct Tiling {
    std::uint32_t op_class = 0, sizes = 0;
    double compute_s = unknown;
    double waves = unknown, efficiency = unknown;
  };
  mutable std::vector<Tiling> tilings_;
  void compile_terms();
  [[nodiscard]] ClassTerms class_terms(std::size_t class_index) const;
  std::vector<ClassTerms> terms_;
  StackUse stack_use_ = StackUse::operations;
  const Stack* stack_ = nullptr;
  StackTerms in_force_;
  double bandwidth_ = 1;               ///< fraction of the device memory's bandwidth that is reached
  std::vector<double> channel_rates_;  ///< per Workload::channels, B/s that are reached; unlimited: not known
  bool stack_reads_roles_ = false;
  /// Fills typical and typical_time_s of the slice's only op.
  void add_typical(const Slice& slice, const Block& block, OpAnalysis& a) const;
  const Workload& workload_;
  const Scenario& scenario_;
  std::vector<Resource> resources_;
  std::vector<ClassRates> today_, whatif_;
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool lacks_rate(std::size_t op, const std::vector<UnitRates>& units) const;
  [[nodiscard]] static std::vector<UnitRates> unit_rates(const std::vector<ClassRates>& rates);
  [[nodiscard]] static bool any_unknown(const std::vector<UnitRates>& units);
  std::vector<UnitRates> today_units_, whatif_units_;  ///< of the same kinds, close together
  bool whatif_active_ = false;
  struct Rates {
    double total = unlimited, read = unlimited, write = unlimited;
    std::vector<double> channel;
    [[nodiscard]] bool by_direction() const { return read < unlimited || write < unlimited; }
  };  // B/s; unlimited: not known. A device memory with one rate has only `total`, one with a rate for each direction only the others
  Rates today_rates_, whatif_rates_;
  // Rates in B/s; NaN: not known.
  std::uint8_t add_resource(std::string name, ResourceKind kind, double rate, double whatif_rate);
  [[nodiscard]] std::optional<std::size_t> channel_named(const std::string& name) const;
  void bind_channel(const std::string& name, double rate, double whatif_rate, ResourceKind kind);
  void bind_device_memory(const Memory& memory, const Memory& under_whatif);
  void bind_memories();
  void bind_links();

  std::vector<std::int16_t> channel_of_;  // workload channel -> resource, -1: the machine lacks it
  std::uint8_t device_resource_ = no_resource, read_resource_ = no_resource, write_resource_ = no_resource;
  std::size_t links_from_ = 1;  ///< the first resource that is a link
  double launch_s_ = 0;
  bool time_only_ = false;                                   ///< some class states a time and nothing else
  bool rate_unknown_ = false, whatif_rate_unknown_ = false;  ///< some class's matrix or vector rate is not known
  std::uint32_t whatif_unknown_resources_ = 0;               ///< a bit for each whose rate is known today and not under the what-if
  double batch_scale_ = 1;
};

/// The format an operation computes as (docs/reference/conventions.md, The compute format). `wanted` becomes the one it asks for.
[[nodiscard]] FormatId compute_format(const Machine& machine, Unit unit, FormatId activation, FormatId other, FormatId* wanted = nullptr);

/// What a machine can do with operands in a format: compute in it, store weights in it and dequantise them, or neither.
enum class FormatSupport : std::uint8_t { computes, dequantises, lacks };
template <>
inline constexpr auto names_of<FormatSupport> = std::to_array<const char*>({"computes", "dequantises", "lacks"});
/// `activations`: they take the format too, so that it has to be computed in. Weights are dequantised from integers and from formats for
/// weights alone, which kernels exist for everywhere.
[[nodiscard]] FormatSupport support(const Machine& machine, FormatId format, bool activations);

/// Sums over operations of today's times and of those under a what-if, s.
struct WhatIfSums {
  double today_s = 0;                      ///< measured times, estimates or bounds
  double bound_s = 0;                      ///< under the what-if
  double efficient_s = 0, overhead_s = 0;  ///< times under it: today's efficiency stays, or today's time above the bound does
  /// Sum over the operations above their roof of (time at today's efficiency - bound under the what-if); never positive. Nothing of their
  /// time is above the bound.
  double above_roof_s = 0;
  double launch_s = 0;  ///< fixed overhead within the time above the bound; 0 unless the batch changes
  /// The range of times for today's work, s. `items`: the work of a run under the what-if, as a multiple of today's.
  [[nodiscard]] Range times(double items) const {
    const double efficient = efficient_s / items, overhead = overhead_s - bound_s + (bound_s + above_roof_s) / items;
    const auto [least, most] = std::minmax({efficient, overhead, overhead - saved_overhead(launch_s, items)});
    return {least, most};
  }
};

/// Totals over a set of operations: see OpSet.
struct Summary {
  std::size_t ops = 0;
  double flops = 0, bytes = 0;
  double predicted_time_s = 0;      ///< over every op with a bound
  double time_s = 0;                ///< self time where given; over every op with a time
  double judged_time_s = 0;         ///< of that, the ops that also have a bound
  double judged_predicted_s = 0;    ///< their bounds
  double typical_time_s = unknown;  ///< of every op with a bound; NaN: not asked for
  double lost_time_s = 0;           ///< what the ops below their roof lose; those above it are not netted
  double tunable_s = 0;             ///< of that, what ops lose that are not near their roof
  double far_above_s = 0;           ///< time of the ops that exceed their roof by over 25%
  double neither_s = 0;             ///< time of the ops of Limit::neither
  double partly_known_s = 0;        ///< time of the ops that are partly known
  double whatif_bytes = 0;          ///< under the what-if
  double whatif_predicted_s = 0;    ///< predicted total under the what-if
  WhatIfSums whatif_measured;       ///< of the judged ops
  /// Of all ops with a bound, from estimates where those were asked for, else from bounds; 0 of a run with times and without estimates.
  WhatIfSums whatif_estimated;
  std::size_t timed_ops = 0, above_roof = 0, far_above = 0, neither = 0, partly_known = 0, rates_only = 0;
  std::size_t tunable = 0;              ///< the ops of tunable_s
  std::size_t whatif_without_rate = 0;  ///< ops of OpWhatIf::lacks_rate: sums under the what-if leave their work out
  std::array<std::size_t, names_of<ResourceKind>.size()> above_by_kind{};  ///< of above_roof, by what bounds them
  std::array<std::size_t, status_count> by_status{};
  std::array<std::size_t, status_count> partly_known_by_status{};  ///< of by_status
  std::array<double, status_count> time_by_status{};
  std::vector<std::size_t> by_bound;           ///< per resource
  std::vector<double> predicted_by_bound;      ///< per resource
  std::vector<double> limited_time_by_bound;   ///< per resource; of judged_time_s, without neither_s and partly_known_s
  std::uint8_t bound_by = no_resource;         ///< the resource that bounds most predicted time
  std::uint8_t whatif_bound_by = no_resource;  ///< likewise of whatif_predicted_s
  static constexpr double above_roof_ratio = 1.25, mismatch_share = 0.05;
  /// Clocks and caches lift an operation a little above its roof. Where more than `mismatch_share` of the time (of rates alone: of the ops)
  /// is in operations beyond `above_roof_ratio` times theirs, they did not run on this machine, and no efficiency or lost time means
  /// anything.
  [[nodiscard]] bool machine_mismatch() const {
    if (judged_time_s > 0) return far_above_s > mismatch_share * judged_time_s;
    return rates_only > 0 && static_cast<double>(far_above) > mismatch_share * static_cast<double>(ops);
  }
  /// Over half of the measured time is in ops without a known bound, though not all of it.
  [[nodiscard]] bool mostly_unbounded() const { return judged_time_s > 0 && 2 * judged_time_s < time_s; }
  /// Over half of the measured time is in ops that are partly known; without times, over half of the ops are.
  [[nodiscard]] bool mostly_partly_known() const {
    return judged_time_s > 0 ? partly_known_s > 0.5 * judged_time_s : 2 * partly_known > ops;
  }
  /// More measured time is limited by neither compute nor memory than by any resource.
  [[nodiscard]] bool mostly_neither() const {
    const std::uint8_t most = limiting();
    return judged_time_s > 0 && (most == no_resource || neither_s > limited_time_by_bound[most]);
  }
  /// The resource that limits most of the measured time; without measured times, the one that bounds most of the predicted time.
  /// no_resource if none is known.
  [[nodiscard]] std::uint8_t limiting() const {
    if (!(judged_time_s > 0)) return bound_by;
    std::uint8_t most = no_resource;
    for (std::size_t r = 0; r < limited_time_by_bound.size(); ++r)
      if (limited_time_by_bound[r] > (most == no_resource ? 0 : limited_time_by_bound[most])) most = static_cast<std::uint8_t>(r);
    return most;
  }
  /// Of by_status, the ops shown with this status: those above the roof or partly known are shown as such instead.
  [[nodiscard]] std::size_t shown_as(Status status) const {
    const auto kind = static_cast<std::size_t>(status) - static_cast<std::size_t>(Status::compute_bound);
    const auto at = static_cast<std::size_t>(status);
    return by_status[at] - partly_known_by_status[at] - (kind < above_by_kind.size() ? above_by_kind[kind] : 0);
  }
  /// Some op's, that is: of times alone, FLOPs, bytes and bounds are not zero but not known.
  [[nodiscard]] bool work_known() const { return ops == 0 || by_status[static_cast<std::size_t>(Status::time_only)] < ops; }
  /// The ops with a time and a bound.
  [[nodiscard]] std::size_t judged_ops() const {
    std::size_t sum = 0;
    for (std::size_t status = 0; status < static_cast<std::size_t>(Status::predicted); ++status) sum += by_status[status];
    return sum;
  }
  /// Bound minus time of the judged ops above their roof, s: judged_time_s = judged_predicted_s + lost_time_s - below_bound_s().
  [[nodiscard]] double below_bound_s() const {
    const double below = judged_predicted_s + lost_time_s - judged_time_s;
    return above_roof > 0 && below > 0 ? below : 0;
  }
  [[nodiscard]] double efficiency() const { return judged_time_s > 0 ? judged_predicted_s / judged_time_s : unknown; }
  /// The range of the judged ops' time under the what-if, for the whole run with its batch, s. NaN: none is judged.
  [[nodiscard]] Range whatif_times() const { return judged_time_s > 0 && whatif_without_rate == 0 ? whatif_measured.times(1) : Range{}; }
  /// Today's time over whatif_times(); without measured times, today's bound over the what-if's, where both are known.
  [[nodiscard]] Range whatif_speedup() const {
    if (judged_time_s > 0) return speedup(judged_time_s, whatif_times());
    if (mostly_partly_known() || whatif_without_rate > 0) return {};
    return speedup(predicted_time_s, {whatif_predicted_s, whatif_predicted_s});
  }
};

}  // namespace roofline
