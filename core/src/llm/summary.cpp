// An answer as members of a document's summary.
#include <roofline/llm/answer.hpp>

#include "base/json_out.hpp"

namespace roofline {
namespace {

const char* phase_name(LlmPhase phase) {
  constexpr const char* names[] = {"prefill", "decode", "generate"};
  return names[static_cast<std::size_t>(phase)];
}

}  // namespace

std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& a, const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> out;
  /// A member whose value is written by `write`.
  const auto put = [&](const char* key, const auto& write) {
    std::string text;
    const Sink sink = [&](std::string_view piece) { text += piece; };
    JsonOut json(sink);
    write(json);
    json.send();
    out.emplace_back(key, std::move(text));
  };
  const std::pair<const char*, double> sizes[] = {{"parameters", a.parameters},
                                                  {"active_parameters", a.active_parameters},
                                                  {"weights_bytes", a.weights_bytes},
                                                  {"kv_bytes", a.kv_bytes},
                                                  {"kv_bytes_per_token", a.kv_bytes_per_token},
                                                  {"activation_bytes", a.memory.footprint.activations},
                                                  {"largest_batch", a.largest_batch},
                                                  {"longest_context", a.longest_context},
                                                  {"compute_bound_batch", a.compute_bound_batch},
                                                  {"machines", a.machines},
                                                  {"ttft_s", a.ttft_s},
                                                  {"ttft_alone_s", a.ttft_alone_s},
                                                  {"tpot_s", a.tpot_s},
                                                  {"total_s", a.total_s},
                                                  {"typical_ttft_s", a.typical_ttft_s},
                                                  {"typical_ttft_alone_s", a.typical_ttft_alone_s},
                                                  {"typical_tpot_s", a.typical_tpot_s},
                                                  {"typical_total_s", a.typical_total_s},
                                                  {"typical_tokens_per_s", a.typical_tokens_per_s},
                                                  {"typical_tokens_per_s_per_machine", a.typical_tokens_per_s / a.machines},
                                                  {"typical_tokens_per_s_per_user", a.typical_tokens_per_s_per_user},
                                                  {"tokens_per_s", a.tokens_per_s},
                                                  {"tokens_per_s_per_machine", a.tokens_per_s / a.machines},
                                                  {"tokens_per_s_per_user", a.tokens_per_s_per_user},
                                                  {"tokens_per_step", a.tokens_per_step},
                                                  {"prefill_intensity", a.prefill_intensity},
                                                  {"decode_intensity", a.decode_intensity},
                                                  {"weight_share_of_bytes", a.weight_share},
                                                  {"kv_share_of_bytes", a.kv_share},
                                                  {"joules_per_million_tokens", a.joules_per_token * 1e6},
                                                  {"typical_joules_per_million_tokens", a.typical_joules_per_token * 1e6},
                                                  {"usd_per_million_tokens", a.usd_per_million_tokens},
                                                  {"typical_usd_per_million_tokens", a.typical_usd_per_million_tokens}};
  for (const auto& [key, value] : sizes) put(key, [v = value](JsonOut& json) { json.value(v); });
  const auto flag = [](JsonOut& json, const std::optional<bool>& value) {
    if (value)
      json.value(*value);
    else
      json.null();
  };
  put("fits", [&](JsonOut& json) { flag(json, a.memory.in_memory()); });
  put("memory", [&](JsonOut& json) {
    json.begin_object();
    json.key("verdict");
    if (a.memory.fit == Fit::unknown)
      json.null();
    else
      json.value(to_string(a.memory.fit));
    json.member("text", a.memory.text());
    json.member("reserve", a.memory.reserve);
    json.member("context", a.memory.context);
    json.member("trained_context", a.memory.trained_context);
    json.end_object();
  });
  put("bytes_per_machine", [&](JsonOut& json) {
    json.begin_object();
    json.member("weights", a.memory.footprint.weights);
    json.member("kv", a.memory.footprint.kv);
    json.member("activations", a.memory.footprint.activations);
    json.member("total", a.memory.footprint.total());
    json.member("capacity", a.memory.capacity);
    json.end_object();
  });
  put("cost", [&](JsonOut& json) {
    json.begin_object();
    json.member("usd_per_hour", a.cost.usd_per_hour);
    json.member("price_usd", a.cost.price_usd);
    json.member("years", a.cost.years);
    json.end_object();
  });
  // What the typical figures take of the machine's rates; 1 where no fraction is known.
  put("achievable", [&](JsonOut& json) {
    const Machine& m = scenario.machine;
    json.begin_object();
    json.member("compute", m.achievable(Unit::matrix, a.compute).value);
    json.member("bandwidth", m.achievable_memory().value);
    json.member("launch_s", m.launch_s.known() ? m.launch_s.value : 0);
    json.end_object();
  });
  put("measured", [&](JsonOut& json) {
    json.begin_array();
    for (const LlmComparison& m : a.measured) {
      const bool point = m.measurement.flops > 0;
      json.begin_object();
      json.member("name", m.measurement.name);
      json.key("phase");
      if (point)
        json.null();
      else
        json.value(phase_name(m.measurement.phase));
      json.member("time_s", m.measurement.time_s);
      json.member("predicted_time_s", m.predicted_s);
      json.member("typical_time_s", m.typical_s);
      json.member("intensity", point ? m.measurement.intensity : m.flops / m.bandwidth);
      json.member("achieved_flops", m.flops);
      json.member("achieved_bandwidth", m.bandwidth);
      json.member("attainable_flops", m.attainable_flops);
      json.member("efficiency", m.efficiency);
      json.member("mfu", m.mfu);
      json.member("mbu", m.mbu);
      json.member("bottleneck", m.bottleneck);
      json.key("explanations");
      json.begin_array();
      for (const auto& e : m.explanations) {
        json.begin_object();
        json.member("assumption", e.assumption);
        json.member("time_s", e.time_s);
        json.end_object();
      }
      json.end_array();
      json.end_object();
    }
    json.end_array();
  });
  put("changes", [&](JsonOut& json) {
    json.begin_array();
    for (const LlmChange& c : a.changes) {
      json.begin_object();
      json.member("change", c.change);
      json.key("patch");
      json.raw(c.patch);
      json.member("tokens_per_s_factor", c.gain);
      json.member("latency_factor", c.latency);
      json.member("typical_tokens_per_s_factor", c.typical_gain);
      json.member("typical_latency_factor", c.typical_latency);
      json.key("fits");
      flag(json, c.fits);
      json.member("hardware", c.hardware);
      json.end_object();
    }
    json.end_array();
  });
  put("bound", [&](JsonOut& json) {
    if (a.bound)
      json.value(bound_text(a.bound, scenario.machine));
    else
      json.null();
  });
  put("finding", [&](JsonOut& json) { json.value(a.finding); });
  return out;
}

}  // namespace roofline
