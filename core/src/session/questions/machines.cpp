// "machines": what is open on other machines, a whole run or a language model: {"op": row or null for all that the view lets through,
// "machines": [ids], absent: every preset, "own": [machine files], "request": of a language model, "first": 0, "count": so many of them}
// -> {"unit": "s" or "tokens/s", "total": machines in all, "rows": [...], "finding", "fastest": [ids it calls fast], "caution"}, the
// scenario's own machine first, then those of "own". A row's "estimate" is in that unit, "bound" behind it; "machines": the number that
// leaves the reserve free, else as many as can work together (null: too few), for which all figures are; "fit": the verdict of memory on
// that number; "fits": into as many as were asked for; "assumed": the estimate rests on other machines; "launch_known": it includes kernel
// launches. "contradicted": the measured times exceed the roofs of the scenario's machine, so that the others are compared with
// "measured_s" (null: not every operation has a time). So that a large run does not block the page, it asks for a few machines at a time,
// and with {"found": [rows], "unit"} for the finding of all rows.
#include <list>
#include <roofline/analysis/estimate.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/llm/answer.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "llm/performance.hpp"
#include "llm/request_json.hpp"
#include "machine/json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

constexpr const char *seconds_unit = "s", *tokens_unit = "tokens/s";

/// JSON has no NaN and no infinity.
Json number_or_null(double v) { return v - v == 0 ? Json(v) : Json(); }

/// A row of the answer; JSON, because rows that were found earlier come back for the finding.
Json row_of(const MachineChoice& c, const Machine& machine) {
  return {{"id", machine.id},
          {"name", c.name},
          {"segment", c.segment},
          {"fits", c.fits ? Json(*c.fits) : Json()},
          {"machines", number_or_null(c.machines)},
          {"bound", number_or_null(c.bound)},
          {"estimate", number_or_null(c.estimate)},
          {"assumed", c.assumed},
          {"launch_known", c.launch_known},
          {"usd_per_hour", number_or_null(c.usd_per_hour)},
          {"usd_per_million", number_or_null(c.usd_per_million)}};
}

/// Of the open run; NaN: not every operation has a time.
double measured_s(const Summary& s) { return s.timed_ops == s.ops ? s.time_s : unknown; }

/// The finding of the rows of all machines. `s`: the summary of the open run.
Finding finding_of(const Json& rows, bool rates, const Summary& s, std::vector<std::size_t>& fastest_first) {
  std::vector<MachineChoice> choices;
  for (const Json& row : rows) {
    MachineChoice c{.name = text_of(member(row, "name")),
                    .segment = text_of(member(row, "segment")),
                    .fits = {},
                    .machines = number_of(member(row, "machines")),
                    .bound = number_of(member(row, "bound")),
                    .estimate = number_of(member(row, "estimate")),
                    .usd_per_million = number_of(member(row, "usd_per_million")),
                    .usd_per_hour = number_of(member(row, "usd_per_hour")),
                    .assumed = member(row, "assumed") == Json(true),
                    .launch_known = member(row, "launch_known") == Json(true),
                    .barely_fits = member(row, "fit") == Json(to_string(MemoryFit::tight))};
    // Into as many as it takes; unknown stays unknown.
    if (!member(row, "fits").is_null()) c.fits = known(c.machines);
    choices.push_back(std::move(c));
  }
  if (!rates && !choices.empty()) {
    choices.front().measured = measured_s(s);
    choices.front().contradicted = s.machine_mismatch();
  }
  Finding finding = choice_finding(choices, rates, &fastest_first);
  constexpr double explains = 0.7;
  const bool explained = !choices.empty() && choices.front().estimate > explains * choices.front().measured;
  return rates || explained ? finding : with_caution(s, ": another machine may not make it faster. ", std::move(finding));
}

/// "finding" and "fastest" of the rows of all machines.
void add_finding(Json& answer, const Json& rows, bool rates, const Summary& s) {
  std::vector<std::size_t> fastest_first;
  answer["finding"] = finding_json(finding_of(rows, rates, s, fastest_first));
  answer["fastest"] = Json::array();
  for (const std::size_t row : fastest_first) answer["fastest"].push_back(member(rows[row], "id"));
}

Json format_json(FormatId format) { return format == no_format ? Json() : Json(Formats::catalogue()[format].id); }

Json run_row(const OnMachine& m) {
  MachineChoice c = choice_of(m);
  c.usd_per_hour = cost_of(LlmRequest(), *m.machine).usd_per_hour;
  c.usd_per_million = usd_per_million(c.usd_per_hour, 1, 1 / c.estimate);
  Json row = row_of(c, *m.machine);
  row.update({{"compute", format_json(m.compute)},
              {"fallback", m.fallback},
              {"peak", number_or_null(m.peak)},
              {"bandwidth", number_or_null(m.bandwidth)},
              {"ridge", number_or_null(m.ridge)},
              {"predicted_time_s", number_or_null(c.bound)},
              {"typical_time_s", number_or_null(c.estimate)},
              {"speedup", number_or_null(m.speedup)},
              {"joules", number_or_null(m.machine->tdp_w.value * c.estimate)},
              {"bound_by", m.bound_by}});
  return row;
}

/// On as many machines as its memory takes, at least as many as the request has: no more than the first link connects.
Json model_row(LlmRequest r, const Scenario& scenario) {
  const Machine& machine = scenario.machine;
  const MemoryVerdict asked = LlmInference(r, scenario).memory(r);
  const LlmRequest enough = on_enough_machines(r, scenario);
  const std::optional<double> barely = barely_fits_on(r, enough, scenario);
  r = enough;
  const MemoryVerdict placed = LlmInference(r, scenario).memory(r);
  const FormatId activations = r.setup.formats.activations, compute = compute_format(machine, Unit::matrix, activations, activations);
  const bool possible =
      placed.in_memory() != std::optional<bool>(false) && compute != no_format && (r.setup.machines() == 1 || !machine.links.empty());
  MachineChoice c{.name = machine.name,
                  .segment = machine.segment,
                  .fits = asked.in_memory(),
                  .machines = possible ? r.setup.machines() : unknown,
                  .assumed = estimate_is_assumed(scenario, StackUse::language_model),
                  .launch_known = launch_is_known(scenario, StackUse::language_model)};
  Json row;
  const LlmInference inference(r, scenario);
  const auto passes = std::make_unique<LlmPasses>();
  const LlmPerformance speed = performance(inference, *passes);
  if (possible) {
    c.bound = speed.bound.tokens_per_s;
    c.estimate = speed.estimate.tokens_per_s;
    c.usd_per_hour = cost_of(r, machine).usd_per_hour;
    c.usd_per_million = usd_per_million(c.usd_per_hour, c.machines, c.estimate);
  }
  row = row_of(c, machine);
  const auto if_possible = [&](double v) { return number_or_null(possible ? v : unknown); };
  row.update({{"fit", to_string(placed.fit)},
              {"barely_fits_on", barely ? Json(*barely) : Json()},
              {"compute", format_json(compute)},
              {"tried", r.setup.machines()},
              {"ttft_s", if_possible(speed.bound.ttft_s)},
              {"typical_ttft_s", if_possible(speed.estimate.ttft_s)},
              {"tpot_s", if_possible(speed.bound.tpot_s)},
              {"typical_tpot_s", if_possible(speed.estimate.tpot_s)},
              {"joules", number_or_null(machine.tdp_w.value * c.machines / c.estimate)},
              {"bound_by", name_of(speed.totals.bound())}});
  return row;
}

Result<std::vector<const Machine*>> machines_of(const Plan& plan, const Json& request, std::list<Machine>& own) {
  std::vector<const Machine*> machines = {&plan.scenario().machine};
  for (const Json& file : member(request, "own")) {
    auto machine = machine_from(file);
    if (!machine) return fail(machine.error().message, machine.error().path);
    machines.push_back(&own.emplace_back(std::move(*machine)));
  }
  const Json& ids = member(request, "machines");
  if (!ids.is_array()) {
    for (const Machine& machine : Machines::presets().all())
      if (!machine.vendor.empty()) machines.push_back(&machine);  // an example machine, without a vendor, is not compared
    return machines;
  }
  for (const Json& id : ids) {
    const Machine* machine = Machines::presets().find(text_of(id));
    if (!machine) return fail(Machines::presets().unknown_name_message(text_of(id)), "machines");
    machines.push_back(machine);
  }
  return machines;
}

/// The caution shown with a comparison; empty: none.
std::string caution(const Plan& plan, const Summary& s) {
  if (s.mostly_partly_known() && s.time_s > 0)
    return "FLOPs or bytes of most operations are not known, so their times on other machines are unknown.";
  std::string out;
  if (s.timed_ops > 0 && s.timed_ops < s.ops)
    out = "All " + with_commas(s.ops) + " operations are compared; " + with_commas(s.timed_ops) + " of them have a measured time.";
  if (plan.has_whatif()) out += (out.empty() ? "" : " ") + std::string("Compared without the what-if.");
  return out;
}

}  // namespace

Result<Answer> ask_machines(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Json& model = member(request, "request");
  if (const Json& found = member(request, "found"); found.is_array()) {
    Json answer;
    add_finding(answer, found, member(request, "unit") == Json(tokens_unit), summarize(asked_for(of, request), false));
    return Answer{compact(answer), {}};
  }
  std::list<Machine> own;
  auto machines = machines_of(plan, request, own);
  if (!machines) return Unexpected(machines.error());
  const std::size_t total = machines->size();
  const std::size_t first = count_in(request, "first", 0, total);
  machines->erase(machines->begin(), machines->begin() + static_cast<std::ptrdiff_t>(first));
  machines->resize(std::min(machines->size(), count_in(request, "count", total, total)));

  const Summary summary = summarize(asked_for(of, request), false);
  Json rows = Json::array();
  if (model.is_object()) {
    const Result<LlmRequest> r = llm_request_from(model);
    if (!r) return Unexpected(r.error());
    for (const Machine* machine : *machines) {
      Scenario scenario = plan.scenario();
      if (machine != &plan.scenario().machine) scenario.use(*machine);
      rows.push_back(model_row(*r, scenario));
    }
  } else {
    const OpSet ops = asked_for(of, request);
    const DistinctOps alone = member(request, "op").is_null() ? DistinctOps() : distinct_ops(ops.fixed());
    for (OnMachine& m : compare_machines(ops, *machines, alone.rows ? &alone : &of.distinct())) {
      if (summary.mostly_partly_known() && summary.time_s > 0) m.predicted_s = m.typical_s = m.speedup = unknown;
      rows.push_back(run_row(m));
    }
  }
  Json answer = {{"unit", model.is_object() ? tokens_unit : seconds_unit},
                 {"total", total},
                 {"caution", caution(plan, summary)},
                 {"contradicted", !model.is_object() && summary.machine_mismatch()},
                 {"measured_s", known(measured_s(summary)) ? Json(measured_s(summary)) : Json()}};
  if (rows.size() == total) add_finding(answer, rows, model.is_object(), summary);
  answer["rows"] = std::move(rows);
  return Answer{compact(answer), {}};
}

}  // namespace roofline
