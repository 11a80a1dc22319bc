// build/wasm/network.wasm: networks' files as commands.json, and models out of the headers of GGUF and safetensors files, fetched with the
// first such file. web/src/worker/network.ts gives the file's bytes by range.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <roofline/calculator/network_sweep.hpp>
#include <roofline/llm/checkpoint.hpp>
#include <roofline/llm/gguf.hpp>
#include <roofline/llm/quantize_plan.hpp>
#include <roofline/network/fusion.hpp>
#include <roofline/network/memory_advice.hpp>
#include <roofline/network/network.hpp>
#include <roofline/scenario/scenario.hpp>
#include <roofline/workload/join.hpp>
#include <roofline/write/folding.hpp>
#include <roofline/write/memory_advice.hpp>
#include <roofline/write/modules.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/parse_number.hpp"
#include "on_demand.hpp"
#include "open_file.hpp"
#include "read/formats.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

namespace {

using roofline::Json, roofline::ToolChain;
using namespace roofline::on_demand;

std::unique_ptr<OpenFile> file;
std::string file_name;
std::unique_ptr<roofline::Network> network;
roofline::DimensionValues dimensions;          // of the last commands() that was answered
roofline::NetworkTarget target;                // likewise
ToolChain engine = ToolChain::none;            // likewise: what ran the network
std::optional<roofline::Workload> operations;  // at these choices; read on first use

/// The files of a list, [{name, size, bytes}], each with its first `bytes` bytes out of `starts`; nullopt: `starts` is too short.
template <class File>
std::optional<std::vector<File>> files_of(std::string_view list, std::string_view starts) {
  std::vector<File> files;
  std::size_t at = 0;
  for (const Json& of : Json::parse(list, nullptr, false)) {
    const auto bytes = static_cast<std::size_t>(roofline::number_of(roofline::member(of, "bytes")));
    if (bytes > starts.size() - at) {
      answer_error({"expected the first bytes of each file", 0, 0, {}});
      return std::nullopt;
    }
    files.push_back({roofline::text_of(roofline::member(of, "name")), starts.substr(at, bytes),
                     static_cast<std::uint64_t>(roofline::number_of(roofline::member(of, "size")))});
    at += bytes;
  }
  return files;
}

using Answer = roofline::Result<std::string>;

/// Answers a request about the open network, which begins with settings: `answer_for` gets their scenario and what follows them.
void answer_about_network(std::size_t settings_size, Answer (*answer_for)(const roofline::Scenario&, std::string_view)) {
  if (!network) return answer_error({"no network is open", 0, 0, {}});
  const std::string_view text = request;
  const auto scenario = roofline::scenario_of(text.substr(0, settings_size));
  Answer found = scenario ? answer_for(*scenario, text.substr(settings_size)) : roofline::Unexpected(scenario.error());
  if (!found) return answer_error(found.error());
  answer = std::move(*found);
}

ToolChain usual_for(const roofline::Scenario& scenario) {
  return scenario.basis == roofline::MachineBasis::assumed ? ToolChain::none : scenario.base.tool_chain;
}

Answer commands_at(const roofline::Scenario& scenario, std::string_view text) {
  const Json choices = Json::parse(text, nullptr, false);
  roofline::DimensionValues chosen;
  for (const auto& [name, value] : roofline::member(choices, "dimensions").items())
    chosen.emplace_back(name, value.is_string() ? roofline::text_of(value) : value.dump());
  const Json& fold = roofline::member(choices, "fold");
  const std::string by = fold.is_boolean() ? fold == true ? "usual" : "none" : roofline::text_of(fold);
  const bool assumed = scenario.basis == roofline::MachineBasis::assumed;
  const ToolChain ran_by = roofline::named<ToolChain>(roofline::text_of(roofline::member(choices, "engine"))).value_or(ToolChain::none);
  const std::optional<ToolChain> tool_chain = roofline::chosen_tool_chain(by, usual_for(scenario), ran_by);
  if (!tool_chain) return roofline::fail("expected " + roofline::any_of_names<ToolChain>() + ", found " + by, "fold");
  const roofline::NetworkTarget chosen_target =
      assumed ? roofline::NetworkTarget(*tool_chain) : roofline::target_on(scenario.base, *tool_chain);
  Answer commands = roofline::network_commands(*network, chosen, chosen_target);
  if (!commands) return commands;  // the last accepted choices stay
  dimensions = std::move(chosen);
  target = chosen_target;
  engine = ran_by;
  operations.reset();
  return commands;
}

roofline::Result<roofline::Workload> operations_for(const roofline::NetworkTarget& chosen) {
  const Answer text = roofline::network_commands(*network, dimensions, chosen);
  return text ? roofline::read_commands(*text) : roofline::Unexpected(text.error());
}

/// The open network's operations; `run` holds them with their times, if there are any.
roofline::Result<const roofline::Workload*> measured_operations(std::string_view times, std::optional<roofline::Workload>& run) {
  if (!operations) {
    auto read = operations_for(target);
    if (!read) return roofline::Unexpected(read.error());
    operations = std::move(*read);
  }
  if (times.empty()) return &*operations;
  const auto read = roofline::read_commands(times);
  auto joined = read ? roofline::join(*operations, *read) : roofline::Unexpected(read.error());
  if (!joined) return roofline::Unexpected(joined.error());
  return &run.emplace(std::move(*joined));
}

Answer modules_of(const roofline::Scenario& scenario, std::string_view times) {
  std::optional<roofline::Workload> run;
  const auto measured = measured_operations(times, run);
  if (!measured) return roofline::Unexpected(measured.error());
  const roofline::Plan plan(**measured, scenario);
  return roofline::modules_json(plan, roofline::sum_by_module(plan));
}

Answer advice_for(const roofline::Scenario& scenario, std::string_view capacity) {
  roofline::OnChipMemory on_chip = roofline::on_chip_memory(scenario.machine);
  if (!capacity.empty()) on_chip.capacity = roofline::parse_number(capacity);
  const auto advice = roofline::advise_memory(*network, dimensions, target.tool_chain, on_chip);
  if (!advice) return roofline::Unexpected(advice.error());
  return roofline::memory_advice_json(*advice);
}

/// The members of the summary that need the network itself.
Answer summary_of(const roofline::Scenario& scenario, std::string_view times) {
  std::optional<roofline::Workload> run;
  const auto measured = measured_operations(times, run);
  if (!measured) return roofline::Unexpected(measured.error());
  const bool folds = target.tool_chain != ToolChain::none;
  roofline::NetworkTarget other = target;
  other.tool_chain = folds ? ToolChain::none : *roofline::chosen_tool_chain("usual", usual_for(scenario), engine);
  const auto others = operations_for(other);
  if (!others) return roofline::Unexpected(others.error());
  const roofline::Summary here = summarize(roofline::Plan(**measured, scenario)), there = summarize(roofline::Plan(*others, scenario));
  std::string out = "{\"folding\":" + (folds ? roofline::folding_json(target.tool_chain, here, there)
                                             : roofline::folding_json(other.tool_chain, there, here));
  if (scenario.machine.tool_chain != ToolChain::none) {
    const Answer advice = advice_for(scenario, {});
    if (!advice) return advice;
    out += ",\"activation_memory\":" + *advice;
  }
  return out + '}';
}

Answer sweep_over(const roofline::Scenario& scenario, std::string_view range) {
  const auto axis = roofline::parse_sweep_axis(range);
  if (!axis) return roofline::Unexpected(axis.error());
  const auto swept = roofline::sweep_network(*network, {}, dimensions, target, *axis, scenario);
  if (!swept) return roofline::Unexpected(swept.error());
  return roofline::network_sweep_json(*swept);
}

}  // namespace

/// Whether a file of the reserved name, a NUL byte and the file's first bytes are a network's.
EXPORT("is_network") int is_network(std::size_t name_size) {
  return roofline::is_network(std::string_view(request).substr(0, name_size), std::string_view(request).substr(name_size)) ? 1 : 0;
}

/// Opens the file whose name is reserved. The answer is {} or {"error"}.
EXPORT("open_network") void open_network(double size) {
  network.reset();
  operations.reset();
  dimensions.clear();
  target = {};
  file = std::make_unique<OpenFile>(size);
  file_name = request;
  auto opened = roofline::open_network(request, *file);
  answer = "{}";
  if (!opened) return answer_error(opened.error());
  network = std::move(*opened);
}

/// The open network as commands.json; or {"error"}. Reserved are settings and choices, {"dimensions": {name: length or name}, "fold",
/// "engine"}.
EXPORT("commands") void commands(std::size_t settings_size) { answer_about_network(settings_size, commands_at); }

/// A plan of formats for the open network: reserved are settings and a request (answer_network_plan()).
EXPORT("plan") void plan(std::size_t settings_size) {
  if (!network) return answer_error({"no network is open", 0, 0, {}});
  const std::string_view text = request;
  answer = roofline::answer_network_plan(*network, *file, file_name, target.tool_chain, text.substr(0, settings_size),
                                         text.substr(settings_size));
}

/// The tensors' own errors in GGUF files of one model, {name: error}, or {"error"}. Reserved is their list, [{name, size}]; the page reads
/// them end to end. It closes the network.
EXPORT("own_errors") void own_errors() {
  network.reset();
  std::deque<OpenFile> sources;
  std::vector<roofline::GgufSource> files;
  double first = 0;
  for (const Json& of : Json::parse(request, nullptr, false)) {
    const double size = roofline::number_of(roofline::member(of, "size"));
    files.push_back({roofline::text_of(roofline::member(of, "name")), &sources.emplace_back(size, first)});
    first += size;
  }
  const auto errors = roofline::gguf_own_errors(files);
  if (!errors) return answer_error(errors.error());
  Json out = Json::object();
  for (const auto& [tensor, error] : *errors) out[tensor] = error;
  answer = roofline::compact({{"own_errors", std::move(out)}});
}

/// Sums by module of the open network at the dimensions last chosen: {"finding", "modules"} or {"error"}. Reserved are settings, and the
/// times of a run as a commands.json of names and times; empty: it was not run.
EXPORT("modules") void modules(std::size_t settings_size) { answer_about_network(settings_size, modules_of); }

/// Answers the members that only the network can give the summary, as in the command's JSON: {"folding", "activation_memory"} or {"error"}.
/// The reserved buffer holds settings and times, as for "modules".
EXPORT("network_summary") void network_summary(std::size_t settings_size) { answer_about_network(settings_size, summary_of); }

/// Proposals that fit the open network's activations on chip: memory_advice_json() or {"error"}. Reserved are settings and the bytes of
/// that memory; none: the machine's.
EXPORT("memory_advice") void memory_advice(std::size_t settings_size) { answer_about_network(settings_size, advice_for); }

/// The open network over a dimension: reserved are settings and a range, "batch=1..64". The answer is "roofline-network-sweep/1" or
/// {"error"}.
EXPORT("sweep") void sweep(std::size_t settings_size) { answer_about_network(settings_size, sweep_over); }

/// The language model in the headers of GGUF files. Reserved are a list of `list_size` bytes, [{name, size, bytes}], and then the first
/// `bytes` bytes of each file. The answer is {"model"}, null where a header is longer than what is given of it, or {"error"}.
EXPORT("gguf") void gguf(std::size_t list_size) {
  const std::string_view text = request;
  const auto files = files_of<roofline::GgufStart>(text.substr(0, list_size), text.substr(list_size));
  if (!files) return;
  const auto model = roofline::gguf_model(*files);
  if (!model) return answer_error(model.error());
  answer = *model ? "{\"model\":" + **model + '}' : R"({"model":null})";
}

/// The language model of a checkpoint. Reserved are `config_size` bytes of its config.json, `index_size` of the index of its safetensors
/// files (0: there is none), a list of `list_size` bytes, [{name, size, bytes}], and the first `bytes` bytes of each file. The answer is
/// {"model"} or {"error"}.
EXPORT("checkpoint") void checkpoint(std::size_t config_size, std::size_t index_size, std::size_t list_size) {
  const std::string_view text = request, after_index = text.substr(config_size + index_size);
  const auto files = files_of<roofline::CheckpointFile>(after_index.substr(0, list_size), after_index.substr(list_size));
  if (!files) return;
  const auto model = roofline::checkpoint_model(text.substr(0, config_size), text.substr(config_size, index_size), *files);
  if (!model) return answer_error(model.error());
  answer = "{\"model\":" + *model + '}';
}
