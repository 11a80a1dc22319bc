#include "options/workload.hpp"

#include <filesystem>
#include <optional>
#include <roofline/base/text.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/workload/join.hpp>

#include "io/files.hpp"

namespace roofline::cli {
namespace {

const std::string for_networks = "--dim and --fold are for networks: expected " + std::string(network_kinds);

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

namespace {

/// A file as opened: its operations or, of a network's file, the network.
struct Source {
  Workload workload;
  std::optional<NetworkFile> network;
};

/// `network_only`: the command line has options for networks alone.
Outcome<Source> open_source(const std::string& file, ReadOptions options, bool network_only) {
  const auto as_network = [](Outcome<NetworkFile> network) -> Outcome<Source> {
    if (!network) return tl::unexpected(network.error());
    return Source{{}, std::move(*network)};
  };
  if (is_network_file(file)) return as_network(open_network_file(file));
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
    if (!kind && network_only) {
      not_for_it = true;
      return fail(for_networks);
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
  if (network) return as_network(open_network_file(file, std::make_unique<HeldSource>(std::move(*network))));
  Result<Workload> workload = reader.finish();
  if (!workload) return give_up(describe(file, workload.error()), unusable_input);
  return Source{std::move(*workload), {}};
}

/// Registries, and the options to read files with them, which point to them: do not move it.
struct Reading {
  Keys keys;
  Registry registry;
  ReadOptions options;
  const ReadOptions& of(const std::string& file) {
    options.source_name = source_name(file);
    options.registry = &registry;
    options.keys = &keys;
    return options;
  }
};

/// Fills `reading` for files that are read as `as`.
Outcome<void> prepare(Reading& reading, const std::vector<std::string>& registries, const ReadOptions& as) {
  Outcome<Registry> registry = read_registries(registries, reading.keys);
  if (!registry) return tl::unexpected(registry.error());
  reading.registry = std::move(*registry);
  reading.options = as;
  return {};
}

/// The network's operations, or those that were read already.
Outcome<Workload> operations_of(Source& source, Reading& reading, const NetworkChoices& choices) {
  return source.network ? network_workload(*source.network, reading.of(source.network->file), choices) : std::move(source.workload);
}

}  // namespace

Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries, const ReadOptions& as,
                                const NetworkChoices& choices) {
  Reading reading;
  if (const Outcome<void> ready = prepare(reading, registries, as); !ready) return tl::unexpected(ready.error());
  Outcome<Source> source = open_source(file, reading.of(file), choices.any());
  if (!source) return tl::unexpected(source.error());
  return operations_of(*source, reading, choices);
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
  const bool machine_second = !second.empty() && second != "-" && kind_of(second) == FileKind::machine;
  if (!second.empty() && !machine_second && file != "-" && kind_of(file) == FileKind::machine)
    return read_workloads(second, file, registries, as, network);
  const bool alone = second.empty() || machine_second;
  Opened out;
  out.choices = network;
  if (machine_second) {
    out.machine = second;
    if (const Outcome<Machine> machine = find_machine(second)) out.choices.use_machine(*machine);
  }
  Reading reading;
  if (const Outcome<void> ready = prepare(reading, registries, as); !ready) return tl::unexpected(ready.error());
  Outcome<Source> first = open_source(file, reading.of(file), alone && network.any());
  if (!first) return tl::unexpected(first.error());
  if (alone) {
    Outcome<Workload> workload = operations_of(*first, reading, out.choices);
    if (!workload) return tl::unexpected(workload.error());
    out.workload = std::move(*workload);
    out.network = std::move(first->network);
    return out;
  }
  ReadOptions alike;
  alike.assumed_format = as.assumed_format;
  Reading reading_other;
  if (const Outcome<void> ready = prepare(reading_other, registries, alike); !ready) return tl::unexpected(ready.error());
  Outcome<Source> other = open_source(second, reading_other.of(second), network.any() && !first->network);
  if (!other) return tl::unexpected(other.error());
  if (first->network.has_value() != other->network.has_value()) {
    out.choices.run = source_name(first->network ? second : file);
    out.choices.engine = engine_of(first->network ? other->workload : first->workload);
  }
  Outcome<Workload> a = operations_of(*first, reading, out.choices);
  if (!a) return tl::unexpected(a.error());
  Outcome<Workload> b = operations_of(*other, reading_other, out.choices);
  if (!b) return tl::unexpected(b.error());
  Result<Workload> both = join(*a, *b);
  if (!both) return give_up(file + " and " + second + ": " + both.error().text() + "; roofline compare takes two runs", unusable_input);
  out.workload = std::move(*both);
  return out;
}

Scenario stated_scenario(Workload& workload) {
  Scenario scenario = Scenario::standard();
  if (workload.machine_json.empty()) return scenario;
  if (const Result<void> used = use_stated_machine(scenario, workload.machine_json); !used)
    workload.diagnostics.push_back({Severity::warning, used.error().message + "; the file's machine is not used", {}, 0, 0, "machine"});
  return scenario;
}

}  // namespace roofline::cli
