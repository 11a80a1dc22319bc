// A model on several machines: what each keeps, which sums and exchanges there are, and a draft model beside it.
#include <algorithm>
#include <roofline/llm/inference.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

LlmRequest request(const std::string& json) {
  Result<LlmRequest> r = parse_llm_request(json);
  INFO(json << (r ? std::string() : " " + r.error().text()));
  REQUIRE(r);
  return std::move(*r);
}

std::string refusal(const std::string& json) {
  const auto r = parse_llm_request(json);
  return r ? "accepted" : r.error().text();
}

Scenario on_h100() { return on(*Machines::presets().find("h100-sxm")); }

/// Of a row in all layers; 0: there is none.
double sum_of(const LlmRows& rows, LlmOp op, LlmRows::Column<double> LlmRows::* column) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size; ++i)
    if (static_cast<LlmOp>(rows.op_class[i]) == op) sum += (rows.*column)[i];
  return sum;
}

}  // namespace

TEST_CASE("several machines: each keeps the key and value heads that do not divide", "[llm]") {
  const Scenario h100 = on_h100();
  const LlmRequest r = request(R"({"model": "llama-3.1-70b", "tp": 16})");
  // 8 key-value heads on 16 machines: one head of 128 on each. Everything else but the norms is divided by 16.
  const double layer = (2 * 8192.0 * 8192 + 3 * 8192.0 * 28672) / 16 + 2 * 8192.0 * 128 + 2 * 8192;
  const double elements = 2 * 128256.0 * 8192 / 16 + 80 * layer + 8192;
  CHECK(LlmPlan(r.setup, h100).weight_bytes_per_machine() == Approx(2 * elements).epsilon(1e-12));
}

TEST_CASE("several machines: each keeps what its passes read", "[llm]") {
  const Scenario h100 = on_h100();
  for (const char* model :
       {"deepseek-v3", "llama-3.1-70b", "qwen3-235b-a22b", "gpt-oss-120b", "mixtral-8x7b", "gpt2", "qwen3-next-80b-a3b"})
    for (const char* layout : {"", R"(, "tp": 2)", R"(, "tp": 8)", R"(, "tp": 3)"}) {
      const LlmRequest r = request(R"({"model": ")" + std::string(model) + '"' + layout + "}");
      const LlmPlan plan(r.setup, h100);
      LlmRows rows;
      plan.evaluate(LlmPass::decode_step(4096, 2048), rows);  // with 4,096 tokens each expert has some
      double read = 0;
      for (std::size_t i = 0; i < rows.size; ++i) {
        const auto op = static_cast<LlmOp>(rows.op_class[i]);
        const Model& m = r.setup.model;
        const double elements = op != LlmOp::embed ? rows.weight[i] : ((m.tied ? 0 : m.vocab) + m.positions) * m.hidden / r.setup.tp;
        read += elements * plan.rates(op).weight;
      }
      INFO(model << layout);
      CHECK(plan.weight_bytes_per_machine() == Approx(read).epsilon(4e-3));  // small: sinks, and the biases of experts' sums
    }
}

TEST_CASE("several machines: with attention data parallelism each takes a chunk of prompts", "[llm]") {
  const Scenario h100 = on_h100();
  const auto activations = [&](const std::string& more) {
    const LlmRequest r = request(R"({"model": "deepseek-v3", "phase": "prefill", "prompt": 8192)" + more + "}");
    return LlmInference(r, h100).memory_footprint(r).activations;
  };
  // Eight machines with eight prompts: each has the tokens of one prompt, and as many of all tokens' choices of experts.
  CHECK(activations(R"(, "batch": 8, "ep": 8)") == Approx(activations(R"(, "batch": 1)")));
  CHECK(activations(R"(, "batch": 64, "ep": 8)") == Approx(activations(R"(, "batch": 1)")));  // the others wait
  CHECK(activations(R"(, "batch": 4, "ep": 8)") < activations(R"(, "batch": 1)"));
}

TEST_CASE("several machines: the results of experts that machines share are summed over all", "[llm]") {
  const Scenario h100 = on_h100();
  LlmRows rows;
  const LlmRequest shared = request(R"({"model": "mixtral-8x7b", "tp": 8, "ep": 2, "batch": 16})");
  LlmPlan(shared.setup, h100).evaluate(LlmPass::decode_step(16, 1000), rows);
  CHECK(sum_of(rows, LlmOp::all_to_all, &LlmRows::count) == 0);
  // After attention and after the experts, in 32 layers: 2 * 7 / 8 of 16 tokens of 4,096 elements of 2 bytes.
  CHECK(sum_of(rows, LlmOp::all_reduce, &LlmRows::count) == 64);
  CHECK(sum_of(rows, LlmOp::all_reduce, &LlmRows::link_bytes) == Approx(64 * 2 * 7 / 8.0 * 16 * 4096 * 2));
  const LlmRequest apart = request(R"({"model": "mixtral-8x7b", "tp": 8, "ep": 8, "batch": 16})");
  LlmPlan(apart.setup, h100).evaluate(LlmPass::decode_step(16, 1000), rows);
  CHECK(sum_of(rows, LlmOp::all_to_all, &LlmRows::count) == 32);
  CHECK(sum_of(rows, LlmOp::all_reduce, &LlmRows::count) == 32);
}

TEST_CASE("several machines: those of two nodes sum within each node, and between the nodes over scale-out", "[llm]") {
  // 64 sums of 1,024 tokens of 4,096 elements of 2 bytes. Each of 16 machines sends 2 * 7 / 8 of them over NVLink, and 2 * 1 / 2 of its
  // eighth over scale-out: together the 2 * 15 / 16 of a ring.
  const LlmRequest r = request(R"({"model": "llama-3-8b", "tp": 16})");
  const double tensor = 64 * 1024.0 * 4096 * 2;
  const struct {
    const char* machine;
    double scale_out, bound_s;
    const char* bound_by;
  } expected[] = {{"h100-sxm", 50e9, 2 * 7 / 8.0 * tensor / 450e9, "NVLink"},
                  {"h100-sxm", 25e9, tensor / 8 / 25e9, "scale-out"},
                  {"gb200", 25e9, 2 * 15 / 16.0 * tensor / 900e9, "NVLink"}};  // one domain of 72
  LlmRows rows;
  for (const auto& e : expected) {
    INFO(e.machine << " " << e.scale_out);
    Scenario scenario = on(*Machines::presets().find(e.machine));
    scenario.machine.scale_out.value = e.scale_out;
    const LlmPlan plan(r.setup, scenario);
    plan.evaluate(LlmPass::prefill(1, 1024, 1024), rows);
    CHECK(sum_of(rows, LlmOp::all_reduce, &LlmRows::link_bytes) == Approx(2 * 15 / 16.0 * tensor));
    CHECK(sum_of(rows, LlmOp::all_reduce, &LlmRows::predicted_s) == Approx(e.bound_s));
    for (std::size_t i = 0; i < rows.size; ++i)
      if (static_cast<LlmOp>(rows.op_class[i]) == LlmOp::all_reduce) CHECK(plan.resources()[rows.bound_by[i]].name == e.bound_by);
  }
  // The workload of the tables and reports has the same times.
  Scenario slow = on_h100();
  slow.machine.scale_out.value = 25e9;
  const LlmRequest prompt = request(R"({"model": "llama-3-8b", "tp": 16, "phase": "prefill", "prompt": 1024})");
  const Workload w = llm_workload(prompt, slow);
  REQUIRE(w.channels.size() == 2);
  LlmPasses passes;
  LlmInference(prompt, slow).evaluate(prompt, passes);
  const Plan plan(w, slow);
  double predicted_s = 0, typical_s = 0;
  for (std::size_t op = 0; op < w.size(); ++op) {
    const OpAnalysis a = plan.analyze(op);
    predicted_s += a.predicted_time_s;
    typical_s += a.typical_time_s;
  }
  CHECK(predicted_s == Approx(passes.prefill.total.predicted_s));
  CHECK(typical_s == Approx(passes.prefill.total.typical_s));
  // Without a known rate between the nodes all is timed over the first link, and the diagnostics say so.
  Scenario unknown_rate = slow;
  unknown_rate.machine.scale_out.value = unknown;
  const Workload untold = llm_workload(prompt, unknown_rate);
  CHECK(untold.channels.size() == 1);
  CHECK_THAT(untold.diagnostics.back().message, ContainsSubstring("does not state how more than 8 machines are linked (scale_out)"));
}

TEST_CASE("several machines: a draft model shares the work as the target does", "[llm]") {
  const Scenario h100 = on_h100();
  const auto drafted = [&](const std::string& draft) {
    return request(R"({"model": "deepseek-v3", "ep": 8, "batch": 64, "context": 1000, "weights": "fp16", "speculate": )"
                   R"({"gamma": 2, "acceptance": 0.7, "draft": ")" +
                   draft + "\"}}");
  };
  const LlmRequest mtp = drafted("mtp"), dense = drafted("llama-3.2-1b");
  LlmPasses passes;
  LlmInference(mtp, h100).evaluate(mtp, passes);
  // Two passes of one layer: each machine takes an eighth of 64 tokens' eight experts, and the attention of 8 sequences.
  CHECK(sum_of(passes.draft, LlmOp::experts, &LlmRows::matrix_flops) == Approx(2 * 2.0 * 64 * 8 / 8 * 3 * 7168 * 2048));
  CHECK(sum_of(passes.draft, LlmOp::q_b_proj, &LlmRows::matrix_flops) == Approx(2 * 2.0 * 8 * 1536 * 128 * 192));
  LlmInference(dense, h100).evaluate(dense, passes);
  CHECK(sum_of(passes.draft, LlmOp::lm_head, &LlmRows::matrix_flops) == Approx(2 * 2.0 * 8 * 2048 * 128256));

  LlmRequest alone = mtp;
  alone.speculation.reset();
  const MemoryFootprint with = LlmInference(mtp, h100).memory_footprint(mtp), without = LlmInference(alone, h100).memory_footprint(alone);
  // The layer's attention, 32 of its 256 experts and the shared one, its router and norms; embedding and head are the model's.
  const double attention = 7168.0 * 1536 + 1536.0 * 128 * 192 + 7168.0 * 576 + 512.0 * 128 * 256 + 128.0 * 128 * 7168;
  const double layer = attention + 33 * 3 * 7168.0 * 2048 + 7168.0 * 256;
  CHECK(with.weights - without.weights == Approx(2 * layer).epsilon(1e-4));  // norms are left out
  CHECK(with.kv - without.kv == Approx(8 * 1000 * 576 * 2));                 // of one layer, of 8 sequences

  CHECK(refusal(R"({"model": "deepseek-v3", "ep": 16, "speculate": {"gamma": 2, "acceptance": 0.7, "draft": "mixtral-8x7b"}})") ==
        "speculate.draft: expected a model without experts, or with at least 16: ep machines share them");
}

TEST_CASE("several machines: chunked attention without a causal mask sees whole chunks", "[llm]") {
  // Chunks of 4 keys, a context of 10: the queries at 5 to 8 see 4 keys each, those at 9 and 10 see 2.
  CHECK(attention_pairs(6, 10, false, 4, true) == 4 * 4 + 2 * 2);
  CHECK(attention_pairs(6, 10, true, 4, true) == 1 + 2 + 3 + 4 + 1 + 2);
  CHECK(attention_pairs(8, 8, false, 4, true) == 8 * 4);
  CHECK(attention_pairs(1, 10, false, 4, true) == 2);
}
