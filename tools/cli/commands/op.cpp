// roofline op TYPE KEY=VALUE...: one operator by its shape, in several formats.
#include <memory>
#include <roofline/calculator/calculator.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/write/markdown.hpp>
#include <string>
#include <vector>

#include "commands.hpp"
#include "io/report.hpp"
#include "options/conditions.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string type;
  std::vector<std::string> parameters;
  std::vector<std::string> formats;
  std::string baseline;
  std::vector<std::string> sweeps;
  std::string show = "time";
  std::vector<std::string> machines;
  ScenarioOptions scenario;
  std::vector<std::string> fail_if;
  std::string output = "table";
  std::string page;  ///< of a report
};

/// The row that speed-ups refer to.
Outcome<std::uint32_t> find_baseline(const Calculation& calculation, const std::string& wanted) {
  if (wanted.empty()) return 0;
  const auto formats = parse_formats(wanted);
  if (!formats) return give_up("--baseline: " + formats.error().text(), wrong_command_line);
  for (std::size_t i = 0; i < calculation.formats.size(); ++i)
    if (calculation.formats[i].name == formats->name) return static_cast<std::uint32_t>(i);
  return give_up("--baseline: " + formats->name + " is not compared: expected one of --formats", wrong_command_line);
}

/// `view`: of the page, beside the operator itself. `swept`: parameters that a range alone gives, with the values it begins with.
int operator_report(const Options& options, const Calculation& calculation, const Scenario& scenario, Json view,
                    const Json& swept = Json::object()) {
  Json formats = Json::array();
  for (const RoleFormats& format : calculation.formats) formats.push_back(format.name);
  Json parameters = Json::parse(calculation.parameters);
  for (const auto& [key, value] : swept.items())
    if (!parameters.contains(key)) parameters[key] = value;
  const Json request{{"type", calculation.type}, {"parameters", std::move(parameters)}, {"formats", std::move(formats)}};
  Report report;
  report.link["source"] = {{"built", "operator"}, {"request", request}};
  report.link["settings"] = link_settings(scenario);
  if (!view.empty()) report.link["view"] = std::move(view);
  return print_report(report, options.page);
}

int print_sweep(const Options& options, const Calculation& calculation, const Scenario& scenario) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options.sweeps) {
    const auto axis = parse_sweep_axis(text);
    if (!axis) return report("--sweep: " + axis.error().text(), wrong_command_line);
    axes.push_back(*axis);
  }
  if (axes.size() > 2) return report("--sweep: expected one or two ranges, found " + std::to_string(axes.size()), wrong_command_line);
  const std::optional<SweepAxis> y = axes.size() == 2 ? std::optional(axes[1]) : std::nullopt;
  const auto swept = sweep(calculation, axes[0], y, scenario);
  if (!swept) return report("--sweep: " + swept.error().text(), wrong_command_line);
  const auto cell = find_sweep_cell(options.show);
  if (!cell) return report("--show: " + cell.error().text(), wrong_command_line);
  if (options.output == "html") {
    Json ranges{{"metric", options.show}}, first = Json::object();
    for (std::size_t i = 0; i < axes.size(); ++i) {
      Json& range = ranges[i == 0 ? "x" : "y"] = {{"keys", axes[i].keys}, {"from", axes[i].from}, {"to", axes[i].to}};
      if (!axes[i].log) range["log"] = false;
      for (const std::string& key : axes[i].keys)
        if (key.find('.') == std::string::npos) first[key] = axes[i].from;  // else one length of a shape
    }
    return operator_report(options, calculation, scenario, {{"tab", "sweep"}, {"sweep", std::move(ranges)}}, first);
  }
  if (options.output != "table" && options.output != "json" && options.output != "csv")
    return report("--sweep: expected -o table, json, csv or html", wrong_command_line);
  return print(options.output == "json"  ? sweep_json(calculation, axes[0], y, *swept) + "\n"
               : options.output == "csv" ? sweep_csv(calculation, axes[0], y, *swept)
                                         : sweep_table(calculation, axes[0], y, *swept, *cell));
}

/// --baseline may name a machine here, a format, or be empty.
int print_machines(const Options& options, const Calculation& calculation, const Workload& workload, Scenario scenario) {
  std::optional<std::uint32_t> row;
  if (!options.baseline.empty() && parse_formats(options.baseline)) {
    const Outcome<std::uint32_t> found = find_baseline(calculation, options.baseline);
    if (!found) return report(found.error());
    row = *found;
  } else if (!options.baseline.empty()) {
    const Outcome<Machine> machine = find_machine(options.baseline);
    if (!machine) return report("--baseline: " + machine.error().message, machine.error().exit);
    scenario.use(*machine);
  }
  std::vector<Machine> machines;
  machines.reserve(options.machines.size());
  for (const std::string& name : options.machines) {
    Outcome<Machine> machine = find_machine(name);
    if (!machine) return report("--machines: " + machine.error().message, machine.error().exit);
    machines.push_back(std::move(*machine));
  }
  std::vector<const Machine*> all;
  for (const Machine& machine : machines) all.push_back(&machine);
  if (options.output == "html") {
    Json view{{"tab", "machines"}, {"machines", Json::array()}};
    for (const Machine& machine : machines) {
      const Machine* preset = Machines::presets().find(machine.id);
      view["machines"].push_back(preset && *preset == machine ? Json(machine.id) : Json::parse(machine_json(machine, true)));
    }
    if (row) view["baseline"] = *row;
    return operator_report(options, calculation, scenario, std::move(view));
  }
  if (options.output != "table" && options.output != "json" && options.output != "csv")
    return report("--machines: expected -o table, json, csv or html", wrong_command_line);
  return print(machines_text(workload, scenario, all, options.output, row));
}

int op(const Options& options) {
  const Outcome<std::vector<Condition>> conditions = compile_conditions(options.fail_if, Summarised::analysis);
  if (!conditions) return report(conditions.error());
  if (!conditions->empty() && !(options.sweeps.empty() && options.machines.empty()))
    return report("--fail-if takes one machine and one shape: expected neither --sweep nor --machines", wrong_command_line);
  const auto calculation = parse_calculation(options.type, options.parameters, options.formats);
  if (!calculation) return report(calculation.error().text(), wrong_command_line);
  const Outcome<Scenario> scenario = make_scenario(options.scenario);
  if (!scenario) return report(scenario.error());
  if (!options.sweeps.empty()) return print_sweep(options, *calculation, *scenario);  // it may give what the parameters lack
  const auto workload = workload_of(*calculation);
  if (!workload) return report(options.type + ": " + workload.error().text(), wrong_command_line);
  if (!options.machines.empty()) return print_machines(options, *calculation, *workload, *scenario);
  const Outcome<std::uint32_t> baseline = find_baseline(*calculation, options.baseline);
  if (!baseline) return report(baseline.error());
  const Plan plan(*workload, *scenario);
  const auto judged = [&](int printed) { return judge(printed, *conditions, [&] { return summary_json(plan, {}); }); };
  if (options.output == "html")
    return judged(operator_report(options, *calculation, *scenario, *baseline > 0 ? Json{{"baseline", *baseline}} : Json::object()));
  if (options.output == "markdown") return judged(print_pieces([&](const Sink& sink) { write_formats_markdown(plan, *baseline, sink); }));
  if (options.output == "table") return judged(print(comparison_table(plan, *calculation, *baseline)));
  WriteOptions write;
  if (options.output == "json") write.comparison = comparison_json(plan, *baseline);
  return judged(print_analysis(plan, write, options.output));
}

}  // namespace

void add_op(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("op", "One operator by its shape: what bounds it in each format");
  command->add_option("TYPE", options->type, "An operator that `roofline list operators` prints, or any name it goes by")
      ->required()
      ->type_name("");
  command->add_option("PARAMETER", options->parameters, "KEY=VALUE, as `roofline show operator TYPE` lists them; lists as 1,64,56,56")
      ->type_name("");
  command->add_option("--formats", options->formats, "Formats to compare: fp16, or int4:fp16 for weights:activations[:output[:kv]]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("F,F,...");
  command
      ->add_option("--baseline", options->baseline, "What speed-ups refer to: a format (default: the first), or with --machines a machine")
      ->type_name("F");
  command
      ->add_option("--sweep", options->sweeps,
                   "A parameter's range: m=1..4096, with :linear, :round and :POINTS after it; twice for a heat map")
      ->allow_extra_args(false)
      ->type_name("KEY=FROM..TO");
  command
      ->add_option("--show", options->show,
                   "What a table over two ranges shows beside the bound: time or rate, or bound alone, or the fastest format")
      ->type_name("time|rate|bound|fastest");
  command->add_option("--machines", options->machines, "Machines to compare, ids or files; --machine is what speed-ups refer to")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("M,M,...");
  add_scenario_options(*command, options->scenario);
  add_fail_if_option(*command, options->fail_if);
  add_output_option(*command, options->output, {"table", "json", "csv", "svg", "markdown", "html"});
  add_template_option(*command, options->page);
  command->callback([options, &chosen] { chosen = [options] { return op(*options); }; });
}

}  // namespace roofline::cli
