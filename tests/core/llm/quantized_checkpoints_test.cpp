// Checkpoints of other tools than llama-quantize: bytes against published files, and the quality that was published.
#include <algorithm>
#include <roofline/llm/quantize.hpp>
#include <roofline/llm/quantized_checkpoints.hpp>
#include <roofline/machine/presets.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

LlmRequest request_of(std::string_view model) {
  const Result<LlmRequest> request = parse_llm_request(R"({"model": ")" + std::string(model) + R"(", "context": 4096})");
  REQUIRE(request);
  return *request;
}

Scenario on_machine(const char* id) {
  Scenario scenario = Scenario::standard();
  REQUIRE(set(scenario, "machine", id));
  return scenario;
}

QuantizedCheckpoint by(const std::vector<QuantizedCheckpoint>& all, std::string_view method) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const QuantizedCheckpoint& c) { return c.method == method; });
  INFO(method);
  REQUIRE(found != all.end());
  return *found;
}

}  // namespace

TEST_CASE("checkpoints: bytes are those of published files", "[llm]") {
  const auto all = quantized_checkpoints(request_of("llama-3.1-8b"), on_machine("h100-sxm"));
  // huggingface.co/nvidia/Llama-3.1-8B-Instruct-FP8: files of 5 GB and 4.08 GB.
  CHECK(by(all, "FP8").weights_bytes == 6'979'321'856.0 + 2 * (2 * 525'336'576.0 + 266'240));
  CHECK(by(all, "FP8").weights_bytes == Approx(9.08e9).epsilon(1e-3));
  // huggingface.co/hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4: 5.73 GB.
  CHECK(by(all, "AWQ").weights_bytes == Approx(5.73e9).epsilon(1e-3));
  CHECK(by(all, "AWQ").weights == "embedding=fp16,head=fp16,router=fp16,norms=fp16,rest=int4_g128_zp");
  for (const QuantizedCheckpoint& c : all) {
    INFO(c.method);
    CHECK(c.memory.fit == MemoryFit::fits);
    CHECK((c.tpot_s > 0 && c.typical_tpot_s > c.tpot_s));
    CHECK(c.bits_per_weight == Approx(8 * c.weights_bytes / 8'030'261'248.0));
  }
}

TEST_CASE("checkpoints: quality is as published of the model, else not known", "[llm]") {
  const auto llama = quantized_checkpoints(request_of("llama-2-7b"), on_machine("a100-80gb-sxm"));
  const PublishedQuality awq = by(llama, "AWQ").quality;  // arXiv 2306.00978, table 4
  CHECK(quality_text(awq) == "perplexity, WikiText-2: 5.6, in 16 bits 5.47");
  CHECK(awq.source.find("arXiv 2306.00978") != std::string::npos);
  const PublishedQuality unpublished = by(llama, "NVFP4").quality;
  CHECK(unpublished.basis == QualityBasis::unknown);
  CHECK((std::isnan(unpublished.value) && quality_text(unpublished).empty() && unpublished.source.empty()));
  const auto own = by(quantized_checkpoints(request_of("gpt-oss-20b"), on_machine("h100-sxm")), "MXFP4");
  CHECK(own.quality.basis == QualityBasis::original);
  CHECK(own.weights == parse_llm_request(R"({"model": "gpt-oss-20b"})")->setup.formats.weights.text());
  CHECK(by(quantized_checkpoints(request_of("deepseek-v3"), on_machine("h100-sxm")), "FP8").quality.basis == QualityBasis::original);
}

TEST_CASE("checkpoints: a model is listed as it is published", "[llm]") {
  // Kimi K2.5's experts are INT4 in groups of 32, the rest BF16.
  const auto kimi = quantized_checkpoints(request_of("kimi-k2.5"), on_machine("h100-sxm"));
  const QuantizedCheckpoint own = by(kimi, "INT4, groups of 32");
  CHECK(own.quality.basis == QualityBasis::original);
  CHECK(own.weights == parse_llm_request(R"({"model": "kimi-k2.5"})")->setup.formats.weights.text());
  CHECK(kimi.size() == quantized_checkpoints(request_of("qwen3-8b"), on_machine("h100-sxm")).size() + 1);
}

TEST_CASE("checkpoints: activations are narrow where the machine multiplies them, and llama.cpp runs none", "[llm]") {
  const auto formats_on = [](const char* machine) {
    std::vector<std::string> out;
    for (const QuantizedCheckpoint& c : quantized_checkpoints(request_of("qwen3-8b"), on_machine(machine)))
      out.push_back(Formats::catalogue()[c.activations].id);
    return out;
  };
  using Names = std::vector<std::string>;
  CHECK(formats_on("a100-80gb-sxm") == Names{"fp16", "fp16", "fp16", "fp16", "fp16", "int8", "fp16"});
  CHECK(formats_on("b200-sxm") == Names{"fp16", "fp16", "mxfp4", "nvfp4", "fp8_e4m3", "int8", "fp16"});
  Scenario scenario = on_machine("rtx-4090");
  CHECK(quantized_checkpoints(request_of("qwen3-8b"), scenario)[0].stack == "fused");
  REQUIRE(set(scenario, "stack", "vllm"));
  CHECK(quantized_checkpoints(request_of("qwen3-8b"), scenario)[0].stack == "vllm");
}

TEST_CASE("checkpoints: their file names known models, methods, measures and sources", "[llm]") {
  const Json file = Json::parse(quantized_checkpoints_preset());
  for (const Json& c : file["checkpoints"]) {
    INFO(c.dump());
    CHECK(Models::presets().find(c["model"].get<std::string>()));
    CHECK(std::any_of(file["methods"].begin(), file["methods"].end(), [&](const Json& m) { return m["name"] == c["method"]; }));
    CHECK(file["measures"].contains(c["measure"].get<std::string>()));
    CHECK(file["sources"].contains(c["source"].get<std::string>()));
    CHECK((c["value"] > 0 && c["original"] > 0));
  }
  for (const Json& m : file["methods"]) CHECK(Formats::catalogue().find(m["weights"].get<std::string>()));
}
