// roofline analyze FILE: what limits each operation of a file.
#include <filesystem>
#include <memory>
#include <optional>
#include <roofline/read.hpp>
#include <roofline/write.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "files.hpp"
#include "scenario.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string file;
  ScenarioOptions scenario;
  std::vector<std::string> registries;
  std::optional<std::size_t> top;
  std::string output = "table";
};

Outcome<Workload> read_workload(const Options& options) {
  Keys keys;
  Registry registry;
  for (const std::string& file : options.registries) {
    const Result<std::string> text = read_text(file);
    if (!text) return give_up(describe(file, text.error()), unusable_input);
    const Result<void> added = registry.add(*text, keys);
    if (!added) return give_up(describe(file, added.error()), unusable_input);
  }
  Result<std::string> text = read_text(options.file);
  if (!text) return give_up(describe(options.file, text.error()), unusable_input);
  const std::string name = options.file == "-" ? display_name("-") : std::filesystem::path(options.file).filename().string();
  Result<Workload> workload = read(std::move(*text), {name, &registry, &keys});
  if (!workload) return give_up(describe(options.file, workload.error()), unusable_input);
  return std::move(*workload);
}

int analyze(const Options& options) {
  Outcome<Workload> workload = read_workload(options);
  Scenario stated = Scenario::standard();
  if (workload && !workload->machine_json.empty())
    if (const Result<void> used = use_stated_machine(stated, workload->machine_json); !used)
      workload->diagnostics.push_back(
          {Severity::warning, used.error().message + "; the file's machine is not used", {}, 0, 0, "machine"});
  // A wrong command line is told before a wrong file; but it takes the file's machine to know which rates there are to set.
  const Outcome<Scenario> scenario = make_scenario(options.scenario, std::move(stated));
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  if (!workload) return report(workload.error().message, workload.error().exit);
  print_diagnostics(options.file, *workload);

  return print_analysis(Plan(*workload, *scenario), {options.top}, options.output);
}

}  // namespace

void add_analyze(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("analyze", "What limits each operation of a file, and why");
  command->add_option("FILE", options->file, "Operations: JSON, plain or gzip; - is standard input")->required()->type_name("");
  add_scenario_options(*command, options->scenario);
  command->add_option("--registry", options->registries, "More operations: an op_registry.json; given again, later ones win")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--top", options->top, "Only the N operations with the most lost (else predicted) time")
      ->check([](const std::string& text) {  // what CLI11 reads as a number includes -1 and 1.5
        return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos ? ""
                                                                                          : "expected a whole number, found '" + text + "'";
      })
      ->type_name("N");
  add_output_option(*command, options->output, {"table", "json", "csv", "svg"});
  command->callback([options, &chosen] { chosen = [options] { return analyze(*options); }; });
}

}  // namespace roofline::cli
