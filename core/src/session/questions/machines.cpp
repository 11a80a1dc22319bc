// The open workload on other machines: {"op": row or null for all that the view lets through, "machines": [ids], absent: every preset,
// "own": [machine files]} ->
// {"rows": [...], "finding"}, the scenario's own machine first, then those of "own".
#include <list>
#include <roofline/calculator/machines.hpp>

#include "analysis/finding_json.hpp"
#include "machine/json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_machines(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  std::vector<const Machine*> machines = {&plan.scenario().machine};
  std::list<Machine> own;
  for (const Json& file : member(request, "own")) {
    auto machine = machine_from(file);
    if (!machine) return fail(machine.error().message, machine.error().path);
    machines.push_back(&own.emplace_back(std::move(*machine)));
  }
  const Json& ids = member(request, "machines");
  if (ids.is_array()) {
    for (const Json& id : ids) {
      const Machine* machine = Machines::presets().find(text_of(id));
      if (!machine) return fail("unknown machine \"" + text_of(id) + "\": `roofline list machines` lists them", "machines");
      machines.push_back(machine);
    }
  } else {
    for (const Machine& machine : Machines::presets().all()) machines.push_back(&machine);
  }
  Json rows = Json::array();
  const auto number = [](double v) { return v - v == 0 ? Json(v) : Json(); };
  const std::vector<OnMachine> found = compare_machines(asked_for(of, request), machines);
  for (const OnMachine& m : found)
    rows.push_back({{"id", m.machine->id},
                    {"name", m.machine->name},
                    {"compute", m.compute == no_format ? Json() : Json(Formats::catalogue()[m.compute].id)},
                    {"fallback", m.fallback},
                    {"peak", number(m.peak)},
                    {"bandwidth", number(m.bandwidth)},
                    {"ridge", number(m.ridge)},
                    {"predicted_time_s", number(m.predicted_s > 0 ? m.predicted_s : unknown)},
                    {"typical_time_s", number(m.typical_s > 0 ? m.typical_s : unknown)},
                    {"speedup", number(m.speedup)},
                    {"bound_by", m.bound_by}});
  return Answer{compact(Json{{"rows", std::move(rows)}, {"finding", finding_json(machines_finding(plan.scenario().machine, found))}}), {}};
}

}  // namespace roofline
