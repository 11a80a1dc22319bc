// Inference of a language model as operators: what each does on one machine in one pass, what limits it, and how long it takes.
// The inner part (LlmPlan, LlmRows) allocates nothing: a page asks it thousands of times while a slider is dragged.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <roofline/analysis/analysis.hpp>
#include <roofline/base/enum_names.hpp>
#include <roofline/llm/model.hpp>
#include <roofline/llm/weight_formats.hpp>
#include <roofline/operators/operator.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

enum class LlmOp : std::uint8_t {
  embed,
  input_norm,
  q_proj,
  k_proj,
  v_proj,
  q_a_proj,
  q_b_proj,
  kv_a_proj,
  kv_b_proj,
  rope,
  kv_write,
  qk,
  softmax,
  pv,
  attention,
  attention_gate,
  o_proj,
  linear_in_proj,
  short_conv,
  gated_delta,
  ssm_scan,
  linear_norm,
  linear_out_proj,
  index_proj,
  index_scores,
  residual,
  post_norm,
  gate_proj,
  up_proj,
  act_mul,
  down_proj,
  router,
  experts,
  shared_experts,
  final_norm,
  lm_head,
  all_reduce,
  all_to_all
};
inline constexpr std::size_t llm_op_count = 38;

/// What is known of an operator whatever the model. Its formulas, of one occurrence, use the symbols that docs/guide/llm.md lists.
struct LlmOpInfo {
  std::string_view id;  ///< "q_proj"
  OpFamily family;
  Symbol symbol;
  std::string flops;       ///< matrix and vector work together; empty: none
  std::string elements;    ///< moved to or from the device memory, all roles together
  std::string link_bytes;  ///< sent in one direction; empty: none
};
[[nodiscard]] const LlmOpInfo& info(LlmOp op);

enum class LlmPhase : std::uint8_t { prefill, decode, generate };
template <>
inline constexpr auto names_of<LlmPhase> = std::to_array<const char*>({"prefill", "decode", "generate"});

enum class AttentionTraffic : std::uint8_t { unfused, ideal, flash };
template <>
inline constexpr auto names_of<AttentionTraffic> = std::to_array<const char*>({"unfused", "ideal", "flash"});

enum class MlaForm : std::uint8_t { automatic, expanded, absorbed };  ///< automatic: absorbed in decode
template <>
inline constexpr auto names_of<MlaForm> = std::to_array<const char*>({"auto", "expanded", "absorbed"});

/// The formats of a pass; every one must be set before a plan is made.
struct LlmFormats {
  WeightFormats weights;
  FormatId activations = no_format, kv = no_format;
};

/// A model and how it is run. Counts are whole numbers, held as doubles.
struct LlmSetup {
  Model model;
  LlmFormats formats;
  AttentionTraffic attention = AttentionTraffic::ideal;
  MlaForm mla = MlaForm::automatic;
  bool causal = true;      ///< a query attends to the keys up to its own; otherwise to all of the context
  bool last_token = true;  ///< in prefill the LM head sees only each sequence's last token
  double tp = 1;           ///< machines that share every matrix
  double ep = 1;           ///< machines that share the experts
  bool draft = false;      ///< it proposes tokens to another model: its prompts are taken in one pass

  [[nodiscard]] double machines() const { return tp > ep ? tp : ep; }
  /// Groups of `tp` machines: each attends to its own sequences.
  [[nodiscard]] double attention_replicas() const { return machines() / tp; }
  /// Sequences of the fullest replica of the attention, of `batch` in total.
  [[nodiscard]] double sequences_of_replica(double batch) const {
    return attention_replicas() > 1 ? std::ceil(batch / attention_replicas()) : batch;
  }
  /// The fraction of `heads` that one machine has; a head that does not divide stays whole.
  [[nodiscard]] double share_of(double heads) const { return heads > 0 ? std::ceil(heads / tp) / heads : 1; }
};

/// One forward pass: `query` new tokens of each of `batch` sequences, the last of them at place `context`.
struct LlmPass {
  double batch = 1, query = 1, context = 1;
  bool decode = true;  ///< logits for every new token, and MLA in its absorbed form; otherwise a prefill

  /// `query` new tokens: more than one where guessed tokens are verified.
  [[nodiscard]] static LlmPass decode_step(double batch, double context, double query = 1) { return {batch, query, context, true}; }
  /// `prompt` tokens, the last of them at place `context`.
  [[nodiscard]] static LlmPass prefill(double batch, double prompt, double context) { return {batch, prompt, context, false}; }
};

/// Sums over the operators of a pass, or of many.
struct LlmTotals {
  double flops = 0, matrix_flops = 0, bytes = 0, weight_bytes = 0, kv_bytes = 0, link_bytes = 0;
  double predicted_s = 0, typical_s = 0;
  std::array<double, 3> predicted_by_kind{};  ///< by ResourceKind of the bound
  double launches = 0;                        ///< operators run, layers counted
  bool lacks_rate = false;                    ///< the machine has no rate for some of the work: predicted_s leaves it out, typical_s is NaN

  void add(const LlmTotals& other, double times);
  [[nodiscard]] double predicted_by(ResourceKind kind) const { return predicted_by_kind[static_cast<std::size_t>(kind)]; }
  /// The kind of resource that bounds most of the predicted time; nullopt: none is known, or a rate is missing.
  [[nodiscard]] std::optional<ResourceKind> bound() const;
};

/// One operator in all layers that have it, on one machine of the deployment. Work and times are totals over `count`.
struct LlmRow {
  LlmOp op{};
  bool windowed = false;  ///< the layers with a window; attention differs there
  double count = 0;
  double matrix_flops = 0, vector_flops = 0;
  double weight = 0, activation = 0, output = 0, kv_read = 0, kv_write = 0;  ///< elements
  OpSizes sizes;
  double link_bytes = 0;  ///< sent in one direction
  double flops = 0, bytes = 0;
  double predicted_s = 0, typical_s = 0;
  std::uint8_t bound_by = no_resource;  ///< index into Plan::resources
};

/// The rows as columns, which a Plan reads as it reads a Workload's: a workload of fixed capacity that allocates nothing.
struct LlmRows {
  static constexpr std::size_t capacity = 112;
  static constexpr std::size_t most_pieces = capacity - 2 * llm_op_count;  ///< from here on only operators that have no row yet get one
  template <class T>
  using Column = std::array<T, capacity>;
  std::size_t size = 0;
  Column<std::uint32_t> op_class;  ///< the LlmOp as a number
  Column<bool> windowed;
  Column<OpSizes> sizes;
  Column<double> count, matrix_flops, vector_flops, weight, activation, output, kv_read, kv_write, link_bytes;
  Column<double> flops, bytes, predicted_s, typical_s;
  Column<std::uint8_t> bound_by, typical_piece;  ///< the second: Plan::typical
  LlmTotals total;

  [[nodiscard]] LlmRow operator[](std::size_t i) const;
  [[nodiscard]] std::vector<LlmRow> rows() const;
  /// Adds `times` times the others; rows of the same operator, bound and piece of the typical time become one. Beyond `most_pieces` rows
  /// all further pieces of an operator join its first row, so that no work is lost.
  void add(const LlmRows& other, double times);
  void clear();
};

/// A setup compiled for a scenario's machine; the scenario's what-if is left aside. Keeps references to both.
class LlmPlan {
 public:
  LlmPlan(const LlmSetup& setup, const Scenario& scenario);
  LlmPlan(const LlmPlan&) = delete;
  LlmPlan& operator=(const LlmPlan&) = delete;

  [[nodiscard]] const LlmSetup& setup() const { return setup_; }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const Plan::ClassRates& rates(LlmOp op) const { return plan_.rates(static_cast<std::size_t>(op)); }
  [[nodiscard]] const std::vector<Resource>& resources() const { return plan_.resources(); }

  /// Every operator of one pass with its bound and its typical time.
  void evaluate(const LlmPass& pass, LlmRows& out) const;
  /// The symbols of the formulas of one of its rows, with their numbers.
  [[nodiscard]] Trace trace(const LlmPass& pass, const LlmRow& row) const;

  /// Decode passes at every context from `first` to `last`, `weight` times each, added to `out`. In closed form: contexts where no bound,
  /// no window and no piece of the typical time changes are one evaluation at their mean, because all work and time is linear in the
  /// context there. Rows that change on the way come out once per bound and piece.
  void decode_range(double batch, double query, double first, double last, double weight, LlmRows& out) const;

  [[nodiscard]] double weight_bytes() const;  ///< of the whole model
  /// `with_vocabulary`: with the embedding and the head.
  [[nodiscard]] double weight_bytes_per_machine(bool with_vocabulary = true) const;
  [[nodiscard]] double kv_bytes_per_token() const;                    ///< windows ignored
  [[nodiscard]] double kv_bytes(double batch, double context) const;  ///< of keys and values, and of the indexers' keys
  [[nodiscard]] double state_bytes(double batch) const;               ///< of recurrent state, which does not grow with the context
  [[nodiscard]] double index_bytes_per_token() const;                 ///< of the indexers alone
  /// Cache and state on one machine.
  [[nodiscard]] double kv_bytes_per_machine(double batch, double context) const;
  /// The FP16 copy of one layer's keys and values that llama.cpp makes of a cache in blocks (Q8_0, Q4_0) to take a prompt; 0: none.
  [[nodiscard]] double kv_copy_bytes(double batch, double context) const;
  /// The largest operator's activations beside the residual stream, on one machine.
  [[nodiscard]] double activation_bytes(const LlmPass& pass) const;

 private:
  const LlmSetup& setup_;
  const Scenario& scenario_;
  Scenario without_whatif_;
  Workload classes_;  ///< no rows: the classes of all operators and the link
  Plan plan_;
  double tile_rows_ = 128;  ///< query rows of one flash tile
};

/// The class of tensors that an operator reads as its weights; nullopt: it has none. A tied head reads the embedding table.
[[nodiscard]] std::optional<WeightPart> weights_of(const Model& model, LlmOp op);

/// What the operators of a setup have in common with others: their categories and formats.
[[nodiscard]] OpClass op_class(const LlmSetup& setup, LlmOp op);

/// Expected number of distinct experts that `tokens` tokens go to, each to `top_k` of `experts`: E (1 - (1 - k/E)^T).
[[nodiscard]] double distinct_experts(double experts, double top_k, double tokens);

/// Query-key pairs of one sequence: `query` tokens that end at `context`.
[[nodiscard]] double attention_pairs(double query, double context, bool causal, double window, bool chunked);

}  // namespace roofline
