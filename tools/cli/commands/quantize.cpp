// roofline quantize MODEL: the mixtures of llama-quantize side by side: bytes, whether they fit, how fast they decode.
#include <memory>
#include <nlohmann/json.hpp>
#include <roofline/llm/quantize.hpp>
#include <string>

#include "commands.hpp"
#include "options/model.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model;
  ScenarioOptions scenario;
  double batch = 1, context = 4096;
  std::string imatrix = "yes";
  std::string output = "table";
};

int quantize(const Options& options) {
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  Outcome<Json> model = read_model(options.model);
  if (!model) return report(model.error().message, model.error().exit);
  const Json asked = {{"model", std::move(*model)}, {"batch", options.batch}, {"context", options.context}};
  const Result<LlmRequest> request = parse_llm_request(asked.dump());
  if (!request) {
    const std::string& path = request.error().path;
    return report((path == "batch" || path == "context" ? "--" + path + ": " : "") + request.error().message, wrong_command_line);
  }
  const bool imatrix = options.imatrix == "yes";
  const std::vector<QuantizedChoice> choices = quantized_choices(*request, *scenario, imatrix);
  if (options.output == "json") return print(quantize_json(*request, *scenario, imatrix, choices) + "\n");
  return print(quantize_finding(scenario->machine, choices) + "\n\n" + quantize_table(choices));
}

}  // namespace

void add_quantize(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("quantize", "A model in every mixture of llama-quantize: bytes, whether it fits, time per token");
  command->add_option("MODEL", options->model, "An id that `roofline list models` prints, a Hugging Face config.json, or a GGUF file")
      ->required()
      ->type_name("");
  command->add_option("--batch", options->batch, "Sequences at once (default: 1)")->type_name("N");
  command->add_option("--context", options->context, "Tokens that a decode step attends to (default: 4096)")->type_name("N");
  command->add_option("--imatrix", options->imatrix, "Whether the files are made with an importance matrix (default: yes)")
      ->check(CLI::IsMember({"yes", "no"}).description(""))
      ->type_name("yes|no");
  add_scenario_options(*command, options->scenario);
  add_output_option(*command, options->output, {"table", "json"});
  command->callback([options, &chosen] { chosen = [options] { return quantize(*options); }; });
}

}  // namespace roofline::cli
