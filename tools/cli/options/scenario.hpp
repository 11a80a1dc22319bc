// What commands that analyse share: the scenario from the command line, and printing.
#pragma once

#include <roofline/write/write.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace roofline::cli {

struct ScenarioOptions {
  std::string machine;  ///< --machine: an id or a file
  std::string stack;
  std::string config;                 ///< --config
  std::vector<std::string> settings;  ///< --set
};

/// --machine, --config and --set.
void add_scenario_options(CLI::App& command, ScenarioOptions& options);

/// A machine by its id or its file.
[[nodiscard]] Outcome<Machine> find_machine(const std::string& name);

/// --set over --config over --machine over `start`.
[[nodiscard]] Outcome<Scenario> make_scenario(const ScenarioOptions& options, Scenario start = Scenario::standard());

/// The assumed format among --set and --config, which takes effect while a file is read; no_format: none is stated. What is wrong in them
/// make_scenario() says.
[[nodiscard]] FormatId assumed_format(const ScenarioOptions& options);

/// The first diagnostics on standard error, as compilers write them, so that editors find the place.
void print_diagnostics(const std::string& file, const Workload& workload);
void print_diagnostic(const std::string& file, const Diagnostic& diagnostic);

/// Which machine ran it, where the source does not say and its times contradict what is assumed: one line on standard error.
void ask_for_machine(const OpSet& ops);

/// The analysis on standard output as a table, json, csv or svg; the exit code.
[[nodiscard]] int print_analysis(const OpSet& ops, const WriteOptions& options, const std::string& form);

}  // namespace roofline::cli
