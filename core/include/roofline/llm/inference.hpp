// A request on a machine: the passes of its runs, their time and the memory that they take.
#pragma once

#include <memory>
#include <roofline/llm/memory.hpp>
#include <roofline/llm/request.hpp>
#include <roofline/operators/operator.hpp>
#include <span>
#include <vector>

namespace roofline {

/// The passes of a run on one machine.
struct LlmPasses {
  LlmRows prefill, decode, draft;  ///< with speculation, `decode` is the verification
};

/// A request compiled for a scenario. Keeps references to both.
class LlmInference {
 public:
  LlmInference(const LlmRequest& request, const Scenario& scenario);

  [[nodiscard]] const LlmPlan& plan() const { return plan_; }
  [[nodiscard]] const LlmPlan* draft() const { return draft_.get(); }  ///< null without speculation
  [[nodiscard]] const LlmRequest& request() const { return request_; }

  /// The passes that the run's phase has; the others stay empty.
  void evaluate(const LlmRun& run, LlmPasses& out) const;

  [[nodiscard]] double ttft_s(double batch, double prompt, bool typical = false) const;
  /// Per token of one sequence, at a context.
  [[nodiscard]] double tpot_s(double batch, double context, bool typical = false) const;

  [[nodiscard]] MemoryFootprint memory_footprint(const LlmRun& run) const;
  [[nodiscard]] MemoryVerdict memory(const LlmRun& run) const;
  [[nodiscard]] double capacity() const;         ///< bytes of one machine; NaN: not known
  [[nodiscard]] double usable_capacity() const;  ///< bytes of one machine less the request's reserve; NaN: not known
  /// The largest batch that leaves the reserve free; 0: none, NaN: capacity not known.
  [[nodiscard]] double largest_batch(LlmRun run) const;
  /// Tokens that leave the reserve free, at most those that the model was trained for; 0: none, NaN: capacity not known, infinite: no
  /// limit.
  [[nodiscard]] LongestContext longest_context(LlmRun run) const;
  /// The smallest batch at which most of a decode step's time is compute-bound; NaN: none up to 2^20.
  [[nodiscard]] double compute_bound_batch(double context) const;

 private:
  void evaluate_decode_step(double batch, double context, LlmRows& verify, LlmRows& draft) const;

  const LlmRequest& request_;
  LlmPlan plan_;
  std::unique_ptr<LlmSetup> draft_setup_;
  std::unique_ptr<LlmPlan> draft_;
};

/// The largest step of a prefill that a scheduler may form in a run. Each attention replica processes one chunk; the last sequence may be
/// partial. Length includes generated tokens, because a preempted sequence is prefilled again.
[[nodiscard]] LlmPass largest_prefill(const LlmRequest& request, const LlmRun& run);

/// The request's operators as a workload, one row each, in the order they run.
[[nodiscard]] Workload llm_workload(const LlmRequest& request, const Scenario& scenario);

/// Tokens per second over batch (columns) and context (rows; in a prefill the prompt), in the order given. NaN: not in memory.
[[nodiscard]] std::vector<float> llm_heat_map(const LlmInference& inference, std::span<const double> batches,
                                              std::span<const double> contexts);

/// LlmInference::largest_batch() at each context (of a prefill: its prompt).
[[nodiscard]] std::vector<float> largest_batches(const LlmInference& inference, std::span<const double> contexts);

/// The request with tensor parallelism doubled until a machine's share leaves the reserve free. It stops at the number of heads and at the
/// number of machines that the first link connects, so the result may barely fit, or not at all.
[[nodiscard]] LlmRequest on_enough_machines(LlmRequest request, const Scenario& scenario);
/// Half the machines of `enough`, where the model fits on those with less than the reserve free; absent: it does not, or that is fewer than
/// `asked` has. `enough`: on_enough_machines() of `asked`.
[[nodiscard]] std::optional<double> barely_fits_on(const LlmRequest& asked, const LlmRequest& enough, const Scenario& scenario);

}  // namespace roofline
