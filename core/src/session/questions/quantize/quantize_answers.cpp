#include "session/questions/quantize/quantize_answers.hpp"

#include <cmath>
#include <roofline/accuracy/accuracy.hpp>
#include <roofline/accuracy/gguf_accuracy.hpp>
#include <roofline/llm/offload.hpp>
#include <roofline/llm/quantize.hpp>
#include <roofline/llm/quantize_plan.hpp>
#include <roofline/scenario/scenario.hpp>

#include "accuracy/plan/tensor_groups.hpp"
#include "analysis/wording.hpp"
#include "llm/request_json.hpp"
#include "machine/json.hpp"
#include "serving/request_json.hpp"
#include "session/failed.hpp"
#include "session/questions/quantize/asked_plan.hpp"

namespace roofline {
namespace {

/// Tensors of one name and format, as the table of `roofline quantize` has them.
Json groups_json(const FormatPlan& plan) {
  Json out = Json::array();
  for (const TensorGroup& group : tensor_groups(plan))
    out.push_back({{"name", group.base},
                   {"format", Formats::catalogue()[group.format].id},
                   {"layers", ranges(group.layers)},
                   {"bytes", group.bytes}});
  return out;
}

Result<Json> mixtures(const Scenario& scenario, const Json& asked) {
  const Result<LlmRequest> request = llm_request_from(member(asked, "request"));
  if (!request) return Unexpected(request.error());
  const bool imatrix = member(asked, "imatrix") != Json(false);
  const std::vector<QuantizedChoice> choices = quantized_choices(*request, scenario, imatrix);
  Json out = Json::parse(quantize_json(*request, scenario, imatrix, choices), nullptr, false);
  out["finding"] = Json::array({{{"text", quantize_finding(scenario.machine, choices)}}});
  return out;
}

Result<Json> model_plan(const Scenario& scenario, const Json& asked) {
  const Result<LlmRequest> request = llm_request_from(member(asked, "request"));
  if (!request) return Unexpected(request.error());
  const Result<Budget> budget = budget_from(member(asked, "budget"), model_budgets);
  if (!budget) return Unexpected(budget.error());
  const std::string tool = text_of(member(asked, "tool"));
  QuantizePlanOptions options{*budget, {}, member(asked, "imatrix") != Json(false), tool == "llm-compressor"};
  if (const Json& errors = member(asked, "own_errors"); errors.is_object())
    for (const auto& [tensor, error] : errors.items())
      if (const double value = number_of(error); value > 0) options.own_errors.emplace(tensor, value);
  const Result<FormatPlan> plan = plan_quantization(*request, scenario, options);
  if (!plan) return Unexpected(plan.error());
  Json out = plan_answer(*plan, tool);
  out["groups"] = groups_json(*plan);
  return out;
}

Result<Json> offload(const Scenario& card, const Json& asked) {
  const Result<LlmRequest> request = llm_request_from(member(asked, "request"));
  if (!request) return Unexpected(request.error());
  const bool experts_on_host = member(asked, "experts_on_host") == Json(true);
  if (request->setup.machines() > 1 || request->speculation)
    return fail("a model is split with a host for one machine, without speculative decoding", "host");
  if (experts_on_host && request->setup.model.experts == 0) return fail(request->setup.model.name + " has no experts", "experts_on_host");
  Result<Machine> machine = machine_from_id_or_object(member(asked, "host"), "host");
  if (!machine) return Unexpected(machine.error());
  Scenario host = Scenario::standard();
  host.use(std::move(*machine));
  const OffloadSplit best = best_offload(*request, card, host, experts_on_host);
  const double layers = number_of(member(asked, "gpu_layers"));
  if (known(layers) && !(layers >= 0 && layers == std::floor(layers))) return fail("expected a whole number from 0 up", "gpu_layers");
  const OffloadSplit split = known(layers) ? offload_split(*request, card, host, {layers, experts_on_host}) : best;
  Json out = Json::parse(offload_json(*request, card, host, split, best), nullptr, false);
  out["layers"] = request->setup.model.layers + 1;
  return out;
}

Result<Json> sample_accuracy(const Json& asked) {
  const auto sample = named<Sample>(text_of(member(asked, "sample")));
  if (!sample) return fail("expected " + any_of_names<Sample>(), "sample");
  Json out = Json::object();
  const std::vector<double> sqnr_db = gguf_sqnr_db(*sample);
  for (const FormatId format : gguf_types())
    if (!std::isnan(sqnr_db[format])) out[Formats::catalogue()[format].id] = sqnr_db[format];  // exact: null
  return Json{{"sqnr_db", std::move(out)}};
}

Result<Json> answer(std::string_view question, std::string_view settings, std::string_view request) {
  const auto asked = parse_json(request, R"(a request such as {"request": {"model": "llama-3-8b"}})");
  if (!asked) return Unexpected(asked.error());
  if (question == "accuracy") return sample_accuracy(*asked);
  const Result<Scenario> scenario = scenario_of(settings);
  if (!scenario) return Unexpected(scenario.error());
  if (question == "mixtures") return mixtures(*scenario, *asked);
  if (question == "plan") return model_plan(*scenario, *asked);
  if (question == "offload") return offload(*scenario, *asked);
  return fail("no question is called '" + std::string(question) + "'");
}

}  // namespace

std::string answer_quantize(std::string_view question, std::string_view settings, std::string_view request) {
  const Result<Json> out = answer(question, settings, request);
  return out ? compact(*out) : failed(out.error());
}

}  // namespace roofline
