// Whose estimate a typical time is, and how good.
#include <algorithm>
#include <roofline/analysis/estimate.hpp>
#include <roofline/base/text.hpp>
#include <roofline/machine/words.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

/// What the runs that a workload is like are called in measurements.
std::string_view kind_of(const Plan& plan) {
  const Workload& w = plan.workload();
  if (!w.network_json.empty() && plan.stack().error("network")) return "network";  // whole ones, on an NPU
  if (w.source_format != SourceFormat::model) return "kernels";
  bool prompt = false, steps = false;
  for (const OpClass& c : w.classes) (c.prompt_tokens > 0 ? prompt : steps) = true;
  return prompt && steps ? "generate" : prompt ? "prefill" : "decode";
}

constexpr Member<StackError> error_members[] = {
    {"median", schema::number, "a fraction", field<&StackError::median>},
    {"p90", schema::number, "nine in ten are within it", field<&StackError::p90>},
    {"rows", schema::number, "number of runs", field<&StackError::rows>},
    {"own", schema::flag, "of this stack; else of all stacks together", field<&StackError::own>},
    {"within", schema::text, "the same in words", [](JsonOut& out, const StackError& e) { out.value(error_text(&e)); }}};
std::string errors_schema() { return R"("type":"object","additionalProperties":{)" + object_of<error_members>() + '}'; }

struct Estimate {
  const Plan& plan;
  const StackError* error;
  const TypicalTerms* terms;
};
constexpr Member<Estimate> members[] = {
    {"stack", schema::text, "the software's id", [](JsonOut& out, const Estimate& e) { out.value(e.plan.stack().id); }},
    {"name", schema::text, "", [](JsonOut& out, const Estimate& e) { out.value(e.plan.stack().name); }},
    {"basis", schema::text, "",
     [](JsonOut& out, const Estimate& e) { out.value(e.error ? e.plan.stack().basis : std::string("assumed")); }},
    {"kind", schema::text, "of workload", [](JsonOut& out, const Estimate& e) { out.value(kind_of(e.plan)); }},
    {"error_median", schema::number, "of published runs of that kind, a fraction",
     [](JsonOut& out, const Estimate& e) { out.value(e.error ? e.error->median : unknown); }},
    {"error_p90", schema::number, "nine in ten are within it",
     [](JsonOut& out, const Estimate& e) { out.value(e.error ? e.error->p90 : unknown); }},
    {"rows", schema::number, "number of runs", [](JsonOut& out, const Estimate& e) { out.value(e.error ? e.error->rows : unknown); }},
    {"within", schema::text, "the same in words, or that no benchmark of the machine is known",
     [](JsonOut& out, const Estimate& e) { out.value(error_text(e.error, e.plan.scenario(), e.plan.stack_use())); }},
    {"errors", errors_schema, "of every kind that it was measured on",
     [](JsonOut& out, const Estimate& e) {
       out.object([&] {
         for (const StackError& error : e.plan.stack().errors) {
           out.key(error.kind);
           write_object<error_members>(out, error);
         }
       });
     }},
    {"terms", schema::numbers, "that are not 0, s",
     [](JsonOut& out, const Estimate& e) {
       out.object([&] {
         for (std::size_t i = 0; i < e.terms->size(); ++i)
           if ((*e.terms)[i] != 0) out.member(to_string(static_cast<TypicalTerm>(i)), (*e.terms)[i]);
       });
     },
     [](const Estimate& e) { return e.terms != nullptr; }}};

}  // namespace

const StackError* typical_error(const Plan& plan) { return plan.stack().error(kind_of(plan)); }

std::string error_text(const StackError* e) {
  if (!e) return "";
  const std::string kind = e->kind == "generate" ? "whole" : e->kind == "kernels" ? "kernel" : e->kind;
  return "(within " + percent(e->median) + " in half of " + number(e->rows) + " published " + kind +
         (e->own ? " runs" : " runs of all stacks") + ", within " + percent(e->p90) + " in nine of ten)";
}

std::string error_text(const StackError* e, const Scenario& scenario, StackUse use) {
  const std::vector<std::string>& own = scenario.stack_for(use).machines;
  const bool measured = !estimate_is_assumed(scenario, use) || std::find(own.begin(), own.end(), scenario.machine.id) != own.end();
  return e && !measured ? "(no benchmark of this machine: estimated from similar ones)" : error_text(e);
}

bool estimate_is_assumed(const Scenario& scenario, StackUse use) {
  const Machine& machine = scenario.machine;
  const auto guessed = [](const Figure& fraction) { return !fraction.known() || fraction.basis == "estimate"; };
  if (guessed(machine.achievable_compute) || guessed(machine.achievable_bandwidth)) return true;
  return !launch_is_known(scenario, use) || (!is_cpu(machine) && scenario.stack_for(use).basis == "assumed");
}

bool launch_is_known(const Scenario& scenario, StackUse use) {
  const StackTerms terms = scenario.terms_for(use);
  return is_cpu(scenario.machine) || terms.launch_s || terms.layer_s || terms.run_s;
}

std::string estimate_json(const Plan& plan, const TypicalTerms* terms) {
  return json_text([&](JsonOut& out) { write_object<members>(out, Estimate{plan, typical_error(plan), terms}); });
}

ObjectSchema estimate_schema() { return ObjectSchema().with(members); }

}  // namespace roofline
