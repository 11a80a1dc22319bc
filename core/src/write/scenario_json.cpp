#include "write/scenario_json.hpp"

#include "machine/json.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

constexpr Member<Scenario> format_members[] = {
    {"weight", schema::name, "", [](JsonOut& out, const Scenario& s) { write_format(out, s.whatif.weight.value_or(no_format)); }},
    {"activation", schema::name, "", [](JsonOut& out, const Scenario& s) { write_format(out, s.whatif.activation.value_or(no_format)); }},
    {"output", schema::name, "", [](JsonOut& out, const Scenario& s) { write_format(out, s.whatif.output.value_or(no_format)); }},
    {"kv", schema::name, "", [](JsonOut& out, const Scenario& s) { write_format(out, s.whatif.kv.value_or(no_format)); }}};

/// The model behind typical_time_s, as it is in force: the machine's own figures where none are set.
constexpr Member<Plan> overhead_members[] = {
    {"launch_s", schema::number, "s", [](JsonOut& out, const Plan& p) { out.value(p.terms_in_force().launch_s.value_or(unknown)); }},
    {"compute", schema::number, "fraction of the peak", [](JsonOut& out, const Plan& p) { out.value(p.reached(Unit::matrix, no_format)); }},
    {"bandwidth", schema::number, "fraction of the device memory's", field<&Plan::reached_bandwidth>},
    {"units", schema::number, "matrix units side by side", field<&Plan::scenario, &Scenario::machine, &Machine::units, &Figure::value>},
    {"overlap", schema::number, "fraction of the shorter of computing and moving that hides behind the longer",
     [](JsonOut& out, const Plan& p) { out.value(p.terms_in_force().overlap.value_or(1)); }},
    {"tile_rows", schema::number, "",
     [](JsonOut& out, const Plan& p) { out.value(p.scenario().overhead.tile.rows > 0 ? p.scenario().overhead.tile.rows : unknown); }},
    {"tile_columns", schema::number, "",
     [](JsonOut& out, const Plan& p) { out.value(p.scenario().overhead.tile.rows > 0 ? p.scenario().overhead.tile.columns : unknown); }},
    {"network", schema::name, "format between operations",
     [](JsonOut& out, const Plan& p) { write_format(out, p.scenario().overhead.network.value_or(no_format)); }},
    {"accumulator", schema::name, "format of sums",
     [](JsonOut& out, const Plan& p) { write_format(out, p.scenario().overhead.accumulator.value_or(no_format)); }}};

constexpr Member<Plan> members[] = {
    {"ops_per_mac", schema::number, "how peaks were typed: 2, or 1 for MAC/s", field<&Plan::scenario, &Scenario::ops_per_mac>},
    {"bound_threshold", schema::number, "a fraction", field<&Plan::scenario, &Scenario::bound_threshold>},
    {"memory_threshold", schema::number, "a fraction", field<&Plan::scenario, &Scenario::memory_threshold>},
    {"compute_threshold", schema::number, "a fraction", field<&Plan::scenario, &Scenario::compute_threshold>},
    {"advice_threshold", schema::number, "a fraction; absent: 0.3", field<&Plan::scenario, &Scenario::advice_threshold>,
     [](const Plan& p) { return p.scenario().advice_threshold != Scenario().advice_threshold; }},
    {"formats", R"("$ref":"#/$defs/scenario_formats")", "of the what-if; null: as they are",
     [](JsonOut& out, const Plan& p) { write_object<format_members>(out, p.scenario()); }},
    {"batch_scale", schema::number, "of the what-if", field<&Plan::scenario, &Scenario::whatif, &WhatIf::batch_scale>},
    {"peak_scale", schema::number, "of the what-if", field<&Plan::scenario, &Scenario::whatif, &WhatIf::peak_scale>},
    {"bandwidth_scale", schema::number, "of the what-if", field<&Plan::scenario, &Scenario::whatif, &WhatIf::bandwidth_scale>},
    {"overhead", R"("$ref":"#/$defs/overhead")", "what typical times take",
     [](JsonOut& out, const Plan& p) { write_object<overhead_members>(out, p); }},
    {"whatif_machine", R"("anyOf":[{"$ref":"#/$defs/machine"},{"type":"null"}])", "of the what-if; null: the same",
     [](JsonOut& out, const Plan& p) {
       if (!p.scenario().whatif.machine) return out.null();
       write_machine(out, *p.scenario().whatif.machine);
     }}};

}  // namespace

void write_machine(JsonOut& out, const Machine& machine, std::optional<MachineBasis> basis) {
  std::string text = machine_json(machine, false);
  // The schema of "basis" has only assumed, stated and chosen, so a guess is written as assumed.
  const bool guessed = basis == MachineBasis::guessed;
  if (guessed) text.insert(1, "\"guessed\":true,");
  if (basis) text.insert(1, std::string("\"basis\":\"") + to_string(guessed ? MachineBasis::assumed : *basis) + "\",");
  out.raw(text);
}

void write_scenario(JsonOut& out, const Plan& plan) { write_object<members>(out, plan); }

ObjectSchema scenario_schema() { return ObjectSchema().with(members); }
ObjectSchema scenario_formats_schema() { return ObjectSchema().with(format_members); }
ObjectSchema overhead_schema() { return ObjectSchema().with(overhead_members); }

ObjectSchema machine_schema() {
  return machine_value_schema(false)
      .add("basis", R"("enum":["assumed","stated","chosen"])", "how the machine was determined; absent for a what-if's machine", false)
      .add("guessed", schema::flag, "the machine was guessed from words in the source", false);
}

}  // namespace roofline
