// What a config.json's quantization_config says of the weights. The configurations are those of published checkpoints, shortened.
#include <roofline/llm/model.hpp>

#include "llm/model/module_regex.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

constexpr std::string_view dense =
    R"("model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
       "intermediate_size": 14336, "vocab_size": 128256, "tie_word_embeddings": false)";
constexpr std::string_view sparse =
    R"("model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4,
       "head_dim": 128, "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8,
       "vocab_size": 151936)";

Model with(std::string_view sizes, std::string_view quantisation) {
  const Result<Model> model = parse_model("{" + std::string(sizes) + ", " + std::string(quantisation) + "}");
  INFO(quantisation);
  REQUIRE(model);
  return *model;
}
std::string formats(std::string_view sizes, std::string_view quantisation) { return with(sizes, quantisation).published.text(); }
bool notes(const Model& model, std::string_view words) {
  return std::any_of(model.notes.begin(), model.notes.end(), [&](const std::string& n) { return n.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("quantization_config: linear layers have the format, embedding, head, router and norms keep theirs", "[llm]") {
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true})") ==
        "attention=int4_g128_zp,mlp=int4_g128_zp");
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true, "sym": true})") ==
        "attention=int4_g128_zp,mlp=int4_g128_zp");
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})") ==
        "attention=nf4,mlp=nf4");
  CHECK(formats(sparse, R"("quantization_config": {"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]})") ==
        "attention=fp8_e4m3,experts=fp8_e4m3");
}

TEST_CASE("quantization_config: experts alone", "[llm]") {
  CHECK(formats(sparse,
                R"("quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn",
                   "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]})") == "experts=mxfp4");
}

TEST_CASE("quantization_config: groups of compressed-tensors, and what they ignore", "[llm]") {
  constexpr std::string_view groups =
      R"("quantization_config": {"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": [IGNORED],
         "config_groups": {"group_0": {"targets": ["Linear"],
           "weights": {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": true}}}})";
  const auto ignoring = [&](std::string_view ignored) {
    std::string text(groups);
    return text.replace(text.find("IGNORED"), 7, ignored);
  };
  CHECK(formats(dense, ignoring(R"("lm_head")")) == "attention=int4_g128,mlp=int4_g128");
  CHECK(formats(dense, ignoring(R"("lm_head", "re:.*self_attn.*")")) == "mlp=int4_g128");
  CHECK(formats(dense, ignoring(R"("lm_head", "re:.*\\.down_proj$")")) == "attention=int4_g128,gate=int4_g128,up=int4_g128");
  // Two of 32 layers in 16 bits: (2 x 16 + 30 x 4.125) / 32 bits.
  const Model mixed = with(dense, ignoring(R"("model.layers.0.mlp.down_proj", "model.layers.31.mlp.down_proj")"));
  CHECK_THAT(8 * mixed.published.bytes(WeightPart::down), WithinRel((2 * 16 + 30 * 4.125) / 32, 1e-12));
  CHECK(mixed.published.text() == "published");
  CHECK(notes(with(dense, ignoring(R"("re:(?!lm_head).*")")), "patterns that are not supported: \"re:(?!lm_head).*\". Their modules use"));
}

TEST_CASE("quantization_config: Model Optimizer, whole and by module", "[llm]") {
  CHECK(formats(sparse,
                R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head", "*self_attn*"]})") ==
        "experts=nvfp4");
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
                   "*.self_attn.*": {"quant_algo": "FP8"}, "*.mlp.*": {"quant_algo": "NVFP4", "group_size": 16}}})") ==
        "attention=fp8_e4m3,mlp=nvfp4");
}

TEST_CASE("quantization_config: MLX keeps a scale and an offset per group, in the embedding, too", "[llm]") {
  const Model m = with(dense, R"("quantization": {"group_size": 64, "bits": 4})");
  for (const WeightPart part : {WeightPart::q, WeightPart::down, WeightPart::embedding, WeightPart::head})
    CHECK(8 * m.published.bytes(part) == 4.5);
  CHECK(m.published[WeightPart::norms] == no_format);
}

// Llama 3.1 8B's layers, bits per weight. The configurations are those of files of these tools.
TEST_CASE("quantization_config: methods of other tools", "[llm]") {
  const auto bits = [](std::string_view quantisation, WeightPart part = WeightPart::down) {
    const Model m = with(dense, R"("quantization_config": )" + std::string(quantisation));
    CHECK(m.notes.empty());
    return 8 * m.published.bytes(part);
  };
  constexpr auto head = WeightPart::head;
  CHECK(bits(R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64, "axis": 1},
      "scale_quant_params": null}, "skip_modules": ["lm_head"]})") == 4 + 32. / 64);
  CHECK(bits(R"({"quant_method": "exl3", "bits": 4.25, "head_bits": 6})") == 4.25);
  CHECK(bits(R"({"quant_method": "exl2", "bits": 4.25, "head_bits": 6})", head) == 6);
  CHECK(bits(R"({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3", "qscheme": "per_tensor"}},
      "exclude": ["lm_head"]})") == 8);
  constexpr std::string_view mxfp4 = R"({"quant_method": "QUARK", "exclude": ["lm_head"], "global_quant_config": {"weight":
      {"dtype": "fp4", "qscheme": "per_group", "group_size": 32, "scale_format": "e8m0"}}, "layer_quant_config": {"*q_proj": {"weight":
      {"dtype": "int8", "qscheme": "per_channel"}}}})";
  CHECK(bits(mxfp4) == 4.25);
  CHECK(bits(mxfp4, WeightPart::q) == 8);
  CHECK(bits(R"({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig", "_data": {"group_size": 64}}}})") ==
        4.5);
  CHECK(bits(R"({"quant_method": "torchao", "quant_type": "int8_dynamic_activation_int8_weight"})") == 8);
  CHECK(bits(R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})") == 4.5);
  CHECK(bits(R"({"quant_method": "gptq_marlin", "bits": 4, "group_size": 128})") == 4.15625);
  CHECK(bits(R"({"quant_method": "AWQ_MARLIN", "bits": 4, "group_size": 128, "zero_point": true})") == 4.15625);
  CHECK(bits(R"({"quant_method": "fine_grained_fp8", "weight_block_size": [128, 128]})") == 8);
  // One codebook of 2^16 vectors of 8 FP16 values per matrix is not counted.
  const Model aqlm = with(dense, R"("quantization_config": {"quant_method": "aqlm", "num_codebooks": 1, "nbits_per_codebook": 16,
      "in_group_size": 8, "out_group_size": 1})");
  CHECK(8 * aqlm.published.bytes(WeightPart::down) == 2);
  CHECK(notes(aqlm, "AQLM's codebooks, 1.05 MB of each matrix, are not counted"));
}

TEST_CASE("quantization_config: hf_quant_config.json of older versions of the Model Optimizer", "[llm]") {
  constexpr std::string_view stated = R"({"quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8", "group_size": 16,
      "exclude_modules": ["lm_head", "model.layers.*.self_attn*"]})";
  CHECK(formats(dense, R"("quantization": )" + std::string(stated)) == "mlp=nvfp4");
  CHECK(formats(dense, R"("quantization_config": {"producer": {"name": "modelopt"}, "quantization": )" + std::string(stated) + "}") ==
        "mlp=nvfp4");
}

TEST_CASE("quantization_config: a method that is not known counts as 16 bits, and says so", "[llm]") {
  const Model m = with(dense, R"("quantization_config": {"quant_method": "aqlm", "nbits_per_codebook": 16})");
  CHECK_FALSE(m.published.any());
  CHECK(notes(m, "(aqlm) is not understood: the weights count as 16 bits"));
}

TEST_CASE("quantization_config: of a multimodal model's text part", "[llm]") {
  CHECK(formats(R"("model_type": "gemma3")",
                "\"text_config\": {" + std::string(dense) + R"(, "quantization_config": {"quant_method": "gptq", "bits": 8}})") ==
        "attention=int8,mlp=int8");
}

TEST_CASE("quantization_config: MLX writes its figures twice, and modules of their own", "[llm]") {
  const Model m =
      with(dense, R"("quantization": {"group_size": 64, "bits": 4, "model.layers.0.mlp.down_proj": {"group_size": 64, "bits": 8},
                                  "lm_head": false},
                                "quantization_config": {"group_size": 64, "bits": 4})");
  CHECK(8 * m.published.bytes(WeightPart::q) == 4.5);
  CHECK_THAT(8 * m.published.bytes(WeightPart::down), WithinRel((31 * 4.5 + 8.5) / 32, 1e-12));
  CHECK(m.published[WeightPart::head] == no_format);
}

TEST_CASE("quantization_config: two formats in one class count at their mean", "[llm]") {
  const Model m = with(dense, R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
                   "model.layers.0.mlp.down_proj": {"quant_algo": "FP8"}, "*.mlp.*": {"quant_algo": "NVFP4", "group_size": 16}}})");
  CHECK(Formats::catalogue()[m.published[WeightPart::down]].id == "nvfp4");
  CHECK_THAT(8 * m.published.bytes(WeightPart::down), WithinRel((31 * 4.5 + 8) / 32, 1e-12));
}

TEST_CASE("quantization_config: modules of a multimodal model are named by their language part", "[llm]") {
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "fp8", "modules_to_not_convert": ["model.language_model.layers.0.mlp",
                   "lm_head"]})") == "published");
}

TEST_CASE("quantization_config: the names that MLX, Qwen and Llama 4 have for modules", "[llm]") {
  // Experts: gate and up at 4.5 bits, down at 8.5 with its offsets; the router is quantised, too.
  const Model mlx = with(sparse, R"("quantization": {"group_size": 64, "bits": 4,
      "model.layers.0.mlp.switch_mlp.down_proj": {"group_size": 64, "bits": 8}})");
  CHECK_THAT(8 * mlx.published.bytes(WeightPart::experts), WithinRel(4.5 + 4. / 3 / 48, 1e-12));
  CHECK(8 * mlx.published.bytes(WeightPart::router) == 4.5);
  constexpr std::string_view int4 = R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "ignore": [)";
  const std::string shared = std::string(sparse) + R"(, "shared_expert_intermediate_size": 768)";
  CHECK(formats(shared, std::string(int4) + R"("re:.*shared_expert\\.(gate|up|down)_proj$"]})") ==
        "attention=int4_g128_zp,experts=int4_g128_zp");
  CHECK(formats(dense, std::string(int4) + R"("re:.*feed_forward\\..*_proj$"]})") == "attention=int4_g128_zp");
}

TEST_CASE("quantization_config: layers without a class do not count for it", "[llm]") {
  // Experts in the last two of three layers, all of which are kept.
  const std::string sizes = R"("model_type": "deepseek_v3", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 2,
    "kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16, "intermediate_size": 128, "vocab_size": 100,
    "moe_intermediate_size": 32, "n_routed_experts": 4, "num_experts_per_tok": 2, "n_shared_experts": 1, "first_k_dense_replace": 1)";
  CHECK(formats(sizes, R"("quantization_config": {"quant_method": "fp8", "modules_to_not_convert": ["model.layers.1.mlp.experts",
      "model.layers.2.mlp.experts"]})") == "attention=fp8_e4m3,mlp=fp8_e4m3,shared_experts=fp8_e4m3");
}

TEST_CASE("quantization_config: regular expressions", "[llm]") {
  const auto kept = [](const std::string& pattern) {
    return formats(dense, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "ignore": [")" + pattern +
                              "\"]}") == "attention=int4_g128_zp";
  };
  CHECK(kept(R"(re:(.*\\.)?layers\\.\\d+\\.mlp\\.(?:gate|up|down)_proj$)"));
  CHECK(kept(R"(re:.*layers\\.([0-9]|[12]\\d|3[01])\\.mlp)"));
  CHECK(kept(R"(re:^model\\.\\w{6}\\.[^.]+\\.mlp.*?)"));
  CHECK_FALSE(kept("re:mlp"));  // from the start
  CHECK_FALSE(kept("re:.*mlp$"));
  for (const char* malformed :
       {"re:.*(mlp", "re:.*mlp)", "re:[mlp", "re:*", "re:a{2", R"(re:\\1)", "re:(?i)mlp", R"(re:[+-\\]]mlp)", "re:[z-a]"}) {
    const Model m = with(dense, R"("quantization_config": {"quant_method": "fp8", "ignore": [")" + std::string(malformed) + "\"]}");
    CHECK(notes(m, "patterns that are not supported"));
  }
  // Exponential for a matcher that backtracks, and deep.
  CHECK_FALSE(kept("re:(((.*)*)*)*(.|.)*(.|.)*(.|.)*!"));
  CHECK_FALSE(kept("re:" + std::string(4000, '(')));
  CHECK(notes(with(dense, R"("quantization_config": {"quant_method": "fp8", "ignore": ["self_atn"]})"),
              "\"self_atn\" in quantization_config matches no known module"));
}

TEST_CASE("quantization_config: targets by regular expressions, the first decides", "[llm]") {
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "compressed-tensors", "config_groups": {
      "a": {"targets": ["re:.*layers\\.\\d+\\.mlp\\.down_proj$"], "weights": {"num_bits": 4, "type": "int", "group_size": 128}},
      "b": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "int", "group_size": 128}}}})") ==
        "attention=int8_g128,gate=int8_g128,up=int8_g128,down=int4_g128");
}

TEST_CASE("quantization_config: GPTQ's and AutoRound's modules with keys of their own", "[llm]") {
  CHECK(formats(sparse, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:.*attn.*": {},
      "lm_head": {}}})") == "experts=int4_g128_zp");
  const Model m = with(dense, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true,
      "dynamic": {"+:.*down_proj": {"bits": 8}}})");
  CHECK(Formats::catalogue()[m.published[WeightPart::head]].id == "int4_g128_zp");
  CHECK(8 * m.published.bytes(WeightPart::down) == 8 + 24. / 128);
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128,
      "modules_in_block_to_quantize": [["mlp.down_proj"], ["mlp.up_proj", "mlp.gate_proj"]]})") == "mlp=int4_g128_zp");
  CHECK(formats(dense, R"("quantization_config": {"quant_method": "auto-round", "bits": 4, "group_size": 32, "data_type": "mx_fp",
      "extra_config": {"self_attn.*": {"bits": 16, "data_type": "fp"}, "lm_head": {"bits": 8}}})") == "mlp=mxfp4,head=mxfp8");
}

TEST_CASE("quantization_config: bits of scales, offsets and zero points", "[llm]") {
  const auto bits = [](std::string_view quantisation, WeightPart part = WeightPart::down) {
    return 8 * with(dense, quantisation).published.bytes(part);
  };
  // Scales of 16 bits; AWQ and GPTQ have a zero point, symmetric or not, MLX an offset of 16 bits.
  CHECK(bits(R"("quantization_config": {"quant_method": "gptq", "bits": 3, "group_size": 128, "sym": true})") == 3 + 19. / 128);
  CHECK(bits(R"("quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 64})") == 4 + 20. / 64);
  CHECK(bits(R"("quantization": {"bits": 6, "group_size": 64})", WeightPart::embedding) == 6.5);
  CHECK(bits(R"("quantization": {"bits": 8, "group_size": 32, "mode": "mxfp8"})") == 8.25);
  CHECK(bits(R"("quantization": {"bits": 4, "group_size": 32, "mode": "mxfp4", "lm_head": {"bits": 8, "group_size": 64}})",
             WeightPart::head) == 8.5);
  // bitsandbytes: an FP32 scale per 64, or 8 bits and an FP32 scale per 256 of these.
  constexpr std::string_view fp4 = R"("quantization_config": {"quant_method": "bitsandbytes", "bnb_4bit_quant_type": "fp4"})";
  CHECK(bits(fp4) == 4.5);
  CHECK(
      bits(R"("quantization_config": {"quant_method": "bitsandbytes", "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": true})") ==
      4 + (8 + 32. / 256) / 64);
  // A group of 6 bits within a mixture; one that is not understood.
  const Model mixed = with(dense, R"("quantization_config": {"quant_method": "compressed-tensors", "config_groups": {
      "a": {"targets": ["re:.*down_proj"], "weights": {"num_bits": 6, "type": "int", "group_size": 128}},
      "b": {"targets": ["re:.*up_proj"], "weights": {"num_bits": 6, "type": "float"}},
      "c": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "group_size": 128}}}})");
  CHECK(8 * mixed.published.bytes(WeightPart::down) == 6.125);
  CHECK(mixed.published[WeightPart::up] == no_format);
  CHECK(notes(mixed, "config_groups: unknown weight format of \"b\", whose"));
}

TEST_CASE("quantization_config: slow patterns end, and say so", "[llm]") {
  const std::string any = "(?:.?){1000}", slow = any + any + any + any + any + "x";
  int steps = 5000;  // each of the five groups stops when a repetition changes nothing: 64 times at most
  CHECK_FALSE(ModuleRegex::parse(slow)->matches("model.layers.10.mlp.down_proj", true, steps));
  CHECK(steps > 0);
  std::string alternatives = "(?:.";
  for (int i = 0; i < 200; ++i) alternatives += "|a";
  alternatives += ")*x";
  steps = 5000;
  CHECK_FALSE(ModuleRegex::parse(alternatives)->matches("model.layers.10.mlp.down_proj", true, steps));
  CHECK(steps == 0);
  const Model m = with(dense, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:)" +
                                  alternatives + R"(": {}}})");
  CHECK(notes(m, "take too long to match"));
  CHECK_FALSE(notes(m, "matches no known module"));
}

TEST_CASE("quantization_config: thousands of patterns are found by their prefixes", "[llm]") {
  // Expert 0's down_proj has 8 bits. To match each of the 2,400 with all modules would take more steps than there are, and leave a note.
  std::string dynamic, globs;
  for (int i = 0; i < 2400; ++i) {
    const std::string layer = std::to_string(i % 48), expert = std::to_string(i / 48);
    dynamic +=
        (i == 0 ? "\"" : ", \"") + (R"(+:model\\.layers\\.)" + layer + R"(\\.mlp\\.experts\\.)" + expert) + R"(\\.down_proj": {"bits": 8})";
    globs += (i == 0 ? "\"" : ", \"") + ("model.layers." + layer + ".mlp.experts." + expert) + ".down*\"";
  }
  const Model by_regex =
      with(sparse, R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {)" + dynamic + "}}");
  CHECK_THAT(8 * by_regex.published.bytes(WeightPart::experts), WithinRel((2 * 4.15625 + 8.1875) / 3, 1e-12));
  const Model by_glob =
      with(sparse, R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4", "exclude_modules": [)" + globs + "]}");
  CHECK_THAT(8 * by_glob.published.bytes(WeightPart::experts), WithinRel((2 * 4.5 + 16) / 3, 1e-12));
  for (const Model* m : {&by_regex, &by_glob}) CHECK(m->notes.empty());
}

TEST_CASE("quantization_config: patterns of modules that are known but not looked up, or decided before, have no note", "[llm]") {
  constexpr std::string_view int4 = R"("quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 128, )";
  for (const char* known : {R"("ignore": ["model.layers.0.mlp.experts.3.down_proj"])", R"("ignore": ["re:model\\.layers\\.48\\..*"])",
                            R"("dynamic": {"-:.*experts\\.1\\.down_proj": {}})",
                            R"("dynamic": {"-:.*mlp.*": {}, "-:.*down_proj": {}, "-:model\\.layers\\.1\\.mlp\\.experts": {}})"})
    CHECK(with(sparse, std::string(int4) + known + "}").notes.empty());
  const Model mlx = with(dense, R"("quantization": {"bits": 4, "group_size": 64, "desc_act": false, "lm_head": false})");
  CHECK(mlx.notes.empty());
  CHECK(mlx.published[WeightPart::head] == no_format);
  CHECK(notes(with(sparse, std::string(int4) + R"("ignore": ["re:model\\.layers\\.4\\.mpl"]})"), "matches no known module"));
}

TEST_CASE("quantization_config: one note for many patterns or groups that are not supported", "[llm]") {
  const std::string longer = "re:(?!" + std::string(600, 'x') + ")";
  const std::string ignored = R"(")" + longer + R"x(", "re:(?!a)", "re:(?!b)")x";
  const Model m =
      with(dense, R"("quantization_config": {"quant_method": "compressed-tensors", "ignore": [)" + ignored + R"(], "config_groups": {
      "a": {"targets": ["re:.*up_proj"], "weights": {"num_bits": 6, "type": "float"}},
      "b": {"targets": ["re:.*down_proj"], "weights": {"num_bits": 6, "type": "float"}},
      "c": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "group_size": 128}}}})");
  CHECK(m.notes.size() == 2);
  CHECK(notes(m, "\" and 2 more. Their modules"));
  CHECK(notes(m, "\"a\" and 1 more, whose"));
  for (const std::string& note : m.notes) CHECK(note.size() < 200);
}
