// One replica of a deployment: how long its steps take and how many sequences its memory holds.
#pragma once

#include <array>
#include <memory>
#include <roofline/llm/inference.hpp>
#include <roofline/serving/request.hpp>

namespace roofline {

/// Seconds by the bound and by the estimate, and of the bound what each kind of resource bounds. NaN: a link's rate
/// is not known, see link_fault().
struct StepTime {
  double bound_s = 0, typical_s = 0;
  std::array<double, 3> bound_by_kind{};  ///< by ResourceKind
  [[nodiscard]] double at(bool typical) const { return typical ? typical_s : bound_s; }
};

/// Whose times the closed forms of serving are made of. Not for several threads at once: it has room to work in.
class ServingEngine {
 public:
  /// Keeps a reference to both.
  ServingEngine(const ServingRequest& request, const Scenario& scenario);

  /// Per token of each of `batch` sequences of the replica, at least one, at their mean context. Between whole batches it is interpolated.
  [[nodiscard]] StepTime decode(double batch) const;
  /// From a prompt's start to its first token, where the replica does nothing else.
  [[nodiscard]] const StepTime& prefill_alone() const { return prefill_alone_; }
  /// How long a prompt keeps the replica, or the stage of a pipeline, from other work: prompts are packed to a chunk's tokens.
  [[nodiscard]] const StepTime& prefill_interval() const { return prefill_interval_; }

  /// Sequences of the replica whose cache fits at their mean length, or at their full one where the stack reserves it, in what the weights
  /// and the activations leave of the memory less its reserve; 0: not even one fits. NaN: capacity not known.
  [[nodiscard]] double largest_batch() const { return largest_batch_; }
  /// At the mean length, without the reserve and without activations: what no engine exceeds.
  [[nodiscard]] double largest_batch_bound() const { return largest_batch_bound_; }
  /// decode() of largest_batch(), or of 2^20 where nothing limits it.
  [[nodiscard]] const StepTime& decode_largest() const { return decode_largest_; }
  /// Bytes on one machine: weights, and what `batch` sequences take, each as in largest_batch().
  [[nodiscard]] MemoryFootprint memory(double batch) const;

  [[nodiscard]] const LlmInference& inference() const { return inference_; }
  [[nodiscard]] const StackTerms& terms() const { return terms_; }
  static constexpr double most_sequences = 0x1p20;  ///< where memory sets no limit

 private:
  [[nodiscard]] StepTime whole_batch(double batch) const;
  [[nodiscard]] StepTime time(double sequences, bool decode) const;
  /// Time that uneven routing adds to the estimate of `rows`, s: fewer experts are read, and some machines do more of the work. May be
  /// negative.
  [[nodiscard]] double uneven_routing_s(const LlmPlan& plan, const LlmRows& rows, double tokens) const;
  /// Time that the measured exchange between machines that share experts adds to the estimate of `rows`, which is at the link's rate, s.
  [[nodiscard]] double exchange_s(const LlmPlan& plan, const LlmRows& rows, double tokens) const;
  /// Time that block-scaled 8-bit weights add to the estimate of `rows`, s: each block's sum is scaled, and activations are quantised by
  /// group. 0: no block scales.
  [[nodiscard]] double block_scales_s(const LlmPlan& plan, const LlmRows& rows) const;
  [[nodiscard]] StepTime packed_prefill() const;
  void find_largest_batch();
  [[nodiscard]] double attention_replicas() const { return request_.llm.setup.attention_replicas(); }
  [[nodiscard]] double mean_context() const { return request_.mean_prompt() + request_.mean_generate() / 2; }

  const ServingRequest& request_;
  const Scenario& scenario_;
  LlmInference inference_;
  StackTerms terms_;
  std::unique_ptr<LlmPasses> passes_;
  StepTime prefill_alone_, prefill_interval_, decode_largest_;
  double largest_batch_ = unknown, largest_batch_bound_ = unknown, sequence_bytes_ = 0;
  MemoryFootprint one_sequence_;  ///< of each machine
  mutable double last_batch_ = 0;
  mutable StepTime last_;  ///< decode() of it
};

}  // namespace roofline
