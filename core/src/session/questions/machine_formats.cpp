// "machine_formats": what the view lets through, in each format on each machine. {"op": row or null, "machines": [ids], absent: every
// preset of a vendor, "formats": [ids], absent: those of 4 bits or more that some machine computes in} -> {"machines": [{"id", "name"}],
// "formats": [ids], "sqnr_db" of each, of normally distributed numbers (null: exact, or not known), "accurate": whether each keeps
// "least_db", "today_s", "finding" of those that do}; columns, machines
// slowest: "predicted" (s; NaN: not known), "fallback" (1: the machine computes it in a wider format)
#include <algorithm>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/calculator/machines.hpp>

#include "analysis/finding_json.hpp"
#include "session/questions/questions.hpp"
#include "session/questions/sqnr.hpp"

namespace roofline {
namespace {

constexpr double least_bits = 4;  // with fewer, whole networks are not accurate enough

bool computed_somewhere(FormatId format) {
  const auto& machines = Machines::presets().all();
  return std::any_of(machines.begin(), machines.end(), [&](const Machine& machine) {
    if (machine.vendor.empty()) return false;  // an example, which has one rate for every format
    return std::any_of(machine.matrix.begin(), machine.matrix.end(), [&](const Peak& p) { return p.format == format && p.flops.known(); });
  });
}

Result<std::vector<FormatId>> formats_of(const Json& ids) {
  const Formats& formats = Formats::catalogue();
  std::vector<FormatId> out;
  if (!ids.is_array()) {
    for (std::size_t f = 0; f < formats.size(); ++f)
      if (formats.all()[f].effective_bits() >= least_bits && computed_somewhere(static_cast<FormatId>(f)))
        out.push_back(static_cast<FormatId>(f));
    return out;
  }
  for (const Json& id : ids) {
    const auto format = formats.find(text_of(id));
    if (!format) return fail(formats.unknown_name_message(text_of(id)), "formats");
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
    const bool wanted = !ids.is_array() ? !machine.vendor.empty() : std::find(ids.begin(), ids.end(), Json(machine.id)) != ids.end();
    if (wanted && machine.id != plan.scenario().machine.id) machines.push_back(&machine);
  }
  const auto formats = formats_of(member(request, "formats"));
  if (!formats) return Unexpected(formats.error());
  const MachineMatrix matrix = machine_matrix(asked_for(of, request), machines, *formats);
  const std::vector<double>& sqnr_db = sqnr_table(Sample::gaussian);
  std::vector<double> format_sqnr_db;
  for (const FormatId format : *formats) format_sqnr_db.push_back(sqnr_db[format]);
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
      out.array("sqnr_db", [&] {
        for (const double db : format_sqnr_db) out.value(db);
      });
      out.array("accurate", [&] {
        for (const double db : format_sqnr_db) out.value(db >= default_min_sqnr_db);
      });
      out.member("least_db", default_min_sqnr_db);
      out.member("today_s", matrix.today_s > 0 ? matrix.today_s : unknown);
      write_finding(out, matrix_finding(matrix, format_sqnr_db, default_min_sqnr_db, plan.scenario().machine));
    });
  });
  answer.columns = {{"predicted", std::vector<float>(matrix.predicted_s.begin(), matrix.predicted_s.end())},
                    {"fallback", std::vector<float>(matrix.fallback.begin(), matrix.fallback.end())}};
  return answer;
}

}  // namespace roofline
