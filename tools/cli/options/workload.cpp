#include "options/workload.hpp"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <roofline/base/text.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/workload/join.hpp>

#include "io/files.hpp"
#include "io/gzip.hpp"

namespace roofline::cli {
namespace {

/// Of a file that holds no operations, what it holds and where it belongs; else nothing.
std::string use_of(FileKind kind, const std::string& file) {
  const auto give = [&](const char* what, const char* option) {
    return std::string("holds ") + what + ", not operations: give it with " + option + ' ' + file;
  };
  if (kind == FileKind::config) return give("settings", "--config");
  if (kind == FileKind::machine) return give("a machine", "--machine");
  if (kind == FileKind::registry) return give("an op registry", "--registry");
  if (kind == FileKind::model) return "holds a language model, not operations: roofline llm " + file;
  return {};
}

std::string source_name(const std::string& file) {
  return file == "-" ? display_name("-") : std::filesystem::path(file).filename().string();
}

}  // namespace

Outcome<Registry> read_registries(const std::vector<std::string>& files, Keys& keys) {
  Registry registry;
  for (const std::string& path : files) {
    const Result<std::string> text = read_text(path);
    if (!text) return give_up(describe(path, text.error()), unusable_input);
    const Result<void> added = registry.add(*text, keys);
    if (!added) return give_up(describe(path, added.error()), unusable_input);
  }
  return registry;
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

ToolChain NetworkChoices::tool_chain() const { return *chosen_tool_chain(fold, usual); }

void NetworkChoices::use_machine(const ScenarioOptions& options) {
  const Outcome<Scenario> scenario = make_scenario(options);
  if (scenario && scenario->basis != MachineBasis::assumed) usual = usual_tool_chain(scenario->base);
}

namespace {

/// The commands.json of a network's file.
Outcome<std::string> read_network(const std::string& file, const ByteSource& source, const NetworkChoices& choices) {
  const Result<std::unique_ptr<Network>> network = open_network(source_name(file), source);
  if (!network) return give_up(describe(file, network.error()), unusable_input);
  Result<std::string> commands = network_commands(**network, choices.dimensions, choices.tool_chain());
  if (!commands) return give_up(describe(file, commands.error()), wrong_command_line);
  return std::move(*commands);
}

}  // namespace

Outcome<std::unique_ptr<ByteSource>> network_source(const std::string& file) {
  std::error_code none;
  const Result<std::string> start = std::filesystem::is_regular_file(file, none) ? read_part(file, 0, 2) : fail("no plain file");
  if (start && !is_gzip(*start)) return std::make_unique<FileSource>(file);
  Result<std::string> bytes = read_file(file, most_network_held);
  if (!bytes) return give_up(describe(file, bytes.error()), unusable_input);
  return std::make_unique<HeldSource>(std::move(*bytes));
}

namespace {

/// What the user should know of a network: its notes, and what is not counted.
void add_remarks(Workload& workload) {
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
        " nodes are merged into others, as " + std::string(title_of(*by)) + " does" + (*by == ToolChain::all ? " (upper limit)" : "") +
        "; --fold=none counts each alone");
  for (const auto& note : network.value("notes", nlohmann::json::array())) add(note.get<std::string>());
  std::map<std::string, std::string> nodes;  // by reason
  for (const auto& kind : network.value("not_counted", nlohmann::json::array())) {
    std::string& list = nodes[kind["reason"].get<std::string>()];
    list += (list.empty() ? "" : ", ") + with_commas(kind["nodes"].get<std::size_t>()) + ' ' + printable(kind["type"].get<std::string>());
  }
  for (const auto& [reason, list] : nodes) add("not counted (" + reason + "): " + list);
}

}  // namespace

Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries, ReadOptions options,
                                const NetworkChoices& choices) {
  Keys keys;
  const Outcome<Registry> registry = read_registries(registries, keys);
  if (!registry) return tl::unexpected(registry.error());
  options.source_name = source_name(file);
  options.registry = &*registry;
  options.keys = &keys;
  const auto as_network = [&](const ByteSource& source) -> Outcome<Workload> {
    const Outcome<std::string> commands = read_network(file, source, choices);
    if (!commands) return tl::unexpected(commands.error());
    ReadOptions of_commands = options;
    of_commands.keep_records = true;
    Result<Workload> workload = read(*commands, of_commands);
    if (!workload) return give_up(describe(file, workload.error()), unusable_input);
    add_remarks(*workload);
    return std::move(*workload);
  };
  if (is_network_file(file)) return as_network(FileSource(file));
  std::error_code no_size;
  if (const auto size = std::filesystem::file_size(file, no_size); !no_size) options.source_bytes = size;
  Reader reader(options);
  std::optional<FileKind> kind;        // by the first piece
  std::optional<std::string> network;  // the bytes of a network that is piped or packed
  bool not_for_it = false;             // --dim or --fold was given, and the file is no network
  const auto feed = [&](std::string_view bytes) -> Result<void> {
    if (!kind && !network && is_network(source_name(file), bytes.substr(0, network_start_bytes))) network.emplace();
    if (network) {
      if (bytes.size() > most_network_held - network->size()) return fail(std::string(too_large_to_hold));
      *network += bytes;
      return {};
    }
    if (!kind && choices.any()) {
      not_for_it = true;
      return fail("--dim and --fold are for networks: expected " + std::string(network_kinds));
    }
    if (!kind) {
      const Result<std::string> head = to_utf8(bytes);
      kind = head ? detect(*head) : FileKind::unknown;
    }
    if (const std::string use = use_of(*kind, file == "-" ? "FILE" : file); !use.empty()) return fail(use);
    return reader.feed(bytes);
  };
  if (const Result<void> fed = read_pieces(file, feed); !fed)
    return give_up(describe(file, fed.error()), not_for_it ? wrong_command_line : unusable_input);
  if (network) return as_network(BytesAtHand(*network));
  Result<Workload> workload = reader.finish();
  if (!workload) return give_up(describe(file, workload.error()), unusable_input);
  return std::move(*workload);
}

namespace {

/// By its first piece.
FileKind kind_of(const std::string& file) {
  FileKind kind = FileKind::unknown;
  static_cast<void>(read_pieces(file, [&](std::string_view bytes) -> Result<void> {
    if (const Result<std::string> head = to_utf8(bytes)) kind = detect(*head);
    return fail("that is enough");
  }));
  return kind;
}

}  // namespace

Outcome<Opened> read_workloads(const std::string& file, const std::string& second, const std::vector<std::string>& registries,
                               const ReadOptions& as, const NetworkChoices& network) {
  if (file == "-" && second == "-") return give_up("only one of the two files can be standard input", wrong_command_line);
  if (!second.empty() && second != "-" && kind_of(second) == FileKind::machine) {
    NetworkChoices on_machine = network;
    if (const Outcome<Machine> machine = find_machine(second)) on_machine.usual = usual_tool_chain(*machine);
    Outcome<Workload> workload = read_workload(file, registries, as, on_machine);
    if (!workload) return tl::unexpected(workload.error());
    return Opened{std::move(*workload), second};
  }
  if (!second.empty() && file != "-" && kind_of(file) == FileKind::machine) return read_workloads(second, file, registries, as, network);
  const bool of_second = !second.empty() && !is_network_file(file) && is_network_file(second);
  Outcome<Workload> first = read_workload(file, registries, as, of_second ? NetworkChoices() : network);
  if (!first) return tl::unexpected(first.error());
  if (second.empty()) return Opened{std::move(*first), {}};
  ReadOptions alike;
  alike.assumed_format = as.assumed_format;
  Outcome<Workload> other = read_workload(second, registries, alike, of_second ? network : NetworkChoices());
  if (!other) return tl::unexpected(other.error());
  Result<Workload> both = join(*first, *other);
  if (!both) return give_up(file + " and " + second + ": " + both.error().text() + "; roofline compare takes two runs", unusable_input);
  return Opened{std::move(*both), {}};
}

Scenario stated_scenario(Workload& workload) {
  Scenario scenario = Scenario::standard();
  if (workload.machine_json.empty()) return scenario;
  if (const Result<void> used = use_stated_machine(scenario, workload.machine_json); !used)
    workload.diagnostics.push_back({Severity::warning, used.error().message + "; the file's machine is not used", {}, 0, 0, "machine"});
  return scenario;
}

}  // namespace roofline::cli
