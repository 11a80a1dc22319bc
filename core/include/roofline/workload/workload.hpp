// A Workload is a columnar table of operations, whatever it came from. Elements by role, FLOPs by unit, and, where the source
// only gives bytes, bytes: so a precision what-if is elements times width, not a second derivation.
#pragma once

#include <array>
#include <cstdint>
#include <roofline/base/number.hpp>
#include <roofline/base/result.hpp>
#include <roofline/machine/format.hpp>
#include <roofline/machine/tool_chain.hpp>
#include <roofline/workload/shared_text.hpp>
#include <roofline/workload/symbol.hpp>
#include <roofline/workload/work.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// The form that a workload came in.
enum class SourceFormat : std::uint8_t {
  none,
  commands,
  network,      ///< a network's file, before anyone ran it
  calculation,  ///< an operator by its shape
  model,        ///< a language model
  summary,
  results,  ///< a table of measurements that were made to be compared with predictions
  kernels,
  xprof,
  xplane,
  pytorch,
  tensorrt,
  onnxruntime,
  openvino,
  ascend,
  rknn,
  tflite,
  qnn,
  rocprofv3,
  rocprof_compute,
  nsight_compute_csv,
  nsight_compute_report,
  nsight_systems
};
// clang-format off
template <>
inline constexpr std::array<const char*, 23> names_of<SourceFormat>{
    "", "commands.json", "network", "operator", "model", "runs added up", "results table", "kernels", "XProf roofline_model", "XPlane",
    "PyTorch trace", "TensorRT", "ONNX Runtime profile", "OpenVINO graph", "Ascend profile", "RKNN eval_perf", "TFLite benchmark_model",
    "QNN profile", "rocprofv3", "rocprof-compute", "Nsight Compute CSV", "Nsight Compute report", "Nsight Systems"};
// clang-format on

/// The category that lists the nodes merged into an operation: their names, with the separator between them.
inline constexpr std::string_view merged_category = "Merged";
inline constexpr std::string_view merged_separator = " + ";

/// What many operations have in common: type, marker, formats. Interned, so that the analysis looks formats up per class, not per op.
struct OpClass {
  std::string type;      ///< as the source writes it
  std::string category;  ///< to be shown, and to filter by
  OpFamily family = OpFamily::other;
  Symbol symbol = Symbol::star;
  FormatId weight = no_format;    ///< no_format: the op has no such operand
  double mixed_weight_bytes = 0;  ///< of a weight on average, where they are in several formats, mostly `weight`; 0: in that one
  FormatId activation = no_format;
  FormatId output = no_format;
  FormatId kv = no_format;
  bool matrix_work = false;     ///< some of its FLOPs are for the matrix unit
  bool vector_work = false;     ///< some are for the vector unit
  bool measured_bytes = false;  ///< `given_bytes` are hardware counters (hw_bytes), not the source's own estimate
  bool roles_unknown = false;   ///< bytes only, no shapes: all are booked as activations, a what-if scales them all
  bool rates_only = false;      ///< intensity and rate given, no sizes: ratios are right, totals leave it out
  bool time_only = false;       ///< a time is known and nothing that was done in it: no bound, but a share of the time
  bool invalid = false;         ///< the record has a fault or an unknown type: no cost can be given
  double layer_share = 0;       ///< of a language model: one occurrence's share of a layer's own time (StackTerms::layer_s)
  double prompt_tokens = 0;     ///< of a language model's prompt: tokens of the pass; 0: of none
  bool operator==(const OpClass&) const = default;
  /// Sets the family, and the category to its name.
  void set_family(OpFamily of) { family = of, category = to_string(of); }
};

/// Where a name lies in Workload::text.
struct TextRange {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

/// Where a record lies: in its source, which may be larger than 4 GiB, or in Workload::text. Length 0: nowhere.
struct SourceRange {
  std::uint64_t offset : 37;
  std::uint64_t length : 27;
  SourceRange() : SourceRange(0, 0) {}
  /// A place beyond 128 GiB, or longer than 128 MiB, is not kept.
  SourceRange(std::uint64_t at, std::uint64_t size)
      : offset(at & (fits(at, size) ? ~0ull : 0) & ((1ull << 37) - 1)), length(size & (fits(at, size) ? ~0ull : 0) & ((1ull << 27) - 1)) {}

 private:
  static constexpr bool fits(std::uint64_t at, std::uint64_t size) { return at >> 37 == 0 && size >> 27 == 0; }
};

/// Bytes on a further memory's or a link's channel, as the source measured them ("VMEM Read").
struct Channel {
  std::string name;
  bool link = false;
  std::vector<double> bytes;  ///< NaN: not known
};

/// A column of words, by which rows are told apart beside name and type ("batch", "Program ID").
struct Category {
  static constexpr std::uint32_t none = 0xffffffff;
  std::string name;
  std::vector<std::string> values;   ///< the words that occur
  std::vector<std::uint32_t> value;  ///< per row: index into values; none: the row has no word
  [[nodiscard]] std::string word(std::size_t row) const { return value[row] < values.size() ? values[value[row]] : std::string(); }
};

/// Figures that the source states and the analysis does not use ("Model FLOP Rate"), in SI units. NaN: not known.
struct Measure {
  std::string name;
  std::string unit;
  std::vector<double> values;
};

/// When the devices of a trace were busy. Of several devices, the sums; longest_gap_s is the longest on any of them.
struct DeviceTime {
  std::size_t devices = 0;
  double span_s = unknown;   ///< from the first work to the end of the last
  double busy_s = unknown;   ///< the part of span_s in which anything ran
  std::size_t launches = 0;  ///< 0: not known
  std::size_t gaps = 0;      ///< between launches, in which the device idles
  double longest_gap_s = 0;
  [[nodiscard]] double idle_s() const { return span_s - busy_s; }
  [[nodiscard]] double idle_share() const { return idle_s() / span_s; }
  /// The device idles before most launches, for most of the time: launching takes longer than the kernels run.
  [[nodiscard]] bool launch_bound() const {
    return gaps >= 10 && 2 * gaps > launches && idle_share() > 0.5 && longest_gap_s < 0.5 * idle_s();
  }
};

/// The launches on one device in order of start; `begin_s` counts from the first start, `op` is the row. Empty: the source has no
/// timestamps, several devices, or nested events.
struct Launches {
  std::vector<double> begin_s;
  std::vector<float> length_s;
  std::vector<std::uint32_t> op;
  std::size_t after_longest_gap = 0;  ///< index of the launch that follows the longest gap
  [[nodiscard]] std::size_t size() const { return op.size(); }
  [[nodiscard]] bool empty() const { return op.empty(); }
};

/// Which views of a profile a row belongs to (Workload::views): a profile may state the totals of the whole program and of each step
/// beside the operations, and both with and without the time that waits for input.
namespace row_view {
enum : std::uint8_t {
  program = 1,         ///< a total over other rows, not an operation
  with_infeed = 2,     ///< counts where infeed and outfeed do
  without_infeed = 4,  ///< counts where they are left out
};
}  // namespace row_view

/// The step of a profile's row with the totals of the whole program.
inline constexpr std::string_view whole_program_step = "Total";
/// Whether a step of a profile is one that ran, not its total or its average: those are numbered.
[[nodiscard]] inline bool is_numbered_step(std::string_view step) {
  return !step.empty() && step.find_first_not_of("0123456789") == std::string_view::npos;
}

/// One row per operation. All work and times are totals over `count` occurrences. NaN: not known.
/// An empty column stands for its default throughout: zero work, NaN bytes and times, count 1, step 0.
struct Workload {
  std::vector<std::uint32_t> op_class;  ///< index into classes
  std::vector<double> matrix_flops;
  std::vector<double> vector_flops;
  std::vector<double> weight;  ///< elements
  std::vector<double> activation;
  std::vector<double> output;
  std::vector<double> kv_read;
  std::vector<double> kv_write;
  std::vector<double> given_bytes;  ///< device-memory bytes the source states; they replace derived ones
  std::vector<double> bytes;        ///< device-memory bytes as the source stands: given, else derived. fill_bytes() fills it
  std::vector<double> time_s;       ///< total time, for rates
  std::vector<double> self_time_s;  ///< for sums and shares
  std::vector<double> count;
  std::vector<double> stated_time_s;  ///< the source's own prediction, shown beside ours; nothing is worked out from it
  std::vector<Channel> channels;      ///< beyond the device memory
  std::vector<Category> categories;   ///< beside the kind's own
  std::vector<Measure> measures;
  std::vector<std::pair<std::string, std::string>> properties;  ///< of the device, as the source states them, to be shown: name, text
  DeviceTime device_time;                                       ///< NaN where the source has no clock
  Launches launches;
  std::vector<std::uint8_t> views;  ///< bits of row_view::; empty: every row is an operation, in every view

  std::vector<TextRange> name;            ///< into `text`; length 0: "#<index>"
  std::vector<SourceRange> record;        ///< into the source file's bytes, or into `text` (own_records); length 0: none
  std::vector<std::uint32_t> shape_hash;  ///< equal for ops of equal shape
  std::vector<std::uint32_t> step;        ///< index into steps
  std::vector<std::uint32_t> sizes;       ///< index into `distinct_sizes`; empty: no operation has any

  std::vector<OpClass> classes;
  std::vector<OpSizes> distinct_sizes;  ///< the first: of operations without any
  std::vector<std::string> steps;
  SharedText text;  ///< the names, and the records where they are kept
  Diagnostics diagnostics;
  std::size_t hidden_diagnostics = 0;  ///< beyond the number kept
  std::string broken_off;              ///< why the source was read only in part: "the file is truncated after 4 records"; empty: it was not
  bool own_records = false;            ///< records lie in `text`: the source has another form, or cannot be read again
  std::string source;                  ///< what it came from, for titles: a file name, "gemm", "llama-3-8b"
  SourceFormat source_format = SourceFormat::none;
  std::string simulated_by;                ///< the tool that simulated its times; empty: they were measured
  ToolChain engine = ToolChain::none;      ///< of a network with the times of a run: what ran it (engine_of()); none: not known
  std::vector<std::string> machine_words;  ///< in its name and first bytes: what tells a machine (words.hpp)
  std::string machine_json;                ///< the machine the source itself states, as JSON (an id or an object); empty: none

  bool unfused = false;     ///< the network's nodes are not merged; a compiler would merge some
  bool host_bytes = false;  ///< `given_bytes` cross the host's link; machines with device memory use the derived bytes instead

  std::string network_json;  ///< what holds for all of a network (network_commands()), as JSON; empty: it is none

  [[nodiscard]] std::size_t size() const { return op_class.size(); }
  [[nodiscard]] const OpClass& class_of(std::size_t i) const { return classes[op_class[i]]; }
  [[nodiscard]] std::string name_of(std::size_t i) const;
  [[nodiscard]] std::string_view record_of(std::size_t i) const;  ///< with own_records
  [[nodiscard]] OpSizes sizes_of(std::size_t i) const { return sizes.empty() ? OpSizes() : distinct_sizes[sizes[i]]; }
  [[nodiscard]] double count_of(std::size_t i) const { return count.empty() ? 1 : count[i]; }
  [[nodiscard]] bool timed() const;  ///< some operation has a measured time
  /// Fills `bytes`, which every analysis reads and no machine changes. Without it they are derived again each time: right, but slower.
  void fill_bytes();
  [[nodiscard]] std::size_t resident_bytes() const;  ///< of the columns and their capacity, `text` not counted
};

/// A workload of just one row of another, without its text.
[[nodiscard]] Workload single_row(const Workload& workload, std::size_t op);

/// The workload with ops of the same kind, shape and work merged: counts, work and times add up. `members[g]` lists the rows behind
/// row g, first one first, when asked for.
[[nodiscard]] Workload group_identical(const Workload& workload, std::vector<std::vector<std::uint32_t>>* members = nullptr);

}  // namespace roofline
