// "machine_formats": what the view lets through, in each format on each machine. {"op": row or null, "machines": [ids], absent: every
// preset, "formats": [ids], absent: those that some machine computes in} -> {"machines": [{"id", "name"}], "formats": [ids], "today_s",
// "finding"}; columns, machines slowest: "predicted" (s; NaN: not known), "fallback" (1: the machine computes it in a wider format)
#include <algorithm>
#include <roofline/calculator/machines.hpp>

#include "analysis/finding_json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

/// One rate stated for every format says of none that the machine computes in it.
bool computed_somewhere(FormatId format) {
  const auto& machines = Machines::presets().all();
  return std::any_of(machines.begin(), machines.end(), [&](const Machine& machine) {
    return machine.matrix.size() < Formats::catalogue().size() && known(machine.peak(Unit::matrix, format));
  });
}

Result<std::vector<FormatId>> formats_of(const Json& ids) {
  const Formats& formats = Formats::catalogue();
  std::vector<FormatId> out;
  if (!ids.is_array()) {
    for (std::size_t f = 0; f < formats.size(); ++f)
      if (computed_somewhere(static_cast<FormatId>(f))) out.push_back(static_cast<FormatId>(f));
    return out;
  }
  for (const Json& id : ids) {
    const auto format = formats.find(text_of(id));
    if (!format) return fail("unknown format \"" + text_of(id) + '"', "formats");
    out.push_back(*format);
  }
  return out;
}

}  // namespace

Result<Answer> ask_machine_formats(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  std::vector<const Machine*> machines = {&plan.scenario().machine};
  const Json& ids = member(request, "machines");
  for (const Machine& machine : Machines::presets().all()) {
    const bool wanted = !ids.is_array() || std::find(ids.begin(), ids.end(), Json(machine.id)) != ids.end();
    if (wanted && machine.id != plan.scenario().machine.id) machines.push_back(&machine);
  }
  const auto formats = formats_of(member(request, "formats"));
  if (!formats) return Unexpected(formats.error());
  const MachineMatrix matrix = machine_matrix(asked_for(of, request), machines, *formats);
  Answer answer;
  answer.json = json_text([&](JsonOut& out) {
    out.object([&] {
      out.array("machines", [&] {
        for (const Machine* machine : machines)
          out.object([&] {
            out.member("id", machine->id);
            out.member("name", machine->name);
          });
      });
      out.array("formats", [&] {
        for (const FormatId format : *formats) out.value(Formats::catalogue()[format].id);
      });
      out.member("today_s", matrix.today_s > 0 ? matrix.today_s : unknown);
      write_finding(out, matrix_finding(matrix, plan.scenario().machine));
    });
  });
  answer.columns = {{"predicted", std::vector<float>(matrix.predicted_s.begin(), matrix.predicted_s.end())},
                    {"fallback", std::vector<float>(matrix.fallback.begin(), matrix.fallback.end())}};
  return answer;
}

}  // namespace roofline
