// Prefill and decode on machines of their own, and the exchange between experts.
#include <cmath>
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

TEST_CASE("serving: the prompts' machine may be another", "[serving]") {
  const Scenario scenario = machine_of("h200-sxm");
  const std::string pools = R"("prefill_workers": 1, "prefill_tp": 4, "decode_workers": 1, "decode_tp": 4, "concurrency": 1)";
  const ServingPoint same = at(llama + pools + "}", scenario), other = at(llama + pools + R"(, "prefill_machine": "b200-sxm"})", scenario);
  CHECK(other.typical.tpot_s == same.typical.tpot_s);
  CHECK(other.typical.ttft_s < same.typical.ttft_s);
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
  says(R"("prefill_workers": 1, "prefill_machine": "h1000", "concurrency": 4)", "prefill_machine: unknown machine");
}
