// The closed forms of serving: their limits, what they conserve, and what they refuse.
#include <cmath>
#include <roofline/llm/inference.hpp>
#include <roofline/serving/operating_point.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

Scenario on_machine(std::string_view id, std::string_view stack = "fused") {
  Scenario scenario;
  const Machine* machine = Machines::presets().find(id);
  REQUIRE(machine);
  scenario.use(*machine);
  scenario.stack = Stacks::presets().find(stack);
  return scenario;
}

ServingRequest asked(const std::string& json) {
  Result<ServingRequest> r = parse_serving_request(json);
  INFO(json << (r ? std::string() : " " + r.error().text()));
  REQUIRE(r);
  return std::move(*r);
}

/// `more` after the members that all share.
std::string llama(const std::string& more) {
  return R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "activations": "fp8_e4m3", "kv": "fp8_e4m3", "tp": 4,)" + more + "}";
}

ServingPoint point(const ServingRequest& request, const Scenario& scenario) {
  Result<ServingPoint> p = operating_point(request, scenario);
  INFO((p ? std::string() : p.error().text()));
  REQUIRE(p);
  return std::move(*p);
}

std::string refusal(const std::string& json, const Scenario& scenario) {
  const Result<ServingRequest> r = parse_serving_request(json);
  if (!r) return r.error().text();
  const Result<ServingPoint> p = operating_point(*r, scenario);
  return p ? "accepted" : p.error().text();
}

}  // namespace

TEST_CASE("serving: one user is a generation", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const ServingRequest one = asked(llama(R"("prompt": 4096, "generate": 513, "concurrency": 1)"));
  const ServingPoint p = point(one, scenario);
  const LlmInference inference(one.llm, scenario);
  for (const bool typical : {false, true}) {
    const ServingSpeed& s = typical ? p.typical : p.bound;
    CHECK(s.ttft_s == Approx(inference.ttft_s(1, 4096, typical)));
    // The mean of the contexts that a generation passes through, to the half token that closed forms leave.
    CHECK(s.tpot_s == Approx(inference.tpot_s(1, 4096 + 513 / 2.0, typical)));
    CHECK(s.output_tokens_per_s == Approx(513 / (s.ttft_s + 512 * s.tpot_s)));
  }
}

TEST_CASE("serving: FP8 weights with a scale per block are multiplied more slowly", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm", "vllm");
  const auto tpot = [&](const std::string& model, const std::string& more) {
    ServingRequest r = asked(R"({"model": ")" + model + R"(", "tp": 8, "prompt": 1000, "generate": 100, "concurrency": 8)" + more + "}");
    use_engine_formats(r, scenario);
    return point(r, scenario);
  };
  const std::string fp8 = R"(, "weights": "fp8_e4m3")", scaled = R"(, "block_scales": true)";
  const ServingPoint plain = tpot("llama-3.1-70b", fp8), block = tpot("llama-3.1-70b", fp8 + scaled);
  CHECK(block.typical.tpot_s > plain.typical.tpot_s);
  CHECK(block.typical.tpot_s <
        plain.typical.tpot_s / *scenario.terms_for(StackUse::language_model).block_scales);  // not all of a step are products
  CHECK(block.bound.tpot_s == plain.bound.tpot_s);
  CHECK(tpot("llama-3.1-70b", scaled).typical.tpot_s == tpot("llama-3.1-70b", "").typical.tpot_s);  // of 16-bit weights there are none
  // DeepSeek's own checkpoint has them.
  CHECK(tpot("deepseek-v3", "").typical.tpot_s == tpot("deepseek-v3", scaled).typical.tpot_s);
  CHECK(tpot("deepseek-v3", "").typical.tpot_s > tpot("deepseek-v3", R"(, "block_scales": false)").typical.tpot_s);
  CHECK_THAT(refusal(R"({"model": "deepseek-v3", "concurrency": 8, "block_scales": "yes"})", scenario),
             ContainsSubstring("block_scales: expected"));
}

// The plain names of formats, as published runs state them (facts of serving: InferenceX on B200, TensorRT-LLM 1.0 on H100).
TEST_CASE("serving: weights called NVFP4 or FP8 are those of the checkpoint that was measured", "[serving]") {
  const auto tpot_s = [](const char* machine, const char* stack, const std::string& request) {
    const Scenario scenario = on_machine(machine, stack);
    ServingRequest r = asked("{" + request + "}");
    use_engine_formats(r, scenario);
    return point(r, scenario).typical.tpot_s;
  };
  const auto within = [](double part, double measured_s) { return WithinRel(measured_s, part); };
  CHECK_THAT(
      tpot_s(
          "b200-sxm", "vllm",
          R"("model": "kimi-k2.5", "weights": "nvfp4", "tp": 4, "prompt": 1024, "generate": 1024, "length_spread": 0.8, "concurrency": 64)"),
      within(0.1, 22.8693e-3));
  CHECK_THAT(
      tpot_s(
          "b200-sxm", "vllm",
          R"("model": "kimi-k2.5", "weights": "nvfp4", "tp": 4, "prompt": 1024, "generate": 1024, "length_spread": 0.8, "concurrency": 4)"),
      within(0.1, 8.16138e-3));
  CHECK_THAT(
      tpot_s("h100-sxm", "trtllm", R"("model": "qwen3-32b", "weights": "fp8_e4m3", "prompt": 1024, "generate": 128, "concurrency": 128)"),
      within(0.1, 98.9369e-3));
}

TEST_CASE("serving: fewer users than replicas leave some idle", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const std::string load = R"("prompt": 4096, "generate": 513, "concurrency": )";
  const ServingPoint one = point(asked(llama(load + "1")), scenario), spread = point(asked(llama(load + R"(3, "dp": 8)")), scenario);
  CHECK(spread.typical.ttft_s == Approx(one.typical.ttft_s));
  CHECK(spread.typical.tpot_s == Approx(one.typical.tpot_s));
  CHECK(spread.typical.output_tokens_per_s == Approx(3 * one.typical.output_tokens_per_s));
  CHECK(spread.typical.output_tokens_per_s_per_machine == Approx(3 * one.typical.output_tokens_per_s / 32));
  CHECK(spread.bound.output_tokens_per_s == Approx(3 * one.bound.output_tokens_per_s));
}

TEST_CASE("serving: Little's law, and tokens in are tokens out", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  for (const char* users : {"2", "32", "64", "300", "1000"}) {  // the last two: more than the cache holds
    for (const char* basis : {"burst", "steady"}) {
      const ServingRequest r = asked(llama(R"("prompt": 8192, "generate": 1024, "length_spread": 0.8, "ttft": ")" + std::string(basis) +
                                           R"(", "concurrency": )" + users));
      const ServingPoint p = point(r, scenario);
      INFO(users << " " << basis);
      CHECK(r.mean_prompt() == Approx(0.9 * 8192));
      const ServingSpeed& s = p.typical;
      CHECK(s.requests_per_s * (s.ttft_s + (r.mean_generate() - 1) * s.tpot_s) == Approx(r.concurrency));
      CHECK(s.output_tokens_per_s == Approx(s.requests_per_s * r.mean_generate()));
      // A decode step makes one token of each sequence; in a token's time the others' prompts are served at the rate of requests.
      CHECK(s.batch <= p.concurrency_max);
      CHECK(s.requests_per_s < p.saturation_rate * 1.02);
      CHECK(s.tpot_s >= p.bound.tpot_s);
    }
  }
}

TEST_CASE("serving: an open loop is the closed loop of the users that it keeps in flight", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const ServingPoint open = point(asked(llama(R"("prompt": 2048, "generate": 512, "rate": 4)")), scenario);
  CHECK(open.typical.requests_per_s == 4);
  CHECK(open.typical.output_tokens_per_s == Approx(4 * 512));
  // B = rate x steps x TPOT
  CHECK(open.typical.batch == Approx(4 * 511 * open.typical.tpot_s).epsilon(1e-4));
  const ServingRequest closed = asked(llama(R"("prompt": 2048, "generate": 512, "ttft": "steady", "concurrency": )" +
                                            std::to_string(static_cast<int>(std::round(open.typical.concurrency)))));
  CHECK(point(closed, scenario).typical.output_tokens_per_s == Approx(open.typical.output_tokens_per_s).epsilon(0.05));
}

TEST_CASE("serving: a rate towards zero is one request alone, and a rate beyond saturation has no answer", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const ServingPoint rare = point(asked(llama(R"("prompt": 2048, "generate": 512, "rate": 1e-6)")), scenario);
  const ServingPoint alone = point(asked(llama(R"("prompt": 2048, "generate": 512, "concurrency": 1)")), scenario);
  CHECK(rare.typical.tpot_s == Approx(alone.typical.tpot_s).epsilon(1e-4));
  CHECK(rare.typical.ttft_s == Approx(alone.typical.ttft_s).epsilon(1e-4));

  const double most = rare.saturation_rate;
  CHECK(operating_point(asked(llama(R"("prompt": 2048, "generate": 512, "rate": )" + std::to_string(0.999 * most))), scenario));
  const std::string beyond = refusal(llama(R"("prompt": 2048, "generate": 512, "rate": )" + std::to_string(1.001 * most)), scenario);
  CHECK(beyond.find("beyond saturation") != std::string::npos);
  CHECK(beyond.find("rate") == 0);
}

TEST_CASE("serving: a prompt waits for those that came with it, and they do not interrupt it later", "[serving]") {
  Scenario scenario = on_machine("h200-sxm");
  const ServingRequest r = asked(llama(R"("prompt": 2048, "generate": 512, "ttft": "steady", "concurrency": 32)"));
  const ServingPoint apart = point(r, scenario);
  const ServingEngine engine(r, scenario);
  const double prompt_s = engine.prefill_interval().typical_s;
  scenario.terms.together = 2;
  const ServingPoint p = point(r, scenario);
  CHECK(p.typical.ttft_s - apart.typical.ttft_s == Approx(2 * prompt_s * 31 / 32));
  CHECK(apart.typical.tpot_s - p.typical.tpot_s == Approx(2 * prompt_s * 31 / 32 / 511));
  CHECK(p.typical.output_tokens_per_s == Approx(apart.typical.output_tokens_per_s));
  // Requests of different lengths do not end together.
  const ServingRequest spread =
      asked(llama(R"("prompt": 2048, "generate": 512, "ttft": "steady", "concurrency": 32, "length_spread": 0.8)"));
  CHECK(point(spread, scenario).typical.ttft_s == point(spread, on_machine("h200-sxm")).typical.ttft_s);
  // No more of them than there are.
  scenario.terms.together = 1000;
  CHECK(point(r, scenario).typical.tpot_s == Approx(engine.decode(32).typical_s));
}

TEST_CASE("serving: a stack that reserves a request's whole length takes fewer of them", "[serving]") {
  Scenario scenario = on_machine("h200-sxm");
  const ServingRequest r = asked(llama(R"("prompt": 1024, "generate": 8192, "concurrency": 32)"));
  const ServingPoint grows = point(r, scenario);
  scenario.terms.reserve_cache = 1;
  const ServingPoint reserves = point(r, scenario);
  CHECK(reserves.concurrency_max / grows.concurrency_max == Approx((1024 + 4096) / (1024 + 8192.0)).epsilon(0.02));
  CHECK(reserves.typical.tpot_s == grows.typical.tpot_s);
  CHECK(reserves.bound.output_tokens_per_s == grows.bound.output_tokens_per_s);
}

TEST_CASE("serving: what a request does not state is what its stack computes and caches in", "[serving]") {
  const auto formats_of = [](const char* machine, const char* stack, const std::string& weights) {
    ServingRequest r =
        asked(R"({"model": "llama-3.1-70b", "prompt": 1024, "generate": 1024, "concurrency": 8, "weights": )" + weights + "}");
    use_engine_formats(r, on_machine(machine, stack));
    const LlmFormats& f = r.llm.setup.formats;
    return Formats::catalogue()[f.activations].id + ' ' + Formats::catalogue()[f.kv].id;
  };
  CHECK(formats_of("h200-sxm", "trtllm", R"("fp8_e4m3")") == "fp8_e4m3 fp8_e4m3");
  CHECK(formats_of("h200-sxm", "vllm", R"("fp8_e4m3")") == "fp8_e4m3 fp16");
  CHECK(formats_of("h200-sxm", "sglang", R"("fp8_e4m3", "kv": "fp8_e4m3")") == "fp8_e4m3 fp8_e4m3");
  CHECK(formats_of("b200-sxm", "vllm", R"("fp8_e4m3")") == "fp8_e4m3 fp8_e4m3");
  CHECK(formats_of("b200-sxm", "vllm", R"("nvfp4")") == "nvfp4 fp8_e4m3");
  CHECK(formats_of("h200-sxm", "vllm", R"("fp16")") == "fp16 fp16");
}

TEST_CASE("serving: replicas divide the users, and stages the memory", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const ServingPoint one = point(asked(llama(R"("prompt": 2048, "generate": 512, "concurrency": 32)")), scenario);
  const ServingPoint four = point(asked(llama(R"("prompt": 2048, "generate": 512, "concurrency": 128, "dp": 4)")), scenario);
  CHECK(four.machines == 16);
  CHECK(four.typical.tpot_s == Approx(one.typical.tpot_s));
  CHECK(four.typical.ttft_s == Approx(one.typical.ttft_s));
  CHECK(four.typical.output_tokens_per_s == Approx(4 * one.typical.output_tokens_per_s));
  CHECK(four.concurrency_max == 4 * one.concurrency_max);
  const ServingPoint staged = point(asked(llama(R"("prompt": 2048, "generate": 512, "concurrency": 32, "pp": 2)")), scenario);
  CHECK(staged.memory.weights == Approx(one.memory.weights / 2));
  CHECK(staged.concurrency_max > 2 * one.concurrency_max);
  // Half the batch in each of two stages, which take turns: a token passes both.
  CHECK(staged.typical.tpot_s < one.typical.tpot_s);
}

TEST_CASE("serving: a hit in the prefix cache takes work from the prefill and nothing from decode", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const ServingPoint miss = point(asked(llama(R"("prompt": 8192, "generate": 512, "rate": 0.1)")), scenario);
  const ServingPoint hit = point(asked(llama(R"("prompt": 8192, "generate": 512, "rate": 0.1, "prefix_hit": 0.5)")), scenario);
  // Half of the products, three quarters of the attention.
  CHECK(hit.bound.ttft_s > 0.5 * miss.bound.ttft_s);
  CHECK(hit.bound.ttft_s < 0.75 * miss.bound.ttft_s);
  CHECK(hit.concurrency_max == miss.concurrency_max);
}

TEST_CASE("serving: attention data parallelism keeps the latent once and takes more users", "[serving]") {
  const Scenario scenario = on_machine("b200-sxm");
  const std::string form =
      R"({"model": "deepseek-v3", "weights": "fp8_e4m3", "activations": "fp8_e4m3", "kv": "fp8_e4m3", "tp": 8, "ep": 8,)";
  const ServingPoint tensor = point(asked(form + R"("prompt": 1024, "generate": 1024, "concurrency": 64})"), scenario);
  const ServingPoint data = point(asked(form + R"("attention_dp": true, "prompt": 1024, "generate": 1024, "concurrency": 64})"), scenario);
  CHECK(tensor.machines == data.machines);
  CHECK(data.concurrency_max > 4 * tensor.concurrency_max);
}

TEST_CASE("serving: what cannot be served is refused with a word", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const auto says = [&](const std::string& json, const std::string& what) {
    INFO(json);
    CHECK_THAT(refusal(json, scenario), ContainsSubstring(what));
  };
  const std::string lengths = R"("prompt": 1000, "generate": 100)";
  says(R"({"model": "llama-3.1-70b", "tp": 3, "concurrency": 1, )" + lengths + "}",
       "tp: expected a divisor of the model's 64 attention heads");
  says(R"({"model": "llama-3.1-70b", "tp": 1, "concurrency": 1, )" + lengths + "}",
       "machine: does not fit with 10% of the memory free: 141 GB of weights");
  says(R"({"model": "gpt-oss-120b", "ep": 3, "concurrency": 1, )" + lengths + "}", "ep: expected a divisor of the model's 128 experts");
  says(llama(lengths), "concurrency: expected a number of users, or a rate");
  says(llama(lengths + R"(, "rate": 1, "concurrency": 1)"), "concurrency: expected either concurrency or rate");
  says(llama(lengths + R"(, "rate": 0)"), "rate: expected a positive number");
  says(llama(lengths + R"(, "concurrency": 8, "requests": 4)"), "requests: expected no fewer than the 8 users");
  says(llama(lengths + R"(, "concurrency": 8, "length_spread": 0)"), "length_spread: expected a fraction above 0");
  says(llama(lengths + R"(, "concurrency": 8, "attention_dp": true)"), "attention_dp: the model has no experts");
  says(llama(lengths + R"(, "concurrency": 8, "pp": 81)"), "pp: expected no more than the model's 80 layers");
  says(llama(lengths + R"(, "concurrency": 8, "paralel": 8)"), "unknown key");
}

TEST_CASE("serving: machines that exchange data over a link of unknown rate have no times", "[serving]") {
  Scenario scenario = on_machine("h200-sxm");
  scenario.machine.scale_out.value = unknown;
  const std::string moe = R"({"model": "gpt-oss-120b", "prompt": 1000, "generate": 100, "concurrency": 16, "ep": )";
  CHECK(refusal(moe + "8}", scenario) == "accepted");
  CHECK(refusal(moe + "16}", scenario) ==
        "machine: NVIDIA H200 SXM states no rate for a link between groups of 8 machines, so their exchanges take an unknown time; "
        "expected at most 8 machines for each replica (tp, ep and pp), or a machine file with \"scale_out\"");
  const std::string dense = R"({"model": "llama-3.1-70b", "prompt": 1000, "generate": 100, "concurrency": 16, "tp": )";
  for (const char* layout : {"16}", R"(8, "pp": 2})"})
    CHECK_THAT(refusal(dense + layout, scenario), ContainsSubstring("between groups of 8 machines"));
  const std::string alone = R"({"model": "llama-3.1-8b", "prompt": 1000, "generate": 100, "concurrency": 16, )";
  const ServingRequest stages = asked(alone + R"("pp": 2})");
  CHECK(known(ServingEngine(stages, scenario).decode(8).typical_s));
  scenario.machine.links.clear();
  CHECK(refusal(alone + R"("dp": 4})", scenario) == "accepted");  // replicas exchange nothing
  for (const char* layout : {R"("pp": 2})", R"("tp": 2})"})
    CHECK_THAT(
        refusal(alone + layout, scenario),
        ContainsSubstring("machine: NVIDIA H200 SXM states no rate for a link between 2 machines, so their exchanges take an unknown "
                          "time; expected one machine for each replica (tp, ep and pp of 1)"));
  CHECK_THAT(refusal(moe + "8}", scenario), ContainsSubstring("between 8 machines"));
  const StepTime step = ServingEngine(stages, scenario).decode(8);
  CHECK_FALSE(known(step.bound_s));
  CHECK_FALSE(known(step.typical_s));
  for (const char* tp : {"1", "8"}) CHECK_FALSE(known(ServingEngine(asked(moe + R"(8, "tp": )" + tp + "}"), scenario).decode(8).typical_s));
}

TEST_CASE("serving: beyond the scale-up domain a replica pays for the network", "[serving]") {
  const Scenario two_nodes = on_machine("h100-sxm", "sglang");
  Scenario one_domain = two_nodes;
  one_domain.machine.scale_up.value = 16;
  const auto steps = [&](const std::string& json, double batch) {
    const ServingRequest r = asked(json);
    return std::pair(ServingEngine(r, two_nodes).decode(batch), ServingEngine(r, one_domain).decode(batch));
  };
  // A hop between stages of 8 machines: 16 of 32 sequences, 8,192 elements of a byte, an eighth of them from each machine at 50 GB/s, or
  // all over NVLink at 450 GB/s. Both have the same latency.
  const auto [far, near] =
      steps(R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "activations": "fp8_e4m3", "kv": "fp8_e4m3", "tp": 8, "pp": 2,)"
            R"("prompt": 2048, "generate": 512, "concurrency": 32})",
            32);
  const double hop_bytes = 16 * 8192;
  CHECK(far.bound_s - near.bound_s == Approx(hop_bytes / (8 * 50e9) - hop_bytes / 450e9).epsilon(1e-3));
  CHECK(far.typical_s - near.typical_s == Approx(far.bound_s - near.bound_s).epsilon(1e-3));
  // Sums after attention and after the experts, in 36 layers, 30 us more each: by all-reduces, or where ep = tp as an exchange.
  for (const char* ep : {"1", "16"}) {
    const auto [apart, together] = steps(
        R"({"model": "gpt-oss-120b", "prompt": 1000, "generate": 100, "concurrency": 1, "tp": 16, "ep": )" + std::string(ep) + "}", 1);
    CHECK(apart.typical_s - together.typical_s == Approx(72 * 30e-6).epsilon(0.01));
    CHECK(apart.bound_s <= apart.typical_s);
  }
  // SGLang, DeepSeek-R1 in FP8 on 16 H100 of two nodes (srv-07719): 23.2 ms. Within one domain it would be 8 ms.
  const ServingPoint p = point(
      asked(R"({"model": "deepseek-r1", "weights": "fp8_e4m3", "tp": 16, "prompt": 1024, "generate": 128, "concurrency": 1})"), two_nodes);
  CHECK(p.typical.tpot_s > 0.5 * 23.2e-3);
  CHECK(p.typical.tpot_s < 23.2e-3);
}

TEST_CASE("serving: the layer that predicts further tokens is one of the model's own", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm");
  const std::string form =
      R"({"model": "deepseek-v3", "weights": "fp8_e4m3", "activations": "fp8_e4m3", "kv": "fp8_e4m3", "ep": 16, "prompt": 60000, "generate": 4000, "concurrency": 32)";
  const ServingPoint plain = point(asked(form + "}"), scenario);
  const ServingPoint drafted = point(asked(form + R"(, "speculate": {"gamma": 2, "acceptance": 0.7, "draft": "mtp"}})"), scenario);
  // SGLang on H200, 64k tokens of context, two requests on each of 16 GPUs: 60.4 tokens/s of a rank without, 81.5 with two drafts of which
  // 2.18 tokens are accepted on the mean.
  CHECK(drafted.typical.tokens_per_s_per_user / plain.typical.tokens_per_s_per_user == Approx(81.5 / 60.4).epsilon(0.25));
}

TEST_CASE("serving: guessed tokens are verified together, and exchanged with the experts' machines as such", "[serving]") {
  const Scenario scenario = on_machine("h200-sxm", "vllm");
  const std::string form = R"({"model": "gpt-oss-120b", "ep": 8, "prompt": 4000, "generate": 1000, "concurrency": 64)";
  const ServingRequest plain = asked(form + "}"),
                       drafted = asked(form + R"(, "speculate": {"gamma": 3, "acceptance": 0, "draft": "llama-3.2-1b"}})");
  // What a step takes beyond its operators: uneven routing and the exchange, of as many tokens as the experts see, and each sequence's own
  // time. The draft has no experts.
  const auto beyond_operators = [&](const ServingRequest& r, double sequences) {
    const ServingEngine engine(r, scenario);
    const double own_s = engine.terms().sequence_s.value_or(0) * sequences / 8;
    return engine.decode(sequences).typical_s - own_s - engine.inference().tpot_s(sequences, r.mean_prompt() + r.mean_generate() / 2, true);
  };
  const double four_each = beyond_operators(drafted, 32), one_each = beyond_operators(plain, 128);
  CHECK(four_each == Approx(one_each).epsilon(1e-6));
  CHECK(std::abs(beyond_operators(plain, 32) / one_each - 1) > 0.02);
}

TEST_CASE("serving: the bound at a rate has no queue and no step that a prompt delays", "[serving]") {
  const Scenario scenario = on_machine("h100-sxm", "vllm");
  const ServingRequest r = asked(R"({"model": "llama-3.1-8b", "prompt": 1000, "generate": 200, "rate": 20})");
  const ServingPoint p = point(r, scenario);
  const ServingEngine engine(r, scenario);
  CHECK(p.bound.ttft_s == engine.prefill_alone().bound_s);
  CHECK(p.bound.tpot_s == engine.decode(p.bound.batch).bound_s);
  CHECK(p.bound.batch == Approx(20 * 199 * p.bound.tpot_s).epsilon(1e-4));  // Little's law
  CHECK(p.typical.tpot_s > p.bound.tpot_s);
}
