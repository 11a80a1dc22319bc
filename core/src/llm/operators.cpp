// What is known of each operator: its name, its marker, its formulas, and the formats of its operands.
#include <roofline/llm/llm.hpp>

#include "llm/row_formulas.hpp"

namespace roofline {

namespace {

struct Described {
  LlmOpInfo info;
  std::optional<WeightPart> weights;  ///< that it reads; weights_of() handles models that differ
};

template <LlmOp op>
Described described(std::string_view id, OpFamily family, Symbol symbol, std::optional<WeightPart> weights = {}) {
  using Row = RowOf<op>;
  return {{id, family, symbol, Row::sum_of({&LlmRows::matrix_flops, &LlmRows::vector_flops}),
           Row::sum_of({&LlmRows::activation, &LlmRows::weight, &LlmRows::kv_read, &LlmRows::kv_write, &LlmRows::output}),
           Row::sum_of({&LlmRows::link_bytes})},
          weights};
}

const Described& description(LlmOp op) {
  static const std::array<Described, llm_op_count> all = {
      described<LlmOp::embed>("embed", OpFamily::embedding, Symbol::diamond, WeightPart::embedding),
      described<LlmOp::input_norm>("input_norm", OpFamily::normalisation, Symbol::triangle, WeightPart::norms),
      described<LlmOp::q_proj>("q_proj", OpFamily::projection, Symbol::circle, WeightPart::q),
      described<LlmOp::k_proj>("k_proj", OpFamily::projection, Symbol::circle, WeightPart::k),
      described<LlmOp::v_proj>("v_proj", OpFamily::projection, Symbol::circle, WeightPart::v),
      described<LlmOp::q_a_proj>("q_a_proj", OpFamily::projection, Symbol::circle, WeightPart::q),
      described<LlmOp::q_b_proj>("q_b_proj", OpFamily::projection, Symbol::circle, WeightPart::q),
      described<LlmOp::kv_a_proj>("kv_a_proj", OpFamily::projection, Symbol::circle, WeightPart::k),
      described<LlmOp::kv_b_proj>("kv_b_proj", OpFamily::projection, Symbol::circle, WeightPart::kv_b),
      described<LlmOp::rope>("rope", OpFamily::elementwise, Symbol::triangle, WeightPart::norms),
      described<LlmOp::kv_write>("kv_write", OpFamily::cache, Symbol::diamond),
      described<LlmOp::qk>("qk", OpFamily::attention, Symbol::circle),
      described<LlmOp::softmax>("softmax", OpFamily::attention, Symbol::triangle),
      described<LlmOp::pv>("pv", OpFamily::attention, Symbol::circle),
      described<LlmOp::attention>("attention", OpFamily::attention, Symbol::circle),
      described<LlmOp::attention_gate>("attention_gate", OpFamily::elementwise, Symbol::triangle),
      described<LlmOp::o_proj>("o_proj", OpFamily::projection, Symbol::circle, WeightPart::o),
      described<LlmOp::linear_in_proj>("linear_in_proj", OpFamily::projection, Symbol::circle, WeightPart::linear),
      described<LlmOp::short_conv>("short_conv", OpFamily::attention, Symbol::triangle, WeightPart::norms),
      described<LlmOp::gated_delta>("gated_delta", OpFamily::attention, Symbol::circle, WeightPart::norms),
      described<LlmOp::ssm_scan>("ssm_scan", OpFamily::attention, Symbol::circle, WeightPart::norms),
      described<LlmOp::linear_norm>("linear_norm", OpFamily::normalisation, Symbol::triangle, WeightPart::norms),
      described<LlmOp::linear_out_proj>("linear_out_proj", OpFamily::projection, Symbol::circle, WeightPart::linear),
      described<LlmOp::index_proj>("index_proj", OpFamily::projection, Symbol::circle, WeightPart::indexer),
      described<LlmOp::index_scores>("index_scores", OpFamily::attention, Symbol::circle),
      described<LlmOp::residual>("residual", OpFamily::elementwise, Symbol::triangle),
      described<LlmOp::post_norm>("post_norm", OpFamily::normalisation, Symbol::triangle, WeightPart::norms),
      described<LlmOp::gate_proj>("gate_proj", OpFamily::mlp, Symbol::circle, WeightPart::gate),
      described<LlmOp::up_proj>("up_proj", OpFamily::mlp, Symbol::circle, WeightPart::up),
      described<LlmOp::act_mul>("act_mul", OpFamily::mlp, Symbol::triangle),
      described<LlmOp::down_proj>("down_proj", OpFamily::mlp, Symbol::circle, WeightPart::down),
      described<LlmOp::router>("router", OpFamily::moe, Symbol::circle, WeightPart::router),
      described<LlmOp::experts>("experts", OpFamily::moe, Symbol::circle, WeightPart::experts),
      described<LlmOp::shared_experts>("shared_experts", OpFamily::moe, Symbol::circle, WeightPart::shared_experts),
      described<LlmOp::final_norm>("final_norm", OpFamily::normalisation, Symbol::triangle, WeightPart::norms),
      described<LlmOp::lm_head>("lm_head", OpFamily::embedding, Symbol::circle, WeightPart::head),
      described<LlmOp::all_reduce>("all_reduce", OpFamily::communication, Symbol::x),
      described<LlmOp::all_to_all>("all_to_all", OpFamily::communication, Symbol::x),
  };
  return all[static_cast<std::size_t>(op)];
}

/// What recurrent state is kept in, whatever the cache's format: FP32, as in llama.cpp and in Qwen's own config.json (mamba_ssm_dtype).
FormatId state_format() { return Formats::catalogue().find("fp32").value_or(0); }
/// What an indexer's cache is kept in: FP8, as in DeepSeek-V3.2 (github.com/deepseek-ai/DeepSeek-V3.2-Exp, inference/model.py).
FormatId index_format() { return Formats::catalogue().find("fp8_e4m3").value_or(0); }

}  // namespace

const LlmOpInfo& info(LlmOp op) { return description(op).info; }

std::optional<WeightPart> weights_of(const Model& model, LlmOp op) {
  if (op == LlmOp::rope && !model.qk_norm && !model.mla()) return std::nullopt;
  if (op == LlmOp::lm_head && model.tied) return WeightPart::embedding;
  return description(op).weights;
}

OpClass op_class(const LlmSetup& setup, LlmOp op) {
  const LlmFormats& f = setup.formats;
  const LlmOpInfo& known = info(op);
  OpClass out;
  out.type = known.id;
  out.set_family(known.family);
  out.symbol = known.symbol;
  out.activation = out.output = f.activations;
  switch (op) {
    case LlmOp::embed:
      out.activation = no_format;
      break;
    case LlmOp::kv_write:
      out.output = no_format;
      out.kv = f.kv;
      break;
    case LlmOp::qk:
    case LlmOp::pv:
    case LlmOp::attention:
      out.kv = f.kv;
      break;
    case LlmOp::short_conv:
    case LlmOp::gated_delta:
    case LlmOp::ssm_scan:
      out.kv = state_format();
      break;
    case LlmOp::index_proj:
    case LlmOp::index_scores:
      out.kv = index_format();
      break;
    default:
      break;
  }
  if (const auto part = weights_of(setup.model, op)) {
    out.weight = f.weights[*part];
    out.mixed_weight_bytes = f.weights.mixed_bytes(*part);
  }
  out.matrix_work = out.symbol == Symbol::circle;
  out.vector_work = out.symbol == Symbol::triangle || op == LlmOp::attention || op == LlmOp::experts || op == LlmOp::shared_experts ||
                    op == LlmOp::gated_delta || op == LlmOp::ssm_scan || op == LlmOp::index_scores;
  return out;
}

}  // namespace roofline
