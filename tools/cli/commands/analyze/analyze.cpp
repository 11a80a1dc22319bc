// roofline analyze FILE: what limits each operation of a file.
#include "commands/analyze/analyze.hpp"

#include <memory>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/llm/kernels_of_step.hpp>
#include <roofline/write/memory_advice.hpp>
#include <roofline/write/modules.hpp>
#include <roofline/write/write.hpp>

#include "io/files.hpp"
#include "io/report.hpp"
#include "io/stream.hpp"
#include "options/conditions.hpp"
#include "options/fuse.hpp"
#include "options/model.hpp"
#include "options/output.hpp"

namespace roofline::cli {
namespace {

/// The model that --model names, and how it was run: its request, null where none is named.
struct TracedModel {
  nlohmann::ordered_json request;
  std::optional<ServedModel> served;
};

Outcome<TracedModel> traced_model(const AnalyzeOptions& options) {
  if (!options.model.empty() && !options.second.empty())
    return give_up("--model takes one file, a trace; found a second, " + options.second, wrong_command_line);
  if (options.model.empty() && !options.model_keys.empty())
    return give_up("--" + options.model_keys[0].first + " says how a model was run: expected --model with it", wrong_command_line);
  TracedModel out;
  if (options.model.empty()) return out;
  const Outcome<nlohmann::ordered_json> model = read_model(options.model);
  if (!model) return tl::unexpected(model.error());
  out.request["model"] = *model;
  for (const auto& [key, text] : options.model_keys) {
    const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
    out.request[key] = value.is_number() ? value : nlohmann::ordered_json(text);
  }
  Result<ServedModel> served = parse_served_model(out.request.dump());
  if (!served)
    return give_up("--" + (served.error().path.empty() ? "model" : served.error().path) + ": " + served.error().message,
                   wrong_command_line);
  out.served = std::move(*served);
  return out;
}

/// --stream takes no option that needs all operations at hand.
int start_stream(const AnalyzeOptions& options) {
  const std::pair<bool, const char*> whole[] = {
      {!options.second.empty(), "a second file"},
      {!options.model.empty(), "--model"},
      {options.top.has_value(), "--top"},
      {!options.fit.empty(), "--fit"},
      {!options.fail_if.empty(), "--fail-if"},
      {options.selection.chosen().active(), "filters"},
      {!options.fuse.empty(), "--fuse"},
      {options.by_module, "--modules"},
      {!options.sweep.empty(), "--sweep"},
      {options.output != "table" && options.output != "json" && options.output != "summary", "-o"}};
  for (const auto& [given, what] : whole)
    if (given)
      return report(std::string("--stream: expected no ") + what + (what == std::string("-o") ? " but json or summary" : ""),
                    wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error());
  return analyze_stream(options.file, options.registries, *scenario, options.output == "summary");
}

/// Why these operations cannot be analysed; empty: they can.
std::string lack_of_operations(const Workload& workload) {
  const auto facts = nlohmann::json::parse(workload.network_json, nullptr, false);
  if (facts.is_object()) return facts.value("nodes", 0) == 0 ? "the model has no nodes: it is empty, cut off or damaged" : "";
  return workload.size() == 0 ? std::string("no operations (") + to_string(workload.source_format) + ")" : std::string();
}

int no_operations(const AnalyzeOptions& options, const std::string& what) {
  return report(options.file + ": " + what + ": docs/formats.html has what each format needs, and the tools' commands that write it",
                unusable_input);
}

int print_operations(const AnalyzeOptions& options, const Opened& opened, const TracedModel& model, const OpSet& ops,
                     const std::vector<Condition>& conditions) {
  const Plan& plan = ops.plan();
  const bool table = options.output == "table", json = options.output == "json";
  WriteOptions writing{options.top, {}, options.memory};
  if (json && opened.network) {
    Outcome<std::string> totals = folding(opened, options.registries, ops);
    if (!totals) return report(totals.error());
    writing.summary.emplace_back("folding", std::move(*totals));
  }
  if (!options.on_chip.empty() && !opened.network)
    return report("--on-chip is for networks: expected " + std::string(network_kinds), wrong_command_line);
  std::string memory_finding;
  if (const Machine& machine = plan.scenario().machine;
      (!options.on_chip.empty() || machine.tool_chain != ToolChain::none) && (json || table) && opened.network) {
    const Outcome<MemoryAdvice> advice = memory_advice(opened, options, machine);
    if (!advice) return report(advice.error());
    writing.summary.emplace_back("activation_memory", memory_advice_json(*advice));
    if (known(advice->memory.capacity)) memory_finding = advice->finding;
  }
  if (options.by_module && json) writing.summary.emplace_back("by_module", modules_json(plan, sum_by_module(ops)));

  int printed = done;
  if (options.output == "html") {
    printed = print_analysis_report(options, ops, opened.machine, model.request);
  } else if (!options.fuse.empty()) {
    const Outcome<std::vector<std::uint32_t>> rows = rows_to_fuse(plan.workload(), options.fuse);
    if (!rows) return report(rows.error());
    printed = print_fusion(plan, *rows, options.registries, options.output);
  } else if (options.by_module && table) {
    constexpr std::size_t most_lines = 200;
    printed = print(modules_table(plan, sum_by_module(ops), most_lines));
  } else if (options.output == "summary") {
    printed = print_summary(ops, options.file);
  } else {
    printed = print_analysis(ops, writing, options.output);
    if (printed == done && table && !memory_finding.empty()) printed = print('\n' + memory_finding + '\n');
  }
  return judge(printed, conditions, [&] { return summary_json(ops, writing); });
}

int analyze(const AnalyzeOptions& options) {
  if (options.list_columns) return print_columns(options);
  if (!options.stream && !options.sweep.empty()) return print_network_sweep(options);
  if (!options.stream && options.output == "commands") return print_commands(options);
  const Outcome<std::vector<Condition>> conditions = compile_conditions(options.fail_if, Summarised::analysis);
  if (!conditions) return report(conditions.error());
  if (options.output == "html") keep_standard_input();
  const Outcome<TracedModel> model = traced_model(options);
  if (!model) return report(model.error());
  if (options.stream) return start_stream(options);
  const bool table_or_json = options.output == "table" || options.output == "json";
  if (!options.fuse.empty() && !table_or_json && options.output != "html")
    return report("--fuse: expected -o table, json or html, found " + options.output, wrong_command_line);
  if (options.by_module && (!options.fuse.empty() || !table_or_json))
    return report("--modules: expected -o table or json, and no --fuse", wrong_command_line);

  ReadOptions as;
  as.each_launch = model->served.has_value();
  as.keep_records = !options.fuse.empty();  // they tell the tensors
  as.columns = options.columns;
  as.assumed_format = assumed_format(options.scenario);
  Outcome<Opened> opened = read_workloads(options.file, options.second, options.registries, as, options.network);
  Scenario stated = opened ? stated_scenario(opened->workload) : Scenario::standard();
  ScenarioOptions chosen = options.scenario;
  if (opened && chosen.machine.empty()) chosen.machine = opened->machine;
  // Errors of the command line come before those of the file. Only the rates that may be set depend on the machine that the file names.
  const Outcome<Scenario> scenario = make_scenario(chosen, std::move(stated));
  if (!scenario) return report(scenario.error());
  if (!opened) return report(opened.error());
  if (model->served) {
    Result<Workload> placed = place_kernels(opened->workload, *model->served, *scenario);
    if (!placed) return report(describe(options.file, placed.error()), unusable_input);
    opened->workload = std::move(*placed);
  }
  const Workload& workload = opened->workload;
  print_diagnostics(options.second.empty() ? options.file : workload.source, workload);
  if (const std::string lack = lack_of_operations(workload); !lack.empty()) return no_operations(options, lack);

  const Plan plan(workload, *scenario);
  const Summary all = summarize(plan, false);
  if (all.ops > 0 && all.timed_ops == 0 && all.by_status[static_cast<std::size_t>(Status::unknown)] == all.ops)
    return no_operations(options, "no cost for any of " + with_commas(all.ops) + " operations");
  if (!options.fit.empty())
    if (const Exit written = write_fit(plan, options.fit); written != done) return written;
  const Result<OpSet> ops = select(plan, options.selection.chosen());
  if (!ops) return report("--" + ops.error().path + ": " + ops.error().message, wrong_command_line);
  if (!options.memory.empty() && !plan.axis(options.memory)) {
    std::string names = "bottleneck";
    for (const std::string& name : plan.axes()) names += ", " + name;
    return report("--memory: there is no memory \"" + options.memory + "\": expected one of " + names, wrong_command_line);
  }
  ask_for_machine(*ops);
  return print_operations(options, *opened, *model, *ops, *conditions);
}

}  // namespace

void add_analyze(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = app.add_subcommand("analyze", "What limits each operation of a file, and why");
  command->add_option("FILE", options->file, "Operations, kernels or a profile, plain or gzip; - is standard input")
      ->required()
      ->type_name("");
  command
      ->add_option(
          "SECOND", options->second,
          "The times or the layers that FILE lacks, joined by name (of trtexec: profile and layer list), or the machine that ran it")
      ->type_name("");
  command
      ->add_option("--model", options->model,
                   "FILE is a trace of vLLM or SGLang serving this model: its operators beside the kernels; an id or a config.json")
      ->type_name("MODEL");
  const auto model_option = [&](const char* key, const char* what, const char* type) {
    command
        ->add_option_function<std::string>(
            std::string("--") + key, [options, key](const std::string& text) { options->model_keys.emplace_back(key, text); }, what)
        ->type_name(type);
  };
  model_option("weights", "With --model: the weights' format (default fp16)", "FORMAT");
  model_option("activations", "With --model: the activations' format (default fp16)", "FORMAT");
  model_option("kv", "With --model: the format of the key-value cache (default: the activations')", "FORMAT");
  model_option("context", "With --model: tokens of each sequence, where the trace's steps do not state them", "N");
  model_option("tp", "With --model: machines that share every matrix (default 1)", "N");
  add_scenario_options(*command, options->scenario);
  command->add_option("--registry", options->registries, "More operations: an op_registry.json; given again, later ones win")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command
      ->add_option_function<std::vector<std::string>>(
          "--column",
          [options](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              const std::size_t end = text.rfind('=');
              if (end == std::string::npos || end == 0)
                throw CLI::ValidationError("--column", "expected HEADER=AS, as in elapsed=time_us, found '" + text + "'");
              options->columns.emplace_back(text.substr(0, end), text.substr(end + 1));
            }
          },
          "Of a table: read the column HEADER as if it were called AS (time_us, GFLOP/s, bytes, M, ...; nothing: not at all); again for "
          "more")
      ->allow_extra_args(false)
      ->type_name("HEADER=AS");
  add_network_options(*command, options->network);
  command->add_flag("--columns", options->list_columns,
                    "Of a table: how each column is used (as what, in which unit), shown as a filter or ignored; no analysis");
  command->add_option("--fit", options->fit, "Also fit the machine to the measured times and write it to FILE")->type_name("FILE");
  command->add_option("--top", options->top, "Only the N operations with the most lost (else predicted) time")
      ->check([](const std::string& text) {  // what CLI11 reads as a number includes -1 and 1.5
        return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos ? ""
                                                                                          : "expected a whole number, found '" + text + "'";
      })
      ->type_name("N");
  add_selection_options(*command, options->selection);
  command
      ->add_option("--memory", options->memory,
                   "Whose intensity the chart's x axis has (default: for each operation the memory that takes longest)")
      ->type_name("NAME");
  command
      ->add_option("--fuse", options->fuse,
                   "What one kernel would save that did these neighbours' work, the traffic between them gone: names or indexes with "
                   "commas, ranges as 3-5 or qk..pv")
      ->allow_extra_args(false)
      ->delimiter(',')
      ->type_name("OPS");
  command
      ->add_option("--sweep", options->sweep,
                   "Of a network: over a dimension's range, batch=1..64, with :linear and :POINTS after it; -o table, json or csv")
      ->type_name("NAME=RANGE");
  command
      ->add_option("--on-chip", options->on_chip,
                   "Of a network: the memory that its activations should fit, such as 384KiB; without it, the machine's on-chip memory")
      ->type_name("BYTES");
  command->add_flag("--modules", options->by_module,
                    "Sums by module instead of the operations, equal ones once with their count; -o json has them in summary.by_module");
  command->add_flag("--stream", options->stream,
                    "Operations one on each line: of each its analysis on a line, as it comes, in constant memory; or -o summary");
  add_fail_if_option(*command, options->fail_if);
  add_output_option(*command, options->output, {"table", "json", "csv", "svg", "markdown", "html", "summary", "commands"});
  add_template_option(*command, options->page);
  command->callback([options, &chosen] {
    options->network.use_machine(options->scenario);
    chosen = [options] { return analyze(*options); };
  });
}

}  // namespace roofline::cli
