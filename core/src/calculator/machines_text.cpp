// Machines side by side as JSON, CSV and a table: one row per machine and operation.
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>

#include "base/csv_row.hpp"
#include "base/json_out.hpp"

namespace roofline {
namespace {

std::string format_id(FormatId f) { return f == no_format ? std::string() : Formats::catalogue()[f].id; }
std::string cell(double value, std::string_view unit) { return value > 0 ? with_unit(value, unit) : "-"; }

}  // namespace

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
  if (form == "json") {
    return json_text([&](JsonOut& out) {
             out.begin_object();
             out.member("schema", "roofline-machines/1");
             out.member("source", workload.source);
             out.member("baseline", scenario.machine.id);
             out.key("baseline_format");  // null: each row's own
             if (baseline)
               out.value(workload.name_of(*baseline));
             else
               out.null();
             out.key("rows");
             out.begin_array();
             for (std::size_t m = 0; m < machines.size(); ++m)
               for (std::size_t op = 0; op < found.size(); ++op) {
                 const OnMachine& r = found[op][m];
                 out.begin_object();
                 out.member("machine", machines[m]->id);
                 out.member_count("op", op);
                 out.member("name", workload.name_of(op));
                 out.key("compute");
                 if (r.compute == no_format)
                   out.null();
                 else
                   out.value(format_id(r.compute));
                 out.member("peak_flops", r.peak);
                 out.member("bandwidth", r.bandwidth);
                 out.member("ridge", r.ridge);
                 out.member("predicted_time_s", r.predicted_s > 0 ? r.predicted_s : unknown);
                 out.member("typical_time_s", r.typical_s > 0 ? r.typical_s : unknown);
                 out.member("bound_by", r.bound_by);
                 out.member("speedup", r.speedup);
                 out.end_object();
               }
             out.end_array();
             out.end_object();
           }) +
           "\n";
  }
  std::string text;
  const bool csv = form == "csv";
  if (csv) text = "machine,name,compute,peak_flops,bandwidth,ridge,predicted_time_s,typical_time_s,bound_by,speedup\r\n";
  std::vector<std::vector<std::string>> rows{
      {"machine", "format", "computes as", "peak", "bandwidth", "ridge", "bound by", "predicted", "typical", "speed-up"}};
  for (std::size_t m = 0; m < machines.size(); ++m)
    for (std::size_t op = 0; op < found.size(); ++op) {
      const OnMachine& r = found[op][m];
      if (csv) {
        text += csv_cell(machines[m]->id) + ',' + csv_cell(workload.name_of(op)) + ',' + format_id(r.compute);
        for (const double v : {r.peak, r.bandwidth, r.ridge, r.predicted_s, r.typical_s}) text += ',' + shortest(v);
        text += ',' + csv_cell(r.bound_by) + ',' + shortest(r.speedup) + "\r\n";
        continue;
      }
      rows.push_back({printable(machines[m]->id), workload.name_of(op), format_id(r.compute) + (r.fallback ? " (fallback)" : ""),
                      cell(r.peak, "FLOP/s"), cell(r.bandwidth, "B/s"), r.ridge > 0 ? number(r.ridge) : "-", printable(r.bound_by),
                      r.predicted_s > 0 ? seconds(r.predicted_s) : "-", r.typical_s > 0 ? seconds(r.typical_s) : "-",
                      r.speedup > 0 ? number(r.speedup) + "x" : "-"});
    }
  if (csv) return text;
  // One operation, or the one in several formats that speed-ups refer to.
  const std::string finding = machines_finding(scenario.machine, found.at(baseline.value_or(0))).text();
  return printable(workload.source) + "\n\n" + (finding.empty() ? "" : finding + "\n\n") + align(rows, "lllrrrlrrr") +
         "\nspeed-ups refer to " + (baseline ? workload.name_of(*baseline) + " on " : std::string()) + printable(scenario.machine.name) +
         "\n";
}

}  // namespace roofline
