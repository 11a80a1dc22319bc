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

}  // namespace

Outcome<std::vector<FormatId>> plan_formats(const std::vector<std::string>& names, const std::string& tool) {
  std::vector<FormatId> formats;
  for (const std::string& name : names) {
    const std::optional<FormatId> format = Formats::catalogue().find(name);
    if (!format)
      return give_up("--types: unknown format \"" + name + '"' +
                         did_you_mean(Formats::catalogue().near(name), "expected an id from `roofline list formats`"),
                     wrong_command_line);
    formats.push_back(*format);
  }
  Result<std::vector<FormatId>> taken = formats_for_tool(tool, formats);
  if (!taken) return give_up("--types: " + taken.error().message, wrong_command_line);
  return std::move(*taken);
}

int print_plan(const FormatPlan& plan, const std::string& output) {
  if (output == "json") return print(plan_json(plan) + "\n");
  if (output == "llama-quantize") return print(plan_for_llama_quantize(plan));
  if (output == "ik") return print(plan_for_ik_llama(plan));
  if (output == "llm-compressor") return print(plan_for_llm_compressor(plan));
  if (output == "onnxruntime") return print(plan_for_onnx_runtime(plan));
  if (output == "nncf") return print(plan_for_nncf(plan));
  return print(plan_table(plan));
}

int plan_model(const PlanOptions& options, const LlmRequest& request, const Scenario& scenario) {
  const Result<Budget> budget = parse_budget(options.budget, model_budgets);
  if (!budget) return report("--budget: " + budget.error().message, wrong_command_line);
  Outcome<std::vector<FormatId>> formats = plan_formats(options.types, options.output);
  if (!formats) return report(formats.error().message, formats.error().exit);
  Outcome<OwnErrors> errors = own_errors(options.file);
  if (!errors) return report(errors.error().message, errors.error().exit);
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
  std::vector<std::string> names = options.types;
  if (names.empty()) names = {"int8", "int4_g128"};
  if (options.types.empty() && options.output != "onnxruntime" && options.output != "nncf") names.emplace_back("fp8_e4m3");
  Outcome<std::vector<FormatId>> formats = plan_formats(names, options.output);
  if (!formats) return report(formats.error().message, formats.error().exit);
  const Outcome<Scenario> scenario = make_scenario(scenario_options);
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  const Outcome<Workload> workload = read_workload(options.file, {}, {}, network);
  if (!workload) return report(workload.error().message, workload.error().exit);
  print_diagnostics(options.file, *workload);
  const FileSource source(options.file);
  const Result<std::unique_ptr<Network>> opened = open_network(options.file, source);
  if (!opened) return report(describe(options.file, opened.error()), unusable_input);
  const Result<std::vector<NodeWeights>> weights = node_weights(**opened, network.dimensions);
  if (!weights) return report(describe(options.file, weights.error()), wrong_command_line);
  const Plan plan(*workload, *scenario);
  const Result<FormatPlan> made = plan_network(plan, *weights, source, {*budget, std::move(*formats)});
  if (!made) return report(describe(options.file, made.error()), unusable_input);
  return print_plan(*made, options.output);
}

}  // namespace roofline::cli
