// roofline analyze FILE: what limits each operation of a file.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <roofline/fit.hpp>
#include <roofline/read.hpp>
#include <roofline/selection.hpp>
#include <roofline/text.hpp>
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
  std::string fit;  ///< where to write the calibrated machine
  Selection selection;
  bool with_infeed = false, without_infeed = false;
  std::string memory;
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

/// The machine as the file's measurements show it, into `path`; what was found on standard error.
Exit write_fit(const Plan& plan, const std::string& path) {
  const Result<Fit> found = fit(plan);
  if (!found) return report("--fit: " + found.error().text(), unusable_input), unusable_input;
  const Machine machine = calibrated(plan.scenario().machine, *found, plan.workload().source);
  std::ofstream file(path, std::ios::binary);
  file << machine_json(machine, true) << '\n';
  file.close();
  if (!file) return report(path + ": cannot be written", unusable_input), unusable_input;
  const auto share = [](double fraction) { return fraction == fraction ? percent(fraction) : std::string("not measured"); };
  std::string text = path + ": compute " + share(found->compute) + " of the peak, bandwidth " + share(found->bandwidth) + ", launch " +
                     (found->launch_s > 0 ? seconds(found->launch_s) : "0 s") + "; root mean square error " + percent(found->rms) +
                     " over " + std::to_string(found->rows.size()) + " operations (" + percent(found->bound_rms) + " of the bare bound)\n";
  if (found->above_roof > 0)
    text += std::to_string(found->above_roof) + " of them are faster than the machine allows: check its peak and bandwidth\n";
  std::fputs(text.c_str(), stderr);
  return done;
}

int analyze(const Options& options) {
  Outcome<Workload> workload = read_workload(options);
  Scenario stated = Scenario::standard();
  if (workload && !workload->machine_json.empty())
    if (const Result<void> used = use_stated_machine(stated, workload->machine_json); !used)
      workload->diagnostics.push_back({Severity::warning, used.error().message + "; the file's machine is not used", {}, 0, 0, "machine"});
  // A wrong command line is told before a wrong file; but it takes the file's machine to know which rates there are to set.
  const Outcome<Scenario> scenario = make_scenario(options.scenario, std::move(stated));
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  if (!workload) return report(workload.error().message, workload.error().exit);
  print_diagnostics(options.file, *workload);

  const Plan plan(*workload, *scenario);
  if (!options.fit.empty())
    if (const Exit written = write_fit(plan, options.fit); written != done) return written;
  Selection selection = options.selection;
  selection.infeed = !options.without_infeed;
  Result<RowMask> rows = select(plan, selection);
  if (!rows) return report("--" + rows.error().path + ": " + rows.error().message, wrong_command_line);
  if (!options.memory.empty() && !plan.axis(options.memory)) {
    std::string names = "bottleneck";
    for (const std::string& name : plan.axes()) names += ", " + name;
    return report("--memory: there is no memory \"" + options.memory + "\": expected one of " + names, wrong_command_line);
  }
  return print_analysis(plan, {options.top, {}, std::move(*rows), options.memory}, options.output);
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
  command->add_option("--fit", options->fit, "Also fit the machine to the measured times and write it to FILE")->type_name("FILE");
  command->add_option("--top", options->top, "Only the N operations with the most lost (else predicted) time")
      ->check([](const std::string& text) {  // what CLI11 reads as a number includes -1 and 1.5
        return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos ? ""
                                                                                          : "expected a whole number, found '" + text + "'";
      })
      ->type_name("N");
  const auto filter = [command](const char* name, std::vector<std::string>& words, const char* text, const char* word) {
    command->add_option(name, words, text)->allow_extra_args(false)->delimiter(',')->type_name(word);
  };
  filter("--step", options->selection.steps, "Only rows of this step; several with commas, or given again", "STEP");
  filter("--category", options->selection.categories, "Only this category or type of operation", "NAME");
  filter("--bound-by", options->selection.bounds, "Only what this limits: compute, a memory's or a link's name, memory, link, none",
         "NAME");
  command->add_option("--name", options->selection.name, "Only operations whose name holds this text")->type_name("TEXT");
  command
      ->add_option("--memory", options->memory,
                   "Whose intensity the chart's x axis has (default: for each operation the memory that takes longest)")
      ->type_name("NAME");
  CLI::Option* without =
      command->add_flag("--exclude-infeed", options->without_infeed, "Leave out the time of infeed and outfeed, where the file has both");
  command->add_flag("--include-infeed", options->with_infeed, "Count it (the default)")->excludes(without);
  add_output_option(*command, options->output, {"table", "json", "csv", "svg"});
  command->callback([options, &chosen] { chosen = [options] { return analyze(*options); }; });
}

}  // namespace roofline::cli
