#include "llm/gguf/tensor_names.hpp"

#include <algorithm>

#include "tensor/gguf_tensor_name.hpp"

namespace roofline {
namespace {

using enum WeightPart;

struct NamedPart {
  std::string_view base;
  WeightPart part;
};
constexpr NamedPart named_parts[] = {{"token_embd", embedding},
                                     {"position_embd", embedding},
                                     {"output", head},
                                     {"attn_q", q},
                                     {"attn_q_a", q},
                                     {"attn_q_b", q},
                                     {"attn_k", k},
                                     {"attn_kv_a_mqa", k},
                                     {"attn_v", v},
                                     {"attn_k_b", kv_b},
                                     {"attn_v_b", kv_b},
                                     {"attn_kv_b", kv_b},
                                     {"attn_output", o},
                                     {"attn_gate", linear},
                                     {"ssm_in", linear},
                                     {"ssm_alpha", linear},
                                     {"ssm_beta", linear},
                                     {"ssm_ba", linear},
                                     {"ssm_out", linear},
                                     {"ssm_conv1d", norms},
                                     {"ssm_a", norms},
                                     {"ssm_dt", norms},
                                     {"ssm_d", norms},
                                     {"shortconv.conv", norms},
                                     {"shortconv.in_proj", linear},
                                     {"shortconv.out_proj", linear},
                                     {"indexer.attn_q_b", indexer},
                                     {"indexer.attn_k", indexer},
                                     {"indexer.proj", indexer},
                                     {"ffn_gate", gate},
                                     {"ffn_up", up},
                                     {"ffn_down", down},
                                     {"ffn_gate_inp", router},
                                     {"exp_probs_b", router},
                                     {"ffn_gate_exps", experts},
                                     {"ffn_up_exps", experts},
                                     {"ffn_down_exps", experts},
                                     {"ffn_gate_up_exps", experts},
                                     {"ffn_gate_shexp", shared_experts},
                                     {"ffn_up_shexp", shared_experts},
                                     {"ffn_down_shexp", shared_experts},
                                     {"ffn_gate_inp_shexp", shared_experts}};

std::vector<WeightPart> parts_of(std::string_view base, bool is_bias, bool fused_gate, bool linear_qkv) {
  if (base == "attn_qkv" && linear_qkv) return {linear};
  if (base == "attn_qkv") return {v, q, k};
  if (base == "ffn_up" && fused_gate) return {up, gate};
  if (base.ends_with("_norm") || base == "attn_norm_2" || base == "attn_sinks" || base.starts_with("rope_f")) return {norms};
  const auto* found = std::find_if(std::begin(named_parts), std::end(named_parts), [&](const NamedPart& p) { return p.base == base; });
  if (found == std::end(named_parts)) return {};
  return {found->part == experts && is_bias ? norms : found->part};  // experts' biases are kept in the format of the norms
}

}  // namespace

GgufName gguf_name(std::string_view name, bool fused_gate, bool linear_qkv) {
  const GgufTensorName split = split_gguf_name(name);
  GgufName out{split.layer, split.base, split.ending == "weight", {}};
  const bool is_scale = split.ending == "scale" || split.ending == "input_scale";
  out.parts = parts_of(out.base, !out.is_weight && !is_scale, fused_gate, linear_qkv);
  out.is_parameter = !is_scale && !out.base.starts_with("rope_f");
  return out;
}

}  // namespace roofline
