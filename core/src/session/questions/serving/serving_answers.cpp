#include "session/questions/serving/serving_answers.hpp"

#include <roofline/serving/measured_runs.hpp>
#include <roofline/serving/operating_point.hpp>

#include "serving/frontier_json.hpp"
#include "serving/request_json.hpp"
#include "session/failed.hpp"

namespace roofline {
namespace {

Result<Answer> operating_point_answer(Scenario scenario, const Json& asked) {
  Result<ServingRequest> request = serving_request_from(asked);
  if (!request) return Unexpected(request.error());
  use_engine_stack(scenario);
  use_engine_formats(*request, scenario);
  const Result<ServingPoint> point = operating_point(*request, scenario);
  if (!point) return Unexpected(point.error());
  return Answer{serving_json(*point, *request, scenario), {}};
}

Result<Answer> frontier_answer(const Scenario& scenario, const Json& asked, std::string_view as) {
  const Result<FrontierRequest> request = frontier_request_from(asked, scenario);
  if (!request) return Unexpected(request.error());
  const Frontier found = frontier(*request);
  if (as == "json") return Answer{frontier_json(found, *request), {}};
  if (as == "csv") return Answer{dump(Json(frontier_csv(found, *request))), {}};
  Answer out{frontier_json(found, *request, false), {}};
  for (std::size_t m = 0; m < found.machines.size(); ++m) {
    const auto& points = found.machines[m].points;
    const auto column = [&](std::string_view name, const auto& value) {
      std::vector<float> values;
      values.reserve(points.size());
      for (const FrontierPoint& p : points) values.push_back(static_cast<float>(value(p)));
      out.columns.emplace_back(std::string(name) + std::to_string(m), std::move(values));
    };
    for (const FrontierMetric& metric : frontier_metrics()) column(metric.name, [&](const FrontierPoint& p) { return p.*metric.value; });
    const std::vector<std::size_t> layouts = point_layouts(found.machines[m], *request).of_point;
    out.columns.emplace_back("layout" + std::to_string(m), std::vector<float>(layouts.begin(), layouts.end()));
    column("weights", [](const FrontierPoint& p) { return p.weights; });
    column("bound_by", [](const FrontierPoint& p) { return static_cast<int>(p.limit); });
    column("flags", [](const FrontierPoint& p) { return (p.attention_dp ? 1 : 0) + (p.meets_limits ? 2 : 0) + (p.pareto ? 4 : 0); });
  }
  return out;
}

Result<Answer> answer(std::string_view question, std::string_view settings, std::string_view request) {
  Result<Scenario> scenario = scenario_of(settings);
  if (!scenario) return Unexpected(scenario.error());
  const auto json = parse_json(request, R"(a request such as {"model": "llama-3.1-70b", "prompt": 8000, "generate": 1000})");
  if (!json) return Unexpected(json.error());
  if (question == "serving_runs") {
    const auto runs = parse_serving_runs(text_of(member(*json, "text")));
    if (!runs) return Unexpected(runs.error());
    return Answer{serving_runs_json(*runs), {}};
  }
  if (question == "serving") return operating_point_answer(std::move(*scenario), *json);
  if (question == "frontier") return frontier_answer(*scenario, *json, "columns");
  if (question == "frontier_json") return frontier_answer(*scenario, *json, "json");
  if (question == "frontier_csv") return frontier_answer(*scenario, *json, "csv");
  return fail("no question is called '" + std::string(question) + "'");
}

}  // namespace

Answer answer_serving(std::string_view question, std::string_view settings, std::string_view request) {
  Result<Answer> out = answer(question, settings, request);
  return out ? std::move(*out) : Answer{failed(out.error()), {}};
}

}  // namespace roofline
