#include "llm/model/weight_modules.hpp"

#include <cmath>

namespace roofline {
namespace {

using enum WeightPart;

constexpr const char* fused_qkv[] = {"model.layers.N.self_attn.qkv_proj", "model.layers.N.self_attn.W_pack"};
constexpr const char* fused_gate_up = "model.layers.N.mlp.gate_up_proj";
/// Of a gated delta net alone: other recurrent layers have one module for all that they take in.
double of_delta(const Model& m, double elements) { return m.recurrent.is(RecurrentKind::gated_delta) ? elements : 0; }
constexpr const char* fused_experts[] = {"model.layers.N.mlp.experts.gate_up_proj", "model.layers.N.feed_forward.experts.gate_up_proj"};

}  // namespace

std::span<const WeightModule> weight_modules() {
  static const std::vector<WeightModule> all = {
      {q,
       {"model.layers.N.self_attn.q_proj", "model.layers.N.self_attn.q_b_proj", fused_qkv[0], fused_qkv[1]},
       [](const Model& m) { return m.q_rank > 0 ? m.heads * m.query_dim() : 1; }},
      {q, {"model.layers.N.self_attn.q_a_proj"}, [](const Model& m) { return m.q_rank > 0 ? m.hidden : 0; }},
      {k, {"model.layers.N.self_attn.k_proj", "model.layers.N.self_attn.kv_a_proj_with_mqa", fused_qkv[0], fused_qkv[1]}},
      {v, {"model.layers.N.self_attn.v_proj", fused_qkv[0], fused_qkv[1]}},
      {o, {"model.layers.N.self_attn.o_proj", "model.layers.N.self_attn.dense", "model.layers.N.self_attn.out_proj"}},
      {kv_b, {"model.layers.N.self_attn.kv_b_proj"}},
      // Qwen3-Next fuses what Qwen3.5 has apart.
      {linear,
       {"model.layers.N.linear_attn.in_proj_qkv", "model.layers.N.linear_attn.in_proj_qkvz"},
       [](const Model& m) { return of_delta(m, m.recurrent.conv_channels()); }},
      {linear,
       {"model.layers.N.linear_attn.in_proj_z", "model.layers.N.linear_attn.in_proj_qkvz"},
       [](const Model& m) { return of_delta(m, m.recurrent.values()); }},
      {linear,
       {"model.layers.N.linear_attn.in_proj_b", "model.layers.N.linear_attn.in_proj_ba"},
       [](const Model& m) { return of_delta(m, m.recurrent.value_heads); }},
      {linear,
       {"model.layers.N.linear_attn.in_proj_a", "model.layers.N.linear_attn.in_proj_ba"},
       [](const Model& m) { return of_delta(m, m.recurrent.value_heads); }},
      {linear,
       {"model.layers.N.mamba.in_proj", "backbone.layers.N.mixer.in_proj", "model.layers.N.conv.in_proj"},
       [](const Model& m) { return m.recurrent.columns() - of_delta(m, m.recurrent.columns()); }},
      {linear,
       {"model.layers.N.linear_attn.out_proj", "model.layers.N.mamba.out_proj", "backbone.layers.N.mixer.out_proj",
        "model.layers.N.conv.out_proj"},
       [](const Model& m) { return m.recurrent.values(); }},
      {indexer, {"model.layers.N.self_attn.indexer.wq_b"}, [](const Model& m) { return m.q_rank * m.index_heads * m.index_dim; }},
      {indexer, {"model.layers.N.self_attn.indexer.wk"}, [](const Model& m) { return m.hidden * m.index_dim; }},
      {indexer, {"model.layers.N.self_attn.indexer.weights_proj"}, [](const Model& m) { return m.hidden * m.index_heads; }},
      {gate, {"model.layers.N.mlp.gate_proj", "model.layers.N.feed_forward.gate_proj", fused_gate_up}},
      {up, {"model.layers.N.mlp.up_proj", "model.layers.N.feed_forward.up_proj", "model.layers.N.mlp.fc1", fused_gate_up}},
      {down, {"model.layers.N.mlp.down_proj", "model.layers.N.feed_forward.down_proj", "model.layers.N.mlp.fc2"}},
      {experts,
       {"model.layers.N.mlp.experts.0.gate_proj", "model.layers.N.mlp.experts.gate_proj", "model.layers.N.mlp.switch_mlp.gate_proj",
        "model.layers.N.feed_forward.experts.gate_proj", "model.layers.N.feed_forward.experts.0.gate_proj",
        "model.layers.N.block_sparse_moe.experts.0.w1", "model.layers.N.block_sparse_moe.switch_mlp.gate_proj", fused_experts[0],
        fused_experts[1]}},
      {experts,
       {"model.layers.N.mlp.experts.0.up_proj", "model.layers.N.mlp.experts.up_proj", "model.layers.N.mlp.switch_mlp.up_proj",
        "model.layers.N.feed_forward.experts.up_proj", "model.layers.N.feed_forward.experts.0.up_proj",
        "model.layers.N.block_sparse_moe.experts.0.w3", "model.layers.N.block_sparse_moe.switch_mlp.up_proj", fused_experts[0],
        fused_experts[1]}},
      {experts,
       {"model.layers.N.mlp.experts.0.down_proj", "model.layers.N.mlp.experts.down_proj", "model.layers.N.mlp.switch_mlp.down_proj",
        "model.layers.N.feed_forward.experts.down_proj", "model.layers.N.feed_forward.experts.0.down_proj",
        "model.layers.N.block_sparse_moe.experts.0.w2", "model.layers.N.block_sparse_moe.switch_mlp.down_proj"}},
      {shared_experts,
       {"model.layers.N.mlp.shared_experts.gate_proj", "model.layers.N.mlp.shared_expert.gate_proj",
        "model.layers.N.feed_forward.shared_expert.gate_proj"}},
      {shared_experts,
       {"model.layers.N.mlp.shared_experts.up_proj", "model.layers.N.mlp.shared_expert.up_proj",
        "model.layers.N.feed_forward.shared_expert.up_proj"}},
      {shared_experts,
       {"model.layers.N.mlp.shared_experts.down_proj", "model.layers.N.mlp.shared_expert.down_proj",
        "model.layers.N.feed_forward.shared_expert.down_proj"}},
      {router,
       {"model.layers.N.mlp.gate", "model.layers.N.mlp.router", "model.layers.N.feed_forward.router",
        "model.layers.N.block_sparse_moe.gate"}},
      {head, {"lm_head"}},
      {embedding, {"model.embed_tokens"}}};
  return all;
}

bool in_layer(WeightPart part, const Model& model, int layer) {
  switch (part) {
    case q:
    case k:
    case v:
    case o:
    case kv_b:
      return model.has_attention(layer);
    case linear:
      return model.has_recurrent(layer);
    case indexer:
      return model.has_indexer(layer);
    case gate:
    case up:
    case down:
      return model.has_mlp(layer) && !model.has_experts(layer);
    case experts:
    case shared_experts:
    case router:
      return model.has_experts(layer);
    case head:
    case embedding:
    case norms:
      break;
  }
  return layer == 0;
}

}  // namespace roofline
