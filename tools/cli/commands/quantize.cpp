// roofline quantize MODEL: the mixtures of llama-quantize side by side, or a plan within a budget.
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/llm/quantized_checkpoints.hpp>
#include <span>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "options/model.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"
#include "quantize_plan.hpp"

namespace roofline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model;
  ScenarioOptions scenario;
  double batch = 1, context = 4096;
  std::string imatrix = "yes";
  NetworkChoices network;
  std::string budget;
  std::vector<std::string> types;
  std::string output = "table";
};

bool is_one_of(const std::string& text, std::span<const std::string_view> all) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

int quantize(const Options& options) {
  const bool neutral = options.output == "table" || options.output == "json", imatrix = options.imatrix == "yes";
  const PlanOptions of_plan{options.model, options.budget, options.types, imatrix, options.output};
  if (options.model == "-")
    return report("standard input: weights are read by range: expected a file, an id or a config.json", wrong_command_line);
  if (is_network_file(options.model)) {
    if (!neutral && !is_one_of(options.output, network_plan_tools))
      return report("-o " + options.output + " is for language models: expected table, json, onnxruntime, nncf or llm-compressor",
                    wrong_command_line);
    return plan_network_file(of_plan, options.network, options.scenario);
  }
  if (options.network.any())
    return report(options.model + ": --dim and --fold are for networks: expected " + std::string(network_kinds), wrong_command_line);
  if (!neutral && !is_one_of(options.output, model_plan_tools))
    return report("-o " + options.output + " is for networks: expected table, json, llama-quantize, ik or llm-compressor",
                  wrong_command_line);
  const bool plan = !options.budget.empty();
  if (!plan && !neutral)
    return report("-o " + options.output + " writes a plan: expected --budget, such as --budget bytes=5G", wrong_command_line);
  if (!plan && !options.types.empty())
    return report("--types are those of a plan: expected --budget, such as --budget bytes=5G", wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error());
  Outcome<Json> model = read_model(options.model);
  if (!model) return report(model.error());
  const Json asked = {{"model", std::move(*model)}, {"batch", options.batch}, {"context", options.context}};
  const Result<LlmRequest> request = parse_llm_request(asked.dump());
  if (!request) {
    const std::string& path = request.error().path;
    return report((path == "batch" || path == "context" ? "--" + path + ": " : "") + request.error().message, wrong_command_line);
  }
  if (plan) return plan_model(of_plan, *request, *scenario);
  const std::vector<QuantizedChoice> choices = quantized_choices(*request, *scenario, imatrix);
  if (options.output == "json") return print(quantize_json(*request, *scenario, imatrix, choices) + "\n");
  return print(quantize_finding(scenario->machine, choices) + "\n\n" + quantize_table(choices) + "\n" +
               checkpoints_table(quantized_checkpoints(*request, *scenario)));
}

}  // namespace

void add_quantize(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("quantize", "A model in every mixture of llama-quantize, or a format for each tensor within a budget");
  command
      ->add_option(
          "MODEL", options->model,
          "An id that `roofline list models` prints, a Hugging Face config.json, a GGUF file, or a network: " + std::string(network_kinds))
      ->required()
      ->type_name("");
  command->add_option("--batch", options->batch, "Sequences at once (default: 1)")->type_name("N");
  command->add_option("--context", options->context, "Tokens that a decode step attends to (default: 4096)")->type_name("N");
  command->add_option("--imatrix", options->imatrix, "Whether the files are made with an importance matrix (default: yes)")
      ->check(CLI::IsMember({"yes", "no"}).description(""))
      ->type_name("yes|no");
  command
      ->add_option("--budget", options->budget,
                   "A plan within it: bytes=5G, memory=24G, tpot=20ms or kld=0.02; of a network sqnr=30dB, time=5ms or bytes=4M")
      ->type_name("KIND=VALUE");
  command->add_option("--types", options->types, "Formats that the plan may use (default: those that the output's tool has)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("F,F");
  add_network_options(*command, options->network);
  add_scenario_options(*command, options->scenario);
  std::vector<std::string> outputs = {"table", "json"};
  outputs.insert(outputs.end(), std::begin(model_plan_tools), std::end(model_plan_tools));
  outputs.insert(outputs.end(), std::begin(network_plan_tools), std::end(network_plan_tools) - 1);  // both have the last
  add_output_option(*command, options->output, outputs);
  command->callback([options, &chosen] {
    options->network.use_machine(options->scenario);
    chosen = [options] { return quantize(*options); };
  });
}

}  // namespace roofline::cli
