// What the page asks about a language model beyond its operators: {"request": {...}} as docs/llm.md describes it.
//   model           the answer's members, and `layers`: every operator of a prefill and of a decode step with its formulas
//   model_map       tokens per second over batch and context; {"columns", "rows", "batch", "context"}: how many, and the largest
//   model_machines  the same request on every machine that comes with the core
#include <cmath>
#include <roofline/llm_answer.hpp>

#include "ask/questions.hpp"

namespace roofline {
namespace {

Result<LlmRequest> request_of(const Json& question) { return parse_llm_request(dump(member(question, "request"))); }

Json known(double value) { return value - value == 0 ? Json(value) : Json(); }

void add_layers(Json& out, const LlmPlan& plan, const LlmPass& pass, const char* step) {
  LlmRows rows;
  plan.evaluate(pass, rows);
  constexpr const char* bounds[] = {"", "compute", "memory", "link"};
  for (const LlmRow& r : rows.rows()) {
    const LlmOpInfo& op = info(r.op);
    const Trace trace = llm_trace(plan, pass, r);
    const double elements = (r.weight + r.activation + r.output + r.kv_read + r.kv_write) / r.count;
    const auto formula = [&](std::string_view expression, double value) {
      return value > 0 ? Json(with_numbers(expression, trace, value)) : Json();
    };
    out.push_back({{"step", step},
                   {"name", op.id},
                   {"category", op.category},
                   {"windowed", r.windowed},
                   {"count", r.count},
                   {"flops", r.flops},
                   {"bytes", r.bytes},
                   {"link_bytes", r.link_bytes},
                   {"intensity", known(r.intensity)},
                   {"bound", bounds[static_cast<std::size_t>(r.bound)]},
                   {"predicted_s", r.predicted_s},
                   {"share", known(r.predicted_s / rows.total.predicted_s)},
                   {"flops_formula", formula(op.flops, r.flops / r.count)},
                   {"elements_formula", formula(op.elements, elements)}});
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

Result<Answer> ask_model(const Plan& plan, const Json& question) {
  const Result<LlmRequest> r = request_of(question);
  if (!r) return Unexpected(r.error());
  const Scenario& scenario = plan.scenario();
  Json out = Json::object();
  for (const auto& [key, json] : summary_members(answer(*r, scenario), scenario)) out[key] = Json::parse(json, nullptr, false);
  out["model"] = Json::parse(model_json(r->setup.model), nullptr, false);
  Json layers = Json::array();
  const LlmPlan compiled(r->setup, scenario);
  add_layers(layers, compiled, {r->batch, r->prompt, r->phase == LlmPhase::prefill ? r->context : r->prompt, false}, "prefill");
  const double query = r->speculation ? r->speculation->gamma + 1 : 1;
  add_layers(layers, compiled, {r->batch, query, r->context + query - 1, true}, r->speculation ? "verify" : "decode");
  out["layers"] = std::move(layers);
  return Answer{dump(out), {}};
}

Result<Answer> ask_model_map(const Plan& plan, const Json& question) {
  const Result<LlmRequest> r = request_of(question);
  if (!r) return Unexpected(r.error());
  const auto number = [&](const char* key, double otherwise, double most) {
    const double v = number_of(member(question, key));
    return v >= 2 && v <= most ? std::floor(v) : otherwise;
  };
  const auto batches = ladder(number("batch", 1024, 1e6), static_cast<std::size_t>(number("columns", 128, 512)));
  const auto contexts = ladder(number("context", 131072, 1e7), static_cast<std::size_t>(number("rows", 128, 512)));
  const LlmStudy study(*r, plan.scenario());
  Answer out;
  out.json = dump(Json{{"batches", batches}, {"contexts", contexts}, {"machines", r->setup.machines()}});
  out.columns.emplace_back("tokens_per_s", llm_heat_map(study, batches, contexts));
  return out;
}

Result<Answer> ask_model_machines(const Plan& plan, const Json& question) {
  const Result<LlmRequest> r = request_of(question);
  if (!r) return Unexpected(r.error());
  Scenario scenario = plan.scenario();
  Json out = Json::array();
  for (const Machine& machine : Machines::presets().all()) {
    scenario.use(machine);
    const LlmStudy study(*r, scenario);
    const Plan::KindRates& rates = study.plan().rates(LlmOp::up_proj);
    const Memory device = machine.memories.empty() ? Memory{} : machine.memories[0];
    const double bandwidth = device.split() ? device.read_bandwidth.value : device.bandwidth.value, room = study.capacity();
    const double tpot = study.tpot_s(r->batch, r->context);
    out.push_back({{"id", machine.id},
                   {"name", machine.name},
                   {"ridge", known(rates.matrix / bandwidth)},
                   {"compute", rates.compute == no_format ? Json() : Json(Formats::catalogue()[rates.compute].id)},
                   {"ttft_s", known(study.ttft_s(r->batch, r->prompt))},
                   {"tpot_s", known(tpot)},
                   {"tokens_per_s", known(r->batch / tpot)},
                   {"fits", room > 0 ? Json(study.need(r->batch, r->prompt, r->context).total() <= room) : Json()},
                   {"linked", r->setup.machines() == 1 || !machine.links.empty()}});
  }
  return Answer{dump(Json{{"machines", std::move(out)}}), {}};
}

}  // namespace roofline
