// A question about a deployment that serves requests: the model, how many machines run it and how, and what its users send.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <roofline/base/enum_names.hpp>
#include <roofline/llm/request.hpp>
#include <roofline/machine/machine.hpp>
#include <roofline/scenario/scenario.hpp>
#include <string_view>

namespace roofline {

inline constexpr double requests_per_user =
    10;  ///< of a benchmark, where it states no count: InferenceX's num_prompts over its concurrency

/// What a time to first token includes beside the request's own prefill.
enum class TtftBasis : std::uint8_t {
  burst,  ///< the start of a benchmark: all users send at once, and the mean is over `requests`
  steady  ///< no start: what a request waits for while others are served
};
template <>
inline constexpr auto names_of<TtftBasis> = std::to_array<const char*>({"burst", "steady"});

/// How a replica shares the model beyond tensor and expert parallelism (LlmSetup::tp, ep). Whole numbers, held as doubles.
struct ServingLayout {
  double pp = 1;              ///< stages of a pipeline
  double dp = 1;              ///< replicas, each with the whole model
  bool attention_dp = false;  ///< tp machines each take whole sequences, and share the experts
};

/// Machines of their own that take the prompts, and hand their caches on to those that decode.
struct PrefillPool {
  std::optional<Machine> machine;  ///< null: the same as for decode
  double workers = 1, tp = 1, ep = 1;
};

/// `llm.prompt` and `llm.generate` are the longest lengths; `llm.setup` is that of one replica's stage.
struct ServingRequest {
  LlmRequest llm;
  ServingLayout layout;                ///< with a prefill pool, of the machines that decode
  std::optional<PrefillPool> prefill;  ///< null: each replica takes its own prompts
  double concurrency = unknown;        ///< users of the whole deployment, each with one request at a time; NaN: `rate` is stated
  double rate = unknown;               ///< requests/s that arrive; NaN: `concurrency` is stated
  double requests = unknown;           ///< of a benchmark that begins with all users at once
  double length_spread = 1;            ///< lengths are uniform from this fraction of the longest to the longest
  double prefix_hit = 0;               ///< fraction of a prompt whose keys and values are in the cache already
  TtftBasis ttft = TtftBasis::burst;
  bool block_scales = false;  ///< 8-bit weights have a scale per block of 128 x 128; default: as the model's published ones
  bool activations_stated = false, kv_stated = false;

  [[nodiscard]] double machines_per_replica() const { return llm.setup.machines() * layout.pp; }
  [[nodiscard]] double prefill_machines() const { return prefill ? prefill->workers * std::max(prefill->tp, prefill->ep) : 0; }
  [[nodiscard]] double machines() const { return machines_per_replica() * layout.dp + prefill_machines(); }
  [[nodiscard]] double mean_prompt() const { return llm.prompt * (1 + length_spread) / 2; }
  [[nodiscard]] double mean_generate() const { return llm.generate * (1 + length_spread) / 2; }
  /// Tokens that a prefill computes: those that are not in the cache, at least one.
  [[nodiscard]] double new_tokens() const;
};

/// From JSON: the keys of parse_llm_request() and those of docs/guide/serving.md. An error names the key and what was expected.
[[nodiscard]] Result<ServingRequest> parse_serving_request(std::string_view json);

/// What engines compute and cache in on a machine, where the request does not state it: 8-bit and 4-bit products where the machine has them
/// for such weights, with MXFP4 weights in MXFP8, else 16 bits; the cache in FP8 where the products are in 8 or 4 bits, but in 16 bits
/// beside 8-bit weights where the stack says so (StackTerms::wide_cache) and the machine has no 4-bit products.
void use_engine_formats(ServingRequest& request, const Scenario& scenario);

/// The stack of serving where none is chosen: vLLM's, on machines whose language models are otherwise taken to run fused kernels.
void use_engine_stack(Scenario& scenario);

/// Why a setup cannot be laid out on machines: a degree that does not divide what it shares; nullopt: it can.
[[nodiscard]] std::optional<Error> layout_fault(const LlmSetup& setup, const ServingLayout& layout);

/// An error if the machine states no rate for a link that the machines of a replica exchange data over; nullopt: the rates are known.
[[nodiscard]] std::optional<Error> link_fault(const LlmSetup& setup, const ServingLayout& layout, const Machine& machine);

}  // namespace roofline
