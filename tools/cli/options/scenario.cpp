#include "options/scenario.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <roofline/analysis/which_machine.hpp>
#include <roofline/base/text.hpp>
#include <roofline/machine/machine_import.hpp>
#include <roofline/write/markdown.hpp>

#include "io/files.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

/// A path, not the id of a preset: it has a folder or the ending of a machine's file, or there is such a file and no such preset.
bool is_machine_file(const std::string& name) {
  const std::filesystem::path path(name);
  std::error_code ignored;
  return path.has_parent_path() || path.extension() == ".json" || path.extension() == ".xml" ||
         (!Machines::presets().find(name) && std::filesystem::is_regular_file(path, ignored));
}

Outcome<Machine> read_machine(const std::string& file) {
  const Result<std::string> text = read_text(file);
  if (!text) return give_up(describe(file, text.error()), unusable_input);
  Result<Machine> machine = import_machine(*text);
  if (!machine) return give_up(describe(file, machine.error()), unusable_input);
  return std::move(*machine);
}

}  // namespace

void add_scenario_options(CLI::App& command, ScenarioOptions& options) {
  command.add_option("--machine", options.machine, "An id that `roofline list machines` prints, or a machine's file (default: npu-32t50)")
      ->type_name("ID|FILE");
  command
      .add_option("--stack", options.stack,
                  "Software stack of the realistic times: an id that `roofline list stacks` prints (default: the usual one)")
      ->type_name("ID");
  command.add_option("--config", options.config, "Settings: a roofline_config.json")->type_name("FILE");
  command.add_option("--set", options.settings, "One setting, by its key in roofline_config.json; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

Outcome<Machine> find_machine(const std::string& name) {
  if (is_machine_file(name)) return read_machine(name);
  Scenario scenario;
  const Result<void> found = set(scenario, "machine", name);
  if (!found) return give_up(found.error().message, wrong_command_line);
  return std::move(scenario.base);
}

Outcome<Scenario> make_scenario(const ScenarioOptions& options, Scenario start) {
  Scenario scenario = std::move(start);
  if (!options.machine.empty()) {
    Outcome<Machine> machine = find_machine(options.machine);
    if (!machine && machine.error().exit == wrong_command_line) machine.error().message.insert(0, "--machine: ");
    if (!machine) return tl::unexpected(std::move(machine.error()));
    scenario.use(std::move(*machine));
  }
  if (!options.config.empty()) {
    const Result<std::string> text = read_text(options.config);
    if (!text) return give_up(describe(options.config, text.error()), unusable_input);
    const Result<void> applied = apply_config(scenario, *text);
    if (!applied) return give_up(describe(options.config, applied.error()), unusable_input);
  }
  if (!options.stack.empty())
    if (const Result<void> chosen = set(scenario, "stack", options.stack); !chosen)
      return give_up("--stack: " + chosen.error().message, wrong_command_line);
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

FormatId assumed_format(const ScenarioOptions& options) {
  Scenario scenario;
  if (!options.config.empty())
    if (const Result<std::string> text = read_text(options.config)) static_cast<void>(apply_config(scenario, *text));
  for (const std::string& setting : options.settings)
    if (constexpr std::string_view key = "assumed_format="; setting.starts_with(key))
      static_cast<void>(set(scenario, key.substr(0, key.size() - 1), setting.substr(key.size())));
  return scenario.assumed_format.value_or(no_format);
}

void print_diagnostic(const std::string& file, const Diagnostic& diagnostic) {
  std::string text = display_name(file);
  if (diagnostic.line > 0) text += ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column);
  text += std::string(": ") + to_string(diagnostic.severity) + ": ";
  if (diagnostic.op) text += "op " + std::to_string(*diagnostic.op) + ": ";
  text += diagnostic.message;
  std::fputs((printable(text) + "\n").c_str(), stderr);
}

void print_diagnostics(const std::string& file, const Workload& workload) {
  constexpr std::size_t limit = 20;
  const std::size_t total = workload.diagnostics.size() + workload.hidden_diagnostics;
  const std::size_t shown = std::min(limit, workload.diagnostics.size());
  for (std::size_t i = 0; i < shown; ++i) print_diagnostic(file, workload.diagnostics[i]);
  if (total > shown) std::fprintf(stderr, "and %zu more\n", total - shown);
}

void ask_for_machine(const OpSet& ops) {
  if (!asks_for_machine(ops, summarize(ops, false))) return;
  const WhichMachine found = which_machine(ops, Machines::presets().all());
  const std::vector<const MachineCandidate*> best = likely(found, 1);
  if (const std::string asked = question(found); !asked.empty())
    std::fputs((printable(asked + " (--machine " + (best.empty() ? "ID" : best[0]->machine->id) + ')') + "\n").c_str(), stderr);
}

int print_analysis(const OpSet& ops, const WriteOptions& options, const std::string& form) {
  const auto write = form == "json"       ? write_json
                     : form == "csv"      ? write_csv
                     : form == "svg"      ? write_svg
                     : form == "markdown" ? write_markdown
                                          : write_table;
  return print_pieces([&](const Sink& sink) { write(ops, options, sink); });
}

}  // namespace roofline::cli
