// The mixtures of llama-quantize against published sizes.
#include <roofline/llm/quantize.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

Mixture mixed(std::string_view model, std::string_view name, bool imatrix = true) {
  const Model* found = Models::presets().find(model);
  INFO(model << " " << name);
  REQUIRE(found);
  const Result<Mixture> out = mixture(*found, name, imatrix);
  REQUIRE(out);
  return *out;
}

std::string format_of(const Mixture& mixture, std::string_view tensor) {
  for (const GgufTensor& t : mixture.tensors)
    if (t.name == tensor) return Formats::catalogue()[t.format].id;
  return "";
}

}  // namespace

// Tensor bytes of the published files (github.com/ggml-org/llama.cpp, tools/quantize/README.md, and the files' own headers).
TEST_CASE("quantize: tensor bytes of Llama 3.1 8B in each published mixture", "[llm]") {
  const struct {
    const char* name;
    double bytes;
  } published[] = {{"Q2_K", 3171295488}, {"Q3_K_M", 4011081984}, {"Q4_K_S", 4684833024},  {"Q4_K_M", 4912898304}, {"Q5_K_M", 5725151488},
                   {"Q6_K", 6588170496}, {"Q8_0", 8532934912},   {"IQ2_XXS", 2391376128}, {"IQ3_M", 3776987392}};
  for (const auto& [name, bytes] : published) {
    INFO(name);
    CHECK(mixed("llama-3.1-8b", name).bytes() == bytes);
  }
  double elements = 0;
  for (const GgufTensor& t : mixed("llama-3.1-8b", "Q4_K_M").tensors) elements += t.elements;
  CHECK(elements == 8030261312);
}

TEST_CASE("quantize: a tied head is Q6_K as a head is", "[llm]") {
  const Mixture qwen = mixed("qwen3-4b", "Q4_K_M");
  CHECK(qwen.bytes() == 2491323904);
  CHECK(format_of(qwen, "token_embd.weight") == "q6_k");
  CHECK(format_of(qwen, "output.weight").empty());
}

TEST_CASE("quantize: rows that a block does not divide fall back", "[llm]") {
  // gpt-oss' rows of 2,880 elements are no multiple of 256.
  const Mixture oss = mixed("gpt-oss-20b", "Q4_K_M");
  CHECK(format_of(oss, "blk.3.attn_q.weight") == "q5_0");
  CHECK(format_of(mixed("gpt-oss-20b", "IQ4_XS"), "blk.3.attn_q.weight") == "iq4_nl");
  // Qwen2.5 0.5B has rows of 896, and of 4,864 = 19 x 256 in ffn_down. Its tied head would be in Q6_K.
  const Mixture qwen = mixed("qwen2.5-0.5b", "Q4_K_M");
  CHECK(qwen.fallback.find("have rows of 896 elements: Q5_0 instead of Q4_K") != std::string::npos);
  CHECK(qwen.fallback.find("token_embd and attn_v have rows of 896 elements: Q8_0 instead of Q6_K") != std::string::npos);
  CHECK(qwen.fallback.find("ffn_down") == std::string::npos);
  CHECK(mixed("qwen3-4b", "Q4_K_M").fallback.empty());
  const Result<LlmRequest> r = parse_llm_request(R"({"model": "qwen2.5-0.5b", "weights": "Q4_K_M"})");
  REQUIRE(r);
  CHECK(r->setup.model.notes.back() == "Q4_K_M: " + qwen.fallback + ".");
  const std::vector<QuantizedChoice> choices =
      quantized_choices(*parse_llm_request(R"({"model": "qwen2.5-0.5b"})"), Scenario::standard(), true);
  CHECK(quantize_table(choices).find("Q4_K_M: " + qwen.fallback) != std::string::npos);
  CHECK(quantize_json(*r, Scenario::standard(), true, choices).find("\"fallback\"") != std::string::npos);
  // Norms, biases and the router stay as they are.
  CHECK(format_of(oss, "blk.3.attn_norm.weight") == "fp32");
  CHECK(format_of(oss, "blk.3.ffn_gate_inp.weight") == "fp32");
}

TEST_CASE("quantize: only gate and up projections are smaller in the middle of IQ3_XS", "[llm]") {
  // DeepSeek V3 has 61 layers, the first 3 dense: layers 7 to 52 are between the eighths.
  const Mixture deepseek = mixed("deepseek-v3", "IQ3_XS");
  CHECK(format_of(deepseek, "blk.30.ffn_gate_exps.weight") == "iq3_xxs");
  CHECK(format_of(deepseek, "blk.30.ffn_up_shexp.weight") == "iq3_xxs");
  CHECK(format_of(deepseek, "blk.30.attn_v_b.weight") == "iq3_s");
  CHECK(format_of(deepseek, "blk.53.ffn_gate_exps.weight") == "iq3_s");
  CHECK(format_of(mixed("glm-5", "IQ3_XS"), "blk.30.indexer.attn_q_b.weight") == "iq3_s");
}

TEST_CASE("quantize: two-bit mixtures count down projections, others their layers", "[llm]") {
  // An eighth of 61 is 7. Layers 3 and on have two down projections, of the experts and of the shared one.
  const Mixture deepseek = mixed("deepseek-v3", "IQ2_XXS");
  CHECK(format_of(deepseek, "blk.4.ffn_down_shexp.weight") == "q2_k");
  CHECK(format_of(deepseek, "blk.5.ffn_down_exps.weight") == "iq2_xxs");
  CHECK(format_of(mixed("deepseek-v3", "Q2_K_S"), "blk.6.ffn_down_exps.weight") == "q4_k");
}

TEST_CASE("quantize: an importance matrix changes some mixtures", "[llm]") {
  CHECK(mixed("llama-3.1-8b", "IQ4_XS", true).bytes() < mixed("llama-3.1-8b", "IQ4_XS", false).bytes());
  CHECK(mixed("llama-3.1-8b", "Q4_K_M", true).bytes() == mixed("llama-3.1-8b", "Q4_K_M", false).bytes());
}

TEST_CASE("quantize: each part's mean width gives the tensors' bytes", "[llm]") {
  for (const char* model : {"llama-3.1-8b", "mixtral-8x7b", "deepseek-v2-lite", "phi-3-mini", "gemma-3-4b", "qwen3-30b-a3b", "gpt-oss-20b",
                            "qwen2.5-7b", "gpt-2"})
    for (const std::string& name : mixture_names()) {
      INFO(model << " " << name);
      const Mixture mixture = mixed(model, name);
      const WeightFormats weights = mixture.weights();
      CHECK(weights.text() == name);
      const Parameters p = parameters(*Models::presets().find(model));
      double bytes = p.expert_biases * weights.bytes(WeightPart::norms);
      for (std::size_t i = 0; i < weight_parts; ++i) bytes += p.by_part[i] * weights.bytes(static_cast<WeightPart>(i));
      CHECK_THAT(bytes, WithinRel(mixture.bytes(), 1e-12));
    }
}

TEST_CASE("quantize: the tensors of a file are the model's parameters", "[llm]") {
  for (const Model& model : Models::presets().all()) {
    INFO(model.id);
    const Result<Mixture> file = mixture(model, "F16", true);
    REQUIRE(file);
    double elements = 0;
    for (const GgufTensor& t : file->tensors) elements += t.elements;
    CHECK(elements - model.rope_factors == parameters(model).total());
  }
}

TEST_CASE("quantize: a request takes a mixture, and its bytes move", "[llm]") {
  const Result<LlmRequest> r = parse_llm_request(R"({"model": "llama-3.1-8b", "weights": "Q4_K_M"})");
  REQUIRE(r);
  CHECK(r->setup.formats.weights.text() == "Q4_K_M");
  // The tables of rotary factors, 4 bytes x 64, are in the file, too.
  CHECK_THAT(LlmPlan(r->setup, Scenario::standard()).weight_bytes(), WithinAbs(4912898304, 1));
  const Result<Mixture> unknown = mixture(r->setup.model, "Q4_K_N", true);
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().message.find("unknown mixture \"Q4_K_N\"") == 0);
}

// presets/quality/gguf.json: Q6_K is one type throughout but for norms.
TEST_CASE("quantize: an alias has its own measurements, or none", "[llm]") {
  const auto q6 = [](const std::string& model) {
    const Result<LlmRequest> r = parse_llm_request("{\"model\": \"" + model + "\"}");
    REQUIRE(r);
    return divergence(r->setup.model, mixed("qwen3.5-27b", "Q6_K"), true);
  };
  CHECK(q6("qwen3.5-27b").basis == DivergenceBasis::measured);
  CHECK(q6("qwen3.8-27b").basis == DivergenceBasis::measured);
  CHECK(q6("Qwen/Qwen3.8-27B").kld < 0.8 * q6("qwen3.5-27b").kld);
  const Result<LlmRequest> other = parse_llm_request(R"({"model": "qwen3.6-35b-a3b"})");
  REQUIRE(other);
  CHECK(divergence(other->setup.model, mixed("qwen3.6-35b-a3b", "Q6_K"), true).basis == DivergenceBasis::predicted);
}

TEST_CASE("quantize: choices are by size, and a smaller one decodes no slower in the bound", "[llm]") {
  const Result<LlmRequest> r = parse_llm_request(R"({"model": "llama-3.1-8b", "context": 8192})");
  REQUIRE(r);
  Scenario scenario = Scenario::standard();
  scenario.use(*Machines::presets().find("rtx-4090"));
  const std::vector<QuantizedChoice> choices = quantized_choices(*r, scenario, true);
  REQUIRE(choices.size() == mixture_names().size());
  for (std::size_t i = 1; i < choices.size(); ++i) {
    INFO(choices[i].name);
    CHECK(choices[i].weights_bytes >= choices[i - 1].weights_bytes);
  }
  CHECK(choices.front().tpot_s < choices.back().tpot_s);
  CHECK(choices.back().name == "F16");
}

TEST_CASE("quantize: without a file's header, its bytes are a range that published files lie in", "[llm]") {
  for (const auto& [model, published] : {std::pair("llama-3.1-8b", 4'920'739'232.0), std::pair("qwen2.5-7b", 4'683'074'048.0)}) {
    const Result<LlmRequest> r = parse_llm_request(R"({"model": ")" + std::string(model) + R"("})");
    REQUIRE(r);
    const std::vector<QuantizedChoice> choices = quantized_choices(*r, Scenario::standard(), true);
    const auto q4 = std::find_if(choices.begin(), choices.end(), [](const QuantizedChoice& c) { return c.name == "Q4_K_M"; });
    REQUIRE(q4 != choices.end());
    INFO(model << " " << q4->file_bytes_low << " " << q4->file_bytes_high);
    CHECK(!known(q4->file_bytes));
    CHECK((q4->weights_bytes < q4->file_bytes_low && q4->file_bytes_low < published && published < q4->file_bytes_high));
    CHECK(q4->file_bytes_high < 1.003 * q4->weights_bytes);
  }
}

TEST_CASE("quantize: a mixture weighs the same by its parts as by its tensors, gated delta nets included", "[llm]") {
  for (const char* id : {"qwen3.5-4b", "qwen3-next-80b-a3b", "phi-4"}) {
    const Model* model = Models::presets().find(id);
    INFO(id);
    REQUIRE(model);
    for (const char* name : {"Q2_K", "Q4_K_M", "Q6_K"}) {
      const Result<Mixture> mixed = mixture(*model, name, true);
      REQUIRE(mixed);
      LlmSetup setup;
      setup.model = *model;
      setup.formats = {mixed->weights(), format("fp16"), format("fp16")};
      CHECK_THAT(LlmPlan(setup, Scenario::standard()).weight_bytes(), WithinRel(mixed->bytes(), 1e-3));
    }
  }
}
