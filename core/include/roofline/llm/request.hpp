// A question about a model's inference: the model and how it is run (phase, sizes, formats, parallelism), and what was measured of it.
#pragma once

#include <algorithm>
#include <optional>
#include <roofline/llm/llm.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A phase with its sizes. Decode without generation is one step.
struct LlmRun {
  LlmPhase phase = LlmPhase::decode;
  double batch = 1;
  double prompt = 0;    ///< new tokens of a prefill
  double context = 0;   ///< keys that a decode step sees, its own included; where a prefill ends
  double generate = 0;  ///< tokens of a generation; the first comes out of the prefill
  double cached = 0;    ///< of a generation: tokens in the cache before the prompt
  /// Tokens of a sequence when its prompt is read. A prefill's context may be longer than its prompt: the others are cached before it.
  [[nodiscard]] double prompt_end() const { return phase == LlmPhase::prefill ? context : cached + prompt; }
  /// Tokens of a sequence at its longest, in whatever phase it is looked at.
  [[nodiscard]] double longest() const { return std::max(context, cached + prompt + std::max(generate, 1.0) - 1); }
};

/// A draft model proposes `gamma` tokens, which the target verifies in one pass; each is accepted with probability `acceptance`.
struct Speculation {
  double gamma = 0;
  double acceptance = 0;
  Model draft;
  bool shares_vocabulary = false;  ///< the draft has no embedding and no head of its own: multi-token prediction
  /// Expected tokens per verified pass: 1 + a + ... + a^gamma.
  [[nodiscard]] double tokens_per_step() const;
};

/// A measured run, or a point on the chart.
struct LlmMeasurement : LlmRun {
  std::string name;
  double time_s = unknown;                      ///< of the phase; of decode, of one step
  double intensity = unknown, flops = unknown;  ///< a point as {name, oi, tflops} states it: FLOP/byte, FLOP/s
};

/// What a machine costs. A price is spread evenly over the years of use; a price by the hour goes before it.
struct LlmCost {
  double price_usd = unknown;  ///< of one machine; unknown: the machine's own, where its file states one
  double years = 4;
  double usd_per_hour = unknown;  ///< of one machine
};

struct LlmRequest : LlmRun {
  static constexpr double default_prompt = 2048, default_generate = 256;  ///< tokens, if the request states none
  bool prompt_stated = false;                                             ///< else it is as long as the context
  LlmSetup setup;
  std::optional<Speculation> speculation;
  LlmCost cost;
  double chunk = 8192;   ///< tokens of prompts that one step of a prefill takes at most: they decide the activations in memory
  double reserve = 0.1;  ///< the fraction of a machine's memory that is to stay free
  std::vector<LlmMeasurement> measured;
};

/// From JSON; docs/guide/llm.md lists the keys. An error names the key and what was expected.
[[nodiscard]] Result<LlmRequest> parse_llm_request(std::string_view json);

/// What a benchmark wrote: [{name, oi, tflops}], llama-bench's JSON, vLLM's serving or latency benchmark. What those leave out (batch,
/// prompt) is the request's.
[[nodiscard]] Result<std::vector<LlmMeasurement>> parse_llm_measurements(std::string_view json, const LlmRequest& request);

}  // namespace roofline
