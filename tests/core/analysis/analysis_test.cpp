// Work over rate: the rules of the analysis one by one, each with figures worked out by hand.
#include <cmath>
#include <roofline/analysis/analysis.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/frame/headline.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

OpAnalysis analyzed(const Workload& w, const Scenario& s, std::size_t op = 0) { return Plan(w, s).analyze(op); }

/// The resource that bounds an op; "" where none does.
std::string bound(const Workload& w, const Scenario& s, std::size_t op = 0) {
  const Plan plan(w, s);
  const std::uint8_t r = plan.analyze(op).bound_by;
  return r == no_resource ? "" : plan.resources()[r].name;
}

std::size_t resource(const Plan& plan, std::string_view name) {
  for (std::size_t i = 0; i < plan.resources().size(); ++i)
    if (plan.resources()[i].name == name) return i;
  FAIL("no resource " << name);
  return 0;
}

std::string compute(const Machine& m, Unit unit, const char* activation, const char* other, std::string* wanted = nullptr) {
  FormatId want = no_format;
  const FormatId f = compute_format(m, unit, format(activation), other ? format(other) : no_format, &want);
  if (wanted) *wanted = want == no_format ? "none" : Formats::catalogue()[want].id;
  return f == no_format ? "none" : Formats::catalogue()[f].id;
}

Machine with_peaks(std::initializer_list<const char*> ids) {
  Machine m = round_machine();
  m.matrix.clear();
  for (const char* id : ids) m.matrix.push_back(peak(id, 100));
  return m;
}

Memory memory(const char* name, double bandwidth, double read = unknown, double write = unknown) {
  Memory m;
  m.name = name;
  m.bandwidth.value = bandwidth;
  m.read_bandwidth.value = read;
  m.write_bandwidth.value = write;
  return m;
}

const WhatIf weights_in_int4 = [] {
  WhatIf w;
  w.weight = Formats::catalogue().find("int4");
  return w;
}();

}  // namespace

TEST_CASE("analysis: the NPU tool's own figures, digit for digit", "[analysis]") {
  // Its golden table: MAC/s instead of FLOP/s, its accounting of bytes.
  Keys keys;
  Registry registry;
  REQUIRE(registry.add(file("presets/registries/npu-seed.json"), keys));
  const Workload w = open(file("tests/data/seed.json"), {"seed.json", &registry, &keys});
  Scenario s = Scenario::standard();
  REQUIRE(apply_config(s, R"({"ops_per_mac": 1, "peak_tops": 32.0, "mem_bw": 50.0, "mem_thresh": 40, "comp_thresh": 40})"));
  const Plan plan(w, s);

  const struct {
    double macs, bytes, intensity, tops, utilization, gigabytes_per_s;
    Status status;
  } rows[] = {
      {924844032, 4890624, 189.10552763819095, 1.0880518023529413, 11.507350588235296, 5.753675294117647, Status::memory_inefficient},
      {2048, 16384, 0.125, 0.0009752380952380953, 15.603809523809526, 7.801904761904762, Status::memory_inefficient},
      {924844032, 19562496, 47.27638190954774, 1.0880518023529413, 46.02940235294118, 23.014701176470588, Status::normal},
      {4194304, 16793600, 0.2497560975609756, 0.005930037975506788, 47.48663222573795, 23.74331611286898, Status::normal},
      {16777216, 67149824, 0.2498475051848237, 0.00841123000309332, 67.33091048374604, 33.66545524187302, Status::normal},
      {268435456, 2621440, 102.4, 0.8388608, 16.384, 8.192, Status::memory_inefficient},
      {2415919104, 3407872, 708.9230769230769, 31.998928529801324, 99.99665165562914, 45.13737748344371, Status::compute_bound},
  };
  REQUIRE(w.size() == std::size(rows));
  CHECK(w.diagnostics.empty());
  constexpr double last_digit = 1e-15;
  for (std::size_t i = 0; i < w.size(); ++i) {
    INFO(w.name_of(i));
    const OpAnalysis a = plan.analyze(i);
    CHECK(a.flops / 2 == rows[i].macs);
    CHECK(a.bytes == rows[i].bytes);
    CHECK(a.intensity / 2 == rows[i].intensity);
    CHECK_THAT(a.achieved_flops / 2 / 1e12, WithinRel(rows[i].tops, last_digit));
    CHECK_THAT(a.efficiency * 100, WithinRel(rows[i].utilization, last_digit));
    CHECK_THAT(a.achieved_bandwidth / 1e9, WithinRel(rows[i].gigabytes_per_s, last_digit));
    CHECK(a.status == rows[i].status);
  }
}

TEST_CASE("analysis: a profiler's bounds, with more memories than one", "[analysis]") {
  // 100 TFLOP/s, HBM 1000 GB/s, CMEM 2000 GB/s and VMEM 4000 GB/s in each direction; one second.
  Machine m = round_machine();
  m.matrix = {peak("fp16", 100e12)};
  m.memories = {memory("HBM", 1000e9), memory("CMEM", unknown, 2000e9, 2000e9), memory("VMEM", unknown, 4000e9, 4000e9)};
  const Scenario s = on(m);
  Workload w;
  for (const double flops : {1e14, 1e12, 1e12, 1e12, 1e12, 1e12}) add_row(w, flops, flops == 1e14 ? 1e9 : 1e11, 1);
  w.given_bytes[1] = 1e12;
  w.channels = {{"CMEM Read", false, {unknown, 1e9, 2e12, 1e9, 1e9, 2e11}},
                {"cmem write", false, {unknown, 1e9, 1e9, 2e12, 1e9, 2e11}},
                {"VMEM Read", false, {unknown, 1e9, 1e9, 1e9, unknown, 4e11}},
                {"VMEM Write", false, {unknown, 1e9, 1e9, 1e9, 4e12, 4e11}},
                {"SPMEM", false, {1e15, 1e15, 1e15, 1e15, 1e15, 1e15}}};  // the machine has none: not tested
  const Plan plan(w, s);
  const char* expected[] = {"compute", "HBM", "CMEM Read", "CMEM Write", "VMEM Write", "HBM"};  // the last: HBM and all others tie
  for (std::size_t i = 0; i < w.size(); ++i) {
    INFO(i);
    CHECK(bound(w, s, i) == expected[i]);
  }
  CHECK(plan.resources().size() == 6);
  CHECK(plan.analyze(0).efficiency == 1);
  CHECK(plan.analyze(2).min_time_s[resource(plan, "CMEM Read")] == 1);
  CHECK(plan.analyze(2).work[resource(plan, "VMEM Read")] == 1e9);
  CHECK(std::isnan(plan.analyze(4).min_time_s[resource(plan, "VMEM Read")]));
  CHECK(plan.analyze(2).status == Status::memory_bound);
}

TEST_CASE("analysis: links come last and have statuses of their own", "[analysis]") {
  Machine m = round_machine();
  Link link;
  link.name = "NVLink";
  link.bandwidth.value = 5;
  m.links = {link};
  Workload w;
  add_row(w, 100, 10, 2);
  add_row(w, 100, 10, 10);
  add_row(w, 100, 10, 2);
  w.channels = {{"NVLink", true, {10, 10, 5}}};
  const Scenario s = on(m);
  CHECK(analyzed(w, s, 0).status == Status::link_bound);
  CHECK(analyzed(w, s, 1).status == Status::link_inefficient);
  CHECK(bound(w, s, 2) == "compute");  // a tie of all three
}

TEST_CASE("analysis: a tie goes to the earlier resource", "[analysis]") {
  const Scenario npu = Scenario::standard();  // ridge point 32e12 / 50e9 = 640
  const Workload w = open(
      R"([{"type": "a", "data_type": "FP16", "flops": 640e9, "bytes": 1e9}, {"type": "a", "data_type": "FP16", "flops": 640e9, "bytes": 1000000001},
    {"type": "a", "data_type": "FP16", "flops": 640, "bytes": 1}, {"type": "a", "data_type": "FP16", "flops": 1920, "bytes": 3}, {"type": "a", "data_type": "FP16", "flops": 4480, "bytes": 7}])");
  CHECK(bound(w, npu, 0) == "compute");
  CHECK(bound(w, npu, 1) == "DRAM");
  CHECK(analyzed(w, npu, 0).min_time_s[0] == 0.02);
  CHECK(analyzed(w, npu, 0).min_time_s[1] == 0.02);
  for (const std::size_t i : {2, 3, 4}) CHECK(bound(w, npu, i) == "compute");
}

TEST_CASE("analysis: unknown is not zero", "[analysis]") {
  const Scenario s = on(round_machine());

  SECTION("FLOPs without bytes are judged against compute only") {
    const OpAnalysis a = analyzed(one_row(200, unknown, 4), s);
    CHECK(a.bound_by == 0);
    CHECK(a.predicted_time_s == 2);
    CHECK(a.efficiency == 0.5);
    CHECK(a.partly_known);
    CHECK(a.limit == Limit::unknown);
    CHECK_FALSE(analyzed(one_row(200, unknown, 2.5), s).partly_known);  // they explain the time
    CHECK(analyzed(one_row(200, unknown, unknown), s).partly_known);
    CHECK(std::isnan(a.bytes));
    CHECK(std::isnan(a.intensity));
    CHECK(std::isnan(a.min_time_s[1]));
    CHECK(std::isnan(a.achieved_bandwidth));
  }
  SECTION("bytes without FLOPs have intensity 0 and their bandwidth") {
    const OpAnalysis a = analyzed(one_row(0, 20, 4), s);
    CHECK(a.bound_by == 1);
    CHECK(a.intensity == 0);
    CHECK(a.attainable_flops == 0);
    CHECK(a.min_time_s[0] == 0);
    CHECK(a.achieved_bandwidth == 5);
    CHECK(a.efficiency == 0.5);
  }
  SECTION("neither known: no bound, but the time still counts") {
    const Workload w = one_row(unknown, unknown, 4);
    const OpAnalysis a = analyzed(w, s);
    CHECK(a.bound_by == no_resource);
    CHECK(a.status == Status::unknown);
    CHECK(std::isnan(a.predicted_time_s));
    CHECK(std::isnan(a.efficiency));
    CHECK(std::isnan(a.lost_time_s));
    const Summary total = summarize(Plan(w, s));
    CHECK(total.time_s == 4);
    CHECK(total.judged_time_s == 0);
    CHECK(total.flops == 0);
    CHECK(std::isnan(total.efficiency()));
  }
  SECTION("a memory's bytes are its own: those of the device are not copied to a cache") {
    Machine m = round_machine();
    m.memories.push_back(memory("L2", 1e-3));
    const Workload w = one_row(100, 100, 20);
    const Scenario with_cache = on(m);
    CHECK(bound(w, with_cache) == "HBM");
    CHECK(std::isnan(analyzed(w, with_cache).work[2]));
    CHECK(std::isnan(analyzed(w, with_cache).min_time_s[2]));
  }
  SECTION("a memory without a bandwidth, a machine without a memory") {
    Machine m = round_machine();
    m.memories[0].bandwidth.value = unknown;
    CHECK(bound(one_row(100, 1e6, 20), on(m)) == "compute");
    CHECK(bound(one_row(0, 1e6, 20), on(m)).empty());
    m.memories.clear();
    CHECK(bound(one_row(100, 1e6, 20), on(m)) == "compute");
  }
  SECTION("a format without a peak") {
    const Workload w = one_row(1e6, 10, 20, "fp64");
    Machine m = round_machine();
    m.matrix = m.vector = {peak("int4", 100)};
    CHECK(bound(w, on(m)) == "HBM");
    CHECK(std::isnan(analyzed(w, on(m)).min_time_s[0]));
    CHECK(analyzed(w, on(m)).compute == no_format);
  }
}

TEST_CASE("analysis: rates only", "[analysis]") {
  // 5 FLOP/byte at 40 FLOP/s, against a roof of min(100, 5 * 10) = 50 FLOP/s.
  Workload w;
  add_row(w, 5, 1, 5.0 / 40);
  w.classes[0].rates_only = true;
  add_row(w, 100, 10, 2);
  const Scenario s = on(round_machine());
  const OpAnalysis a = analyzed(w, s);
  CHECK(a.rates_only);
  CHECK(a.intensity == 5);
  CHECK(a.achieved_flops == 40);
  CHECK_THAT(a.attainable_flops, WithinRel(50, 1e-15));
  CHECK_THAT(a.efficiency, WithinRel(0.8, 1e-15));
  CHECK(a.bound_by == 1);
  CHECK(a.status == Status::memory_bound);
  for (const double v : {a.flops, a.bytes, a.derived_bytes, a.predicted_time_s, a.typical_time_s, a.time_s, a.self_time_s, a.lost_time_s,
                         a.work[0], a.min_time_s[1]})
    CHECK(std::isnan(v));
  const Summary total = summarize(Plan(w, s));
  CHECK(total.ops == 2);
  CHECK(total.rates_only == 1);
  CHECK(total.flops == 100);
  CHECK(total.bytes == 10);
  CHECK(total.time_s == 2);
  CHECK(total.judged_time_s == 2);
  CHECK(total.predicted_time_s == 1);
  CHECK(total.by_status[static_cast<std::size_t>(Status::memory_bound)] == 1);
}

TEST_CASE("analysis: total time for rates, self time for sums", "[analysis]") {
  Workload w;
  add_row(w, 100, 10, 4);
  add_row(w, 100, 5, 2);
  w.self_time_s = {1.5, 2};
  const Scenario s = on(round_machine());
  const OpAnalysis a = analyzed(w, s);
  CHECK(a.achieved_flops == 25);
  CHECK(a.efficiency == 0.25);
  CHECK(a.time_s == 4);
  CHECK(a.self_time_s == 1.5);
  CHECK(summarize(Plan(w, s)).time_s == 3.5);
}

TEST_CASE("analysis: a device memory with two channels", "[analysis]") {
  Machine m = round_machine();
  m.memories = {memory("DDR", unknown, 40, 10)};
  const Scenario s = on(m);
  // FP16: 10 + 30 elements read, 15 written.
  const Workload w = open(
      R"([{"type": "linear", "data_type": "FP16", "m": 3, "n": 1, "k": 10}, {"type": "linear", "data_type": "FP16", "m": 3, "n": 1, "k": 10, "hw_bytes": 172}])");
  REQUIRE(w.diagnostics.empty());
  const Plan plan(w, s);
  const OpAnalysis a = plan.analyze(0);
  CHECK(plan.resources()[1].name == "DDR Read");
  CHECK(plan.resources()[2].name == "DDR Write");
  CHECK(a.bytes == 2 * (10 + 30 + 3));
  CHECK(a.work[1] == 80);
  CHECK(a.work[2] == 6);
  CHECK(a.min_time_s[1] == 2);
  CHECK(a.min_time_s[2] == 0.6);
  CHECK(bound(w, s) == "DDR Read");
  const OpAnalysis measured = plan.analyze(1);  // measured bytes are split as derived ones are
  CHECK(measured.bytes == 172);
  CHECK(measured.work[1] == 160);
  CHECK(measured.min_time_s[1] == 4);
}

TEST_CASE("analysis: the memory that bounds an operation may have two channels", "[analysis]") {
  Machine m = round_machine();
  m.memories = {memory("DDR", unknown, 40, 10), memory("SRAM", 1000)};
  Workload w = open(R"([{"type": "linear", "data_type": "FP16", "m": 3, "n": 1, "k": 10}])");
  w.channels = {{"SRAM", false, {100}}};
  const Scenario s = on(m);
  const Plan plan(w, s);
  REQUIRE(plan.analyze(0).bound_by == 1);  // DDR Read: 80 B at 40 B/s; the SRAM takes 0.1 s
  FrameRequest request;
  request.axis = bottleneck_axis;
  CHECK_THAT(make_frame(plan, request).intensity[0], WithinRel(plan.analyze(0).flops / 86, 1e-6));
}

TEST_CASE("analysis: a time of 0 is shorter than its clock resolves, not above the roof", "[analysis]") {
  const Workload w = open("name,flops,bytes,time_us\na,1000,10,0\nb,1000,10,1e9\n");
  REQUIRE(w.size() == 2);
  const Scenario s = on(round_machine());
  const Plan plan(w, s);
  const Summary total = summarize(plan);
  CHECK(total.timed_ops == 1);
  CHECK(total.above_roof == 0);
  CHECK(total.far_above == 0);
  for (const std::uint8_t flags : make_frame(plan, {}).flags) CHECK((flags & point_flag::above_roof) == 0);
  for (const Status status : {Status::compute_bound, Status::memory_bound, Status::link_bound}) CHECK(total.shown_as(status) <= w.size());
}

TEST_CASE("analysis: matrix work and vector work", "[analysis]") {
  const Workload w = open(
      R"([{"type": "ID_MM", "data_type": "FP16", "input_mat1": [10, 10], "input_mat2": [10, 10]}, {"type": "ID_MUL", "data_type": "FP16", "input_self": [1000], "input_other": [1]},
    {"type": "attention", "data_type": "FP16", "heads": 1, "head_dim": 1, "query_length": 10, "context": 10}])");
  Scenario s = on(round_machine());
  s.machine.memories[0].bandwidth.value = 1e12;
  CHECK(analyzed(w, s, 0).bound_unit == Unit::matrix);
  CHECK(analyzed(w, s, 0).predicted_time_s == 20);
  CHECK_FALSE(analyzed(w, s, 0).vector_on_matrix_peak);
  CHECK(analyzed(w, s, 1).bound_unit == Unit::vector);
  CHECK(analyzed(w, s, 1).predicted_time_s == 100);
  // 400 matrix FLOPs in 4 s beside 500 vector FLOPs in 50 s: the units work at the same time.
  CHECK(analyzed(w, s, 2).flops == 900);
  CHECK(analyzed(w, s, 2).predicted_time_s == 50);
  CHECK(analyzed(w, s, 2).bound_unit == Unit::vector);
  CHECK(analyzed(w, s, 2).bound_by == 0);

  s.machine.vector.clear();
  CHECK(analyzed(w, s, 1).predicted_time_s == 10);
  CHECK(analyzed(w, s, 1).vector_on_matrix_peak);
  CHECK_FALSE(analyzed(w, s, 0).vector_on_matrix_peak);
}

TEST_CASE("analysis: the format an operation computes as", "[analysis]") {
  const Machine& h100 = *Machines::presets().find("h100-sxm");
  std::string wanted;
  // The activations decide where the weight is no wider and of the same family, or fits into them.
  CHECK(compute(h100, Unit::matrix, "fp16", "int4", &wanted) == "fp16");
  CHECK(wanted == "fp16");
  CHECK(compute(h100, Unit::matrix, "fp16", "int4_g128") == "fp16");
  CHECK(compute(h100, Unit::matrix, "fp16", "fp8_e4m3") == "fp16");
  CHECK(compute(h100, Unit::matrix, "int8", "int4") == "int8");
  CHECK(compute(h100, Unit::matrix, "bf16", nullptr) == "bf16");
  // Otherwise the narrowest format of the machine that holds both.
  CHECK(compute(with_peaks({"fp32", "fp16", "fp8_e4m3", "int8"}), Unit::matrix, "int8", "fp8_e4m3", &wanted) == "fp16");
  CHECK(wanted == "fp16");
  CHECK(compute(with_peaks({"fp32", "fp8_e4m3", "int8"}), Unit::matrix, "int8", "fp8_e4m3", &wanted) == "fp32");
  CHECK(compute(h100, Unit::matrix, "fp8_e4m3", "fp16") == "fp16");
  CHECK(compute(h100, Unit::matrix, "bf16", "fp16", &wanted) == "bf16");  // neither holds the other; the weight is no wider
  CHECK(compute(with_peaks({"fp32", "fp16"}), Unit::matrix, "int8", "int16") == "fp32");
  // A format that the machine lacks falls back along its own chain.
  CHECK(compute(h100, Unit::matrix, "int4", "int4", &wanted) == "int8");
  CHECK(wanted == "int4");
  CHECK(compute(h100, Unit::matrix, "mxfp4", nullptr) == "fp8_e4m3");
  CHECK(compute(with_peaks({"fp16", "fp32"}), Unit::matrix, "mxfp4", nullptr) == "fp16");
  CHECK(compute(with_peaks({"fp16"}), Unit::matrix, "int8", nullptr) == "fp16");
  CHECK(compute(with_peaks({"fp32"}), Unit::matrix, "int4", nullptr) == "fp32");
  CHECK(compute(with_peaks({"int8"}), Unit::matrix, "fp16", nullptr) == "none");
  CHECK(compute(h100, Unit::vector, "int8", nullptr) == "fp16");

  const Workload w = open(
      R"([{"type": "linear", "data_type": "INT4", "m": 8, "n": 8, "k": 8}, {"type": "attention", "data_type": "FP8", "kv_type": "FP16", "heads": 1, "head_dim": 8, "query_length": 1, "context": 8}])");
  const Scenario s = on(h100);
  CHECK(analyzed(w, s, 0).compute == format("int8"));
  CHECK(analyzed(w, s, 0).compute_fallback);
  CHECK(analyzed(w, s, 0).bytes == 3 * 64 * 0.5);  // stored as INT4 all the same
  // Attention pairs the activations with the KV cache.
  CHECK(Plan(w, s).rates(w.op_class[1]).compute == format("fp16"));
  CHECK_FALSE(analyzed(w, s, 1).compute_fallback);
}

TEST_CASE("analysis: block formats cost their scales", "[analysis]") {
  const Workload w =
      open(R"([{"type": "linear", "data_type": "FP16", "weight_type": "INT4_G128", "output_type": "FP32", "m": 1, "n": 256, "k": 128}])");
  CHECK(analyzed(w, on(round_machine())).bytes == 128 * 256 * 4.125 / 8 + 128 * 2 + 256 * 4);
}

TEST_CASE("analysis: a what-if in formats scales elements by role", "[analysis]") {
  // INT8: 32 weights, 4 activations, 8 outputs; 64 FLOPs.
  const std::string op = R"({"type": "linear", "data_type": "INT8", "m": 1, "n": 8, "k": 4)";
  const Workload w = open(
      "[" + op + "}," + op +
      R"(, "hw_bytes": 1000},{"type": "x", "data_type": "FP16", "flops": 10, "bytes": 1000},{"type": "x", "flops": 10, "bytes": 1000}, )" +
      op + R"(, "bytes": 88}])");
  Machine m = round_machine();
  m.matrix = {peak("int8", 100)};
  Scenario s = on(m);

  SECTION("weights alone") {
    s.whatif = weights_in_int4;
    const Plan plan(w, s);
    CHECK(plan.has_whatif());
    CHECK(plan.analyze(0).bytes == 44);
    CHECK(plan.what_if(0).bytes == 28);
    CHECK(plan.what_if(0).flops == 64);
    CHECK_THAT(plan.what_if(0).speedup_optimistic, WithinRel(44.0 / 28, 1e-15));
    CHECK_FALSE(plan.what_if(0).upper_bound);
    // Measured bytes scale by derived' / derived, stated ones too.
    CHECK(plan.analyze(1).bytes == 1000);
    CHECK(plan.analyze(1).hw_bytes == 1000);
    CHECK(plan.analyze(1).derived_bytes == 44);
    CHECK_THAT(plan.what_if(1).bytes, WithinRel(1000 * 28.0 / 44, 1e-15));
    CHECK(plan.analyze(4).bytes == 88);
    CHECK(std::isnan(plan.analyze(4).hw_bytes));
    CHECK_THAT(plan.what_if(4).bytes, WithinRel(56, 1e-15));
  }
  SECTION("bytes without roles scale as a whole: an upper bound") {
    s.whatif = weights_in_int4;
    const OpWhatIf then = Plan(w, s).what_if(2);
    CHECK(then.bytes == 250);
    CHECK(then.upper_bound);
    CHECK(Plan(w, s).what_if(3).bytes == 1000);  // without a format there is nothing to scale by
    CHECK(Plan(w, s).what_if(3).upper_bound);
  }
  SECTION("each role takes its own format; a role that an op lacks stays away") {
    s.whatif.activation = format("fp16");
    s.whatif.output = format("fp32");
    s.whatif.kv = format("fp16");
    CHECK(Plan(w, s).what_if(0).bytes == 32 + 4 * 2 + 8 * 4);
  }
  SECTION("none: no what-if") {
    const Plan plan(w, s);
    CHECK_FALSE(plan.has_whatif());
    CHECK(std::isnan(plan.what_if(0).bytes));
    CHECK(plan.what_if(0).bound_by == no_resource);
  }
}

TEST_CASE("analysis: a larger batch scales all but the weights", "[analysis]") {
  const Workload w = open(R"([{"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4},
    {"type": "attention", "data_type": "FP16", "kv_type": "FP8", "heads": 2, "head_dim": 4, "query_length": 1, "context": 8}])");
  Scenario s = on(round_machine());
  s.whatif.batch_scale = 8;
  const Plan plan(w, s);
  CHECK(plan.what_if(0).flops == 8 * 64);
  CHECK(plan.what_if(0).bytes == 2 * (32 + 8 * (4 + 8)));
  CHECK(plan.what_if(1).bytes == 8 * plan.analyze(1).bytes);
  CHECK(plan.analyze(1).bytes == 2 * 8 + 1 * 2 * 8 * 8 + 2 * 8);
}

TEST_CASE("analysis: a what-if in rates", "[analysis]") {
  const Workload w = one_row(1000, 50, 20);  // compute 10 s, memory 5 s
  Scenario s = on(round_machine());
  s.whatif.peak_scale = 4;
  CHECK(Plan(w, s).what_if(0).predicted_time_s == 5);
  CHECK(Plan(w, s).what_if(0).bound_by == 1);
  s.whatif.bandwidth_scale = 2;
  CHECK(Plan(w, s).what_if(0).predicted_time_s == 2.5);
  CHECK(Plan(w, s).what_if(0).bound_by == 0);
  Machine other = round_machine();
  other.matrix = {peak("fp16", 1000)};
  other.memories = {memory("GDDR", 5)};
  s.whatif = {};
  s.whatif.machine = other;
  CHECK(Plan(w, s).what_if(0).predicted_time_s == 10);  // the device memory by place, not by name
  CHECK(Plan(w, s).what_if(0).bound_by == 1);
}

TEST_CASE("analysis: the range of a what-if", "[analysis]") {
  // P = 4 s today, P' = 1 s.
  Scenario s = on(round_machine());
  s.whatif = weights_in_int4;
  const auto speedup = [&](double time) { return Plan(one_row(10, 40, time), s).what_if(0); };
  CHECK(speedup(10).speedup_optimistic == 4);
  CHECK_THAT(speedup(10).speedup_pessimistic, WithinRel(10.0 / 7, 1e-15));  // the 6 s above the bound stay
  CHECK(speedup(4).speedup_optimistic == 4);
  CHECK(speedup(4).speedup_pessimistic == 4);
  CHECK(speedup(unknown).speedup_optimistic == 4);
  CHECK(speedup(unknown).speedup_pessimistic == 4);
  CHECK(speedup(2).speedup_pessimistic == 2);  // faster than today's roof allows: it lands on the new one
  CHECK(speedup(2).speedup.low == 4);          // no overhead is left that could stay
  CHECK(speedup(2).speedup.high == 4);
  s.whatif.weight = format("fp32");  // a slower format: the ends change places
  CHECK(speedup(10).speedup_optimistic > speedup(10).speedup_pessimistic);
  CHECK_THAT(speedup(10).speedup_pessimistic, WithinRel(0.5, 1e-15));
  CHECK_THAT(speedup(10).speedup_optimistic, WithinRel(10.0 / 14, 1e-15));
  CHECK(speedup(10).speedup.low == speedup(10).speedup_pessimistic);
  CHECK(speedup(10).speedup.high == speedup(10).speedup_optimistic);

  SECTION("of the estimate where no time is known") {
    s.whatif = weights_in_int4;
    s.machine.achievable_bandwidth.value = 0.5;  // 8 s for a bound of 4
    const OpWhatIf w = speedup(unknown);
    CHECK_THAT(w.speedup.low, WithinRel(8.0 / (4 + 1), 1e-12));
    CHECK_THAT(w.speedup.high, WithinRel(4.0, 1e-12));
    CHECK(w.speedup_pessimistic == 4);
  }
  SECTION("of a larger batch, per item") {
    Workload w = open(R"([{"type": "linear", "data_type": "FP16", "m": 1, "n": 8, "k": 4}])");
    s.whatif = {};
    s.whatif.batch_scale = 8;
    const double bound = 2 * (32 + 4 + 8), then = 2 * (32 + 8 * (4 + 8)) / 8.0;  // bytes, by item: weights are read once
    w.time_s = {200 / 10.0};
    const OpWhatIf measured = Plan(w, s).what_if(0);
    CHECK_THAT(measured.speedup.low, WithinRel(200 / (200 - bound + then), 1e-12));
    CHECK_THAT(measured.speedup.high, WithinRel(bound / then, 1e-12));
    const Plan plan(w, s);
    const WhatIfOutcome outcome = whatif_outcome(plan, summarize(plan));
    CHECK(outcome.per_item);
    CHECK_THAT(outcome.speedup.low, WithinRel(measured.speedup.low, 1e-12));
    CHECK_THAT(outcome.speedup.high, WithinRel(measured.speedup.high, 1e-12));
    CHECK_THAT(outcome.today_s, WithinRel(20.0, 1e-12));
    CHECK_THAT(outcome.then_s.low, WithinRel(20 * then / bound, 1e-12));
    CHECK_THAT(outcome.then_s.high, WithinRel((200 - bound + then) / 10, 1e-12));
  }

  s.whatif = weights_in_int4;
  Workload w;
  add_row(w, 10, 40, 10);
  add_row(w, 10, 40, unknown);
  const Summary total = summarize(Plan(w, s));
  CHECK(total.whatif_predicted_s == 2);
  CHECK(total.whatif_measured.efficient_s == 2.5);
  CHECK(total.whatif_measured.overhead_s == 7);
  CHECK((total.whatif_times().low == 2.5 && total.whatif_times().high == 7));

  SECTION("if the what-if is slower, the low end is still the shorter time") {
    s.whatif = {};
    s.whatif.bandwidth_scale = 0.5;
    const Summary longer = summarize(Plan(w, s));
    CHECK((longer.whatif_measured.efficient_s == 20 && longer.whatif_measured.overhead_s == 14));
    CHECK((longer.whatif_times().low == 14 && longer.whatif_times().high == 20));
    CHECK((longer.whatif_speedup().high == 10.0 / 14 && longer.whatif_speedup().low == 0.5));
  }

  SECTION("of estimates, operation by operation") {
    s.whatif = weights_in_int4;
    s.machine.achievable_compute.value = 0.25;
    s.machine.achievable_bandwidth.value = 0.5;
    Workload mixed;
    add_row(mixed, 10, 40, unknown);   // by its bytes: 4 s, estimated as 8
    add_row(mixed, 300, 40, unknown);  // by its bytes, too; its FLOPs make the estimate: 3 s / 0.25
    mixed.time_s.clear();
    const Plan plan(mixed, s);
    Range then{0, 0};
    double today = 0;
    for (std::uint32_t op = 0; op < 2; ++op) {
      const OpAnalysis a = plan.analyze(op);
      today += a.typical_time_s;
      const Range of_op = whatif_times(a.typical_time_s, a.predicted_time_s, plan.what_if(op).predicted_time_s);
      then.low += of_op.low;
      then.high += of_op.high;
    }
    REQUIRE(today == 20);
    const WhatIfOutcome outcome = whatif_outcome(plan, summarize(plan));
    CHECK_THAT(outcome.today_s, WithinRel(today, 1e-12));
    CHECK_THAT(outcome.then_s.low, WithinRel(then.low, 1e-12));
    CHECK_THAT(outcome.then_s.high, WithinRel(then.high, 1e-12));
  }
  SECTION("of a run on another machine, by the estimate") {
    s.machine.achievable_bandwidth.value = 0.5;
    w.time_s = {1, unknown};  // 4 s at the roof
    const Plan plan(w, s);
    REQUIRE(summarize(plan).machine_mismatch());
    const WhatIfOutcome outcome = whatif_outcome(plan, make_frame(plan, {}).shown);
    CHECK_THAT(outcome.today_s, WithinRel(16.0, 1e-12));  // two operations of 8 s
    CHECK_THAT(outcome.speedup.low, WithinRel(16.0 / (16 - 8 + 2), 1e-12));
    CHECK_THAT(outcome.speedup.high, WithinRel(4.0, 1e-12));
  }
}

TEST_CASE("analysis: typical time and latency", "[analysis]") {
  Machine m = round_machine();
  m.achievable_compute.value = 0.5;
  m.achievable_bandwidth.value = 0.8;
  m.launch_s.value = 3;
  const Scenario s = on(m);
  CHECK(analyzed(one_row(1000, 50, unknown), s).typical_time_s == 10 / 0.5 + 3);
  CHECK(analyzed(one_row(10, 80, unknown), s).typical_time_s == 8 / 0.8 + 3);
  CHECK(analyzed(one_row(10, 80, unknown), on(round_machine())).typical_time_s == 8);

  // The work takes 2 s, launching it 3 s.
  CHECK(analyzed(one_row(10, 20, 6), s).status == Status::latency_bound);
  CHECK(analyzed(one_row(10, 20, 100), s).status == Status::memory_inefficient);  // launching does not explain the time
  CHECK(analyzed(one_row(10, 20, 2), s).status == Status::memory_bound);
  CHECK(analyzed(one_row(10, 40, 9), s).status == Status::normal);  // 4 s of work
  Workload w = one_row(10, 20, 6);
  w.count = {4};  // four launches: 12 s
  CHECK(analyzed(w, s).typical_time_s == 2 / 0.8 + 12);
}

TEST_CASE("analysis: work without a rate may take longer than what is known", "[analysis]") {
  const Scenario s = on(with_peaks({"int8"}));
  const OpAnalysis a = analyzed(one_row(1000, 20, 4, "fp32"), s);
  CHECK(a.predicted_time_s == 2);  // by its bytes alone
  CHECK(a.partly_known);
  CHECK(a.limit == Limit::unknown);
  CHECK_FALSE(analyzed(one_row(1000, 20, 2.5, "fp32"), s).partly_known);  // its bytes explain the time
  CHECK_FALSE(analyzed(one_row(0, 20, 4, "fp32"), s).partly_known);       // nothing to compute
  CHECK(analyzed(one_row(1000, 20, unknown, "fp32"), s).partly_known);
  CHECK(std::isnan(analyzed(one_row(1000, 20, unknown, "fp32"), s).typical_time_s));
  const Workload w = one_row(1000, 20, unknown, "fp32");
  const Plan plan(w, s);
  CHECK(summarize(OpSet(plan)).mostly_partly_known());
  CHECK(headline(OpSet(plan)).text() == "What limits 1 op is unknown: round has no known rate for FP32; it computes INT8.");
}

TEST_CASE("analysis: statuses, in their order and strictly", "[analysis]") {
  Scenario s = on(round_machine());
  s.bound_threshold = 0.75;
  s.memory_threshold = 0.25;
  s.compute_threshold = 0.5;
  const auto status = [&](double flops, double bytes, double time) { return analyzed(one_row(flops, bytes, time), s).status; };
  // 3 s on memory
  CHECK(status(10, 30, 3.9) == Status::memory_bound);
  CHECK(status(10, 30, 4) == Status::normal);  // exactly at the threshold
  CHECK(status(10, 30, 12) == Status::normal);
  CHECK(status(10, 30, 12.1) == Status::memory_inefficient);
  CHECK(status(10, 30, 1) == Status::memory_bound);
  // 3 s of compute
  CHECK(status(300, 10, 3.9) == Status::compute_bound);
  CHECK(status(300, 10, 4) == Status::normal);
  CHECK(status(300, 10, 6) == Status::normal);
  CHECK(status(300, 10, 6.1) == Status::compute_inefficient);
  CHECK(status(300, 10, unknown) == Status::predicted);
  CHECK(status(unknown, unknown, 1) == Status::unknown);
  CHECK(status(0, 0, 1) == Status::unknown);
  // Where both hold, bound comes first.
  s.bound_threshold = 0.2;
  CHECK(status(300, 10, 10) == Status::compute_bound);
}

TEST_CASE("analysis: above the roof is shown, not clamped", "[analysis]") {
  const Workload w = one_row(1000, 10, 0.5);  // 10 s at the roof
  const Scenario s = on(round_machine());
  const OpAnalysis a = analyzed(w, s);
  CHECK(a.efficiency == 20);
  CHECK(a.achieved_flops == 2000);
  CHECK(a.lost_time_s == -9.5);
  CHECK(a.status == Status::compute_bound);
  const Summary total = summarize(Plan(w, s));
  CHECK(total.above_roof == 1);
  CHECK(total.efficiency() == 20);
  CHECK(total.lost_time_s == 0);        // nothing is lost: it is counted, not netted
  CHECK(total.below_bound_s() == 9.5);  // 0.5 s of time = 10 s of bound + 0 above it - 9.5 below it
  CHECK(total.far_above == 1);
  CHECK(total.machine_mismatch());
}

TEST_CASE("analysis: an operation's attainable rate is its longer unit's, and never above that unit's peak", "[analysis]") {
  const Scenario s = on(round_machine());  // 100 FLOP/s matrix, 10 vector, 10 B/s
  Workload w = one_row(1000, 10, 20);      // 10 s on the matrix unit
  w.vector_flops = {50};                   // 5 s on the vector unit meanwhile
  w.classes[0].vector_work = true;
  OpAnalysis a = analyzed(w, s);
  CHECK(a.bound_unit == Unit::matrix);
  CHECK(a.attainable_flops == 100);  // not 105
  CHECK(a.achieved_flops == 52.5);
  CHECK(a.efficiency == 0.5);
  w.vector_flops = {200};  // 20 s
  a = analyzed(w, s);
  CHECK(a.bound_unit == Unit::vector);
  CHECK(a.attainable_flops == 10);
  w.given_bytes = {400};  // 40 s: memory bounds, and the vector unit does 200 FLOPs in them
  w.activation = {200};
  CHECK(analyzed(w, s).attainable_flops == 5);
  w.time_s = {unknown};  // a point that is predicted stands on its roof
  w.given_bytes = {10}, w.activation = {5};
  CHECK(make_frame(Plan(w, s), {}).attained.at(0) == 10);
}

TEST_CASE("analysis: totals sum the ops' own bounds", "[analysis]") {
  Workload w;
  add_row(w, 1000, 10, 20);         // compute, 10 s
  add_row(w, 10, 60, 10);           // memory, 6 s
  add_row(w, 10, 70, unknown);      // memory, 7 s
  add_row(w, unknown, unknown, 5);  // nothing known
  const Scenario s = on(round_machine());
  const Summary total = summarize(Plan(w, s));
  CHECK(total.ops == 4);
  CHECK(total.timed_ops == 3);
  CHECK(total.flops == 1020);
  CHECK(total.bytes == 140);
  CHECK(total.predicted_time_s == 23);
  CHECK(total.time_s == 35);
  CHECK(total.judged_time_s == 30);
  CHECK(total.judged_predicted_s == 16);
  CHECK(total.lost_time_s == 14);
  CHECK(total.below_bound_s() == 0);
  CHECK_FALSE(total.machine_mismatch());
  CHECK(total.efficiency() == 16.0 / 30);
  CHECK(total.bound_by == 1);  // 13 s of the predicted time against 10
  CHECK(total.by_bound == std::vector<std::size_t>{1, 2});
  CHECK(total.predicted_by_bound == std::vector<double>{10, 13});
  CHECK(total.by_status[static_cast<std::size_t>(Status::normal)] == 2);
  CHECK(total.by_status[static_cast<std::size_t>(Status::predicted)] == 1);
  CHECK(total.by_status[static_cast<std::size_t>(Status::unknown)] == 1);
  CHECK(total.time_by_status[static_cast<std::size_t>(Status::unknown)] == 5);

  const Workload none;
  const Summary empty = summarize(Plan(none, s));
  CHECK(empty.ops == 0);
  CHECK(empty.bound_by == no_resource);
  CHECK(std::isnan(empty.efficiency()));
}

TEST_CASE("analysis: counts are in the work already", "[analysis]") {
  const std::string op = R"({"type": "ID_MM", "data_type": "FP16", "input_mat1": [4, 5], "input_mat2": [5, 6], "time_ns": 1e10)";
  const Workload w = open("[" + op + "}," + op + ", \"count\": 7}]");
  const Scenario s = on(round_machine());
  const OpAnalysis once = analyzed(w, s, 0), often = analyzed(w, s, 1);
  CHECK(often.flops == 7 * once.flops);
  CHECK(often.bytes == 7 * once.bytes);
  CHECK(often.time_s == 70);
  CHECK(often.intensity == once.intensity);
  CHECK(often.achieved_flops == once.achieved_flops);
  CHECK_THAT(often.efficiency, WithinRel(once.efficiency, 1e-15));
}

TEST_CASE("frame: a point is near its bound where a roof explains its time", "[frame]") {
  Machine m = round_machine();
  m.launch_s.value = 3;
  const Scenario s = on(m);
  const auto near = [&](double time_s) {
    const Workload w = one_row(10, 20, time_s);
    return (make_frame(Plan(w, s), {}).flags.at(0) & point_flag::near_bound) != 0;
  };
  CHECK(near(2));   // as long as the memory takes
  CHECK(!near(6));  // launching takes 3 s more: a third of the time is the roof's, so that it still is the limit
  CHECK(!near(100));
}
