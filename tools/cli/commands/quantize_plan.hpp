// roofline quantize --budget: a format for each tensor or layer.
#pragma once

#include <roofline/llm/request.hpp>
#include <string>
#include <vector>

#include "options/workload.hpp"

namespace roofline::cli {

/// Of `roofline quantize --budget`.
struct PlanOptions {
  std::string file;                ///< as it was named
  std::string budget;              ///< "bytes=5G"
  std::vector<std::string> types;  ///< formats to choose from; empty: the output's
  bool imatrix = true;
  std::string output;
};

[[nodiscard]] int plan_model(const PlanOptions& options, const LlmRequest& request, const Scenario& scenario);

[[nodiscard]] int plan_network_file(const PlanOptions& options, const NetworkChoices& network, const ScenarioOptions& scenario);

}  // namespace roofline::cli
