// "which_machine": which machine ran what is open, where it does not say.
//   {"most": 3, "own": [machine files]} -> {"asked", "reservation", "machines": [{"id", "name", "reach", "roof", "holds", "word",
//   "reason"}], "fitting": [{"id", "reason"}], "unlikely": [{"id", "holds", "reason"}]}: the likely ones, best first (a "reach" beyond the
//   roof is null); all that allow the file's rates, the nearest roof first; and those of the presets and of "own" that lack a format of the
//   file or whose roof it exceeds, unless the file names them
#include <roofline/analysis/which_machine.hpp>

#include "machine/json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_which_machine(const QuestionContext& of, const Json& request) {
  const WhichMachine found = which_machine(of.ops, Machines::presets().all());
  const double limit = number_of(member(request, "most"));
  const auto number = [](double v) { return known(v) ? Json(v) : Json(); };
  Json machines = Json::array();
  for (const MachineCandidate* c : likely(found, limit >= 1 && limit <= 100 ? static_cast<std::size_t>(limit) : 3))
    machines.push_back({{"id", c->machine->id},
                        {"name", short_name(*c->machine)},
                        {"reach", number(c->above() ? unknown : c->reach)},
                        {"roof", c->roof},
                        {"holds", c->holds()},
                        {"word", c->word},
                        {"reason", reason(*c)}});
  std::vector<Machine> own;
  for (const Machine& preset : Machines::presets().all())
    if (preset.vendor.empty()) own.push_back(preset);  // which_machine() does not look at them
  for (const Json& file : member(request, "own")) {
    auto machine = machine_from(file);
    if (!machine) return fail(machine.error().message, machine.error().path);
    own.push_back(std::move(*machine));
  }
  Json fitting = Json::array(), unlikely = Json::array();
  const auto list = [&](const std::vector<MachineCandidate>& candidates) {
    for (const MachineCandidate& c : candidates) {
      if (!c.fits())
        unlikely.push_back({{"id", c.machine->id}, {"holds", c.holds()}, {"reason", reason(c)}});
      else if (known(c.reach))
        fitting.push_back({{"id", c.machine->id}, {"reason", reason(c)}});
    }
  };
  list(found.candidates);
  list(candidates_of(of.ops, own));
  return Answer{dump(Json{{"asked", asked(found)},
                          {"reservation", reservation(found)},
                          {"machines", std::move(machines)},
                          {"fitting", std::move(fitting)},
                          {"unlikely", std::move(unlikely)}}),
                {}};
}

}  // namespace roofline
