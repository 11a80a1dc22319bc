// roofline dims FILE: the lengths that a network leaves open.
#include <memory>
#include <nlohmann/json.hpp>
#include <roofline/base/text.hpp>
#include <roofline/network/network.hpp>

#include "commands.hpp"
#include "io/files.hpp"
#include "options/network.hpp"
#include "options/output.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {
namespace {

nlohmann::ordered_json length_or_null(double length) { return known(length) ? nlohmann::ordered_json(length) : nlohmann::ordered_json(); }

int dims(const std::string& file, const std::string& output) {
  if (const Result<void> readable = check_readable(file); !readable) return report(describe(file, readable.error()), unusable_input);
  const Outcome<NetworkFile> opened = open_network_file(file);
  if (!opened) return report(opened.error());
  const Result<std::vector<Dimension>> dimensions = set_dimensions(*opened->network, {});
  const Result<std::string> commands = network_commands(*opened->network, {}, ToolChain::none);
  if (!dimensions || !commands) return report(describe(file, dimensions ? commands.error() : dimensions.error()), unusable_input);
  const auto document = nlohmann::json::parse(*commands, nullptr, false);
  Workload remarks;
  for (const auto& note : document["network"]["notes"]) remarks.diagnostics.push_back({Severity::warning, note.get<std::string>()});
  print_diagnostics(file, remarks);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::vector<std::vector<std::string>> rows = {{"dimension", "of", "taken as", "from", "to", ""}};
  for (const Dimension& d : *dimensions) {
    list.push_back({{"name", d.name},
                    {"place", d.place.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(d.place)},
                    {"value", length_or_null(d.value)},
                    {"assumed", d.assumed},
                    {"decided_by_data", d.decided_by_data},
                    {"least", d.least},
                    {"greatest", length_or_null(d.greatest)}});
    rows.push_back({printable(d.name), printable(d.place), known(d.value) ? plain(d.value) : "?", plain(d.least),
                    known(d.greatest) ? plain(d.greatest) : "",
                    d.decided_by_data ? "the data decide; unless it is set, the most that it can be"
                    : d.assumed       ? "assumed: --dim " + printable(d.name) + "=N sets it"
                                      : "not set: what depends on it is not known"});
  }
  if (output == "json")
    return print(nlohmann::ordered_json{{"dimensions", list}}.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n');
  return print(dimensions->empty() ? "no length can be set\n" : align(rows, "llrrrl"));
}

}  // namespace

void add_dims(CLI::App& app, Action& chosen) {
  struct Options {
    std::string file, output = "table";
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("dims", "The lengths that a network's file leaves open, such as its batch");
  command->add_option("FILE", options->file, "A network: " + std::string(network_kinds))->required()->type_name("");
  add_output_option(*command, options->output, {"table", "json"});
  command->callback([options, &chosen] { chosen = [options] { return dims(options->file, options->output); }; });
}

}  // namespace roofline::cli
