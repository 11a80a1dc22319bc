#include "quantize_plan.hpp"

#include <deque>
#include <filesystem>
#include <roofline/accuracy/network_plan.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/quantize_plan.hpp>

#include "io/files.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

/// Own errors of the weights where the model is a GGUF file of floats; of a split one, of all its files.
Outcome<OwnErrors> own_errors(const std::string& file) {
  const std::filesystem::path path(file);
  const Result<std::string> start = path.extension() == ".gguf" ? read_part(file, 0, 4) : Result<std::string>(std::string());
  if (!start || !is_gguf(*start)) return OwnErrors();
  const std::string name = path.filename().string();
  std::deque<FileSource> sources;
  std::vector<GgufSource> files;
  for (std::size_t i = 0; i < split_file_count(name); ++i) {
    const std::string part = split_file_name(name, i);
    files.push_back({part, &sources.emplace_back(path.parent_path() / part)});
  }
  Result<OwnErrors> errors = gguf_own_errors(files);
  if (!errors) return give_up(describe(path, errors.error()), unusable_input);
  return std::move(*errors);
}

/// The formats that were named, which the plan's tool takes; none: empty.
Outcome<std::vector<FormatId>> named_formats(const PlanOptions& options) {
  Result<std::vector<FormatId>> formats = plan_formats(options.types, options.output);
  if (!formats) return give_up("--types: " + formats.error().message, wrong_command_line);
  return std::move(*formats);
}

int print_plan(const FormatPlan& plan, const std::string& output) {
  const std::string text = plan_for(plan, output);
  return print(text.empty() ? plan_table(plan) : text);
}

}  // namespace

int plan_model(const PlanOptions& options, const LlmRequest& request, const Scenario& scenario) {
  const Result<Budget> budget = parse_budget(options.budget, model_budgets);
  if (!budget) return report("--budget: " + budget.error().message, wrong_command_line);
  Outcome<std::vector<FormatId>> formats = named_formats(options);
  if (!formats) return report(formats.error());
  Outcome<OwnErrors> errors = own_errors(options.file);
  if (!errors) return report(errors.error());
  const Result<FormatPlan> plan = plan_quantization(
      request, scenario, {*budget, std::move(*formats), options.imatrix, options.output == "llm-compressor", std::move(*errors)});
  if (!plan) return report("--types: " + plan.error().message, wrong_command_line);
  return print_plan(*plan, options.output);
}

int plan_network_file(const PlanOptions& options, const NetworkChoices& network, const ScenarioOptions& scenario_options) {
  if (options.budget.empty())
    return report(options.file + ": of a network, a plan is made: expected --budget sqnr=30dB, time=5ms or bytes=4M", wrong_command_line);
  const Result<Budget> budget = parse_budget(options.budget, network_budgets);
  if (!budget) return report("--budget: " + budget.error().message, wrong_command_line);
  Outcome<std::vector<FormatId>> formats = named_formats(options);
  if (!formats) return report(formats.error());
  if (formats->empty()) *formats = network_plan_formats(options.output);
  const Outcome<Scenario> scenario = make_scenario(scenario_options);
  if (!scenario) return report(scenario.error());
  const Outcome<NetworkFile> opened = open_network_file(options.file);
  if (!opened) return report(opened.error());
  ReadOptions as;
  as.source_name = source_name(options.file);
  NetworkChoices in_file_formats = network;
  in_file_formats.chip = {};  // it would round all floats before the plan does
  const Outcome<Workload> workload = network_workload(*opened, as, in_file_formats);
  if (!workload) return report(workload.error());
  print_diagnostics(options.file, *workload);
  const Result<std::vector<NodeWeights>> weights = node_weights(*opened->network, network.dimensions);
  if (!weights) return report(describe(options.file, weights.error()), wrong_command_line);
  const Plan plan(*workload, *scenario);
  const Result<FormatPlan> made = plan_network(plan, *weights, *opened->source, {*budget, std::move(*formats)});
  if (!made) return report(describe(options.file, made.error()), unusable_input);
  return print_plan(*made, options.output);
}

}  // namespace roofline::cli
