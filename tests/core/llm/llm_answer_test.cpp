// Requests and what follows from them: times, memory, measured points, changes, the workload of rows.
#include <cmath>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>
#include <tuple>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

LlmRequest request(const std::string& json) {
  Result<LlmRequest> r = parse_llm_request(json);
  INFO((r ? std::string() : r.error().text()));
  REQUIRE(r);
  return std::move(*r);
}

std::string refused(const std::string& json) {
  const Result<LlmRequest> r = parse_llm_request(json);
  REQUIRE(!r);
  return r.error().text();
}

Scenario on(std::string_view machine) {
  const Machine* found = Machines::presets().find(machine);
  INFO(machine);
  REQUIRE(found);
  return roofline::on(*found);
}

double expected_tokens(double gamma, double acceptance) { return Speculation{gamma, acceptance, {}}.tokens_per_step(); }

}  // namespace

TEST_CASE("a request has defaults", "[llm]") {
  const LlmRequest r = request(R"({"model": "gpt-oss-20b"})");
  CHECK(r.phase == LlmPhase::decode);
  CHECK(r.batch == 1);
  CHECK(r.context == 2048);
  CHECK(r.setup.formats.weights.text() == "experts=mxfp4,rest=fp16");  // as published
  CHECK(Formats::catalogue()[request(R"({"model": "llama3-8b", "activations": "fp8"})").setup.formats.kv].id == "fp8_e4m3");
  const LlmRequest g = request(R"({"model": "llama3-8b", "phase": "generate", "prompt": 1024, "generate": 256})");
  CHECK(g.context == 1279);  // the first token comes out of the prefill
}

TEST_CASE("a wrong request says what and where", "[llm]") {
  CHECK(refused(R"({"model": "llama-3-8c"})").find("model: unknown model \"llama-3-8c\": did you mean llama-3-8b") == 0);
  CHECK(refused(R"({"model": "llama-3-8b", "batch": 0})") == "batch: expected a whole number from 1 to 1000000000, found 0");
  CHECK(refused(R"({"model": "llama-3-8b", "phase": "train"})") == "phase: expected one of prefill, decode, generate; found \"train\"");
  CHECK(refused(R"({"model": "llama-3-8b", "weights": "int44"})").find("weights: unknown format \"int44\": did you mean ") == 0);
  CHECK(refused(R"({"model": "llama-3-8b", "btach": 2})") == "btach: unknown key: did you mean batch?");
  CHECK(refused(R"({"model": "llama-3-8b", "ep": 2})") == "ep: the model has no experts to share; expected 1");
  CHECK(refused(R"({"model": "mixtral-8x7b", "tp": 2, "ep": 3})").find("ep: expected a multiple or a divisor of tp") == 0);
  CHECK(refused(R"({"model": "llama-3-8b", "speculate": {"gamma": 4, "acceptance": 1.5, "draft": "llama-3.2-1b"}})")
            .find("speculate.acceptance") == 0);
  CHECK(refused(R"({"model": {"model_type": "llama", "hidden_size": 8}})").find("model: missing: num_hidden_layers") == 0);
  CHECK(refused(R"({"model": "llama-3-8b", "measured_s": -1})") == "measured_s: expected a positive number of seconds, found -1");
  CHECK(refused("[]").find("found an array") != std::string::npos);
}

TEST_CASE("expected tokens of a verified pass", "[llm]") {
  CHECK_THAT(expected_tokens(4, 0.8), WithinAbs(3.3616, 1e-12));
  CHECK_THAT(expected_tokens(1, 0.6), WithinAbs(1.6, 1e-12));
  CHECK_THAT(expected_tokens(5, 0.7), WithinAbs(2.9412, 5e-5));
  CHECK_THAT(expected_tokens(8, 0.9), WithinAbs(6.1258, 5e-5));
  CHECK(expected_tokens(4, 1) == 5);
  CHECK(expected_tokens(4, 0) == 1);
}

TEST_CASE("decode: times, throughput and memory agree with each other", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "batch": 8, "context": 4096})");
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmAnswer a = answer(r, a100);
  CHECK(a.parameters == 8030261248);
  CHECK(a.weights_bytes == 2 * 8030261248.0);
  CHECK(a.kv_bytes_per_token == 131072);
  CHECK(a.kv_bytes == 8 * 4096 * 131072.0);
  CHECK(a.memory.in_memory() == std::optional<bool>(true));
  CHECK(a.bound_by == ResourceKind::memory);
  CHECK_THAT(a.bound.tokens_per_s, WithinRel(8 / a.bound.tpot_s, 1e-12));
  CHECK_THAT(a.bound.tokens_per_s_per_user, WithinRel(1 / a.bound.tpot_s, 1e-12));
  // The bytes of the weights (the embedding table but for eight rows) and the cache, over 2039 GB/s, are nearly all of it.
  const double least = (2 * (8030261248.0 - 128256.0 * 4096) + a.kv_bytes) / 2039e9;
  CHECK(a.bound.tpot_s > least);
  CHECK(a.bound.tpot_s < least * 1.02);
  Scenario none = a100;
  REQUIRE(set(none, "stack", "none"));
  CHECK_THAT(answer(r, none).estimate.tpot_s, WithinRel(a.bound.tpot_s / a100.machine.achievable_bandwidth.value, 1e-9));
  CHECK(a.estimate.tpot_s > answer(r, none).estimate.tpot_s);

  // A larger batch is advised as far as the reserve stays free.
  const auto batch_advised = [&](const LlmRequest& of) {
    for (const LlmChange& c : answer(of, a100).changes)
      if (c.change.starts_with("batch ")) return c.fits == std::optional<bool>(true);
    return false;
  };
  CHECK(batch_advised(r));
  LlmRequest tight = r;
  tight.batch = a.largest_batch + 1;
  CHECK(answer(tight, a100).memory.fit == MemoryFit::tight);
  CHECK_FALSE(batch_advised(tight));
  // A missed target is not rounded to a met one.
  MemoryVerdict verdict = answer(tight, a100).memory;
  verdict.footprint = {};
  verdict.capacity = 100e9;
  verdict.reserve = 0.1;
  verdict.footprint.weights = 90.02e9;
  CHECK(verdict.text() == "barely fits: just under 10% of 100 GB free (target 10%)");
  verdict.footprint.weights = 95e9;
  CHECK(verdict.text() == "barely fits: 5% of 100 GB free (target 10%)");
}

TEST_CASE("the largest batch and the longest context fit with the reserve free, and one more does not", "[llm]") {
  const Scenario a100 = on("a100-80gb-sxm");
  // Of 85.9 GB, 16.06 GB are weights, 0.77 GB activations and 0.537 GB the cache of each sequence.
  const std::tuple<double, double, MemoryFit> cases[] = {
      {0, 128, MemoryFit::too_large}, {0.1, 112, MemoryFit::tight}, {0.5, 48, MemoryFit::tight}};
  for (const auto& [reserve, batch, beyond] : cases) {
    INFO(reserve);
    LlmRequest r = request(R"({"model": "llama-3-8b", "context": 4096})");
    r.reserve = reserve;
    r.setup.model.trained_context = unknown;
    const LlmInference inference(r, a100);
    CHECK(inference.largest_batch(r) == batch);
    CHECK(largest_batches(inference, std::vector<double>{4096}) == std::vector<float>{static_cast<float>(batch)});
    LlmRun run = r;
    run.batch = batch;
    CHECK(inference.memory(run).fit == MemoryFit::fits);
    ++run.batch;
    CHECK(inference.memory(run).fit == beyond);
    const LongestContext longest = inference.longest_context(r);
    CHECK(longest.limit == ContextLimit::memory);
    run = r;
    run.prompt = run.context = longest.tokens;
    CHECK(inference.memory(run).fit == MemoryFit::fits);
    ++run.context;
    CHECK(inference.memory(run).fit == beyond);
  }
}

TEST_CASE("the longest context is at most the one that the model was trained for", "[llm]") {
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmAnswer a = answer(request(R"({"model": "llama-3.1-8b"})"), a100);  // the memory would hold three times as much
  CHECK(a.longest_context.tokens == 131072);
  CHECK(a.longest_context.limit == ContextLimit::training);
  LlmRequest untold = request(R"({"model": "llama-3.1-8b"})");
  untold.setup.model.trained_context = unknown;
  CHECK(answer(untold, a100).longest_context.tokens > 400000);
  CHECK(answer(untold, a100).longest_context.limit == ContextLimit::memory);
  Scenario unbounded = a100;
  unbounded.machine.memories[0].capacity = {};
  CHECK(std::isnan(answer(untold, unbounded).longest_context.tokens));
}

TEST_CASE("a full table of operators loses no work", "[llm]") {
  LlmRows sum, piece;
  sum.clear();
  piece.clear();
  piece.size = 1;
  for (std::size_t op : {std::size_t{0}, std::size_t{1}})
    for (std::size_t i = 0; i < 200; ++i) {  // far more pieces than any operator has
      piece.op_class[0] = static_cast<std::uint32_t>(op);
      piece.windowed[0] = false;
      piece.bound_by[0] = static_cast<std::uint8_t>(i % 12);
      piece.typical_piece[0] = static_cast<std::uint8_t>(i);
      for (auto* column :
           {&piece.count, &piece.matrix_flops, &piece.vector_flops, &piece.weight, &piece.activation, &piece.output, &piece.kv_read,
            &piece.kv_write, &piece.link_bytes, &piece.flops, &piece.bytes, &piece.predicted_s, &piece.typical_s})
        (*column)[0] = 1;
      piece.total.predicted_s = 1;
      sum.add(piece, 2);
    }
  double predicted_s = 0, second = 0;
  for (const LlmRow& row : sum.rows()) {
    predicted_s += row.predicted_s;
    if (row.op == LlmOp{1}) second += row.count;
  }
  CHECK(sum.total.predicted_s == 800);
  CHECK(predicted_s == 800);
  CHECK(second == 400);
}

TEST_CASE("one request has one verdict on memory, whatever phase is looked at", "[llm]") {
  const Scenario a100 = on("a100-80gb-sxm");  // 81,920 MiB
  const auto verdict = [&](const std::string& phase, const std::string& keys) {
    return answer(request(R"({"model": "llama-3.1-8b", "phase": ")" + phase + "\", " + keys + "}"), a100).memory;
  };
  const auto same = [&](const std::string& keys, MemoryFit fit) {
    INFO(keys);
    const MemoryVerdict decode = verdict("decode", keys);
    CHECK(decode.fit == fit);
    for (const char* phase : {"prefill", "generate"}) {
      INFO(phase);
      const MemoryVerdict v = verdict(phase, keys);
      CHECK(v.fit == fit);
      CHECK(v.footprint.total() == decode.footprint.total());
      CHECK(v.context == decode.context);
    }
  };
  // 16.06 GB of weights; 131,072 B of cache per token.
  same(R"("prompt": 4096, "generate": 256, "batch": 8)", MemoryFit::fits);
  same(R"("prompt": 4096, "context": 8192, "generate": 256, "batch": 60)", MemoryFit::tight);
  same(R"("prompt": 4096, "context": 8192, "generate": 256, "batch": 80)", MemoryFit::too_large);
  same(R"("prompt": 200000, "generate": 1)", MemoryFit::too_long);

  const std::string too_large = R"({"model": "llama-3.1-8b", "prompt": 4096, "context": 8192, "generate": 256, "batch": 80})";
  CHECK(answer(request(too_large), a100).finding.find(", and NVIDIA A100 80GB SXM has 85.9 GB (80 GiB). ") != std::string::npos);

  const MemoryVerdict v = verdict("decode", R"("prompt": 4096, "context": 1024, "generate": 257, "batch": 2)");
  CHECK(v.context == 4096 + 256);  // the context is never shorter than what was said
  CHECK(v.footprint.kv == 2 * 4352 * 131072.0);
  CHECK(v.trained_context == 131072);
  CHECK(v.text() == "fits in 85.9 GB");
  CHECK(verdict("decode", R"("batch": 60, "context": 8192, "reserve": 0)").fit == MemoryFit::fits);

  // A prompt in pieces of `chunk` tokens: activations are a piece's, and several short prompts share one.
  const auto activations = [&](const char* keys) { return verdict("prefill", keys).footprint.activations; };
  CHECK(activations(R"("prompt": 65536)") == activations(R"("prompt": 65536, "batch": 4)"));
  CHECK(activations(R"("prompt": 2048, "batch": 64)") == activations(R"("prompt": 2048, "batch": 4)"));
  CHECK(activations(R"("prompt": 65536, "chunk": 2048)") < activations(R"("prompt": 65536)") / 2);
}

TEST_CASE("time to first token: of one request alone and of all together", "[llm]") {
  const Scenario h100 = on("h100-sxm");
  const LlmAnswer one = answer(request(R"({"model": "llama-3-8b", "phase": "prefill", "prompt": 4096})"), h100);
  for (const char* phase : {"prefill", "decode", "generate"}) {
    INFO(phase);
    const LlmAnswer many =
        answer(request(R"({"model": "llama-3-8b", "prompt": 4096, "batch": 16, "phase": ")" + std::string(phase) + "\"}"), h100);
    CHECK(many.ttft_alone_s == one.bound.ttft_s);
    CHECK(many.typical_ttft_alone_s == one.estimate.ttft_s);
    CHECK(many.bound.ttft_s > 10 * one.bound.ttft_s);
  }
}

TEST_CASE("what would help: what makes it fit first, then software before hardware", "[llm]") {
  const auto changes = [](const char* keys, const char* machine) { return answer(request(keys), on(machine)).changes; };
  bool hardware = false;
  for (const LlmChange& c : changes(R"({"model": "llama-3-8b", "context": 4096})", "h100-sxm")) {
    CHECK(c.hardware >= hardware);
    hardware = c.hardware;
  }
  CHECK(hardware);
  const std::vector<LlmChange> fitting = changes(R"({"model": "llama-3.1-70b", "context": 4096})", "h100-sxm");  // 141 GB of weights
  REQUIRE(!fitting.empty());
  CHECK(fitting[0].fits == std::optional<bool>(true));
  CHECK_FALSE(fitting[0].hardware);
  CHECK(fitting[0].change == "INT4 weights in groups of 128");
  CHECK_FALSE(fitting[0].barely_fits);
  // 36.4 GB of weights, 42.9 GB of cache and 1.54 GB of activations are 94% of 85.9 GB, and a tenth is to stay free.
  const LlmAnswer barely = answer(request(R"({"model": "llama-3.1-70b", "batch": 16, "context": 8192})"), on("a100-80gb-sxm"));
  CHECK(barely.finding.find(", or barely on 1 with INT4 weights in groups of 128. ") != std::string::npos);
}

TEST_CASE("what would help: products in the narrow format that the machine computes fastest in", "[llm]") {
  const auto gain = [](const char* machine, const std::string& change) {
    for (const LlmChange& c : answer(request(R"({"model": "llama-3-8b", "phase": "prefill", "prompt": 3840})"), on(machine)).changes)
      if (c.change == change) return c.gain;
    return unknown;
  };
  CHECK_THAT(gain("a100-80gb-sxm", "INT8 weights and activations"), WithinRel(2.0, 0.1));  // 624 TOP/s over 312 TFLOP/s; attention stays
  CHECK_THAT(gain("h100-sxm", "FP8 weights and activations"), WithinRel(2.0, 0.1));
  CHECK_FALSE(known(gain("h100-sxm", "INT8 weights and activations")));
}

TEST_CASE("what would help: another machine is of the class of the user's own", "[llm]") {
  const LlmAnswer a = answer(request(R"({"model": "llama-3-8b", "weights": "int4_g128", "context": 1024})"), on("rtx-3090"));
  std::size_t machines = 0;
  for (const LlmChange& c : a.changes)
    for (const Machine& m : Machines::presets().all())
      if (m.name == c.change) {
        ++machines;
        CHECK(m.segment == "desktop");
      }
  CHECK(machines == 1);
}

TEST_CASE("memory with windows, latents and tensor parallelism", "[llm]") {
  const Scenario h200 = on("h200-sxm");
  const LlmRequest gemma = request(R"({"model": "gemma-2-9b", "context": 8192})");
  CHECK(answer(gemma, h200).kv_bytes == 2 * 8.0 * 256 * 2 * (21 * 8192 + 21 * 4096));
  CHECK(answer(gemma, h200).kv_bytes_per_token == 344064);
  const LlmRequest deepseek = request(R"({"model": "deepseek-v3", "context": 4096, "tp": 8, "weights": "fp8_e4m3"})");
  const LlmAnswer a = answer(deepseek, h200);
  CHECK(a.kv_bytes == 4096 * 70272.0);
  CHECK(a.memory.footprint.kv == a.kv_bytes);  // every machine holds the latent
  // Every machine has the products into latents and the router of the 58 layers of experts whole.
  const double whole = 61 * 7168.0 * (1536 + 576) + 58 * (7168.0 * 256 + 256);
  CHECK_THAT(a.memory.footprint.weights, WithinRel((671026419200.0 - whole) / 8 + whole, 1e-4));
  CHECK(a.memory.in_memory() == std::optional<bool>(true));
  CHECK(a.machines == 8);
  const LlmRequest llama = request(R"({"model": "llama-3-8b", "context": 4096, "tp": 4})");
  CHECK(answer(llama, h200).memory.footprint.kv == 4096 * 131072.0 / 4);
}

TEST_CASE("generation is the prefill and its steps", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-2-7b", "phase": "generate", "prompt": 1024, "generate": 256, "batch": 2})");
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmAnswer a = answer(r, a100);
  const LlmInference inference(r, a100);
  double time = inference.ttft_s(2, 1024);
  for (double context = 1025; context <= 1279; ++context) time += inference.tpot_s(2, context);
  CHECK_THAT(a.bound.total_s, WithinRel(time, 1e-12));
  CHECK_THAT(a.bound.total_s, WithinRel(a.bound.ttft_s + 255 * a.bound.tpot_s, 1e-12));
  CHECK_THAT(a.bound.tokens_per_s, WithinRel(512 / time, 1e-12));
}

TEST_CASE("speculation: a pass of the target and gamma of the draft for the expected tokens", "[llm]") {
  const Scenario h100 = on("h100-sxm");
  const LlmRequest plain = request(R"({"model": "llama-3.1-70b", "context": 2048, "tp": 4})");
  const LlmRequest r = request(
      R"({"model": "llama-3.1-70b", "context": 2048, "tp": 4, "speculate": {"gamma": 4, "acceptance": 0.8, "draft": "llama-3.2-1b"}})");
  const LlmAnswer a = answer(r, h100);
  LlmSetup draft = r.setup;
  draft.model = *Models::presets().find("llama-3.2-1b");
  LlmRows verify, once;
  LlmPlan(r.setup, h100).evaluate(LlmPass::decode_step(1, 2052, 5), verify);
  LlmPlan(draft, h100).evaluate(LlmPass::decode_step(1, 2048), once);
  CHECK_THAT(a.bound.tpot_s, WithinRel((verify.total.predicted_s + 4 * once.total.predicted_s) / 3.3616, 1e-12));
  CHECK(a.bound.tpot_s < answer(plain, h100).bound.tpot_s / 2);
  const std::string step = seconds(verify.total.predicted_s + 4 * once.total.predicted_s);
  CHECK(a.finding.find(" A step of draft and model takes at least " + step + " and makes 3.36 tokens.") != std::string::npos);
}

TEST_CASE("the workload has the same rows", "[llm]") {
  for (const char* json : {R"({"model": "llama-3-8b", "batch": 8, "context": 4096, "weights": "int4_g128", "kv": "fp8_e4m3"})",
                           R"({"model": "gemma-3-12b", "phase": "prefill", "prompt": 3000, "attention": "unfused"})",
                           R"({"model": "mixtral-8x7b", "phase": "generate", "prompt": 700, "generate": 900, "batch": 64, "tp": 2})",
                           R"({"model": "deepseek-v3", "context": 5000, "batch": 300, "ep": 16, "tp": 2})",
                           R"({"model": "llama-3.1-70b", "speculate": {"gamma": 3, "acceptance": 0.7, "draft": "llama-3.2-1b"}})"}) {
    INFO(json);
    const LlmRequest r = request(json);
    const Scenario h100 = on("h100-sxm");
    const Workload w = llm_workload(r, h100);
    const Summary s = summarize(Plan(w, h100));
    const LlmInference inference(r, h100);
    LlmPasses passes;
    inference.evaluate(r, passes);
    double predicted = 0, bytes = 0, flops = 0;
    for (const LlmRows* rows : {&passes.prefill, &passes.decode, &passes.draft}) {
      predicted += rows->total.predicted_s;
      bytes += rows->total.bytes;
      flops += rows->total.flops;
    }
    CHECK_THAT(s.predicted_time_s, WithinRel(predicted, 1e-12));
    CHECK_THAT(s.bytes, WithinRel(bytes, 1e-12));
    CHECK_THAT(s.flops, WithinRel(flops, 1e-12));
    CHECK(w.name_of(0) == "embed");
  }
}

TEST_CASE("rows and summary state the same times, whatever the overheads", "[llm]") {
  using Settings = std::vector<std::pair<const char*, const char*>>;
  for (const Settings& settings :
       {Settings{}, Settings{{"overhead.overlap", "0"}}, Settings{{"overhead.overlap", "60"}, {"overhead.launch_us", "5"}},
        Settings{{"overhead.compute", "45"}, {"overhead.bandwidth", "95"}, {"overhead.tile", "128x128"}},
        Settings{{"overhead.network", "fp32"}, {"overhead.overlap", "30"}}}) {
    Scenario s = on("h100-sxm");
    for (const auto& [key, value] : settings) REQUIRE(set(s, key, value));
    for (const char* json : {R"({"model": "llama-3-8b", "batch": 256, "context": 512})",
                             R"({"model": "gemma-3-12b", "phase": "prefill", "prompt": 3000, "attention": "unfused"})",
                             R"({"model": "mixtral-8x7b", "phase": "generate", "prompt": 700, "generate": 900, "batch": 64, "tp": 2})",
                             R"({"model": "deepseek-v3", "phase": "generate", "prompt": 40, "generate": 3000, "batch": 200, "ep": 8})",
                             R"({"model": "llama-3.1-70b", "speculate": {"gamma": 3, "acceptance": 0.7, "draft": "llama-3.2-1b"}})"}) {
      INFO(json << (settings.empty() ? "" : settings[0].first));
      const LlmRequest r = request(json);
      const Workload w = llm_workload(r, s);
      const Plan plan(w, s);
      double predicted = 0, typical = 0;
      for (std::size_t op = 0; op < w.size(); ++op) {
        predicted += plan.analyze(op).predicted_time_s;
        typical += plan.analyze(op).typical_time_s;
      }
      const LlmAnswer a = answer(r, s);
      const bool prefill = r.phase == LlmPhase::prefill, decode = r.phase == LlmPhase::decode;
      CHECK_THAT(predicted, WithinRel(prefill ? a.bound.ttft_s : decode ? a.bound.tpot_s * a.tokens_per_step : a.bound.total_s, 1e-12));
      CHECK_THAT(typical, WithinRel(prefill  ? a.estimate.ttft_s
                                    : decode ? a.estimate.tpot_s * a.tokens_per_step
                                             : a.estimate.total_s,
                                    1e-12));
    }
  }
}

// Each formula as text, with the numbers put in, is what the row has.
TEST_CASE("the formulas shown are the ones computed", "[llm]") {
  std::size_t seen = 0;
  for (const char* json :
       {R"({"model": "llama-3-8b", "batch": 3, "context": 1000, "attention": "unfused"})",
        R"({"model": "gpt-oss-20b", "batch": 7, "context": 900})",
        R"({"model": "deepseek-v3", "context": 700, "batch": 24, "ep": 8, "tp": 4})",
        R"({"model": "deepseek-v2-lite", "phase": "prefill", "prompt": 300})",
        R"({"model": "opt-13b", "phase": "prefill", "prompt": 300, "batch": 2, "tp": 2})", R"({"model": "qwen3-30b-a3b", "batch": 9})",
        R"({"model": "gemma-3-4b", "phase": "prefill", "prompt": 3000, "attention": "unfused"})", R"({"model": "phi-2", "batch": 2})"}) {
    const LlmRequest r = request(json);
    const Scenario h100 = on("h100-sxm");
    const LlmPlan plan(r.setup, h100);
    const LlmPass pass =
        r.phase == LlmPhase::prefill ? LlmPass::prefill(r.batch, r.prompt, r.prompt) : LlmPass::decode_step(r.batch, r.context);
    LlmRows rows;
    plan.evaluate(pass, rows);
    for (const LlmRow& row : rows.rows()) {
      INFO(json << " " << info(row.op).id);
      const Trace trace = plan.trace(pass, row);
      Variables variables;
      std::vector<double> values;
      for (const auto& [symbol, value] : trace.symbols) {
        variables.names.emplace_back(symbol);
        values.push_back(value);
      }
      Keys keys;
      const auto value = [&](std::string_view expression) {
        if (expression.empty()) return 0.0;
        const Result<Expression> e = Expression::compile(expression, keys, variables);
        REQUIRE(e);
        const Result<double> v = e->evaluate(Record{}, values);
        REQUIRE(v);
        return *v;
      };
      CHECK_THAT(value(info(row.op).flops) * row.count, WithinRel(row.flops, 1e-12));
      CHECK_THAT(value(info(row.op).elements) * row.count,
                 WithinRel(row.weight + row.activation + row.output + row.kv_read + row.kv_write, 1e-12));
      ++seen;
    }
  }
  CHECK(seen > 100);
}

TEST_CASE("measured: a time, llama-bench, vLLM and points", "[llm]") {
  const Scenario t4 = on("t4");
  // kshyp/roofline-analyzer's measurement: Mistral-7B in NF4 on a T4, 42 + 32 tokens in 2.172 s, 0.49 TFLOP/s.
  const LlmRequest r =
      request(R"({"model": "mistral-7b", "phase": "generate", "prompt": 42, "generate": 32, "weights": "nf4", "measured_s": 2.172})");
  const LlmAnswer a = answer(r, t4);
  REQUIRE(a.measured.size() == 1);
  const LlmComparison& m = a.measured[0];
  CHECK_THAT(m.flops, WithinRel(0.49e12, 0.05));  // it counts one step more and the LM head on every prompt token
  CHECK(m.bottleneck == "memory-bound");
  CHECK(m.efficiency < 0.25);
  CHECK(m.mbu < 0.25);
  CHECK(m.explanations.size() >= 3);

  const auto read = [&](const char* text) {
    Result<std::vector<LlmMeasurement>> list = parse_llm_measurements(text, r);
    INFO((list ? std::string() : list.error().text()));
    REQUIRE(list);
    return std::move(*list);
  };
  const auto points = read(R"([{"name": "My Model", "oi": 150, "tflops": 12}])");
  REQUIRE(points.size() == 1);
  CHECK(points[0].flops == 12e12);
  const auto bench = read(R"([{"model_type": "llama 7B Q4_0", "n_prompt": 512, "n_gen": 0, "avg_ns": 500000000, "avg_ts": 1024.0},
                              {"model_type": "llama 7B Q4_0", "n_prompt": 0, "n_gen": 128, "avg_ns": 2560000000, "avg_ts": 50.0}])");
  REQUIRE(bench.size() == 2);
  CHECK(bench[0].phase == LlmPhase::prefill);
  CHECK(bench[0].prompt == 512);
  CHECK(bench[0].time_s == 0.5);
  CHECK(bench[1].phase == LlmPhase::decode);
  CHECK(bench[1].time_s == 0.02);
  CHECK(bench[1].context == 64.5);
  const auto serving = read(R"({"completed": 100, "total_input_tokens": 102400, "total_output_tokens": 12800, "mean_ttft_ms": 80.5,
                               "mean_tpot_ms": 12.25, "max_concurrency": 16})");
  REQUIRE(serving.size() == 2);
  CHECK(serving[0].prompt == 1024);
  CHECK(serving[1].batch == 16);
  CHECK(serving[1].context == 1088);
  CHECK(serving[1].time_s == 0.01225);
  // Without a limit: 10 requests/s that take 0.12 s + 127 x 9.5 ms, so 13.3 at a time.
  const auto unlimited = read(R"({"completed": 1000, "total_input_tokens": 1024000, "total_output_tokens": 128000, "mean_ttft_ms": 120,
                                 "mean_tpot_ms": 9.5, "max_concurrency": null, "request_throughput": 10})");
  CHECK(unlimited[1].batch == 13);
  CHECK(unlimited[1].name == "TPOT, about 13 users");
  CHECK(read(R"({"mean_tpot_ms": 9.5})")[0].name == "TPOT, batch 1 assumed");
  const auto deep = read(R"({"n_prompt": 512, "n_gen": 128, "n_depth": 0, "avg_ns": 1e9}
                            {"n_prompt": 512, "n_gen": 128, "n_depth": 4096, "avg_ns": 1e9})");
  REQUIRE(deep.size() == 2);
  CHECK(deep[1].name == "pp512+tg128 @ d4096");
  // Mistral's cache has 128 KiB per token. Each of 128 steps sees its whole window of 4,096, at no depth 513 to 640 keys.
  const auto kv_bytes = [&](const LlmMeasurement& each) {
    LlmPasses passes;
    LlmInference(r, t4).evaluate(each, passes);
    return passes.decode.total.kv_bytes;
  };
  CHECK_THAT(kv_bytes(deep[1]) - kv_bytes(deep[0]), WithinRel(128 * (4096 - 576.5) * 131072, 1e-9));
  CHECK(read(R"({"avg_latency": 1.5, "latencies": [1.5], "percentiles": {}})")[0].phase == LlmPhase::generate);
  const auto wrong = parse_llm_measurements(R"([{"speed": 3}])", r);
  REQUIRE(!wrong);
  CHECK(wrong.error().text().find("[0]: not a measurement that is known") == 0);
}

TEST_CASE("a point is compared with the roof at its intensity", "[llm]") {
  const LlmRequest r =
      request(R"({"model": "mistral-7b", "measured": [{"name": "a", "oi": 100, "tflops": 16}, {"name": "b", "oi": 300, "tflops": 16}]})");
  const LlmAnswer a = answer(r, on("t4"));
  REQUIRE(a.measured.size() == 2);
  CHECK_THAT(a.measured[0].efficiency, WithinRel(0.5, 1e-12));  // 100 FLOP/B at 320 GB/s
  CHECK(a.measured[0].bottleneck == "memory-bound");
  CHECK_THAT(a.measured[1].efficiency, WithinRel(16.0 / 65, 1e-12));
  CHECK(a.measured[1].bottleneck == "compute-bound");
}

TEST_CASE("what does not fit says how many machines would hold it, and whether barely", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3.1-70b", "batch": 16, "context": 8192})");  // 185 GB
  Scenario s = on("h100-sxm");
  CHECK(answer(r, s).finding.find("It fits on 4 x NVIDIA H100 SXM, or ") != std::string::npos);
  s.machine.memories[0].capacity.value = 96e9;  // two would hold it, with 3% free
  CHECK(answer(r, s).finding.find("It fits on 4 x NVIDIA H100 SXM (barely on 2), or on 1 with ") != std::string::npos);
  LlmRequest cautious = r;
  cautious.reserve = 0.8;  // the link connects eight, whose shares are 24% of the memory
  CHECK(answer(cautious, s).finding.find("It fits on 8 x NVIDIA H100 SXM, with under 80% free") != std::string::npos);
}

TEST_CASE("changes are ranked and keep what they promise", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b", "batch": 8, "context": 1024, "attention": "unfused"})");
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmAnswer a = answer(r, a100);
  REQUIRE(a.changes.size() > 4);
  for (std::size_t i = 1; i < a.changes.size(); ++i)
    CHECK((a.changes[i - 1].hardware < a.changes[i].hardware || a.changes[i - 1].typical_gain >= a.changes[i].typical_gain));
  bool checked = false;
  for (const LlmChange& c : a.changes) {
    if (c.change != "INT4 weights in groups of 128") continue;
    LlmRequest then = r;
    then.setup.formats.weights = format("int4_g128");
    CHECK_THAT(c.gain, WithinRel(answer(then, a100).bound.tokens_per_s / a.bound.tokens_per_s, 1e-12));
    CHECK(c.gain > 2);
    CHECK_THAT(c.typical_gain, WithinRel(answer(then, a100).estimate.tokens_per_s / a.estimate.tokens_per_s, 1e-12));
    CHECK(c.typical_gain < 0.9 * c.gain);  // overheads do not shrink with the weights
    CHECK(a.finding.find("INT4 weights in groups of 128: about " + times(c.typical_gain)) != std::string::npos);  // the figure of the list
    checked = true;
  }
  CHECK(checked);
  CHECK(a.finding.find("Decode at batch 8 is memory-bound on HBM: ") == 0);
  const auto prefill = [&](const char* context) {
    return answer(request(R"({"model": "llama-3-8b", "phase": "prefill", "prompt": 1000)" + std::string(context) + "}"), a100).finding;
  };
  CHECK(prefill("").starts_with("Prefill of 1,000 tokens at batch 1 "));
  CHECK(prefill(R"(, "context": 1500)").starts_with("Prefill of 1,000 tokens after 500 cached at batch 1 "));
  const LlmAnswer both =
      answer(request(R"({"model": "llama-3-8b", "phase": "generate", "batch": 16, "prompt": 3840, "generate": 256})"), a100);
  CHECK(both.finding.find(" Prefill takes " + percent(both.estimate.ttft_s / both.estimate.total_s) + " of the time, decode the rest.") !=
        std::string::npos);
  CHECK(both.finding.find(" is memory-bound on HBM for ") != std::string::npos);  // not for nearly all of the time
  CHECK(a.finding.find("; batch 32: ") != std::string::npos);
}

TEST_CASE("a change of a mixture gives what its patch gives", "[llm]") {
  const Scenario a100 = on("a100-80gb-sxm");
  for (const char* weights : {"Q6_K", "Q8_0"}) {
    INFO(weights);
    Json keys = Json::parse(R"({"model": "llama-3-8b", "batch": 8, "context": 1024})");
    keys["weights"] = weights;
    const LlmAnswer a = answer(request(dump(keys)), a100);
    bool checked = false;
    for (const LlmChange& c : a.changes) {
      const Json patch = Json::parse(c.patch);
      if (c.hardware || !patch.contains("weights")) continue;
      Json patched = keys;
      patched.update(patch);
      CHECK_THAT(c.gain, WithinRel(answer(request(dump(patched)), a100).bound.tokens_per_s / a.bound.tokens_per_s, 1e-12));
      checked = true;
    }
    CHECK(checked);
  }
}

TEST_CASE("the batch at which decode turns compute-bound, or never", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-2-70b", "context": 128})");
  const Scenario a100 = on("a100-80gb-sxm");
  const LlmInference inference(r, a100);
  const double batch = inference.compute_bound_batch(128);
  CHECK(batch > 100);
  CHECK(batch < 400);
  LlmRows rows;
  inference.plan().evaluate(LlmPass::decode_step(batch, 128), rows);
  CHECK(rows.total.predicted_by(ResourceKind::compute) * 2 > rows.total.predicted_s);
  inference.plan().evaluate(LlmPass::decode_step(batch - 1, 128), rows);
  CHECK(rows.total.predicted_by(ResourceKind::compute) * 2 <= rows.total.predicted_s);
  CHECK(std::isnan(inference.compute_bound_batch(65536)));  // the cache's traffic grows with the batch too
}

TEST_CASE("the heat map is the throughput of each cell, empty where it does not fit", "[llm]") {
  const LlmRequest r = request(R"({"model": "llama-3-8b"})");
  const Scenario l4 = on("l4");
  const LlmInference inference(r, l4);
  const std::vector<double> batches = {1, 8, 64}, contexts = {512, 8192};
  const std::vector<float> map = llm_heat_map(inference, batches, contexts);
  REQUIRE(map.size() == 6);
  CHECK(map[1] == static_cast<float>(8 / inference.tpot_s(8, 512)));
  CHECK(map[3] == static_cast<float>(1 / inference.tpot_s(1, 8192)));
  CHECK(std::isnan(map[5]));  // 64 sequences of 8192 tokens are 69 GB
  const LlmRequest reading = request(R"({"model": "llama-3-8b", "phase": "prefill"})");
  const LlmInference prefill(reading, l4);
  CHECK(llm_heat_map(prefill, batches, contexts)[1] == static_cast<float>(8 * 512 / prefill.ttft_s(8, 512)));
}

TEST_CASE("a session builds a model and answers about it", "[llm]") {
  Session session;
  const auto ask = [&](const char* question, const std::string& request) {
    const Answer a = session.ask(question, request);
    return std::pair(Json::parse(a.json), a.columns);
  };
  REQUIRE(session.configure(R"({"machine": "a100-80gb-sxm"})") == "{}");
  const std::string request = R"({"model": "llama-3-8b", "batch": 8, "context": 4096})";
  const Json built = Json::parse(session.build("model", request));
  REQUIRE(built.contains("opened"));
  CHECK(built["opened"]["source"] == "llama-3-8b");
  CHECK(built["opened"]["ops"] == 17);
  CHECK(Json::parse(session.build("model", R"({"model": "nosuch"})"))["error"]["path"] == "model");
  CHECK(session.index_of("lm_head") == 16);  // what was open is still open

  const auto [answered, none] = ask("model", R"({"request": )" + request + "}");
  CHECK(answered["parameters"] == 8030261248.0);
  CHECK(answered["fits"] == true);
  CHECK(answered["layers"].size() == 34);
  double share = 0;
  for (const Json& layer : answered["layers"])
    if (layer["step"] == "decode") share += layer["share"].get<double>();
  CHECK_THAT(share, WithinRel(1.0, 1e-12));
  CHECK(answered["layers"][2]["flops_formula"] == "2 * T * H * Q = 2 * 32768 * 4096 * 4096 = 1099511627776");

  const auto [map, columns] =
      ask("model_map", R"({"request": )" + request + R"(, "columns": 16, "rows": 8, "batch": 64, "context": 32768})");
  REQUIRE(columns.size() == 2);
  CHECK(columns[0].second.size() == 128);
  CHECK(map["batches"].back() == 64);
  CHECK(map["contexts"][0] == 1);
  CHECK(ask("model", R"({"request": {"model": "nosuch"}})").first["error"]["path"] == "model");
}

TEST_CASE("a dropped config.json is recognised", "[llm]") {
  CHECK(detect(R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 4096})") == FileKind::model);
  CHECK(detect(R"({"hidden_size": 4096, "model_type": "llama"})") == FileKind::model);
  CHECK(detect(R"({"type": "ID_CONV", "model_type": "llama"})") == FileKind::operations);
}

TEST_CASE("the achievable answer is a whole second one", "[llm]") {
  Scenario h100 = on("h100-sxm");
  REQUIRE(set(h100, "stack", "none"));
  const Machine& m = h100.machine;
  // Decode is nearly all memory: the bandwidth's fraction is what is left of it. Prefill is nearly all compute.
  const LlmAnswer decode = answer(request(R"({"model": "llama-3-8b", "context": 4096})"), h100);
  CHECK_THAT(decode.estimate.tokens_per_s, WithinRel(decode.bound.tokens_per_s * m.achievable_bandwidth.value, 1e-9));
  CHECK_THAT(decode.estimate.tokens_per_s_per_user, WithinRel(1 / decode.estimate.tpot_s, 1e-12));
  const LlmRequest generating = request(R"({"model": "llama-3-8b", "phase": "generate", "prompt": 1024, "generate": 128, "batch": 4})");
  const LlmAnswer a = answer(generating, h100);
  CHECK_THAT(a.estimate.total_s, WithinRel(a.estimate.ttft_s + 127 * a.estimate.tpot_s, 1e-12));
  CHECK_THAT(a.estimate.tokens_per_s, WithinRel(4 * 128 / a.estimate.total_s, 1e-12));
  CHECK(a.estimate.ttft_s > a.bound.ttft_s / m.achievable(Unit::matrix, a.compute).value * 0.95);
  CHECK(a.typical_joules_per_token > a.joules_per_token);
  // What is typed as achievable counts, to the ideal.
  for (const auto& [key, value] :
       {std::pair("overhead.compute", "100"), std::pair("overhead.bandwidth", "100"), std::pair("overhead.launch_us", "0")})
    REQUIRE(set(h100, key, value));
  CHECK_THAT(answer(generating, h100).estimate.total_s, WithinRel(a.bound.total_s, 1e-12));
}

TEST_CASE("cost follows from a price and years, or from an hourly rate", "[llm]") {
  const Scenario h100 = on("h100-sxm");
  const LlmAnswer none = answer(request(R"({"model": "llama-3-8b"})"), h100);
  CHECK(std::isnan(none.usd_per_million_tokens));
  CHECK(none.cost.years == 4);
  const LlmAnswer priced = answer(request(R"({"model": "llama-3-8b", "price_usd": 30000, "tp": 2})"), h100);
  CHECK_THAT(priced.cost.usd_per_hour, WithinRel(30000 / (4 * 8760.0), 1e-12));
  CHECK_THAT(priced.usd_per_million_tokens, WithinRel(2 * 30000 / (4 * 8760 * 3600.0) / priced.bound.tokens_per_s * 1e6, 1e-12));
  const LlmAnswer shorter = answer(request(R"({"model": "llama-3-8b", "price_usd": 30000, "years": 2, "tp": 2})"), h100);
  CHECK_THAT(shorter.usd_per_million_tokens, WithinRel(2 * priced.usd_per_million_tokens, 1e-12));
  const LlmAnswer rented = answer(request(R"({"model": "llama-3-8b", "price_usd": 30000, "usd_per_hour": 3.6})"), h100);
  CHECK_THAT(rented.usd_per_million_tokens, WithinRel(1000 / rented.bound.tokens_per_s, 1e-12));  // 0.1 cents a second
  CHECK(std::isnan(rented.cost.price_usd));
  CHECK(rented.typical_usd_per_million_tokens > rented.usd_per_million_tokens);
  CHECK(refused(R"({"model": "llama-3-8b", "price_usd": 0})") == "price_usd: expected a positive number of US dollars, found 0");
  CHECK(refused(R"({"model": "llama-3-8b", "years": "four"})") == "years: expected a positive number of years, found \"four\"");
  Scenario own = h100;  // a machine file may state one
  own.machine.price_usd.value = 8760 * 4;
  CHECK_THAT(answer(request(R"({"model": "llama-3-8b"})"), own).cost.usd_per_hour, WithinRel(1.0, 1e-12));
}

TEST_CASE("measured points stand on the chart where they were", "[llm]") {
  const Scenario t4 = on("t4");
  const LlmRequest r = request(
      R"({"model": "mistral-7b", "batch": 2, "context": 512, "measured_s": 0.08, "measured": [{"name": "prefill <512>", "oi": 493.9, "tflops": 21.5}]})");
  const LlmAnswer a = answer(r, t4);
  const std::vector<Mark> points = marks(a);
  REQUIRE(points.size() == 2);
  LlmRows rows;
  LlmPlan(r.setup, t4).evaluate(LlmPass::decode_step(2, 512), rows);
  CHECK_THAT(points[0].flops, WithinRel(rows.total.flops / 0.08, 1e-12));
  CHECK_THAT(points[0].intensity, WithinRel(rows.total.flops / rows.total.bytes, 1e-12));
  CHECK(points[1].intensity == 493.9);
  CHECK(points[1].flops == 21.5e12);

  const Workload w = llm_workload(r, t4);
  const Plan plan(w, t4);
  WriteOptions options;
  options.marks = points;
  std::string svg, plain;
  write_svg(plan, options, [&](std::string_view piece) { svg += piece; });
  write_svg(plan, {}, [&](std::string_view piece) { plain += piece; });
  CHECK(svg.find("<title>prefill &lt;512&gt;, measured: 21.5 TFLOP/s at 494 FLOP/B</title>") != std::string::npos);
  CHECK(svg.find(">measured 2</text>") != std::string::npos);
  CHECK(plain.find("measured") == std::string::npos);
}

TEST_CASE("each row says how it was derived, with the numbers put in", "[llm]") {
  // value of "a * b + c = 2 * 3 + 4 = 10": the numbers must come to what is behind the last equals sign, and times the count to the row's
  // work.
  const auto evaluated = [](const std::string& text) {
    const std::size_t first = text.find(" = "), last = text.rfind(" = ");
    REQUIRE(first != last);
    Keys keys;
    const Variables none;
    const Result<Expression> e = Expression::compile(text.substr(first + 3, last - first - 3), keys, none);
    INFO(text);
    REQUIRE(e);
    const Result<double> v = e->evaluate(Record{}, {});
    REQUIRE(v);
    CHECK_THAT(*v, WithinRel(std::stod(text.substr(last + 3)), 2e-5));  // the numbers shown are rounded
    return *v;
  };
  std::size_t seen = 0, mixed = 0;
  for (
      const char* json :
      {R"({"model": "llama-3-8b", "batch": 8, "context": 4096, "weights": "int4_g128", "kv": "fp8_e4m3"})",
       R"({"model": "gpt-oss-20b", "phase": "generate", "prompt": 100, "generate": 200, "batch": 3})",
       R"({"model": "deepseek-v3", "context": 700, "batch": 24, "ep": 8, "tp": 4, "weights": "fp8"})",
       R"({"model": "deepseek-v2-lite", "phase": "generate", "prompt": 300, "generate": 40, "mla": "expanded"})",
       R"({"model": "llama-3.1-70b", "context": 900, "speculate": {"gamma": 4, "acceptance": 0.8, "draft": "llama-3.2-1b"}})",
       R"({"model": "llama-3.1-70b", "phase": "generate", "prompt": 90, "generate": 30, "speculate": {"gamma": 4, "acceptance": 0.8, "draft": "llama-3.2-1b"}})",
       R"({"model": "opt-13b", "phase": "prefill", "prompt": 300, "batch": 2, "tp": 2})"}) {
    Session session;
    REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
    const Json built = Json::parse(session.build("model", json));
    REQUIRE(built.contains("opened"));
    const std::size_t ops = built["opened"]["ops"].get<std::size_t>();
    for (std::size_t op = 0; op < ops; ++op) {
      const Json detail = Json::parse(session.detail(op, ""));
      const std::string name = detail["row"]["name"].get<std::string>();
      INFO(json << " " << op << " " << name);
      REQUIRE(!detail["formulas"].empty());
      CHECK(!detail["notes"].empty());
      const double count = detail["row"]["count"].get<double>();
      for (const Json& formula : detail["formulas"]) {
        const std::string quantity = formula["quantity"].get<std::string>(), text = formula["with_numbers"].get<std::string>();
        if (text.empty()) {
          ++mixed;
          continue;
        }
        const double value = evaluated(text);
        if (quantity == "FLOPs") CHECK_THAT(value * count, WithinRel(detail["op"]["flops"].get<double>(), 2e-5));
        if (quantity == "bytes") CHECK_THAT(value * count, WithinRel(detail["op"]["bytes"].get<double>(), 2e-5));
        ++seen;
      }
    }
  }
  CHECK(seen > 300);
  CHECK(mixed > 10);  // the draft of a generation: prefill and steps in one row
}

TEST_CASE("what the page exports of a model is the command's document", "[llm]") {
  Session session;
  REQUIRE(session.configure(R"({"machine": "t4"})") == "{}");
  REQUIRE(Json::parse(session.build("model", R"({"model": "mistral-7b", "measured": [{"name": "run", "oi": 100, "tflops": 3}]})"))
              .contains("opened"));
  std::string json, svg;
  REQUIRE(session.write("json", [&](std::string_view piece) { json += piece; }));
  REQUIRE(session.write("svg", [&](std::string_view piece) { svg += piece; }));
  const auto none = session.write("pdf", [](std::string_view) { FAIL("of an unknown kind there is no document"); });
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "no document \"pdf\": expected json, csv, svg, compare.csv or compare_types.csv");
  const Json summary = Json::parse(json)["summary"];
  CHECK(summary["parameters"] == 7241732096.0);
  CHECK(summary["measured"][0]["name"] == "run");
  CHECK(summary["achievable"]["bandwidth"].get<double>() < 1);
  CHECK(svg.find("run, measured") != std::string::npos);
}
