// The steps of inference engines, as they annotate them in traces: how many sequences, how many new tokens, how much context.
//   vLLM:   execute_5_context_1(sq4sk4sqsq16sqsk16)_generation_1(sq1sk11sqsq1sqsk11), older: execute_context_1(4)_generation_1(1)
//   SGLang: step[DECODE bs=32], step[EXTEND bs=8 toks=4096]
// Sources: vLLM's --profiler-config.detailed_trace_annotation (vllm-project/vllm #37524); SGLang's scheduler.
#pragma once

#include <optional>
#include <roofline/base/number.hpp>
#include <string>
#include <string_view>

namespace roofline {

/// Requests of one phase in a step, with sums over them. NaN: not stated.
struct StepPart {
  double requests = 0;
  double queries = unknown;          ///< new tokens, q of each request
  double keys = unknown;             ///< tokens that they attend to, their own included, k of each
  double squared_queries = unknown;  ///< q * q
  double query_keys = unknown;       ///< q * k

  /// Pairs of a query and a key under a causal mask: q * k less those after each query.
  [[nodiscard]] double pairs() const { return query_keys - squared_queries / 2 + queries / 2; }
};

struct StepAnnotation {
  StepPart prefill, decode;
  [[nodiscard]] double requests() const { return prefill.requests + decode.requests; }
  [[nodiscard]] bool states_context() const { return known(prefill.keys) && known(decode.keys); }
  [[nodiscard]] StepPart whole() const;
};

/// Empty: no engine's step, or one that runs no request.
[[nodiscard]] std::optional<StepAnnotation> parse_step(std::string_view annotation);

/// "decode of 32 sequences, 32785 tokens of context together"
[[nodiscard]] std::string description(const StepAnnotation& step);

}  // namespace roofline
