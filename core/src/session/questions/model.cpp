// What the page asks about a language model beyond its operators: {"request": {...}} as docs/guide/llm.md describes it.
//   model           the answer's members, `config`: the keys that the model is read from, and `layers`: every operator of a prefill
//                   and of a decode step with its formulas
//   model_map       tokens per second over batch and context, of a prefill its prompt; {"columns", "rows", "batch", "context"}: how many,
//                   and the largest
#include <cmath>
#include <roofline/analysis/estimate.hpp>
#include <roofline/analysis/op_set.hpp>
#include <roofline/llm/answer.hpp>
#include <roofline/machine/presets.hpp>

#include "base/json_out.hpp"
#include "llm/performance.hpp"
#include "llm/request_json.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

Result<LlmRequest> request_of(const Json& question) { return llm_request_from(member(question, "request")); }

/// The keys of the Hugging Face config.json that a model, by id or as an object, is read from.
std::string config_of(const Json& model) {
  const auto inner = [](const Json& json) {
    const Json& config = member(json, "config");
    return dump(config.is_object() ? config : json);
  };
  if (model.is_object()) return inner(model);
  if (const Model* found = Models::presets().find(text_of(model)))
    for (const PresetFile& file : preset_files("models"))
      if (file.name == found->id)
        if (const auto json = parse_json(file.text, "a model")) return inner(*json);
  return "{}";
}

void write_layers(JsonOut& out, const LlmPlan& plan, const LlmPass& pass, const char* step) {
  LlmRows rows;
  plan.evaluate(pass, rows);
  for (const LlmRow& r : rows.rows()) {
    const LlmOpInfo& op = info(r.op);
    const Trace trace = plan.trace(pass, r);
    const auto formula = [&](const char* name, std::string_view expression, double value) {
      out.key(name);
      if (value > 0)
        out.value(with_numbers(expression, trace, value));
      else
        out.null();
    };
    out.begin_object();
    out.member("step", step);
    out.member("name", op.id);
    out.member("category", to_string(op.family));
    out.member("windowed", r.windowed);
    out.member("count", r.count);
    out.member("flops", r.flops);
    out.member("bytes", r.bytes);
    out.member("link_bytes", r.link_bytes);
    out.member("intensity", r.flops / r.bytes);
    out.member("bound", r.bound_by == no_resource ? std::string() : name_of(plan.resources()[r.bound_by].kind));
    out.member("predicted_s", r.predicted_s);
    out.member("share", r.predicted_s / rows.total.predicted_s);
    formula("flops_formula", op.flops, r.flops / r.count);
    formula("elements_formula", op.elements, (r.weight + r.activation + r.output + r.kv_read + r.kv_write) / r.count);
    out.end_object();
  }
}

/// From 1 to `most` in equal ratios, whole; the ends are met. The ratio by bisection: libraries differ in the last digit of a logarithm.
std::vector<double> ladder(double most, std::size_t steps) {
  const auto top = [&](double ratio) {
    double value = 1;
    for (std::size_t i = 1; i < steps; ++i) value *= ratio;
    return value;
  };
  double low = 1, high = most;
  for (int i = 0; i < 60; ++i) (top((low + high) / 2) < most ? low : high) = (low + high) / 2;
  std::vector<double> out(steps, 1);
  double value = 1;
  for (std::size_t i = 1; i < steps; ++i) out[i] = std::round(value *= low);
  out.back() = most;
  return out;
}

}  // namespace

Result<Answer> ask_model(const QuestionContext& of, const Json& question) {
  const Plan& plan = of.plan();
  const Result<LlmRequest> r = request_of(question);
  if (!r) return Unexpected(r.error());
  const Scenario& scenario = plan.scenario();
  const LlmPlan compiled(r->setup, scenario);
  const double query = r->speculation ? r->speculation->gamma + 1 : 1;
  return Answer{json_text([&](JsonOut& out) {
                  out.begin_object();
                  const TypicalTerms terms = typical_terms(OpSet(plan));
                  out.key("estimate");
                  out.raw(estimate_json(plan, &terms));
                  for (const auto& [key, json] : summary_members(answer(*r, scenario), scenario)) {
                    out.key(key);
                    out.raw(json);
                  }
                  out.key("model");
                  out.raw(model_json(r->setup.model));
                  out.key("config");  // what a form can change
                  out.raw(config_of(member(member(question, "request"), "model")));
                  out.array("layers", [&] {
                    write_layers(out, compiled, {r->batch, r->prompt, r->prompt_end(), false}, "prefill");
                    write_layers(out, compiled, {r->batch, query, r->context + query - 1, true}, r->speculation ? "verify" : "decode");
                  });
                  out.end_object();
                }),
                {}};
}

Result<Answer> ask_model_map(const QuestionContext& of, const Json& question) {
  const Plan& plan = of.plan();
  const Result<LlmRequest> r = request_of(question);
  if (!r) return Unexpected(r.error());
  const auto number = [&](const char* key, double otherwise, double most) {
    const double v = number_of(member(question, key));
    return v >= 2 && v <= most ? std::floor(v) : otherwise;
  };
  const auto batches = ladder(number("batch", 1024, 1e6), static_cast<std::size_t>(number("columns", 128, 512)));
  const auto contexts = ladder(number("context", 131072, 1e7), static_cast<std::size_t>(number("rows", 128, 512)));
  const LlmInference inference(*r, plan.scenario());
  Answer out;
  out.json = json_text([&](JsonOut& json) {
    json.begin_object();
    json.list("batches", batches);
    json.list("contexts", contexts);
    json.member("machines", r->setup.machines());
    json.end_object();
  });
  out.columns.emplace_back("tokens_per_s", llm_heat_map(inference, batches, contexts));
  out.columns.emplace_back("largest_batch", largest_batches(inference, contexts));
  return out;
}

}  // namespace roofline
