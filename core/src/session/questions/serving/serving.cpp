// A deployment under load. "serving": {"request": keys of parse_serving_request()} -> "roofline-serving/1".
// "frontier": {"request": keys of parse_frontier_request()} -> "roofline-frontier/1" without its points, and those as columns: "tp0" (of
// machine 0), ..., "weights0" (index into "weights"), "bound_by0" (as ServingLimit), "flags0" (1 attention_dp, 2 meets_limits, 4 pareto).
#include <roofline/serving/operating_point.hpp>

#include "serving/frontier_json.hpp"
#include "serving/request_json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_serving(const QuestionContext& of, const Json& question) {
  Result<ServingRequest> request = serving_request_from(member(question, "request"));
  if (!request) return Unexpected(request.error());
  Scenario scenario = of.plan().scenario();
  use_engine_stack(scenario);
  use_engine_formats(*request, scenario.machine);
  const Result<ServingPoint> point = operating_point(*request, scenario);
  if (!point) return Unexpected(point.error());
  return Answer{serving_json(*point, *request, scenario), {}};
}

Result<Answer> ask_frontier(const QuestionContext& of, const Json& question) {
  const Result<FrontierRequest> request = frontier_request_from(member(question, "request"), of.plan().scenario());
  if (!request) return Unexpected(request.error());
  const Frontier found = frontier(*request);
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
    column("weights", [](const FrontierPoint& p) { return p.weights; });
    column("bound_by", [](const FrontierPoint& p) { return static_cast<int>(p.limit); });
    column("flags", [](const FrontierPoint& p) { return (p.attention_dp ? 1 : 0) + (p.meets_limits ? 2 : 0) + (p.pareto ? 4 : 0); });
  }
  return out;
}

}  // namespace roofline
