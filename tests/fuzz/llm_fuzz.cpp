// Any text as a config.json, as a request and as measurements: refused with a message, or analysed without a fault.
#include <cmath>
#include <nlohmann/json.hpp>
#include <roofline/llm/sweep.hpp>
#include <roofline/session/session.hpp>

#include "check.hpp"

using namespace roofline;

namespace {

const Scenario& machine() {
  static const Scenario scenario = [] {
    Scenario s;
    s.use(*Machines::presets().find("h100-sxm"));
    return s;
  }();
  return scenario;
}

void check_request(const LlmRequest& r, const std::string& text) {
  const LlmAnswer a = answer(r, machine());
  check(a.parameters > 0 && a.active_parameters > 0 && a.active_parameters <= a.parameters);
  check(a.bound.tokens_per_s > 0 && a.weights_bytes > 0 && !a.finding.empty());
  check(!(a.estimate.tokens_per_s > a.bound.tokens_per_s * (1 + 1e-9)));  // but for rounding
  for (const auto& [key, json] : summary_members(a, machine())) check(nlohmann::json::accept(json));
  const Workload w = llm_workload(r, machine());
  const Plan plan(w, machine());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const OpAnalysis op = plan.analyze(i);
    check(op.predicted_time_s >= 0 && op.bytes >= 0);
  }
  Session session;
  static_cast<void>(session.configure(R"({"machine": "h100-sxm"})"));
  check(nlohmann::json::parse(session.build("model", text)).contains("opened"));
  for (std::size_t i = 0; i < w.size(); i += 7) check(nlohmann::json::accept(session.detail(i, "")));
  std::string svg;
  check(session.write("svg", [&](std::string_view piece) { svg += piece; }).has_value());
  check(finite_drawing(svg));
  SweepAxis axis;
  axis.keys = {"batch"};
  axis.to = 64;
  axis.points = 4;
  const auto swept = llm_sweep(text, axis, {{"kv", {"fp16", "fp8_e4m3"}}}, machine());
  check(swept.has_value() && nlohmann::json::accept(llm_sweep_json(*swept)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto r = parse_llm_request(text))
    check_request(*r, text);
  else
    check(!r.error().message.empty());

  if (const auto model = parse_model(text)) {
    const Parameters p = parameters(*model);
    check(p.total() > 0 && p.active() > 0 && p.active() <= p.total());
    check(nlohmann::json::accept(model_json(*model)));
    const std::string request = R"({"phase": "generate", "prompt": 40, "generate": 30, "model": )" + text + "}";
    if (const auto r = parse_llm_request(request)) check_request(*r, request);
  } else {
    check(!model.error().message.empty());
  }

  static const auto plain = parse_llm_request(R"({"model": "llama-3-8b"})");
  if (const auto measured = parse_llm_measurements(text, *plain)) {
    LlmRequest r = *plain;
    r.measured = *measured;
    if (r.measured.size() > 20) r.measured.resize(20);
    for (const Mark& m : marks(answer(r, machine()))) check(m.intensity > 0 && m.flops > 0);
  } else {
    check(!measured.error().message.empty());
  }
  return 0;
}
