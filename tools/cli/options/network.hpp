// Networks' files as commands open them.
#pragma once

#include <memory>
#include <roofline/network/fusion.hpp>
#include <roofline/network/network.hpp>
#include <roofline/read/read.hpp>
#include <string>

#include "options/scenario.hpp"

namespace roofline::cli {

inline constexpr const char* usual_fold = "usual";  ///< --fold without a tool chain

/// How a network's file is to be read (network_commands()).
struct NetworkChoices {
  DimensionValues dimensions;
  std::string fold;                    ///< of --fold, checked; empty: not given
  ToolChain usual = ToolChain::none;   ///< of the machine
  NetworkTarget chip;                  ///< what target_on() says of the machine
  ToolChain engine = ToolChain::none;  ///< of the run that has the network's times, engine_of(); none: not known
  std::string run;                     ///< the file of that run
  [[nodiscard]] bool any() const { return !fold.empty() || !dimensions.empty(); }
  /// By whose rules operations are merged.
  [[nodiscard]] ToolChain tool_chain() const;
  [[nodiscard]] NetworkTarget target() const;
  /// Sets `usual` and `chip`.
  void use_machine(const Machine& machine);
  /// To those of the machine that `options` choose; an assumed machine leaves them as they are.
  void use_machine(const ScenarioOptions& options);
};

/// --dim and --fold, into `choices`, which must outlive the command.
void add_network_options(CLI::App& command, NetworkChoices& choices);

/// Whether a plain file is a network that open_network() reads by ranges. Piped and packed networks are read whole.
[[nodiscard]] bool is_network_file(const std::string& file);

/// A network's file, opened.
struct NetworkFile {
  std::string file;  ///< as the command line names it
  std::unique_ptr<ByteSource> source;
  std::unique_ptr<Network> network;
};

/// Opens a network. A piped or packed one is held in memory.
[[nodiscard]] Outcome<NetworkFile> open_network_file(const std::string& file);
[[nodiscard]] Outcome<NetworkFile> open_network_file(const std::string& file, std::unique_ptr<ByteSource> source);

/// The network's operations; its notes and uncounted nodes are diagnostics.
[[nodiscard]] Outcome<Workload> network_workload(const NetworkFile& network, const ReadOptions& as, const NetworkChoices& choices);

/// The file name of a path, for messages and titles.
[[nodiscard]] std::string source_name(const std::string& file);

}  // namespace roofline::cli
