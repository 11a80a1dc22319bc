// Whose estimate a typical time is, and how good.
#include <roofline/analysis/op_set.hpp>
#include <roofline/base/text.hpp>

#include "base/json_out.hpp"

namespace roofline {
namespace {

/// What the runs that a workload is like are called in measurements.
std::string_view kind_of(const Workload& w) {
  if (w.source_format != "model") return "kernels";
  bool prompt = false, steps = false;
  for (const std::string& step : w.steps) (step == "prefill" ? prompt : steps) = true;
  return prompt && steps ? "generate" : prompt ? "prefill" : "decode";
}

}  // namespace

const StackError* typical_error(const Plan& plan) { return plan.stack().error(kind_of(plan.workload())); }

std::string within(const StackError* e) {
  if (!e) return "";
  const std::string kind = e->kind == "generate" ? "whole" : e->kind == "kernels" ? "kernel" : e->kind;
  return "(half of " + number(e->rows) + " published " + kind + (e->own ? " runs" : " runs of all stacks") + " within " +
         percent(e->median) + ", nine in ten within " + percent(e->p90) + ")";
}

std::string estimate_json(const Plan& plan, const TypicalTerms* terms) {
  std::string text;
  const Sink sink = [&](std::string_view piece) { text += piece; };
  JsonOut out(sink);
  const Stack& stack = plan.stack();
  const StackError* e = typical_error(plan);
  out.begin_object();
  out.member("stack", stack.id);
  out.member("name", stack.name);
  out.member("basis", e ? stack.basis : std::string("assumed"));
  out.member("kind", std::string(kind_of(plan.workload())));
  out.member("error_median", e ? e->median : unknown);
  out.member("error_p90", e ? e->p90 : unknown);
  out.member("rows", e ? e->rows : unknown);
  out.member("within", within(e));
  out.key("errors");  // of all kinds of runs that the stack was measured on
  out.begin_object();
  for (const StackError& of : stack.errors) {
    out.key(of.kind);
    out.begin_object();
    out.member("median", of.median);
    out.member("p90", of.p90);
    out.member("rows", of.rows);
    out.member("own", of.own);
    out.member("within", within(&of));
    out.end_object();
  }
  out.end_object();
  if (terms) {
    out.key("terms");
    out.begin_object();
    for (std::size_t i = 0; i < terms->size(); ++i)
      if ((*terms)[i] != 0) out.member(to_string(static_cast<TypicalTerm>(i)), (*terms)[i]);
    out.end_object();
  }
  out.end_object();
  out.send();
  return text;
}

}  // namespace roofline
