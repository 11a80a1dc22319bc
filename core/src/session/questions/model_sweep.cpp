// A language model over ranges: {"request", "axis": {"key", "from", "to", "log", "points"} or null, "choices": [{"key", "values"}]} ->
// "roofline-llm-sweep/1" without its figures, and those as columns: "tokens_per_s0" (of curve 0), ..., "bound0" (0 none, 1 compute, 2
// memory, 3 link), "fits0" (1, 0, NaN: capacity not known).
#include "llm/request_json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_model_sweep(const QuestionContext& of, const Json& question) {
  const Plan& plan = of.plan();
  std::optional<SweepAxis> axis;
  if (const Json& a = member(question, "axis"); a.is_object()) {
    axis.emplace();
    axis->keys = {text_of(member(a, "key"))};
    axis->from = number_of(member(a, "from"));
    axis->to = number_of(member(a, "to"));
    axis->log = member(a, "log") != Json(false);
    const double points = number_of(member(a, "points"));
    axis->points = points >= 1 && points < 1e6 ? static_cast<std::size_t>(points) : 0;  // 0 is refused
  }
  std::vector<LlmChoices> choices;
  for (const Json& c : member(question, "choices")) {
    auto& choice = choices.emplace_back();
    choice.key = text_of(member(c, "key"));
    for (const Json& value : member(c, "values")) choice.values.push_back(text_of(value));
  }
  const auto swept = llm_sweep_of(member(question, "request"), axis, std::move(choices), plan.scenario());
  if (!swept) return Unexpected(swept.error());
  Answer out{llm_sweep_json(*swept, false), {}};
  for (std::size_t i = 0; i < swept->curves.size(); ++i) {
    const auto& points = swept->curves[i].points;
    const auto metrics = llm_metrics();
    for (std::size_t m = 0; m < metrics.size() + 2; ++m) {
      const bool bound = m == metrics.size(), fits = m > metrics.size();
      std::vector<float> values(points.size());
      for (std::size_t k = 0; k < points.size(); ++k) {
        const LlmSweepPoint& p = points[k];
        const double v = bound  ? (p.bound_by ? 1 + static_cast<double>(*p.bound_by) : 0)
                         : fits ? (p.fits ? *p.fits : unknown)
                                : metrics[m].value(p);
        values[k] = static_cast<float>(v);
      }
      out.columns.emplace_back(std::string(bound ? "bound" : fits ? "fits" : metrics[m].name) + std::to_string(i), std::move(values));
    }
  }
  return out;
}

}  // namespace roofline
