// A file of operations as commands open it.
#pragma once

#include <optional>
#include <roofline/read/read.hpp>
#include <roofline/registry/registry.hpp>
#include <roofline/workload/workload.hpp>
#include <string>
#include <vector>

#include "options/network.hpp"

namespace roofline::cli {

/// The operations of registries, which need their keys at hand.
[[nodiscard]] Outcome<Registry> read_registries(const std::vector<std::string>& files, Keys& keys);

/// The operations of a file ("-": standard input), with those of the registries known. `as`: choices; source and registry are set here.
[[nodiscard]] Outcome<Workload> read_workload(const std::string& file, const std::vector<std::string>& registries,
                                              const ReadOptions& as = {}, const NetworkChoices& network = {});

/// One or two files as one workload, and the machine that one of them was measured as.
struct Opened {
  Workload workload;
  std::string machine;                 ///< the file of a machine, for --machine; empty: none was given
  std::optional<NetworkFile> network;  ///< the only source of the workload; empty: another file, or two files
  NetworkChoices choices;              ///< as the network was read
};

/// The operations of `file`; with `second` that file's times or work, joined by name, or the machine that it is. In either order.
[[nodiscard]] Outcome<Opened> read_workloads(const std::string& file, const std::string& second, const std::vector<std::string>& registries,
                                             const ReadOptions& as = {}, const NetworkChoices& network = {});

/// The scenario that the file's own machine, where it states one, starts from; a stated machine that is none leaves a diagnostic.
[[nodiscard]] Scenario stated_scenario(Workload& workload);

}  // namespace roofline::cli
