// What analyze writes beside its tables and documents: reports, summaries, calibrated machines and the uses of columns.
#include <cstdio>
#include <fstream>
#include <roofline/analysis/fit.hpp>
#include <roofline/base/text.hpp>
#include <roofline/read/table_columns.hpp>
#include <roofline/write/summary.hpp>

#include "commands/analyze/analyze.hpp"
#include "io/files.hpp"
#include "io/report.hpp"
#include "options/fuse.hpp"
#include "options/output.hpp"

namespace roofline::cli {

Exit write_fit(const Plan& plan, const std::string& path) {
  const Result<Fit> found = fit(plan);
  if (!found) return report("--fit: " + found.error().text(), unusable_input), unusable_input;
  const Machine machine = calibrated(plan.scenario().machine, *found, plan.workload().source);
  std::ofstream file(path, std::ios::binary);
  file << machine_json(machine, true) << '\n';
  file.close();
  if (!file) return report(path + ": cannot be written", unusable_input), unusable_input;
  const auto share = [](double fraction) { return known(fraction) ? percent(fraction) : std::string("not measured"); };
  std::string text = path + ": compute " + share(found->compute) + " of the peak, bandwidth " + share(found->bandwidth) + ", launch " +
                     (found->launch_s > 0 ? seconds(found->launch_s) : "0 s") + "; root mean square error " + percent(found->rms) +
                     " over " + std::to_string(found->rows.size()) + " operations (" + percent(found->bound_rms) + " of the bare bound)\n";
  if (found->above_roof > 0)
    text += std::to_string(found->above_roof) + " of them are faster than the machine allows: check its peak and bandwidth\n";
  std::fputs(text.c_str(), stderr);
  return done;
}

int print_analysis_report(const AnalyzeOptions& options, const OpSet& ops, const std::string& machine,
                          const nlohmann::ordered_json& model) {
  const Plan& plan = ops.plan();
  Report page;
  page.top = options.top;
  page.source = options.registries;
  for (const std::string& file : {options.second, options.file})
    if (!file.empty() && file != machine) {
      page.source.insert(page.source.begin() + static_cast<std::ptrdiff_t>(options.registries.size()), file);
      page.link["source"] = file_source(file);
    }
  nlohmann::ordered_json as;
  if (!model.is_null()) as["model"] = model;
  for (const auto& [header, as_header] : options.columns) as["columns"][header] = as_header;
  if (!as.is_null()) page.link["source"]["as"] = std::move(as);
  page.link["settings"] = link_settings(plan.scenario());
  page.link["view"] = link_view(options.selection.chosen(), plan.workload());
  if (!options.memory.empty()) page.link["view"]["memory"] = options.memory;
  if (!options.fuse.empty()) {
    const Outcome<std::vector<std::uint32_t>> rows = rows_to_fuse(plan.workload(), options.fuse);
    if (!rows) return report(rows.error());
    if (rows->back() - rows->front() + 1 != rows->size())
      return report("--fuse: a report has neighbours alone: expected one range such as 3-5", wrong_command_line);
    page.link["view"]["fuse"] = {rows->front(), rows->back()};
    page.link["selected"] = rows->front();
  }
  return print_report(page, options.page);
}

int print_summary(const OpSet& ops, const std::string& file) {
  if (ops.plan().workload().source_format == SourceFormat::summary)
    return report(file + ": a summary already: expected `roofline summarize`, which takes it as it is", unusable_input);
  RunSummary summary;
  if (const Result<void> added = summary.add(ops); !added) return report(added.error().text(), unusable_input);
  summary.end_run();
  return print_pieces([&](const Sink& sink) { summary.write(sink); });
}

int print_columns(const AnalyzeOptions& options) {
  if (options.output != "table" && options.output != "json")
    return report("--columns: expected -o table or json, found " + options.output, wrong_command_line);
  const Result<std::string> bytes = read_file(options.file);
  const Result<std::string> text = bytes ? to_utf8(*bytes) : bytes;
  if (!text) return report(describe(options.file, text.error()), unusable_input);
  const auto columns = table_columns(*text, options.columns);
  if (!columns) return report(describe(options.file, columns.error()), unusable_input);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> rows = {{"column", "use", "as", "unit", "first rows"}};
  for (const TableColumn& c : *columns) {
    list.push_back({{"header", c.header}, {"use", to_string(c.use)}, {"as", c.as}, {"unit", c.unit}, {"first", c.first}});
    std::string first;
    for (const std::string& value : c.first)
      first += (first.empty() ? "" : " ") + (value.size() > 24 ? value.substr(0, 24) + "..." : value);
    rows.push_back({printable(c.header), to_string(c.use), c.as, c.unit, printable(first)});
  }
  return print(options.output == "json"
                   ? nlohmann::ordered_json{{"columns", list}}.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n'
                   : align(rows, "lllll"));
}

}  // namespace roofline::cli
