// An answer as members of a document's summary.
#include <roofline/llm/answer.hpp>

#include "llm/summary_json.hpp"

namespace roofline {
namespace {

const char* phase_name(LlmPhase phase) {
  constexpr const char* names[] = {"prefill", "decode", "generate"};
  return names[static_cast<std::size_t>(phase)];
}

/// An answer that is being written.
struct Answered {
  const LlmAnswer& a;
  const Scenario& scenario;
};

void write_flag(JsonOut& out, const std::optional<bool>& value) {
  if (!value) return out.null();
  out.value(*value);
}

void write_measured(JsonOut& out, const LlmComparison& m) {
  const bool point = m.measurement.flops > 0;
  out.object([&] {
    out.member("name", m.measurement.name);
    out.key("phase");
    write_name(out, point ? "" : phase_name(m.measurement.phase));
    out.member("time_s", m.measurement.time_s);
    out.member("predicted_time_s", m.predicted_s);
    out.member("typical_time_s", m.typical_s);
    out.member("intensity", point ? m.measurement.intensity : m.flops / m.bandwidth);
    out.member("achieved_flops", m.flops);
    out.member("achieved_bandwidth", m.bandwidth);
    out.member("attainable_flops", m.attainable_flops);
    out.member("efficiency", m.efficiency);
    out.member("mfu", m.mfu);
    out.member("mbu", m.mbu);
    out.member("bottleneck", m.bottleneck);
    out.array("explanations", [&] {
      for (const auto& e : m.explanations)
        out.object([&] {
          out.member("assumption", e.assumption);
          out.member("time_s", e.time_s);
        });
    });
  });
}

void write_change(JsonOut& out, const LlmChange& c) {
  out.object([&] {
    out.member("change", c.change);
    out.key("patch");
    out.raw(c.patch);
    out.member("tokens_per_s_factor", c.gain);
    out.member("latency_factor", c.latency);
    out.member("typical_tokens_per_s_factor", c.typical_gain);
    out.member("typical_latency_factor", c.typical_latency);
    out.key("fits");
    write_flag(out, c.fits);
    out.member("hardware", c.hardware);
  });
}

constexpr Member<Answered> memory_members[] = {
    {"verdict", is::name, "",
     [](JsonOut& out, const Answered& w) { write_name(out, w.a.memory.fit == Fit::unknown ? "" : to_string(w.a.memory.fit)); }},
    {"text", is::text, "the same in words", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.text()); }},
    {"reserve", is::number, "kept free, a fraction", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.reserve); }},
    {"context", is::number, "tokens at the end", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.context); }},
    {"trained_context", is::number, "tokens that the model was trained for",
     [](JsonOut& out, const Answered& w) { out.value(w.a.memory.trained_context); }}};

constexpr Member<Answered> bytes_members[] = {
    {"weights", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.weights); }},
    {"kv", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.kv); }},
    {"activations", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.activations); }},
    {"total", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.total()); }},
    {"capacity", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.capacity); }}};

constexpr Member<Answered> cost_members[] = {
    {"usd_per_hour", is::number, "of one machine", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.usd_per_hour); }},
    {"price_usd", is::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.price_usd); }},
    {"years", is::number, "that it is used for", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.years); }}};

constexpr Member<Answered> achievable_members[] = {
    {"compute", is::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable(Unit::matrix, w.a.compute).value); }},
    {"bandwidth", is::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable_memory().value); }},
    {"launch_s", is::number, "s; 0 where none is known",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.launch_s.known() ? w.scenario.machine.launch_s.value : 0); }}};

constexpr Member<Answered>
    members[] = {{"parameters", is::number, "of the whole model", [](JsonOut& out, const Answered& w) { out.value(w.a.parameters); }},
                 {"active_parameters", is::number, "of them, those that a token uses",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.active_parameters); }},
                 {"weights_bytes", is::number, "B, of the whole deployment",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.weights_bytes); }},
                 {"kv_bytes", is::number, "cache of all sequences, B", [](JsonOut& out, const Answered& w) { out.value(w.a.kv_bytes); }},
                 {"kv_bytes_per_token", is::number, "B", [](JsonOut& out, const Answered& w) { out.value(w.a.kv_bytes_per_token); }},
                 {"activation_bytes", is::number, "of one machine, B",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.activations); }},
                 {"largest_batch", is::number, "that fits", [](JsonOut& out, const Answered& w) { out.value(w.a.largest_batch); }},
                 {"longest_context", is::number, "tokens that fit; null: not limited by memory",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.longest_context); }},
                 {"compute_bound_batch", is::number, "from which decode is compute-bound; null: none",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.compute_bound_batch); }},
                 {"machines", is::number, "that share the model", [](JsonOut& out, const Answered& w) { out.value(w.a.machines); }},
                 {"ttft_s", is::number, "bound: time to first token of all requests of the batch together, s",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.ttft_s); }},
                 {"ttft_alone_s", is::number, "bound: of one request that has the machine to itself, s",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.ttft_alone_s); }},
                 {"tpot_s", is::number, "bound: time per token, s", [](JsonOut& out, const Answered& w) { out.value(w.a.tpot_s); }},
                 {"total_s", is::number, "bound: the whole generation, s", [](JsonOut& out, const Answered& w) { out.value(w.a.total_s); }},
                 {"typical_ttft_s", is::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_ttft_s); }},
                 {"typical_ttft_alone_s", is::number, "estimate, s",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_ttft_alone_s); }},
                 {"typical_tpot_s", is::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tpot_s); }},
                 {"typical_total_s", is::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_total_s); }},
                 {"typical_tokens_per_s", is::number, "estimate",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s); }},
                 {"typical_tokens_per_s_per_machine", is::number, "estimate",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s / w.a.machines); }},
                 {"typical_tokens_per_s_per_user", is::number, "estimate",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s_per_user); }},
                 {"tokens_per_s", is::number, "bound", [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s); }},
                 {"tokens_per_s_per_machine", is::number, "bound",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s / w.a.machines); }},
                 {"tokens_per_s_per_user", is::number, "bound",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s_per_user); }},
                 {"tokens_per_step", is::number, "with speculation more than 1",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_step); }},
                 {"prefill_intensity", is::number, "FLOP/B", [](JsonOut& out, const Answered& w) { out.value(w.a.prefill_intensity); }},
                 {"decode_intensity", is::number, "FLOP/B", [](JsonOut& out, const Answered& w) { out.value(w.a.decode_intensity); }},
                 {"weight_share_of_bytes", is::number, "of the bytes that the phase moves",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.weight_share); }},
                 {"kv_share_of_bytes", is::number, "of the bytes that the phase moves",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.kv_share); }},
                 {"joules_per_million_tokens", is::number, "J at the rated power",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.joules_per_token * 1e6); }},
                 {"typical_joules_per_million_tokens", is::number, "estimate, J",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_joules_per_token * 1e6); }},
                 {"usd_per_million_tokens", is::number, "USD",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.usd_per_million_tokens); }},
                 {"typical_usd_per_million_tokens", is::number, "estimate, USD",
                  [](JsonOut& out, const Answered& w) { out.value(w.a.typical_usd_per_million_tokens); }},
                 {"fits", is::maybe, "in memory; null: its capacity is not known",
                  [](JsonOut& out, const Answered& w) { write_flag(out, w.a.memory.in_memory()); }},
                 {"memory", object_of<memory_members>, "the verdict on memory",
                  [](JsonOut& out, const Answered& w) { write_object(out, memory_members, w); }},
                 {"bytes_per_machine", object_of<bytes_members>, "weights, kv, activations, total, capacity, B",
                  [](JsonOut& out, const Answered& w) { write_object(out, bytes_members, w); }},
                 {"cost", object_of<cost_members>, "usd_per_hour, and price_usd and years that it follows from",
                  [](JsonOut& out, const Answered& w) { write_object(out, cost_members, w); }},
                 {"achievable", object_of<achievable_members>,
                  "what the typical figures take of the machine's rates; 1 where no fraction is known",
                  [](JsonOut& out, const Answered& w) { write_object(out, achievable_members, w); }},
                 {"measured", R"("type":"array","items":{"type":"object"})", "measured points beside what was predicted of them",
                  [](JsonOut& out, const Answered& w) {
                    out.begin_array();
                    for (const LlmComparison& m : w.a.measured) write_measured(out, m);
                    out.end_array();
                  }},
                 {"changes", R"("type":"array","items":{"type":"object"})", "what would help, best first",
                  [](JsonOut& out, const Answered& w) {
                    out.begin_array();
                    for (const LlmChange& c : w.a.changes) write_change(out, c);
                    out.end_array();
                  }},
                 {"bound", is::name, "what bounds most of the phase's predicted time",
                  [](JsonOut& out,
                     const Answered& w) { write_name(out, w.a.bound ? bound_text(w.a.bound, w.scenario.machine) : std::string()); }},
                 {"finding", is::text, "the answer in a sentence or two", [](JsonOut& out, const Answered& w) { out.value(w.a.finding); }}};

}  // namespace

std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& a, const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& m : members) out.emplace_back(m.name, json_text([&](JsonOut& json) { m.write(json, Answered{a, scenario}); }));
  return out;
}

void add_llm_members(ObjectSchema& summary) { summary.with(members, true); }

}  // namespace roofline
