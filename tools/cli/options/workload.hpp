// A file of operations as commands open it.
#pragma once

#include <roofline/network/network.hpp>
#include <roofline/read/read.hpp>
#include <roofline/registry/registry.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "options/scenario.hpp"

namespace roofline::cli {

inline constexpr const char* usual_fold = "usual";  ///< --fold without a tool chain

/// How a network's file is to be read (network_commands()).
struct NetworkChoices {
  DimensionValues dimensions;
  std::string fold;                   ///< of --fold, checked; empty: not given
  ToolChain usual = ToolChain::none;  ///< of the machine: usual_tool_chain()
  [[nodiscard]] bool any() const { return !fold.empty() || !dimensions.empty(); }
  /// By whose rules operations are merged.
  [[nodiscard]] ToolChain tool_chain() const;
  /// Takes the tool chain that is usual on the machine of `options`.
  void use_machine(const ScenarioOptions& options);
};

/// --dim and --fold, into `choices`, which must outlive the command.
void add_network_options(CLI::App& command, NetworkChoices& choices);

/// Whether a plain file is a network that open_network() reads by ranges. What comes through a pipe, or packed, is read whole.
[[nodiscard]] bool is_network_file(const std::string& file);

/// A network's bytes by range. A piped or packed network is held in memory.
[[nodiscard]] Outcome<std::unique_ptr<ByteSource>> network_source(const std::string& file);

/// The operations of registries, which need their keys at hand.
[[nodiscard]] Outcome<Registry> read_registries(const std::vector<std::string>& files, Keys& keys);

/// The operations of a file ("-": standard input), with those of the registries known. `as`: choices; source and registry are set here.
[[nodiscard]] Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries, ReadOptions as = {},
                                              const NetworkChoices& network = {});

/// One or two files as one workload, and the machine that one of them was measured as.
struct Opened {
  Workload workload;
  std::string machine;  ///< the file of a machine, for --machine; empty: none was given
};

/// The operations of `file`; with `second` that file's times or work, joined by name, or the machine that it is. In either order.
[[nodiscard]] Outcome<Opened> read_workloads(const std::string& file, const std::string& second, const std::vector<std::string>& registries,
                                             const ReadOptions& as = {}, const NetworkChoices& network = {});

/// The scenario that the file's own machine, where it states one, starts from; a stated machine that is none leaves a diagnostic.
[[nodiscard]] Scenario stated_scenario(Workload& workload);

}  // namespace roofline::cli
