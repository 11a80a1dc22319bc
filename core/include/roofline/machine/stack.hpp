// A software stack: what its kernels and its host cost beyond the bound, as terms of a sum. One JSON file per stack under presets/stacks;
// docs/reference/conventions.md, "Typical time", has the formula, docs/reference/validation.md what each term is worth.
#pragma once

#include <cstdint>
#include <optional>
#include <roofline/machine/machine.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The terms. One that is not set costs nothing: see neutral() of its row in stack_terms().
struct StackTerms {
  std::optional<double> compute;             ///< fraction of the machine's achievable matrix rate that products reach
  std::optional<double> bandwidth;           ///< of what its memory achieves
  std::optional<double> overlap;             ///< how much of the shorter of computing and moving hides behind the longer; a fraction
  std::optional<double> launch_s;            ///< per kernel
  std::optional<double> run_s;               ///< per run of a network: the call, and what goes in and out
  std::optional<double> layer_s;             ///< per layer of a model and pass: launches, waits and the host
  std::optional<double> moe_layer_s;         ///< per layer of experts and pass, beside layer_s: routing, sorting, small products
  std::optional<double> narrow_moe_layer_s;  ///< per layer of experts and pass where dequantises() holds, beside moe_layer_s
  std::optional<double> latent_layer_s;  ///< per layer of latent attention (MLA) and pass, beside layer_s: its further products and norms
  std::optional<double> experts;         ///< fraction of the rates that products of experts reach, beside compute and bandwidth
  std::optional<double> block_scales;    ///< of serving, fraction of other products' rates reached with block-scaled 8-bit weights
  std::optional<double> prompt_layer_s;  ///< of serving, per layer of experts or latent attention and pass with prompts: launches
  std::optional<double> sequence_s;      ///< of serving, per sequence and decode step: scheduling, sampling, detokenising
  std::optional<double> request_s;       ///< of serving, per request before its first token: transport, tokenising, scheduling
  std::optional<double> burst;           ///< of serving, times the mean wait of requests that all come at the start
  std::optional<double> together;        ///< of serving, prompts of requests that arrive together, which a prompt waits for
  std::optional<double> wide_cache;     ///< of serving, 1: the KV cache stays in 16 bits for 8-bit weights, unless a request says otherwise
  std::optional<double> reserve_cache;  ///< of serving, 1: a request starts only where the cache has room up to its last token
  std::optional<double> all_reduce_s;   ///< per all-reduce: its latency
  std::optional<double> all_reduce_link;    ///< B/s one way of the link that all_reduce_s was fitted on; faster links scale it down
  std::optional<double> sum_bytes;          ///< of an element of an all-reduce, where activations are narrower
  std::optional<double> nvlink;             ///< of a link's rate, an all-reduce reaches; a fraction
  std::optional<double> pcie;               ///< likewise
  std::optional<double> other_link;         ///< likewise, of any other link
  std::optional<double> dequantise;         ///< vector instructions per weight that is narrower than the activations
  std::optional<double> dequantise_memory;  ///< 1: a prompt's narrow weights are first dequantised into memory, and read from there
  std::optional<double> native;             ///< 1: weights in a format that the matrix units take are multiplied as they are
  std::optional<double> elementwise;        ///< times the bytes of a model's element-wise operators
  std::optional<double> score_bytes;        ///< bytes to and from memory per attention score of a model
  std::optional<double> prefill_chunk;      ///< tokens of a prompt that one pass takes; every pass reads the weights
  std::optional<double> head_once;          ///< 1: the language-model head runs in a prompt's last pass alone
  std::optional<double> accumulate_fp16;    ///< 1: FP16 products accumulate in FP16, at half the INT8 rate where that is more
  std::optional<double> tile_edge;          ///< rows and columns of a tile at which half of its time is its edges; 0: no tiles, no waves
  std::optional<double> tile_s;             ///< per tile on a unit: filling and draining its pipeline
  std::optional<double> misaligned;         ///< times the computing where rows do not start at multiples of 16 bytes
  std::optional<double> attention;          ///< fraction of the machine's achievable matrix rate that a kernel of attention reaches
  std::optional<double> attention_s;        ///< per kernel of attention, in place of launch_s
  bool operator==(const StackTerms&) const = default;
};

/// What the presets, the settings and the calibration know of a term.
struct StackTermInfo {
  std::string_view key;  ///< the key in a stack's file, and in a setting after "estimate."
  std::optional<double> StackTerms::* value;
  double neutral;  ///< what switches it off
  std::string_view unit;
};
[[nodiscard]] std::span<const StackTermInfo> stack_terms();

/// Whether kernels dequantise the weights first: they are narrower than the activations, and no kernel multiplies them natively.
[[nodiscard]] bool dequantises(const StackTerms& terms, const Machine& machine, FormatId weight, FormatId activation);

/// Fraction of a link's rate that an all-reduce reaches, by the link's name or scale_out_name.
[[nodiscard]] double link_fraction(const StackTerms& terms, std::string_view link);

/// How far the estimate is off on published runs: median and 90th percentile of |estimated / measured - 1|.
struct StackError {
  std::string kind;  ///< "decode", "prefill", "generate", "gemm", "attention", or "all"
  double median = unknown, p90 = unknown, rows = 0;
  bool own = true;  ///< of this stack's runs; else of all stacks' of the kind, because this one's are too few
};

struct Stack {
  std::string id, name;
  std::vector<std::string> machines;  ///< ids of machines whose kernels and networks it is usual for
  std::vector<std::string> engines;   ///< how the `stack` column of measurements starts where they ran on it
  StackTerms terms;
  std::vector<std::pair<std::string_view, Figure>> figures;  ///< the terms with their sources, by key
  std::vector<StackError> errors;
  std::string error_basis;
  std::vector<std::string> error_machines;  ///< ids of the machines whose runs gave the errors; empty: not listed
  std::string basis;  ///< "fitted"; "measured" on the one NPU that it is for; or "assumed" where too few runs could say
  std::vector<std::string> notes;
  [[nodiscard]] const StackError* error(std::string_view kind) const;  ///< null: none was measured
  /// As error(), and null if machines are listed and `machine`, an id, is not among them.
  [[nodiscard]] const StackError* error_on(std::string_view machine, std::string_view kind) const;
};

/// From JSON in the presets' form. Errors carry a JSON path and what was expected.
[[nodiscard]] Result<Stack> parse_stack(std::string_view json);

/// Index into Stacks::presets().
enum class StackId : std::uint8_t {};

/// What a stack runs: it has other terms for a language model's passes than for single operations.
enum class StackUse : std::uint8_t { operations, language_model };

/// The stacks compiled into the library, in list order.
class Stacks {
 public:
  [[nodiscard]] static const Stacks& presets();
  [[nodiscard]] std::optional<StackId> find(std::string_view id) const;  ///< id, case and punctuation ignored
  [[nodiscard]] std::vector<std::string> near(std::string_view id) const;
  /// `unknown stack "vlm": did you mean vllm?`
  [[nodiscard]] std::string unknown_name_message(std::string_view id) const;
  [[nodiscard]] const Stack& operator[](StackId id) const { return stacks_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const std::vector<Stack>& all() const { return stacks_; }
  /// What is taken where nobody names one, unless a stack lists the machine: for language models by the machine's kind; for kernels where
  /// some of its vendor's were measured, unless the machine has a launch time of its own, which was then fitted to all that its kernels
  /// took. On CPUs none.
  [[nodiscard]] StackId usual(const Machine& machine, StackUse use) const;

  explicit Stacks(std::vector<Stack> stacks) : stacks_(std::move(stacks)) {}

 private:
  std::vector<Stack> stacks_;
};

}  // namespace roofline
