#include <algorithm>
#include <roofline/analysis/finding.hpp>
#include <roofline/base/text.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/own_time.hpp"
#include "analysis/steps.hpp"
#include "analysis/wording.hpp"
#include "base/sort_stably.hpp"

namespace roofline {
namespace {

std::string share(double part, double whole) { return percent(part / whole); }
std::string of(double part, double whole) { return seconds(part) + " of " + seconds(whole); }

std::size_t largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double v : values) total += v;
  return total;
}

template <auto member>
void evidence(JsonOut& out, const Finding::Part& part) {
  field<member>(out, *part.from);
}
template <Words Evidence::* words>
bool has_words(const Finding::Part& part) {
  return part.from && !((*part.from).*words).empty();
}
constexpr Member<Finding::Part> part_members[] = {
    {"text", schema::text, "", field<&Finding::Part::text>},
    {"formula", schema::text, "of a figure: what it was made from", evidence<&Evidence::formula>,
     [](const Finding::Part& p) { return p.from.has_value(); }},
    {"categories", schema::texts, "the operations it was made from", evidence<&Evidence::categories>, has_words<&Evidence::categories>},
    {"bounds", schema::texts, "", evidence<&Evidence::bounds>, has_words<&Evidence::bounds>},
    {"limits", schema::texts, "", evidence<&Evidence::limits>, has_words<&Evidence::limits>},
    {"steps", schema::texts, "", evidence<&Evidence::steps>, has_words<&Evidence::steps>},
    {"op", schema::index, "the one operation", evidence<&Evidence::op>, [](const Finding::Part& p) { return p.from && p.from->op; }}};

}  // namespace

Finding& Finding::say(std::string text) {
  parts.push_back({std::move(text), {}});
  return *this;
}

Finding& Finding::figure(std::string text, Evidence from) {
  parts.push_back({std::move(text), std::move(from)});
  return *this;
}

std::string Finding::text() const {
  std::string out;
  for (const Part& part : parts) out += part.text;
  return out;
}

Finding with_caution(const Summary& s, const char* consequence, Finding finding) {
  if (finding.parts.empty() || s.machine_mismatch() || !s.mostly_neither()) return finding;
  Finding caution;
  caution.figure(share(s.neither_s, s.judged_time_s), {.formula = of(s.neither_s, s.judged_time_s), .limits = {to_string(Limit::neither)}})
      .say(std::string(" of the time is limited by neither compute nor memory") + consequence);
  caution.parts.insert(caution.parts.end(), finding.parts.begin(), finding.parts.end());
  return caution;
}

void write_finding_value(JsonOut& out, const Finding& finding) { write_objects<part_members>(out, finding.parts); }
Json finding_json(const Finding& finding) {
  return json_value([&](JsonOut& out) { write_finding_value(out, finding); });
}
std::string finding_schema() { return list_of(finding_part_schema().text()); }
ObjectSchema finding_part_schema() { return ObjectSchema().with(part_members); }

void write_finding(JsonOut& out, const Finding& finding) {
  out.key("finding");
  write_finding_value(out, finding);
}

std::vector<CategoryTotal> category_totals(const OpSet& ops) {
  const Plan& plan = ops.plan();
  const std::size_t resources = plan.resources().size();
  std::vector<CategoryTotal> totals;
  std::vector<std::size_t> total_of;  // by class
  for (const OpClass& op_class : plan.workload().classes) {
    const auto found = std::find_if(totals.begin(), totals.end(), [&](const CategoryTotal& t) { return t.name == op_class.category; });
    total_of.push_back(static_cast<std::size_t>(found - totals.begin()));
    if (found == totals.end()) totals.push_back({op_class.category, 0, 0, std::vector<double>(resources + 1)});
  }
  const OwnTime own_time(ops.workload());
  for_each_block(ops, [&](const OpBlock& block) {
    for (std::size_t j = 0; j < block.count; ++j) {
      CategoryTotal& t = totals[total_of[plan.workload().op_class[block.index[j]]]];
      const double time = own_time(block, j);
      ++t.ops;
      t.time_s += time;
      const std::size_t limit = limit_index(plan, block, j);
      (limit == resources ? t.neither_s : t.by_bound_s[std::min(limit, resources)]) += time;
    }
  });
  totals.erase(std::remove_if(totals.begin(), totals.end(), [](const CategoryTotal& t) { return t.ops == 0; }), totals.end());
  sort_stably(totals, [](const CategoryTotal& a, const CategoryTotal& b) { return a.time_s > b.time_s; });
  return totals;
}

Finding categories_finding(const OpSet& ops, const std::vector<CategoryTotal>& totals) {
  Finding out;
  double whole = 0;
  for (const CategoryTotal& t : totals) whole += t.time_s;
  if (!(whole > 0)) return out;
  const Plan& plan = ops.plan();
  const CategoryTotal& first = totals[0];
  const std::size_t bound = largest(first.by_bound_s);
  out.say(capitalised(first.name) + " takes ").figure(share(first.time_s, whole), {of(first.time_s, whole), {first.name}});
  out.say(" of the time, ");
  const bool mostly_neither = first.neither_s > first.by_bound_s[bound];
  const double limited = mostly_neither ? first.neither_s : first.by_bound_s[bound];
  if (mostly_neither || bound < plan.resources().size())
    out.figure(share(limited, first.time_s), {.formula = of(limited, first.time_s),
                                              .categories = {first.name},
                                              .limits = {mostly_neither ? to_string(Limit::neither) : resource_name(plan, bound, "none")}})
        .say(" of it limited by " + (mostly_neither ? "neither compute nor memory" : resource_name(plan, bound, "none")));
  else
    out.say("without a known bound");
  if (totals.size() > 1 && totals[1].time_s > 0)
    out.say("; " + totals[1].name + " takes ").figure(share(totals[1].time_s, whole), {of(totals[1].time_s, whole), {totals[1].name}});
  out.say(".");
  return out;
}

Finding parity_finding(const Plan& plan, const Parity& parity) {
  Finding out;
  double bound = 0, measured = 0;
  const ParityRow* worst = nullptr;
  for (const ParityRow& row : parity.rows) {
    if (!known(row.predicted_s) || !known(row.measured_s)) continue;
    bound += row.predicted_s;
    measured += row.measured_s;
    if (!worst || row.measured_s - row.predicted_s > worst->measured_s - worst->predicted_s) worst = &row;
  }
  if (!(measured > 0)) return out;
  const std::string figures = seconds(bound) + " of bounds / " + seconds(measured) + " measured";
  if (bound > 1.02 * measured) {
    out.say("The bound is longer than the measured time, by ").figure(percent(bound / measured - 1), {figures});
    out.say(": the machine is faster than stated, or work is counted too high.");
    return out;
  }
  out.say("The bound explains ").figure(share(bound, measured), {figures}).say(" of the measured time");
  if (parity.rows.size() > 1 && worst->measured_s > 1.02 * worst->predicted_s)
    out.say("; ")
        .figure(short_name(plan.workload(), worst->op),
                {.formula = seconds(worst->measured_s) + " measured - " + seconds(worst->predicted_s) + " of bound", .op = worst->op})
        .say(" has the most time above the bound: it takes ")
        .figure(times(worst->measured_s / worst->predicted_s),
                {.formula = seconds(worst->measured_s) + " measured / " + seconds(worst->predicted_s) + " of bound", .op = worst->op})
        .say(" its bound");
  out.say(".");
  return out;
}

Finding steps_finding(const Plan& plan, const std::vector<StepTotals>& totals, const std::vector<CategoryTotal>& categories) {
  Finding out;
  std::vector<StepTotals> steps = totals;
  const auto numbered = [&](const StepTotals& s) { return is_numbered_step(plan.workload().steps[s.step]); };
  // A profile has its total and its average among its steps.
  const bool any_numbered = std::any_of(steps.begin(), steps.end(), numbered);
  steps.erase(
      std::remove_if(steps.begin(), steps.end(), [&](const StepTotals& s) { return !(s.time_s > 0) || (any_numbered && !numbered(s)); }),
      steps.end());
  if (steps.size() > 1) {
    const auto [least, most] =
        std::minmax_element(steps.begin(), steps.end(), [](const StepTotals& a, const StepTotals& b) { return a.time_s < b.time_s; });
    const std::string& name = plan.workload().steps[most->step];
    out.say(quantity(steps.size(), "step takes ", "steps take ") + seconds(least->time_s) + " to ")
        .figure(seconds(most->time_s), {.formula = "the time of step " + name, .steps = {name}})
        .say("; " +
             (any_numbered   ? "step " + name
              : name.empty() ? "operations without a step take"
                             : name) +
             (name.empty() ? " the longest" : " is the longest"));
  }
  std::vector<double> by_bound(plan.resources().size() + 1);
  double neither = 0;
  for (const CategoryTotal& category : categories) {
    for (std::size_t r = 0; r < by_bound.size(); ++r) by_bound[r] += category.by_bound_s[r];
    neither += category.neither_s;
  }
  const double whole = sum(by_bound) + neither;
  if (!(whole > 0)) return out.parts.empty() ? out : out.say(".");
  const auto begin = [&](const std::string& subject) -> Finding& {
    return out.say(out.parts.empty() ? capitalised(subject) : "; " + subject);
  };
  int named = 0;
  for (; named < 2; ++named) {
    const std::size_t bound = largest(by_bound);
    if (!(by_bound[bound] > 0)) break;
    const std::string name = resource_name(plan, bound, "none");
    const std::string subject =
        bound == plan.resources().size() ? "work without a known bound takes " : name + (named == 0 ? " limits " : " ");
    (named == 0 ? begin(subject) : out.say(", " + subject))
        .figure(share(by_bound[bound], whole), {.formula = of(by_bound[bound], whole), .limits = {name}})
        .say(named == 0 ? " of the time" : "");
    by_bound[bound] = 0;
  }
  if (neither < 0.005 * whole) return out.say(".");
  if (named == 0)
    return begin("neither compute nor memory limits ")
        .figure(share(neither, whole), {.formula = of(neither, whole), .limits = {to_string(Limit::neither)}})
        .say(std::string(" of the time (") + beyond_roofs + ").");
  return out.say("; ")
      .figure(share(neither, whole), {.formula = of(neither, whole), .limits = {to_string(Limit::neither)}})
      .say(std::string(" is limited by neither compute nor memory (") + beyond_roofs + ").");
}

}  // namespace roofline
