// roofline llm MODEL: what limits a language model's inference, and how fast it can be.
#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <roofline/analysis/estimate.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/llm/sweep.hpp>
#include <roofline/serving/measured_runs.hpp>
#include <roofline/write/markdown.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "commands/offload.hpp"
#include "commands/serving.hpp"
#include "io/files.hpp"
#include "io/report.hpp"
#include "options/conditions.hpp"
#include "options/model.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string model;
  ScenarioOptions scenario;
  RequestValues values;
  bool causal = true;
  bool all_logits = false;
  std::string speculate;
  OffloadOptions offload;
  std::string measured;
  std::vector<std::string> sweeps;
  std::optional<std::size_t> top;
  std::vector<std::string> fail_if;
  std::string output = "table";
  std::string page;  ///< of a report
};

/// What parse_llm_request reads, from the command line.
Outcome<Json> request_json(const Options& options) {
  Json request = Json::object();
  Outcome<Json> named = read_model(options.model);
  if (!named) return tl::unexpected(named.error());
  request["model"] = std::move(*named);
  for (const auto& [key, text] : options.values) {
    const Json json = Json::parse(text, nullptr, false);
    request[key] = json.is_number() || json.is_boolean() ? json : Json(text);
  }
  request["causal"] = options.causal;
  if (options.all_logits) request["last_token"] = false;
  if (!options.speculate.empty()) {
    Outcome<Json> s = speculation(options.speculate);
    if (!s) return tl::unexpected(s.error());
    request["speculate"] = std::move(*s);
  }
  return request;
}

/// Measurements as JSON, also of a serving benchmark's table or printed summary.
Result<std::string> read_measurements(const std::string& file) {
  Result<std::string> text = read_text(file);
  if (!text || !Json::parse(*text, nullptr, false).is_discarded()) return text;
  const Result<std::vector<ServingRun>> runs = parse_serving_runs(*text);
  if (!runs && text->find_first_of("{[") == text->find_first_not_of(" \t\r\n")) return text;  // who parses it says where it is no JSON
  if (!runs) return Unexpected(runs.error());
  Json list = Json::array();
  for (const ServingRun& run : *runs)
    list.push_back({{"mean_tpot_ms", run.tpot_s * 1e3},
                    {"mean_ttft_ms", run.ttft_s * 1e3},
                    {"max_concurrency", run.concurrency},
                    {"completed", 1},
                    {"total_input_tokens", run.prompt},
                    {"total_output_tokens", run.generate}});
  return list.dump();
}

Outcome<LlmRequest> make_request(const Options& options, const Json& request) {
  Result<LlmRequest> parsed = parse_llm_request(request.dump());
  if (!parsed) return give_up(option_of(parsed.error().path) + parsed.error().message, wrong_command_line);
  if (!options.measured.empty()) {
    const Result<std::string> text = read_measurements(options.measured);
    if (!text) return give_up(describe(options.measured, text.error()), unusable_input);
    Result<std::vector<LlmMeasurement>> measured = parse_llm_measurements(*text, *parsed);
    if (!measured) return give_up(describe(options.measured, measured.error()), unusable_input);
    for (LlmMeasurement& m : *measured) parsed->measured.push_back(std::move(m));
  }
  return std::move(*parsed);
}

/// The answer as a person reads it, before the operators.
std::string in_words(const LlmAnswer& a, const LlmRequest& r, const Scenario& scenario, const std::optional<AskedOffload>& offload) {
  std::string text = a.finding + "\n\n";
  std::vector<std::vector<std::string>> rows;
  const auto line = [&](std::string name, std::string value) { rows.push_back({std::move(name), std::move(value)}); };
  if (offload) text += align(offload_lines(*offload, scenario, r), "ll") + "\nWhole on the card:\n\n";
  const auto tokens = [](double rate) { return number(rate) + " tokens/s"; };
  const auto formats = [&](FormatId f) { return Formats::catalogue()[f].id; };
  const LlmFormats& f = r.setup.formats;
  line("model",
       r.setup.model.name + ", " + number(a.parameters / 1e9) + " billion parameters" +
           (a.active_parameters < a.parameters ? ", " + number(a.active_parameters / 1e9) + " active with the embedding table" : ""));
  line("machine", (a.machines > 1 ? number(a.machines) + " x " : "") + scenario.machine.name);
  line("formats", "weights " + f.weights.text() + "; activations " + formats(f.activations) + ", cache " + formats(f.kv));
  const MemoryFootprint& memory = a.memory.footprint;
  const std::string verdict = a.memory.text();
  line("memory of a machine", with_unit(memory.weights, "B") + " weights + " + with_unit(memory.kv, "B") + " cache + " +
                                  with_unit(memory.activations, "B") + " activations" + (verdict.empty() ? "" : ", ") + verdict);
  line("cache per token", with_unit(a.kv_bytes_per_token, "B"));
  if (a.state_bytes > 0) line("recurrent state", with_unit(a.state_bytes, "B"));
  const Machine& m = scenario.machine;
  const Stack& stack = scenario.stack_for(StackUse::language_model);
  const auto fraction = [](const Figure& f) { return percent(f.value) + (f.basis == "assumed" ? " (assumed)" : ""); };
  const auto both = [&](const std::string& ideal, const std::string& typical) { return typical + "; bound " + ideal; };
  const auto with_error = [&](double ideal, double typical, const char* kind) {
    const std::string error = error_text(stack.error(kind), scenario, StackUse::language_model);
    return both(seconds(ideal), seconds(typical) + (error.empty() ? "" : " " + error));
  };
  line("time to first token", with_error(a.bound.ttft_s, a.estimate.ttft_s, "prefill") + ", " + number(a.prefill_intensity) + " FLOP/B");
  if (r.batch > 1) line("TTFT, single request", both(seconds(a.ttft_alone_s), seconds(a.typical_ttft_alone_s)));
  line("time per token", with_error(a.bound.tpot_s, a.estimate.tpot_s, "decode") + ", " + number(a.decode_intensity) + " FLOP/B");
  if (a.bound.total_s > 0) line("whole generation", with_error(a.bound.total_s, a.estimate.total_s, "generate"));
  line("throughput", both(tokens(a.bound.tokens_per_s), tokens(a.estimate.tokens_per_s)));
  line("for each user", both(tokens(a.bound.tokens_per_s_per_user), tokens(a.estimate.tokens_per_s_per_user)));
  line("estimated for", stack.name + "; products of this machine reach " + fraction(m.achievable(Unit::matrix, a.compute)) +
                            " of the peak, streams " + fraction(m.achievable_memory()) + " of the bandwidth");
  if (const LongestContext& longest = a.longest_context; a.largest_batch >= 0)
    line("largest batch", (a.largest_batch > 0 ? number(a.largest_batch) : "none") + "; longest context " +
                              (longest.limit == ContextLimit::none ? "without a limit"
                               : longest.tokens > 0                ? number(longest.tokens) + ", limited by " + to_string(longest.limit)
                                                                   : "none") +
                              (a.memory.reserve > 0 ? ", with " + percent(a.memory.reserve) + " of the memory free" : ""));
  line("decode is compute-bound",
       a.compute == no_format ? "unknown: " + m.name + " has no known rate for " + Formats::catalogue()[r.setup.formats.activations].name
       : a.compute_bound_batch > 0 ? "from batch " + number(a.compute_bound_batch) + " at this context"
                                   : "never: the cache is read for every sequence");
  if (a.joules_per_token > 0)
    line("energy",
         both(with_unit(a.joules_per_token, "J"), with_unit(a.typical_joules_per_token, "J")) + " per token, at the machine's rated power");
  if (a.usd_per_million_tokens > 0)
    line("cost", both(number(a.usd_per_million_tokens), number(a.typical_usd_per_million_tokens)) + " USD per million tokens, at " +
                     number(a.cost.usd_per_hour) + " USD an hour" + (a.machines > 1 ? " for each machine" : "") +
                     (a.cost.price_usd > 0 ? ": " + number(a.cost.price_usd) + " USD over " + number(a.cost.years) + " years" : ""));
  for (const LlmComparison& m : a.measured) {
    line(m.measurement.name, (m.measurement.time_s > 0 ? seconds(m.measurement.time_s) + ", " : "") + with_unit(m.flops, "FLOP/s") + ", " +
                                 with_unit(m.bandwidth, "B/s") + ", MFU " + percent(m.mfu) + ", MBU " + percent(m.mbu) + ", " +
                                 percent(m.efficiency) + " of the bound, " + m.bottleneck);
    for (std::size_t i = 0; i < m.explanations.size() && i < 3; ++i)
      line("", "if " + m.explanations[i].assumption + ": " + seconds(m.explanations[i].time_s));
  }
  for (std::size_t i = 0; i < a.changes.size(); ++i)
    line(i == 0 ? "what would help" : "", a.changes[i].change + ": about " + times(a.changes[i].typical_gain) + " the tokens/s, " +
                                              times(a.changes[i].typical_latency) + " the latency" +
                                              (a.changes[i].fits == std::optional<bool>(false) ? ", does not fit"
                                               : a.changes[i].barely_fits                      ? ", barely fits"
                                                                                               : ""));
  return text + align(rows, "ll") + "\n";
}

/// `view`: of the page, beside the model itself.
int model_report(const Options& options, Json request, const Scenario& scenario, Json view) {
  if (!options.measured.empty()) {
    const Result<std::string> text = read_measurements(options.measured);
    if (!text) return cli::report(describe(options.measured, text.error()), unusable_input);
    request["measured"] = Json::parse(*text, nullptr, false);
  }
  Report report;
  report.top = options.top;
  report.link["source"] = {{"built", "model"}, {"request", std::move(request)}};
  report.link["settings"] = link_settings(scenario);
  if (!view.empty()) report.link["view"] = std::move(view);
  return print_report(report, options.page);
}

int print_sweep(const Options& options, const Json& request, const Scenario& scenario) {
  std::optional<SweepAxis> axis;
  std::vector<LlmChoices> choices;
  for (const std::string& text : options.sweeps) {
    if (text.find("..") != std::string::npos) {
      const auto parsed = parse_sweep_axis(text);
      if (!parsed) return report("--sweep: " + parsed.error().text(), wrong_command_line);
      if (axis) return report("--sweep: expected one range, the others as values such as weights=fp16,int8", wrong_command_line);
      axis = *parsed;
    } else {
      auto parsed = parse_llm_choices(text);
      if (!parsed) return report("--sweep: " + parsed.error().text(), wrong_command_line);
      choices.push_back(std::move(*parsed));
    }
  }
  if (options.output == "html" && choices.size() > 1)
    return report("--sweep: a report compares the values of one key: expected one list such as weights=fp16,int8", wrong_command_line);
  if (options.output == "svg" || options.output == "markdown")
    return report("--sweep: expected -o table, json, csv or html", wrong_command_line);
  Json ranges{{"by", choices.empty() ? "" : choices[0].key}};
  if (axis) ranges.update({{"key", axis->keys[0]}, {"from", axis->from}, {"to", axis->to}});
  if (axis && !axis->log) ranges["log"] = false;
  if (!choices.empty()) ranges["values"] = choices[0].values;
  const auto swept = llm_sweep(request.dump(), axis, std::move(choices), scenario);
  if (!swept) return report("--sweep: " + swept.error().text(), wrong_command_line);
  if (options.output == "html")
    return model_report(options, request, scenario, {{"tab", "model-sweep"}, {"modelSweep", std::move(ranges)}});
  return print(options.output == "json"  ? llm_sweep_json(*swept) + "\n"
               : options.output == "csv" ? llm_sweep_csv(*swept)
                                         : llm_sweep_table(*swept));
}

int llm(const Options& options) {
  const Outcome<std::vector<Condition>> conditions = compile_conditions(options.fail_if, Summarised::llm);
  if (!conditions) return report(conditions.error());
  if (!conditions->empty() && !options.sweeps.empty())
    return report("--fail-if takes one request: expected no --sweep", wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error());
  const Outcome<Json> json = request_json(options);
  if (!json) return report(json.error());
  if (json->contains("phase") && (*json)["phase"] == "serving") {
    if (!options.sweeps.empty() || !conditions->empty() || !options.measured.empty() || json->contains("measured_s") ||
        !options.offload.host.empty())
      return report(
          "--phase serving does not take --sweep, --fail-if, --measured, --measured-s or --host; `roofline frontier` searches layouts and "
          "numbers of users",
          wrong_command_line);
    return serving(*json, *scenario, options.output);
  }
  if (!options.offload.host.empty() && (!options.sweeps.empty() || !conditions->empty()))
    return report("--host cannot be combined with --sweep or --fail-if: their figures are of the card alone", wrong_command_line);
  const Outcome<LlmRequest> request = make_request(options, *json);
  if (!request) return report(request.error());
  const Outcome<std::optional<AskedOffload>> offload = make_offload(options.offload, *request, *scenario);
  if (!offload) return report(offload.error());
  const Workload workload = llm_workload(*request, *scenario);
  print_diagnostics(options.model, workload);
  if (!options.sweeps.empty()) return print_sweep(options, *json, *scenario);
  LlmAnswer found = answer(*request, *scenario);
  if (*offload)
    found.finding = offload_finding(*request, *scenario, (*offload)->host, (*offload)->split) + " Whole on the card: " + found.finding;
  const Plan plan(workload, *scenario);
  WriteOptions writing{options.top, summary_members(found, *scenario)};
  if (*offload)
    writing.summary.emplace_back("offload", offload_json(*request, *scenario, (*offload)->host, (*offload)->split, (*offload)->best));
  writing.marks = marks(found);
  const auto judged = [&](int printed) { return judge(printed, *conditions, [&] { return summary_json(plan, writing); }); };
  if (options.output == "html") return judged(model_report(options, *json, *scenario, offload_view(*offload)));
  if (options.output == "table") {
    Output output;
    output.write(in_words(found, *request, *scenario, *offload));
    write_table(plan, {options.top}, [&output](std::string_view piece) { output.write(piece); });
    return judged(output.finish() ? done : unusable_input);
  }
  if (options.output == "markdown") {
    Output output;
    write_llm_markdown(plan, found, writing, [&output](std::string_view piece) { output.write(piece); });
    return judged(output.finish() ? done : unusable_input);
  }
  return judged(print_analysis(plan, writing, options.output));
}

}  // namespace

void add_llm(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("llm", "What limits a language model's inference, operator by operator, and what would help");
  command
      ->add_option("MODEL", options->model,
                   "An id that `roofline list models` prints, a Hugging Face config.json, a GGUF file, or a safetensors file or index "
                   "beside its config.json")
      ->required()
      ->type_name("");
  const RequestOptions value(*command, options->values);
  value("--phase", "phase", "prefill, decode, generate or serving (default: decode)", "PHASE");
  value("--batch", "batch", "Sequences at once (default: 1)", "N");
  value("--prompt", "prompt", "Tokens of each prompt (default: the context, else 2048)", "N");
  value("--context", "context", "Tokens that a decode step attends to; where a prefill ends (default: the prompt)", "N");
  value("--generate", "generate", "Tokens to generate after the prompt (default: with --phase generate 256, else none)", "N");
  value("--weights", "weights",
        "Format of the weights, or of each part: experts=mxfp4,attention=bf16,rest=fp8_e4m3 (default: as published, else fp16)", "FORMAT");
  value("--activations", "activations", "Format of the activations; the compute peak follows it (default: fp16)", "FORMAT");
  value("--kv", "kv", "Format of the key-value cache (default: as the activations)", "FORMAT");
  value("--experts", "experts", "Format of the experts' weights; also experts=FORMAT in --weights", "FORMAT");
  value("--attention", "attention", "unfused, ideal (Q, K, V and O once) or flash (K and V again per query tile) (default: ideal)",
        "TRAFFIC");
  value("--mla", "mla", "auto, expanded or absorbed (default: auto: absorbed in decode)", "FORM");
  value("--tp", "tp", "Machines that share every matrix (default: 1)", "N");
  value("--ep", "ep", "Machines that share the experts (default: 1)", "N");
  value("--price,--price-usd", "price_usd", "What a machine costs, in US dollars, spread evenly over --years", "USD");
  value("--chunk", "chunk", "Tokens of prompts that one step takes at most: they decide the activations (default: 8192)", "N");
  value("--reserve", "reserve", "The fraction of a machine's memory that is to stay free (default: 0.1)", "F");
  value("--years", "years", "Years over which the price is spread (default: 4)", "YEARS");
  value("--usd-per-hour", "usd_per_hour", "What a machine costs an hour, in place of a price", "USD");
  value("--measured-s", "measured_s", "What the phase took, in seconds; of decode, one step", "T");
  value("--concurrency", "concurrency", "Serving: users, each with one request at a time", "N");
  value("--rate", "rate", "Serving: requests per second that arrive, in place of users", "R");
  value("--requests", "requests", "Serving: of a benchmark whose users all begin at once (default: 10 per user)", "N");
  value("--length-spread", "length_spread", "Serving: lengths are uniform from this fraction of the longest up (default: 1)", "F");
  value("--prefix-hit", "prefix_hit", "Serving: fraction of a prompt that is in the cache already (default: 0)", "F");
  value("--ttft", "ttft", "Serving: time to first token with the start of a benchmark, or steady (default: burst)", "burst|steady");
  value("--pp", "pp", "Serving: stages of a pipeline (default: 1)", "N");
  value("--dp", "dp", "Serving: replicas (default: 1)", "N");
  value("--prefill-workers", "prefill_workers", "Serving: workers that only take prompts, on machines of their own", "N");
  value("--prefill-tp", "prefill_tp", "Serving: tensor parallelism of a prefill worker", "N");
  value("--prefill-ep", "prefill_ep", "Serving: expert parallelism of a prefill worker", "N");
  value("--prefill-machine", "prefill_machine", "Serving: their machine (default: the same)", "ID");
  value("--decode-workers", "decode_workers", "Serving: workers that only decode", "N");
  value("--decode-tp", "decode_tp", "Serving: tensor parallelism of a decode worker", "N");
  value("--decode-ep", "decode_ep", "Serving: expert parallelism of a decode worker", "N");
  const auto flag = [&](const char* option, const char* key, const char* help) {
    command->add_flag_function(option, [options, key](std::int64_t) { options->values.emplace_back(key, "true"); }, help);
  };
  flag("--block-scales", "block_scales", "Serving: 8-bit weights have a scale per block (default: as in the published model)");
  flag("--attention-dp", "attention_dp", "Serving: each machine takes whole sequences, and the machines share the experts");
  flag("--prefill-attention-dp", "prefill_attention_dp", "Serving: the same in each prefill worker");
  flag("--decode-attention-dp", "decode_attention_dp", "Serving: the same in each decode worker");
  command->add_flag("--causal,!--no-causal", options->causal, "Attend to earlier tokens only (default), or to all");
  command->add_flag("--all-logits", options->all_logits, "In prefill, the LM head on every token, not the last alone");
  command->add_option("--speculate", options->speculate, "Speculative decoding, such as 4,0.8,llama-3.2-1b")
      ->type_name("GAMMA,ACCEPTANCE,DRAFT");
  add_offload_options(*command, options->offload);
  command->add_option("--measured", options->measured, "Measurements: points, the JSON of llama-bench, or results of a serving benchmark")
      ->type_name("FILE");
  command
      ->add_option("--sweep", options->sweeps,
                   "A range, batch=1..512 (prompt, context, generate; :linear and :POINTS after it), or values, weights=fp16,int4_g128 "
                   "(activations, kv, experts, attention, mla, tp, ep, model, machine); again for curves of each")
      ->allow_extra_args(false)
      ->type_name("KEY=...");
  command->add_option("--top", options->top, "Only the N operators with the most predicted time")->type_name("N");
  add_scenario_options(*command, options->scenario);
  add_fail_if_option(*command, options->fail_if);
  add_output_option(*command, options->output, {"table", "json", "csv", "svg", "markdown", "html"});
  add_template_option(*command, options->page);
  command->callback([options, &chosen] { chosen = [options] { return llm(*options); }; });
}

}  // namespace roofline::cli
