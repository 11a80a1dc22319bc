// Plans of a language model's formats: budgets, bytes, and what the tools are given.
#include <regex>
#include <roofline/llm/quantize_plan.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

LlmRequest request(std::string_view model, double context = 8192) {
  const Result<LlmRequest> r =
      parse_llm_request(R"({"model": ")" + std::string(model) + R"(", "context": )" + std::to_string(context) + "}");
  REQUIRE(r);
  return *r;
}
Scenario on(std::string_view machine) {
  Scenario scenario = Scenario::standard();
  scenario.use(*Machines::presets().find(machine));
  return scenario;
}
FormatPlan plan(std::string_view model, std::string_view budget, const QuantizePlanOptions& with = {},
                std::string_view machine = "rtx-4090") {
  const Result<Budget> parsed = parse_budget(budget, model_budgets);
  REQUIRE(parsed);
  QuantizePlanOptions options = with;
  options.budget = *parsed;
  const Result<FormatPlan> out = plan_quantization(request(model), on(machine), options);
  REQUIRE(out);
  return *out;
}
std::string id(FormatId format) { return Formats::catalogue()[format].id; }

/// The rules of a command line, as --tensor-type or --custom-q has them: the first that is found in a name.
std::string type_by(const std::string& command, const std::string& option, const std::string& name) {
  const std::regex rule("--" + option + " '?([^' ]*)[' ]");
  for (std::sregex_iterator at(command.begin(), command.end(), rule), end; at != end; ++at) {
    const std::string text = (*at)[1];
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string one = text.substr(from, comma - from);
      const std::size_t equals = one.rfind('=');
      if (equals == std::string::npos) return one;
      if (std::regex_search(name, std::regex(one.substr(0, equals)))) return one.substr(equals + 1);
      from = comma + 1;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("quantize plan: a budget of bytes is kept and nearly used up", "[llm]") {
  for (const char* budget : {"bytes=3G", "bytes=5GB", "bytes=6GiB"}) {
    INFO(budget);
    const FormatPlan p = plan("llama-3.1-8b", budget);
    CHECK(p.admissible);
    CHECK((p.bytes <= p.budget.value && p.bytes > 0.99 * p.budget.value));
    double planned = 0;
    for (const PlannedTensor& t : p.tensors) planned += t.chosen.bytes;
    const double norms = 4 * (65 * 4096.0 + 64);  // FP32: of 32 layers two each, the last one, and the rotary factors
    CHECK_THAT(planned + norms, WithinAbs(p.bytes, 1));
    CHECK((p.kld_low < p.kld && p.kld < p.kld_high));
  }
}

TEST_CASE("quantize plan: by its own measure it is better than every mixture of its size", "[llm]") {
  for (const char* model : {"llama-3.1-8b", "qwen3-4b", "qwen3-30b-a3b", "deepseek-v2-lite"})
    for (const char* name : {"IQ2_M", "Q3_K_M", "Q4_K_M", "Q5_K_M"}) {
      INFO(model << ' ' << name);
      const Result<Mixture> same = mixture(*Models::presets().find(model), name, true);
      REQUIRE(same);
      const FormatPlan p = plan(model, "bytes=" + std::to_string(static_cast<std::uint64_t>(same->bytes())));
      CHECK(p.kld < divergence(*Models::presets().find(model), *same, true).kld);
    }
}

TEST_CASE("quantize plan: budgets of memory, time and divergence", "[llm]") {
  const FormatPlan memory = plan("llama-3.1-8b", "memory=8G");
  CHECK((memory.admissible && memory.reached <= 8e9 && memory.reached > 7.9e9 && memory.bytes < 7e9));
  const FormatPlan kld = plan("llama-3.1-8b", "kld=0.02");
  CHECK((kld.admissible && kld.kld <= 0.02 && kld.kld > 0.0199));
  const FormatPlan time = plan("llama-3.1-8b", "tpot=8ms");
  CHECK((time.admissible && time.time_s <= 8e-3 && time.time_s > 7.6e-3));
  // The time is that of the whole step, as `roofline llm` has it.
  CHECK(plan("llama-3.1-8b", "tpot=9ms").kld < time.kld);
}

TEST_CASE("quantize plan: where no plan is admissible, the nearest and by how much it misses", "[llm]") {
  const FormatPlan p = plan("llama-3.1-8b", "bytes=1G");
  CHECK_FALSE(p.admissible);
  CHECK(p.reached == p.bytes);
  CHECK(p.finding.find("No plan keeps to 1 GB. The nearest has ") == 0);
  CHECK(p.finding.find(" too much: ") != std::string::npos);
  CHECK_FALSE(plan("llama-3.1-8b", "tpot=10us").admissible);
}

TEST_CASE("quantize plan: without an importance matrix no type that needs one, rows and tied heads as llama-quantize has them", "[llm]") {
  QuantizePlanOptions plain;
  plain.imatrix = false;
  for (const PlannedTensor& t : plan("llama-3.1-8b", "bytes=2G", plain).tensors) {
    INFO(t.name);
    CHECK_FALSE((id(t.chosen.format).starts_with("iq1") || id(t.chosen.format).starts_with("iq2")));
  }
  bool low = false;
  std::size_t tables = 0, queries = 0;
  for (const PlannedTensor& t : plan("qwen3-4b", "bytes=1200M").tensors) {
    const bool needs = id(t.chosen.format).starts_with("iq1") || id(t.chosen.format).starts_with("iq2");
    low = low || needs;
    if (t.name != "token_embd.weight") continue;
    CHECK_FALSE(needs);
    ++tables;
  }
  CHECK(low);
  CHECK(tables == 1);
  for (const PlannedTensor& t : plan("gpt-oss-20b", "bytes=14G").tensors)  // rows of 2,880 elements
    if (t.name.ends_with(".attn_q.weight")) {
      CHECK(Formats::catalogue()[t.chosen.format].block <= 32);
      ++queries;
    }
  CHECK(queries == 24);
  CHECK(plan("gpt-oss-20b", "bytes=14G").finding.find("rows of 2,880 elements: no type in blocks of 256") != std::string::npos);
}

TEST_CASE("quantize plan: each tensor's type by the commands is the plan's", "[llm]") {
  for (const char* model : {"llama-3.1-8b", "qwen3-30b-a3b", "deepseek-v2-lite"}) {
    const FormatPlan p = plan(model, "bytes=4G");
    const std::string command = plan_for_llama_quantize(p), ik = plan_for_ik_llama(p);
    for (const PlannedTensor& t : p.tensors) {
      INFO(model << ' ' << t.name);
      const std::string outer = t.name == "output.weight"       ? "output-tensor-type"
                                : t.name == "token_embd.weight" ? "token-embedding-type"
                                                                : "";
      std::string expected = id(t.chosen.format);
      if (expected == "fp16") expected = "f16";
      CHECK(type_by(command, outer.empty() ? "tensor-type" : outer, t.name) == expected);
      if (expected.ends_with("_k")) expected.back() = 'K';
      CHECK(type_by(ik, outer.empty() ? "custom-q" : outer, t.name) == expected);
    }
    CHECK(type_by(command, "tensor-type", "blk.0.attn_norm.weight").empty());
    CHECK(command.find("Thireus") != std::string::npos);
  }
}

TEST_CASE("quantize plan: a recipe for servers keeps what they fuse in one format", "[llm]") {
  QuantizePlanOptions servers;
  servers.serving_modules = true;
  const FormatPlan p = plan("llama-3.1-8b", "bytes=6500M", servers);
  CHECK(p.admissible);
  std::map<std::string, std::string> formats;
  for (const PlannedTensor& t : p.tensors) formats[t.name] = id(t.chosen.format);
  CHECK(formats.size() == 7 * 32);  // neither head nor embedding
  std::size_t int8 = 0;
  for (int layer = 0; layer < 32; ++layer) {
    const std::string block = "blk." + std::to_string(layer);
    CHECK((formats[block + ".attn_q.weight"] == formats[block + ".attn_k.weight"] &&
           formats[block + ".attn_q.weight"] == formats[block + ".attn_v.weight"]));
    CHECK(formats[block + ".ffn_gate.weight"] == formats[block + ".ffn_up.weight"]);
    int8 += formats[block + ".ffn_down.weight"] == "int8_g128" ? 1 : 0;
  }
  CHECK((int8 > 0 && int8 < 32));
  const std::string recipe = plan_for_llm_compressor(p);
  CHECK(recipe.find("num_bits: 4, type: int, strategy: group, group_size: 128, symmetric: true") != std::string::npos);
  CHECK(recipe.find("num_bits: 8, type: int, strategy: group, group_size: 128, symmetric: true") != std::string::npos);
  CHECK(recipe.find("mlp\\.down_proj$'") != std::string::npos);
}

TEST_CASE("quantize plan: a tensor's own error moves bits to it", "[llm]") {
  QuantizePlanOptions own;
  own.own_errors["blk.7.ffn_up.weight"] = 40;
  const auto bytes = [](const FormatPlan& p) {
    for (const PlannedTensor& t : p.tensors)
      if (t.name == "blk.7.ffn_up.weight") return t.chosen.bytes;
    return 0.0;
  };
  CHECK(bytes(plan("llama-3.1-8b", "bytes=4G", own)) > bytes(plan("llama-3.1-8b", "bytes=4G")));
}

TEST_CASE("budgets: what is not understood is refused with an example", "[llm]") {
  const auto error = [](std::string_view text) {
    const Result<Budget> b = parse_budget(text, model_budgets);
    REQUIRE_FALSE(b);
    return b.error().message;
  };
  CHECK(error("size=5G").find("expected bytes=5G, memory=24GiB, tpot=20ms, kld=0.02") != std::string::npos);
  CHECK(error("sqnr=30dB").find("expected bytes=5G") != std::string::npos);
  for (const char* wrong : {"bytes=", "bytes=5Q", "bytes=-1G", "tpot=20", "memory=24", "kld=1ms", "bytes", "kld=0", "bytes=1e999G"}) {
    INFO(wrong);
    CHECK_FALSE(parse_budget(wrong, model_budgets));
  }
  CHECK(parse_budget("memory=24GiB", model_budgets)->value == 24 * 0x1p30);
  CHECK(parse_budget("bytes=1.5g", model_budgets)->value == 1.5e9);
  CHECK(parse_budget("tpot=250us", model_budgets)->value == 250e-6);
}

TEST_CASE("budgets: exponents, and a space before the unit", "[llm]") {
  const auto value = [](std::string_view text) {
    const Result<Budget> b = parse_budget(text, model_budgets);
    INFO(text);
    REQUIRE(b);
    return b->value;
  };
  CHECK(value("bytes=5e9") == 5e9);
  CHECK(value("bytes=5E+9") == 5e9);
  CHECK(value("bytes=2.5e3 MB") == 2.5e9);
  CHECK(value("tpot=20 ms") == 20e-3);
  CHECK(value("kld=2e-2") == 0.02);
  for (const char* wrong : {"bytes=5e", "bytes=5e+G", "bytes=e9", "bytes=5 e9", "bytes=", "tpot= 20 min", "bytes=5e999"}) {
    INFO(wrong);
    CHECK_FALSE(parse_budget(wrong, model_budgets));
  }
}

TEST_CASE("quantize plan: a tool is given no format that it does not have, and none twice", "[llm]") {
  const auto formats = [](std::vector<const char*> ids) {
    std::vector<FormatId> out;
    for (const char* id : ids) out.push_back(format(id));
    return out;
  };
  const auto error = [&](std::string_view tool, std::vector<const char*> ids) {
    const auto taken = formats_for_tool(tool, formats(std::move(ids)));
    REQUIRE_FALSE(taken);
    return taken.error().message;
  };
  CHECK(error("nncf", {"int8", "fp8_e4m3"}) == "NNCF does not take fp8_e4m3: expected some of int8, int4_g32, int4_g64, int4_g128, int4");
  CHECK(error("onnxruntime", {"int4_g32", "int4_g128"}).find("takes one group size") != std::string::npos);
  CHECK(error("onnxruntime", {"int4_g128_zp"}).find("does not take int4_g128_zp") != std::string::npos);
  CHECK(error("llama-quantize", {"int4_g128"}).find("q4_k, ") != std::string::npos);
  CHECK(error("ik", {"q4_k_m"}).find("does not take q4_k_m") != std::string::npos);
  CHECK(error("llm-compressor", {"q4_k"}).find("does not take q4_k") != std::string::npos);
  CHECK(*formats_for_tool("nncf", formats({"int8", "int4_g32", "int8"})) == formats({"int8", "int4_g32"}));
  CHECK(*formats_for_tool("json", formats({"q4_k", "fp8_e4m3", "q4_k"})) == formats({"q4_k", "fp8_e4m3"}));
  CHECK(formats_for_tool("llama-quantize", formats({"q4_k", "iq4_xs", "fp16", "mxfp4"})));
  CHECK(formats_for_tool("llm-compressor", formats({"int4_g128", "int8", "fp8_e4m3", "nvfp4", "mxfp4", "bf16"})));
}

TEST_CASE("quantize plan: modules of gated delta nets and of block-sparse experts have their own names", "[llm]") {
  QuantizePlanOptions servers;
  servers.serving_modules = true;
  const auto modules = [&](const char* model, const char* budget) {
    std::map<std::string, const PlannedTensor*> out;
    static FormatPlan p;
    p = plan(model, budget, servers, "b200");
    for (const PlannedTensor& t : p.tensors) out[t.name] = &t;
    return out;
  };
  const auto next = modules("qwen3-next-80b-a3b", "bytes=60G");  // the last of each four layers has attention
  REQUIRE(next.contains("blk.0.attn_qkv.weight"));
  CHECK(next.at("blk.0.attn_qkv.weight")->module == "model.layers.0.linear_attn.in_proj_qkv*");
  CHECK(next.at("blk.0.attn_gate.weight")->module == "model.layers.0.linear_attn.in_proj_z");
  CHECK(next.at("blk.0.ssm_out.weight")->module == "model.layers.0.linear_attn.out_proj");
  CHECK(next.at("blk.3.attn_q.weight")->module == "model.layers.3.self_attn.q_proj");
  for (int layer = 0; layer < 48; ++layer) {
    const std::string at = "blk." + std::to_string(layer) + '.';
    if (next.contains(at + "attn_gate.weight"))
      CHECK(next.at(at + "attn_gate.weight")->chosen.format == next.at(at + "attn_qkv.weight")->chosen.format);
  }
  const auto mixtral = modules("mixtral-8x7b", "bytes=30G");
  CHECK(mixtral.at("blk.0.ffn_gate_exps.weight")->module == "model.layers.0.block_sparse_moe.experts.*.w1");
  CHECK(mixtral.at("blk.0.ffn_down_exps.weight")->module == "model.layers.0.block_sparse_moe.experts.*.w2");
  CHECK(mixtral.at("blk.0.ffn_up_exps.weight")->module == "model.layers.0.block_sparse_moe.experts.*.w3");
  CHECK(mixtral.at("blk.0.attn_q.weight")->module == "model.layers.0.self_attn.q_proj");
}
