// The operators of a pass against figures from elsewhere: LLM-Viewer's table of Llama-2-7B, calflops, NVIDIA aiconfigurator.
#include <algorithm>
#include <cmath>
#include <roofline/llm/llm.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

LlmSetup setup(std::string_view model, std::string_view weights = "fp16", std::string_view kv = "fp16") {
  LlmSetup s;
  const Model* found = Models::presets().find(model);
  INFO(model);
  REQUIRE(found);
  s.model = *found;
  s.formats = {format(weights), format("fp16"), format(kv)};
  return s;
}

Scenario on(std::string_view machine) {
  const Machine* found = Machines::presets().find(machine);
  INFO(machine);
  REQUIRE(found);
  return roofline::on(*found);
}

/// One row of a pass, per occurrence.
LlmRow row(const LlmPlan& plan, const LlmPass& pass, LlmOp op, bool windowed = false) {
  LlmRows rows;
  plan.evaluate(pass, rows);
  for (LlmRow r : rows.rows()) {
    if (r.op != op || r.windowed != windowed) continue;
    for (double* v : {&r.matrix_flops, &r.vector_flops, &r.weight, &r.activation, &r.output, &r.kv_read, &r.kv_write, &r.link_bytes,
                      &r.flops, &r.bytes, &r.predicted_s, &r.typical_s})
      *v /= r.count;
    return r;
  }
  FAIL("no such row: " << info(op).id);
  return {};
}

constexpr LlmPass prefill(double batch, double tokens) { return {batch, tokens, tokens, false}; }
constexpr LlmPass decode(double batch, double context) { return {batch, 1, context, true}; }

}  // namespace

// LLM-Viewer (arXiv 2402.16363), table 1: Llama-2-7B on an RTX A6000, 2048 tokens, batch 1, FP16, no fused attention, no causal mask.
TEST_CASE("LLM-Viewer's table 1", "[llm]") {
  LlmSetup s = setup("llama-2-7b");
  s.causal = false;
  s.attention = AttentionTraffic::unfused;
  Scenario a6000 = on("rtx-a6000");
  a6000.machine.matrix = {peak("fp16", 154.8385e12)};  // one peak for everything, as there
  a6000.machine.vector = a6000.machine.matrix;
  const LlmPlan plan(s, a6000);
  const auto check = [&](const LlmPass& pass, LlmOp op, double flops, double bytes, double us) {
    INFO(info(op).id << " of " << pass.query << " tokens");
    const LlmRow r = row(plan, pass, op);
    CHECK(r.flops == flops);
    CHECK(r.bytes == bytes);
    CHECK_THAT(r.predicted_s * 1e6, WithinRel(us, 2e-5));
  };
  const LlmPass p = prefill(1, 2048), d = decode(1, 2048);
  check(p, LlmOp::q_proj, 68719476736, 67108864, 443.814);
  check(p, LlmOp::k_proj, 68719476736, 67108864, 443.814);
  check(p, LlmOp::o_proj, 68719476736, 67108864, 443.814);
  check(p, LlmOp::gate_proj, 184683593728, 152043520, 1192.75);
  check(p, LlmOp::up_proj, 184683593728, 152043520, 1192.75);
  check(p, LlmOp::down_proj, 184683593728, 152043520, 1192.75);
  check(p, LlmOp::qk, 34359738368, 301989888, 393.216);
  check(p, LlmOp::pv, 34359738368, 301989888, 393.216);
  check(p, LlmOp::softmax, 671088640, 536870912, 699.051);
  check(d, LlmOp::q_proj, 33554432, 33570816, 43.712);
  check(d, LlmOp::v_proj, 33554432, 33570816, 43.712);
  check(d, LlmOp::gate_proj, 90177536, 90207744, 117.458);
  check(d, LlmOp::down_proj, 90177536, 90207744, 117.458);
  check(d, LlmOp::qk, 16777216, 16916480, 22.0267);
  check(d, LlmOp::pv, 16777216, 16916480, 22.0267);
  check(d, LlmOp::softmax, 327680, 262144, 0.341333);

  // Where the conventions differ (docs/guide/llm.md): the norm reads its weights and RMSNorm is 4 operations, not 7; a sum reads two
  // tensors.
  const LlmRow norm = row(plan, p, LlmOp::input_norm), sum = row(plan, p, LlmOp::residual), act = row(plan, p, LlmOp::act_mul);
  CHECK(norm.flops * 7 / 4 == 58720256);
  CHECK(norm.bytes - 2 * 4096 == 33554432);
  CHECK(sum.flops == 8388608);
  CHECK(sum.bytes * 2 / 3 == 33554432);
  // LLM-Viewer's faults, undone: mlp_act has the hidden size for the intermediate one, lm_head one operation per weight.
  CHECK(act.flops == 5.0 * 2048 * 11008);
  CHECK(act.bytes * 4096 / 11008 == 50331648);
  CHECK(row(plan, p, LlmOp::lm_head).flops / 2 == 131072000);
  CHECK(row(plan, p, LlmOp::lm_head).bytes == 262216192);

  // Its totals, from the rows that are the same there.
  LlmRows rows;
  plan.evaluate(p, rows);
  double flops = 0, seconds = 0;
  for (const LlmRow& r : rows.rows()) switch (r.op) {
      case LlmOp::q_proj:
      case LlmOp::k_proj:
      case LlmOp::v_proj:
      case LlmOp::o_proj:
      case LlmOp::gate_proj:
      case LlmOp::up_proj:
      case LlmOp::down_proj:
      case LlmOp::qk:
      case LlmOp::pv:
      case LlmOp::softmax:
        flops += r.flops;
        seconds += r.predicted_s;
        break;
      default:
        break;
    }
  CHECK(flops + 32 * (2 * 58720256.0 + 2 * 8388608.0 + 16777216.0) + 131072000 == 28751179022336);
  CHECK_THAT(seconds + 32e-6 * (2 * 43.6907 + 2 * 43.6907 + 65.536) + 341.427e-6, WithinRel(0.226878590865, 1e-5));
}

TEST_CASE("fused attention reads Q, K, V and writes O", "[llm]") {
  LlmSetup s = setup("llama-2-7b");
  s.causal = false;
  const Scenario a6000 = on("rtx-a6000");
  const LlmPlan plan(s, a6000);
  CHECK(row(plan, prefill(1, 2048), LlmOp::attention).bytes == 67108864);  // LLM-Viewer's tool: 1090519040, by its O of 2 S C bytes
  CHECK(row(plan, prefill(1, 2048), LlmOp::attention).flops == 69390565376);
  CHECK(row(plan, decode(1, 2048), LlmOp::attention).flops == 33882112);
  CHECK(row(plan, decode(1, 2048), LlmOp::attention).bytes == 33554432 + 2 * 8192);
}

TEST_CASE("rows keep the sizes of products and of attention", "[llm]") {
  const LlmSetup s = setup("mistral-7b");
  const Scenario a6000 = on("rtx-a6000");
  const LlmPlan plan(s, a6000);
  CHECK(row(plan, decode(3, 8192), LlmOp::k_proj).sizes == OpSizes{3, 1024, 4096, 1});
  CHECK(row(plan, decode(3, 8192), LlmOp::residual).sizes == OpSizes());
  CHECK(row(plan, decode(3, 8192), LlmOp::attention, true).sizes == OpSizes{1, 8192, 128, 3, 32, 4096});
  LlmRows range;
  plan.decode_range(3, 1, 5000, 5100, 1, range);
  const std::vector<LlmRow> rows = range.rows();
  for (const LlmRow& r : rows) {
    INFO(info(r.op).id);
    if (r.op == LlmOp::k_proj) CHECK(r.sizes == OpSizes{3, 1024, 4096, 1});
    if (r.op == LlmOp::attention) CHECK((r.sizes.k == 128 && std::isnan(r.sizes.n)));  // of 101 contexts
  }
}

// calflops: 1700.06 GFLOP for 128 tokens, the LM head on all of them, no causal mask.
TEST_CASE("calflops' Llama-2-7B", "[llm]") {
  LlmSetup s = setup("llama-2-7b");
  s.causal = false;
  s.last_token = false;
  const Scenario a100 = on("a100-80gb-sxm");
  LlmRows rows;
  LlmPlan(s, a100).evaluate(prefill(1, 128), rows);
  CHECK_THAT(rows.total.matrix_flops, WithinRel(1700.06e9, 1e-4));
  CHECK_THAT(rows.total.flops, WithinRel(1700.06e9, 1e-3));
}

// NVIDIA aiconfigurator's speed-of-light formulas on its B200: 2250 TFLOP/s, 7.7 TB/s, 900 GB/s one way.
TEST_CASE("aiconfigurator's speed of light", "[llm]") {
  Scenario b200 = on("b200-sxm");
  b200.machine.matrix = {peak("fp16", 2250e12)};
  b200.machine.vector = {peak("fp16", 1e18)};  // not counted there
  b200.machine.memories[0].bandwidth.value = 7.7e12;
  b200.machine.links = {{"NVLink", {}}};
  b200.machine.links[0].bandwidth.value = 900e9;
  LlmSetup s = setup("llama-3-8b");
  {
    const LlmPlan plan(s, b200);
    const LlmRow context = row(plan, prefill(1, 4096), LlmOp::attention);
    CHECK(context.bytes == 83886080);
    CHECK(context.matrix_flops == 137438953472.0 / 4096 * 4097);  // theirs is S^2 / 2 pairs, without the diagonal's half
    CHECK_THAT(context.predicted_s * 1e3, WithinRel(0.0610839793 * 4097 / 4096, 1e-8));
    const LlmRow generation = row(plan, decode(8, 4096), LlmOp::attention);
    CHECK(generation.matrix_flops == 536870912);
    CHECK(generation.bytes == 134348800);
    CHECK_THAT(generation.predicted_s * 1e3, WithinRel(0.0174478961, 1e-8));
    const LlmRow gemm = row(plan, prefill(1, 8192), LlmOp::q_proj);
    CHECK(gemm.flops == 274877906944);
    CHECK(gemm.bytes == 167772160);
    CHECK_THAT(gemm.predicted_s * 1e3, WithinRel(0.122167959, 1e-8));
  }
  {
    s.model = *Models::presets().find("gpt-oss-120b");
    const LlmPlan plan(s, b200);
    const LlmRow windowed = row(plan, prefill(1, 4096), LlmOp::attention, true);
    CHECK(windowed.bytes == 75497472);
    // Theirs gives every query a whole window: 2 * b * S * w * n * h * 2. The first w queries see fewer keys.
    CHECK(windowed.matrix_flops == 8589934592 * (1 - 127.0 / (2 * 4096)));
    CHECK_THAT(windowed.predicted_s * 1e3, WithinRel(0.00980486649, 1e-8));
  }
  {
    s.model = *Models::presets().find("deepseek-v3");
    const LlmPlan plan(s, b200);
    const LlmRow absorb = row(plan, decode(64, 4096), LlmOp::kv_b_proj);  // two products of that size: into the latent and out of it
    CHECK(absorb.flops == 2 * 1073741824.0);
    CHECK(absorb.bytes == 2 * 27262976.0);
    CHECK_THAT(absorb.predicted_s * 1e3, WithinRel(2 * 0.00354064623, 1e-8));
    const LlmRow attention = row(plan, decode(64, 4096), LlmOp::attention);
    CHECK(attention.matrix_flops == 2.0 * 64 * 128 * 1088 * 4096);
    CHECK(attention.bytes == 64 * (128 * 1088 * 2.0 + 4096 * 576 * 2.0));
    const LlmRow context = row(plan, prefill(1, 4096), LlmOp::attention);
    CHECK(context.matrix_flops == 1.0 * 128 * (192 + 128) * 4096 * 4097);
    CHECK(context.bytes == 128 * (2.0 * 4096 * 320 + 2.0 * 4096 * 320));
  }
  {
    s.model = *Models::presets().find("mixtral-8x22b");  // 6144 wide
    s.tp = 4;
    const LlmPlan plan(s, b200);
    const LlmRow reduce = row(plan, prefill(1, 8192), LlmOp::all_reduce);
    CHECK(reduce.link_bytes == 150994944);
    CHECK_THAT(reduce.predicted_s * 1e3, WithinRel(0.16777216, 1e-8));
    CHECK(plan.resources()[reduce.bound_by].name == "NVLink");
  }
}

TEST_CASE("expected distinct experts", "[llm]") {
  CHECK_THAT(distinct_experts(8, 2, 1), WithinRel(2.0, 1e-12));
  CHECK_THAT(distinct_experts(8, 2, 8), WithinAbs(7.1991, 5e-5));
  CHECK_THAT(distinct_experts(128, 4, 64), WithinAbs(111.2212, 5e-5));
  CHECK_THAT(distinct_experts(128, 8, 32), WithinAbs(111.771, 5e-4));
  CHECK_THAT(distinct_experts(256, 8, 32), WithinAbs(163.3138, 5e-5));
  CHECK_THAT(distinct_experts(384, 8, 256), WithinAbs(382.2476, 5e-5));
  CHECK_THAT(distinct_experts(128, 1, 256), WithinAbs(110.8126, 5e-5));
  CHECK(distinct_experts(8, 2, 1e6) == 8);
}

TEST_CASE("pairs of queries and keys, against counting them", "[llm]") {
  for (const bool causal : {true, false})
    for (const bool chunked : {true, false})
      for (const int window : {0, 3, 8})
        for (const int context : {1, 2, 3, 7, 8, 9, 16, 20})
          for (const int query : {1, 2, 5, 20}) {
            if (query > context || (chunked && (window == 0 || !causal))) continue;
            double counted = 0;
            for (int q = context - query + 1; q <= context; ++q) {  // places from 1
              if (!causal) {
                counted += window > 0 ? std::min(context, window) : context;
                continue;
              }
              for (int k = 1; k <= q; ++k)
                counted += window == 0 || (chunked ? (k - 1) / window == (q - 1) / window : q - k < window) ? 1 : 0;
            }
            INFO(causal << chunked << " window " << window << " query " << query << " context " << context);
            CHECK(attention_pairs(query, context, causal, window, chunked) == counted);
          }
}

TEST_CASE("prefill of half a context onto the other half is the rest of the whole", "[llm]") {
  const double whole = attention_pairs(4096, 4096, true, 0, false), first = attention_pairs(2048, 2048, true, 0, false);
  CHECK(attention_pairs(2048, 4096, true, 0, false) == whole - first);
  CHECK(attention_pairs(1, 4096, true, 0, false) == 4096);
}

TEST_CASE("generation in closed form equals its steps one by one", "[llm]") {
  struct Case {
    const char *model, *machine;
    double batch, query, first, last;
  };
  for (const Case& c : {Case{"llama-2-7b", "a100-80gb-sxm", 1, 1, 1024, 1279}, Case{"llama-3-8b", "h100-sxm", 64, 1, 100, 900},
                        Case{"mistral-7b", "t4", 4, 1, 4000, 4200}, Case{"gemma-3-4b", "l4", 8, 5, 900, 1100},
                        Case{"llama-4-scout", "h200-sxm", 16, 1, 8100, 8300}, Case{"deepseek-v3", "jetson-agx-orin", 32, 1, 1, 3000},
                        Case{"gpt-oss-20b", "npu-32t50", 512, 3, 1, 400}, Case{"falcon-7b", "npu-32t50", 256, 1, 1, 600}}) {
    INFO(c.model << " on " << c.machine);
    const LlmSetup s = setup(c.model);
    for (const char* overlap : {"100", "40", "0"}) {
      Scenario machine = on(c.machine);
      REQUIRE(set(machine, "overhead.overlap", overlap));
      REQUIRE(set(machine, "overhead.launch_us", "3"));
      REQUIRE(set(machine, "overhead.network", "fp32"));
      const LlmPlan plan(s, machine);
      LlmRows closed, step;
      plan.decode_range(c.batch, c.query, c.first, c.last, 1, closed);
      LlmTotals sum;
      for (double context = c.first; context <= c.last; ++context) {
        plan.evaluate(LlmPass::decode_step(c.batch, context, c.query), step);
        sum.add(step.total, 1);
      }
      CHECK_THAT(closed.total.predicted_s, WithinRel(sum.predicted_s, 1e-12));
      CHECK_THAT(closed.total.typical_s, WithinRel(sum.typical_s, 1e-12));
      CHECK_THAT(closed.total.flops, WithinRel(sum.flops, 1e-12));
      CHECK_THAT(closed.total.bytes, WithinRel(sum.bytes, 1e-12));
      CHECK(closed.total.bound() == sum.bound());
      double predicted = 0, typical = 0;
      for (const LlmRow& r : closed.rows()) predicted += r.predicted_s, typical += r.typical_s;
      CHECK_THAT(predicted, WithinRel(sum.predicted_s, 1e-12));
      CHECK_THAT(typical, WithinRel(sum.typical_s, 1e-12));
    }
  }
}

TEST_CASE("flash attention reads keys once per tile of queries", "[llm]") {
  LlmSetup s = setup("llama-2-7b");
  s.attention = AttentionTraffic::flash;
  Scenario small = on("a100-80gb-sxm");
  small.machine.memories[1].capacity.value = 2.0 * (128 + 128) * 2 * 64;  // 64 rows of Q, O, K and V
  const LlmPlan plan(s, small);
  // 1024 queries are 16 tiles; tile i reads the keys up to its end: 64 i.
  const LlmRow r = row(plan, prefill(1, 1024), LlmOp::attention);
  CHECK(r.kv_read == 64.0 * (16 * 17 / 2) * 32 * 256);
  CHECK(row(plan, decode(1, 1024), LlmOp::attention).kv_read == 1024.0 * 32 * 256);
  Scenario large = on("a100-80gb-sxm");  // 40 MiB hold all of them
  CHECK(row(LlmPlan(s, large), prefill(1, 1024), LlmOp::attention).kv_read == 1024.0 * 32 * 256);
}

TEST_CASE("weights in blocks cost their scales, and the compute format follows the activations", "[llm]") {
  const LlmSetup s = setup("llama-3-8b", "int4_g128");
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmPlan plan(s, a100);
  CHECK(plan.weight_bytes() == 8030261248 * 4.125 / 8);
  CHECK(Formats::catalogue()[plan.rates(LlmOp::q_proj).compute].id == "fp16");
  const LlmRow q = row(plan, decode(8, 4096), LlmOp::q_proj);
  CHECK(q.bytes == 4096.0 * 4096 * 4.125 / 8 + 2 * 8 * 4096 * 2);
}

TEST_CASE("experts: the expected distinct ones are read", "[llm]") {
  const LlmSetup s = setup("mixtral-8x7b");
  const Scenario h100 = on("h100-sxm");
  const LlmPlan plan(s, h100);
  const double expert = 3.0 * 4096 * 14336;
  CHECK_THAT(row(plan, decode(1, 1000), LlmOp::experts).weight, WithinRel(2 * expert, 1e-12));
  CHECK_THAT(row(plan, decode(8, 1000), LlmOp::experts).weight / expert, WithinAbs(7.1991, 5e-5));
  CHECK(row(plan, decode(8, 1000), LlmOp::experts).matrix_flops == 2 * 8 * 2 * expert);
  CHECK(row(plan, decode(8, 1000), LlmOp::router).matrix_flops == 2.0 * 8 * 4096 * 8);
}

TEST_CASE("expert parallelism sends tokens to the experts and back", "[llm]") {
  // "Insights into DeepSeek-V3": 32 tokens a machine, 9 routes of a 7000-wide token, 1 byte out and 2 back, 50 GB/s: 120.96 us.
  LlmSetup s = setup("deepseek-v3");
  s.ep = 256;
  Scenario machine = on("h100-sxm");
  machine.machine.links[0].bandwidth.value = 50e9;
  machine.machine.scale_up.value = 256;
  const LlmPlan plan(s, machine);
  const LlmRow r = row(plan, decode(32 * 256, 4096), LlmOp::all_to_all);
  const double theirs = 120.96e-6;
  const double ours =
      theirs * (8.0 / 9) * (7168.0 / 7000) * (4.0 / 3) * (255.0 / 256);  // 8 routes, 7168 wide, 2 bytes both ways, some stay
  CHECK_THAT(r.predicted_s, WithinRel(ours, 1e-12));
  CHECK(row(plan, decode(32 * 256, 4096), LlmOp::q_b_proj).matrix_flops == 2.0 * 32 * 1536 * 128 * 192);
  CHECK(row(plan, decode(32 * 256, 4096), LlmOp::experts).matrix_flops == 2.0 * 32 * 8 * 3 * 7168 * 2048);
}

// The tensors of the published files of gpt-oss 120b: 65,248,815,744 bytes. Matrices of the experts are MXFP4, 17 bytes for 32 elements;
// their biases and everything else BF16.
TEST_CASE("gpt-oss: biases of the experts are in the format of the other weights", "[llm]") {
  LlmSetup s = setup("gpt-oss-120b", "bf16", "bf16");
  s.formats.weights.set(WeightPart::experts, *Formats::catalogue().find("mxfp4"));
  const Scenario h100 = on("h100-sxm");
  const LlmPlan plan(s, h100);
  CHECK(plan.weight_bytes() == 65248815744);
  CHECK(plan.weight_bytes_per_machine() == 65248815744);
  // In each layer one token reads four experts: three matrices of 2,880 x 2,880, biases of 2 x 2,880 + 2,880.
  const LlmRow experts = row(plan, decode(1, 8192), LlmOp::experts);
  const Plan::ClassRates& rates = plan.rates(LlmOp::experts);
  CHECK_THAT(experts.weight * rates.weight, WithinRel(4 * (3 * 2880.0 * 2880 * 17 / 32 + 8640 * 2), 1e-12));
  // In one format a bias is an element like the others.
  s.formats.weights.fill(s.formats.weights[WeightPart::q]);
  const LlmPlan same(s, h100);
  CHECK(same.weight_bytes() == 2 * 116829156672);
}

// "How to Scale Your Model": Llama-3-70B in INT8 on TPU v5e, 32 sequences of 8192.
TEST_CASE("the scaling book's decode", "[llm]") {
  LlmSetup s = setup("llama-3-70b", "int8", "int8");
  s.tp = 8;
  const Scenario v5e = on("tpu-v5e");
  const LlmPlan plan(s, v5e);
  CHECK(plan.kv_bytes_per_token() == 163840);
  CHECK_THAT(plan.kv_bytes(32, 8192), WithinRel(42.9e9, 2e-3));
  CHECK_THAT(plan.weight_bytes() + plan.kv_bytes(32, 8192), WithinRel(112e9, 0.02));
  // 17 ms: the weights and the cache over eight chips' bandwidth. Ours adds activations, and counts 819 GB/s for 810.
  LlmRows rows;
  plan.evaluate(decode(32, 8192), rows);
  CHECK_THAT((rows.total.weight_bytes + rows.total.kv_bytes) / 8.1e11, WithinRel(17e-3, 0.03));
  // The batch at which a weight matrix turns compute-bound: 240 in BF16, 120 with INT8 weights.
  const auto critical = [&](const char* weights) {
    const LlmSetup one = setup("llama-3-70b", weights);
    const LlmPlan p(one, v5e);
    const Plan::ClassRates& r = p.rates(LlmOp::up_proj);
    return r.matrix * r.weight / (2 * v5e.machine.memories[0].bandwidth.value);
  };
  CHECK_THAT(critical("bf16"), WithinRel(240.0, 0.005));
  CHECK_THAT(critical("int8"), WithinRel(120.0, 0.005));
}

// kshyp/roofline-analyzer: Mistral-7B on a T4, its table. FLOPs are ours without vector work; bytes are explained in docs/guide/llm.md.
TEST_CASE("roofline-analyzer's Mistral-7B on a T4", "[llm]") {
  LlmSetup s = setup("mistral-7b");
  s.causal = false;
  s.last_token = false;
  const Scenario t4 = on("t4");
  const LlmPlan plan(s, t4);
  struct Golden {
    bool decode;
    double tokens, flops, bytes;
  };
  for (const Golden& g : {Golden{false, 128, 1828850761728, 14617149440}, Golden{false, 256, 3674881392640, 14751367168},
                          Golden{false, 512, 7418482262016, 15019802624}, Golden{false, 1024, 15111842430976, 15556673536},
                          Golden{false, 2048, 31323196489728, 16630415360}, Golden{true, 128, 14287896576, 14500757504},
                          Golden{true, 512, 14489223168, 14551089152}, Golden{true, 2048, 15294529536, 14752415744}}) {
    LlmRows rows;
    plan.evaluate(g.decode ? decode(1, g.tokens) : prefill(1, g.tokens), rows);
    CHECK(rows.total.matrix_flops == g.flops);
    // Its bytes: every matrix and the whole embedding table; the cache read in decode; four hidden states per layer.
    double weights = 0, cache = 0;
    for (const LlmRow& r : rows.rows()) {
      if (op_class(s, r.op).matrix_work) weights += 2 * r.weight;
      if (r.op == LlmOp::attention) cache += 2 * r.kv_read;
    }
    const double table = 2.0 * 32000 * 4096, states = 2.0 * 4 * 32 * 4096 * (g.decode ? 1 : g.tokens);
    CHECK(weights + table + (g.decode ? cache : 0) + states == g.bytes);
  }
}
