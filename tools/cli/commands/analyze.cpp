// roofline analyze FILE: what limits each operation of a file.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <roofline/accuracy/format_plan.hpp>
#include <roofline/analysis/fit.hpp>
#include <roofline/base/number.hpp>
#include <roofline/base/text.hpp>
#include <roofline/calculator/network_sweep.hpp>
#include <roofline/llm/kernels_of_step.hpp>
#include <roofline/read/table_columns.hpp>
#include <roofline/write/folding.hpp>
#include <roofline/write/memory_advice.hpp>
#include <roofline/write/modules.hpp>
#include <roofline/write/summary.hpp>
#include <roofline/write/write.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/files.hpp"
#include "io/report.hpp"
#include "io/stream.hpp"
#include "options/conditions.hpp"
#include "options/fuse.hpp"
#include "options/model.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"
#include "options/selection.hpp"
#include "options/workload.hpp"

namespace roofline::cli {
namespace {

struct Options {
  std::string file, second;
  std::string model;                                            ///< whose operators stand beside the trace's kernels
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

/// The machine as the file's measurements show it, into `path`; what was found on standard error.
Exit write_fit(const Plan& plan, const std::string& path) {
  const Result<Fit> found = fit(plan);
  if (!found) return report("--fit: " + found.error().text(), unusable_input), unusable_input;
  const Machine machine = calibrated(plan.scenario().machine, *found, plan.workload().source);
  std::ofstream file(path, std::ios::binary);
  file << machine_json(machine, true) << '\n';
  file.close();
  if (!file) return report(path + ": cannot be written", unusable_input), unusable_input;
  const auto share = [](double fraction) { return known(fraction) ? percent(fraction) : std::string("not measured"); };
  std::string text = path + ": compute " + share(found->compute) + " of the peak, bandwidth " + share(found->bandwidth) + ", launch " +
                     (found->launch_s > 0 ? seconds(found->launch_s) : "0 s") + "; root mean square error " + percent(found->rms) +
                     " over " + std::to_string(found->rows.size()) + " operations (" + percent(found->bound_rms) + " of the bare bound)\n";
  if (found->above_roof > 0)
    text += std::to_string(found->above_roof) + " of them are faster than the machine allows: check its peak and bandwidth\n";
  std::fputs(text.c_str(), stderr);
  return done;
}

/// `machine`: the one of the files that is no source but its machine, which the settings hold. `model`: the request of the one that ran;
/// null: none is named.
int analysis_report(const Options& options, const OpSet& ops, const std::string& machine, const nlohmann::ordered_json& model) {
  const Plan& plan = ops.plan();
  Report report;
  report.top = options.top;
  report.source = options.registries;
  for (const std::string& file : {options.second, options.file})
    if (!file.empty() && file != machine) {
      report.source.insert(report.source.begin() + static_cast<std::ptrdiff_t>(options.registries.size()), file);
      report.link["source"] = file_source(file);
    }
  nlohmann::ordered_json as;
  if (!model.is_null()) as["model"] = model;
  for (const auto& [header, as_header] : options.columns) as["columns"][header] = as_header;
  if (!as.is_null()) report.link["source"]["as"] = std::move(as);
  report.link["settings"] = link_settings(plan.scenario());
  report.link["view"] = link_view(options.selection.chosen(), plan.workload());
  if (!options.memory.empty()) report.link["view"]["memory"] = options.memory;
  if (!options.fuse.empty()) {
    const Outcome<std::vector<std::uint32_t>> rows = rows_to_fuse(plan.workload(), options.fuse);
    if (!rows) return cli::report(rows.error().message, rows.error().exit);
    if (rows->back() - rows->front() + 1 != rows->size())
      return cli::report("--fuse: a report has neighbours alone: expected one range such as 3-5", wrong_command_line);
    report.link["view"]["fuse"] = {rows->front(), rows->back()};
    report.link["selected"] = rows->front();
  }
  return print_report(report, options.page);
}

/// The model that --model names, and how it was run: its request. Null where none is named.
Outcome<nlohmann::ordered_json> model_request(const Options& options) {
  if (options.model.empty()) return nlohmann::ordered_json();
  const Outcome<nlohmann::ordered_json> model = read_model(options.model);
  if (!model) return tl::unexpected(model.error());
  nlohmann::ordered_json json{{"model", *model}};
  for (const auto& [key, text] : options.model_keys) {
    const auto value = nlohmann::ordered_json::parse(text, nullptr, false);
    json[key] = value.is_number() ? value : nlohmann::ordered_json(text);
  }
  return json;
}

/// --stream takes no option that needs all operations at hand.
int start_stream(const Options& options) {
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
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  return analyze_stream(options.file, options.registries, *scenario, options.output == "summary");
}

/// What the run adds up to, for `roofline summarize`.
int print_summary(const OpSet& ops, const std::string& file) {
  if (ops.plan().workload().source_format == SourceFormat::summary)
    return report(file + ": a summary already: expected `roofline summarize`, which takes it as it is", unusable_input);
  RunSummary summary;
  if (const Result<void> added = summary.add(ops); !added) return report(added.error().text(), unusable_input);
  summary.end_run();
  Output output;
  summary.write([&output](std::string_view piece) { output.write(piece); });
  return output.finish() ? done : unusable_input;
}

/// How each column of a table is used, instead of the analysis.
int print_columns(const Options& options) {
  if (options.output != "table" && options.output != "json")
    return report("--columns: expected -o table or json, found " + options.output, wrong_command_line);
  const Result<std::string> bytes = read_file(options.file);
  const Result<std::string> text = bytes ? to_utf8(*bytes) : bytes;
  if (!text) return report(describe(options.file, text.error()), unusable_input);
  const auto columns = table_columns(*text, options.columns);
  if (!columns) return report(describe(options.file, columns.error()), unusable_input);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> rows = {{"column", "use", "as", "unit", "first rows"}};
  for (const TableColumn& c : *columns) {
    list.push_back({{"header", c.header}, {"use", to_string(c.use)}, {"as", c.as}, {"unit", c.unit}, {"first", c.first}});
    std::string first;
    for (const std::string& value : c.first)
      first += (first.empty() ? "" : " ") + (value.size() > 24 ? value.substr(0, 24) + "..." : value);
    rows.push_back({printable(c.header), to_string(c.use), c.as, c.unit, printable(first)});
  }
  return print(options.output == "json"
                   ? nlohmann::ordered_json{{"columns", list}}.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n'
                   : align(rows, "lllll"));
}

/// Opens FILE for an option that takes nothing but a network; `what`: that option, for errors.
Outcome<NetworkFile> open_network_alone(const Options& options, const char* what) {
  if (!options.second.empty() || !options.fuse.empty() || !options.fail_if.empty() || !options.model.empty() || options.by_module)
    return give_up(std::string(what) + " takes one network: expected no second file, --modules, --fuse, --fail-if or --model",
                   wrong_command_line);
  return open_network_file(options.file);
}

/// The network's operations as commands.json.
int print_commands(const Options& options) {
  const Outcome<NetworkFile> opened = open_network_alone(options, "-o commands");
  if (!opened) return report(opened.error().message, opened.error().exit);
  const Result<std::string> text = network_commands(*opened->network, options.network.dimensions, options.network.tool_chain());
  return text ? print(*text) : report(describe(options.file, text.error()), wrong_command_line);
}

/// The network over a range of one of its dimensions, instead of its operations.
int print_sweep(const Options& options) {
  if (options.output != "table" && options.output != "json" && options.output != "csv")
    return report("--sweep: expected -o table, json or csv, found " + options.output, wrong_command_line);
  const Result<SweepAxis> axis = parse_sweep_axis(options.sweep);
  if (!axis) return report("--sweep: " + axis.error().text(), wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  const Outcome<NetworkFile> opened = open_network_alone(options, "--sweep");
  if (!opened) return report(opened.error().message, opened.error().exit);
  const Result<NetworkSweep> swept = sweep_network(*opened->network, source_name(options.file), options.network.dimensions,
                                                   options.network.tool_chain(), *axis, *scenario);
  if (!swept) return report(describe(options.file, swept.error()), wrong_command_line);
  return print(options.output == "json"  ? network_sweep_json(*swept) + "\n"
               : options.output == "csv" ? network_sweep_csv(*swept)
                                         : network_sweep_table(*swept));
}

/// JSON of a network's totals with operations merged by a tool chain, and without; `ops` is one of the two.
Outcome<std::string> folding(const Opened& opened, const std::vector<std::string>& registries, const Scenario& scenario, const OpSet& ops) {
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
  const Summary here = summarize(ops.unfiltered()), there = summarize(Plan(*workload, scenario));
  return own == ToolChain::none ? folding_json(others.tool_chain(), there, here) : folding_json(own, here, there);
}

/// Proposals that fit a network's activations on chip.
Outcome<MemoryAdvice> memory_advice(const Opened& opened, const Options& options, const Scenario& scenario) {
  OnChipMemory memory = on_chip_memory(scenario.machine);
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

/// Sums by module instead of the operations.
int print_modules(const OpSet& ops) {
  constexpr std::size_t most_lines = 200;
  return print(modules_table(ops.plan(), sum_by_module(ops), most_lines));
}

int analyze(const Options& options) {
  if (options.list_columns) return print_columns(options);
  if (!options.stream && !options.sweep.empty()) return print_sweep(options);
  if (!options.stream && options.output == "commands") return print_commands(options);
  const Outcome<std::vector<Condition>> conditions = compile_conditions(options.fail_if, Summarised::analysis);
  if (!conditions) return report(conditions.error().message, conditions.error().exit);
  if (options.output == "html") keep_standard_input();
  if (!options.model.empty() && !options.second.empty())
    return report("--model takes one file, a trace; found a second, " + options.second, wrong_command_line);
  if (options.model.empty() && !options.model_keys.empty())
    return report("--" + options.model_keys[0].first + " says how a model was run: expected --model with it", wrong_command_line);
  const Outcome<nlohmann::ordered_json> request = model_request(options);
  if (!request) return report(request.error().message, request.error().exit);
  std::optional<ServedModel> served;
  if (!request->is_null()) {
    Result<ServedModel> named = parse_served_model(request->dump());
    const std::string at = named || named.error().path.empty() ? "model" : named.error().path;
    if (!named) return report("--" + at + ": " + named.error().message, wrong_command_line);
    served = std::move(*named);
  }
  if (options.stream) return start_stream(options);
  if (!options.fuse.empty() && options.output != "table" && options.output != "json" && options.output != "html")
    return report("--fuse: expected -o table, json or html, found " + options.output, wrong_command_line);
  ReadOptions as;
  as.each_launch = served.has_value();
  as.keep_records = !options.fuse.empty();  // they tell the tensors
  as.columns = options.columns;
  as.assumed_format = assumed_format(options.scenario);
  if (options.by_module && (!options.fuse.empty() || (options.output != "table" && options.output != "json")))
    return report("--modules: expected -o table or json, and no --fuse", wrong_command_line);
  Outcome<Opened> opened = read_workloads(options.file, options.second, options.registries, as, options.network);
  Scenario stated = opened ? stated_scenario(opened->workload) : Scenario::standard();
  ScenarioOptions chosen = options.scenario;
  if (opened && chosen.machine.empty()) chosen.machine = opened->machine;
  // A wrong command line is told before a wrong file; but it takes the file's machine to know which rates there are to set.
  const Outcome<Scenario> scenario = make_scenario(chosen, std::move(stated));
  if (!scenario) return report(scenario.error().message, scenario.error().exit);
  if (!opened) return report(opened.error().message, opened.error().exit);
  if (served) {
    Result<Workload> placed = place_kernels(opened->workload, *served, *scenario);
    if (!placed) return report(describe(options.file, placed.error()), unusable_input);
    opened->workload = std::move(*placed);
  }
  const Workload& workload = opened->workload;
  print_diagnostics(options.second.empty() ? options.file : workload.source, workload);

  // A network may hold nothing but views and constants.
  const auto facts = nlohmann::json::parse(workload.network_json, nullptr, false);
  const bool views_only = facts.is_object() && facts.value("not_counted", nlohmann::json()).empty();
  const auto nothing = [&](const std::string& what) {
    return report(options.file + ": " + what + ": docs/formats.html has what each format needs, and the tools' commands that write it",
                  unusable_input);
  };
  if (facts.is_object() && facts.value("nodes", 0) == 0) return nothing("the model has no nodes: it is empty, cut off or damaged");
  if (workload.size() == 0 && !views_only) return nothing(std::string("no operations (") + to_string(workload.source_format) + ")");

  const Plan plan(workload, *scenario);
  const Summary all = summarize(plan, false);
  if (all.ops > 0 && all.timed_ops == 0 && all.by_status[static_cast<std::size_t>(Status::unknown)] == all.ops)
    return nothing("no cost for any of " + with_commas(all.ops) + " operations");
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
  WriteOptions writing{options.top, {}, options.memory};
  if (options.output == "json" && opened->network) {
    Outcome<std::string> totals = folding(*opened, options.registries, *scenario, *ops);
    if (!totals) return report(totals.error().message, totals.error().exit);
    writing.summary.emplace_back("folding", std::move(*totals));
  }
  std::optional<MemoryAdvice> memory;
  if (!options.on_chip.empty() && !opened->network)
    return report("--on-chip is for networks: expected " + std::string(network_kinds), wrong_command_line);
  const bool fit_on_chip = !options.on_chip.empty() || scenario->machine.tool_chain != ToolChain::none;
  if (fit_on_chip && (options.output == "json" || options.output == "table") && opened->network) {
    Outcome<MemoryAdvice> advice = memory_advice(*opened, options, *scenario);
    if (!advice) return report(advice.error().message, advice.error().exit);
    memory = std::move(*advice);
    writing.summary.emplace_back("activation_memory", memory_advice_json(*memory));
  }
  if (options.by_module && options.output == "json") writing.summary.emplace_back("by_module", modules_json(plan, sum_by_module(*ops)));
  const auto fused = [&] {
    const Outcome<std::vector<std::uint32_t>> rows = rows_to_fuse(workload, options.fuse);
    return rows ? print_fusion(plan, *rows, options.registries, options.output) : report(rows.error().message, rows.error().exit);
  };
  const int printed = options.output == "html"                         ? analysis_report(options, *ops, opened->machine, *request)
                      : !options.fuse.empty()                          ? fused()
                      : options.by_module && options.output == "table" ? print_modules(*ops)
                      : options.output == "summary"                    ? print_summary(*ops, options.file)
                                                                       : print_analysis(*ops, writing, options.output);
  if (printed == done && memory && known(memory->memory.capacity) && !memory->finding.empty() && options.output == "table" &&
      options.fuse.empty() && !options.by_module)
    if (const int finding_printed = print('\n' + memory->finding + '\n'); finding_printed != done) return finding_printed;
  return judge(printed, *conditions, [&] { return summary_json(*ops, writing); });
}

}  // namespace

void add_analyze(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
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
