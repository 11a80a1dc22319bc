// The sizes in a config.json, and the keys that different model families use for them.
#pragma once

#include <cstddef>
#include <span>

namespace roofline {

/// The keys of each size. The first key that is present is used.
namespace config_keys {
inline constexpr const char* hidden[] = {"hidden_size", "n_embd", "d_model"};
inline constexpr const char* layers[] = {"num_hidden_layers", "n_layer", "num_layers"};
inline constexpr const char* heads[] = {"num_attention_heads", "n_head"};
inline constexpr const char* kv_heads[] = {"num_global_key_value_heads", "num_key_value_heads", "num_kv_heads"};
inline constexpr const char* head_dim[] = {"global_head_dim", "head_dim", "attention_head_dim"};
inline constexpr const char* intermediate[] = {"intermediate_size", "block_ff_dim",    "ffn_dim",
                                               "n_inner",           "ffn_hidden_size", "ff_intermediate_size"};
inline constexpr const char* vocab[] = {"vocab_size"};
inline constexpr const char* window[] = {"sliding_window", "attention_chunk_size"};
inline constexpr const char* experts[] = {"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"};
inline constexpr const char* top_k[] = {"num_experts_per_tok", "experts_per_token", "moe_k", "top_k_experts"};
inline constexpr const char* expert_intermediate[] = {"moe_intermediate_size"};
inline constexpr const char* shared_experts[] = {"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"};
inline constexpr const char* first_moe_layer[] = {"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"};
inline constexpr const char* q_rank[] = {"q_lora_rank"};
inline constexpr const char* kv_rank[] = {"kv_lora_rank"};
inline constexpr const char* nope_dim[] = {"qk_nope_head_dim"};
inline constexpr const char* rope_dim[] = {"qk_rope_head_dim"};
inline constexpr const char* value_dim[] = {"v_head_dim"};
}  // namespace config_keys

/// A size that can be edited.
struct ConfigSize {
  const char* label;
  std::span<const char* const> keys;
  std::size_t default_key = 0;  ///< index in keys: added to a config that has none of them
  bool shown_if_absent = true;  ///< the form shows it even if the config has none of them
};
inline constexpr ConfigSize config_sizes[] = {{"Hidden size", config_keys::hidden},
                                              {"Layers", config_keys::layers},
                                              {"Query heads", config_keys::heads},
                                              {"Key-value heads", config_keys::kv_heads, 1},
                                              {"Head size", config_keys::head_dim, 1},
                                              {"MLP width", config_keys::intermediate},
                                              {"Vocabulary", config_keys::vocab},
                                              {"Attention window", config_keys::window},
                                              {"Experts", config_keys::experts, 0, false},
                                              {"Active experts per token", config_keys::top_k, 0, false},
                                              {"Expert width", config_keys::expert_intermediate, 0, false},
                                              {"Shared experts", config_keys::shared_experts, 0, false},
                                              {"Leading dense layers", config_keys::first_moe_layer, 0, false},
                                              {"Query LoRA rank", config_keys::q_rank, 0, false},
                                              {"KV LoRA rank", config_keys::kv_rank, 0, false},
                                              {"Head size without RoPE", config_keys::nope_dim, 0, false},
                                              {"Head size with RoPE", config_keys::rope_dim, 0, false},
                                              {"Value head size", config_keys::value_dim, 0, false}};

}  // namespace roofline
