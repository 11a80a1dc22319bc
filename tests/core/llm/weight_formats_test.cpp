// Formats by part of a model's weights.
#include <roofline/llm/request.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

WeightFormats applied(FormatId to, std::string_view text) {
  WeightFormats weights = to;
  REQUIRE(weights.apply(text));
  return weights;
}

std::string refusal(std::string_view text) {
  WeightFormats weights;
  const Result<void> ok = weights.apply(text);
  REQUIRE_FALSE(ok);
  return ok.error().message;
}

std::string weights_of(const char* request) {
  const Result<LlmRequest> r = parse_llm_request(request);
  INFO(request << ": " << (r ? "" : r.error().text()));
  REQUIRE(r);
  return r->setup.formats.weights.text();
}

}  // namespace

TEST_CASE("weight formats: a list names parts, groups and the rest", "[llm]") {
  const WeightFormats weights = applied(format("fp16"), "experts=mxfp4,attention=bf16,v=int8,rest=fp8_e4m3");
  CHECK(weights[WeightPart::experts] == format("mxfp4"));
  CHECK(weights[WeightPart::q] == format("bf16"));
  CHECK(weights[WeightPart::v] == format("int8"));
  CHECK(weights[WeightPart::head] == format("fp8_e4m3"));
  CHECK(applied(format("fp16"), "head=int8")[WeightPart::embedding] == format("fp16"));
  CHECK(applied(format("fp16"), "rest=int8").text() == "int8");
  CHECK(applied(format("fp16"), "mlp=int8,head=bf16").text() == "mlp=int8,head=bf16,rest=fp16");
}

TEST_CASE("weight formats: text() is what apply() takes", "[llm]") {
  for (const char* text : {"int8", "experts=mxfp4,rest=fp16", "attention=bf16,mlp=int8,rest=fp16", "v=q6_k,down=q6_k,rest=q4_k"}) {
    WeightFormats weights = applied(format("fp16"), std::string_view(text).find('=') == std::string_view::npos ? "rest=int8" : text);
    const std::string shown = weights.text();
    INFO(text << " -> " << shown);
    CHECK(applied(format("fp64"), weights.uniform() ? "rest=" + shown : shown) == weights);
  }
}

TEST_CASE("weight formats: people read names", "[llm]") {
  CHECK(format_names("fp16") == "FP16");
  CHECK(format_names("rest=int4_g128") == "INT4, groups of 128");
  CHECK(format_names("experts=mxfp4,rest=fp8_e4m3") == "experts MXFP4, the rest FP8 E4M3");
  CHECK(format_names("published") == "published");
}

TEST_CASE("weight formats: what is not understood is named", "[llm]") {
  CHECK(refusal("experts") == "\"experts\" names no part: expected a list such as experts=mxfp4,head=bf16,rest=fp8_e4m3");
  CHECK(refusal("expert=mxfp4").find("\"expert\" is no part of a model's weights: did you mean experts") == 0);
  CHECK(refusal("experts=mxfp3").find("unknown format \"mxfp3\"") == 0);
}

TEST_CASE("weight formats: a request says one for all, parts, or nothing", "[llm]") {
  CHECK(weights_of(R"({"model": "llama-3-8b"})") == "fp16");
  CHECK(weights_of(R"({"model": "llama-3-8b", "weights": "int8"})") == "int8");
  CHECK(weights_of(R"({"model": "llama-3-8b", "weights": "mlp=int8"})") == "mlp=int8,rest=fp16");
  // gpt-oss is published with its experts in MXFP4, which a wider format for the weights leaves as they are.
  CHECK(weights_of(R"({"model": "gpt-oss-20b"})") == "experts=mxfp4,rest=fp16");
  CHECK(weights_of(R"({"model": "gpt-oss-20b", "weights": "published"})") == "experts=mxfp4,rest=fp16");
  CHECK(weights_of(R"({"model": "gpt-oss-20b", "weights": "fp8_e4m3"})") == "experts=mxfp4,rest=fp8_e4m3");
  CHECK(weights_of(R"({"model": "gpt-oss-20b", "weights": "rest=fp8_e4m3"})") == "fp8_e4m3");
  CHECK(weights_of(R"({"model": "gpt-oss-20b", "weights": "int4"})") == "int4");
  CHECK(weights_of(R"({"model": "gpt-oss-20b", "weights": "bf16", "experts": "bf16"})") == "bf16");
  const Result<LlmRequest> wrong = parse_llm_request(R"({"model": "llama-3-8b", "weights": "mpl=int8"})");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().path == "weights");
}

TEST_CASE("weight formats: one format is the model's checkpoint of that name", "[llm]") {
  const auto kimi = [](const std::string& weights) {
    return weights_of((R"({"model": "kimi-k2.5", "weights": ")" + weights + "\"}").c_str());
  };
  CHECK(kimi("nvfp4") == kimi("attention=bf16,embedding=bf16,head=bf16,router=bf16,shared_experts=bf16,rest=nvfp4"));
  CHECK(kimi("int4") == kimi("experts=int4_g32,rest=bf16"));
  CHECK(kimi("bf16") == "experts=int4_g32,rest=bf16");  // the preset has none of that name
  CHECK(kimi("rest=nvfp4") == "nvfp4");
  // Qwen's FP8 checkpoints have a scale for each block, which a format for each part does not say.
  const auto block_scales = [](const char* weights) {
    const auto r = parse_llm_request(R"({"model": "qwen3-32b", "weights": ")" + std::string(weights) + "\"}");
    REQUIRE(r);
    return r->setup.model.block_scales;
  };
  CHECK(block_scales("fp8_e4m3"));
  CHECK_FALSE(block_scales("rest=fp8_e4m3"));
  CHECK_FALSE(block_scales("bf16"));
}

TEST_CASE("weight formats: a faulty checkpoint of a model file is refused with its place", "[llm]") {
  const auto place = [](const std::string& checkpoints) {
    const auto m = parse_model(R"({"config": {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
      "intermediate_size": 128, "vocab_size": 100}, "checkpoints": )" +
                               checkpoints + "}");
    return m ? "accepted" : m.error().path;
  };
  CHECK(place(R"({"int8": {"formats": "head=bf16,rest=int8"}})") == "accepted");
  CHECK(place(R"({"int7": {}})") == "checkpoints.int7");
  CHECK(place(R"({"int8": {"formats": "heads=bf16"}})") == "checkpoints.int8.formats");
}

// Each operator reads its own class of tensors, and all of them together are the model.
TEST_CASE("weight formats: a part's bytes are its parameters at its width", "[llm]") {
  for (const char* model : {"llama-3-8b", "gemma-3-4b", "deepseek-v3", "gpt-oss-20b", "opt-13b", "qwen3-30b-a3b"}) {
    INFO(model);
    const Result<LlmRequest> r = parse_llm_request(std::string(R"({"model": ")") + model + R"(", "weights": "rest=bf16"})");
    REQUIRE(r);
    const Scenario scenario = Scenario::standard();
    const Parameters p = parameters(r->setup.model);
    double all = p.expert_biases;
    for (const double part : p.by_part) all += part;
    CHECK(all == p.total());
    LlmSetup setup = r->setup;
    const double whole = LlmPlan(setup, scenario).weight_bytes();
    CHECK(whole == 2 * p.total());
    for (std::size_t i = 0; i < weight_parts; ++i) {
      const auto part = static_cast<WeightPart>(i);
      setup = r->setup;
      setup.formats.weights.set(part, format("fp32"));
      const double biases = part == WeightPart::norms ? p.expert_biases : 0;
      CHECK(LlmPlan(setup, scenario).weight_bytes() - whole == 2 * (p.by_part[i] + biases));
    }
  }
}
