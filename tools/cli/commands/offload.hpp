// --host, --gpu-layers and --experts-on-host of `roofline llm`.
#pragma once

#include <optional>
#include <roofline/llm/offload.hpp>
#include <string>
#include <vector>

#include "options/fields.hpp"
#include "options/scenario.hpp"

namespace roofline::cli {

struct OffloadOptions {
  std::string host;                  ///< an id or a file; empty: the model is whole on the machine
  std::optional<double> gpu_layers;  ///< unset: as many as are best
  bool experts_on_host = false;
};

void add_offload_options(CLI::App& command, OffloadOptions& options);

/// The split that was asked for, and the best one.
struct AskedOffload {
  Scenario host;
  OffloadSplit split, best;
};
/// nullopt: none was asked for.
[[nodiscard]] Outcome<std::optional<AskedOffload>> make_offload(const OffloadOptions& options, const LlmRequest& request,
                                                                const Scenario& card);

/// Lines for a terminal: a name and a value each.
[[nodiscard]] std::vector<std::vector<std::string>> offload_lines(const AskedOffload& offload, const Scenario& card,
                                                                  const LlmRequest& request);

/// The members of a link's view that share the model with the host; none without a split.
[[nodiscard]] Json offload_view(const std::optional<AskedOffload>& offload);

}  // namespace roofline::cli
