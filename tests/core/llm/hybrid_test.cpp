// Models with several kinds of layers: gated delta nets, sparse attention, and the sizes of their caches.
#include <cmath>
#include <fstream>
#include <map>
#include <roofline/llm/inference.hpp>
#include <roofline/llm/quantize.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

constexpr double mib = 1024 * 1024;

const Model& preset(std::string_view id) {
  const Model* model = Models::presets().find(id);
  INFO(id);
  REQUIRE(model);
  return *model;
}

LlmSetup setup(std::string_view model, std::string_view kv = "fp16") {
  LlmSetup s;
  s.model = preset(model);
  s.formats = {format("fp16"), format("fp16"), format(kv)};
  return s;
}

Scenario on_a_card() { return roofline::on(*Machines::presets().find("rtx-4090")); }

/// One occurrence of an operator.
LlmRow row(const LlmPlan& plan, const LlmPass& pass, LlmOp op) {
  LlmRows rows;
  plan.evaluate(pass, rows);
  for (LlmRow r : rows.rows()) {
    if (r.op != op) continue;
    for (double* v : {&r.matrix_flops, &r.vector_flops, &r.weight, &r.activation, &r.output, &r.kv_read, &r.kv_write, &r.bytes})
      *v /= r.count;
    return r;
  }
  FAIL("no such row: " << info(op).id);
  return {};
}

double total(std::string_view id) { return parameters(preset(id)).total(); }

double active(std::string_view id) { return parameters(preset(id)).active() - parameters(preset(id)).embedding; }

/// Of the layer that predicts one more token: a layer with attention, the product that joins two tokens, and three norms.
double predicting_layer(std::string_view id) {
  Model one = preset(id), none = one;
  for (Model* m : {&one, &none}) m->recurrent.layers = m->attention_free_layers = 0;
  one.layers = one.moe_layers = one.index_layers = 1;
  none.layers = none.moe_layers = none.index_layers = 0;
  return parameters(one).total() - parameters(none).total() + 2 * one.hidden * one.hidden + 3 * one.hidden;
}

/// Configs as their publishers have them on huggingface.co, of what counts here.
Model hybrid(const std::string& config) {
  const Result<Model> model = parse_model(config);
  INFO(config << (model ? "" : model.error().text()));
  REQUIRE(model);
  return *model;
}
Model granite_h_tiny() {
  std::string types;
  for (int i = 0; i < 40; ++i) types += i % 10 == 5 ? ",\"attention\"" : ",\"mamba\"";
  return hybrid(R"({"model_type": "granitemoehybrid", "hidden_size": 1536, "num_hidden_layers": 40, "num_attention_heads": 12,
    "num_key_value_heads": 4, "intermediate_size": 512, "shared_intermediate_size": 1024, "num_local_experts": 64,
    "num_experts_per_tok": 6, "mamba_n_heads": 48, "mamba_d_head": 64, "mamba_d_state": 128, "mamba_n_groups": 1, "mamba_d_conv": 4,
    "vocab_size": 100352, "tie_word_embeddings": true, "position_embedding_type": "nope", "layer_types": [)" +
                types.substr(1) + "]}");
}
Model nemotron_h(const char* pattern, const char* sizes) {
  return hybrid(std::string(R"({"model_type": "nemotron_h", "num_hidden_layers": 52, "num_attention_heads": 32, "head_dim": 128,
    "mamba_head_dim": 64, "n_groups": 8, "ssm_state_size": 128, "conv_kernel": 4, "use_conv_bias": true, "mamba_proj_bias": false,
    "vocab_size": 131072, "hybrid_override_pattern": ")") +
                pattern + "\", " + sizes + "}");
}
Model nemotron_h_8b() {
  return nemotron_h("M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M*-M-M-M-M-M-",
                    R"("hidden_size": 4096, "num_key_value_heads": 8, "intermediate_size": 21504, "mamba_num_heads": 128)");
}
Model falcon_h1(const std::string& more = {}) {
  return hybrid(R"({"model_type": "falcon_h1", "hidden_size": 1024, "num_hidden_layers": 36, "num_attention_heads": 8,
    "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 2048, "mamba_n_heads": 24, "mamba_d_head": 64, "mamba_d_state": 128,
    "mamba_n_groups": 1, "mamba_d_conv": 4, "mamba_rms_norm": false, "vocab_size": 32784)" +
                more + "}");
}
Model mamba2() {
  return hybrid(
      R"({"model_type": "mamba2", "hidden_size": 2560, "num_hidden_layers": 64, "num_heads": 80, "head_dim": 64, "state_size": 128,
    "n_groups": 1, "conv_kernel": 4, "use_conv_bias": true, "use_bias": false, "vocab_size": 50288, "tie_word_embeddings": true})");
}
Model lfm2() {
  return hybrid(R"({"model_type": "lfm2", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32, "num_key_value_heads": 8,
    "block_ff_dim": 12288, "conv_L_cache": 3, "conv_bias": false, "full_attn_idxs": [2, 5, 8, 10, 12, 14], "vocab_size": 65536})");
}

}  // namespace

TEST_CASE("parameter counts of hybrids equal the published ones", "[model]") {
  // The tensors of its GGUF file: GGUF Tool Suite, commit 384c1f85.
  CHECK(total("qwen3.5-35b-a3b") == 34660610688);
  // The Hub's totals, with the layer that predicts a further token: github.com/debaditc/kvfit, commit bd4ccab.
  CHECK(total("qwen3-next-80b-a3b") + predicting_layer("qwen3-next-80b-a3b") == 81324862720);
  CHECK(total("glm-5.3") + predicting_layer("glm-5.3") == 753329940480);
  // Billions: github.com/ggml-org/Llama-macOS, pull request 63; huggingface.co/docs/transformers/model_doc/glm_moe_dsa.
  CHECK_THAT(total("qwen3.5-4b") / 1e9, WithinAbs(4.21, 0.005));
  CHECK_THAT(total("qwen3.5-9b") / 1e9, WithinAbs(8.96, 0.01));
  CHECK_THAT(total("qwen3.5-27b") / 1e9, WithinAbs(26.9, 0.05));
  CHECK_THAT(total("qwen3.5-397b-a17b") / 1e9, WithinAbs(397, 1));
  CHECK_THAT(total("glm-5") / 1e9, WithinAbs(744, 0.5));
  // Billions in all and for a token, without the embedding, as their publishers say.
  CHECK_THAT(total("minimax-m2.5") / 1e9, WithinAbs(230, 2));
  CHECK_THAT(active("minimax-m2.5") / 1e9, WithinAbs(10, 0.5));
  CHECK_THAT(active("qwen3.5-397b-a17b") / 1e9, WithinAbs(17, 1));
  CHECK_THAT(active("glm-5") / 1e9, WithinAbs(40, 1));
  CHECK(total("kimi-k2.5") == total("kimi-k2"));
  CHECK(total("deepseek-v3.2") - total("deepseek-v3") == 61 * (1536 * 64 * 128 + 7168 * 128 + 7168 * 64 + 2 * 128));
}

// By hand from the configs, with the routers' biases (23 x 128, 22 x 32) apart. LFM2 1.2B's is that of its model card
// (huggingface.co/LiquidAI/LFM2-1.2B, 2026-11).
TEST_CASE("parameter counts of models with Mamba-2 or short convolutions", "[model]") {
  const auto total = [](const Model& m) { return parameters(m).total(); };
  CHECK(total(granite_h_tiny()) == 6939037248);
  CHECK(total(nemotron_h_8b()) == 8100852736);
  CHECK(total(nemotron_h("MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
                         R"("hidden_size": 2688, "num_key_value_heads": 2, "intermediate_size": 1856, "mamba_num_heads": 64,
                            "n_routed_experts": 128, "num_experts_per_tok": 6, "moe_intermediate_size": 1856, "n_shared_experts": 1,
                            "moe_shared_expert_intermediate_size": 3712)")) == 31577937344 + 23 * 128);
  CHECK(total(falcon_h1()) == 521411104);
  CHECK(total(mamba2()) == 2702599680);
  CHECK(total(lfm2()) == 1170340608);
  CHECK(total(hybrid(R"({"model_type": "lfm2_moe", "hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 32,
    "num_key_value_heads": 8, "intermediate_size": 7168, "moe_intermediate_size": 1792, "num_dense_layers": 2, "num_experts": 32,
    "num_experts_per_tok": 4, "conv_L_cache": 3, "full_attn_idxs": [2, 6, 10, 14, 18, 21], "vocab_size": 65536})")) ==
        8339929856 + 22 * 32);
}

TEST_CASE("cache, state, operators and tensors of models with Mamba-2 or short convolutions", "[llm]") {
  struct Case {
    Model model;
    double kv_per_token, state;  // elements
  };
  const Scenario scenario = on_a_card();
  for (const auto& [model, kv_per_token, state] :
       {Case{granite_h_tiny(), 4 * 2 * 4 * 128, 36 * (128 * 3072 + 3 * 3328)},
        Case{nemotron_h_8b(), 4 * 2 * 8 * 128, 24 * (128 * 8192 + 3 * 10240)},
        Case{falcon_h1(), 36 * 2 * 2 * 64, 36 * (128 * 1536 + 3 * 1792)}, Case{mamba2(), 0, 64 * (128 * 5120 + 3 * 5376)},
        Case{lfm2(), 6 * 2 * 8 * 64, 10 * 2 * 2048}}) {
    INFO(model.family);
    LlmSetup s;
    s.model = model;
    s.formats = {format("fp16"), format("fp16"), format("fp16")};
    const LlmPlan plan(s, scenario);
    CHECK(plan.kv_bytes_per_token() == 2 * kv_per_token);
    CHECK(plan.state_bytes(3) == 3 * 4 * state);  // FP32, as llama.cpp keeps it
    CHECK(plan.kv_bytes_per_machine(1, 1000) == 2000 * kv_per_token + 4 * state);
    const Parameters p = parameters(model);
    CHECK_THAT(plan.weight_bytes(), WithinRel(2 * p.total(), 1e-12));
    // Enough tokens for every expert: each weight but the embedding's is read once.
    LlmRows rows;
    plan.evaluate(LlmPass::decode_step(4096, 100), rows);
    double weights = 0;
    for (const LlmRow& r : rows.rows()) weights += r.op == LlmOp::embed ? 0 : r.weight;
    CHECK_THAT(weights, WithinRel(p.total() - (model.tied ? 0 : p.embedding), 1e-12));
    const auto listed = mixture(model, "F16", true);
    REQUIRE(listed);
    double elements = 0;
    for (const GgufTensor& tensor : listed->tensors) elements += tensor.elements;
    CHECK(elements == p.total());
  }
  for (double layer = 0; layer < 40; ++layer) CHECK_FALSE(granite_h_tiny().has_window(layer));
  // llama-quantize counts the tensors of attention's values: of four, the last and, of each three behind the first eighth, the third.
  const Result<Mixture> mixed = mixture(nemotron_h_8b(), "Q4_K_M", true);
  REQUIRE(mixed);
  std::string with_more_bits;
  for (const GgufTensor& tensor : mixed->tensors)
    if (tensor.name.ends_with("attn_v.weight") && tensor.format == format("q6_k")) with_more_bits += ' ' + std::to_string(tensor.layer);
  CHECK(with_more_bits == " 29 40");
  const WeightFormats formats =
      falcon_h1(R"(, "quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head", "*mamba*"]})")
          .published;
  CHECK((formats[WeightPart::q] == format("nvfp4") && formats[WeightPart::linear] == no_format));
  const Model nemotron = nemotron_h_8b();  // M-M-M-M*-
  CHECK((nemotron.has_recurrent(0) && nemotron.has_mlp(1) && nemotron.has_attention(7) && nemotron.has_mlp(8)));
  CHECK((!nemotron.has_mlp(0) && !nemotron.has_recurrent(1) && !nemotron.has_attention(1) && !nemotron.has_mlp(7)));
  CHECK_FALSE(parse_model(R"({"model_type": "nemotron_h", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 64, "mamba_head_dim": 8, "mamba_num_heads": 2, "ssm_state_size": 8, "vocab_size": 64,
    "hybrid_override_pattern": "MX"})"));
}

// Dao, Gu, Transformers are SSMs (2024), equation 1; by hand, for 48 heads of 64 with a state of 128 and one group, in four layers of ten.
TEST_CASE("work of Mamba-2 and of a short convolution", "[llm]") {
  LlmSetup s;
  s.model = granite_h_tiny();
  s.formats = {format("fp16"), format("fp16"), format("fp16")};
  const Scenario scenario = on_a_card();
  const LlmPlan plan(s, scenario);
  const double state = 48 * 64 * 128;
  for (const LlmPass& pass : {LlmPass::decode_step(3, 5000), LlmPass::prefill(3, 70, 70)}) {
    const double tokens = pass.batch * pass.query;
    const LlmRow scan = row(plan, pass, LlmOp::ssm_scan);
    CHECK(scan.count == 36);
    // The outer product of the input and B, and the state times C: a product and a sum per element each.
    CHECK(scan.matrix_flops == tokens * 2 * 2 * state);
    // The decay of each element; the step, and a product and a sum with D, of each value.
    CHECK(scan.vector_flops == tokens * (state + 3 * 48 * 64));
    CHECK((scan.kv_read == 3 * state && scan.kv_write == 3 * state));
    CHECK(plan.rates(LlmOp::ssm_scan).kv == 4);
    CHECK(row(plan, pass, LlmOp::short_conv).vector_flops == tokens * 3328 * (2 * 4 + 4));
    CHECK(row(plan, pass, LlmOp::linear_in_proj).matrix_flops == 2 * tokens * 1536 * (2 * 3072 + 2 * 128 + 48));
    CHECK(row(plan, pass, LlmOp::residual).count == 80);
  }
  LlmSetup conv = s;
  conv.model = lfm2();
  const LlmPlan of_lfm2(conv, scenario);
  const LlmPass pass = LlmPass::decode_step(2, 100);
  CHECK(row(of_lfm2, pass, LlmOp::short_conv).vector_flops == 2 * 2048 * (2 * 3 + 2));  // the convolution, and a gate before and behind it
  CHECK(row(of_lfm2, pass, LlmOp::linear_in_proj).matrix_flops == 2 * 2 * 2048 * 3.0 * 2048);
  // Both mixers of Falcon-H1, and its MLP, add to the residual stream.
  conv.model = falcon_h1();
  CHECK(row(LlmPlan(conv, scenario), pass, LlmOp::residual).count == 3 * 36);
}

// github.com/lmstudio-ai/lmstudio-bug-tracker, issue 1862: llama.cpp's log of Qwen3.6-27B with 262,144 cells and four sequences.
TEST_CASE("cache and recurrent state of Qwen3.6-27B are llama.cpp's to the byte", "[llm]") {
  const LlmSetup s = setup("qwen3.6-27b");
  const Scenario scenario = on_a_card();
  const LlmPlan plan(s, scenario);
  CHECK(plan.kv_bytes(1, 262144) == 16384 * mib);
  CHECK(plan.kv_bytes(4, 65536) == 16384 * mib);
  CHECK(plan.state_bytes(4) == 598.5 * mib);
  CHECK(plan.kv_bytes_per_machine(4, 65536) == (16384 + 598.5) * mib);
}

// github.com/Luce-Org/lucebox, pull request 21: Qwen3.5-27B, measured.
TEST_CASE("a cache in blocks takes its bits and its scales", "[llm]") {
  const Scenario scenario = on_a_card();
  const LlmSetup q4 = setup("qwen3.5-27b", "q4_0"), q8 = setup("qwen3.5-27b", "q8_0");
  const LlmPlan plan4(q4, scenario), plan8(q8, scenario);
  CHECK(plan4.kv_bytes(1, 65536) == 1152 * mib);
  CHECK(plan4.kv_bytes(1, 131072) == 2304 * mib);
  CHECK(plan8.kv_bytes(1, 131072) == 8192 * mib * 8.5 / 16);
  CHECK(plan4.state_bytes(1) == plan8.state_bytes(1));  // never quantised

  // github.com/GenerelSchwerz/llama.cpp, pull request 4: without the FP16 copy, the buffer is 972 MiB smaller at 245,760 tokens.
  CHECK(plan4.kv_copy_bytes(1, 245760) == 960 * mib);
  CHECK(plan8.kv_copy_bytes(1, 245760) == 960 * mib);
  const LlmSetup fp16 = setup("qwen3.5-27b"), fp8 = setup("qwen3.5-27b", "fp8_e4m3");
  CHECK(LlmPlan(fp16, scenario).kv_copy_bytes(1, 245760) == 0);
  CHECK(LlmPlan(fp8, scenario).kv_copy_bytes(1, 245760) == 0);
}

// KiB per token: github.com/ggml-org/Llama-macOS, pull request 63.
TEST_CASE("only layers with attention have a cache that grows", "[llm]") {
  const Scenario scenario = on_a_card();
  const auto kib_per_token = [&](std::string_view id) {
    const LlmSetup s = setup(id);
    return LlmPlan(s, scenario).kv_bytes_per_token() / 1024;
  };
  CHECK(kib_per_token("qwen3.5-4b") == 32);
  CHECK(kib_per_token("qwen3.5-9b") == 32);
  CHECK(kib_per_token("qwen3.5-27b") == 64);
  CHECK(kib_per_token("qwen3.5-35b-a3b") == 20);
  CHECK(kib_per_token("qwen3.5-397b-a17b") == 30);
  // 576 elements of the latent in 16 bits, and 132 bytes of the indexer, in each of 61 layers.
  CHECK(kib_per_token("deepseek-v3.2") * 1024 == 61 * (576 * 2 + 132));
  CHECK(kib_per_token("glm-5.3") * 1024 == 78 * 576 * 2 + 21 * 132);
}

// Yang, Kautz, Hatamizadeh, Gated Delta Networks (2024), equation 10. By hand, for Qwen3.5-27B: 48 value heads of 128 x 128, 16 key heads.
TEST_CASE("work of a gated delta net", "[llm]") {
  const LlmSetup s = setup("qwen3.5-27b");
  const Scenario scenario = on_a_card();
  const LlmPlan plan(s, scenario);
  const double state = 48 * 128 * 128;
  for (const LlmPass& pass : {LlmPass::decode_step(3, 5000), LlmPass::prefill(3, 70, 70)}) {
    const double tokens = pass.batch * pass.query;
    const LlmRow delta = row(plan, pass, LlmOp::gated_delta);
    CHECK(delta.count == 48);
    // The state times the key, the correction's outer product, and the state times the query: a product and a sum per element each.
    CHECK(delta.matrix_flops == tokens * 3 * 2 * state);
    // The decay; the difference and the rate of each value; L2 norms of queries and keys, 4 per element.
    CHECK(delta.vector_flops == tokens * (state + 2 * 48 * 128 + 4 * 2 * 16 * 128));
    CHECK(delta.kv_read == 3 * state);  // once per sequence, however many tokens
    CHECK(delta.kv_write == 3 * state);
    CHECK(plan.rates(LlmOp::gated_delta).kv == 4);
    const LlmRow conv = row(plan, pass, LlmOp::short_conv);
    CHECK(conv.kv_read == 3 * 3 * 10240);
    CHECK(conv.vector_flops == tokens * 10240 * (2 * 4 + 4));
    CHECK(row(plan, pass, LlmOp::linear_in_proj).matrix_flops == 2 * tokens * 5120 * (10240 + 6144 + 48 + 48));
    CHECK(row(plan, pass, LlmOp::linear_out_proj).matrix_flops == 2 * tokens * 6144 * 5120);
    CHECK(row(plan, pass, LlmOp::q_proj).matrix_flops == 2 * tokens * 5120 * 2 * 24 * 256);  // with the output's gate
    CHECK(row(plan, pass, LlmOp::q_proj).count == 16);
    CHECK(row(plan, pass, LlmOp::attention_gate).output == tokens * 24 * 256);
  }
  // A decode step is one product per weight: twice the parameters but the embedding's, norms and convolutions apart.
  LlmRows rows;
  plan.evaluate(LlmPass::decode_step(1, 1), rows);
  double weights = 0;
  for (const LlmRow& r : rows.rows())
    if (r.weight > 0 && r.matrix_flops > 0 && r.op != LlmOp::gated_delta) weights += r.weight;
  const Parameters p = parameters(s.model);
  CHECK(weights == p.total() - p.embedding - p.by_part[static_cast<std::size_t>(WeightPart::norms)]);
}

TEST_CASE("tensor parallelism shares the heads of a gated delta net", "[llm]") {
  LlmSetup s = setup("qwen3.5-27b");
  s.tp = 4;
  const Scenario scenario = on_a_card();
  const LlmPlan plan(s, scenario);
  CHECK(row(plan, {1, 1, 100, true}, LlmOp::gated_delta).kv_read == 12 * 128 * 128);
  CHECK(plan.kv_bytes_per_machine(1, 0) == plan.state_bytes(1) / 4);
}

// DeepSeek-V3.2-Exp's report, section 2.1; by hand: 64 heads of 128 score every key, and 128 heads attend to 2,048 of them.
TEST_CASE("work of sparse attention", "[llm]") {
  const LlmSetup s = setup("deepseek-v3.2");
  const Scenario scenario = on_a_card();
  const LlmPlan plan(s, scenario);
  const LlmPass decode = {2, 1, 32768, true};
  const LlmRow scores = row(plan, decode, LlmOp::index_scores);
  CHECK(scores.matrix_flops == 2 * 32768.0 * 2 * 64 * 128);
  CHECK(scores.kv_read * plan.rates(LlmOp::index_scores).kv == 2 * 32768.0 * 132);
  CHECK(row(plan, decode, LlmOp::index_proj).kv_write == 2 * 132);
  CHECK(row(plan, decode, LlmOp::index_proj).weight == 1536 * 64 * 128 + 7168 * 128 + 7168 * 64);
  const LlmRow attention = row(plan, decode, LlmOp::attention);
  CHECK(attention.matrix_flops == 2 * 2.0 * 128 * 2048 * (576 + 512));
  CHECK(attention.kv_read == 2 * 2048 * 576);
  // Up to as many keys as are chosen, attention is DeepSeek-V3's.
  const LlmSetup dense = setup("deepseek-v3");
  CHECK(row(plan, {1, 1, 2048, true}, LlmOp::attention).flops == row(LlmPlan(dense, scenario), {1, 1, 2048, true}, LlmOp::attention).flops);
  // A prompt: each token attends to at most 2,048 keys, and the indexer scores all before it.
  const LlmPass prefill = {1, 4096, 4096, false};
  double pairs = 0;
  for (int token = 1; token <= 4096; ++token) pairs += std::min(token, 2048);
  CHECK(row(plan, prefill, LlmOp::attention).matrix_flops == 2 * 128.0 * pairs * (576 + 512));
  CHECK(row(plan, prefill, LlmOp::index_scores).matrix_flops == 4096.0 * 4097 / 2 * 2 * 64 * 128);
}

TEST_CASE("a generation of a hybrid is the sum of its steps", "[llm]") {
  const Scenario scenario = on_a_card();
  for (const char* id : {"deepseek-v3.2", "qwen3.5-35b-a3b", "glm-5.3"})
    for (const double query : {1.0, 3.0}) {
      INFO(id << ", " << query << " queries");
      const LlmSetup s = setup(id);
      const LlmPlan plan(s, scenario);
      const double first = 2040, last = query > 1 ? 6300 : 2100;
      LlmRows sum, closed, step;
      sum.clear();
      closed.clear();
      for (double context = first; context <= last; ++context) {
        plan.evaluate(LlmPass::decode_step(2, context, query), step);
        sum.add(step, 1);
      }
      plan.decode_range(2, query, first, last, 1, closed);
      CHECK_THAT(closed.total.flops, WithinRel(sum.total.flops, 1e-12));
      CHECK_THAT(closed.total.bytes, WithinRel(sum.total.bytes, 1e-12));
      CHECK_THAT(closed.total.predicted_s, WithinRel(sum.total.predicted_s, 1e-12));
      CHECK_THAT(closed.total.typical_s, WithinRel(sum.total.typical_s, 1e-12));
    }
}

// The real table of tensors of a GGUF file: GGUF Tool Suite, commit 384c1f85.
TEST_CASE("the tensors of Qwen3.5-35B-A3B are those of its file", "[llm]") {
  const auto listed = mixture(preset("qwen3.5-35b-a3b"), "F16", true);
  REQUIRE(listed);
  double elements = 0;
  std::map<std::string, double> ours;
  for (const GgufTensor& tensor : listed->tensors) elements += ours[tensor.name] = tensor.elements;
  CHECK(elements == 34660610688);
  std::ifstream table("../shared/samples/models/kld/Qwen3.5-35B-A3B.tensors.bf16.tsv");
  if (!table) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  std::size_t lines = 0;
  for (std::string line; std::getline(table, line); ++lines) {
    const std::string name = line.substr(0, line.find('\t'));
    const std::size_t at = line.find("elements=");
    INFO(name);
    REQUIRE(at != std::string::npos);
    CHECK(ours[name] == std::stod(line.substr(at + 9)));
  }
  CHECK(lines == listed->tensors.size());
}
