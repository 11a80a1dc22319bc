// "which_machine": which machine ran what is open, where it does not say.
//   {"most": 3} -> {"asked", "reservation", "machines": [{"id", "name", "reach", "holds", "word", "reason"}]}: the likely ones, best first
#include <roofline/analysis/which_machine.hpp>

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
                        {"reach", number(c->reach)},
                        {"holds", c->holds()},
                        {"word", c->word},
                        {"reason", reason(*c)}});
  return Answer{dump(Json{{"asked", asked(found)}, {"reservation", reservation(found)}, {"machines", std::move(machines)}}), {}};
}

}  // namespace roofline
