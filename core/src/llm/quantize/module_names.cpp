#include "llm/quantize/module_names.hpp"

#include <algorithm>
#include <span>

#include "llm/gguf/tensor_names.hpp"

namespace roofline {
namespace {

struct Module {
  std::string_view base, module;
  std::string_view fused;  ///< vLLM's and SGLang's product of several; empty: it is alone
};
constexpr Module modules[] = {{"attn_q", "self_attn.q_proj", "qkv"},
                              {"attn_k", "self_attn.k_proj", "qkv"},
                              {"attn_v", "self_attn.v_proj", "qkv"},
                              {"attn_qkv", "self_attn.qkv_proj", ""},
                              {"attn_output", "self_attn.o_proj", ""},
                              {"attn_q_a", "self_attn.q_a_proj", "qkv_a"},
                              {"attn_kv_a_mqa", "self_attn.kv_a_proj_with_mqa", "qkv_a"},
                              {"attn_q_b", "self_attn.q_b_proj", ""},
                              {"attn_k_b", "self_attn.kv_b_proj", "kv_b"},
                              {"attn_v_b", "self_attn.kv_b_proj", "kv_b"},
                              {"ffn_gate", "mlp.gate_proj", "gate_up"},
                              {"ffn_up", "mlp.up_proj", "gate_up"},
                              {"ffn_down", "mlp.down_proj", ""},
                              {"ffn_gate_exps", "mlp.experts.*.gate_proj", "experts"},
                              {"ffn_up_exps", "mlp.experts.*.up_proj", "experts"},
                              {"ffn_down_exps", "mlp.experts.*.down_proj", "experts"},
                              {"ffn_gate_shexp", "mlp.shared_expert*.gate_proj", "shared"},
                              {"ffn_up_shexp", "mlp.shared_expert*.up_proj", "shared"},
                              {"ffn_down_shexp", "mlp.shared_expert*.down_proj", ""}};

/// Of layers with a gated delta net. Qwen3-Next has in_proj_qkvz and in_proj_ba, Qwen3.5 a module for each; servers fuse these.
constexpr Module linear_modules[] = {{"attn_qkv", "linear_attn.in_proj_qkv*", "qkvz"},
                                     {"attn_gate", "linear_attn.in_proj_z", "qkvz"},
                                     {"ssm_alpha", "linear_attn.in_proj_*a", "ba"},
                                     {"ssm_beta", "linear_attn.in_proj_b*", "ba"},
                                     {"ssm_out", "linear_attn.out_proj", ""}};

/// Experts of models that call them as Mixtral does.
constexpr Module block_sparse_modules[] = {{"ffn_gate_exps", "block_sparse_moe.experts.*.w1", "experts"},
                                           {"ffn_up_exps", "block_sparse_moe.experts.*.w3", "experts"},
                                           {"ffn_down_exps", "block_sparse_moe.experts.*.w2", "experts"}};

bool is_block_sparse(const Model& model) {
  return model.family == "mixtral" || model.family == "phimoe" || model.family.starts_with("minimax");
}

const Module* find(const GgufName& name, const Model& model) {
  const auto in = [&](std::span<const Module> list) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Module& m) { return m.base == name.base; });
    return found == list.end() ? nullptr : &*found;
  };
  const Module* particular = nullptr;
  if (model.recurrent.layers > 0 && model.has_recurrent(name.layer)) particular = in(linear_modules);
  if (!particular && is_block_sparse(model)) particular = in(block_sparse_modules);
  return particular ? particular : in(modules);
}

}  // namespace

std::string module_of(std::string_view tensor, const Model& model) {
  const GgufName name = gguf_name(tensor, false);
  if (name.base == "output") return "lm_head";
  const Module* module = name.layer >= 0 ? find(name, model) : nullptr;
  return module ? "model.layers." + std::to_string(name.layer) + '.' + std::string(module->module) : std::string();
}

std::string fused_with(std::string_view tensor, const Model& model) {
  const GgufName name = gguf_name(tensor, false);
  const Module* module = name.layer >= 0 ? find(name, model) : nullptr;
  return module && !module->fused.empty() ? std::to_string(name.layer) + ' ' + std::string(module->fused) : std::string(tensor);
}

}  // namespace roofline
