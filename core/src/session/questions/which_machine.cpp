// "which_machine": which machine ran what is open, where it does not say.
//   {"most": 3, "own": [machine files]} -> {"asked", "reservation", "machines": [{"id", "name", "reach", "roof", "holds",
//   "evidence", "reason"}], "fitting": [{"id", "reason"}], "unlikely": [{"id", "holds", "reason"}]}: the likely ones, best first ("reach"
//   is null above the roof); presets and "own" machines that allow the file's rates, those that its words name
//   first, then the nearest roof; and those that lack a format
//   of the file or whose roof the file exceeds, unless the file names them
#include <roofline/analysis/which_machine.hpp>

#include "base/sort_stably.hpp"
#include "machine/json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_which_machine(const QuestionContext& of, const Json& request) {
  const WhichMachine found = which_machine(of.ops, Machines::presets().all());
  const auto number = [](double v) { return known(v) ? Json(v) : Json(); };
  Json machines = Json::array();
  for (const MachineCandidate* c : likely(found, count_in(request, "most", 3, 100)))
    machines.push_back({{"id", c->machine->id},
                        {"name", short_name(*c->machine)},
                        {"reach", number(c->above() ? unknown : c->reach)},
                        {"roof", c->roof},
                        {"holds", c->holds()},
                        {"evidence", evidence(*c)},
                        {"reason", reason(*c)}});
  std::vector<Machine> others;
  for (const Machine& preset : Machines::presets().all())
    if (preset.vendor.empty()) others.push_back(preset);  // which_machine() skips them
  for (const Json& file : member(request, "own")) {
    auto machine = machine_from(file);
    if (!machine) return fail(machine.error().message, machine.error().path);
    others.push_back(std::move(*machine));
  }
  std::vector<MachineCandidate> candidates = candidates_of(of.ops, others);
  candidates.insert(candidates.begin(), found.candidates.begin(), found.candidates.end());
  // Machines that the file names come first, then those with the nearest roof; those that only a boost clock allows come last.
  const auto order = [](const MachineCandidate& c) {
    return std::pair(-static_cast<int>(c.match), c.reach > 1 ? c.reach : -known_or(c.reach, 0));
  };
  sort_stably(candidates, [&](const MachineCandidate& a, const MachineCandidate& b) { return order(a) < order(b); });
  Json fitting = Json::array(), unlikely = Json::array();
  for (const MachineCandidate& c : candidates) {
    if (!c.fits())
      unlikely.push_back({{"id", c.machine->id}, {"holds", c.holds()}, {"reason", reason(c)}});
    else if (known(c.reach))
      fitting.push_back({{"id", c.machine->id}, {"reason", reason(c)}});
  }
  return Answer{dump(Json{{"asked", asked(found)},
                          {"reservation", reservation(found)},
                          {"machines", std::move(machines)},
                          {"fitting", std::move(fitting)},
                          {"unlikely", std::move(unlikely)}}),
                {}};
}

}  // namespace roofline
