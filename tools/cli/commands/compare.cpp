// roofline compare A B: what changed from one run to another.
#include <memory>
#include <optional>
#include <roofline/write/compare.hpp>
#include <roofline/write/markdown.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/files.hpp"
#include "io/report.hpp"
#include "options/conditions.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"
#include "options/selection.hpp"
#include "options/workload.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string a, b;
  ScenarioOptions scenario;
  std::string machine_b;
  std::vector<std::string> registries;
  CompareOptions listed;
  SelectionOptions selection;
  std::vector<std::string> fail_if;
  std::string output = "table";
  std::string page;  ///< of a report
};

int comparison_report(const Options& options, const Plan& before, const Plan& after) {
  Report report;
  report.top = options.listed.top;
  report.before = report.source = options.registries;
  report.before.push_back(options.a);
  report.source.push_back(options.b);
  report.link["source"] = file_source(options.b);
  report.link["before"] = file_source(options.a);
  report.link["settings"] = link_settings(after.scenario());
  report.link["view"] = link_view(options.selection.chosen(), after.workload());
  report.link["view"]["tab"] = "compare";
  if (options.listed.unchanged) report.link["view"]["unchanged"] = true;
  if (options.listed.by_type) report.link["view"]["compareBy"] = "type";
  const Scenario &a = before.scenario(), &b = after.scenario();
  if (a.base != b.base && a.basis == MachineBasis::chosen)
    report.link["view"]["beforeMachine"] = nlohmann::ordered_json::parse(machine_json(a.machine, true));
  return print_report(report, options.page);
}

int compare_runs(const Options& options) {
  const Outcome<std::vector<Condition>> conditions = compile_conditions(options.fail_if, Summarised::comparison);
  if (!conditions) return report(conditions.error());
  if (options.output == "html") keep_standard_input();
  if (options.a == "-" && options.b == "-") return report("only one of the two runs can be standard input", wrong_command_line);
  ReadOptions as;
  as.assumed_format = assumed_format(options.scenario);
  ScenarioOptions of_b = options.scenario;
  if (!options.machine_b.empty()) of_b.machine = options.machine_b;
  NetworkChoices network_a, network_b;
  network_a.use_machine(options.scenario);
  network_b.use_machine(of_b);
  Outcome<Workload> a = read_workload(options.a, options.registries, as, network_a);
  Outcome<Workload> b = read_workload(options.b, options.registries, as, network_b);
  const Outcome<Scenario> scenario_a = make_scenario(options.scenario, a ? stated_scenario(*a) : Scenario::standard());
  if (!scenario_a) return report(scenario_a.error());
  // One machine for both, unless the second file or --machine-b names its own.
  const bool own = b && !b->machine_json.empty() && options.scenario.machine.empty();
  const Outcome<Scenario> scenario_b = make_scenario(of_b, own ? stated_scenario(*b) : *scenario_a);
  if (!scenario_b) return report(scenario_b.error());
  for (const auto* run : {&a, &b})
    if (!*run) return report(run->error());
  print_diagnostics(options.a, *a);
  print_diagnostics(options.b, *b);

  const Plan before(*a, *scenario_a), after(*b, *scenario_b);
  const Result<std::pair<OpSet, OpSet>> ops = select(before, after, options.selection.chosen());
  if (!ops) return report("--" + ops.error().path + ": " + ops.error().message, wrong_command_line);
  ask_for_machine(ops->first);
  const Comparison comparison = compare(ops->first, ops->second);
  const auto write = options.output == "json"       ? write_compare_json
                     : options.output == "csv"      ? write_compare_csv
                     : options.output == "markdown" ? write_compare_markdown
                                                    : write_compare_table;
  const int printed = options.output == "html"
                          ? comparison_report(options, before, after)
                          : print_pieces([&](const Sink& sink) { write(before, after, comparison, options.listed, sink); });
  return judge(printed, *conditions, [&] { return judged_comparison_json(before, after, comparison); });
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "What changed from one run to another: per operation, and in total");
  command->add_option("A", options->a, "The run before: any file that analyze reads; - is standard input")->required()->type_name("");
  command->add_option("B", options->b, "The run after")->required()->type_name("");
  add_scenario_options(*command, options->scenario);
  command->add_option("--machine-b", options->machine_b, "The machine of the second run (default: that of the first)")
      ->type_name("ID|FILE");
  command->add_option("--registry", options->registries, "More operations: an op_registry.json; given again, later ones win")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--top", options->listed.top, "Only the N operations (or types) that changed most")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_flag("--unchanged", options->listed.unchanged, "The table lists what did not change, too");
  command->add_flag("--by-type", options->listed.by_type, "Tables and CSV list the sums by type instead of the operations; JSON has both");
  add_selection_options(*command, options->selection);
  add_fail_if_option(*command, options->fail_if);
  add_output_option(*command, options->output, {"table", "json", "csv", "markdown", "html"});
  add_template_option(*command, options->page);
  command->callback([options, &chosen] { chosen = [options] { return compare_runs(*options); }; });
}

}  // namespace roofline::cli
