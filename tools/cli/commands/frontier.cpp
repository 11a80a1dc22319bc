// roofline frontier MODEL: the best deployments on several machines.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <roofline/base/text.hpp>
#include <roofline/serving/frontier.hpp>
#include <roofline/serving/measured_runs.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "commands/frontier_svg.hpp"
#include "io/files.hpp"
#include "io/report.hpp"
#include "options/model.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model, machines, weights;
  ScenarioOptions scenario;
  RequestValues values;
  bool disaggregated = false, block_scales = false;
  std::string prefill_machines, speculate;
  std::string measured;  ///< a benchmark's result
  std::string output = "table", page;
};

/// "20ms", "1s", "0.02": seconds; what is none of these stays as it was typed, for the message.
Json duration(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  if (end == text.c_str() || (!unit.empty() && unit != "s" && unit != "ms")) return text;
  return unit == "ms" ? value * 1e-3 : value;
}

std::vector<std::string> split(const std::string& list, char separator) {
  std::vector<std::string> out(1);
  for (const char c : list) {
    if (c == separator)
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// Prices by machine, "h100-sxm=2.5,b200-sxm=4".
Json prices(const std::string& text) {
  Json out = Json::object();
  for (const std::string& each : split(text, ',')) {
    const std::size_t sign = each.find('=');
    const Json usd = sign == std::string::npos ? Json() : Json::parse(each.substr(sign + 1), nullptr, false);
    out[each.substr(0, sign)] = usd.is_number() ? usd : Json(each);
  }
  return out;
}

/// Adds the machines of a list, "h100-sxm,b200-sxm", to a member of the request. The exit code; 0: all are known.
int add_machines(Json& request, const char* key, const char* option, const std::string& list) {
  for (const std::string& name : split(list, ',')) {
    const Outcome<Machine> machine = find_machine(name);
    if (!machine) return report(std::string(option) + ": " + machine.error().message, machine.error().exit);
    const Machine* preset = Machines::presets().find(machine->id);
    request[key].push_back(preset && *preset == *machine ? Json(machine->id) : Json::parse(machine_json(*machine, true)));
  }
  return 0;
}

/// The page's Serving tab with what was asked.
int frontier_report(const Options& options, const Json& request, const FrontierRequest& asked, const std::vector<ServingRun>& runs) {
  Json view = Json::object(), model = {{"model", request["model"]},
                                       {"phase", "generate"},
                                       {"prompt", asked.formats[0].llm.prompt},
                                       {"generate", asked.formats[0].llm.generate}};
  for (const char* key : {"activations", "kv", "reserve", "experts", "mla", "chunk", "speculate"})
    if (request.contains(key)) model[key] = request[key];
  const auto shown_as = [&](const char* name, const char* key) {
    if (request.contains(key)) view[name] = request[key];
  };
  for (const char* key : {"machines", "weights", "price", "ttft"}) shown_as(key, key);
  shown_as("prefillMachines", "prefill_machines");
  shown_as("prefixHit", "prefix_hit");
  shown_as("lengthSpread", "length_spread");
  view["users"] = known_or(asked.concurrency, 0);  // 0: any number
  if (known(asked.gpus)) view["gpus"] = asked.gpus;
  if (known(asked.tpot_max)) view["tpotMax"] = asked.tpot_max;
  if (known(asked.ttft_max)) view["ttftMax"] = asked.ttft_max;
  if (asked.disaggregated) view["disaggregated"] = true;
  if (!options.scenario.stack.empty()) view["stack"] = options.scenario.stack;
  if (const Json usd = request.value("usd_per_hour", Json()); usd.is_number()) {
    for (const Scenario& scenario : asked.machines) view["usd"][scenario.machine.id] = usd;
  } else if (usd.is_object()) {
    view["usd"] = usd;
  }
  const Json measured = Json::parse(serving_runs_json(runs));
  for (Json run : measured["runs"]) {
    run.update({{"name", options.measured}, {"machine", asked.machines[0].machine.id}, {"machines", asked.gpus}});
    view["runs"].push_back(std::move(run));
  }
  Report report;
  report.link["source"] = {{"built", "model"}, {"request", std::move(model)}};
  report.link["view"] = {{"tab", "serving"}, {"serving", std::move(view)}};
  return print_report(report, options.page);
}

/// The runs whose prompts and answers are as long as those of the request, or that do not state it; tells how many others there are.
std::vector<ServingRun> with_lengths_of(const FrontierRequest& asked, std::vector<ServingRun> runs, const std::string& file) {
  constexpr double near = 0.1;  // greatest difference of mean lengths, a fraction
  const ServingRequest& request = asked.formats[0];
  const auto differs = [&](double length, double expected) { return known(length) && std::abs(length - expected) > near * expected; };
  const auto first = std::stable_partition(runs.begin(), runs.end(), [&](const ServingRun& run) {
    return !differs(run.prompt, request.mean_prompt()) && !differs(run.generate, request.mean_generate());
  });
  const auto others = static_cast<std::size_t>(runs.end() - first);
  if (others > 0)
    print_diagnostic(file, {Severity::warning,
                            std::to_string(others) + " of " + std::to_string(runs.size()) + " runs have other lengths, the first " +
                                number(first->prompt) + " tokens in and " + number(first->generate) + " out, and are not drawn",
                            {},
                            0,
                            0,
                            {}});
  runs.erase(first, runs.end());
  return runs;
}

/// The error of --price; empty: the name of a machine's price contains it, or none is asked for.
std::string check_price(const FrontierRequest& request) {
  if (request.price.empty()) return {};
  std::string names;
  for (const Scenario& scenario : request.machines) {
    if (scenario.machine.hourly_price(request.price) != nullptr) return {};
    for (const HourlyPrice& price : scenario.machine.per_hour) {
      const std::string name = '"' + price.name + '"';
      if (names.find(name) == std::string::npos) names += (names.empty() ? "a part of " : " or of ") + name;
    }
  }
  return names.empty() ? "--price: no machine in --machines has a price: omit --price, or give --usd-per-hour"
                       : "--price: no price of these machines contains \"" + request.price + "\": expected " + names;
}

int frontier(const Options& options) {
  if (!options.scenario.machine.empty())
    return report("--machine: `roofline frontier` does not take it; list the machines in --machines", wrong_command_line);
  const Outcome<Scenario> base = make_scenario(options.scenario);
  if (!base) return report(base.error());
  Json request = Json::object();
  Outcome<Json> model = read_model(options.model);
  if (!model) return report(model.error());
  request["model"] = std::move(*model);
  if (const int wrong = add_machines(request, "machines", "--machines", options.machines)) return wrong;
  if (!options.prefill_machines.empty())
    if (const int wrong = add_machines(request, "prefill_machines", "--prefill-machines", options.prefill_machines)) return wrong;
  if (!options.weights.empty()) request["weights"] = split(options.weights, options.weights.find('=') == std::string::npos ? ',' : ';');
  for (const auto& [key, text] : options.values) {
    const Json json = Json::parse(text, nullptr, false);
    request[key] = key == "tpot_max" || key == "ttft_max"                         ? duration(text)
                   : json.is_number()                                             ? json
                   : key == "usd_per_hour" && text.find('=') != std::string::npos ? prices(text)
                                                                                  : Json(text);
  }
  if (!options.speculate.empty()) {
    Outcome<Json> s = speculation(options.speculate);
    if (!s) return report(s.error());
    request["speculate"] = std::move(*s);
  }
  if (options.block_scales) request["block_scales"] = true;
  request["disaggregated"] = options.disaggregated;
  const Result<FrontierRequest> parsed = parse_frontier_request(request.dump(), *base);
  if (!parsed) return report(option_of(parsed.error().path) + parsed.error().message, wrong_command_line);
  if (const std::string wrong = check_price(*parsed); !wrong.empty()) return report(wrong, wrong_command_line);
  std::vector<ServingRun> runs;
  if (!options.measured.empty()) {
    if (options.output != "svg" && options.output != "html")
      return report("--measured puts runs on the chart: expected -o svg or html", wrong_command_line);
    if (parsed->machines.size() > 1 || !known(parsed->gpus))
      return report("--measured: expected one machine in --machines and its number in --gpus, on which the benchmark ran",
                    wrong_command_line);
    const Result<std::string> text = read_text(options.measured);
    if (!text) return report(describe(options.measured, text.error()), unusable_input);
    auto read = parse_serving_runs(*text);
    if (!read) return report(describe(options.measured, read.error()), unusable_input);
    runs = with_lengths_of(*parsed, std::move(*read), options.measured);
  }
  if (options.output == "html") return frontier_report(options, request, *parsed, runs);
  const Frontier found = roofline::frontier(*parsed);
  return print(options.output == "json"  ? frontier_json(found, *parsed) + "\n"
               : options.output == "csv" ? frontier_csv(found, *parsed)
               : options.output == "svg" ? frontier_svg(found, *parsed, runs)
                                         : frontier_table(found, *parsed));
}

}  // namespace

void add_frontier(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("frontier", "The best deployments of a language model: tokens/s per user against tokens/s per machine");
  command->add_option("MODEL", options->model, "An id that `roofline list models` prints, a Hugging Face config.json, or a GGUF file")
      ->required()
      ->type_name("");
  command->add_option("--machines", options->machines, "Machines to compare: ids or files, separated by commas")
      ->required()
      ->type_name("ID,...");
  const RequestOptions value(*command, options->values);
  value("--prompt", "prompt", "Tokens of the longest prompt (default: 2048)", "N");
  value("--generate", "generate", "Tokens of the longest answer (default: 256)", "N");
  value("--concurrency", "concurrency", "Also find the best deployment for this number of users", "N");
  value("--length-spread", "length_spread", "Lengths are uniform from this fraction of the longest up (default: 1)", "F");
  value("--prefix-hit", "prefix_hit", "Fraction of a prompt that is in the cache already (default: 0)", "F");
  value("--gpus", "gpus", "Machines of a deployment, all of them used, or any (default: any)", "N|any");
  value("--tpot-max", "tpot_max", "The longest time per token, such as 20ms", "TIME");
  value("--ttft-max", "ttft_max", "The longest mean time to first token, such as 1s", "TIME");
  value("--ttft", "ttft", "Time to first token with the start of a benchmark, or steady (default: burst)", "burst|steady");
  command->add_option("--weights", options->weights, "Formats of the weights to try: published,fp8_e4m3,nvfp4 (default: published)")
      ->type_name("FORMAT,...");
  value("--activations", "activations", "Format of the activations (default: what engines compute such weights in)", "FORMAT");
  value("--kv", "kv", "Format of the key-value cache (default: FP8 where the activations have 8 bits or fewer)", "FORMAT");
  value("--experts", "experts", "Format of the experts' weights", "FORMAT");
  command->add_flag("--block-scales", options->block_scales, "8-bit weights have a scale per block (default: as in the published model)");
  value("--mla", "mla", "auto, expanded or absorbed (default: auto: absorbed in decode)", "FORM");
  value("--chunk", "chunk", "Tokens of prompts that one step takes at most (default: 8192)", "N");
  command->add_option("--speculate", options->speculate, "Speculative decoding, such as 4,0.8,llama-3.2-1b, or 1,0.85,mtp")
      ->type_name("GAMMA,ACCEPTANCE,DRAFT");
  value("--reserve", "reserve", "The fraction of a machine's memory that is to stay free (default: 0.1)", "F");
  value("--price", "price", "Part of the name of one of the machines' prices per hour, such as rented (default: none)", "NAME");
  value("--usd-per-hour", "usd_per_hour", "What a machine costs an hour, in place of its prices: one for all, or h100-sxm=2.5,...", "USD");
  command->add_flag("--disaggregated", options->disaggregated, "Search prefill and decode on machines of their own, too");
  command->add_option("--prefill-machines", options->prefill_machines, "With --disaggregated: machines that may take the prompts, besides")
      ->type_name("ID,...");
  command
      ->add_option("--measured", options->measured,
                   "Results of vLLM's, SGLang's, genai-perf's or AIPerf's benchmark in JSON, CSV or as printed, to draw as rings")
      ->type_name("FILE");
  add_scenario_options(*command, options->scenario);
  add_output_option(*command, options->output, {"table", "json", "csv", "svg", "html"});
  add_template_option(*command, options->page);
  command->callback([options, &chosen] { chosen = [options] { return frontier(*options); }; });
}

}  // namespace roofline::cli
