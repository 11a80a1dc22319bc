// A model that a card and its host share.
#include <roofline/llm/answer.hpp>
#include <roofline/llm/offload.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

LlmRequest request(const std::string& json) {
  const Result<LlmRequest> parsed = parse_llm_request(json);
  INFO((parsed ? "" : parsed.error().text()));
  REQUIRE(parsed);
  return *parsed;
}
Scenario on(std::string_view machine) { return roofline::on(*Machines::presets().find(machine)); }

/// Of one row of a decode step at context 4096, all its occurrences.
double traffic(const LlmPlan& plan, LlmOp op) {
  LlmRows rows;
  plan.evaluate(LlmPass::decode_step(1, 4096), rows);
  for (const LlmRow& row : rows.rows())
    if (row.op == op) return row.bytes;
  return 0;
}

}  // namespace

// Llama 3 8B has 32 layers, hidden 4096, vocabulary 128,256.
TEST_CASE("the head goes to the card first, then layers from the last one back", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "weights": "int8", "context": 4096})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const LlmPlan plan(r.setup, card), host_plan(r.setup, host);
  const double layer = 218112000, head = 128256.0 * 4096, last_norm = 4096;

  const OffloadSplit none = offload_split(r, card, host, {0, false});
  CHECK(none.card.weights == 0);
  CHECK(none.card.cache == 0);
  CHECK(none.decode.link_bytes == 0);
  CHECK_THAT(none.decode.bound_s(), WithinRel(
                                        [&] {
                                          LlmRows rows;
                                          host_plan.evaluate(LlmPass::decode_step(1, 4096), rows);
                                          return rows.total.predicted_s;
                                        }(),
                                        1e-12));

  const OffloadSplit only_head = offload_split(r, card, host, {1, false});
  CHECK(only_head.card.weights == head + last_norm);
  CHECK(only_head.decode.link_bytes == 4096 * 2 + 128256 * 4);  // the hidden state there, the logits back
  CHECK_THAT(only_head.decode.card.traffic, WithinRel(traffic(plan, LlmOp::lm_head) + traffic(plan, LlmOp::final_norm), 1e-12));

  const OffloadSplit half = offload_split(r, card, host, {17, false});
  CHECK(half.card.weights == head + last_norm + 16 * layer);
  CHECK_THAT(half.card.weights + half.host.weights, WithinRel(plan.weight_bytes(), 1e-12));
  CHECK(half.card.cache == plan.kv_bytes(1, 4096) / 2);
  CHECK(half.card.cache == half.host.cache);
  CHECK(half.decode.link_bytes == only_head.decode.link_bytes);

  const OffloadSplit all = offload_split(r, card, host, {33, false});
  CHECK(all.host.cache == 0);
  CHECK_THAT(all.host.weights, WithinRel(head, 1e-12));  // the embedding stays
  CHECK(offload_split(r, card, host, {1000, false}).offload.gpu_layers == 33);
  CHECK(all.decode.bound_s() < half.decode.bound_s());
  CHECK(half.decode.bound_s() < none.decode.bound_s());
}

// Llama 3 70B: 80 layers, hidden 8192, MLP 28,672, 8 of 64 heads for keys. All of the last eighth has Q6_K in attn_v and ffn_down.
TEST_CASE("each layer on the card has its own bytes", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-70b", "weights": "Q4_K_M", "context": 8192})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const double q4 = 144.0 / 256, q6 = 210.0 / 256;
  const double layer = 8192.0 * ((2 * 8192 + 1024 + 2 * 28672) * q4 + (1024 + 28672) * q6 + 2 * 4), head = 8192 * (128256 * q6 + 4);
  const OffloadSplit s = offload_split(r, card, host, {10, false});
  CHECK(s.card.weights == 9 * layer + head);
  CHECK_THAT(s.card.weights + s.host.weights, WithinRel(LlmPlan(r.setup, card).weight_bytes(), 1e-12));
  // A step reads them all, and hardly anything else but the cache.
  CHECK(s.decode.card.traffic > s.card.weights + s.card.cache);
  CHECK_THAT(s.decode.card.traffic, WithinRel(s.card.weights + s.card.cache, 0.002));
}

TEST_CASE("a split takes the time of both sides and of the link", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "weights": "int4_g128", "context": 4096})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const OffloadSplit s = offload_split(r, card, host, {17, false});
  const double link = card.machine.links[0].bandwidth.value;
  CHECK(s.decode.link_s == s.decode.link_bytes / link);
  CHECK(s.decode.bound_s() == s.decode.card.bound_s + s.decode.host.bound_s + s.decode.link_s);
  // Decode is memory-bound on both sides: each side's time is its traffic over its bandwidth.
  CHECK_THAT(s.decode.host.bound_s, WithinRel(s.decode.host.traffic / host.machine.memories[0].bandwidth.value, 0.01));
  CHECK_THAT(s.decode.card.bound_s, WithinRel(s.decode.card.traffic / card.machine.memories[0].bandwidth.value, 0.01));
}

// Qwen3 30B A3B: 48 layers of experts, hidden 2048.
TEST_CASE("a split's prefill reads the tokens that are cached before it", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "weights": "int8", "phase": "prefill", "prompt": 1024, "context": 8192})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  LlmRows rows;
  LlmPlan(r.setup, card).evaluate(LlmPass::prefill(1, 1024, 8192), rows);
  CHECK_THAT(offload_split(r, card, host, {33, false}).prefill.bound_s(), WithinRel(rows.total.predicted_s, 0.01));
}

TEST_CASE("experts on the host", "[llm]") {
  const LlmRequest r = request(R"({"model": "qwen3-30b-a3b", "weights": "int4_g128", "context": 4096})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const OffloadSplit s = offload_split(r, card, host, {49, true});
  const Parameters p = parameters(r.setup.model);
  const double int4 = 4.125 / 8;
  CHECK_THAT(s.host.weights, WithinRel((p.experts + p.embedding) * int4, 1e-12));
  CHECK(s.host.cache == 0);
  CHECK(s.decode.link_bytes == 2048 * 2 + 151936 * 4 + 48 * 2 * 2048 * 2);
  CHECK(s.decode.host.bound_s > 0);
}

TEST_CASE("a prompt takes the host's weights over the link where that is faster", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "weights": "int4_g128", "prompt": 8192})");
  const Scenario card = on("rtx-4090"), host = on("ryzen-9-9950x");
  const OffloadSplit s = offload_split(r, card, host, {1, false});
  const double products = 32 * (218112000.0 - 8192) * 4.125 / 8;
  CHECK_THAT(s.prefill.link_bytes, WithinRel(products + 4096 * 2 + 128256 * 4, 1e-12));
  const LlmRequest short_prompt = request(R"({"model": "llama-3-8b", "weights": "int4_g128", "prompt": 31})");
  CHECK(offload_split(short_prompt, card, host, {1, false}).prefill.link_bytes < 1e6);
}

TEST_CASE("the best split fits the card, and one layer more does not", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-70b", "weights": "int4_g128", "context": 8192})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const OffloadSplit best = best_offload(r, card, host, false);
  CHECK(best.fits == std::optional<bool>(true));
  CHECK_FALSE(best.barely_fits);
  CHECK((best.offload.gpu_layers > 20 && best.offload.gpu_layers < 81));
  const OffloadSplit more = offload_split(r, card, host, {best.offload.gpu_layers + 1, false});
  CHECK(more.barely_fits);  // a layer is 2% of the memory, the reserve a tenth
  CHECK(offload_finding(r, card, host, more).find(": the split barely fits; ") != std::string::npos);
  CHECK(offload_split(r, card, host, {best.offload.gpu_layers + 7, false}).fits == std::optional<bool>(false));
  const auto json = nlohmann::json::parse(offload_json(r, card, host, best, best));
  CHECK(json["gpu_layers"] == best.offload.gpu_layers);
  CHECK(json["card"]["weights_bytes"] == best.card.weights);
  CHECK(json["best"]["fits"] == true);
}

TEST_CASE("the best split is one that the host's memory takes, too", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-70b", "weights": "int8", "context": 8192})");
  Scenario host = on("epyc-9654");
  host.machine.memories[0].capacity.value = 64e9;  // 70 GB of weights
  const Scenario card = on("a100-40gb-sxm");
  CHECK(offload_split(r, card, host, {1, false}).fits == std::optional<bool>(false));
  const OffloadSplit best = best_offload(r, card, host, false);
  CHECK(best.fits == std::optional<bool>(true));
  CHECK(best.offload.gpu_layers > 1);

  Scenario alone = on("rtx-4090");
  alone.machine.links.clear();  // at a bandwidth that is not known
  const OffloadSplit without_link = best_offload(r, alone, on("epyc-9654"), false);
  CHECK(known(without_link.decode.typical_s()));
}

TEST_CASE("layers of a hybrid are counted by their kind", "[llm]") {
  const LlmRequest r = request(R"({"model": "qwen3.5-27b", "context": 8192})");
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const LlmPlan plan(r.setup, card);
  // The last four layers: three gated delta nets of 48, one attention of 16.
  const OffloadSplit s = offload_split(r, card, host, {5, false});
  CHECK_THAT(s.card.cache, WithinRel(plan.kv_bytes(1, 8192) / 16 + plan.state_bytes(1) * 3 / 48, 1e-12));
  const OffloadSplit last = offload_split(r, card, host, {2, false});
  CHECK_THAT(last.card.cache, WithinRel(plan.kv_bytes(1, 8192) / 16, 1e-12));
}

TEST_CASE("a split keeps the activations of the longest sequence, whatever the phase", "[llm]") {
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  const LlmRequest decode = request(R"({"model": "llama-3.1-8b", "weights": "Q8_0", "context": 113699})");
  const OffloadSplit whole = offload_split(decode, card, host, {33, false});
  CHECK(whole.barely_fits);
  for (const char* other : {R"("phase": "generate", "prompt": 100, "generate": 113600)", R"("prompt": 100, "context": 113699)"}) {
    const LlmRequest r = request(R"({"model": "llama-3.1-8b", "weights": "Q8_0", )" + std::string(other) + "}");
    const OffloadSplit split = offload_split(r, card, host, {33, false});
    CHECK(split.activations == whole.activations);
    CHECK(split.activations == LlmInference(r, card).memory_footprint(r).activations);
    CHECK(split.barely_fits);
  }
}

TEST_CASE("a split's time per token in a generation is the mean of its steps", "[llm]") {
  const Scenario card = on("rtx-4090"), host = on("epyc-9654");
  for (const char* model : {"llama-3.1-8b", "gemma-2-9b"}) {
    const LlmRequest r =
        request(R"({"model": ")" + std::string(model) + R"(", "weights": "Q8_0", "phase": "generate", "prompt": 100, "generate": 8000})");
    const OffloadSplit split = offload_split(r, card, host, {r.setup.model.layers + 1, false});
    const LlmAnswer alone = answer(r, card);
    INFO(model);
    // Whole on the card but for the embedding, which is a read of a token's row.
    CHECK(split.decode.card.bound_s == Approx(alone.bound.tpot_s).epsilon(1e-4));
    CHECK(split.decode.card.typical_s == Approx(alone.estimate.tpot_s).epsilon(1e-3));
    // Of 7,999 steps one by one.
    double sum = 0;
    LlmRequest step = r;
    step.phase = LlmPhase::decode;
    for (step.context = 101; step.context <= 8099; ++step.context) sum += offload_split(step, card, host, {20, false}).decode.typical_s();
    CHECK(offload_split(r, card, host, {20, false}).decode.typical_s() == Approx(sum / 7999).epsilon(1e-9));
  }
}
