// What-ifs between machines of different kinds, of runs in which not every operation is known, and of operations above the roof.
#include <roofline/frame/headline.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

/// round_machine() whose memory has a rate for each direction.
Machine split_machine(double read, double write) {
  Machine m = round_machine();
  m.memories[0].bandwidth.value = unknown;
  m.memories[0].read_bandwidth.value = read;
  m.memories[0].write_bandwidth.value = write;
  return m;
}

/// A million elements of FP16: 2 MB read, 2 MB written.
Workload cast() {
  Workload w = open(R"([{"type": "ID_CAST", "name": "a", "input_shape": [1000, 1000], "data_type": "FP16"}])");
  REQUIRE(w.size() == 1);
  return w;
}

OpWhatIf what_if(const Workload& w, const Machine& today, const Machine& other) {
  Scenario scenario = on(today);
  scenario.whatif.machine = other;
  return Plan(w, scenario).what_if(0);
}

WhatIfOutcome outcome(const Workload& w, const Scenario& scenario) {
  const Plan plan(w, scenario);
  return whatif_outcome(plan, summarize(plan));
}

}  // namespace

TEST_CASE("what-if: another machine's memory limits by its own directions", "[whatif]") {
  const Workload w = cast();
  const Machine both = round_machine(), split = split_machine(100, 50);
  for (const auto& [today, other] : {std::pair(&both, &split), std::pair(&split, &both)}) {
    const Scenario direct = on(*other);
    const OpWhatIf then = what_if(w, *today, *other);
    CHECK(then.predicted_time_s == Plan(w, direct).analyze(0).predicted_time_s);
    CHECK(then.bound_by != no_resource);
    CHECK_FALSE(then.lacks_rate);
  }
  CHECK(what_if(w, both, split).predicted_time_s == Approx(2e6 / 50));  // writing takes longer
  CHECK(what_if(w, split, both).predicted_time_s == Approx(4e6 / 10));
}

TEST_CASE("what-if: a run's bound then is of the operations that have one today", "[whatif]") {
  Workload w;
  add_row(w, 1000, 10, unknown, "int8");
  add_row(w, 1000, unknown, unknown, "fp16");  // no rate for it today
  Machine today = round_machine(), other = today;
  today.matrix = {peak("int8", 100)};
  today.vector.clear();
  other.matrix = {peak("int8", 200), peak("fp16", 200)};
  Scenario scenario = on(today);
  scenario.whatif.machine = other;
  const Plan plan(w, scenario);
  const Summary s = summarize(plan);
  CHECK(s.predicted_time_s == 10);
  CHECK(s.whatif_predicted_s == 5);
}

TEST_CASE("what-if: what limits the run then", "[whatif]") {
  Workload w = one_row(1000, 150, 16);  // compute 10 s, memory 15 s
  Scenario scenario = on(round_machine());
  CHECK(outcome(w, scenario).limited_by == no_resource);  // no what-if
  scenario.whatif.bandwidth_scale = 1.25;
  const Plan plan(w, scenario);
  CHECK(plan.resources()[outcome(w, scenario).limited_by].name == "HBM");  // 12 s
  scenario.whatif.bandwidth_scale = 2;
  CHECK(outcome(w, scenario).limited_by == 0);  // compute: 7.5 s of memory
  w.time_s = {100};
  CHECK(outcome(w, scenario).limited_by == no_resource);  // limited by neither
}

TEST_CASE("what-if: above the roof, nothing of the time stays", "[whatif]") {
  Workload w = one_row(1000, 50, 8);  // bound 10 s
  add_row(w, 1000, 50, 20);
  Scenario scenario = on(round_machine());
  scenario.whatif.machine = round_machine();
  const WhatIfOutcome same = outcome(w, scenario);
  CHECK(same.then_s.low == 28);
  CHECK(same.then_s.high == 28);
  scenario.whatif.machine->matrix[0].flops.value = 200;
  const WhatIfOutcome twice = outcome(w, scenario);  // 4 s of the first; of the second 10 s, or 5 s and the 10 s above its bound
  CHECK(twice.then_s.low == 14);
  CHECK(twice.then_s.high == 19);
  const Plan plan(w, scenario);
  CHECK(summarize(plan).whatif_times().high == 19);
  scenario.whatif.batch_scale = 2;  // per item half the launches: 4 s; 10 s, or 5 s and 10 s above the bound of a run with two items
  const WhatIfOutcome batch = outcome(w, scenario);
  CHECK(batch.then_s.low == 14);
  CHECK(batch.then_s.high == 4 + 5 + 10);
}

TEST_CASE("what-if: a larger batch may take no longer to launch", "[whatif]") {
  Workload w = one_row(1000, 50, 20);  // bound 10 s
  add_row(w, 1000, 50, 10.5);
  Machine machine = round_machine();
  Scenario scenario = on(machine);
  scenario.whatif.batch_scale = 2;
  const Range unknown_launch = outcome(w, scenario).then_s;
  CHECK(unknown_launch.low == 30.5);  // each item keeps its time above the bound, and the bound is of activations alone
  CHECK(unknown_launch.high == 30.5);
  machine.launch_s.value = 4;
  scenario.use(machine);
  const WhatIfOutcome twice = outcome(w, scenario);
  CHECK(twice.then_s.low == 30.5 - 4.0 / 2 - 0.5 / 2);  // no more than the time above the bound
  CHECK(twice.then_s.high == 30.5);
  CHECK(Plan(w, scenario).what_if(0).speedup.high == 20.0 / 18);
  CHECK(Plan(w, scenario).what_if(1).speedup.high == 10.5 / 10.25);
  scenario.whatif.batch_scale = 0.5;  // as many launches for half the work
  CHECK(outcome(w, scenario).then_s.low == 30.5);
  CHECK(outcome(w, scenario).then_s.high == 30.5 + 4 + 0.5);
  scenario.whatif = {};
  scenario.whatif.bandwidth_scale = 2;
  CHECK(outcome(w, scenario).then_s.low == 30.5);
}

TEST_CASE("what-if: bytes without roles take the narrowest format that is asked for, whatever operand it is asked for", "[whatif]") {
  const Workload w = one_row(1000, 50, unknown, "int8");
  Machine machine = round_machine();
  machine.matrix = {peak("fp16", 100), peak("int8", 100)};
  Scenario scenario = on(machine);
  for (const auto& [weight, activation] : {std::pair("int8", "fp16"), std::pair("fp16", "int8")}) {
    scenario.whatif.weight = format(weight);
    scenario.whatif.activation = format(activation);
    CHECK(Plan(w, scenario).what_if(0).bytes == 50);
  }
}
