// Machines side by side as JSON, CSV and a table: one row per machine and operation.
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "base/schemas.hpp"

namespace roofline {
namespace {

double time_of(double seconds) { return seconds > 0 ? seconds : unknown; }
std::string cell(double value, std::string_view unit) { return value > 0 ? with_unit(value, unit) : "-"; }

struct Row {
  const Machine& machine;
  std::size_t op;
  std::string name;
  const OnMachine& found;
};
constexpr Member<Row> row_members[] = {
    {"machine", schema::text, "its id", [](JsonOut& out, const Row& r) { out.value(r.machine.id); }},
    {"op", schema::count, "", field<&Row::op>},
    {"name", schema::text, "", field<&Row::name>},
    {"compute", schema::name, "the format it computes as",
     [](JsonOut& out, const Row& r) { write_name(out, Formats::id_of(r.found.compute)); }},
    {"peak_flops", schema::number, "FLOP/s", [](JsonOut& out, const Row& r) { out.value(r.found.peak); }},
    {"bandwidth", schema::number, "B/s", [](JsonOut& out, const Row& r) { out.value(r.found.bandwidth); }},
    {"ridge", schema::number, "FLOP/B", [](JsonOut& out, const Row& r) { out.value(r.found.ridge); }},
    {"predicted_time_s", schema::number, "s", [](JsonOut& out, const Row& r) { out.value(time_of(r.found.predicted_s)); }},
    {"typical_time_s", schema::number, "s", [](JsonOut& out, const Row& r) { out.value(time_of(r.found.typical_s)); }},
    {"bound_by", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.found.bound_by); }},
    {"speedup", schema::number, "over the baseline", [](JsonOut& out, const Row& r) { out.value(r.found.speedup); }}};

struct Document {
  const Workload& workload;
  const Scenario& scenario;
  const std::vector<const Machine*>& machines;
  const std::vector<std::vector<OnMachine>>& found;  ///< per operation
  std::optional<std::uint32_t> baseline;
};
constexpr Member<Document> members[] = {
    document_id<Document>("roofline-machines/1"),
    {"source", schema::text, "", [](JsonOut& out, const Document& d) { out.value(d.workload.source); }},
    {"baseline", schema::text, "a machine's id", [](JsonOut& out, const Document& d) { out.value(d.scenario.machine.id); }},
    {"baseline_format", schema::name, "null: each row's own",
     [](JsonOut& out, const Document& d) { write_name(out, d.baseline ? d.workload.name_of(*d.baseline) : std::string()); }},
    {"rows", R"("type":"array","items":{"$ref":"#/$defs/row"})", "machine by machine", [](JsonOut& out, const Document& d) {
       std::vector<Row> rows;
       for (std::size_t m = 0; m < d.machines.size(); ++m)
         for (std::size_t op = 0; op < d.found.size(); ++op) rows.push_back({*d.machines[m], op, d.workload.name_of(op), d.found[op][m]});
       write_objects<row_members>(out, rows);
     }}};

}  // namespace

ObjectSchema machines_schema() { return ObjectSchema().with(members); }
Definitions machines_definitions() { return {{"row", ObjectSchema().with(row_members)}}; }

std::string machines_text(const Workload& workload, const Scenario& scenario, const std::vector<const Machine*>& machines,
                          std::string_view form, std::optional<std::uint32_t> baseline) {
  std::vector<std::vector<OnMachine>> found;  // per operation
  for (std::size_t op = 0; op < workload.size(); ++op) {
    const Workload row = single_row(workload, op);
    found.push_back(compare_machines(Plan(row, scenario), machines));
  }
  if (baseline) {
    const Workload row = single_row(workload, *baseline);
    const double reference = summarize(Plan(row, scenario)).predicted_time_s;
    for (auto& machines_of_op : found)
      for (OnMachine& r : machines_of_op) r.speedup = reference > 0 && r.predicted_s > 0 ? reference / r.predicted_s : unknown;
  }
  if (form == "json")
    return json_text([&](JsonOut& out) { write_object<members>(out, Document{workload, scenario, machines, found, baseline}); }) + "\n";
  std::string text;
  const bool csv = form == "csv";
  if (csv) text = "machine,name,compute,peak_flops,bandwidth,ridge,predicted_time_s,typical_time_s,bound_by,speedup\r\n";
  const WorkUnit work(scenario);
  std::vector<std::vector<std::string>> rows{
      {"machine", "format", "computes as", "peak", "bandwidth", "ridge", "bound by", "predicted", "typical", "speed-up"}};
  for (std::size_t m = 0; m < machines.size(); ++m)
    for (std::size_t op = 0; op < found.size(); ++op) {
      const OnMachine& r = found[op][m];
      if (csv) {
        text += csv_cell(machines[m]->id) + ',' + csv_cell(workload.name_of(op)) + ',' + Formats::id_of(r.compute);
        for (const double v : {r.peak, r.bandwidth, r.ridge, r.predicted_s, r.typical_s}) text += ',' + shortest(v);
        text += ',' + csv_cell(r.bound_by) + ',' + shortest(r.speedup) + "\r\n";
        continue;
      }
      rows.push_back({printable(machines[m]->id), workload.name_of(op), Formats::id_of(r.compute) + (r.fallback ? " (fallback)" : ""),
                      r.peak > 0 ? work.rate(r.peak) : "-", cell(r.bandwidth, "B/s"), r.ridge > 0 ? number(work.scaled(r.ridge)) : "-",
                      printable(r.bound_by), r.predicted_s > 0 ? seconds(r.predicted_s) : "-", r.typical_s > 0 ? seconds(r.typical_s) : "-",
                      r.speedup > 0 ? times(r.speedup) : "-"});
    }
  if (csv) return text;
  // One operation, or the one in several formats that speed-ups refer to; today's machine first.
  std::vector<MachineChoice> choices;
  for (const OnMachine& r : found.at(baseline.value_or(0)))
    choices.insert(r.machine->id == scenario.machine.id ? choices.begin() : choices.end(), choice_of(r));
  const std::string finding = choice_finding(choices, false).text();
  return printable(workload.source) + "\n\n" + (finding.empty() ? "" : finding + "\n\n") + align(rows, "lllrrrlrrr") +
         "\nspeed-ups refer to " + (baseline ? workload.name_of(*baseline) + " on " : std::string()) + printable(scenario.machine.name) +
         "\n";
}

}  // namespace roofline
