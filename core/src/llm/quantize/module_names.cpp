#include "llm/quantize/module_names.hpp"

#include <algorithm>
#include <iterator>

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

const Module* find(std::string_view base) {
  const auto* found = std::find_if(std::begin(modules), std::end(modules), [&](const Module& m) { return m.base == base; });
  return found == std::end(modules) ? nullptr : found;
}

}  // namespace

std::string module_of(std::string_view tensor) {
  const GgufName name = gguf_name(tensor, false);
  if (name.base == "output") return "lm_head";
  const Module* module = find(name.base);
  return module && name.layer >= 0 ? "model.layers." + std::to_string(name.layer) + '.' + std::string(module->module) : std::string();
}

std::string fused_with(std::string_view tensor) {
  const GgufName name = gguf_name(tensor, false);
  const Module* module = find(name.base);
  return module && !module->fused.empty() ? std::to_string(name.layer) + ' ' + std::string(module->fused) : std::string(tensor);
}

}  // namespace roofline
