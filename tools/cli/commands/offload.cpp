#include "commands/offload.hpp"

#include <cmath>
#include <roofline/base/text.hpp>

#include "io/program.hpp"

namespace roofline::cli {

void add_offload_options(CLI::App& command, OffloadOptions& options) {
  command.add_option("--host", options.host, "Split the model with this host's memory, as llama.cpp does: an id or a machine's file")
      ->type_name("ID|FILE");
  command
      .add_option("--gpu-layers", options.gpu_layers,
                  "The LM head, and layers from the last one back, on the card (default: the best number)")
      ->type_name("N")
      ->check(CLI::Range(0.0, 1e6));
  command.add_flag("--experts-on-host", options.experts_on_host, "Keep the experts on the host");
}

Outcome<std::optional<AskedOffload>> make_offload(const OffloadOptions& options, const LlmRequest& request, const Scenario& card) {
  if (options.host.empty()) {
    if (options.gpu_layers || options.experts_on_host)
      return give_up("--gpu-layers and --experts-on-host split a model with a host: expected --host, such as --host epyc-9654",
                     wrong_command_line);
    return std::optional<AskedOffload>();
  }
  if (request.setup.machines() > 1 || request.speculation)
    return give_up("--host: expected one machine and no --speculate", wrong_command_line);
  if (options.gpu_layers && *options.gpu_layers != std::floor(*options.gpu_layers))
    return give_up("--gpu-layers: expected a whole number", wrong_command_line);
  if (options.experts_on_host && request.setup.model.experts == 0)
    return give_up("--experts-on-host: " + request.setup.model.name + " has no experts", wrong_command_line);
  Outcome<Machine> machine = find_machine(options.host);
  if (!machine) {
    if (machine.error().exit == wrong_command_line) machine.error().message.insert(0, "--host: ");
    return tl::unexpected(std::move(machine.error()));
  }
  AskedOffload out;
  out.host = Scenario::standard();
  out.host.use(std::move(*machine));
  out.best = best_offload(request, card, out.host, options.experts_on_host);
  out.split = options.gpu_layers ? offload_split(request, card, out.host, {*options.gpu_layers, options.experts_on_host}) : out.best;
  return std::optional<AskedOffload>(std::move(out));
}

Json offload_view(const std::optional<AskedOffload>& offload) {
  if (!offload) return Json::object();
  const Machine& host = offload->host.machine;
  Json view = {
      {"host", Machines::presets().find(host.id) == nullptr ? Json::parse(machine_json(host, true), nullptr, false) : Json(host.id)},
      {"gpuLayers", offload->split.offload.gpu_layers}};
  if (offload->split.offload.experts_on_host) view["expertsOnHost"] = true;
  return {{"offload", std::move(view)}};
}

std::vector<std::vector<std::string>> offload_lines(const AskedOffload& offload, const Scenario& card, const LlmRequest& request) {
  const OffloadSplit& s = offload.split;
  const auto rate = [&](double step_s) { return number(request.batch / step_s) + " tokens/s"; };
  const auto both = [&](const OffloadPass& pass) { return rate(pass.typical_s()) + "; bound " + rate(pass.bound_s()); };
  const auto side = [](const OffloadMemory& memory, const OffloadWork& decode) {
    return with_unit(memory.weights, "B") + " weights + " + with_unit(memory.cache, "B") + " cache; " + with_unit(decode.traffic, "B") +
           " per step, " + seconds(decode.typical_s);
  };
  const std::string layers =
      number(s.offload.gpu_layers) + " of " + number(request.setup.model.layers + 1) + " layers (the head is one) on " + card.machine.name;
  std::vector<std::vector<std::string>> lines = {
      {"offload", layers + (s.offload.experts_on_host ? ", experts on " : ", the others on ") + offload.host.machine.name +
                      (s.fits == std::optional<bool>(false) ? ": does not fit"
                       : s.barely_fits                      ? ": barely fits"
                                                            : "") +
                      ": " + both(s.decode)},
      {"card", side(s.card, s.decode.card)},
      {"host", side(s.host, s.decode.host)},
      {"link", with_unit(s.decode.link_bytes, "B") + " per step, " + seconds(s.decode.link_s) +
                   (card.machine.links.empty() ? "; the card states no link, so splits with layers on the card have no time" : "")},
      {"first token, split", seconds(s.prefill.typical_s()) + "; bound " + seconds(s.prefill.bound_s())}};
  if (offload.best.offload.gpu_layers != s.offload.gpu_layers)
    lines.push_back({"best split", "--gpu-layers " + number(offload.best.offload.gpu_layers) + ": " + both(offload.best.decode)});
  return lines;
}

}  // namespace roofline::cli
