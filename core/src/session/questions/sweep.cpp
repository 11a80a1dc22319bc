// A sweep: {"operator": as in calculator.hpp, "axes": [{"keys", "from", "to", "log", "round", "points"}, ...]} -> {"axes": [[values], ...],
// "formats", "resources", "crossings", "leads", "typical_leads", "finding", "refused"} and columns: "flops", and per format "predicted0"
// (s), "bound0" (index into resources; 255: none), "unit_flops0" (of the unit that takes longer), "typical0" and "fused0" (s); over two
// parameters "fastest" (index into the JSON's "fastest", sets of formats; 255: no time is known). Of two axes, x varies fastest.
#include <roofline/calculator/sweep.hpp>

#include "analysis/finding_json.hpp"
#include "calculator/json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

SweepAxis axis_of(const Json& json) {
  SweepAxis axis;
  for (const Json& key : member(json, "keys")) axis.keys.push_back(text_of(key));
  axis.from = number_of(member(json, "from"));
  axis.to = number_of(member(json, "to"));
  axis.log = member(json, "log") != Json(false);
  axis.round = member(json, "round") == Json(true);
  const double points = number_of(member(json, "points"));
  axis.points = points >= 1 && points < 1e6 ? static_cast<std::size_t>(points) : 0;  // 0 is refused
  return axis;
}

template <class T>
std::vector<float> column(const std::vector<T>& values) {
  return std::vector<float>(values.begin(), values.end());
}

}  // namespace

Result<Answer> ask_sweep(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const auto calculation = calculation_from(member(request, "operator"));
  if (!calculation) return Unexpected(calculation.error());
  const Json& axes = member(request, "axes");
  if (!axes.is_array() || axes.empty() || axes.size() > 2) return fail("expected one or two ranges", "axes");
  const SweepAxis x = axis_of(axes[0]);
  std::optional<SweepAxis> y;
  if (axes.size() == 2) y = axis_of(axes[1]);
  auto swept = sweep(*calculation, x, y, plan.scenario());
  if (!swept) return Unexpected(swept.error());

  Json json = {{"axes", Json::array({swept->x})}, {"resources", swept->resources}, {"refused", swept->refused}};
  if (y) json["axes"].push_back(swept->y);
  json["formats"] = Json::array();
  for (const RoleFormats& format : calculation->formats) json["formats"].push_back(format.name);
  json["crossings"] = Json::array();
  for (const Crossing& c : swept->crossings)
    json["crossings"].push_back({{"format", c.format}, {"at", c.at}, {"from", swept->resources[c.from]}, {"to", swept->resources[c.to]}});
  for (const auto& [key, leads] : {std::pair("leads", &swept->leads), std::pair("typical_leads", &swept->typical_leads)}) {
    json[key] = Json::array();
    for (const Lead& lead : *leads) json[key].push_back({{"from", lead.from}, {"formats", lead.formats}});
  }
  json["fastest"] = swept->fastest.sets;
  json["finding"] = finding_json(sweep_finding(*calculation, x, *swept));
  Answer answer{compact(json), {{"flops", column(swept->flops)}}};
  for (std::size_t f = 0; f < swept->series.size(); ++f) {
    const Sweep::Series& series = swept->series[f];
    const std::string index = std::to_string(f);
    answer.columns.emplace_back("predicted" + index, column(series.predicted_s));
    answer.columns.emplace_back("bound" + index, column(series.bound));
    answer.columns.emplace_back("unit_flops" + index, column(series.unit_flops));
    answer.columns.emplace_back("typical" + index, column(series.typical_s));
    answer.columns.emplace_back("fused" + index, column(series.fused_s));
  }
  if (y) answer.columns.emplace_back("fastest", column(swept->fastest.at));
  return answer;
}

}  // namespace roofline
