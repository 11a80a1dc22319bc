// Sentences are what a person reads: they are compared whole.
#include <algorithm>
#include <roofline/analysis/explain.hpp>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/scenario/operands.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

std::string finding(const Workload& w, const Scenario& s) {
  const Plan plan(w, s);
  return headline(plan, make_frame(plan, {})).text();
}

Diagnosis diagnosis(const Workload& w, const Scenario& s, std::size_t op = 0) { return diagnose(Plan(w, s), op); }

std::string text(const Workload& w, const Scenario& s, std::size_t op = 0) { return diagnosis(w, s, op).text(); }

const std::string conv_fp32 =
    R"({"type": "ID_CONV", "data_type": "FP32", "input_shape": [1, 64, 1, 224, 224], "output_channels": 128, "kernel_size": [1, 3, 3], "stride": [1, 2, 2], "padding": [0, 1, 1], "time_ns": 850000})";

Scenario npu_in_macs() {
  Scenario s = Scenario::standard();
  REQUIRE(apply_config(s, R"({"ops_per_mac": 1, "peak_tops": 32})"));
  return s;
}

}  // namespace

TEST_CASE("explain: verdict, lever, number, evidence", "[explain]") {
  const Workload w = open("[" + conv_fp32 + "]");
  // 47.28 MAC/B against a ridge of 640; 23.01 of 50 GB/s. INT4 takes 1/8 of the bytes of all operands: P = 391 us becomes 49 us, 459 us
  // above it stay.
  const Diagnosis d = diagnosis(w, npu_in_macs());
  CHECK(d.verdict == "Memory-bound, at 46% of the DRAM bandwidth.");
  CHECK(d.lever == "INT4 in all operands");
  CHECK(d.number == "1.67x to 8x faster");
  CHECK(d.evidence == "47.3 MAC/B is far left of the ridge at 640; 23 GB/s of 50 GB/s.");
  CHECK(d.text() == d.verdict + " INT4 in all operands: " + d.number + ". " + d.evidence);
  CHECK(diagnosis(w, Scenario::standard()).evidence == "94.6 FLOP/B is left of the ridge at 640; 23 GB/s of 50 GB/s.");

  const auto find = [&](const std::string& change) -> const Suggestion& {
    for (const Suggestion& s : d.suggestions)
      if (s.change == change) return s;
    FAIL("no suggestion " << change);
    return d.suggestions[0];
  };
  const Suggestion& int8 = find("INT8 in all operands");
  const double bytes = 4890624;  // of as many elements
  CHECK_THAT(int8.bytes_factor, WithinRel(19562496 / bytes, 1e-12));
  CHECK_THAT(int8.high, WithinRel(19562496 / bytes, 1e-12));
  CHECK_THAT(int8.low, WithinRel(850e-6 / (850e-6 - 391.24992e-6 + bytes / 50e9), 1e-9));
  CHECK_THAT(int8.at_roof, WithinRel(850e-6 / (bytes / 50e9), 1e-9));
  CHECK(int8.whatif.weight == format("int8"));
  CHECK_THAT(find("if it reached the roof").high, WithinRel(850 / 391.24992, 1e-9));
  for (std::size_t i = 1; i < d.suggestions.size(); ++i) CHECK(d.suggestions[i - 1].high >= d.suggestions[i].high);
}

TEST_CASE("explain: of an operation without a time, suggestions are ranked and said by the estimate", "[explain]") {
  const auto gemm = [](const std::string& format) {
    return open(R"([{"type": "gemm", "m": 32, "n": 4096, "k": 4096, "dtype": ")" + format + R"("}])");
  };
  Scenario s = on(*Machines::presets().find("a100-80gb-sxm"));
  const Workload fp16 = gemm("fp16");
  const auto estimate = [&](const Workload& w, const Scenario& scenario) { return Plan(w, scenario).analyze(0).typical_time_s; };
  const Diagnosis d = diagnosis(fp16, s);
  const auto find = [&](const std::string& change) {
    for (const Suggestion& each : d.suggestions)
      if (each.change == change) return each;
    FAIL("no suggestion " << change);
    return d.suggestions[0];
  };
  // The operation as a file states it in INT8, and on the other machine.
  const double int8 = estimate(fp16, s) / estimate(gemm("int8"), s);
  CHECK_THAT(find("INT8 in all operands").typical_speedup, WithinRel(int8, 1e-12));
  CHECK(int8 < find("INT8 in all operands").high);
  const Suggestion& machine = d.suggestions.back();
  REQUIRE(machine.whatif.machine.has_value());
  CHECK_THAT(machine.typical_speedup, WithinRel(estimate(fp16, s) / estimate(fp16, on(*machine.whatif.machine)), 1e-12));
  const Workload larger = open(R"([{"type": "gemm", "m": 256, "n": 4096, "k": 4096, "dtype": "fp16"}])");
  CHECK_THAT(find("batch x8").typical_speedup, WithinRel(8 * estimate(fp16, s) / estimate(larger, s), 1e-12));
  CHECK(d.number == "about " + times(d.suggestions[0].typical_speedup) + " faster per item");
  for (std::size_t i = 1; i + 1 < d.suggestions.size(); ++i) CHECK(d.suggestions[i - 1].gain() >= d.suggestions[i].gain());
  // Of given bytes no operand tells which would shrink.
  const Workload given = open(R"([{"type": "gemm", "m": 32, "n": 4096, "k": 4096, "dtype": "fp16", "hw_bytes": 4e7}])");
  CHECK_FALSE(known(diagnosis(given, s).suggestions.at(0).typical_speedup));
  CHECK_FALSE(known(diagnosis(open("[" + conv_fp32 + "]"), s).suggestions.at(0).typical_speedup));
}

TEST_CASE("explain: TF32 is advised for FP32 work where the machine has it, though it stores as many bytes", "[explain]") {
  const Workload w = open(R"([{"type": "gemm", "m": 8192, "n": 8192, "k": 8192, "data_type": "FP32", "time_ns": 60000000}])");
  const auto advised = [&](const char* machine) {
    for (const Suggestion& s : diagnosis(w, on(*Machines::presets().find(machine))).suggestions)
      if (s.change == "TF32 in all operands") return s.at_roof;
    return unknown;
  };
  CHECK_THAT(advised("a100-80gb-sxm"), WithinRel(60e-3 * 156e12 / (2 * 8192.0 * 8192 * 8192), 1e-9));  // 156 TFLOP/s of its data sheet
  CHECK_FALSE(known(advised("t4")));
}

TEST_CASE("explain: a machine without a rate for the format gets formats that it computes in, with a time and no speed-up", "[explain]") {
  Machine npu = simple_machine("npu", "NPU", 1e12, 1e11);
  npu.matrix = {peak("int8", 1e12)};
  npu.vector.clear();
  const Workload w = open(R"([{"type": "gemm", "m": 1024, "n": 1024, "k": 1024, "data_type": "FP32"}])");
  const Diagnosis d = diagnosis(w, on(npu));
  CHECK(d.verdict == "What limits it is unknown: NPU has no known rate for FP32; it computes INT8.");
  CHECK(d.lever == "INT8 in all operands");
  CHECK(d.number == "at least 2.15 ms");  // 2 * 1024^3 at 1e12/s
  Scenario changed = on(npu);
  changed.whatif = d.suggestions.at(0).whatif;
  const std::string today = "What limits 1 op is unknown: NPU has no known rate for FP32; it computes INT8. ";
  CHECK(finding(w, changed) == today + "With INT8 in all operands: at least 2.15 ms.");
  const Plan plan(w, changed);
  CHECK_FALSE(known(plan.what_if(0).speedup.high));
  CHECK_FALSE(known(plan.what_if(0).speedup_optimistic));
  CHECK_FALSE(known(summarize(OpSet(plan)).whatif_speedup().high));
  changed.whatif = with_format({}, *Formats::catalogue().find("fp16"), Roles::all);
  CHECK(finding(w, changed) ==
        today + "With FP16 in all operands: at least 62.9 µs, with no known rate for FP16.");  // 3 * 2 * 1024^2 B at 1e11/s
}

TEST_CASE("explain: where only the work is unknown, and where the time is, too", "[explain]") {
  Workload w;
  add_row(w, 0, 0, 2);
  add_row(w, 0, 0, unknown);
  w.classes[0].time_only = true;
  CHECK(diagnosis(w, on(round_machine()), 0).verdict == "Time known; work unknown. Add the model's graph or shapes to analyse it.");
  CHECK(diagnosis(w, on(round_machine()), 1).verdict == "Neither time nor work is known. Add the model's graph or shapes to analyse it.");
}

TEST_CASE("explain: which operands a format is for", "[explain]") {
  const auto first = [](const std::string& record) { return diagnosis(open("[" + record + "]"), on(round_machine())).lever; };
  CHECK(first(R"({"type": "relu", "data_type": "FP32", "input_shape": [1000]})") ==
        "FP16 in all operands");  // the narrowest that it computes
  CHECK(first(R"({"type": "mine", "data_type": "FP32", "flops": 1, "bytes": 1000})") == "FP16 in all operands");

  // Attention over a long cache: the cache alone can be narrower, and one of 4 bits is not the first advice.
  Machine m = round_machine();
  m.matrix = {peak("fp16", 1000), peak("int8", 2000), peak("int4", 4000)};
  const std::string decode =
      R"({"type": "attention", "data_type": "FP16", "heads": 8, "kv_heads": 8, "head_dim": 64, "query_length": 1, "context": 4096})";
  std::vector<std::string> changes;
  for (const Suggestion& s : diagnosis(open("[" + decode + "]"), on(m)).suggestions) {
    changes.push_back(s.change);
    CHECK(s.coarse_cache == (s.change == "INT4 in all operands"));  // why it is last
  }
  CHECK(changes == std::vector<std::string>{"INT8 in all operands", "FP8 E4M3 KV cache", "INT8 KV cache", "INT4 in all operands"});
}

TEST_CASE("explain: hardware last, and of the class of the user's own", "[explain]") {
  const Workload w =
      open("[" + conv_fp32.substr(0, conv_fp32.find(", \"time_ns\"")) + "}]");  // no time: nothing says that it is far from its roof
  Scenario s = Scenario::standard();
  const auto& machines = Machines::presets();
  s.use(*machines.find("a100-80gb-sxm"));
  const Diagnosis d = diagnosis(w, s);
  REQUIRE(d.suggestions.size() > 1);
  for (const Suggestion& each : d.suggestions) CHECK(each.whatif.machine.has_value() == (&each == &d.suggestions.back()));
  const Machine& other = *d.suggestions.back().whatif.machine;
  CHECK(other.segment == "data-centre");
  CHECK(d.suggestions.back().change == other.name);
  CHECK(other.id != "a100-80gb-sxm");
  s.basis = MachineBasis::assumed;  // nobody said what they have
  CHECK_FALSE(diagnosis(w, s).suggestions.back().whatif.machine.has_value());
}

TEST_CASE("explain: the ridge of matrix work with vector work beside it", "[explain]") {
  const Scenario s = on(round_machine());  // matrix 100 FLOP/s, vector 10, 10 B/s
  Workload w = one_row(1000, 100, 20);
  w.matrix_flops[0] = 920;
  w.vector_flops = {80};
  // 920 at 100 FLOP/s take 9.2 s, the bytes 10 s: they would meet at 1000 / 920 of the matrix ridge.
  CHECK(diagnosis(w, s).evidence == "10 FLOP/B is left of the ridge at 10.9 (10 for matrix work alone); 5 B/s of 10 B/s.");
  w.matrix_flops[0] = 990;
  w.vector_flops = {10};
  CHECK(diagnosis(w, s).evidence == "10 FLOP/B is at the ridge at 10; 5 B/s of 10 B/s.");
}

TEST_CASE("explain: every kind of place", "[explain]") {
  const Scenario s = on(round_machine());  // FP16 at 100 FLOP/s, 10 B/s: ridge 10
  CHECK(text(one_row(1000, 10, 20), s) ==
        "Compute-bound, at 50% of its peak. If it reached the roof: up to 2x faster. 100 FLOP/B is right of the ridge at 10; 50 FLOP/s of "
        "100 FLOP/s.");
  CHECK(text(one_row(2000, 10, 20), s) ==
        "Compute-bound, at 100% of its peak. 200 FLOP/B is far right of the ridge at 10; 100 FLOP/s of 100 FLOP/s.");
  CHECK(text(one_row(100, 10, unknown), s) == "Compute-bound: it needs at least 1 s. 10 FLOP/B is at the ridge at 10.");
  CHECK(text(one_row(1000, unknown, 20), s) == "What limits it is unknown: the bytes are not counted. Add them, or the shapes.");
  CHECK(text(one_row(2000, unknown, 20), s) ==  // near the roof, whatever its bytes
        "Compute-bound, at 100% of its peak. Its bytes are not known, so it is compared with the peak only; 100 FLOP/s of 100 FLOP/s.");
  CHECK(
      text(one_row(0, 2000, 400, "int4"), s) ==
      "Memory-bound, at 50% of the HBM bandwidth. If it reached the roof: up to 2x faster. It moves 2 kB and computes nothing; 5 B/s of 10 "
      "B/s.");
  const Diagnosis above = diagnosis(one_row(1000, 10, 5), s);
  CHECK(above.verdict == "Above the roof, at 200% of its peak, which cannot be: check the peak, the clock or the byte count.");
  CHECK(above.lever.empty());
  const Workload fast = one_row(1000, 10, 5);
  const Plan elsewhere(fast, s);
  const Diagnosis refuted =
      diagnose(elsewhere, 0, elsewhere.analyze(0), true);  // no evidence or advice about a machine that did not run it
  CHECK(refuted.verdict == "It did not run on round, where it would need at least 10 s.");
  CHECK(refuted.evidence.empty());
  CHECK(refuted.suggestions.empty());
  CHECK(text(one_row(unknown, unknown, 5), s) == "Neither FLOPs nor bytes are known, so nothing can bound it.");

  Machine m = round_machine();
  m.memories.clear();
  CHECK(text(one_row(1000, 10, unknown), on(m)) == "Compute-bound: it needs at least 10 s. No memory's bandwidth is known.");
  m = round_machine();
  m.matrix = m.vector = {peak("int4", 1)};
  const Diagnosis without_rate = diagnosis(one_row(1000, 10, unknown), on(m));
  CHECK(without_rate.verdict == "What limits it is unknown: round has no known rate for FP16; it computes INT4.");
  CHECK(without_rate.evidence.empty());
}

TEST_CASE("explain: a remark says that a kernel beats its estimate", "[explain]") {
  Machine m = round_machine();
  m.achievable_compute.value = 0.5;  // 10 s at the peak, 20 s as estimated
  const auto said = [&](double flops, double bytes, double time, const char* why) {
    const std::vector<std::string> remarks = diagnosis(one_row(flops, bytes, time), on(m)).remarks;
    return std::count(remarks.begin(), remarks.end(),
                      std::string("It is faster than the estimate, 20 s: a better kernel than the usual one") + why) == 1;
  };
  const auto faster = [&](double time) { return said(1000, 10, time, "."); };
  CHECK(faster(15));
  CHECK_FALSE(faster(19));  // within the estimate's error
  CHECK_FALSE(faster(30));
  m.achievable_bandwidth.value = 0.5;
  CHECK(said(10, 100, 15, ", or data still cached."));  // bound by 10 B/s
}

TEST_CASE("explain: far below both roofs neither limits it, and no format or machine is advised", "[explain]") {
  Scenario s = on(round_machine());
  const std::string gemv = R"({"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4, "time_ns": )";  // 8.8 s on 10 B/s
  const auto diagnosed = [&](const char* ns) { return diagnosis(open("[" + gemv + ns + "}]"), s); };
  const Diagnosis far = diagnosed("88e9");
  CHECK(far.verdict == "Limited by overhead, waiting or a poor kernel. It reaches 10% of the HBM bandwidth.");
  CHECK(far.lever == "if it reached the roof");
  REQUIRE(far.suggestions.size() == 1);
  CHECK_FALSE(far.suggestions[0].whatif.active());
  CHECK(diagnosed("28e9").verdict == "Memory-bound, at 31% of the HBM bandwidth.");
  CHECK(diagnosed("28e9").suggestions.size() > 2);
  const Diagnosis untimed = diagnosis(open(R"([{"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4}])"), s);
  CHECK(untimed.verdict == "Memory-bound: it needs at least 8.8 s.");
  CHECK(untimed.suggestions.size() > 1);

  REQUIRE(set(s, "advice_thresh", "9"));  // a setting
  CHECK(diagnosed("88e9").verdict == "Memory-bound, at 10% of the HBM bandwidth.");
  CHECK(diagnosed("88e9").suggestions.size() > 2);
  REQUIRE(set(s, "advice_thresh", "30"));
  s.whatif.bandwidth_scale = 2;  // what is asked for is answered, with the caution
  const auto cautions = [&] {
    const std::vector<std::string> remarks = diagnosed("88e9").remarks;
    return std::count(remarks.begin(), remarks.end(),
                      "Expect the low end of the what-if's speed-up: the operation is well below its roof.");
  };
  CHECK(cautions() == 1);
  s.whatif = {};
  s.whatif.weight = format("fp16");  // unchanged format: no range, so no caution
  CHECK(cautions() == 0);
}

TEST_CASE("explain: below both roofs, the estimate says whether overheads explain the time", "[explain]") {
  Machine m = round_machine();
  m.launch_s.value = 8;
  const auto verdict = [&](double time) { return diagnosis(one_row(10, 10, time), on(m)).verdict; };  // 1 s on 10 B/s, 9 s with launch
  CHECK(verdict(10) ==
        "Limited by the fixed time per kernel (launch, ramp-up, tail), estimated at 8 s of the 10 s. It reaches 10% of the HBM bandwidth.");
  CHECK(
      verdict(7) ==
      "Limited by the fixed time per kernel (launch, ramp-up, tail). It reaches 14% of the HBM bandwidth.");  // shorter than a usual launch
  CHECK(
      verdict(40) ==
      "Limited by waiting or a poor kernel: overheads explain only 8 s of the 39 s above the bound. It reaches 2.5% of the HBM bandwidth.");
  CHECK(verdict(unknown) ==
        "Memory-bound: it needs at least 1 s; with overheads about 9 s, most of it the fixed time per kernel (launch, ramp-up, tail).");
  m.launch_s.value = 1;  // 1 s of 2 s: it is near its roof even with overheads
  CHECK(verdict(unknown) == "Memory-bound: it needs at least 1 s.");
  m.launch_s.value = unknown;
  CHECK(verdict(40) == "Limited by overhead, waiting or a poor kernel. It reaches 2.5% of the HBM bandwidth.");
}

TEST_CASE("explain: a card sets exactly the operands that it names", "[explain]") {
  const Diagnosis d = diagnosis(open("[" + conv_fp32 + "]"), Scenario::standard());
  bool found = false;
  for (const Suggestion& s : d.suggestions) {
    if (!s.change.ends_with("in all operands")) continue;
    found = true;
    CHECK((s.whatif.weight && s.whatif.activation == s.whatif.weight && s.whatif.output == s.whatif.weight &&
           s.whatif.kv == s.whatif.weight));
    Scenario by_hand = Scenario::standard();
    by_hand.whatif.weight = by_hand.whatif.activation = by_hand.whatif.output = by_hand.whatif.kv = s.whatif.weight;
    const Workload w = open("[" + conv_fp32 + "]");
    CHECK(Plan(w, by_hand).what_if(0).speedup.high == s.high);
  }
  CHECK(found);
}

TEST_CASE("explain: no format is advised that the machine lacks", "[explain]") {
  Scenario s = Scenario::standard();
  s.use(*Machines::presets().find("a100-80gb-sxm"));  // no FP8
  for (const Suggestion& each : diagnosis(open("[" + conv_fp32 + "]"), s).suggestions) CHECK(each.change.find("FP8") == std::string::npos);
  CHECK(support(s.machine, format("mxfp6"), false) == FormatSupport::lacks);
  CHECK(support(s.machine, format("int4_g128"), false) == FormatSupport::dequantises);
  CHECK(support(s.machine, format("int8"), true) == FormatSupport::computes);
}

TEST_CASE("explain: a link's rates are the link's own", "[explain]") {
  Machine m = round_machine();
  Link link;
  link.name = "NVLink";
  link.bandwidth.value = 5;
  m.links = {link};
  Workload w = one_row(0, 8, 4);
  w.channels = {{"NVLink", true, {10}}};
  const Diagnosis d = diagnosis(w, on(m));
  CHECK(d.verdict == "Link-bound, at 50% of NVLink.");
  CHECK(d.evidence == "It moves 8 B and computes nothing; 2.5 B/s of 5 B/s.");  // not the memory's bytes over the link's time
}

TEST_CASE("explain: a record with a fault says which", "[explain]") {
  const Workload w = open(file("tests/data/faults.json"));
  const Scenario s = Scenario::standard();
  CHECK(text(w, s, 4) == "No cost can be given: unknown data_type \"INT7\": expected a format such as int8, int4 or int2.");
  CHECK(text(w, s, 6) ==
        "No cost can be given: field \"input_mat2\": [6, 6] has an inner dimension of 6: expected 5, as input_mat1 [4, 5] has.");
}

TEST_CASE("explain: remarks", "[explain]") {
  const auto remarks = [](const std::string& record, const Scenario& s) {
    std::string all;
    for (const std::string& r : diagnosis(open("[" + record + "]"), s).remarks) all += r + "\n";
    return all;
  };
  const Scenario round = on(round_machine());
  const std::string op = R"({"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4)";  // 64 FLOPs, 88 bytes
  CHECK(remarks(op + "}", round).empty());
  CHECK(remarks(op + ", \"hw_bytes\": 176}", round) ==
        "Data efficiency 50%: 88 B are needed, 176 B were moved. Without the extra traffic its intensity would be 0.727 FLOP/B instead of "
        "0.364 FLOP/B.\n");
  CHECK(remarks(R"({"type": "linear", "data_type": "INT4", "m": 1, "n": 8, "k": 4})", round) ==
        "The machine has no peak for the format it asks for: judged at FP16.\n");
  Machine no_vector = round_machine();
  no_vector.vector.clear();
  CHECK(remarks(R"({"type": "relu", "data_type": "FP16", "input_shape": [8]})", on(no_vector)) ==
        "The machine states no peak for vector work: the matrix peak is used.\n");
  CHECK(remarks(R"({"type": "mine", "data_type": "FP16", "flops": 1, "bytes": 10, "time_ns": 1})", round) ==
        "Either fewer bytes are moved than counted (caches keep some), or it ran "
        "on another machine than " +
            round.machine.name +
            ", or a unit is wrong (GFLOP/s or TFLOP/s, bytes or elements).\nShapes unknown, so a what-if scales all bytes: the speed-up "
            "is an upper bound.\n");
  Machine cached = round_machine();
  cached.memories.emplace_back();
  cached.memories[1].name = "L2";
  cached.memories[1].capacity.value = 100;
  Workload layers = open("[" + op + "}]");
  const auto of_layers = [&] { return diagnosis(layers, on(cached)).remarks; };
  CHECK(of_layers() == Words{"Its working set, 88 B, fits the L2 (100 B). If it is still cached, the HBM roof does not apply."});
  layers.source_format = SourceFormat::model;
  CHECK(of_layers().size() == 1);
  layers.count = {2};  // the other layer's data come in between
  CHECK(of_layers().empty());
  Machine launching = round_machine();
  launching.launch_s.value = 100;
  CHECK(remarks(op + ", \"time_ns\": 110e9}", on(launching)) == "Launching it takes longer than its work: merge it with its neighbours.\n");
}

TEST_CASE("explain: likely reasons for lying above the roof", "[explain]") {
  Machine machine = round_machine();  // FP16: 100 FLOP/s; 10 B/s
  machine.matrix.push_back(peak("int8", 400));
  machine.sparse.push_back(peak("fp16", 200));
  Memory cache;
  cache.name = "L2";
  cache.capacity.value = 1000;
  machine.memories.push_back(cache);
  const Scenario s = on(machine);
  // Compute-bound: 1,000 FLOPs, 10 bytes. Memory-bound: 1 FLOP and the bytes.
  const auto reason = [&](double flops, double bytes, double seconds) {
    const std::string record = R"([{"type": "mine", "data_type": "FP16", "flops": )" + std::to_string(flops) +
                               ", \"bytes\": " + std::to_string(bytes) + ", \"time_ns\": " + std::to_string(seconds * 1e9) + "}]";
    return diagnosis(open(record), s).remarks[0];
  };
  CHECK(reason(1000, 10, 9.5) == "A clock above the one that the peak is stated for would explain 105%.");
  CHECK(reason(1000, 10, 6) == "With 2:4 sparse weights its peak is 200 FLOP/s, which would allow it.");
  CHECK(reason(1000, 10, 3) == "The peak of INT8 (400 OP/s) would allow it: is it in fact computed in FP16?");
  CHECK(reason(1000, 10, 0.01).find("No peak of this machine allows it: is " + machine.name + " the machine it ran on") == 0);
  CHECK(reason(1, 5000, 480) == "GB/s and GiB/s differ by 7%: which are the bytes or the bandwidth in?");
  CHECK(reason(1, 500, 10) == "Its 500 B fit in L2 (1 kB): run again and again, it need not reach " + machine.memories[0].name + ".");
  CHECK(reason(1, 5000, 10).find("Either fewer bytes are moved than counted") == 0);
  // Where the run contradicts the machine, the verdict has said that it ran elsewhere.
  const Workload fast = open(R"([{"type": "mine", "data_type": "FP16", "flops": 1000, "bytes": 10, "time_ns": 1e7}])");
  const Plan plan(fast, s);
  CHECK(diagnose(plan, 0, plan.analyze(0), true).remarks[0].starts_with("If it did run there, a unit is wrong: "));
}

TEST_CASE("explain: cores above the rated clock are not impossible", "[explain]") {
  // Peaks of the EPYC 9654 are at 2.4 GHz of up to 3.7: 7.3728 TFLOP/s in FP32 as 96 x 2.4 GHz x 32.
  const Machine* cpu = Machines::presets().find("epyc-9654");
  REQUIRE(cpu);
  const auto product = [](double share) {  // of the peak, of 1 TFLOP
    return open(R"([{"type": "MatMul", "data_type": "FP32", "flops": 1e12, "bytes": 1e6, "time_ns": )" +
                std::to_string(1e12 / (share * 96 * 2.4e9 * 32) * 1e9) + "}]");
  };
  const Scenario s = on(*cpu);
  CHECK(diagnosis(product(1.4), s).verdict == "Above the roof at the rated clock, at 140% of its peak: the cores ran faster.");
  CHECK(finding(product(1.4), s).find("1 op exceeds the roof: its peak is at the rated 2.4 GHz, and cores run at up to 3.7 GHz.") !=
        std::string::npos);
  CHECK(finding(product(1.4), s).find("did not run") == std::string::npos);
  CHECK(diagnosis(product(1.6), s).verdict.find("which cannot be") != std::string::npos);
  CHECK(finding(product(1.6), s).find("did not run") != std::string::npos);
}

TEST_CASE("explain: the finding above the chart", "[explain]") {
  const Scenario s = on(round_machine());
  Workload w;
  CHECK(finding(w, s) == "No operations.");
  w.source_format = SourceFormat::network;
  CHECK(finding(w, s) == "The network has no node whose work is known.");
  w.source_format = Workload().source_format;

  add_row(w, 10, 100, 40);   // memory, 10 s: loses 30
  add_row(w, 1000, 10, 15);  // compute, 10 s: loses 5
  add_row(w, 10, 10, 2);     // memory, 1 s: loses 1
  CHECK(finding(w, s) ==
        "70% of the 57 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning all 3 ops could save up to 36 s, most of it in #0.");
  w.time_s = {40, 30, 2};
  CHECK(finding(w, s) ==
        "56% of the 72 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning all 3 ops could save up to 51 s.");
  w.time_s = {12, 15, 4};  // the third reaches a quarter of its roof: memory bounds it, but does not limit it
  CHECK(finding(w, s) ==
        "Compute limits 48% of the 31 s. Tuning 2 of 3 ops could save up to 8 s. 13% is limited by neither compute "
        "nor memory: overhead, waiting or a poor kernel.");
  w.time_s = {10, 10, 1};
  CHECK(finding(w, s) == "Everything is near the roof: 100% efficiency over 3 ops.");
  w.time_s = {40, 15, 0.5};
  CHECK(finding(w, s) ==
        "72% of the 55.5 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning 2 of 3 ops could save up to 35 s, most of it in #0. 1 op "
        "exceeds the roof: check the peak, the clock or the byte count.");
  w.time_s[1] = 0.001;  // its bound of 10 s is 25% of the time
  CHECK(finding(w, s).starts_with(
      "2 ops exceed the roof: check the peak, the clock or the byte count. 99% of the 40.5 s is limited by neither compute"));
  Scenario assumed = s;
  assumed.basis = MachineBasis::assumed;
  w.time_s = {40, 15, 2};
  CHECK(finding(w, assumed) ==
        "70% of the 57 s on an assumed round is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning all 3 ops could save up to 36 s, most of it in #0.");
  w.time_s = {10, 10, 1};
  CHECK(finding(w, assumed) == "Everything is near the roof on an assumed round: 100% efficiency over 3 ops.");
  Workload uncounted;
  add_row(uncounted, unknown, 100, 40);
  add_row(uncounted, unknown, 100, 40);
  CHECK(finding(uncounted, s) ==
        "What limits 100% of the time is unknown: the FLOPs of 2 ops are not counted. Add them, or the sizes M, N and K.");
  Scenario slower = s;
  slower.whatif.bandwidth_scale = 2;
  w.time_s = {100, 15, 2};  // 10% of its roof
  CHECK(finding(w, slower).ends_with("in total; expect the low end: neither compute nor memory limits 85% of the time."));
  w.time_s = {};
  CHECK(finding(w, s) == "At least 21 s for 3 ops; HBM bounds 52% of it.");

  Scenario half = s;
  half.whatif.bandwidth_scale = 2;
  // Nothing was measured: the estimate, 1.5 times the bound on this machine, stands in. 31.5 / (10.5 + 15.5), and 21 / 15.5.
  half.machine.achievable_bandwidth.value = 1 / 1.5;
  half.machine.achievable_compute.value = 1 / 1.5;
  CHECK(
      finding(w, half) ==
      "At least 21 s for 3 ops; HBM bounds 52% of it. With bandwidths x2: 1.21x to 1.35x faster in total, then mostly limited by compute.");
  w.time_s = {40, 15, 2};
  CHECK(
      finding(w, half) ==
      "70% of the 57 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
      "Tuning all 3 ops could save up to 36 s, most of it in #0."
      " With bandwidths x2: 1.11x to 1.58x faster in total; expect the low end: neither compute nor memory limits 70% of the time.");  // 57
                                                                                                                                       // / 51.5,
                                                                                                                                       // 57
                                                                                                                                       // /
                                                                                                                                       // 36
  half.whatif.bandwidth_scale = 0.5;
  CHECK(
      finding(w, half) ==
      "70% of the 57 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
      "Tuning all 3 ops could save up to 36 s, most of it in #0."
      " With bandwidths x0.5: 1.19x to 1.74x slower in total; expect the low end: neither compute nor memory limits 70% of the time.");  // 57 / 68,
                                                                                                                                         // 57 / 99
  half.whatif = {};
  half.whatif.batch_scale = 1;
  half.whatif.weight = format("fp16");
  CHECK(finding(w, half) ==
        "70% of the 57 s is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning all 3 ops could save up to 36 s, most of it in #0."
        " With FP16 weights: no change in total.");

  half.whatif.activation = half.whatif.weight;
  half.whatif.kv = format("int8");
  half.whatif.batch_scale = 8;
  half.whatif.machine = s.machine;
  CHECK(finding(w, half).find(" With FP16 weights and activations, INT8 KV cache, batch x8 on round: ") != std::string::npos);
  half.whatif.output = half.whatif.kv = half.whatif.weight;
  CHECK(finding(w, half).find(" With FP16 in all operands, batch x8 on round: ") != std::string::npos);

  const std::string one_rate = " This machine computes every format at the same rate: narrower formats save only bytes.";
  const Workload conv = open("[" + conv_fp32 + "]");
  const auto with = [&](Scenario scenario, bool activations, const char* id) {
    scenario.whatif.weight = format(id);
    if (activations) scenario.whatif.activation = scenario.whatif.weight;
    return finding(conv, scenario);
  };
  CHECK(with(Scenario::standard(), true, "int8").ends_with(" faster in total." + one_rate));
  CHECK(with(Scenario::standard(), false, "int8").find(one_rate) == std::string::npos);  // computed as before
  CHECK(with(Scenario::standard(), true, "fp64").find(one_rate) == std::string::npos);   // wider
  CHECK(with(on(*Machines::presets().find("h100-sxm")), true, "int8").find(one_rate) == std::string::npos);
  const auto advised = [&](const Scenario& scenario) {
    const std::vector<std::string> remarks = diagnosis(conv, scenario).remarks;
    return std::find(remarks.begin(), remarks.end(), one_rate.substr(1)) != remarks.end();
  };
  CHECK(advised(Scenario::standard()));
  CHECK_FALSE(advised(on(*Machines::presets().find("t4"))));

  CHECK(finding(open("[7, 8]"), s) == "No cost could be given for any of the 2 ops: see the import errors.");
  const Workload refused = open(R"([{"type": "mul", "name": "a", "input_self": [4096], "input_other": [4096], "time_ns": 12000},
                                    {"type": "mul", "name": "b", "input_self": ["x"], "input_other": [4096], "time_ns": 36000}])");
  CHECK(finding(refused, s).starts_with("75% of the time has no known bound, 36 µs in b alone: see the import errors. "));
  CHECK(finding(open("[7, " + conv_fp32.substr(0, conv_fp32.find(", \"time_ns\"")) + "}]"), Scenario::standard()) ==
        "At least 391 µs for 1 op on an assumed NPU (32 TOPS, 50 GB/s); DRAM bounds 100% of it. 1 record has no known cost.");
}

TEST_CASE("explain: operands that exceed the device memory are named", "[explain]") {
  const auto remarks = [](const char* m) {
    const std::string op = std::string(R"([{"type": "gemm", "data_type": "FP16", "n": 4096, "k": 4096, "m": )") + m + "}]";
    std::string all;
    for (const std::string& remark : diagnosis(open(op), on(*Machines::presets().find("h100-sxm"))).remarks) all += remark;
    return all;
  };
  // 2 bytes of 10,000,000 x 4096 inputs and as many outputs, and of 4096 x 4096 weights: 164 GB.
  CHECK(remarks("10000000").find("Its operands, 164 GB, do not fit the HBM (85.5 GB).") != std::string::npos);
  CHECK(remarks("5000000").find("do not fit") == std::string::npos);  // 82 GB
}

TEST_CASE("explain: an op that no roof limits is compared with the others of its type", "[explain]") {
  const Scenario s = on(round_machine());
  const auto rows = [&](std::initializer_list<const char*> seconds) {  // the bound of each is 8.8 s
    std::string out;
    for (const char* time : seconds)
      out += std::string(out.empty() ? "[" : ",") + R"({"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4, "time_ns": )" +
             time + "e9}";
    return open(out + "]");
  };
  const Diagnosis d =
      diagnosis(rows({"88", "11", "22", "17.6", "44"}), s);  // the others reach 80%, 40%, 50%; and 20%, which no roof limits
  REQUIRE(d.suggestions.size() == 1);
  CHECK(d.lever == "if it ran like the other linear ops (median: 50% of the roof)");
  CHECK(d.number == "up to 5x faster");
  CHECK_FALSE(d.suggestions[0].whatif.active());
  CHECK(diagnosis(rows({"88", "11", "22", "44"}), s).lever == "if it reached the roof");  // two others are too few
  CHECK(diagnosis(rows({"20", "11", "22", "17.6"}), s).suggestions.size() > 2);           // memory limits it: formats are advised
  for (const Suggestion& other : diagnosis(rows({"20", "11", "22", "17.6"}), s).suggestions)
    CHECK(other.change.find("the other") == std::string::npos);
}

TEST_CASE("explain: what limits most of the measured time leads, whatever bounds most of the predicted time", "[explain]") {
  const Scenario s = on(round_machine());
  Workload w;
  add_row(w, 10, 160, 16);   // memory, 16 s: at its roof
  add_row(w, 1500, 10, 45);  // compute, 15 s
  add_row(w, 1, 5, 30);      // memory, 0.5 s: limited by neither
  const Plan plan(w, s);
  const Summary sums = summarize(plan);
  CHECK(sums.bound_by == 1);
  CHECK(sums.limiting() == 0);
  CHECK_FALSE(sums.mostly_neither());
  CHECK(finding(w, s).starts_with("Compute limits 49% of the 91 s. "));
  CHECK(finding(w, s).ends_with(" 33% is limited by neither compute nor memory: overhead, waiting or a poor kernel."));
}

TEST_CASE("explain: a name that ends in the shapes of all operands is said with the sizes alone", "[explain]") {
  const auto leads = [](const std::string& name) {
    Workload w = open(R"([{"type": "x", "name": ")" + name +
                      R"(", "time_ns": 90000}, {"type": "GEMM", "data_type": "FP16", "m": 64, "n": 64, "k": 64, "time_ns": 5000}])");
    return finding(w, Scenario::standard());
  };
  CHECK(leads("aten::add [[4,768], [4, 768],[]]").find("90 µs in aten::add 4x768 alone") != std::string::npos);
  CHECK(leads("cat [[2,3],[4,3]]").find("in cat 2x3, 4x3 alone") != std::string::npos);
  CHECK(leads("f [[],[]]").find("in f alone") != std::string::npos);
  CHECK(leads("f [[a]]").find("in f [[a]] alone") != std::string::npos);
  CHECK(leads("f[[4,5]] x").find("in f[[4,5]] x alone") != std::string::npos);
}

TEST_CASE("explain: on another machine than assumed, what is not known still leads, with the operation that most of it is in",
          "[explain]") {
  const Scenario s = on(round_machine());
  Workload w;
  add_row(w, 1000, 10, 2);  // five times its roof
  add_row(w, 10, 100, 10);
  add_row(w, 0, 0, 60);
  add_row(w, 0, 0, 50);
  w.classes.push_back(w.classes[0]);
  w.classes.back().time_only = true;
  w.op_class[2] = w.op_class[3] = static_cast<std::uint32_t>(w.classes.size() - 1);
  const std::string elsewhere = "This did not run on round: 1 op (17% of the rest) exceeds its roof by over 25%.";
  CHECK(finding(w, s) == "90% of the time has no known bound, 60 s in #2 alone: add the model's graph or shapes. " + elsewhere);
  w.time_s[3] = 60;  // half of it each: neither is named
  CHECK(finding(w, s) == "91% of the time has no known bound: add the model's graph or shapes. " + elsewhere);
}

TEST_CASE("explain: what is not known leads where it is most of the time", "[explain]") {
  const Scenario s = on(round_machine());
  Workload w;
  add_row(w, 10, 100, 40);   // memory, 10 s: 30 above the bound
  add_row(w, 1000, 10, 15);  // compute, 10 s: 5 above it
  add_row(w, 0, 0, 500);
  w.classes.push_back(w.classes[0]);
  w.classes.back().time_only = true;
  w.op_class[2] = static_cast<std::uint32_t>(w.classes.size() - 1);
  CHECK(finding(w, s) ==
        "90% of the time has no known bound, 8.33 min in #2 alone: add the model's graph or shapes. Of the rest, tuning all 2 ops could "
        "save up to 35 s, most of it in #0.");
  w.time_s[0] = w.time_s[1] = 10;
  CHECK(finding(w, s) ==
        "96% of the time has no known bound, 8.33 min in #2 alone: add the model's graph or shapes. The rest is near the roof: 100% "
        "efficiency over "
        "2 ops.");
  w.time_s[2] = 19;  // not most of it
  CHECK(finding(w, s) == "The 2 ops with a time and a bound are near the roof: 100% efficiency. Times only: 1 operation, 19 s.");
  w.time_s[2] = unknown;  // left out
  CHECK(finding(w, s) == "The 2 timed ops are near the roof: 100% efficiency. 1 record has no known cost.");

  const Workload trace = open(file("tests/data/serving_trace.json"));
  CHECK(finding(trace, s) ==
        "The device is idle for 63% of the 71 µs between its first and last kernel. Times only: 3 operations, 26 µs: name its model.");
}

TEST_CASE("explain: many equal ops share the lost time", "[explain]") {
  Workload w;
  for (int i = 0; i < 1000; ++i) add_row(w, 10, 100, 40);
  CHECK(finding(w, on(round_machine())) ==
        "100% of the 11.1 h is limited by neither compute nor memory: overhead, waiting or a poor kernel. "
        "Tuning all 1,000 ops could save up to 8.33 h.");
}
