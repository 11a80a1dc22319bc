// A language model over ranges: one number of the request along an axis (batch, prompt, context, ...), a curve for each choice of the
// others (a format, an attention, a machine).
#pragma once

#include <optional>
#include <roofline/calculator/sweep.hpp>
#include <roofline/llm/answer.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// What the curves differ in: a key of the request, or "machine", and its values.
struct LlmChoices {
  std::string key;                  ///< "weights"
  std::vector<std::string> values;  ///< "fp16", "int4_g128"
};

struct LlmSweepPoint {
  LlmSpeed bound, estimate;
  double intensity = unknown;                         ///< of the phase
  double weight_share = unknown, kv_share = unknown;  ///< of its bytes
  double compute_share = unknown;                     ///< of its predicted time
  double bytes_per_machine = unknown;                 ///< needed
  double usd_per_million_tokens = unknown;
  std::optional<ResourceKind> bound_by;  ///< for most of the phase's time; null: nothing known
  std::optional<bool> fits;              ///< in memory, even if it barely fits; null: capacity not known
};

/// From `at` up (to the crossing after), something else bounds most of the phase. The first whole number, not the first point.
struct LlmCrossing {
  double at = 0;
  std::optional<ResourceKind> from, to;
};

struct LlmCurve {
  std::vector<std::string> choice;  ///< one value per LlmChoices
  std::string label;                ///< "INT4 g128", "NVIDIA H100 SXM"; empty where nothing is chosen
  double ridge = unknown;           ///< FLOP/B at which the machine's matrix peak meets its device memory
  std::vector<LlmSweepPoint> points;
  std::vector<LlmCrossing> crossings;
  double fits_to = unknown;  ///< the largest value of the axis that leaves the reserve free; 0: none; NaN: capacity not known, or all do
  std::string stack;         ///< that its typical figures are for
  double error_median = unknown, error_p90 = unknown;  ///< of these, by runs of the phase
  std::string limits;                                  ///< "compute-bound from batch 312 up", or why it never is
  std::string fit;  ///< "fits up to batch 112, barely up to 128"; empty: all values fit, or the capacity is not known
  [[nodiscard]] std::string verdict() const { return limits + (fit.empty() ? "" : "; ") + fit; }
};

struct LlmSweep {
  std::string source;  ///< the model's id
  LlmPhase phase = LlmPhase::decode;
  std::string key;  ///< of the axis; empty: there is none, and every curve is one point
  std::vector<double> values;
  std::vector<LlmChoices> choices;
  std::vector<LlmCurve> curves;
};

/// "weights=fp16,int4_g128" as typed; a range ("batch=1..512") is parse_sweep_axis' to read.
[[nodiscard]] Result<LlmChoices> parse_llm_choices(std::string_view text);

/// `request` is the JSON that parse_llm_request reads. Fails where a key cannot be varied or a value is none of its.
[[nodiscard]] Result<LlmSweep> llm_sweep(std::string_view request, const std::optional<SweepAxis>& axis, std::vector<LlmChoices> choices,
                                         const Scenario& scenario);

/// The figures of a point by name, in the order of the documents: "ttft_s", ...
struct LlmMetric {
  std::string_view name;
  double (*value)(const LlmSweepPoint&);
};
[[nodiscard]] std::span<const LlmMetric> llm_metrics();

/// "roofline-llm-sweep/1". Without `figures` everything but the points' figures, for who takes those as columns.
[[nodiscard]] std::string llm_sweep_json(const LlmSweep& sweep, bool figures = true);
/// One row per curve and point.
[[nodiscard]] std::string llm_sweep_csv(const LlmSweep& sweep);
/// For a terminal: what each curve tells, and up to 20 points.
[[nodiscard]] std::string llm_sweep_table(const LlmSweep& sweep);

}  // namespace roofline
