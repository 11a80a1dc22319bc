// roofline analyze FILE: what limits each operation of a file.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <roofline/read.hpp>
#include <roofline/text.hpp>
#include <roofline/write.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "files.hpp"
#include "output.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string file;
  std::string machine;
  std::string config;
  std::vector<std::string> registries;
  std::vector<std::string> settings;
  std::optional<std::size_t> top;
  std::string output = "table";
};

/// Why nothing can be printed, and what the process then ends with.
struct Failure {
  std::string message;
  Exit exit = unusable_input;
};
template <class T>
using Outcome = tl::expected<T, Failure>;

tl::unexpected<Failure> give_up(std::string message, Exit exit) { return tl::unexpected(Failure{std::move(message), exit}); }

/// A path, not the id of a preset: it has a folder or the ending of a JSON file, or there is such a file and no such preset.
bool is_machine_file(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code ignored;
  return path.has_parent_path() || path.extension() == ".json" ||
         (!Machines::presets().find(name) && std::filesystem::is_regular_file(path, ignored));
}

Outcome<Machine> read_machine(const std::string& file) {
  const Result<std::string> text = read_text(file);
  if (!text) return give_up(describe(file, text.error()), unusable_input);
  Result<Machine> machine = parse_machine(*text);
  if (!machine) return give_up(describe(file, machine.error()), unusable_input);
  return std::move(*machine);
}

/// --set over --config over --machine over `start`.
Outcome<Scenario> make_scenario(const Options& options, Scenario start) {
  Scenario scenario = std::move(start);
  if (is_machine_file(options.machine)) {
    Outcome<Machine> machine = read_machine(options.machine);
    if (!machine) return tl::unexpected(std::move(machine.error()));
    scenario.use(std::move(*machine));
  } else if (!options.machine.empty()) {
    const Result<void> found = set(scenario, "machine", options.machine);
    if (!found) return give_up("--machine: " + found.error().message, wrong_command_line);
  }
  if (!options.config.empty()) {
    const Result<std::string> text = read_text(options.config);
    if (!text) return give_up(describe(options.config, text.error()), unusable_input);
    const Result<void> applied = apply_config(scenario, *text);
    if (!applied) return give_up(describe(options.config, applied.error()), unusable_input);
  }
  // The machine first, as in a config: choosing one forgets the rates that were typed for another.
  std::vector<std::string> settings = options.settings;
  std::stable_partition(settings.begin(), settings.end(), [](const std::string& s) { return s.rfind("machine=", 0) == 0; });
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) return give_up("--set " + setting + ": expected KEY=VALUE", wrong_command_line);
    const Result<void> applied = set(scenario, setting.substr(0, equals), setting.substr(equals + 1));
    if (!applied) return give_up("--set " + setting + ": " + applied.error().message, wrong_command_line);
  }
  return scenario;
}

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

/// As compilers write them, so that editors find the place.
void print_diagnostics(const std::string& file, const Workload& workload) {
  constexpr std::size_t limit = 20;
  const std::size_t total = workload.diagnostics.size() + workload.hidden_diagnostics;
  const std::size_t shown = std::min(limit, workload.diagnostics.size());
  std::string lines;
  for (std::size_t i = 0; i < shown; ++i) {
    const Diagnostic& diagnostic = workload.diagnostics[i];
    std::string text = display_name(file);
    if (diagnostic.line > 0) text += ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column);
    text += std::string(": ") + to_string(diagnostic.severity) + ": ";
    if (diagnostic.op) text += "op " + std::to_string(*diagnostic.op) + ": ";
    text += diagnostic.message;
    lines += printable(text) + "\n";
  }
  if (total > shown) lines += "and " + std::to_string(total - shown) + " more\n";
  std::fputs(lines.c_str(), stderr);
}

int analyze(const Options& options) {
  Outcome<Workload> workload = read_workload(options);
  Scenario stated = Scenario::standard();
  if (workload && !workload->machine_json.empty())
    if (const Result<void> used = use_stated_machine(stated, workload->machine_json); !used)
      workload->diagnostics.push_back(
          {Severity::warning, used.error().message + "; the file's machine is not used", {}, 0, 0, "machine"});
  // A wrong command line is told before a wrong file; but it takes the file's machine to know which rates there are to set.
  const Outcome<Scenario> scenario = make_scenario(options, std::move(stated));
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  if (!workload) return report(workload.error().message, workload.error().exit);
  print_diagnostics(options.file, *workload);

  const auto write = options.output == "json"  ? write_json
                     : options.output == "csv" ? write_csv
                     : options.output == "svg" ? write_svg
                                               : write_table;
  Output output;
  write(Plan(*workload, *scenario), {options.top}, [&output](std::string_view piece) { output.write(piece); });
  return output.finish() ? done : unusable_input;
}

}  // namespace

void add_analyze(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("analyze", "What limits each operation of a file, and why");
  command->add_option("FILE", options->file, "Operations: JSON, plain or gzip; - is standard input")->required()->type_name("");
  command->add_option("--machine", options->machine, "An id that `roofline list machines` prints, or a JSON file (default: npu-32t50)")
      ->type_name("ID|FILE");
  command->add_option("--config", options->config, "Settings: a roofline_config.json")->type_name("FILE");
  command->add_option("--registry", options->registries, "More operations: an op_registry.json; given again, later ones win")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--set", options->settings, "One setting, by its key in roofline_config.json; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
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
