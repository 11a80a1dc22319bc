// What analyze says of networks alone.
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/calculator/network_sweep.hpp>
#include <roofline/write/folding.hpp>

#include "commands/analyze/analyze.hpp"
#include "io/files.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

/// Opens FILE for an option that takes nothing but a network; `what`: that option, for errors.
Outcome<NetworkFile> open_network_alone(const AnalyzeOptions& options, const char* what) {
  if (!options.second.empty() || !options.fuse.empty() || !options.fail_if.empty() || !options.model.empty() || options.by_module)
    return give_up(std::string(what) + " takes one network: expected no second file, --modules, --fuse, --fail-if or --model",
                   wrong_command_line);
  return open_network_file(options.file);
}

}  // namespace

int print_commands(const AnalyzeOptions& options) {
  const Outcome<NetworkFile> opened = open_network_alone(options, "-o commands");
  if (!opened) return report(opened.error());
  const Result<std::string> text = network_commands(*opened->network, options.network.dimensions, options.network.target());
  return text ? print(*text) : report(describe(options.file, text.error()), wrong_command_line);
}

int print_network_sweep(const AnalyzeOptions& options) {
  if (options.output != "table" && options.output != "json" && options.output != "csv")
    return report("--sweep: expected -o table, json or csv, found " + options.output, wrong_command_line);
  const Result<SweepAxis> axis = parse_sweep_axis(options.sweep);
  if (!axis) return report("--sweep: " + axis.error().text(), wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error());
  const Outcome<NetworkFile> opened = open_network_alone(options, "--sweep");
  if (!opened) return report(opened.error());
  const Result<NetworkSweep> swept =
      sweep_network(*opened->network, source_name(options.file), options.network.dimensions, options.network.target(), *axis, *scenario);
  if (!swept) return report(describe(options.file, swept.error()), wrong_command_line);
  return print(options.output == "json"  ? network_sweep_json(*swept) + "\n"
               : options.output == "csv" ? network_sweep_csv(*swept)
                                         : network_sweep_table(*swept));
}

Outcome<std::string> folding(const Opened& opened, const std::vector<std::string>& registries, const OpSet& ops) {
  Keys keys;
  const Outcome<Registry> registry = read_registries(registries, keys);
  if (!registry) return tl::unexpected(registry.error());
  ReadOptions as;
  as.registry = &*registry;
  as.keys = &keys;
  NetworkChoices others = opened.choices;
  const ToolChain own = others.tool_chain();
  others.fold = own == ToolChain::none ? usual_fold : to_string(ToolChain::none);
  const Outcome<Workload> workload = network_workload(*opened.network, as, others);
  if (!workload) return tl::unexpected(workload.error());
  const Summary here = summarize(ops.unfiltered()), there = summarize(Plan(*workload, ops.plan().scenario()));
  return own == ToolChain::none ? folding_json(others.tool_chain(), there, here) : folding_json(own, here, there);
}

Outcome<MemoryAdvice> memory_advice(const Opened& opened, const AnalyzeOptions& options, const Machine& machine) {
  OnChipMemory memory = on_chip_memory(machine);
  if (!options.on_chip.empty()) {
    constexpr BudgetKind bytes[] = {BudgetKind::bytes};
    const Result<Budget> size = parse_budget("bytes=" + options.on_chip, bytes);
    if (!size) return give_up("--on-chip: expected a number of bytes, such as 384KiB, found " + options.on_chip, wrong_command_line);
    memory.capacity = size->value;
  }
  Result<MemoryAdvice> advice = advise_memory(*opened.network->network, opened.choices.dimensions, opened.choices.tool_chain(), memory);
  if (!advice) return give_up(describe(options.file, advice.error()), wrong_command_line);
  return std::move(*advice);
}

}  // namespace roofline::cli
