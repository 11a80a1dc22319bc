// Prefill and decode on machines of their own, and the exchange between experts.
#include <array>
#include <cmath>
#include <roofline/llm/llm.hpp>
#include <roofline/serving/operating_point.hpp>

#include "serving/all_to_all.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Scenario machine_of(std::string_view id) {
  Scenario scenario;
  const Machine* machine = Machines::presets().find(id);
  REQUIRE(machine);
  scenario.use(*machine);
  scenario.stack = Stacks::presets().find("vllm");
  return scenario;
}

ServingPoint at(const std::string& json, const Scenario& scenario) {
  Result<ServingRequest> r = parse_serving_request(json);
  INFO(json << (r ? std::string() : " " + r.error().text()));
  REQUIRE(r);
  use_engine_formats(*r, scenario);
  Result<ServingPoint> p = operating_point(*r, scenario);
  INFO((p ? std::string() : p.error().text()));
  REQUIRE(p);
  return std::move(*p);
}

const std::string llama = R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "prompt": 8000, "generate": 1000, "ttft": "steady",)";

}  // namespace

TEST_CASE("serving: the exchange between experts takes what was measured on a GB200 NVL72", "[serving]") {
  const Machine& gb200 = *Machines::presets().find("gb200");
  // TensorRT-LLM, tech blog 18, commit 22de8b3: BF16 dispatch and combine of DeepSeek-V3's 7,168 elements to 8 experts, microseconds.
  const struct {
    double ranks, tokens, dispatch_us, combine_us;
  } measured[] = {{8, 128, 31.7, 38.1},  {8, 512, 89.5, 91.7},    {8, 2048, 311.8, 322.6},
                  {32, 128, 37.8, 41.1}, {32, 512, 109.6, 102.5}, {32, 2048, 373.7, 369.5},
                  {64, 128, 41.6, 44.5}, {64, 512, 115.7, 106.7}, {64, 2048, 399.2, 372.1}};
  for (const auto& m : measured) {
    INFO(m.ranks << " ranks, " << m.tokens << " tokens");
    const double found = all_to_all_s({m.ranks, m.tokens, 8, 2 * 7168, 2 * 7168}, gb200) * 1e6;
    CHECK(found == Approx(m.dispatch_us + m.combine_us).epsilon(m.tokens > 512 ? 0.06 : m.tokens > 128 ? 0.12 : 0.3));
  }
  // DeepEP, commit 0297fc8, H800 over RDMA, low latency: 128 tokens, FP8 there (7,168 and scales) and BF16 back.
  Machine h800 = *Machines::presets().find("h100-sxm");
  h800.scale_up.value = 1;
  const double rdma[][2] = {{16, 118 + 195}, {32, 155 + 273}, {64, 173 + 314}, {128, 192 + 369}, {256, 194 + 360}};
  for (const auto& [ranks, us] : rdma) {
    INFO(ranks << " ranks");
    CHECK(all_to_all_s({ranks, 128, 8, 7392, 2 * 7168}, h800) * 1e6 == Approx(us).epsilon(0.25));
  }
}

TEST_CASE("serving: machines for prefill have their own price", "[serving]") {
  const Scenario decode = machine_of("rtx-5090");
  const std::string request = R"({"model": "llama-3.1-8b", "weights": "int8", "prompt": 2000, "generate": 200, "concurrency": 8,
    "prefill_workers": 1, "prefill_machine": )";
  const ServingPoint same = at(request + R"("rtx-5090"})", decode), other = at(request + R"("rtx-4090"})", decode);
  const auto price = [](const char* id) { return Machines::presets().find(id)->price_usd.value / (4 * 365 * 24); };
  const auto expected = [&](const ServingPoint& p, const char* prefill) {
    return (price(prefill) + price("rtx-5090") * (p.machines - 1)) / 3600 / p.typical.output_tokens_per_s * 1e6;
  };
  CHECK(same.usd_per_million_tokens == Approx(expected(same, "rtx-5090")));
  CHECK(other.usd_per_million_tokens == Approx(expected(other, "rtx-4090")));
}

TEST_CASE("serving: few machines gather and sum, and read uneven numbers of experts", "[serving]") {
  const Machine& b200 = *Machines::presets().find("b200-sxm");
  // Two machines of 32 tokens: one gets the other's 32 x 2,880 in a byte each, and sends as many sums of two, at half of 900 GB/s.
  CHECK(gather_and_sum_s({2, 32, 2, 2880, 2 * 2880}, b200, 0.5, 7e-6) == Approx(7e-6 + 32 * 3 * 2880 / 450e9));
  // 256 of 384 experts on 8 machines: 32 each on the mean, with a deviation of sqrt(32 / 3); the largest of 8 is 1.42 of those above it.
  CHECK(uneven_reads(8, 384, 256) == Approx(1 + 1.42 * std::sqrt(32.0 / 3) / 32).epsilon(0.01));
  CHECK(uneven_reads(8, 384, 384) == 1);
  CHECK(uneven_reads(1, 384, 10) == 1);
  CHECK(uneven_reads(64, 64, 60) == Approx(64.0 / 60));  // one expert each: at most that one
}

TEST_CASE("serving: experts are chosen as unevenly as balancing them gained", "[serving]") {
  CHECK(uneven_distinct_experts(128, 4, 1) == Approx(4));  // one token reads its own
  CHECK(uneven_distinct_experts(256, 8, 1e9) == Approx(256));
  CHECK(uneven_distinct_experts(8, 8, 3) == Approx(8));
  for (const double tokens : {2.0, 16.0, 64.0, 512.0}) {
    CHECK(uneven_distinct_experts(256, 8, tokens) < distinct_experts(256, 8, tokens));
    CHECK(uneven_distinct_experts(256, 8, tokens) > uneven_distinct_experts(256, 8, tokens - 1));
  }
  // A machine that has four experts of exponential shares has a share of the Gamma distribution; the mean of the largest of 72 is the
  // integral of 1 - F(x)^72. SGLang gained 2.54x by balancing them on as many machines.
  double largest = 0;
  constexpr double step = 1e-3;
  for (double x = step / 2; x < 40; x += step) {
    const double below = 1 - std::exp(-x) * (1 + x + x * x / 2 + x * x * x / 6);
    largest += (1 - std::pow(below, 72)) * step;
  }
  CHECK(largest / 4 == Approx(2.54).epsilon(0.03));
}

TEST_CASE("serving: uneven experts approach even ones as tokens grow", "[serving]") {
  CHECK(uneven_experts(1, 1000) == 1);
  CHECK(uneven_experts(64, 64 * 2048) == Approx(1 + std::sqrt(2 * std::log(64.0) / 2048)));
  CHECK(uneven_experts(8, 1e9) == Approx(1).epsilon(1e-3));
  CHECK(uneven_experts(8, 0.1) == 8);  // all on one
}

TEST_CASE("serving: prefill and decode match their rates", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const std::string pools = R"("prefill_workers": 4, "prefill_tp": 2, "decode_workers": 2, "decode_tp": 4, "concurrency": )";
  double last = 0;
  for (const char* users : {"1", "16", "64", "256", "4096"}) {
    const ServingPoint p = at(llama + pools + users + "}", scenario);
    INFO(users);
    CHECK(p.machines == 16);
    const ServingSpeed& s = p.typical;
    CHECK(s.requests_per_s * (s.ttft_s + 999 * s.tpot_s) == Approx(std::stod(users)).epsilon(1e-3));  // Little
    CHECK(s.batch == Approx(s.requests_per_s * 999 * s.tpot_s).epsilon(1e-3));                        // tokens in are tokens out
    CHECK(s.requests_per_s <= p.saturation_rate * (1 + 1e-6));
    CHECK(s.requests_per_s >= last * (1 - 1e-6));
    CHECK(s.output_tokens_per_s_per_machine == Approx(s.requests_per_s * 1000 / 16));
    last = s.requests_per_s;
  }
  const ServingPoint full = at(llama + pools + "4096}", scenario);
  CHECK((full.limit == ServingLimit::prefill || full.limit == ServingLimit::cache));
  CHECK(full.typical.requests_per_s == Approx(full.saturation_rate).epsilon(0.02));
}

TEST_CASE("serving: one worker of each and one user are a generation and a transfer", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const ServingPoint apart =
      at(llama + R"("prefill_workers": 1, "prefill_tp": 4, "decode_workers": 1, "decode_tp": 4, "concurrency": 1})", scenario);
  const ServingPoint together = at(llama + R"("tp": 4, "concurrency": 1})", scenario);
  CHECK(apart.typical.tpot_s == Approx(together.typical.tpot_s));
  CHECK(apart.typical.ttft_s == Approx(together.typical.ttft_s + apart.transfer_s).epsilon(1e-3));
  // 8,000 tokens of 327,680 bytes in 16 bits over four interfaces of 50 GB/s.
  CHECK(apart.transfer_s == Approx(8000 * 327680.0 / 4 / 50e9));
}

TEST_CASE("serving: without a link's rate the time to first token of pools is unknown", "[serving]") {
  Scenario linked = machine_of("h200-sxm"), unlinked = linked;
  unlinked.machine.scale_out.value = unknown;
  unlinked.machine.links.clear();
  for (const char* load : {R"("concurrency": 64})", R"("rate": 1})"}) {
    INFO(load);
    const std::string json =
        llama + R"("prefill_workers": 2, "prefill_tp": 1, "prefill_machine": "h200-sxm", "decode_workers": 2, "decode_tp": 1, )" + load;
    const ServingPoint p = at(json, unlinked), reference = at(json, linked);
    CHECK(!known(p.transfer_s));
    CHECK(!known(p.bound.ttft_s));
    CHECK(!known(p.typical.ttft_s));
    CHECK(known(reference.typical.ttft_s));
    CHECK(p.typical.tpot_s == Approx(reference.typical.tpot_s).epsilon(0.1));
    Result<ServingRequest> request = parse_serving_request(json);
    REQUIRE(request);
    CHECK_THAT(serving_finding(p, *request, unlinked),
               ContainsSubstring("first token after an unknown time: no link rate for cache transfers"));
    CHECK_THAT(serving_finding(reference, *request, linked), !ContainsSubstring("unknown"));
  }
}

TEST_CASE("serving: pools at a rate are the pools of the users that it keeps in flight", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const std::string pools = R"("prefill_workers": 4, "prefill_tp": 2, "decode_workers": 4, "decode_tp": 4)";
  const auto at_rate = [&](double rate) { return at(llama + pools + R"(, "rate": )" + std::to_string(rate) + "}", scenario); };
  const ServingPoint rare = at_rate(1e-4), alone = at(llama + pools + R"(, "concurrency": 1})", scenario);
  CHECK(rare.typical.ttft_s == Approx(alone.typical.ttft_s).epsilon(1e-3));
  CHECK(rare.typical.tpot_s == Approx(alone.typical.tpot_s).epsilon(1e-3));
  CHECK(rare.transfer_s == alone.transfer_s);
  double wait_s = 0;
  for (const double part : {0.2, 0.5, 0.9, 0.99}) {
    const double rate = part * rare.saturation_rate;
    const ServingPoint p = at_rate(rate);
    const ServingSpeed& s = p.typical;
    INFO(part << " of saturation");
    CHECK(s.requests_per_s == Approx(rate).epsilon(1e-5));
    CHECK(s.output_tokens_per_s == Approx(rate * 1000).epsilon(1e-5));
    CHECK(s.concurrency == Approx(s.requests_per_s * (s.ttft_s + 999 * s.tpot_s)));  // Little
    CHECK(s.batch == Approx(s.requests_per_s * 999 * s.tpot_s).epsilon(1e-3));       // tokens in are tokens out
    CHECK(s.ttft_s > wait_s);                                                        // prompts queue
    CHECK(s.tpot_s >= p.bound.tpot_s);
    wait_s = s.ttft_s;
    if (part > 0.5) continue;  // beyond, random arrivals wait longer than users who take turns
    const ServingPoint closed = at(llama + pools + R"(, "concurrency": )" + std::to_string(std::lround(s.concurrency)) + "}", scenario);
    CHECK(closed.typical.output_tokens_per_s == Approx(s.output_tokens_per_s).epsilon(0.05));
  }
  // The wait of a queue with random arrivals and one service time: half a prompt's time where the workers are busy for half of theirs.
  Result<ServingRequest> one = parse_serving_request(llama + R"("tp": 2, "concurrency": 1})");
  REQUIRE(one);
  use_engine_formats(*one, scenario);
  const ServingEngine worker(*one, scenario);
  const double prompt_s = worker.prefill_interval().typical_s;
  CHECK(rare.saturation_rate == Approx(4 / prompt_s));
  CHECK(at_rate(2 / prompt_s).typical.ttft_s - rare.typical.ttft_s == Approx(prompt_s / 2).epsilon(0.02));
}

TEST_CASE("serving: a rate beyond what pools serve says what limits them", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const auto refusal = [&](const std::string& json) {
    Result<ServingRequest> r = parse_serving_request(json);
    REQUIRE(r);
    use_engine_formats(*r, scenario);
    const Result<ServingPoint> p = operating_point(*r, scenario);
    return p ? std::string("accepted") : p.error().text();
  };
  const std::string form = R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "rate": 100, "prefill_tp": 2, "decode_tp": 2, )";
  CHECK_THAT(refusal(form + R"("prompt": 8000, "generate": 100, "prefill_workers": 1, "decode_workers": 8})"),
             ContainsSubstring("rate: 100 requests/s are beyond saturation: 2 x NVIDIA H200 SXM for prefill and 16 x ") &&
                 ContainsSubstring("limited by prefill; ") && ContainsSubstring("more prefill workers (prefill_workers)"));
  CHECK_THAT(refusal(form + R"("prompt": 1000, "generate": 8000, "prefill_workers": 8, "decode_workers": 1})"),
             ContainsSubstring(" requests in decode; ") && ContainsSubstring("more decode workers (decode_workers)"));
  // Nearly all of a prompt is in the cache: it takes no time to compute, and as long as ever to be sent.
  CHECK_THAT(refusal(form + R"("prompt": 60000, "generate": 2, "prefix_hit": 0.999, "prefill_workers": 8, "decode_workers": 8})"),
             ContainsSubstring("limited by the transfer of caches; "));
}

TEST_CASE("serving: no more caches are sent than the smaller pool's interfaces take", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const std::string form =
      R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "prompt": 60000, "generate": 2, "prefix_hit": 0.999, "ttft": "steady",
          "prefill_tp": 4, "decode_tp": 4, "decode_workers": 2, "concurrency": 512, "prefill_workers": )";
  const ServingPoint one = at(form + "1}", scenario), two = at(form + "2}", scenario), eight = at(form + "8}", scenario);
  // 60,000 tokens of 327,680 bytes over four and over eight interfaces of 50 GB/s; the eight of decode limit more.
  CHECK(one.saturation_rate == Approx(4 * 50e9 / (60000 * 327680.0)));
  CHECK(one.limit == ServingLimit::link);
  CHECK(one.bound.requests_per_s <= one.saturation_rate * (1 + 1e-6));
  CHECK(two.saturation_rate == Approx(2 * one.saturation_rate));
  CHECK(eight.saturation_rate == Approx(2 * one.saturation_rate));
}

TEST_CASE("serving: the prompts' machine may be another", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const std::string pools = R"("prefill_workers": 1, "prefill_tp": 4, "decode_workers": 1, "decode_tp": 4, "concurrency": 1)";
  const ServingPoint same = at(llama + pools + "}", scenario), other = at(llama + pools + R"(, "prefill_machine": "b200-sxm"})", scenario);
  CHECK(other.typical.tpot_s == same.typical.tpot_s);
  CHECK(other.typical.ttft_s < same.typical.ttft_s);
}

TEST_CASE("serving: a pool whose workers need a link of unknown rate is refused", "[serving]") {
  Machine unlinked = *Machines::presets().find("h200-sxm");
  unlinked.links.clear();
  Result<ServingRequest> request =
      parse_serving_request(llama + R"("prefill_workers": 1, "prefill_tp": 2, "decode_workers": 1, "decode_tp": 1, "concurrency": 8})");
  REQUIRE(request);
  const Scenario scenario = machine_of("h200-sxm");
  use_engine_formats(*request, scenario);
  CHECK(operating_point(*request, scenario));
  request->prefill->machine = unlinked;
  const Result<ServingPoint> p = operating_point(*request, scenario);
  REQUIRE(!p);
  CHECK_THAT(p.error().text(), ContainsSubstring("prefill_machine: NVIDIA H200 SXM states no rate for a link between 2 machines"));
}

TEST_CASE("serving: pools that cannot be are refused with a word", "[serving]") {
  const auto says = [](const std::string& json, const std::string& what) {
    const Result<ServingRequest> r = parse_serving_request(llama + json + "}");
    INFO(json);
    REQUIRE(!r);
    CHECK_THAT(r.error().text(), ContainsSubstring(what));
  };
  says(R"("decode_workers": 2, "concurrency": 4)", "decode_workers: expected prefill_workers, too");
  says(R"("prefill_workers": 1, "prefill_tp": 3, "concurrency": 4)", "prefill_tp: expected a divisor of the model's 64 attention heads");
  says(R"("prefill_workers": 0, "concurrency": 4)", "prefill_workers: expected a whole number");
  says(R"("prefill_workers": 1, "prefill_tp": 4, "prefill_attention_dp": true, "concurrency": 4)",
       "prefill_attention_dp: the model has no experts");
  says(R"("decode_attention_dp": true, "concurrency": 4)", "decode_attention_dp: expected prefill_workers, too");
  says(R"("prefill_workers": 1, "prefill_machine": "h1000", "concurrency": 4)", "prefill_machine: unknown machine");
}

TEST_CASE("serving: either pool may have data-parallel attention", "[serving]") {
  const std::string form =
      R"({"model": "deepseek-v3", "weights": "fp8_e4m3", "prompt": 1000, "generate": 1000, "concurrency": 64, "prefill_workers": 2, "prefill_tp": 4, "decode_workers": 1, "decode_tp": 8)";
  const auto layout = [&](const std::string& more) {
    const Result<ServingRequest> r = parse_serving_request(form + more + "}");
    INFO(more);
    REQUIRE(r);
    CHECK(r->machines() == 16);
    return std::array{r->prefill->tp, r->prefill->ep, r->llm.setup.tp, r->llm.setup.ep};
  };
  CHECK(layout("") == std::array{4.0, 1.0, 8.0, 1.0});
  CHECK(layout(R"(, "prefill_attention_dp": true)") == std::array{1.0, 4.0, 8.0, 1.0});
  for (const char* decode : {"decode_attention_dp", "attention_dp"})
    CHECK(layout(R"(, ")" + std::string(decode) + R"(": true)") == std::array{4.0, 1.0, 1.0, 8.0});
  CHECK(layout(R"(, "prefill_attention_dp": true, "decode_attention_dp": true)") == std::array{1.0, 4.0, 1.0, 8.0});
}

TEST_CASE("serving: decode workers get the cache that the windows hold", "[serving]") {
  // Gemma 3 27B: 10 layers keep all 32,000 tokens and 52 the last 1,024; 2 x 16 heads x 128 x 2 bytes of each. 50 GB/s between machines.
  const std::string gemma =
      R"({"model": "gemma-3-27b", "prompt": 32000, "generate": 200, "concurrency": 4, "prefill_workers": 1, "decode_workers": 1})";
  const ServingPoint p = at(gemma, machine_of("h200-sxm"));
  CHECK_THAT(p.transfer_s, WithinRel((10 * 32000.0 + 52 * 1024) * 8192 / 50e9, 1e-9));
}

TEST_CASE("serving: without decode steps there is no time per token, and prompts are the limit", "[serving]") {
  const std::string prompts = R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "prompt": 2000, "generate": 1, "concurrency": 8)";
  const ServingPoint together = at(prompts + "}", machine_of("h200-sxm"));
  CHECK(together.prefill_share == 1);
  CHECK(together.limit == ServingLimit::prefill);
  const ServingPoint apart = at(prompts + R"(, "prefill_workers": 2, "decode_workers": 1})", machine_of("h200-sxm"));
  for (const ServingPoint& p : {together, apart}) {
    CHECK(!known(p.typical.tpot_s));
    CHECK(!known(p.typical.tokens_per_s_per_user));
  }
}
