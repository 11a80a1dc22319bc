#include "read/trace/pytorch/steps.hpp"

#include <algorithm>
#include <roofline/base/text.hpp>

#include "base/sort_stably.hpp"
#include "read/trace/step_annotation.hpp"
#include "workload/builder.hpp"

namespace roofline {

void TraceSteps::add(double begin, double end, const std::string& name) {
  if (const std::optional<StepAnnotation> step = parse_step(name))
    steps_.push_back({begin, end, name, true, step->states_context()});
  else if (name.rfind("ProfilerStep#", 0) == 0)
    steps_.push_back({begin, end, name, false, false});
}

void TraceSteps::settle() {
  if (std::any_of(steps_.begin(), steps_.end(), [](const Step& s) { return s.engine; }))
    steps_.erase(std::remove_if(steps_.begin(), steps_.end(), [](const Step& s) { return !s.engine; }), steps_.end());
  sort_stably(steps_, [](const Step& a, const Step& b) { return std::pair(a.begin, -a.end) < std::pair(b.begin, -b.end); });
  std::vector<Step> outer;
  for (Step& step : steps_) {
    if (outer.empty() || step.begin >= outer.back().end)
      outer.push_back(std::move(step));
    else if (step.states_context && !outer.back().states_context)
      outer.back().name = std::move(step.name), outer.back().states_context = true;
  }
  steps_ = std::move(outer);
}

std::uint32_t TraceSteps::at(double time) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), time, [](double t, const Step& s) { return t < s.begin; });
  return after == steps_.begin() ? none : static_cast<std::uint32_t>(after - steps_.begin() - 1);
}

void TraceSteps::report(WorkloadBuilder& rows) const {
  if (steps_.empty() || !steps_[0].engine) return;
  const std::string first = description(*parse_step(steps_[0].name));
  rows.note(Severity::info, steps_.size() == 1 ? "one step of an inference engine: " + first
                                               : quantity(steps_.size(), "step") + " of an inference engine, the first: " + first);
}

}  // namespace roofline
