// roofline compare A B: what changed from one run to another.
#include <memory>
#include <optional>
#include <roofline/write/compare.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "output.hpp"
#include "scenario.hpp"
#include "selection.hpp"
#include "workload.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string a, b;
  ScenarioOptions scenario;
  std::string machine_b;
  std::vector<std::string> registries;
  CompareOptions listed;
  SelectionOptions selection;
  std::string output = "table";
};

int compare_runs(const Options& options) {
  if (options.a == "-" && options.b == "-") return report("only one of the two runs can be standard input", wrong_command_line);
  const FormatId assumed = assumed_format(options.scenario);
  Outcome<Workload> a = read_workload(options.a, options.registries, assumed), b = read_workload(options.b, options.registries, assumed);
  ScenarioOptions of_b = options.scenario;
  if (!options.machine_b.empty()) of_b.machine = options.machine_b;
  const Outcome<Scenario> scenario_a = make_scenario(options.scenario, a ? stated_scenario(*a) : Scenario::standard());
  if (!scenario_a) return report(scenario_a.error().message, scenario_a.error().exit);
  // One machine for both, unless the second file or --machine-b names its own.
  const bool own = b && !b->machine_json.empty() && options.scenario.machine.empty();
  const Outcome<Scenario> scenario_b = make_scenario(of_b, own ? stated_scenario(*b) : *scenario_a);
  if (!scenario_b) return report(scenario_b.error().message, scenario_b.error().exit);
  for (const auto* run : {&a, &b})
    if (!*run) return report(run->error().message, run->error().exit);
  print_diagnostics(options.a, *a);
  print_diagnostics(options.b, *b);

  const Plan before(*a, *scenario_a), after(*b, *scenario_b);
  const Result<std::pair<OpSet, OpSet>> ops = select(before, after, options.selection.chosen());
  if (!ops) return report("--" + ops.error().path + ": " + ops.error().message, wrong_command_line);
  ask_for_machine(ops->first);
  const Comparison comparison = compare(ops->first, ops->second);
  Output output;
  const Sink sink = [&](std::string_view piece) { output.write(piece); };
  const auto write = options.output == "json" ? write_compare_json : options.output == "csv" ? write_compare_csv : write_compare_table;
  write(before, after, comparison, options.listed, sink);
  return output.finish() ? done : unusable_input;
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
  command->add_option("--top", options->listed.top, "Only the N operations that changed most")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  command->add_flag("--unchanged", options->listed.unchanged, "The table lists what did not change, too");
  add_selection_options(*command, options->selection);
  add_output_option(*command, options->output, {"table", "json", "csv"});
  command->callback([options, &chosen] { chosen = [options] { return compare_runs(*options); }; });
}

}  // namespace roofline::cli
