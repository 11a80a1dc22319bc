// An answer as members of a document's summary.
#include <roofline/llm/answer.hpp>

#include "base/schemas.hpp"

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

constexpr Member<LlmComparison::Explanation> explanation_members[] = {
    {"assumption", schema::text, "", [](JsonOut& out, const LlmComparison::Explanation& e) { out.value(e.assumption); }},
    {"time_s", schema::number, "predicted under it, s", [](JsonOut& out, const LlmComparison::Explanation& e) { out.value(e.time_s); }}};

/// A point of the chart: its rates are stated, not its phase.
bool is_point(const LlmComparison& m) { return m.measurement.flops > 0; }

constexpr Member<LlmComparison> measured_members[] = {
    {"name", schema::text, "as it is stated", [](JsonOut& out, const LlmComparison& m) { out.value(m.measurement.name); }},
    {"phase", schema::name, "prefill, decode or generate; null: a point of which rates alone are stated",
     [](JsonOut& out, const LlmComparison& m) { write_name(out, is_point(m) ? "" : phase_name(m.measurement.phase)); }},
    {"time_s", schema::number, "measured, s", [](JsonOut& out, const LlmComparison& m) { out.value(m.measurement.time_s); }},
    {"predicted_time_s", schema::number, "bound, s", [](JsonOut& out, const LlmComparison& m) { out.value(m.predicted_s); }},
    {"typical_time_s", schema::number, "estimate, s", [](JsonOut& out, const LlmComparison& m) { out.value(m.typical_s); }},
    {"intensity", schema::number, "FLOP/B",
     [](JsonOut& out, const LlmComparison& m) { out.value(is_point(m) ? m.measurement.intensity : m.flops / m.bandwidth); }},
    {"achieved_flops", schema::number, "of one machine, FLOP/s", [](JsonOut& out, const LlmComparison& m) { out.value(m.flops); }},
    {"achieved_bandwidth", schema::number, "of one machine, B/s", [](JsonOut& out, const LlmComparison& m) { out.value(m.bandwidth); }},
    {"attainable_flops", schema::number, "FLOP/s", [](JsonOut& out, const LlmComparison& m) { out.value(m.attainable_flops); }},
    {"efficiency", schema::number, "bound over measured time", [](JsonOut& out, const LlmComparison& m) { out.value(m.efficiency); }},
    {"mfu", schema::number, "of the matrix peak, a fraction", [](JsonOut& out, const LlmComparison& m) { out.value(m.mfu); }},
    {"mbu", schema::number, "of the device memory's bandwidth, a fraction", [](JsonOut& out, const LlmComparison& m) { out.value(m.mbu); }},
    {"bottleneck", schema::text, "such as memory-bound", [](JsonOut& out, const LlmComparison& m) { out.value(m.bottleneck); }},
    {"explanations", objects_of<explanation_members>, "assumptions that would explain the rest, closest to the measured time first",
     [](JsonOut& out, const LlmComparison& m) { write_objects(out, explanation_members, m.explanations); }}};

constexpr Member<LlmChange> change_members[] = {
    {"change", schema::text, "such as INT8 weights", [](JsonOut& out, const LlmChange& c) { out.value(c.change); }},
    {"patch", R"("type":"object")", "the keys of the request that differ, or {\"machine\": id}",
     [](JsonOut& out, const LlmChange& c) { out.raw(c.patch); }},
    {"tokens_per_s_factor", schema::number, "bound; of a prefill: time to first token before over after",
     [](JsonOut& out, const LlmChange& c) { out.value(c.gain); }},
    {"latency_factor", schema::number, "bound: time per token (of a prefill: to the first) after over before",
     [](JsonOut& out, const LlmChange& c) { out.value(c.latency); }},
    {"typical_tokens_per_s_factor", schema::number, "estimate", [](JsonOut& out, const LlmChange& c) { out.value(c.typical_gain); }},
    {"typical_latency_factor", schema::number, "estimate", [](JsonOut& out, const LlmChange& c) { out.value(c.typical_latency); }},
    {"fits", schema::maybe, "in memory; null: its capacity is not known",
     [](JsonOut& out, const LlmChange& c) { write_flag(out, c.fits); }},
    {"hardware", schema::flag, "another machine, or more of them", [](JsonOut& out, const LlmChange& c) { out.value(c.hardware); }}};

constexpr Member<Answered> memory_members[] = {
    {"verdict", schema::name, "",
     [](JsonOut& out, const Answered& w) { write_name(out, w.a.memory.fit == MemoryFit::unknown ? "" : to_string(w.a.memory.fit)); }},
    {"text", schema::text, "the same in words", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.text()); }},
    {"reserve", schema::number, "kept free, a fraction", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.reserve); }},
    {"context", schema::number, "tokens at the end", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.context); }},
    {"trained_context", schema::number, "tokens that the model was trained for",
     [](JsonOut& out, const Answered& w) { out.value(w.a.memory.trained_context); }}};

constexpr Member<Answered> bytes_members[] = {
    {"weights", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.weights); }},
    {"kv", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.kv); }},
    {"activations", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.activations); }},
    {"total", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.total()); }},
    {"capacity", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.memory.capacity); }}};

constexpr Member<Answered> cost_members[] = {
    {"usd_per_hour", schema::number, "of one machine", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.usd_per_hour); }},
    {"price_usd", schema::number, "", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.price_usd); }},
    {"years", schema::number, "that it is used for", [](JsonOut& out, const Answered& w) { out.value(w.a.cost.years); }}};

constexpr Member<Answered> achievable_members[] = {
    {"compute", schema::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable(Unit::matrix, w.a.compute).value); }},
    {"bandwidth", schema::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable_memory().value); }},
    {"launch_s", schema::number, "s; 0 where none is known",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.launch_s.known() ? w.scenario.machine.launch_s.value : 0); }}};

constexpr Member<Answered> members[] = {
    {"parameters", schema::number, "of the whole model", [](JsonOut& out, const Answered& w) { out.value(w.a.parameters); }},
    {"active_parameters", schema::number, "of them, those that a token uses; the embedding table is counted",
     [](JsonOut& out, const Answered& w) { out.value(w.a.active_parameters); }},
    {"weights_bytes", schema::number, "B, of the whole deployment", [](JsonOut& out, const Answered& w) { out.value(w.a.weights_bytes); }},
    {"kv_bytes", schema::number, "cache of all sequences, B", [](JsonOut& out, const Answered& w) { out.value(w.a.kv_bytes); }},
    {"state_bytes", schema::number, "recurrent state of all sequences, which does not grow with the context, B; 0: none",
     [](JsonOut& out, const Answered& w) { out.value(w.a.state_bytes); }},
    {"kv_bytes_per_token", schema::number, "B", [](JsonOut& out, const Answered& w) { out.value(w.a.kv_bytes_per_token); }},
    {"activation_bytes", schema::number, "of one machine, B",
     [](JsonOut& out, const Answered& w) { out.value(w.a.memory.footprint.activations); }},
    {"largest_batch", schema::number, "that fits", [](JsonOut& out, const Answered& w) { out.value(w.a.largest_batch); }},
    {"longest_context", schema::number, "tokens that fit, at most those that the model was trained for; null: no limit is known",
     [](JsonOut& out, const Answered& w) { out.value(w.a.longest_context.tokens); }},
    {"longest_context_limit", schema::name, "what ends it: memory or training; null: nothing known",
     [](JsonOut& out, const Answered& w) { write_name(out, to_string(w.a.longest_context.limit)); }},
    {"compute_bound_batch", schema::number, "from which decode is compute-bound; null: none",
     [](JsonOut& out, const Answered& w) { out.value(w.a.compute_bound_batch); }},
    {"machines", schema::number, "that share the model", [](JsonOut& out, const Answered& w) { out.value(w.a.machines); }},
    {"ttft_s", schema::number, "bound: time to first token of all requests of the batch together, s",
     [](JsonOut& out, const Answered& w) { out.value(w.a.ttft_s); }},
    {"ttft_alone_s", schema::number, "bound: of one request that has the machine to itself, s",
     [](JsonOut& out, const Answered& w) { out.value(w.a.ttft_alone_s); }},
    {"tpot_s", schema::number, "bound: time per token, s", [](JsonOut& out, const Answered& w) { out.value(w.a.tpot_s); }},
    {"total_s", schema::number, "bound: the whole generation, s", [](JsonOut& out, const Answered& w) { out.value(w.a.total_s); }},
    {"typical_ttft_s", schema::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_ttft_s); }},
    {"typical_ttft_alone_s", schema::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_ttft_alone_s); }},
    {"typical_tpot_s", schema::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tpot_s); }},
    {"typical_total_s", schema::number, "estimate, s", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_total_s); }},
    {"typical_tokens_per_s", schema::number, "estimate", [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s); }},
    {"typical_tokens_per_s_per_machine", schema::number, "estimate",
     [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s / w.a.machines); }},
    {"typical_tokens_per_s_per_user", schema::number, "estimate",
     [](JsonOut& out, const Answered& w) { out.value(w.a.typical_tokens_per_s_per_user); }},
    {"tokens_per_s", schema::number, "bound", [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s); }},
    {"tokens_per_s_per_machine", schema::number, "bound",
     [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s / w.a.machines); }},
    {"tokens_per_s_per_user", schema::number, "bound", [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_s_per_user); }},
    {"tokens_per_step", schema::number, "with speculation more than 1",
     [](JsonOut& out, const Answered& w) { out.value(w.a.tokens_per_step); }},
    {"prefill_intensity", schema::number, "FLOP/B", [](JsonOut& out, const Answered& w) { out.value(w.a.prefill_intensity); }},
    {"decode_intensity", schema::number, "FLOP/B", [](JsonOut& out, const Answered& w) { out.value(w.a.decode_intensity); }},
    {"weight_share_of_bytes", schema::number, "of the bytes that the phase moves",
     [](JsonOut& out, const Answered& w) { out.value(w.a.weight_share); }},
    {"kv_share_of_bytes", schema::number, "of the bytes that the phase moves",
     [](JsonOut& out, const Answered& w) { out.value(w.a.kv_share); }},
    {"joules_per_million_tokens", schema::number, "J at the rated power",
     [](JsonOut& out, const Answered& w) { out.value(w.a.joules_per_token * 1e6); }},
    {"typical_joules_per_million_tokens", schema::number, "estimate, J",
     [](JsonOut& out, const Answered& w) { out.value(w.a.typical_joules_per_token * 1e6); }},
    {"usd_per_million_tokens", schema::number, "USD", [](JsonOut& out, const Answered& w) { out.value(w.a.usd_per_million_tokens); }},
    {"typical_usd_per_million_tokens", schema::number, "estimate, USD",
     [](JsonOut& out, const Answered& w) { out.value(w.a.typical_usd_per_million_tokens); }},
    {"fits", schema::maybe, "in memory; null: its capacity is not known",
     [](JsonOut& out, const Answered& w) { write_flag(out, w.a.memory.in_memory()); }},
    {"memory", object_of<memory_members>, "the verdict on memory",
     [](JsonOut& out, const Answered& w) { write_object(out, memory_members, w); }},
    {"bytes_per_machine", object_of<bytes_members>, "weights, kv, activations, total, capacity, B",
     [](JsonOut& out, const Answered& w) { write_object(out, bytes_members, w); }},
    {"cost", object_of<cost_members>, "usd_per_hour, and price_usd and years that it follows from",
     [](JsonOut& out, const Answered& w) { write_object(out, cost_members, w); }},
    {"achievable", object_of<achievable_members>, "what the typical figures take of the machine's rates; 1 where no fraction is known",
     [](JsonOut& out, const Answered& w) { write_object(out, achievable_members, w); }},
    {"measured", objects_of<measured_members>, "measured points beside what was predicted of them",
     [](JsonOut& out, const Answered& w) { write_objects(out, measured_members, w.a.measured); }},
    {"changes", objects_of<change_members>, "what would help, best first",
     [](JsonOut& out, const Answered& w) { write_objects(out, change_members, w.a.changes); }},
    {"bound", schema::name, "what bounds most of the phase's predicted time",
     [](JsonOut& out, const Answered& w) { write_name(out, w.a.bound ? bound_text(w.a.bound, w.scenario.machine) : std::string()); }},
    {"finding", schema::text, "the answer in a sentence or two", [](JsonOut& out, const Answered& w) { out.value(w.a.finding); }}};

}  // namespace

std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& a, const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& m : members) out.emplace_back(m.name, json_text([&](JsonOut& json) { m.write(json, Answered{a, scenario}); }));
  return out;
}

void add_llm_members(ObjectSchema& summary) { summary.with(members, true); }

}  // namespace roofline
