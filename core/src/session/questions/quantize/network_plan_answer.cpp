// A plan for a network. Apart from the questions about models: the module that reads networks does without those.
#include <algorithm>
#include <cmath>
#include <roofline/accuracy/network_plan.hpp>
#include <roofline/scenario/scenario.hpp>

#include "read/formats.hpp"
#include "session/failed.hpp"
#include "session/questions/quantize/asked_plan.hpp"
#include "session/questions/quantize/quantize_answers.hpp"

namespace roofline {
namespace {

/// {"tensors": {node: {format: dB, null: exact}}, "total"} of the layers with weights: at most "count" (absent: all), from index
/// "first" on. The SQNR of their weights; "total" counts all layers with weights in the file.
Result<Json> own_accuracies(const std::vector<NodeWeights>& layers, const ByteSource& file, const Json& asked) {
  std::vector<const NodeWeights*> stored;
  for (const NodeWeights& layer : layers)
    if (layer.floats && layer.data > 0) stored.push_back(&layer);
  const auto whole = [&](const char* key, std::size_t otherwise) {
    const double v = number_of(member(asked, key));
    return v >= 0 ? static_cast<std::size_t>(std::min(v, static_cast<double>(stored.size()))) : otherwise;
  };
  const std::size_t first = whole("first", 0), end = std::min(stored.size(), first + whole("count", stored.size()));
  Json tensors = Json::object();
  for (std::size_t i = first; i < end; ++i) {
    const Result<WeightSample> sample = sample_layer(*stored[i], file);
    if (!sample) return Unexpected(sample.error());
    Json formats = Json::object();
    for (std::size_t f = 0; f < Formats::catalogue().size(); ++f)
      if (const double db = sqnr_db(*sample, static_cast<FormatId>(f)); known(db))
        formats[Formats::catalogue().all()[f].id] = std::isinf(db) ? Json() : Json(db);
    if (!formats.empty()) tensors[stored[i]->node] = std::move(formats);  // weights that are all 0 have no accuracy
  }
  return Json{{"tensors", std::move(tensors)}, {"total", stored.size()}};
}

Result<Json> answer(const Network& network, const ByteSource& file, std::string_view name, ToolChain tool_chain, std::string_view settings,
                    std::string_view request) {
  const Result<Scenario> scenario = scenario_of(settings);
  if (!scenario) return Unexpected(scenario.error());
  const auto asked = parse_json(request, R"(a request such as {"budget": {"kind": "sqnr", "value": 30}})");
  if (!asked) return Unexpected(asked.error());
  const std::string tool = text_of(member(*asked, "tool"));
  DimensionValues dimensions;
  for (const auto& [dimension, value] : member(*asked, "dimensions").items())
    dimensions.emplace_back(dimension, value.is_string() ? text_of(value) : value.dump());
  const Result<std::vector<NodeWeights>> weights = node_weights(network, dimensions);
  if (!weights) return Unexpected(weights.error());
  if (member(*asked, "accuracy") == Json(true)) return own_accuracies(*weights, file, *asked);
  const Result<Budget> budget = budget_from(member(*asked, "budget"), network_budgets);
  if (!budget) return Unexpected(budget.error());
  const Result<std::string> commands = network_commands(network, dimensions, tool_chain);
  if (!commands) return Unexpected(commands.error());
  ReadOptions options;
  options.source_name = name;
  options.keep_records = true;
  const Result<Workload> workload = read_commands(*commands, options);
  if (!workload) return Unexpected(workload.error());
  const Plan plan(*workload, *scenario);
  const Result<FormatPlan> made = plan_network(plan, *weights, file, {*budget, network_plan_formats(tool)});
  if (!made) return Unexpected(made.error());
  Json out = plan_answer(*made, tool);
  out["finding"] = Json::array({{{"text", made->finding}}});
  return out;
}

}  // namespace

std::string answer_network_plan(const Network& network, const ByteSource& file, std::string_view name, ToolChain tool_chain,
                                std::string_view settings, std::string_view request) {
  const Result<Json> out = answer(network, file, name, tool_chain, settings, request);
  return out ? compact(*out) : failed(out.error());
}

}  // namespace roofline
