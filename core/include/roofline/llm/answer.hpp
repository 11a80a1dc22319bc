// Questions about a model's inference: a request (model, phase, sizes, formats, parallelism) and what follows from it.
#pragma once

#include <memory>
#include <optional>
#include <roofline/analysis/mark.hpp>
#include <roofline/llm/llm.hpp>
#include <roofline/operators/operator.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace roofline {

/// A draft model proposes `gamma` tokens, which the target verifies in one pass; each is accepted with probability `acceptance`.
struct Speculation {
  double gamma = 0;
  double acceptance = 0;
  Model draft;
  /// Expected tokens per verified pass: 1 + a + ... + a^gamma.
  [[nodiscard]] double tokens_per_step() const;
};

/// A measured phase, or a point on the chart.
struct LlmMeasurement {
  std::string name;
  LlmPhase phase = LlmPhase::decode;
  double batch = 1, prompt = unknown, context = unknown, generate = unknown;
  double time_s = unknown;                      ///< of the phase; of decode, of one step
  double intensity = unknown, flops = unknown;  ///< a point as {name, oi, tflops} states it: FLOP/byte, FLOP/s
};

/// What a machine costs. A price is spread evenly over the years of use; a price by the hour goes before it.
struct LlmCost {
  double price_usd = unknown;  ///< of one machine; unknown: the machine's own, where its file states one
  double years = 4;
  double usd_per_hour = unknown;  ///< of one machine
};

struct LlmRequest {
  LlmSetup setup;
  LlmPhase phase = LlmPhase::decode;
  double batch = 1;
  double prompt = 0;    ///< new tokens of a prefill
  double context = 0;   ///< keys that a decode step sees, its own included; where a prefill ends
  double generate = 0;  ///< tokens of a generation; the first comes out of the prefill
  std::optional<Speculation> speculation;
  LlmCost cost;
  std::vector<LlmMeasurement> measured;
};

/// From JSON; docs/llm.md lists the keys. An error names the key and what was expected.
[[nodiscard]] Result<LlmRequest> parse_llm_request(std::string_view json);

/// What a benchmark wrote: [{name, oi, tflops}], llama-bench's JSON, vLLM's serving or latency benchmark. What those leave out (batch,
/// prompt) is the request's.
[[nodiscard]] Result<std::vector<LlmMeasurement>> parse_llm_measurements(std::string_view json, const LlmRequest& request);

/// The passes of a run on one machine. Decode without generation is one step.
struct LlmParts {
  LlmRows prefill, decode, draft;  ///< with speculation, `decode` is the verification
};

/// A request compiled for a scenario.
class LlmStudy {
 public:
  LlmStudy(const LlmRequest& request, const Scenario& scenario);

  [[nodiscard]] const LlmPlan& plan() const { return plan_; }
  [[nodiscard]] const LlmRequest& request() const { return request_; }

  /// The parts that the phase has; the others stay empty.
  void run(const LlmMeasurement& of, LlmParts& out) const;
  /// The request as a run of its own.
  [[nodiscard]] LlmMeasurement asked() const;

  [[nodiscard]] double ttft_s(double batch, double prompt, bool typical = false) const;
  /// Per token of one sequence, at a context.
  [[nodiscard]] double tpot_s(double batch, double context, bool typical = false) const;

  struct Need {
    double weights = 0, kv = 0, activations = 0;  ///< bytes on one machine
    [[nodiscard]] double total() const { return weights + kv + activations; }
  };
  [[nodiscard]] Need need(double batch, double prompt, double context) const;
  [[nodiscard]] double capacity() const;                                    ///< bytes of one machine; NaN: not known
  [[nodiscard]] double largest_batch(double prompt, double context) const;  ///< that fits; 0: none, NaN: capacity not known
  [[nodiscard]] double longest_context(double batch) const;                 ///< likewise; infinite where windows hold the cache
  /// The smallest batch at which most of a decode step's time is compute-bound; NaN: none up to 2^20.
  [[nodiscard]] double compute_bound_batch(double context) const;

 private:
  void step(double batch, double context, LlmRows& verify, LlmRows& draft) const;

  const LlmRequest& request_;
  LlmPlan plan_;
  std::unique_ptr<LlmSetup> draft_setup_;
  std::unique_ptr<LlmPlan> draft_;
};

/// One change to the request or the machine, and what it buys.
struct LlmChange {
  std::string change;        ///< "INT4 weights", "batch 32"
  std::string patch;         ///< JSON: the keys of the request that differ; {"machine": id} for another machine
  double gain = 1;           ///< tokens per second, times; of a prefill: today's TTFT over the change's
  double latency = 1;        ///< TPOT (of a prefill: TTFT) over today's
  std::optional<bool> fits;  ///< null: capacity not known
};

struct LlmMeasured {
  LlmMeasurement measurement;
  double predicted_s = unknown, typical_s = unknown;
  double flops = unknown, bandwidth = unknown;  ///< achieved, of one machine
  double mfu = unknown, mbu = unknown;          ///< fractions of the matrix peak and of the device memory's bandwidth
  double efficiency = unknown, attainable_flops = unknown;
  std::string bottleneck;  ///< "memory-bound"
  struct Explanation {
    std::string assumption;
    double time_s;  ///< predicted under it
  };
  std::vector<Explanation> explanations;  ///< closest to the measured time first
};

/// Everything that follows from a request.
struct LlmAnswer {
  double parameters = 0, active_parameters = 0;
  double weights_bytes = 0, kv_bytes = 0, kv_bytes_per_token = 0, activation_bytes = 0;  ///< activations of one machine
  LlmStudy::Need need;
  double capacity = unknown;
  std::optional<bool> fits;
  double largest_batch = unknown, longest_context = unknown, compute_bound_batch = unknown;
  double machines = 1;
  double ttft_s = unknown, tpot_s = unknown, total_s = unknown;
  double typical_ttft_s = unknown, typical_tpot_s = unknown, typical_total_s = unknown;
  double typical_tokens_per_s = unknown, typical_tokens_per_s_per_user = unknown;
  double tokens_per_s = unknown, tokens_per_s_per_user = unknown;
  double tokens_per_step = 1;
  double prefill_intensity = unknown, decode_intensity = unknown;
  double joules_per_token = unknown, typical_joules_per_token = unknown;
  LlmCost cost;  ///< `usd_per_hour` is what a machine costs in the end, `price_usd` what that follows from (NaN: from neither)
  double usd_per_million_tokens = unknown, typical_usd_per_million_tokens = unknown;
  double weight_share = unknown, kv_share = unknown;  ///< of the bytes that the phase moves
  LlmBound bound = LlmBound::none;                    ///< of most of the phase's predicted time
  std::vector<LlmMeasured> measured;
  std::vector<LlmChange> changes;  ///< best first
  std::string finding;             ///< a sentence or two
};
[[nodiscard]] LlmAnswer answer(const LlmRequest& request, const Scenario& scenario);

/// What a machine costs an hour, and from what that follows.
[[nodiscard]] LlmCost cost_of(const LlmRequest& request, const Machine& machine);

/// A measurement against the bound: what was achieved, and which assumptions would explain the rest.
[[nodiscard]] LlmMeasured judge(const LlmMeasurement& measurement, const LlmRequest& request, const Scenario& scenario);

/// Where the measured points stand on the chart.
[[nodiscard]] std::vector<Mark> marks(const LlmAnswer& answer);

/// The answer's members for a document's summary: names with JSON text.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& answer, const Scenario& scenario);

/// The request's operators as a workload, one row each, in the order they run.
[[nodiscard]] Workload llm_workload(const LlmRequest& request, const Scenario& scenario);

/// The symbols of an operator's formulas with their numbers.
[[nodiscard]] Trace llm_trace(const LlmPlan& plan, const LlmPass& pass, const LlmRow& row);

/// Tokens per second over batch (columns) and context (rows), NaN where it does not fit; sizes as given.
[[nodiscard]] std::vector<float> llm_heat_map(const LlmStudy& study, std::span<const double> batches, std::span<const double> contexts);

}  // namespace roofline
