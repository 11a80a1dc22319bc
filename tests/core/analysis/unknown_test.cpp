// What is not known is never taken for zero, for infinite or for the whole.
#include <roofline/analysis/compare.hpp>
#include <roofline/analysis/fusion.hpp>
#include <roofline/analysis/which_machine.hpp>
#include <roofline/calculator/calculator.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/machine/presets.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

/// round_machine() under another name, without FP16: INT8 at 200 FLOP/s.
Machine only_int8() {
  Machine m = round_machine();
  m.id = m.name = "only INT8";
  m.matrix = {peak("int8", 200)};
  m.vector.clear();
  return m;
}

std::string headline_of(const Workload& w, const Scenario& s) {
  const Plan plan(w, s);
  return headline(OpSet(plan)).text();
}

}  // namespace

TEST_CASE("unknown: a what-if without a rate gives a least time and no speed-up", "[unknown]") {
  Workload w;
  add_row(w, 1000, 10, 20);  // compute, 10 s
  add_row(w, 10, 100, 15);   // memory, 10 s
  Scenario s = on(round_machine());
  s.whatif.machine = only_int8();
  const Plan plan(w, s);
  CHECK(plan.what_if(0).lacks_rate);
  CHECK(std::isnan(plan.what_if(0).speedup.high));
  const Summary sum = summarize(plan);
  CHECK(sum.whatif_without_rate == 2);
  CHECK(std::isnan(sum.whatif_speedup().high));
  CHECK_THAT(headline_of(w, s), ContainsSubstring("On only INT8: at least 11 s, with no known rate for FP16."));
}

TEST_CASE("unknown: a link that the other machine lacks does not take its time away", "[unknown]") {
  Workload w = one_row(0, 10, 30);
  w.channels = {{"NVLink", true, {100}}};
  Machine linked = round_machine();
  linked.links = {{"NVLink", {}}};
  linked.links[0].bandwidth.value = 5;
  Scenario s = on(linked);
  s.whatif.machine = round_machine();
  const Plan plan(w, s);
  CHECK(plan.analyze(0).predicted_time_s == 20);
  CHECK(plan.what_if(0).lacks_rate);
  CHECK(std::isnan(summarize(plan).whatif_speedup().low));
  s.whatif.machine->links = {{"Infinity Fabric", {}}};  // the first link by place, whatever its name
  s.whatif.machine->links[0].bandwidth.value = 10;
  const Plan other(w, s);
  CHECK_FALSE(other.what_if(0).lacks_rate);
  CHECK(other.what_if(0).predicted_time_s == 10);
}

TEST_CASE("unknown: a format without a rate wins neither a comparison nor a sweep", "[unknown]") {
  const auto made = parse_calculation("matmul", {"m=64", "n=64", "k=64"}, {"fp16", "int8"});
  REQUIRE(made);
  const auto w = workload_of(*made);
  REQUIRE(w);
  const Scenario s = on(only_int8());
  const Plan plan(*w, s);
  const std::vector<FormatComparison> rows = compare_formats(plan, 1);
  CHECK(std::isnan(rows[0].speedup));
  CHECK(rows[1].speedup == 1);
  const auto axis = parse_sweep_axis("m=1..64");
  REQUIRE(axis);
  const auto swept = sweep(*made, *axis, {}, s);
  REQUIRE(swept);
  CHECK(std::isnan(swept->series[0].predicted_s[0]));
  CHECK(swept->series[0].bound[0] == no_resource);
  CHECK(sweep_finding(*made, *axis, *swept).text() == "The machine has no known rate for FP16.");
}

TEST_CASE("unknown: bounds that leave work out are compared as unknown", "[unknown]") {
  const Workload w = one_row(1000, 10, unknown);
  const Scenario here = on(round_machine()), there = on(only_int8());
  const Plan a(w, here), b(w, there);
  const Comparison c = compare(OpSet(a), OpSet(b));
  CHECK(c.ops.at(0).time_a_s == 10);
  CHECK(std::isnan(c.ops[0].time_b_s));
  CHECK(std::isnan(c.ops[0].time_saved_s));
}

TEST_CASE("unknown: operations without a rate are not fused for a gain", "[unknown]") {
  Workload w;
  add_row(w, 1000, 10, unknown);
  add_row(w, 1000, 10, unknown);
  const Scenario s = on(only_int8());
  const Plan plan(w, s);
  const auto fused = fuse(plan, {0, 1}, {});
  REQUIRE(fused);
  CHECK(std::isnan(fused->fused_s));
  CHECK_THAT(fused->finding.text(), ContainsSubstring("it is not known what one kernel would save"));
}

TEST_CASE("unknown: a language model on a machine without a rate has a least time and no estimate", "[unknown]") {
  const auto r = parse_llm_request(R"({"model": "llama-3.1-8b", "phase": "prefill"})");
  REQUIRE(r);
  Scenario s = Scenario::standard();
  const Machine* hailo = Machines::presets().find("hailo-8");
  REQUIRE(hailo);
  s.use(*hailo);
  const LlmAnswer a = answer(*r, s);
  CHECK_FALSE(a.bound_by);
  CHECK(std::isnan(a.estimate.ttft_s));
  CHECK(a.bound.ttft_s > 0);
  CHECK_THAT(a.finding, ContainsSubstring("It needs 16.5 GB; the memory of Hailo-8 is not known. "));
  CHECK_THAT(a.finding, ContainsSubstring("takes at least "));
  CHECK_THAT(a.finding, ContainsSubstring("Hailo-8 has no known rate for FP16."));
}

TEST_CASE("unknown: the headline counts the operations that have a time and a bound", "[unknown]") {
  const Scenario s = on(round_machine());
  Workload w;
  add_row(w, 10, 100, 40);       // memory, 10 s: 30 above the bound
  add_row(w, 10, 100, 10);       // at the bound
  add_row(w, 10, 100, unknown);  // not timed
  CHECK_THAT(headline_of(w, s), ContainsSubstring("Tuning 1 of the 2 timed ops could save up to 30 s."));
  w.time_s[0] = 9.5;
  w.time_s[1] = unknown;
  CHECK_THAT(headline_of(w, s), ContainsSubstring("The 1 timed op is above the roof: 105% efficiency."));
}

TEST_CASE("unknown: integer products are fast in OP/s", "[unknown]") {
  const Workload integers = one_row(1000, 10, 1e-9, "int8"), floats = one_row(1000, 10, 1e-9);
  const Scenario s = Scenario::standard();
  const auto question = [&](const Workload& w) {
    const Plan plan(w, s);
    return asked(which_machine(OpSet(plan), Machines::presets().all()));
  };
  CHECK_THAT(question(integers), ContainsSubstring("1 TOP/s"));
  CHECK_THAT(question(floats), ContainsSubstring("1 TFLOP/s"));
}

TEST_CASE("unknown: a memory with one direction's bandwidth is refused", "[unknown]") {
  const auto m = parse_machine(
      R"({"id": "half", "name": "half", "peaks": {"matrix": {"fp16": 1e12}}, "memories": [{"name": "DRAM", "read_bandwidth": 1e9}]})");
  REQUIRE(!m);
  CHECK(m.error().text() == "memories[0]: has read_bandwidth and no write_bandwidth; expected both");
}
