#include "options/network.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <roofline/base/text.hpp>
#include <roofline/network/memory_advice.hpp>

#include "io/files.hpp"
#include "io/gzip.hpp"

namespace roofline::cli {

std::string source_name(const std::string& file) {
  return file == "-" ? display_name("-") : std::filesystem::path(file).filename().string();
}

bool is_network_file(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return false;
  const Result<std::string> start = read_part(file, 0, network_start_bytes);
  return start && is_network(file, *start);
}

void add_network_options(CLI::App& command, NetworkChoices& choices) {
  command
      .add_option_function<std::vector<std::string>>(
          "--dim",
          [&choices](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              const std::size_t end = text.rfind('=');
              if (end == std::string::npos || end == 0)
                throw CLI::ValidationError("--dim", "expected NAME=LENGTH, as in batch=8, found '" + text + "'");
              choices.dimensions.emplace_back(text.substr(0, end), text.substr(end + 1));
            }
          },
          "Of a network: a length that its file does not fix, or the name of another that it equals; again for more (roofline dims FILE)")
      ->allow_extra_args(false)
      ->type_name("NAME=LENGTH");
  command
      .add_flag("--fold{" + std::string(usual_fold) + '}', choices.fold,
                "Of a network: merge operations as a compiler does, --fold=TOOLCHAIN as one of " + any_of_names<ToolChain>() +
                    "; on by default for NPUs, --fold=none switches it off")
      ->check([](const std::string& text) {
        return chosen_tool_chain(text, ToolChain::none) ? std::string() : "expected " + any_of_names<ToolChain>() + ", found " + text;
      });
}

ToolChain NetworkChoices::tool_chain() const { return *chosen_tool_chain(fold, usual, engine); }

NetworkTarget NetworkChoices::target() const {
  NetworkTarget out = chip;
  out.tool_chain = tool_chain();
  return out;
}

void NetworkChoices::use_machine(const Machine& machine) {
  usual = machine.tool_chain;
  chip = target_on(machine, usual);
}

void NetworkChoices::use_machine(const ScenarioOptions& options) {
  const Outcome<Scenario> scenario = make_scenario(options);
  if (scenario && scenario->basis != MachineBasis::assumed) use_machine(scenario->base);
}

Outcome<NetworkFile> open_network_file(const std::string& file) {
  std::error_code none;
  const Result<std::string> start = std::filesystem::is_regular_file(file, none) ? read_part(file, 0, 2) : fail("no plain file");
  if (start && !is_gzip(*start)) return open_network_file(file, std::make_unique<FileSource>(file));
  Result<std::string> bytes = read_file(file, most_network_held);
  if (!bytes) return give_up(describe(file, bytes.error()), unusable_input);
  return open_network_file(file, std::make_unique<HeldSource>(std::move(*bytes)));
}

Outcome<NetworkFile> open_network_file(const std::string& file, std::unique_ptr<ByteSource> source) {
  Result<std::unique_ptr<Network>> network = open_network(source_name(file), *source);
  if (!network) return give_up(describe(file, network.error()), unusable_input);
  return NetworkFile{file, std::move(source), std::move(*network)};
}

namespace {

/// Adds a network's assumed lengths, merged nodes, notes and uncounted nodes to the diagnostics.
void add_remarks(Workload& workload, const NetworkChoices& choices) {
  const auto network = nlohmann::json::parse(workload.network_json, nullptr, false);
  if (!network.is_object()) return;
  const auto add = [&](std::string message) { workload.diagnostics.push_back({Severity::warning, std::move(message)}); };
  std::string assumed, open;
  for (const auto& d : network.value("dimensions", nlohmann::json::array())) {
    const std::string name = printable(d["name"].get<std::string>());
    if (d.value("assumed", false)) assumed += (assumed.empty() ? "" : ", ") + name + " " + plain(d["value"].get<double>());
    if (d["value"].is_null() && !d.value("decided_by_data", false)) open += (open.empty() ? "" : ", ") + name;
  }
  if (!assumed.empty()) add("lengths that the file leaves open are assumed: " + assumed + "; --dim NAME=LENGTH sets them");
  if (!open.empty()) add("lengths that the file leaves open are not known: " + open + "; --dim NAME=LENGTH sets them");
  if (const auto by = named<ToolChain>(network.value("tool_chain", "")); by.value_or(ToolChain::none) != ToolChain::none)
    add(with_commas(network["folded_nodes"].get<std::size_t>()) + " of " + with_commas(network["nodes"].get<std::size_t>()) +
        " nodes are merged into others or vanish, as " + std::string(title_of(*by)) + " does" +
        (*by == ToolChain::all ? " (upper limit)" : "") +
        (choices.fold.empty() && choices.engine != ToolChain::none ? ", which ran " + printable(choices.run) : "") +
        "; --fold=none counts each alone");
  for (const auto& note : network.value("notes", nlohmann::json::array())) add(note.get<std::string>());
  struct NotCounted {
    std::string list;
    double share = 0;  // of all nodes
  };
  std::map<std::string, NotCounted> nodes;  // by reason
  for (const auto& kind : network.value("not_counted", nlohmann::json::array())) {
    NotCounted& of = nodes[kind["reason"].get<std::string>()];
    of.list +=
        (of.list.empty() ? "" : ", ") + with_commas(kind["nodes"].get<std::size_t>()) + ' ' + printable(kind["type"].get<std::string>());
    of.share += kind["share"].get<double>();
  }
  for (const auto& [reason, of] : nodes) add("not counted (" + reason + "): " + of.list + ", " + percent(of.share) + " of the nodes");
}

}  // namespace

Outcome<Workload> network_workload(const NetworkFile& network, const ReadOptions& as, const NetworkChoices& choices) {
  const Result<std::string> commands = network_commands(*network.network, choices.dimensions, choices.target());
  if (!commands) return give_up(describe(network.file, commands.error()), wrong_command_line);
  ReadOptions of_commands = as;
  of_commands.keep_records = true;
  Result<Workload> workload = read(*commands, of_commands);
  if (!workload) return give_up(describe(network.file, workload.error()), unusable_input);
  add_remarks(*workload, choices);
  return std::move(*workload);
}

}  // namespace roofline::cli
