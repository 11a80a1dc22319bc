// Each sentence's figures against hand-made ones, on a machine of 1 TFLOP/s, 100 GB/s.
#include <roofline/analysis/estimate.hpp>
#include <roofline/analysis/finding.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/frame/headline.hpp>

#include "analysis/steps.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Machine npu() {
  Machine m;
  m.id = m.name = "npu";
  m.matrix = {peak("fp16", 1e12), peak("int8", 2e12)};
  m.vector = {peak("fp32", 1e12)};
  m.memories.push_back({"DRAM", {100e9, "", "", ""}, {}, {}, {}});
  return m;
}

Scenario chosen(Machine machine) {
  Scenario s = on(std::move(machine));
  s.basis = MachineBasis::chosen;
  return s;
}

/// Stated work: 60 us of copies bound by DRAM, of 30 us bound (3 MB); 30 us of a product bound by compute, of 20 us (20 MFLOP).
constexpr const char* commands = R"([
  {"type": "copy", "name": "a", "data_type": "FP16", "macs": 0, "bytes": 1000000, "time_ns": 15000},
  {"type": "copy", "name": "b", "data_type": "FP16", "macs": 0, "bytes": 2000000, "time_ns": 45000},
  {"type": "product", "name": "c", "data_type": "FP16", "macs": 10000000, "bytes": 1000, "time_ns": 30000}])";

/// The evidence of the figure with this text.
const Evidence& evidence(const Finding& finding, std::string_view figure) {
  for (const Finding::Part& part : finding.parts)
    if (part.from && part.text == figure) return *part.from;
  FAIL("no figure " << figure << " in: " << finding.text());
  return *finding.parts[0].from;
}

Finding sweep_of(const std::vector<std::string>& formats, const char* range, const Scenario& scenario) {
  const auto calculation = parse_calculation("gemm", {"n=1024", "k=1024", "m=1"}, formats);
  REQUIRE(calculation);
  const auto axis = parse_sweep_axis(range);
  REQUIRE(axis);
  const auto swept = sweep(*calculation, *axis, {}, scenario);
  REQUIRE(swept);
  return sweep_finding(*calculation, *axis, *swept);
}

}  // namespace

TEST_CASE("finding: categories say what takes the time and what bounds it") {
  const Workload w = open(commands);
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const OpSet all = OpSet(plan);
  const std::vector<CategoryTotal> totals = category_totals(all);
  double whole = 0;
  for (const CategoryTotal& t : totals) whole += t.time_s;
  CHECK_THAT(whole, WithinRel(90e-6, 1e-12));
  const Finding finding = categories_finding(all, totals);
  const Evidence& first = evidence(finding, percent(totals[0].time_s / whole));
  CHECK(first.categories == Words{totals[0].name});
  CHECK(first.bounds.empty());
  CHECK(categories_finding(OpSet::of(plan, 0), {}).parts.empty());
}

TEST_CASE("finding: a category that no roof limits is not said to be limited by one") {
  const Workload w = open("M,N,K,dtype,time_us\n64,64,64,fp16,900\n");  // 1 us of work at most
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const OpSet all = OpSet(plan);
  const Finding finding = categories_finding(all, category_totals(all));
  CHECK(finding.text().find(" takes 100% of the time, 100% of it limited by neither compute nor memory.") != std::string::npos);
  CHECK(evidence(finding, "100%").categories.size() == 1);
}

TEST_CASE("finding: along the operations, what bounds how much of the time") {
  const Workload w = open(commands);
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const Finding finding = steps_finding(plan, {}, category_totals(OpSet(plan)));
  CHECK(finding.text() == "DRAM limits 67% of the time, compute 33%.");
  CHECK(evidence(finding, "67%").formula == "60 µs of 90 µs");
  CHECK(evidence(finding, "67%").limits == Words{"DRAM"});
}

TEST_CASE("finding: an operation far below its roof is limited by neither compute nor memory") {
  Workload w = open(commands);
  for (double& time : w.time_s) time *= 2;  // b reaches 22% of its roof, the others a third
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const std::vector<CategoryTotal> totals = category_totals(OpSet(plan));
  double neither = 0;
  for (const CategoryTotal& t : totals) neither += t.neither_s;
  CHECK_THAT(neither, WithinRel(90e-6, 1e-12));
  const std::vector<CategoryTotal> alone = {
      {.name = "x", .ops = 1, .time_s = 1, .by_bound_s = std::vector<double>(plan.resources().size() + 1), .neither_s = 1}};
  CHECK(steps_finding(plan, {}, alone).text() ==
        "Neither compute nor memory limits 100% of the time (overhead, waiting or a poor kernel).");
  const Finding finding = steps_finding(plan, {}, totals);
  CHECK(finding.text() ==
        "Compute limits 33% of the time, DRAM 17%; 50% is limited by neither compute nor memory (overhead, waiting or a poor kernel).");
  CHECK(evidence(finding, "50%").formula == "90 µs of 180 µs");

  // A figure leads to the very operations that it adds up.
  const auto time_of = [&](const char* figure) {
    OpFilter filter;
    filter.limits = evidence(finding, figure).limits;
    return summarize(select(plan, filter).value()).time_s;
  };
  CHECK_THAT(time_of("33%"), WithinRel(60e-6, 1e-12));
  CHECK_THAT(time_of("17%"), WithinRel(30e-6, 1e-12));
  CHECK_THAT(time_of("50%"), WithinRel(90e-6, 1e-12));
  OpFilter wrong;
  wrong.limits = {"L7"};
  const Error error = select(plan, wrong).error();
  CHECK(error.path == "limited-by");
  CHECK(error.message.ends_with("expected one of compute, DRAM, memory, link, neither, none"));
}

TEST_CASE("finding: measured and predicted times are never added up") {
  Workload w = open(commands);
  w.time_s[0] = unknown;  // a copy of 10 us by its bound
  const Scenario scenario = chosen(npu());
  const auto time_of = [&](std::size_t category) { return category_totals(OpSet(Plan(w, scenario)))[category].time_s; };
  CHECK_THAT(time_of(0), WithinRel(45e-6, 1e-12));  // b alone
  w.time_s.assign(3, unknown);
  CHECK_THAT(time_of(0), WithinRel(30e-6, 1e-12));  // the bounds of a and b
  CHECK_THAT(time_of(1), WithinRel(20e-6, 1e-12));
}

TEST_CASE("finding: parity says what the bound explains, and who loses most") {
  const Workload w = open(commands);
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const Finding finding = parity_finding(plan, compare_with_measured(OpSet(plan)));
  CHECK(
      finding.text() ==
      "The bound explains 56% of the measured time; b has the most time above the bound: it takes 2.25x its bound.");  // 10 + 20 + 20 of 90
  CHECK(evidence(finding, "56%").formula == "50 µs of bounds / 90 µs measured");
  CHECK(evidence(finding, "2.25x").op == 1u);
  Machine slow = npu();
  slow.memories[0].bandwidth.value = 10e9;
  const Scenario slower = chosen(slow);
  const Plan contradicted(w, slower);
  CHECK(parity_finding(contradicted, compare_with_measured(OpSet(contradicted)))
            .text()
            .find("The bound is longer than the measured time, by ") == 0);
}

TEST_CASE("finding: the saving in the headline leads to the worst operation") {
  const Workload w = open(commands);
  const Scenario scenario = chosen(npu());
  const Plan plan(w, scenario);
  const Finding finding = headline(OpSet(plan), make_frame(OpSet(plan), {}));
  CHECK(finding.text().find(". Tuning all 3 ops could save up to 40 µs.") != std::string::npos);  // 25, 10 and 5 us
  CHECK(evidence(finding, "40 µs").op == 1u);
}

TEST_CASE("finding: idle time is said first if it is most of a trace, later if it is less, and not at all with a filter") {
  Workload w = open(commands);
  const Scenario scenario = chosen(npu());
  const auto said = [&](double busy_s, std::size_t devices) {
    w.device_time = {devices, 8e-3, busy_s};
    return headline(OpSet(Plan(w, scenario))).text();
  };
  const std::string without = headline(OpSet(Plan(w, scenario))).text();
  CHECK(said(2e-3, 1) == "The device is idle for 75% of the 8 ms between its first and last kernel. " + without);
  CHECK(said(2e-3, 4) == "The 4 devices are idle for 75% of the time between their first and last kernels. " + without);
  CHECK(said(6e-3, 1) == without + " The device is idle for 25% of the 8 ms between its first and last kernel.");
  CHECK(said(7.9e-3, 1) == without);
  w.broken_off = "the file is truncated after 3 records: expected ',' or ']', found the end of the file";
  CHECK(said(7.9e-3, 1) == "The file is truncated after 3 records. " + without);
  w.broken_off.clear();
  w.device_time = {1, 8e-3, 2e-3, 20, 12, 1e-3};
  CHECK(headline(OpSet(Plan(w, scenario))).text().find("The device waits for launches: capture them in a graph") != std::string::npos);
  w.device_time.longest_gap_s = 5e-3;  // one long wait is not for launches
  CHECK(headline(OpSet(Plan(w, scenario))).text().find("launches") == std::string::npos);
  w.device_time = {1, 8e-3, 2e-3};
  // A what-if shortens the 2 ms in which it is busy, of 8 ms: twice as fast there is 8 / (6 + 1) of the whole.
  Scenario faster = scenario;
  faster.whatif.peak_scale = faster.whatif.bandwidth_scale = 2;
  w.time_s = {1e-3, 0.5e-3, 0.5e-3};
  const std::string said_of_whole = headline(OpSet(Plan(w, faster))).text();
  CHECK(said_of_whole.find(" while the device is busy, ") != std::string::npos);
  CHECK(said_of_whole.find("to 1.14x including idle time") != std::string::npos);
  faster.whatif = {};
  faster.whatif.batch_scale = 8;  // fewer launches for the same work: their gaps are not known
  CHECK(headline(OpSet(Plan(w, faster))).text().find("idle time") == std::string::npos);
  const Plan plan(w, scenario);
  OpFilter filter;
  filter.text = "conv";
  CHECK(headline(OpSet(plan, std::make_shared<RowSelection>(select_rows(w, filter)))).text().find("idle") == std::string::npos);
}

TEST_CASE("finding: one operator in several formats is compared, not added up") {
  const auto calculation = parse_calculation("gemm", {"m=1", "n=4096", "k=4096"}, {"fp16", "int8", "int4:fp16"});
  const auto rows = workload_of(*calculation);
  // Bytes of the weights alone halve twice; 2 * 8192 B of activations stay: 33570816 / 8404992.
  CHECK(headline(OpSet(Plan(*rows, chosen(npu())))).text().find("INT4 weights are the fastest: about 3.99x FP16") == 0);
}

TEST_CASE("finding: of one operation alone") {
  const Workload w = open(R"([{"type":"ID_MM","input_mat1":[1,4096],"input_mat2":[4096,4096],"data_type":"INT8","time_ns":1000000}])");
  const Scenario scenario = chosen(npu());
  const OpAnalysis a = Plan(w, scenario).analyze(0);
  CHECK(headline(OpSet(Plan(w, scenario))).text() == "Limited by neither, at " + percent(a.efficiency) +
                                                         " of its roof: overhead, waiting or a poor kernel; " + seconds(a.lost_time_s) +
                                                         " of 1 ms above the bound.");
}

TEST_CASE("finding: a sweep says which format wins where, to the whole number") {
  // INT4 weights: 0.5 MB + activations, computed as FP16 at 1 TFLOP/s; INT8: 1 MB, at 2 TOP/s. Weights alone: 5.2 us and 10.5 us.
  // FP16's arithmetic takes 2.097 us per row of m: it reaches INT8's memory time between m = 4 and 6.
  const Scenario scenario = chosen(npu());
  const Finding finding = sweep_of({"int8", "int4:fp16"}, "m=1..512", scenario);
  std::size_t last = 0, last_typical = 0;  // where INT4 weights still win, found by asking each m alone
  for (std::size_t m = 1; m <= 64; ++m) {
    const auto calculation = parse_calculation("gemm", {"n=1024", "k=1024", "m=" + std::to_string(m)}, {"int8", "int4:fp16"});
    const auto rows = workload_of(*calculation);
    const Plan plan(*rows, scenario);
    if (plan.analyze(1).predicted_time_s < plan.analyze(0).predicted_time_s) last = m;
    if (plan.analyze(1).typical_time_s < plan.analyze(0).typical_time_s) last_typical = m;
  }
  CHECK(last >= 4);
  CHECK(last <= 6);
  CHECK(last_typical != last);
  CHECK(finding.text() == "INT4 weights win below m = " + std::to_string(last_typical + 1) + "; INT8 wins from " +
                              std::to_string(last_typical + 1) + " up. By the bounds alone, they cross at m = " + std::to_string(last + 1) +
                              '.');
  // All compute as FP16, 2.097 us per row: it reaches the memory time of INT8 weights, 10.5 us, at m = 6 and that of FP16's, 21 us, at 11.
  CHECK(sweep_of({"fp16", "int8:fp16", "int4:fp16"}, "m=1..8192", scenario).text() ==
        "INT4 weights win below m = 5, tie with INT8 weights from 5; all are equally fast from 10 up. By the bounds alone, they cross at m "
        "= 6 and 11.");
  CHECK(sweep_of({"fp16", "fp16"}, "m=1..64", scenario).text() == "FP16 and FP16 take the same time all along. The bounds agree.");
  CHECK(sweep_of({"fp16", "int8"}, "m=1..64", scenario).text() == "INT8 wins all along, from m = 1 to 64. The bounds agree.");
  const std::string one_rate = " This machine computes every format at the same rate: narrower formats save only bytes.";
  CHECK(sweep_of({"int8", "int4:int8"}, "m=1..8192", Scenario::standard())
            .text()
            .ends_with(one_rate));  // equally fast once compute bounds both
  CHECK_FALSE(sweep_of({"int8", "int4:int8"}, "m=1..8", Scenario::standard()).text().ends_with(one_rate));  // memory limits both
  // One format: memory (2 MB and a little) until 2.097 us per m reach 21 us and a little more: m = 11.
  CHECK(sweep_of({"fp16"}, "m=1..64", scenario).text() == "FP16 is bound by DRAM below m = 11, by compute from 11 up.");
}

TEST_CASE("finding: the fastest format is named with its speed-up") {
  const Scenario scenario = chosen(npu());
  const auto calculation = parse_calculation("gemm", {"n=1024", "k=1024", "m=1"}, {"fp16", "int4:fp16"});
  const auto rows = workload_of(*calculation);
  const Plan plan(*rows, scenario);
  const Finding formats = formats_finding(plan, compare_formats(plan, 0), 0);
  CHECK(formats.text() == "INT4 weights are the fastest: about 3.98x FP16, at 18.9 dB. Limited by DRAM.");  // 2.1 MB against 0.53 MB
}

TEST_CASE("finding: formats that tie for the fastest are named, and the most accurate of them") {
  const Scenario scenario =
      chosen(*Machines::presets().find("npu-32t50"));  // 2 x 512 x 2,048 x 4,096 FLOPs take 268 us at 32 TFLOP/s, the bytes of INT8 less
  const auto calculation = parse_calculation("gemm", {"n=2048", "k=4096", "m=512"}, {"fp16", "int4:fp16", "int8"});
  const auto rows = workload_of(*calculation);
  const Plan plan(*rows, scenario);
  const std::string text = formats_finding(plan, compare_formats(plan, 0), 0).text();
  CHECK(text.starts_with("INT4 weights and INT8 tie for the fastest: about 1.56x FP16; "));
  CHECK(text.ends_with("INT8 keeps the most accuracy, 41 dB. Limited by compute. By the bounds alone: 1.72x."));
}

TEST_CASE("finding: a term other than launches does not make launches known") {
  Scenario tpu = chosen(*Machines::presets().find("tpu-v6e"));
  CHECK_FALSE(launch_is_known(tpu, StackUse::operations));
  REQUIRE(set(tpu, "overhead.overlap", "1"));
  CHECK_FALSE(launch_is_known(tpu, StackUse::operations));
  REQUIRE(set(tpu, "overhead.launch_us", "5"));
  CHECK(launch_is_known(tpu, StackUse::operations));
}

TEST_CASE("finding: how far an estimate is off is said only of machines with a benchmark") {
  const auto said = [](const Machine& machine, StackUse use) {
    const Scenario scenario = chosen(machine);
    const Stack& stack = scenario.stack_for(use);
    REQUIRE_FALSE(stack.errors.empty());
    return error_text(&stack.errors[0], scenario, use);
  };
  const Machine& h100 = *Machines::presets().find("h100-sxm");
  CHECK(said(h100, StackUse::language_model) == error_text(&chosen(h100).stack_for(StackUse::language_model).errors[0]));
  Machine invented = h100;
  invented.achievable_compute.basis = invented.achievable_bandwidth.basis = "estimate";  // taken from another machine
  CHECK(said(invented, StackUse::language_model) == "(no benchmark of this machine: estimated from similar ones)");
  const Machine& hailo = *Machines::presets().find("hailo-8");
  CHECK(said(hailo, StackUse::operations).starts_with("(within "));  // the stack was measured on it
  CHECK(error_text(nullptr, chosen(invented), StackUse::language_model).empty());
}

TEST_CASE("finding: machines without a known benchmark are named apart, and several are ranked per machine") {
  const auto runs = [](const char* name, double estimate_s, bool assumed) {
    return MachineChoice{.name = name, .fits = true, .bound = estimate_s / 2, .estimate = estimate_s, .assumed = assumed};
  };
  std::vector<std::size_t> fastest_first;
  (void)choice_finding({runs("here", 3, false), runs("measured", 2, false), runs("guessed", 1, true)}, false, &fastest_first);
  CHECK(fastest_first == std::vector<std::size_t>{1, 2});
  CHECK(choice_finding({runs("here", 3, false), runs("measured", 2, false), runs("guessed", 1, true)}, false).text() ==
        "measured is the fastest that fits: 2 s, 1.5x as fast as here. guessed, without a known benchmark, may take 1 s.");
  CHECK(choice_finding({runs("here", 2, true), runs("measured", 3, false), runs("slower", 4, true)}, false).text() ==
        "here is the fastest that fits: 2 s, estimated from other machines.");
  CHECK(choice_finding({runs("here", 2, false), runs("as fast", 1.995, false)}, false).text() == "here is the fastest that fits: 2 s.");
  MachineChoice ran = runs("here", 3, false);
  ran.measured = 9;
  CHECK(choice_finding({ran, runs("there", 2, false)}, false).text() ==
        "there is the fastest that fits: 2 s, 1.5x as fast as here (estimate 3 s, measured 9 s).");
  ran.contradicted = true;
  CHECK(choice_finding({ran, runs("there", 2, false)}, false).text() ==
        "there is the fastest that fits: 2 s, 4.5x as fast as the measured 9 s, whose machine is not known.");
  ran.measured = unknown;
  CHECK(choice_finding({ran, runs("there", 4, false)}, false).text() == "there is the fastest that fits: 4 s.");
  MachineChoice barely = runs("barely", 1, false);
  barely.barely_fits = true;
  CHECK(choice_finding({barely, runs("roomy", 2, false)}, false).text() ==
        "roomy is the fastest that fits: 2 s, 0.5x as fast as barely, which barely fits.");
  CHECK(choice_finding({barely}, false).text() == "barely is the fastest, but barely fits: 1 s.");
  MachineChoice no_launches = runs("no launches", 0.5, true);
  no_launches.launch_known = false;
  CHECK(choice_finding({runs("here", 3, false), runs("measured", 2, false), no_launches}, false).text() ==
        "measured is the fastest that fits: 2 s, 1.5x as fast as here.");
  // Of two nearly equal machines, the one listed first is named. Without launches, today's machine takes at least its estimate.
  CHECK(choice_finding({no_launches, runs("first", 2.001, false), runs("second", 2, false)}, false).text() ==
        "no launches is the fastest that fits: 500 ms, estimated from other machines.");
  MachineChoice slow_without_launches = runs("here", 3, false);
  slow_without_launches.launch_known = false;
  CHECK(choice_finding({slow_without_launches, runs("first", 2.001, false), runs("second", 2, false)}, false).text() ==
        "second is the fastest that fits: 2 s, at least 1.5x as fast as here.");
  MachineChoice bought = runs("bought", 2, false);
  bought.usd_per_hour = 3.6;
  bought.usd_per_million = 2000;
  CHECK(choice_finding({runs("here", 3, false), bought}, false).text() ==
        "bought is the fastest that fits: 2 s, 1.5x as fast as here. Only bought has a known purchase price: $2,000 per "
        "million runs, "
        "without electricity.");
  bought.segment = "desktop";
  MachineChoice rented = runs("rented", 1, false), dearer = bought, embedded = runs("embedded", 9, false);
  rented.segment = "data-centre";
  embedded.segment = "embedded";
  dearer.name = "dearer";
  dearer.usd_per_million = 3000;
  CHECK(choice_finding({bought, bought, rented, dearer}, false).text() ==
        "rented is the fastest that fits: 1 s, 2x as fast as bought. 2 machines that fit have a known "
        "purchase price; bought is the cheapest: $2,000 per million runs, without electricity.");
  MachineChoice cheap_but_full = runs("full", 2, false);
  cheap_but_full.barely_fits = true;
  cheap_but_full.usd_per_million = 1;
  CHECK(choice_finding({bought, rented, dearer, cheap_but_full}, false).text().find(" 2 machines that fit have ") != std::string::npos);
  const auto formulas = [](const Finding& finding) {
    std::string out;
    for (const auto& part : finding.parts) out += part.from ? part.from->formula : std::string();
    return out;
  };
  CHECK(formulas(choice_finding({dearer, bought, rented, embedded}, false)).find("no data-centre or embedded machine has a known price") !=
        std::string::npos);
  rented.usd_per_million = 4000;
  CHECK(choice_finding({bought, rented, dearer}, false)
            .text()
            .find(" 3 machines that fit have a known purchase price; bought is the cheapest: ") != std::string::npos);
  CHECK(choice_finding({no_launches}, false).text() == "no launches is the fastest that fits: 500 ms, estimated from other machines.");
  const auto serves = [](const char* name, double machines, double tokens_per_s, std::optional<bool> fits) {
    return MachineChoice{.name = name, .fits = fits, .machines = machines, .bound = 2 * tokens_per_s, .estimate = tokens_per_s};
  };
  CHECK(choice_finding({serves("four", 4, 200, true), serves("one", 1, 60, true), serves("unknown", 1, 90, {})}, true).text() ==
        "one is the fastest that fits: 60 tokens/s per machine. 4 x four reach 50 tokens/s per machine.");
  CHECK(choice_finding({serves("small", 1, 50, true), serves("four", 4, 240, true)}, true).text() ==
        "4 x four is the fastest that fits: 60 tokens/s per machine, 1.2x as fast as small.");
  CHECK(choice_finding({serves("slow", 1, 50, true), serves("fast", 1, 60, true)}, true).text() ==
        "fast is the fastest that fits: 60 tokens/s, 1.2x as fast as slow.");
  CHECK(choice_finding({serves("small", 1, 90, false)}, true).text() == "It fits on no machine.");
  CHECK(choice_finding({serves("unknown", 1, unknown, {})}, true).text().empty());
  CHECK(choice_finding({serves("small", unknown, 90, false), serves("unknown", 1, 90, {})}, true).text() ==
        "It fits on no machine whose memory size is known.");
}

TEST_CASE("machine matrix: each cell is that format on that machine alone") {
  const auto calculation = parse_calculation("gemm", {"n=1024", "k=1024", "m=1"}, {"fp16"});
  const auto rows = workload_of(*calculation);
  const Machine here = npu();
  Machine twice = npu();
  twice.id = twice.name = "twice";
  twice.memories[0].bandwidth.value = 200e9;
  twice.matrix = {peak("fp16", 1e12)};  // no INT8
  const Scenario scenario = chosen(here);
  const Plan plan(*rows, scenario);
  const std::vector<FormatId> formats = {format("fp16"), format("int8")};
  const MachineMatrix matrix = machine_matrix(OpSet(plan), {&here, &twice}, formats);
  REQUIRE(matrix.predicted_s.size() == 4);
  // 1 Mi weights and two vectors of 1,024 elements, of 2 or 1 bytes.
  const double elements = 1024 * 1024 + 2048;
  CHECK_THAT(matrix.today_s, WithinRel(2 * elements / 100e9, 1e-9));
  CHECK_THAT(matrix.predicted_s[0], WithinRel(matrix.today_s, 1e-12));
  CHECK_THAT(matrix.predicted_s[1], WithinRel(elements / 100e9, 1e-9));
  CHECK_THAT(matrix.predicted_s[2], WithinRel(2 * elements / 200e9, 1e-9));
  CHECK_THAT(matrix.predicted_s[3], WithinRel(elements / 200e9, 1e-9));
  CHECK(matrix.fallback == std::vector<bool>{false, false, false, true});
  CHECK(matrix_finding(matrix, {70, 40}, 30, here).text() ==
        "By the bounds, INT8 on npu is the fastest that keeps 30 dB: 2x as fast as today.");  // twice computes INT8 in FP16: not counted
  CHECK(matrix_finding(machine_matrix(OpSet(plan), {&here, &here}, formats), {70, 40}, 30, here).text() ==
        "By the bounds, INT8 on npu is the fastest that keeps 30 dB: 2x as fast as today; 1 other machine is as fast.");
  CHECK(matrix_finding(matrix, {70, 40}, 50, here).text() ==
        "By the bounds, FP16 on twice is the fastest that keeps 50 dB: 2x as fast as today. On npu, FP16 is the fastest: 1x.");
  MachineMatrix of_int4 = matrix;
  of_int4.today_s /= 4;
  CHECK(matrix_finding(of_int4, {70, 40}, 50, here).text() ==
        "By the bounds, FP16 on twice is the fastest that keeps 50 dB: 0.5x as fast as today. "
        "On npu, no format that keeps 50 dB is faster than today's formats; FP16 is the fastest of them: 0.25x.");
}

TEST_CASE("finding: each cell of the matrix is what a plan of its own says, totals, self times and equal operations included") {
  const char* rows = R"([
    {"type": "ID_MM", "name": "a", "data_type": "FP16", "input_mat1": [64, 512], "input_mat2": [512, 256], "time_ns": 90000},
    {"type": "ID_MM", "name": "b", "data_type": "FP16", "input_mat1": [64, 512], "input_mat2": [512, 256], "time_ns": 70000, "count": 3},
    {"type": "ID_MM", "name": "c", "data_type": "INT8", "input_mat1": [1, 512], "input_mat2": [512, 256], "hw_bytes": 1000000},
    {"type": "copy", "name": "d", "data_type": "FP16", "macs": 0, "bytes": 1000000, "time_ns": 15000},
    {"type": "copy", "name": "e", "data_type": "FP16", "macs": 0, "bytes": 1000000}])";
  Workload w = open(rows);
  w.self_time_s = {9e-5, 3.5e-5, unknown, 5e-6, unknown};
  const Machine here = npu();
  const Scenario scenario = chosen(here);
  const std::vector<const Machine*> machines = {&here, Machines::presets().find("h100-sxm"), Machines::presets().find("tpu-v5p")};
  const std::vector<FormatId> formats = {format("fp32"), format("fp8_e4m3"), format("int4_g128")};
  const Plan plan(w, scenario);
  const OpSet all(plan);
  const MachineMatrix matrix = machine_matrix(all, machines, formats);
  REQUIRE(matrix.predicted_s.size() == machines.size() * formats.size());
  for (std::size_t m = 0; m < machines.size(); ++m)
    for (std::size_t f = 0; f < formats.size(); ++f) {
      Scenario there = scenario;
      there.use(*machines[m]);
      there.whatif.weight = formats[f];
      if (!Formats::catalogue()[formats[f]].weights_only) there.whatif.activation = there.whatif.output = there.whatif.kv = formats[f];
      CAPTURE(machines[m]->id, f);
      const Plan own(w, there);
      CHECK_THAT(matrix.predicted_s[m * formats.size() + f], WithinRel(summarize(all.under(own), false).whatif_predicted_s, 1e-12));
    }
}
