// roofline quantize --budget: a format for each tensor or layer.
#pragma once

#include <roofline/accuracy/format_plan.hpp>
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

/// Output forms that write a plan for a tool: of language models, and of networks.
inline const std::vector<std::string> model_plan_outputs = {"llama-quantize", "ik", "llm-compressor"};
inline const std::vector<std::string> network_plan_outputs = {"onnxruntime", "nncf", "llm-compressor"};

[[nodiscard]] int plan_model(const PlanOptions& options, const LlmRequest& request, const Scenario& scenario);

[[nodiscard]] int plan_network_file(const PlanOptions& options, const NetworkChoices& network, const ScenarioOptions& scenario);

/// Writes the plan in the form that was asked for; the exit code.
[[nodiscard]] int print_plan(const FormatPlan& plan, const std::string& output);

/// Formats by their names, for the tool that the plan is written for (formats_for_tool()).
[[nodiscard]] Outcome<std::vector<FormatId>> plan_formats(const std::vector<std::string>& names, const std::string& tool);

}  // namespace roofline::cli
