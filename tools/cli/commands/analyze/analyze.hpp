// roofline analyze FILE: its options, and what it prints of them in other files than analyze.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <roofline/analysis/op_set.hpp>
#include <roofline/network/memory_advice.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"
#include "options/network.hpp"
#include "options/scenario.hpp"
#include "options/selection.hpp"
#include "options/workload.hpp"

namespace roofline::cli {

struct AnalyzeOptions {
  std::string file, second;
  std::string model;                                            ///< the language model whose operators are added to the trace
  std::vector<std::pair<std::string, std::string>> model_keys;  ///< of the model's request: how it was run
  ScenarioOptions scenario;
  std::vector<std::string> registries;
  std::vector<std::pair<std::string, std::string>> columns;  ///< ReadOptions::columns
  NetworkChoices network;
  std::optional<std::size_t> top;
  std::string fit;  ///< where to write the calibrated machine
  SelectionOptions selection;
  std::string memory;
  std::vector<std::string> fuse;
  bool by_module = false;
  std::string sweep;    ///< of a network's dimension
  std::string on_chip;  ///< bytes of the memory for a network's activations; empty: the machine's
  bool stream = false;
  bool list_columns = false;
  std::vector<std::string> fail_if;
  std::string output = "table";
  std::string page;  ///< of a report
};

// --- outputs.cpp

/// The machine as the file's measurements show it, into `path`; what was found on standard error.
[[nodiscard]] Exit write_fit(const Plan& plan, const std::string& path);
/// -o html. `machine`: the file that describes a machine, which is not a source: the settings hold it. `model`: the request of --model;
/// null: not given.
[[nodiscard]] int print_analysis_report(const AnalyzeOptions& options, const OpSet& ops, const std::string& machine,
                                        const nlohmann::ordered_json& model);
/// What the run adds up to, for `roofline summarize`.
[[nodiscard]] int print_summary(const OpSet& ops, const std::string& file);
/// How each column of a table is used, instead of the analysis.
[[nodiscard]] int print_columns(const AnalyzeOptions& options);

// --- network.cpp

/// The network's operations as commands.json.
[[nodiscard]] int print_commands(const AnalyzeOptions& options);
/// The network over a range of one of its dimensions, instead of its operations.
[[nodiscard]] int print_network_sweep(const AnalyzeOptions& options);
/// JSON of a network's totals with operations merged by a tool chain, and without; `ops` is one of the two.
[[nodiscard]] Outcome<std::string> folding(const Opened& opened, const std::vector<std::string>& registries, const OpSet& ops);
/// Proposals that fit a network's activations on chip.
[[nodiscard]] Outcome<MemoryAdvice> memory_advice(const Opened& opened, const AnalyzeOptions& options, const Machine& machine);

}  // namespace roofline::cli
