// A config.json of every family that is known, as Hugging Face has it, with what does not matter here: its parameter count is the one that
// the model's page or its safetensors index states.
#include <roofline/llm/answer.hpp>
#include <roofline/session/detect.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

struct Published {
  const char* config;
  double parameters;
  double tolerance;  ///< 0: to the last parameter
  double kv_bytes;   ///< per token, at two bytes
};

constexpr Published models[] = {
    // Llama 3.1 8B
    {R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 128000,
      "eos_token_id": [128001, 128008, 128009], "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
      "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama", "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0,
      "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"},
      "rope_theta": 500000.0, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "transformers_version": "4.43.0",
      "use_cache": true, "vocab_size": 128256})",
     8030261248, 0, 131072},
    // Mistral 7B v0.1
    {R"({"architectures": ["MistralForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 32768, "model_type": "mistral", "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096,
      "tie_word_embeddings": false, "torch_dtype": "bfloat16", "use_cache": true, "vocab_size": 32000})",
     7241732096, 0, 131072},
    // Mixtral 8x7B
    {R"({"architectures": ["MixtralForCausalLM"], "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
      "max_position_embeddings": 32768, "model_type": "mixtral", "num_attention_heads": 32, "num_experts_per_tok": 2,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8, "output_router_logits": false,
      "rope_theta": 1000000.0, "router_aux_loss_coef": 0.02, "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 32000})",
     46702792704, 0, 131072},
    // Qwen2.5 0.5B
    {R"({"architectures": ["Qwen2ForCausalLM"], "hidden_act": "silu", "hidden_size": 896, "intermediate_size": 4864,
      "max_position_embeddings": 32768, "max_window_layers": 24, "model_type": "qwen2", "num_attention_heads": 14,
      "num_hidden_layers": 24, "num_key_value_heads": 2, "rms_norm_eps": 1e-06, "sliding_window": 32768, "tie_word_embeddings": true,
      "use_mrope": false, "use_sliding_window": false, "vocab_size": 151936})",
     494032768, 0, 12288},
    // Qwen1.5-MoE-A2.7B: 14.3 billion, 2.7 active
    {R"({"architectures": ["Qwen2MoeForCausalLM"], "decoder_sparse_step": 1, "hidden_act": "silu", "hidden_size": 2048,
      "intermediate_size": 5632, "max_window_layers": 21, "model_type": "qwen2_moe", "moe_intermediate_size": 1408,
      "norm_topk_prob": false, "num_attention_heads": 16, "num_experts": 60, "num_experts_per_tok": 4, "num_hidden_layers": 24,
      "num_key_value_heads": 16, "shared_expert_intermediate_size": 5632, "sliding_window": 32768, "tie_word_embeddings": false,
      "use_sliding_window": false, "vocab_size": 151936})",
     14.3e9, 0.002, 196608},
    // Qwen3 8B
    {R"({"architectures": ["Qwen3ForCausalLM"], "attention_bias": false, "head_dim": 128, "hidden_act": "silu", "hidden_size": 4096,
      "intermediate_size": 12288, "max_window_layers": 36, "model_type": "qwen3", "num_attention_heads": 32, "num_hidden_layers": 36,
      "num_key_value_heads": 8, "rope_scaling": null, "sliding_window": null, "tie_word_embeddings": false,
      "use_sliding_window": false, "vocab_size": 151936})",
     8190735360, 0, 147456},
    // Qwen3 30B A3B
    {R"({"architectures": ["Qwen3MoeForCausalLM"], "attention_bias": false, "decoder_sparse_step": 1, "head_dim": 128,
      "hidden_size": 2048, "intermediate_size": 6144, "max_window_layers": 48, "mlp_only_layers": [], "model_type": "qwen3_moe",
      "moe_intermediate_size": 768, "norm_topk_prob": true, "num_attention_heads": 32, "num_experts": 128, "num_experts_per_tok": 8,
      "num_hidden_layers": 48, "num_key_value_heads": 4, "sliding_window": null, "tie_word_embeddings": false,
      "use_sliding_window": false, "vocab_size": 151936})",
     30532122624, 0, 98304},
    // Gemma 7B
    {R"({"architectures": ["GemmaForCausalLM"], "attention_bias": false, "head_dim": 256, "hidden_act": "gelu", "hidden_size": 3072,
      "intermediate_size": 24576, "model_type": "gemma", "num_attention_heads": 16, "num_hidden_layers": 28,
      "num_key_value_heads": 16, "vocab_size": 256000})",
     8537680896, 0, 458752},
    // Gemma 2 2B
    {R"({"architectures": ["Gemma2ForCausalLM"], "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid",
      "final_logit_softcapping": 30.0, "head_dim": 256, "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 2304,
      "intermediate_size": 9216, "model_type": "gemma2", "num_attention_heads": 8, "num_hidden_layers": 26, "num_key_value_heads": 4,
      "query_pre_attn_scalar": 256, "sliding_window": 4096, "vocab_size": 256000})",
     2614341888, 0, 106496},
    // Gemma 3 1B, and 4B with a picture tower around it
    {R"({"architectures": ["Gemma3ForCausalLM"], "head_dim": 256, "hidden_size": 1152, "intermediate_size": 6912,
      "model_type": "gemma3_text", "num_attention_heads": 4, "num_hidden_layers": 26, "num_key_value_heads": 1,
      "rope_local_base_freq": 10000, "sliding_window": 512, "sliding_window_pattern": 6, "vocab_size": 262144})",
     999885952, 0, 26624},
    {R"({"architectures": ["Gemma3ForConditionalGeneration"], "boi_token_index": 255999, "mm_tokens_per_image": 256,
      "model_type": "gemma3", "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text",
      "num_hidden_layers": 34, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 1024},
      "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1152, "image_size": 896, "intermediate_size": 4304,
      "model_type": "siglip_vision_model", "num_attention_heads": 16, "num_hidden_layers": 27, "patch_size": 14}})",
     3.880e9, 0.0005, 139264},
    // Phi-2, Phi-3 mini
    {R"({"architectures": ["PhiForCausalLM"], "hidden_act": "gelu_new", "hidden_size": 2560, "intermediate_size": 10240,
      "layer_norm_eps": 1e-05, "model_type": "phi", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
      "partial_rotary_factor": 0.4, "qk_layernorm": false, "tie_word_embeddings": false, "vocab_size": 51200})",
     2779683840, 0, 327680},
    {R"({"architectures": ["Phi3ForCausalLM"], "attention_bias": false, "hidden_act": "silu", "hidden_size": 3072,
      "intermediate_size": 8192, "model_type": "phi3", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32,
      "original_max_position_embeddings": 4096, "rope_scaling": null, "sliding_window": 2047, "tie_word_embeddings": false,
      "vocab_size": 32064})",
     3821079552, 0, 393216},
    // DeepSeek V2 Lite, V3
    {R"({"architectures": ["DeepseekV2ForCausalLM"], "aux_loss_alpha": 0.001, "first_k_dense_replace": 1, "hidden_size": 2048,
      "intermediate_size": 10944, "kv_lora_rank": 512, "model_type": "deepseek_v2", "moe_intermediate_size": 1408,
      "moe_layer_freq": 1, "n_group": 1, "n_routed_experts": 64, "n_shared_experts": 2, "norm_topk_prob": false,
      "num_attention_heads": 16, "num_experts_per_tok": 6, "num_hidden_layers": 27, "num_key_value_heads": 16, "q_lora_rank": null,
      "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "tie_word_embeddings": false, "topk_method": "greedy", "v_head_dim": 128,
      "vocab_size": 102400})",
     15.7065e9, 0.0001, 31104},
    {R"({"architectures": ["DeepseekV3ForCausalLM"], "first_k_dense_replace": 3, "hidden_size": 7168, "intermediate_size": 18432,
      "kv_lora_rank": 512, "model_type": "deepseek_v3", "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 8,
      "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61,
      "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64, "quantization_config": {"fmt": "e4m3", "quant_method": "fp8", "weight_block_size": [128, 128]},
      "scoring_func": "sigmoid", "tie_word_embeddings": false, "v_head_dim": 128, "vocab_size": 129280})",
     671.025e9, 0.0001, 70272},
    // Kimi K2
    {R"({"architectures": ["DeepseekV3ForCausalLM"], "first_k_dense_replace": 1, "hidden_size": 7168, "intermediate_size": 18432,
      "kv_lora_rank": 512, "model_type": "kimi_k2", "moe_intermediate_size": 2048, "n_group": 1, "n_routed_experts": 384,
      "n_shared_experts": 1, "num_attention_heads": 64, "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 64,
      "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "tie_word_embeddings": false, "v_head_dim": 128,
      "vocab_size": 163840})",
     1026.41e9, 0.0001, 70272},
    // gpt-oss-20b
    {R"({"architectures": ["GptOssForCausalLM"], "attention_bias": true, "experts_per_token": 4, "head_dim": 64,
      "hidden_size": 2880, "initial_context_length": 4096, "intermediate_size": 2880, "layer_types": ["sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention"], "model_type": "gpt_oss",
      "num_attention_heads": 64, "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 8,
      "num_local_experts": 32, "quantization_config": {"quant_method": "mxfp4"}, "sliding_window": 128, "swiglu_limit": 7.0,
      "tie_word_embeddings": false, "vocab_size": 201088})",
     20914757184, 0, 49152},
    // GLM-4 9B (0414), GLM-4.5 Air
    {R"({"architectures": ["Glm4ForCausalLM"], "attention_bias": false, "head_dim": 128, "hidden_act": "silu", "hidden_size": 4096,
      "intermediate_size": 13696, "model_type": "glm4", "num_attention_heads": 32, "num_hidden_layers": 40,
      "num_key_value_heads": 2, "partial_rotary_factor": 0.5, "rms_norm_eps": 1e-05, "tie_word_embeddings": false,
      "vocab_size": 151552})",
     9.40e9, 0.001, 40960},
    {R"({"architectures": ["Glm4MoeForCausalLM"], "attention_bias": true, "first_k_dense_replace": 1, "head_dim": 128,
      "hidden_size": 4096, "intermediate_size": 10944, "model_type": "glm4_moe", "moe_intermediate_size": 1408, "n_group": 1,
      "n_routed_experts": 128, "n_shared_experts": 1, "num_attention_heads": 96, "num_experts_per_tok": 8, "num_hidden_layers": 46,
      "num_key_value_heads": 8, "num_nextn_predict_layers": 1, "partial_rotary_factor": 0.5, "tie_word_embeddings": false,
      "use_qk_norm": false, "vocab_size": 151552})",
     106.852e9, 0.0002, 188416},
    // Falcon 7B, 40B
    {R"({"alibi": false, "apply_residual_connection_post_layernorm": false, "architectures": ["FalconForCausalLM"], "bias": false,
      "hidden_size": 4544, "layer_norm_epsilon": 1e-05, "model_type": "falcon", "multi_query": true, "new_decoder_architecture": false,
      "num_attention_heads": 71, "num_hidden_layers": 32, "parallel_attn": true, "tie_word_embeddings": false, "vocab_size": 65024})",
     7217189760, 0, 8192},
    {R"({"alibi": false, "architectures": ["FalconForCausalLM"], "bias": false, "hidden_size": 8192, "model_type": "falcon",
      "multi_query": true, "new_decoder_architecture": true, "num_attention_heads": 128, "num_hidden_layers": 60, "num_kv_heads": 8,
      "parallel_attn": true, "tie_word_embeddings": false, "vocab_size": 65024})",
     41.83e9, 0.0005, 122880},
    // GPT-2, Pythia 12B (GPT-NeoX), GPT-J 6B, OPT 6.7B
    {R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "attn_pdrop": 0.1, "bos_token_id": 50256,
      "model_type": "gpt2", "n_ctx": 1024, "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "resid_pdrop": 0.1,
      "summary_type": "cls_index", "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}},
      "vocab_size": 50257})",
     124439808, 0, 36864},
    {R"({"architectures": ["GPTNeoXForCausalLM"], "hidden_act": "gelu", "hidden_size": 5120, "intermediate_size": 20480,
      "max_position_embeddings": 2048, "model_type": "gpt_neox", "num_attention_heads": 40, "num_hidden_layers": 36,
      "rotary_emb_base": 10000, "rotary_pct": 0.25, "tie_word_embeddings": false, "use_parallel_residual": true, "vocab_size": 50688})",
     11846072320, 0, 737280},
    {R"({"activation_function": "gelu_new", "architectures": ["GPTJForCausalLM"], "model_type": "gptj", "n_embd": 4096, "n_head": 16,
      "n_inner": null, "n_layer": 28, "n_positions": 2048, "rotary_dim": 64, "scale_attn_weights": true,
      "tie_word_embeddings": false, "vocab_size": 50400})",
     6050882784, 0, 458752},
    {R"({"_remove_final_layer_norm": false, "activation_function": "relu", "architectures": ["OPTForCausalLM"],
      "do_layer_norm_before": true, "ffn_dim": 16384, "hidden_size": 4096, "max_position_embeddings": 2048, "model_type": "opt",
      "num_attention_heads": 32, "num_hidden_layers": 32, "prefix": "</s>", "vocab_size": 50272, "word_embed_proj_dim": 4096})",
     6658473984, 0, 524288},
    // Llama 4 Scout: its language part
    {R"({"architectures": ["Llama4ForConditionalGeneration"], "model_type": "llama4", "text_config": {"attention_bias": false,
      "attention_chunk_size": 8192, "head_dim": 128, "hidden_size": 5120, "interleave_moe_layer_step": 1, "intermediate_size": 8192,
      "intermediate_size_mlp": 16384, "model_type": "llama4_text", "num_attention_heads": 40, "num_experts_per_tok": 1,
      "num_hidden_layers": 48, "num_key_value_heads": 8, "num_local_experts": 16, "tie_word_embeddings": false, "use_qk_norm": true,
      "vocab_size": 202048}, "vision_config": {"hidden_size": 1408, "num_hidden_layers": 34}})",
     107.769e9, 0.0002, 196608},
    // Command R 35B, Command R7B
    {R"({"model_type": "cohere", "hidden_size": 8192, "intermediate_size": 22528, "num_attention_heads": 64, "num_hidden_layers": 40,
      "num_key_value_heads": 64, "use_qk_norm": false, "vocab_size": 256000})",
     34980831232, 0, 1310720},
    {R"({"model_type": "cohere2", "hidden_size": 4096, "intermediate_size": 14336, "head_dim": 128, "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "sliding_window": 4096, "sliding_window_pattern": 4, "vocab_size": 256000})",
     8028033024, 0, 131072},
    // EXAONE 4.0 32B, OLMo 2 7B, StarCoder2 3B, Nemotron Mini 4B
    {R"({"model_type": "exaone4", "hidden_size": 5120, "intermediate_size": 27392, "num_attention_heads": 40, "num_hidden_layers": 64,
      "num_key_value_heads": 8, "sliding_window": 4096, "sliding_window_pattern": "LLLG", "tie_word_embeddings": false,
      "vocab_size": 102400})",
     32003216384, 0, 262144},
    {R"({"model_type": "olmo2", "hidden_size": 4096, "intermediate_size": 11008, "num_attention_heads": 32, "num_hidden_layers": 32,
      "num_key_value_heads": 32, "tie_word_embeddings": false, "vocab_size": 100352})",
     7298617344, 0, 524288},
    {R"({"model_type": "starcoder2", "hidden_size": 3072, "intermediate_size": 12288, "num_attention_heads": 24, "num_hidden_layers": 30,
      "num_key_value_heads": 2, "sliding_window": 4096, "use_bias": true, "vocab_size": 49152})",
     3030371328, 0, 30720},
    {R"({"model_type": "nemotron", "hidden_act": "relu2", "hidden_size": 3072, "intermediate_size": 9216, "head_dim": 128,
      "num_attention_heads": 24, "num_hidden_layers": 32, "num_key_value_heads": 8, "tie_word_embeddings": false, "vocab_size": 256000})",
     4.19e9, 0.001, 131072},
    // ERNIE 4.5 21B A3B: experts in layers 1 to 27, two of them shared
    {R"({"model_type": "ernie4_5_moe", "hidden_size": 2560, "intermediate_size": 12288, "num_attention_heads": 20,
      "num_hidden_layers": 28, "num_key_value_heads": 4, "head_dim": 128, "moe_num_experts": 64, "moe_k": 6,
      "moe_intermediate_size": 1536, "moe_num_shared_experts": 2, "moe_layer_start_index": 1, "moe_layer_end_index": 27,
      "moe_layer_interval": 1, "use_bias": false, "tie_word_embeddings": true, "vocab_size": 103424})",
     21.83e9, 0.001, 57344},
};

}  // namespace

TEST_CASE("a config.json of each family has its published parameters and cache", "[model]") {
  for (const Published& p : models) {
    INFO(p.config);
    CHECK(detect(p.config) == FileKind::model);  // dropped or pasted, the page knows what it is
    const Result<Model> model = parse_model(p.config);
    INFO((model ? std::string() : model.error().text()));
    REQUIRE(model);
    const double total = parameters(*model).total();
    if (p.tolerance == 0)
      CHECK(total == p.parameters);
    else
      CHECK_THAT(total, WithinRel(p.parameters, p.tolerance));
    CHECK(2 * model->layers * model->kv_elements() == p.kv_bytes);
    for (const std::string& note : model->notes) CHECK(note.find("is not known") == std::string::npos);
    // And it runs: every phase has a bounded time.
    for (const char* phase : {"prefill", "decode", "generate"}) {
      const auto request =
          parse_llm_request(R"({"model": )" + std::string(p.config) + R"(, "phase": ")" + phase + R"(", "prompt": 300, "generate": 20})");
      REQUIRE(request);
      const LlmAnswer a = answer(*request, on(*Machines::presets().find("h100-sxm")));
      CHECK(a.bound.ttft_s > 0);
      CHECK(a.bound.tpot_s > 0);
      CHECK(a.bound.tpot_s < a.bound.ttft_s);
      CHECK(!a.finding.empty());
    }
  }
}

TEST_CASE("a config.json states which layers have a window, and is refused where layers are neither attention nor gated delta nets",
          "[model]") {
  const auto config = [](const std::string& more) {
    return R"({"model_type": "cohere2", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8,
               "num_hidden_layers": 32, "vocab_size": 256000, "sliding_window": 4096)" +
           more + "}";
  };
  for (const char* pattern : {R"(, "sliding_window_pattern": 4)", R"(, "sliding_window_pattern": "LLLG")"}) {
    INFO(pattern);
    const Result<Model> model = parse_model(config(pattern));
    REQUIRE(model);
    CHECK(model->windowed_layers == 24);
    CHECK(model->window == 4096);
  }
  for (const char* other : {R"(, "attn_layer_indices": [9, 18, 27])", R"(, "hybrid_override_pattern": "M-M-M*-")",
                            R"(, "layer_types": ["mamba", "full_attention"])", R"(, "layer_types": ["linear_attention", "full_attention"])",
                            R"(, "mamba_d_state": 64)", R"(, "block_types": ["recurrent", "attention"])", R"(, "full_attn_idxs": [2, 5])",
                            R"(, "attn_type_list": [0, 0, 1])"}) {
    INFO(other);
    const Result<Model> model = parse_model(config(other));
    REQUIRE(!model);
    const std::string text = model.error().text();
    CHECK((text.find("has non-attention layers, which are not supported") != std::string::npos ||
           text.find("has layers of") != std::string::npos));
  }
}

TEST_CASE("a config.json is refused where it is an encoder's or states experts by another name, and notes windows that it cannot place",
          "[model]") {
  const auto config = [](const std::string& type, const std::string& more) {
    return R"({"hidden_size": 512, "intermediate_size": 1024, "num_attention_heads": 8, "num_hidden_layers": 4, "vocab_size": 1000,
               "model_type": ")" +
           type + '"' + more + "}";
  };
  for (const char* encoder : {"bert", "neo-bert", "neobert", "t5encoder"}) CHECK_FALSE(parse_model(config(encoder, "")));
  CHECK(parse_model(config("bert", "")).error().text().find("is not a decoder-only model") != std::string::npos);
  CHECK(parse_model(config("new", R"(, "is_encoder_decoder": true)")).error().path == "model_type");
  const Error experts = parse_model(config("new", R"(, "ffn_num_experts": 8)")).error();
  CHECK((experts.path == "ffn_num_experts" && experts.message == "unknown key for the number of experts: rename it to num_experts"));
  // A key that says 0 does not hide another.
  const auto two_keys = parse_model(config("new", R"(, "num_local_experts": 0, "num_experts": 16, "num_experts_per_tok": 2,
                                                   "moe_intermediate_size": 64)"));
  REQUIRE(two_keys);
  CHECK(two_keys->experts == 16);
  // MiniMax-M2 has attention in all layers, Qwen3.5 the format of its state.
  for (const char* same : {R"(, "attn_type_list": [1, 1, 1, 1])", R"(, "mamba_ssm_dtype": "float32", "num_experts_per_tok": 8)"})
    CHECK(parse_model(config("new", same)).has_value());
  const Result<Model> windows = parse_model(config("new", R"(, "sliding_window": 128)"));
  REQUIRE(windows);
  CHECK((windows->window == 0 && windows->windowed_layers == 0));
  CHECK(windows->notes.front().find("sets sliding_window to 128 but not the layers that use it: all layers count as full attention") !=
        std::string::npos);
  // Experts in every second layer from the third to the last but one: 3, 5 of 0 to 7.
  const Result<Model> some = parse_model(
      R"({"model_type": "ernie4_5_moe", "hidden_size": 512, "intermediate_size": 1024, "num_attention_heads": 8, "num_hidden_layers": 8,
          "vocab_size": 1000, "moe_num_experts": 4, "moe_k": 2, "moe_intermediate_size": 64, "moe_layer_start_index": 2,
          "moe_layer_end_index": 6, "moe_layer_interval": 2})");
  REQUIRE(some);
  CHECK(some->moe_layers == 2);
}

TEST_CASE("config: Gemma 4's layers without a window have heads of their own", "[llm]") {
  const auto m = parse_model(R"({"model_type": "gemma4_text", "hidden_size": 3840, "num_hidden_layers": 48, "num_attention_heads": 16,
    "num_key_value_heads": 8, "num_global_key_value_heads": 1, "head_dim": 256, "global_head_dim": 512, "attention_k_eq_v": true,
    "intermediate_size": 15360, "vocab_size": 262144, "sliding_window": 1024, "num_kv_shared_layers": 0})");
  REQUIRE(m);
  CHECK((m->windowed_layers == 40 && m->full_caches() == 8 && m->windowed_caches() == 40));
  CHECK((m->kv_elements() == 2 * 512 && m->kv_elements(true) == 2 * 8 * 256));
  CHECK(parameters(*m).by_part[static_cast<std::size_t>(WeightPart::v)] == 40. * 3840 * 8 * 256);
  CHECK(m->notes.empty());
}

TEST_CASE("config: a billion layers are refused, not listed", "[llm]") {
  const auto falcon_h1 =
      parse_model(R"({"model_type": "falcon_h1", "hidden_size": 64, "num_hidden_layers": 1000000000, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 128, "vocab_size": 100, "mamba_d_ssm": 64, "mamba_n_heads": 4, "mamba_d_head": 16,
    "mamba_d_state": 16, "mamba_n_groups": 1, "mamba_d_conv": 4})");
  REQUIRE_FALSE(falcon_h1);
  CHECK(falcon_h1.error().path == "num_hidden_layers");
}

TEST_CASE("config: windows, shared caches and lists of layers stay within the model's layers", "[llm]") {
  const auto refusal = [](const std::string& text) {
    const Result<Model> m = parse_model(text);
    return m ? "accepted" : m.error().text();
  };
  const std::string sizes =
      R"("hidden_size": 2048, "num_attention_heads": 8, "num_key_value_heads": 4, "intermediate_size": 8192, "vocab_size": 1000)";
  CHECK(refusal(R"({"model_type": "gemma3_text", "sliding_window": 512, "sliding_window_pattern": "LLLG", )" + sizes + "}")
            .find("num_hidden_layers") != std::string::npos);
  const auto nemotron = parse_model(R"({"model_type": "nemotron_h", "num_hidden_layers": 4, "mamba_num_heads": 64, "mamba_head_dim": 64,
    "n_groups": 1, "ssm_state_size": 128, "conv_kernel": 4, "sliding_window": 128, "hybrid_override_pattern": "MM*-", )" +
                                    sizes + "}");
  REQUIRE(nemotron);
  CHECK(nemotron->attention_layers() == 1);
  CHECK(nemotron->full_caches() + nemotron->windowed_caches() == 1);
  CHECK(refusal(R"({"model_type": "qwen3_next", "num_hidden_layers": 8, "linear_num_value_heads": 32, "linear_num_key_heads": 16,
    "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4, "num_kv_shared_layers": 7, )" +
                sizes + "}")
            .find("more layers have a window or share a cache than have attention") != std::string::npos);
  std::string ranges = "[0,90000]";
  for (int i = 0; i < 100; ++i) ranges += ",[0,90000]";
  CHECK(refusal(R"({"id": "x", "config": {"model_type": "llama", "num_hidden_layers": 4, )" + sizes +
                R"(}, "gguf_tensors": [{"name": "attn_q.weight", "row": 2048, "elements": 4194304, "format": "q4_k", "layers": [)" +
                ranges + "]}]}")
            .find("at most 1,048,576 tensors") != std::string::npos);
}
