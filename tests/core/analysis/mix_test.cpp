// A format per layer, against figures made by hand: bytes over bandwidth, FLOPs over a peak that is the same in every format.
#include <roofline/accuracy/mix.hpp>
#include <roofline/llm/inference.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

/// Estimates equal the bounds if `achievable` is 1.
Machine flat(double achievable = 1) {
  Machine m;
  m.achievable_compute.value = m.achievable_bandwidth.value = achievable;
  m.id = m.name = "flat";
  m.matrix = {peak("fp16", 1e12), peak("int8", 1e12), peak("int4", 1e12)};
  m.vector = {peak("fp32", 1e12)};
  m.memories.push_back({"DRAM", {100e9, "", "", ""}, {}, {}, {}});
  return m;
}

/// Two products bound by their weights (m = 1) and one bound by its FLOPs (m = 4096), which no format of weights makes faster.
constexpr const char* layers = R"([
  {"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096},
  {"type": "gemm", "name": "down", "data_type": "FP16", "m": 1, "n": 4096, "k": 2048},
  {"type": "gemm", "name": "prefill", "data_type": "FP16", "m": 4096, "n": 4096, "k": 4096}])";

double db(std::string_view id) { return id == "int8" ? 40 : id == "int4" ? 20 : unknown; }

}  // namespace

TEST_CASE("mix: each layer takes the fastest format that keeps the accuracy of its own numbers") {
  const Workload w = open(layers);
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const std::vector<FormatId> formats = {format("int8"), format("int4")};
  const FormatId int8 = formats[0], int4 = formats[1];
  // "down" has numbers that INT4 keeps at 35 dB; the others lose more.
  const auto kept = [&](std::uint32_t op, FormatId f) { return op == 1 && f == int4 ? 35 : db(f == int8 ? "int8" : "int4"); };
  const Mix mix = mix_formats(OpSet(plan), formats, Roles::weights, 30, kept);
  REQUIRE(mix.layers.size() == 3);
  CHECK(mix.layers[0].format == int8);
  CHECK(mix.layers[1].format == int4);
  CHECK(mix.layers[2].format == no_format);
  CHECK(mix.layers[0].sqnr_db == 40);
  CHECK(mix.layers[1].sqnr_db == 35);
  // up: 2 B * 16 Mi + vectors of 8,192 elements of 2 B; with INT8 weights 1 B * 16 Mi and the same vectors.
  const double vectors = 2 * 8192.0, weights = 4096.0 * 4096;
  CHECK_THAT(mix.layers[0].time_s, WithinRel((2 * weights + vectors) / 100e9, 1e-9));
  CHECK_THAT(mix.layers[0].then_s.low, WithinRel((weights + vectors) / 100e9, 1e-9));
  CHECK_THAT(mix.layers[1].then_s.low, WithinRel((weights / 4 + 2 * 6144.0) / 100e9, 1e-9));
  CHECK_THAT(mix.then_s.low, WithinRel(mix.layers[0].then_s.low + mix.layers[1].then_s.low + mix.layers[2].time_s, 1e-12));
  // The third takes nearly all of the time.
  CHECK(mix_finding(mix, 30).text().starts_with("At 30 dB, no choice of formats is faster in total."));
  Mix without_it = mix;
  for (double* sum_s :
       {&without_it.time_s, &without_it.then_s.low, &without_it.then_s.high, &without_it.uniform_s.low, &without_it.uniform_s.high})
    *sum_s -= mix.layers[2].time_s;
  CHECK(mix_finding(without_it, 30).text().starts_with("At 30 dB, 1 layer takes "));
  CHECK(mix_finding(without_it, 30).text().find(", 1 is unchanged: ") != std::string::npos);
  // One format for the same layers: INT8, which all of them can take.
  CHECK(mix.uniform == int8);
  CHECK_THAT(mix.uniform_s.low, WithinRel(mix.layers[0].then_s.low + (weights / 2 + 2 * 6144.0) / 100e9 + mix.layers[2].time_s, 1e-12));
  CHECK(mix.then_s.low < mix.uniform_s.low);
  CHECK(mix_finding(without_it, 30).text().find(". INT8 in all layers: 2x.") != std::string::npos);
}

TEST_CASE("mix: without measured times, the estimates, whose time above the bound may stay") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096}])");
  const Scenario half = on(flat(0.5));
  const Plan plan(w, half);
  const std::vector<FormatId> formats = {format("int8")};
  const Mix mix = mix_formats(OpSet(plan), formats, Roles::weights, 30, [](std::uint32_t, FormatId) { return 40; });
  REQUIRE(mix.layers.size() == 1);
  const double vectors = 2 * 8192.0, weights = 4096.0 * 4096, today = (2 * weights + vectors) / 100e9, then = (weights + vectors) / 100e9;
  CHECK_THAT(mix.layers[0].time_s, WithinRel(2 * today, 1e-9));
  CHECK_THAT(mix.layers[0].then_s.low, WithinRel(2 * then, 1e-9));
  CHECK_THAT(mix.layers[0].then_s.high, WithinRel(today + then, 1e-9));
  CHECK(mix_finding(mix, 30).text() == "At 30 dB, 1 layer takes INT8 weights: 1.33x to 2x.");
}

TEST_CASE("mix: a gain that would be shown as 1x is none") {
  // Of 128 B of weights INT4 saves 96 B: 0.29% of 32,896 B, and 1.2% of 8,320 B.
  const Workload w = open(R"([{"type": "gemm", "data_type": "FP16", "m": 1024, "n": 8, "k": 8},
                              {"type": "gemm", "data_type": "FP16", "m": 256, "n": 8, "k": 8}])");
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const Mix mix = mix_formats(OpSet(plan), {format("int4")}, Roles::weights, 10, [](std::uint32_t, FormatId) { return 20; });
  REQUIRE(mix.layers.size() == 2);
  CHECK(mix.layers[0].format == no_format);
  CHECK(mix.layers[1].format == format("int4"));
}

TEST_CASE("mix: the fastest single format has a range, too") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096},
                              {"type": "gemm", "name": "down", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096}])");
  const Scenario half = on(flat(0.5));
  const Plan plan(w, half);
  const std::vector<FormatId> formats = {format("int8"), format("int4")};
  const auto sqnr = [&](std::uint32_t op, FormatId f) { return f == formats[0] || op == 1 ? 40.0 : 20.0; };
  const Mix mix = mix_formats(OpSet(plan), formats, Roles::all, 30, sqnr);
  // Bytes fall to a half and to a quarter; of the time above the bound, as much again as the bound, all or none stays.
  CHECK(mix_finding(mix, 30).text() ==
        "At 30 dB, 1 layer takes INT8 in all operands, 1 takes INT4 in all operands: 1.45x to 2.67x. INT8 in all "
        "layers: 1.33x to 2x.");
}

TEST_CASE("mix: a format that no layer can take is refused by name, and one without weights is not asked") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096},
                              {"type": "relu", "name": "act", "data_type": "FP16", "input_shape": [4096, 4096]}])");
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const std::vector<FormatId> formats = {format("int8"), format("int4")};
  const auto sqnr = [&](std::uint32_t, FormatId f) { return f == formats[0] ? 40.51 : 18.9; };
  const Mix mix = mix_formats(OpSet(plan), formats, Roles::all, 30, sqnr);
  REQUIRE(mix.layers.size() == 1);  // not "act"
  CHECK(mix.not_quantisable == 1);
  // relu reads and writes 4,096 x 4,096 elements of 2 B; the product reads as many weights and two vectors.
  const double square = 2 * 4096.0 * 4096, vectors = 2 * 8192.0;
  CHECK_THAT(mix.not_quantisable_s, WithinRel(2 * square / 100e9, 1e-9));
  CHECK_THAT(mix.not_quantisable_s / mix.time_s, WithinRel(2 * square / (3 * square + vectors), 1e-9));
  CHECK(mix_finding(mix, 30).text().find(" 1 operation without weights to quantise (67% of the time) keeps its format.") !=
        std::string::npos);
  CHECK(mix_finding(mix, 30).text().ends_with(" No layer can use INT4 at 30 dB (best layer: 18.9 dB). INT8 can (worst layer: 40.5 dB)."));
}

TEST_CASE("mix: layers that are less accurate than the threshold today are counted") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "INT4", "m": 1, "n": 4096, "k": 4096},
                              {"type": "gemm", "name": "down", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096}])");
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const auto sqnr = [&](std::uint32_t, FormatId f) { return f == format("int4") ? 18.9 : 40.51; };
  const Mix mix = mix_formats(OpSet(plan), {format("int8")}, Roles::all, 30, sqnr);
  CHECK(mix.already_below == 1);
  CHECK(mix_finding(mix, 30).text().ends_with(" Already below 30 dB: 1 layer, lowest in INT4 (18.9 dB)."));
  CHECK(mix_formats(OpSet(plan), {format("int8")}, Roles::all, 18, sqnr).already_below == 0);
}

TEST_CASE("mix: a floating format is not refused if another of the same width meets the threshold") {
  const std::map<FormatId, double> most_db = {{format("fp8_e4m3"), 31.5}, {format("fp8_e5m2"), 25.6}, {format("int4"), 18.9}};
  const std::vector<MixFormat> at_30 = refused_formats(most_db, 30);
  REQUIRE(at_30.size() == 1);
  CHECK(at_30[0].format == format("int4"));
  CHECK(refused_formats(most_db, 35).size() == 3);
}

TEST_CASE("mix: the weights of a normalisation keep their format") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096},
                              {"type": "layer_norm", "name": "norm", "data_type": "FP16", "input_shape": [1, 4096]}])");
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  REQUIRE(w.class_of(1).weight != no_format);
  const Mix mix = mix_formats(OpSet(plan), {format("int8")}, Roles::weights, 30, [](std::uint32_t, FormatId) { return 40.0; });
  CHECK(mix.layers.size() == 1);
  CHECK(mix.not_quantisable == 1);
}

TEST_CASE("mix: the finding of a language model counts operations, not layers") {
  const Scenario scenario = on(flat());
  const LlmRequest request = *parse_llm_request(R"({"model": "llama-3-8b", "phase": "decode", "batch": 1, "context": 512})");
  const Workload w = llm_workload(request, scenario);
  const Plan plan(w, scenario);
  const Mix mix = mix_formats(OpSet(plan), {format("int8")}, Roles::weights, 30, [](std::uint32_t, FormatId) { return 40.0; });
  CHECK_THAT(mix_finding(mix, 30).text(), ContainsSubstring(" operations take INT8 weights"));
}

TEST_CASE("mix: a layer that no roof limits is unchanged") {
  const Workload w = open(R"([{"type": "gemm", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096, "time_ns": 3500000}])");
  const Scenario scenario = on(flat());  // 0.336 ms at the roof
  const Plan plan(w, scenario);
  const Mix mix = mix_formats(OpSet(plan), {format("int8")}, Roles::weights, 30, [](std::uint32_t, FormatId) { return 40.0; });
  CHECK(mix.layers[0].format == no_format);
  CHECK(mix_finding(mix, 30).text() ==
        "Neither compute nor memory limits the only layer with weights: a narrower format may not make it faster.");
}

TEST_CASE("mix: the curve rises as the threshold falls, and ends where every layer has its fastest") {
  const Workload w = open(layers);
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const std::vector<FormatId> formats = {format("int8"), format("int4")};
  const auto kept = [&](std::uint32_t, FormatId f) { return db(f == formats[0] ? "int8" : "int4"); };
  const Mix mix = mix_formats(OpSet(plan), formats, Roles::weights, 100, kept);
  CHECK(mix.layers[0].format == no_format);  // 100 dB: none
  CHECK(mix.time_s == mix.then_s.low);
  CHECK(mix_finding(mix, 100).text() ==
        "At 100 dB, no format makes any of the 3 layers with weights faster. No layer can use INT8 at 100 dB (best layer: 40 dB).");
  REQUIRE(mix.curve.size() == 2);
  CHECK(mix.curve[0].threshold_db == 40);
  CHECK(mix.curve[1].threshold_db == 20);
  CHECK(mix.curve[1].speedup > mix.curve[0].speedup);
  const Mix lowest = mix_formats(OpSet(plan), formats, Roles::weights, 20, kept);
  CHECK_THAT(mix.curve[1].speedup, WithinRel(lowest.time_s / lowest.then_s.low, 1e-12));
}

TEST_CASE("mix: a format whose loss is not known is not taken") {
  const Workload w = open(layers);
  const Scenario scenario = on(flat());
  const Plan plan(w, scenario);
  const Mix mix = mix_formats(OpSet(plan), {format("int4")}, Roles::weights, 0, [](std::uint32_t, FormatId) { return unknown; });
  for (const LayerChoice& layer : mix.layers) CHECK(layer.format == no_format);
  CHECK(mix.curve.empty());
}
