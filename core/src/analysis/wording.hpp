// Phrases that findings, diagnoses and comparisons share.
#pragma once

#include <roofline/analysis/analysis.hpp>
#include <roofline/base/text.hpp>
#include <string>
#include <vector>

namespace roofline {

/// With a capital letter, as a sentence begins.
[[nodiscard]] std::string capitalised(std::string text);
/// "0-3, 31", of ascending numbers.
[[nodiscard]] std::string ranges(const std::vector<int>& numbers);
/// "1.5x to 4x faster", "2x faster", "1.2x slower", "from 1.2x slower to 2x faster".
[[nodiscard]] std::string faster(double low, double high);
/// The formats of a what-if, each with the operands that take it: "INT8 in all operands", "FP16 weights and activations, INT8 KV cache".
[[nodiscard]] std::string formats_words(const WhatIf& whatif);
/// The changes of a what-if: "with INT4 weights and outputs, batch x8 on H100 SXM". Empty: none.
[[nodiscard]] std::string whatif_words(const WhatIf& whatif);
/// What to say of formats on a machine with Machine::has_one_peak: narrower formats save only bytes.
inline constexpr const char* one_rate_for_all = "This machine computes every format at the same rate: narrower formats save only bytes.";
/// Whether some operation computes in a narrower format under the what-if, and today's and the what-if's machines have one peak each.
[[nodiscard]] bool computes_narrower_at_one_rate(const Plan& plan);
/// " on an assumed NPU" where nobody said which machine it is, else nothing.
[[nodiscard]] std::string on_assumed(const Scenario& scenario);
/// "check the peak, the clock or the byte count": what may be wrong where an operation exceeds its roof.
[[nodiscard]] std::string above_roof_advice(const Scenario& scenario);
/// The unit in which work is shown: FLOP; OP for integer formats; MAC, which is 2 FLOP, if the scenario counts a multiply-add as one.
class WorkUnit {
 public:
  explicit WorkUnit(const Scenario& scenario) : WorkUnit(scenario.ops_per_mac == 1) {}
  explicit WorkUnit(bool in_macs) : in_macs_(in_macs) {}
  [[nodiscard]] std::string name(bool integer = false) const { return in_macs_ ? "MAC" : integer ? "OP" : "FLOP"; }
  [[nodiscard]] double scaled(double flops) const { return in_macs_ ? flops / 2 : flops; }
  /// "989 TFLOP/s"
  [[nodiscard]] std::string rate(double flops_per_s, bool integer = false) const {
    return with_unit(scaled(flops_per_s), name(integer) + "/s");
  }
  /// "164 FLOP/B"
  [[nodiscard]] std::string intensity(double flops_per_byte, bool integer = false) const {
    return number(scaled(flops_per_byte)) + ' ' + name(integer) + "/B";
  }

 private:
  bool in_macs_;
};
/// "HBM"; `otherwise` where no resource is known to bound it.
[[nodiscard]] std::string resource_name(const Plan& plan, std::size_t resource, const char* otherwise = "");
/// The same, of a plan of which only the resources' names are kept.
[[nodiscard]] std::string resource_name(const std::vector<std::string>& names, std::size_t resource, const char* otherwise = "");
/// "compute-bound"; "without a bound" for no_resource.
[[nodiscard]] std::string bound_word(const Plan& plan, std::uint8_t resource);
/// M, N and K of a matrix product, or of the scores of attention: "128x1,280x2,048"; empty: they are not known.
[[nodiscard]] std::string product_sizes(const Workload& workload, std::size_t op);
/// A name for sentences and tables. If it ends in the shapes of all operands, their sizes replace them: "aten::mm 64x768x768" for
/// "aten::mm [[64,768],[768,768],[]]", "aten::add 4x768" for "aten::add [[4,768],[4,768],[]]".
[[nodiscard]] std::string short_name(const Workload& workload, std::size_t op);
/// "memory-bound", "limited by neither", "partly known".
[[nodiscard]] std::string limit_word(const Plan& plan, const OpAnalysis& op);
/// Advice for a device that mostly waits for launches (Gaps::launch_bound).
inline constexpr const char* launch_bound_advice = "The device waits for launches: capture them in a graph, or increase the batch.";
/// What takes the time of an operation that no roof limits.
inline constexpr const char* beyond_roofs = "overhead, waiting or a poor kernel";
/// "70%", "above the roof", "-".
[[nodiscard]] std::string efficiency_text(const OpAnalysis& op);
/// The profiler's command line that counts what such a source left out; empty: there is none.
[[nodiscard]] const char* counting_command(SourceFormat format);
/// Why an operation is partly known, and what would help: "the FLOPs of 2 ops are not counted. To count them: `ncu ...`.", where `of` is
/// " of 2 ops"; "A100 has no known rate for FP4.".
[[nodiscard]] std::string what_is_missing(const Plan& plan, std::size_t op, const std::string& of = "");

}  // namespace roofline
