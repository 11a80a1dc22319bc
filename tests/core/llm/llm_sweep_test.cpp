// Sweeps of a model: every point is what the request alone answers, and every crossing is exact.
#include <cmath>
#include <roofline/llm/sweep.hpp>
#include <roofline/session/session.hpp>
#include <tuple>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Scenario preset(std::string_view id) { return on(*Machines::presets().find(id)); }

SweepAxis range(const std::string& text) {
  const auto axis = parse_sweep_axis(text);
  REQUIRE(axis);
  return *axis;
}

LlmSweep swept(const std::string& request, const std::string& axis, std::vector<LlmChoices> choices, const Scenario& scenario) {
  auto s = llm_sweep(request, axis.empty() ? std::nullopt : std::optional(range(axis)), std::move(choices), scenario);
  INFO((s ? std::string() : s.error().text()));
  REQUIRE(s);
  return std::move(*s);
}

LlmAnswer alone(const std::string& request, const Scenario& scenario) { return answer(*parse_llm_request(request), scenario); }

std::string refused(const std::string& request, const std::string& axis, std::vector<LlmChoices> choices = {}) {
  const auto s = llm_sweep(request, axis.empty() ? std::nullopt : std::optional(range(axis)), std::move(choices), preset("h100-sxm"));
  REQUIRE(!s);
  return s.error().text();
}

}  // namespace

TEST_CASE("a point of a sweep is the request's own answer", "[llm]") {
  const Scenario a100 = preset("a100-80gb-sxm");
  const LlmSweep s = swept(R"({"model": "llama-3-8b", "context": 4096})", "batch=1..512:16", {{"weights", {"fp16", "int4_g128"}}}, a100);
  REQUIRE(s.curves.size() == 2);
  CHECK(s.curves[1].label == "INT4, groups of 128");
  for (std::size_t i = 0; i < s.values.size(); i += 5) {
    const LlmAnswer a = alone(
        R"({"model": "llama-3-8b", "context": 4096, "weights": "int4_g128", "batch": )" + std::to_string(int(s.values[i])) + "}", a100);
    const LlmSweepPoint& p = s.curves[1].points[i];
    CHECK(p.bound.tokens_per_s == a.bound.tokens_per_s);
    CHECK(p.bound.tpot_s == a.bound.tpot_s);
    CHECK(p.bound.ttft_s == a.bound.ttft_s);
    CHECK(p.estimate.tokens_per_s == a.estimate.tokens_per_s);
    CHECK(p.bytes_per_machine == a.memory.footprint.total());
    CHECK(p.fits == a.memory.in_memory());
    CHECK(p.bound_by == a.bound_by);
  }
  // Every axis of every phase.
  for (const auto& [phase, axis, rest] : {std::tuple("prefill", "prompt", ""), std::tuple("generate", "generate", R"(, "prompt": 300)"),
                                          std::tuple("generate", "prompt", R"(, "generate": 50)"), std::tuple("decode", "context", "")}) {
    INFO(phase << " " << axis);
    const std::string request = R"({"model": "gemma-2-9b", "phase": ")" + std::string(phase) + '"' + rest;
    const LlmSweep along = swept(request + "}", std::string(axis) + "=16..6000:7", {}, a100);
    REQUIRE(along.curves.size() == 1);
    for (std::size_t i = 0; i < along.values.size(); ++i) {
      const LlmAnswer a = alone(request + ", \"" + axis + "\": " + std::to_string(int(along.values[i])) + "}", a100);
      CHECK(along.curves[0].points[i].bound.tokens_per_s == a.bound.tokens_per_s);
      CHECK(along.curves[0].points[i].bytes_per_machine == a.memory.footprint.total());
    }
  }
}

TEST_CASE("the crossing to compute-bound is the first such batch, or the reason why there is none", "[llm]") {
  const Scenario a100 = preset("a100-80gb-sxm");
  const LlmSweep crossing = swept(R"({"model": "llama-2-70b", "context": 128})", "batch=1..1024:12", {}, a100);
  REQUIRE(crossing.curves[0].crossings.size() == 1);
  const LlmCrossing c = crossing.curves[0].crossings[0];
  CHECK(c.from == ResourceKind::memory);
  CHECK(c.to == ResourceKind::compute);
  const auto bound = [&](double batch) {
    return alone(R"({"model": "llama-2-70b", "context": 128, "batch": )" + std::to_string(int(batch)) + "}", a100).bound_by;
  };
  CHECK(bound(c.at) == ResourceKind::compute);
  CHECK(bound(c.at - 1) == ResourceKind::memory);
  CHECK(c.at == alone(R"({"model": "llama-2-70b", "context": 128})", a100).compute_bound_batch);
  CHECK(crossing.curves[0].verdict() == "compute-bound from batch " + std::to_string(int(c.at)) + " up; does not fit");

  const LlmSweep never = swept(R"({"model": "llama-3-8b", "context": 65536})", "batch=1..512:8", {}, a100);
  CHECK(never.curves[0].crossings.empty());
  CHECK(never.curves[0].verdict().find(
            "memory-bound all along: no batch is compute-bound, as the cache (99.5% of the bytes at batch 512) grows "
            "with it; fits up to batch ") == 0);
  CHECK(never.curves[0].points.back().kv_share > 0.98);
  // Where memory ends, to the whole number.
  const double most = alone(R"({"model": "llama-3-8b", "context": 65536})", a100).largest_batch;
  CHECK(never.curves[0].fits_to == most);
  const auto verdict = [&](const char* reserve) {
    return swept(R"({"model": "llama-3-8b", "context": 4096, "reserve": )" + std::string(reserve) + "}", "batch=1..512:8", {}, a100)
        .curves[0]
        .verdict();
  };
  CHECK(verdict("0").ends_with("; fits up to batch 128"));
  CHECK(verdict("0.1").ends_with("; fits up to batch 112, barely up to 128"));
  CHECK(verdict("0.9").ends_with("; barely fits up to batch 128"));  // 8.6 GB for 16.1 GB of weights
  const LlmCurve in_memory = swept(R"({"model": "llama-3-8b", "context": 4096})", "batch=1..120:8", {}, a100).curves[0];
  CHECK(in_memory.fits_to == 112);
  CHECK(in_memory.points.back().fits == std::optional<bool>(true));
  CHECK(in_memory.verdict().ends_with("; fits up to batch 112, barely above that"));
  const LlmSweep later = swept(R"({"model": "llama-3-8b", "context": 64})", "batch=1..64:8", {}, a100);
  CHECK(later.curves[0].verdict().find("memory-bound all along; compute-bound only from batch ") == 0);
}

TEST_CASE("curves are every choice with every other, on each machine too", "[llm]") {
  const LlmSweep s = swept(R"({"model": "llama-3-8b", "batch": 8, "context": 4096})", "",
                           {{"machine", {"a100-80gb-sxm", "h100-sxm"}}, {"kv", {"fp16", "fp8_e4m3"}}}, preset("t4"));
  REQUIRE(s.curves.size() == 4);
  CHECK(s.curves[3].choice == std::vector<std::string>{"h100-sxm", "fp8_e4m3"});
  CHECK(s.curves[3].points[0].bound.tpot_s ==
        alone(R"({"model": "llama-3-8b", "batch": 8, "context": 4096, "kv": "fp8_e4m3"})", preset("h100-sxm")).bound.tpot_s);
  CHECK_THAT(s.curves[0].ridge, WithinRel(312e12 / 2039e9, 1e-12));  // 153, as the scaling book has it
  CHECK_THAT(s.curves[2].ridge, WithinRel(989.4e12 / 3350e9, 2e-3));
  const std::string csv = llm_sweep_csv(s);
  CHECK(csv.find("machine,kv,ttft_s,") == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
  CHECK(Json::parse(llm_sweep_json(s))["curves"][3]["choice"]["machine"] == "h100-sxm");
  CHECK(llm_sweep_table(s).find("ridge") != std::string::npos);
}

TEST_CASE("a sweep that cannot be says why", "[llm]") {
  const std::string decode = R"({"model": "llama-3-8b"})";
  CHECK(refused(decode, "generate=1..8") == "generate: expected batch, prompt or context as the range in this phase");
  CHECK(refused(decode, "layers=1..8").find("layers: expected batch, prompt") == 0);
  CHECK(refused(R"({"model": "llama-3-8b", "phase": "prefill"})", "context=1..8") ==
        "context: expected batch, prompt as the range in this phase");
  CHECK(refused(decode, "", {{"colour", {"red"}}}).find("colour: expected one of weights, ") == 0);
  CHECK(refused(decode, "", {{"weights", {"int44"}}}).find("weights: unknown format \"int44\"") == 0);
  CHECK(refused(decode, "", {{"machine", {"h1000"}}}).find("machine: unknown machine \"h1000\"") == 0);
  CHECK(refused(decode, "", {{"tp", {"many"}}}).find("tp: expected a whole number") == 0);
  CHECK(refused(decode, "", {{"kv", {"fp16"}}, {"kv", {"fp8"}}}) == "kv: is varied twice");
  CHECK(refused(R"({"model": "nosuch"})", "batch=1..8").find("model: unknown model") == 0);
  CHECK(!parse_llm_choices("weights"));
  CHECK(!parse_llm_choices("=fp16"));
}

TEST_CASE("a session answers with a sweep's figures as columns", "[llm]") {
  Session session;
  REQUIRE(session.configure(R"({"machine": "a100-80gb-sxm"})") == "{}");
  const Answer a = session.ask("model_sweep", R"({"request": {"model": "llama-3-8b", "context": 4096},
    "axis": {"key": "batch", "from": 1, "to": 256, "points": 20}, "choices": [{"key": "weights", "values": ["fp16", "int8"]}]})");
  const Json json = Json::parse(a.json);
  CHECK(json["curves"].size() == 2);
  CHECK(!json["curves"][0].contains("tpot_s"));
  const auto column = [&](const char* name) {
    for (const auto& [key, values] : a.columns)
      if (key == name) return values;
    return std::vector<float>();
  };
  REQUIRE(column("tokens_per_s1").size() == json["axis"]["values"].size());
  CHECK(column("tokens_per_s1")[0] > column("tokens_per_s0")[0] * 1.5F);
  CHECK(column("bound0")[0] == 2);
  CHECK(column("fits0").back() == 0);
  CHECK(Json::parse(session.ask("model_sweep", R"({"request": {"model": "llama-3-8b"}, "axis": {"key": "batch", "from": 9, "to": 2}})")
                        .json)["error"]["path"] == "batch");
}
