// Typical time, term by term, and what was measured beside it.
#include <cmath>
#include <roofline/calculator/calculator.hpp>

#include "analysis/slice.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Workload operation(const char* type, const char* parameters, const char* formats) {
  const auto calculation =
      parse_calculation("{\"type\": \"" + std::string(type) + "\", \"parameters\": " + parameters + ", \"formats\": " + formats + "}");
  INFO((calculation ? std::string() : calculation.error().text()));
  REQUIRE(calculation);
  auto workload = workload_of(*calculation);
  INFO((workload ? std::string() : workload.error().text()));
  REQUIRE(workload);
  return std::move(*workload);
}

Scenario on_preset(const char* id, std::initializer_list<std::pair<const char*, const char*>> settings = {}) {
  Scenario s;
  REQUIRE(set(s, "machine", id));
  REQUIRE(set(s, "stack", "none"));
  for (const auto& [key, value] : settings) {
    const auto ok = set(s, key, value);
    INFO((ok ? std::string() : ok.error().text()));
    REQUIRE(ok);
  }
  return s;
}

std::string cube(double n) {
  const std::string text = std::to_string(static_cast<int>(n));
  return R"({"m": )" + text + R"(, "n": )" + text + R"(, "k": )" + text + "}";
}

}  // namespace

TEST_CASE("typical: a typed fraction replaces the machine's and the stack's", "[typical]") {
  const Workload w = operation("gemm", cube(4096).c_str(), R"(["fp16"])");
  const Scenario preset = on_preset("a100-80gb-sxm", {{"stack", "kernels"}});
  const FormatId fp16 = *Formats::catalogue().find("fp16");
  const Plan usual(w, preset);
  CHECK_THAT(usual.reached(Unit::matrix, fp16),
             WithinRel(preset.machine.achievable(Unit::matrix, fp16).value * *preset.terms_for(StackUse::operations).compute, 1e-12));
  const Scenario by_hand = on_preset("a100-80gb-sxm", {{"stack", "kernels"}, {"overhead.compute", "50"}, {"overhead.bandwidth", "40"}});
  const Plan typed(w, by_hand);
  CHECK(typed.reached(Unit::matrix, fp16) == 0.5);
  CHECK(typed.reached_bandwidth() == 0.4);
  // A typed fraction of the stack multiplies it.
  const Scenario with_stack = on_preset("a100-80gb-sxm", {{"stack", "kernels"}, {"overhead.compute", "50"}, {"estimate.compute", "80"}});
  const Plan both(w, with_stack);
  CHECK(both.reached(Unit::matrix, fp16) == 0.4);
}

// openxla/xla#40680: INT8 over FP16 (FP32 accumulation) on an RTX 3080, products of n x n matrices, torch._int_mm.
TEST_CASE("typical: a published comparison of predicted and measured INT8 speed-ups", "[typical]") {
  struct Row {
    double n, xla, measured;
  };
  for (const Row& row : {Row{64, 2.01, 0.98}, Row{128, 2.03, 0.87}, Row{512, 3.91, 0.58}, Row{1024, 3.95, 2.09}, Row{2048, 3.97, 2.30},
                         Row{4096, 3.99, 2.75}}) {
    INFO(row.n);
    const Workload w = operation("gemm", cube(row.n).c_str(), R"(["fp16", "int8"])");
    // The bound: twice fewer bytes below the ridge points, four times the rate above them.
    const Scenario ours = on_preset("rtx-3080", {{"overhead.network", "fp16"}, {"overhead.launch_us", "5"}});
    const FormatComparison c = compare_formats(Plan(w, ours), 0)[1];
    CHECK(c.speedup == Approx(row.n <= 128 ? 2 : 4).epsilon(1e-12));
    // XLA's own model is this one with 95% overlap and nothing else: its predictions come out.
    const Scenario xla = on_preset("rtx-3080", {{"overhead.overlap", "95"}, {"overhead.bandwidth", "100"}});
    CHECK(compare_formats(Plan(w, xla), 0)[1].typical_speedup == Approx(row.xla).margin(0.01));
    // What was measured lies between conversions in kernels of their own and fused ones.
    CHECK(c.typical_speedup <= row.measured * 1.03);
    CHECK(c.fused_speedup >= row.measured);
    CHECK(c.fused_speedup < c.speedup);
  }
}

TEST_CASE("typical: each term", "[typical]") {
  // 2 * 64 * 64 * 640 FLOPs; 64 * 640 + 640 * 64 + 64 * 64 elements of 2 bytes: 52428.8 s at 100 FLOP/s, 17203.2 s at 10 B/s.
  const Workload w = operation("gemm", R"({"m": 64, "n": 64, "k": 640})", R"(["fp16"])");
  Scenario s = on(round_machine());
  const auto typical = [&] {
    s.resolve();
    return Plan(w, s).analyze(0);
  };
  CHECK(typical().typical_time_s == 52428.8);
  CHECK(typical().typical.transfer_s == 17203.2);
  CHECK(typical().typical.exposed_s == 0);
  CHECK(typical().typical.launch_s == 0);
  CHECK(typical().typical.conversion_s == 0);
  CHECK(std::isnan(typical().typical.waves));

  s.overhead.compute = 0.5;
  s.overhead.bandwidth = 0.25;
  CHECK(typical().typical.compute_s == 104857.6);
  CHECK(typical().typical.transfer_s == 68812.8);
  s.overhead.overlap = 0.75;
  CHECK(typical().typical.exposed_s == 68812.8 / 4);
  s.overhead.launch_s = 7;
  CHECK(typical().typical_time_s == 104857.6 + 68812.8 / 4 + 7);
  CHECK(typical().predicted_time_s == 52428.8);  // the bound knows none of this
  CHECK(typical().status == Status::predicted);
}

TEST_CASE("typical: conversions where the network is wider than the operation", "[typical]") {
  const Workload w = operation("gemm", R"({"m": 8, "n": 4, "k": 16})", R"(["fp16", "fp8", "int4:fp16"])");
  Machine m = round_machine();
  m.matrix.push_back(peak("fp8", 200));
  m.launch_s.value = 3;
  Scenario s = on(m);
  s.overhead.network = format("fp16");
  const Plan plan(w, s);
  CHECK(plan.analyze(0).typical.conversion_s == 0);  // nothing to convert
  // FP8: 128 activations read as FP16 and written as FP8, 32 sums read as FP32 and written as FP16, two launches.
  CHECK(plan.analyze(1).typical.conversion_s == Approx((128 * 3 + 32 * 6) / 10.0 + 6).epsilon(1e-15));
  CHECK(plan.analyze(1).typical_time_s == plan.analyze(1).typical.fused_time_s + plan.analyze(1).typical.conversion_s);
  CHECK(plan.analyze(2).typical.conversion_s == 0);  // weights only: widened on chip
  s.overhead.accumulator = format("fp16");
  CHECK(Plan(w, s).analyze(1).typical.conversion_s == Approx((128 * 3 + 32 * 4) / 10.0 + 6).epsilon(1e-15));
}

TEST_CASE("typical: a model converts activations of less than 8 bits from BF16", "[typical]") {
  Workload w = operation("gemm", R"({"m": 8, "n": 4, "k": 16})", R"(["nvfp4", "fp8"])");
  Machine m = round_machine();
  m.matrix.push_back(peak("nvfp4", 400));
  m.matrix.push_back(peak("fp8", 200));
  Scenario s = on(m);
  const auto conversion_s = [&](std::size_t op) { return Plan(w, s).analyze(op).typical.conversion_s; };
  CHECK(conversion_s(0) == 0);  // no model
  for (OpClass& kind : w.classes) kind.layer_share = 1;
  CHECK(conversion_s(0) == 0);  // no stack of models
  s.terms.layer_s = 1;
  // 128 activations read as BF16 and written in 4.5 bits, 32 results written as BF16 and not in 4.5 bits, at 10 B/s.
  CHECK(conversion_s(0) == Approx((128 * 2.5625 + 32 * 1.4375) / 10.0).epsilon(1e-15));
  CHECK(conversion_s(1) == 0);  // 8 bits
  s.terms.native = 1;
  CHECK(conversion_s(0) == 0);
}

TEST_CASE("typical: tiles and waves", "[typical]") {
  const auto waves = [](const char* parameters, const char* tile, const char* units, const char* type = "gemm") {
    Scenario s = on(round_machine());
    REQUIRE(set(s, "overhead.tile", tile));
    REQUIRE(set(s, "overhead.units", units));
    const Workload w = operation(type, parameters, R"(["fp16"])");
    return Plan(w, s).analyze(0);
  };
  // 4096 x 4096 in tiles of 128 x 128: 1024 tiles on 108 units, 9.48 rounds, so ten.
  const OpAnalysis full = waves(R"({"m": 4096, "n": 4096, "k": 64})", "128x128", "108");
  CHECK(full.typical.waves == 10);
  CHECK(full.typical.wave_efficiency == 1024.0 / 1080);
  CHECK(full.typical.compute_s == Approx(full.min_time_s[0] * 1080 / 1024).epsilon(1e-12));
  // One row: tiles of 16 x 128, 32 of them in one round.
  const OpAnalysis vector = waves(R"({"m": 1, "n": 4096, "k": 4096})", "128x128", "108");
  CHECK(vector.typical.waves == 1);
  CHECK(vector.typical.wave_efficiency == 4096.0 / (108 * 16 * 128));
  CHECK(waves(R"({"m": 130, "n": 128, "k": 64, "bias": true})", "128x128", "1").typical.waves == 2);
  // Products side by side are not looked at, nor is anything else.
  CHECK(std::isnan(waves(R"({"m": 128, "n": 128, "k": 64, "batch": 8})", "128x128", "1").typical.waves));
  CHECK(std::isnan(waves(R"({"input_shape": [128, 128]})", "128x128", "1", "relu").typical.waves));
}

TEST_CASE("typical: what an operation is shown as changes nothing", "[typical]") {
  Scenario s;
  REQUIRE(set(s, "machine", "a100-80gb-sxm"));
  const auto record = [](const std::string& what) { return "[" + what + R"("data_type": "fp16", "time_ns": 100000}])"; };
  for (const char* what : {R"({"type": "gemm", "m": 512, "n": 512, "k": 2048, )", R"({"type": "softmax", "input_shape": [64, 64], )",
                           R"({"type": "attention", "heads": 8, "head_dim": 64, "query_length": 512, )"}) {
    INFO(what);
    const Workload plain = open(record(what));
    const double time_s = Plan(plain, s).analyze(0).typical_time_s;
    CHECK(time_s > 0);
    for (const std::string label : {"mlp", "matrix product", "attention", "communication", "embedding"}) {
      INFO(label);
      const Workload labelled = open(record(what + ("\"category\": \"" + label + "\", ")));
      CHECK(labelled.class_of(0).category == label);
      CHECK(labelled.class_of(0).family == plain.class_of(0).family);
      CHECK(Plan(labelled, s).analyze(0).typical_time_s == time_s);
    }
  }
}

TEST_CASE("typical: a product's tiles follow from its sizes, whatever its source states beside them", "[typical]") {
  Scenario s;
  REQUIRE(set(s, "machine", "a100-80gb-sxm"));
  const auto waves = [&](const char* text) {
    const Workload w = open(text);
    return Plan(w, s).analyze(0).typical.waves;
  };
  const double plain = waves(R"([{"type": "gemm", "m": 4096, "n": 4000, "k": 512}])");
  CHECK(plain > 1);
  CHECK(waves(R"([{"type": "gemm", "m": 4096, "n": 4000, "k": 512, "flops": 1.678e10}])") == plain);  // rounded
  CHECK(waves(R"([{"type": "gemm", "m": 4096, "n": 4000, "k": 512, "count": 7, "hw_bytes": 1e9}])") == plain);
  CHECK(waves("kernel,M,N,K,gflops,time_us\nmy_gemm_kernel,4096,4000,512,16.78,100\n") == plain);
  CHECK(waves(R"([{"type": "addmm", "input_input": [4096, 4000], "input_mat1": [4096, 512], "input_mat2": [512, 4000]}])") == plain);
}

TEST_CASE("typical: tiles are found once for the same sizes, with the same digits", "[typical]") {
  std::string text = "[";
  for (int i = 0; i < 600; ++i)
    text += std::string(i > 0 ? "," : "") + R"({"type": "gemm", "m": )" + std::to_string(100 + i % 7) + R"(, "n": )" +
            std::to_string(1000 + i % 3) + R"(, "k": 512, "count": )" + std::to_string(1 + i % 5) + R"(, "data_type": ")" +
            (i % 2 == 0 ? "fp16" : "int8") + "\"}";
  const Workload w = open(text + "]");
  CHECK(w.distinct_sizes.size() == 1 + 21);
  Scenario s;
  REQUIRE(set(s, "machine", "a100-80gb-sxm"));
  const Plan plan(w, s);
  for (int pass = 0; pass < 2; ++pass)
    for (std::uint32_t i = 0; i < w.size(); ++i) {
      const Workload one = single_row(w, i);
      REQUIRE(plan.analyze(i).typical_time_s == Plan(one, s).analyze(0).typical_time_s);
    }
}

TEST_CASE("typical: a working set that fits the last cache", "[typical]") {
  const Scenario s = on_preset("rtx-3080");  // 5 MiB of L2
  CHECK(Plan(operation("gemm", cube(1024).c_str(), R"(["int8"])"), s).analyze(0).typical.cache == 1);
  CHECK(Plan(operation("gemm", cube(1024).c_str(), R"(["fp16"])"), s).analyze(0).typical.cache == 0);
  CHECK(Plan(operation("gemm", cube(1024).c_str(), R"(["fp16"])"), on_preset("npu-32t50")).analyze(0).typical.cache == 0);
}

TEST_CASE("typical: by the block as one by one", "[typical]") {
  Workload w;
  for (const char* type : {"gemm", "relu"}) {
    const Workload one = type[0] == 'g' ? operation(type, cube(256).c_str(), R"(["fp16", "int8"])")
                                        : operation(type, R"({"input_shape": [300, 70]})", R"(["fp16", "int8"])");
    for (std::size_t op = 0; op < one.size(); ++op) {
      w.op_class.push_back(static_cast<std::uint32_t>(w.classes.size()));
      w.classes.push_back(one.class_of(op));
      for (const auto column :
           {&Workload::matrix_flops, &Workload::vector_flops, &Workload::weight, &Workload::activation, &Workload::output})
        (w.*column).push_back((one.*column).empty() ? 0 : (one.*column)[op]);
      w.count.push_back(3);
    }
  }
  add_row(w, unknown, unknown, unknown);  // nothing is known of it, so no bound
  w.count.push_back(1);
  for (auto* column : {&w.vector_flops, &w.weight, &w.output}) column->push_back(0);
  w.sizes = {1, 1, 0, 0, 0};
  w.distinct_sizes = {{}, {256, 256, 256, 1}};
  w.given_bytes.clear();
  w.time_s.clear();
  w.channels.push_back({"L2", false, {1e9, 1, unknown, 7, unknown}});
  const auto compare = [&w](const Scenario& s) {
    const Plan plan(w, s);
    Plan::Block block;
    Slicer slicer(w);
    const Plan::Slice& slice = slicer.contiguous(0, w.size());
    plan.evaluate(slice, block);
    std::array<double, Plan::block_size> typical_s;
    plan.typical(slice, block, typical_s.data());
    for (std::size_t op = 0; op < w.size(); ++op) {
      INFO(op);
      const double one = plan.analyze(op).typical_time_s;
      CHECK(typical_s[op] == (known(one) ? one : 0));
    }
  };
  compare(on_preset("rtx-3080"));
  compare(on_preset("rtx-3080", {{"overhead.overlap", "25"}, {"overhead.tile", "128x128"}}));
  compare(on_preset("rtx-3080", {{"overhead.network", "fp16"}, {"overhead.launch_us", "5"}}));
  Machine m = round_machine();
  m.memories[0].bandwidth = {};
  m.memories[0].read_bandwidth.value = 10;
  m.memories[0].write_bandwidth.value = 4;
  m.memories.emplace_back();
  m.memories[1].name = "L2";
  m.memories[1].bandwidth.value = 20;
  compare(on(m));
}

TEST_CASE("typical: settings", "[typical]") {
  Scenario s = on_preset(
      "rtx-3080", {{"overhead.launch_us", "2"}, {"overhead.compute", "50"}, {"overhead.tile", "128x256"}, {"overhead.network", "bf16"}});
  CHECK(s.machine.launch_s.value == 2e-6);
  CHECK(s.machine.achievable_compute.value == 0.5);
  CHECK(s.machine.achievable(Unit::matrix, format("fp16")).value == 0.5);  // in every format
  CHECK(s.machine.achievable_bandwidth == s.base.achievable_bandwidth);    // the preset's own
  Scenario again;
  REQUIRE(apply_config(again, config_json(s)));
  CHECK(again.overhead == s.overhead);
  CHECK(again.machine == s.machine);
  REQUIRE(set(s, "machine", "h100-sxm"));
  CHECK(s.machine.launch_s.value == 2e-6);  // the model stays, whatever the machine
  REQUIRE(set(s, "overhead.launch_us", "null"));
  CHECK_FALSE(s.machine.launch_s.known());  // the preset has none
  s.base.launch_s.value = 3e-6;
  s.resolve();
  CHECK(s.machine.launch_s.value == 3e-6);
  REQUIRE(set(s, "overhead.launch_us", "0"));
  CHECK_FALSE(s.machine.launch_s.known());
  REQUIRE(set(s, "overhead", "null"));
  CHECK(s.overhead == Overhead());

  const auto error = [&](const char* key, const char* value) {
    const auto result = set(s, key, value);
    return result ? std::string() : result.error().text();
  };
  CHECK(error("overhead.launch_us", "-1") == "overhead.launch_us: expected microseconds to launch one kernel, 0 to 1000000, found -1");
  CHECK(error("overhead.compute", "0") == "overhead.compute: expected percent of the peak, from 0.1 to 100, found 0");
  CHECK(error("overhead.tile", "128") == "overhead.tile: expected a tile's rows and columns such as \"128x256\", found 128");
  CHECK(error("overhead.network", "fp15") == "overhead.network: unknown format \"fp15\": did you mean fp16?");
  CHECK(error("overhead.overlp", "1") == "overhead.overlp: unknown setting: did you mean overhead.overlap?");
}

TEST_CASE("typical: no estimate of a kernel is below its bound, where the machine runs above its rated clock, too", "[typical]") {
  const Workload w = operation("conv", R"({"input_shape": [64, 512, 128, 128], "output_channels": 512, "kernel_size": 3, "padding": 1})",
                               R"(["fp16", "int8"])");
  for (const char* machine : {"rtx-3080", "rtx-4090", "rtx-5090", "h100-sxm"}) {
    INFO(machine);
    Scenario s;
    REQUIRE(set(s, "machine", machine));
    const Plan plan(w, s);
    for (std::size_t op = 0; op < w.size(); ++op) CHECK(plan.analyze(op).typical_time_s >= plan.analyze(op).predicted_time_s);
  }
}

TEST_CASE("typical: a document's machine gives the same estimates when it is read back", "[typical]") {
  const Workload w = operation("gemm", R"({"m": 1, "n": 64, "k": 64})", R"(["fp16"])");
  for (const char* machine : {"epyc-9654", "h100-sxm", "jetson-orin-nano", "mi300x", "rtx-4090"}) {
    INFO(machine);
    Scenario s;
    REQUIRE(set(s, "machine", machine));
    Result<Machine> back = parse_machine(machine_json(s.machine, false));
    REQUIRE(back);
    Scenario again;
    again.use(std::move(*back));
    CHECK(Plan(w, again).analyze(0).typical_time_s == Plan(w, s).analyze(0).typical_time_s);
  }
}
