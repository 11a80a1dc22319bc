// One replica of a deployment: how long its steps take and how many sequences its memory holds.
#pragma once

#include <array>
#include <memory>
#include <roofline/llm/inference.hpp>
#include <roofline/serving/request.hpp>

namespace roofline {

/// Seconds by the bound and by the estimate, and of the bound what each kind of resource bounds.
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

  /// Per token of each of `batch` sequences of the replica, at least one. Between whole batches it is interpolated.
  [[nodiscard]] StepTime decode(double batch, double context) const;
  /// From a prompt's start to its first token, where the replica does nothing else.
  [[nodiscard]] StepTime prefill_alone() const;
  /// How long a prompt keeps the replica, or the stage of a pipeline, from other work: prompts are packed to a chunk's tokens.
  [[nodiscard]] StepTime prefill_interval() const;

  /// Sequences of the replica whose cache fits at their mean length, in what the weights and the activations leave of the memory less its
  /// reserve; 0: not even the weights fit. NaN: capacity not known.
  [[nodiscard]] double largest_batch() const;
  /// Bytes on one machine: weights, and what `batch` sequences take at their mean length.
  [[nodiscard]] MemoryFootprint memory(double batch) const;
  [[nodiscard]] double mean_context() const;

  [[nodiscard]] const LlmInference& inference() const { return inference_; }
  [[nodiscard]] const StackTerms& terms() const { return terms_; }

 private:
  [[nodiscard]] StepTime whole_batch(double batch, double context) const;
  [[nodiscard]] StepTime time(double sequences, bool decode, double context) const;
  [[nodiscard]] double attention_replicas() const { return request_.llm.setup.machines() / request_.llm.setup.tp; }

  const ServingRequest& request_;
  const Scenario& scenario_;
  LlmInference inference_;
  StackTerms terms_;
  std::unique_ptr<LlmPasses> passes_;
};

}  // namespace roofline
