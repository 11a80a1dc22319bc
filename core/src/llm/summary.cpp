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

constexpr Member<LlmComparison::Explanation> explanation_members[] = {
    {"assumption", schema::text, "", field<&LlmComparison::Explanation::assumption>},
    {"time_s", schema::number, "predicted under it, s", field<&LlmComparison::Explanation::time_s>}};

/// A point of the chart: its rates are stated, not its phase.
bool is_point(const LlmComparison& m) { return m.measurement.flops > 0; }

constexpr Member<LlmComparison> measured_members[] = {
    {"name", schema::text, "as it is stated", field<&LlmComparison::measurement, &LlmMeasurement::name>},
    {"phase", schema::name, "prefill, decode or generate; null: a point of which rates alone are stated",
     [](JsonOut& out, const LlmComparison& m) { write_name(out, is_point(m) ? "" : phase_name(m.measurement.phase)); }},
    {"time_s", schema::number, "measured, s", field<&LlmComparison::measurement, &LlmMeasurement::time_s>},
    {"predicted_time_s", schema::number, "bound, s", field<&LlmComparison::predicted_s>},
    {"typical_time_s", schema::number, "estimate, s", field<&LlmComparison::typical_s>},
    {"intensity", schema::number, "FLOP/B",
     [](JsonOut& out, const LlmComparison& m) { out.value(is_point(m) ? m.measurement.intensity : m.flops / m.bandwidth); }},
    {"achieved_flops", schema::number, "of one machine, FLOP/s", field<&LlmComparison::flops>},
    {"achieved_bandwidth", schema::number, "of one machine, B/s", field<&LlmComparison::bandwidth>},
    {"attainable_flops", schema::number, "FLOP/s", field<&LlmComparison::attainable_flops>},
    {"efficiency", schema::number, "bound over measured time", field<&LlmComparison::efficiency>},
    {"mfu", schema::number, "of the matrix peak, a fraction", field<&LlmComparison::mfu>},
    {"mbu", schema::number, "of the device memory's bandwidth, a fraction", field<&LlmComparison::mbu>},
    {"bottleneck", schema::text, "such as memory-bound", field<&LlmComparison::bottleneck>},
    {"explanations", objects_of<explanation_members>, "assumptions that would explain the rest, closest to the measured time first",
     [](JsonOut& out, const LlmComparison& m) { write_objects<explanation_members>(out, m.explanations); }}};

constexpr Member<LlmChange> change_members[] = {
    {"change", schema::text, "such as INT8 weights", field<&LlmChange::change>},
    {"patch", R"("type":"object")", "the keys of the request that differ, or {\"machine\": id}",
     [](JsonOut& out, const LlmChange& c) { out.raw(c.patch); }},
    {"tokens_per_s_factor", schema::number, "bound; of a prefill: time to first token before over after", field<&LlmChange::gain>},
    {"latency_factor", schema::number, "bound: time per token (of a prefill: to the first) after over before", field<&LlmChange::latency>},
    {"typical_tokens_per_s_factor", schema::number, "estimate", field<&LlmChange::typical_gain>},
    {"typical_latency_factor", schema::number, "estimate", field<&LlmChange::typical_latency>},
    {"fits", schema::maybe, "in memory; null: its capacity is not known", field<&LlmChange::fits>},
    {"barely_fits", schema::flag, "in memory, with less than memory.reserve free", field<&LlmChange::barely_fits>},
    {"hardware", schema::flag, "another machine, or more of them", field<&LlmChange::hardware>}};

constexpr Member<MemoryVerdict> memory_members[] = {
    {"verdict", schema::name, "",
     [](JsonOut& out, const MemoryVerdict& m) { write_name(out, m.fit == MemoryFit::unknown ? "" : to_string(m.fit)); }},
    {"text", schema::text, "the same in words", field<&MemoryVerdict::text>},
    {"reserve", schema::number, "kept free, a fraction", field<&MemoryVerdict::reserve>},
    {"context", schema::number, "tokens at the end", field<&MemoryVerdict::context>},
    {"trained_context", schema::number, "tokens that the model was trained for", field<&MemoryVerdict::trained_context>}};

constexpr Member<MemoryVerdict> bytes_members[] = {
    {"weights", schema::number, "", field<&MemoryVerdict::footprint, &MemoryFootprint::weights>},
    {"kv", schema::number, "", field<&MemoryVerdict::footprint, &MemoryFootprint::kv>},
    {"activations", schema::number, "", field<&MemoryVerdict::footprint, &MemoryFootprint::activations>},
    {"total", schema::number, "", field<&MemoryVerdict::footprint, &MemoryFootprint::total>},
    {"capacity", schema::number, "", field<&MemoryVerdict::capacity>}};

constexpr Member<LlmCost> cost_members[] = {{"usd_per_hour", schema::number, "of one machine", field<&LlmCost::usd_per_hour>},
                                            {"price_usd", schema::number, "", field<&LlmCost::price_usd>},
                                            {"years", schema::number, "that it is used for", field<&LlmCost::years>}};

constexpr Member<Answered> achievable_members[] = {
    {"compute", schema::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable(Unit::matrix, w.a.compute).value); }},
    {"bandwidth", schema::number, "a fraction",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.achievable_memory().value); }},
    {"launch_s", schema::number, "s; 0 where none is known",
     [](JsonOut& out, const Answered& w) { out.value(w.scenario.machine.launch_s.known() ? w.scenario.machine.launch_s.value : 0); }}};

constexpr Member<LlmAnswer> answer_members[] = {
    {"parameters", schema::number, "of the whole model", field<&LlmAnswer::parameters>},
    {"active_parameters", schema::number, "of them, those that a token uses; the embedding table is counted",
     field<&LlmAnswer::active_parameters>},
    {"weights_bytes", schema::number, "B, of the whole deployment", field<&LlmAnswer::weights_bytes>},
    {"kv_bytes", schema::number, "cache of all sequences, B", field<&LlmAnswer::kv_bytes>},
    {"state_bytes", schema::number, "recurrent state of all sequences, which does not grow with the context, B; 0: none",
     field<&LlmAnswer::state_bytes>},
    {"kv_bytes_per_token", schema::number, "B", field<&LlmAnswer::kv_bytes_per_token>},
    {"activation_bytes", schema::number, "of one machine, B",
     field<&LlmAnswer::memory, &MemoryVerdict::footprint, &MemoryFootprint::activations>},
    {"largest_batch", schema::number, "that leaves memory.reserve free; 0: none; null: no limit is known",
     field<&LlmAnswer::largest_batch>},
    {"longest_context", schema::number,
     "tokens that leave memory.reserve free, at most those that the model was trained for; null: no limit is known",
     field<&LlmAnswer::longest_context, &LongestContext::tokens>},
    {"longest_context_limit", schema::name, "what ends it: memory or training; null: nothing known",
     [](JsonOut& out, const LlmAnswer& a) { write_name(out, to_string(a.longest_context.limit)); }},
    {"compute_bound_batch", schema::number, "from which decode is compute-bound; null: none", field<&LlmAnswer::compute_bound_batch>},
    {"machines", schema::number, "that share the model", field<&LlmAnswer::machines>},
    {"ttft_s", schema::number, "bound: time to first token of all requests of the batch together, s",
     field<&LlmAnswer::bound, &LlmSpeed::ttft_s>},
    {"ttft_alone_s", schema::number, "bound: of one request that has the machine to itself, s", field<&LlmAnswer::ttft_alone_s>},
    {"tpot_s", schema::number, "bound: time per token, s", field<&LlmAnswer::bound, &LlmSpeed::tpot_s>},
    {"total_s", schema::number, "bound: the whole generation, s", field<&LlmAnswer::bound, &LlmSpeed::total_s>},
    {"typical_ttft_s", schema::number, "estimate, s", field<&LlmAnswer::estimate, &LlmSpeed::ttft_s>},
    {"typical_ttft_alone_s", schema::number, "estimate, s", field<&LlmAnswer::typical_ttft_alone_s>},
    {"typical_tpot_s", schema::number, "estimate, s", field<&LlmAnswer::estimate, &LlmSpeed::tpot_s>},
    {"typical_total_s", schema::number, "estimate, s", field<&LlmAnswer::estimate, &LlmSpeed::total_s>},
    {"typical_tokens_per_s", schema::number, "estimate", field<&LlmAnswer::estimate, &LlmSpeed::tokens_per_s>},
    {"typical_tokens_per_s_per_machine", schema::number, "estimate", field<&LlmAnswer::estimate, &LlmSpeed::tokens_per_s_per_machine>},
    {"typical_tokens_per_s_per_user", schema::number, "estimate", field<&LlmAnswer::estimate, &LlmSpeed::tokens_per_s_per_user>},
    {"tokens_per_s", schema::number, "bound", field<&LlmAnswer::bound, &LlmSpeed::tokens_per_s>},
    {"tokens_per_s_per_machine", schema::number, "bound", field<&LlmAnswer::bound, &LlmSpeed::tokens_per_s_per_machine>},
    {"tokens_per_s_per_user", schema::number, "bound", field<&LlmAnswer::bound, &LlmSpeed::tokens_per_s_per_user>},
    {"tokens_per_step", schema::number, "with speculation more than 1", field<&LlmAnswer::tokens_per_step>},
    {"prefill_intensity", schema::number, "FLOP/B", field<&LlmAnswer::prefill_intensity>},
    {"decode_intensity", schema::number, "FLOP/B", field<&LlmAnswer::decode_intensity>},
    {"weight_share_of_bytes", schema::number, "of the bytes that the phase moves", field<&LlmAnswer::weight_share>},
    {"kv_share_of_bytes", schema::number, "of the bytes that the phase moves", field<&LlmAnswer::kv_share>},
    {"joules_per_million_tokens", schema::number, "J at the rated power",
     [](JsonOut& out, const LlmAnswer& a) { out.value(a.joules_per_token * 1e6); }},
    {"typical_joules_per_million_tokens", schema::number, "estimate, J",
     [](JsonOut& out, const LlmAnswer& a) { out.value(a.typical_joules_per_token * 1e6); }},
    {"usd_per_million_tokens", schema::number, "USD", field<&LlmAnswer::usd_per_million_tokens>},
    {"typical_usd_per_million_tokens", schema::number, "estimate, USD", field<&LlmAnswer::typical_usd_per_million_tokens>},
    {"fits", schema::maybe, "in memory; null: its capacity is not known", field<&LlmAnswer::memory, &MemoryVerdict::in_memory>},
    {"memory", object_of<memory_members>, "the verdict on memory",
     [](JsonOut& out, const LlmAnswer& a) { write_object<memory_members>(out, a.memory); }},
    {"bytes_per_machine", object_of<bytes_members>, "weights, kv, activations, total, capacity, B",
     [](JsonOut& out, const LlmAnswer& a) { write_object<bytes_members>(out, a.memory); }},
    {"cost", object_of<cost_members>, "usd_per_hour, and price_usd and years that it follows from",
     [](JsonOut& out, const LlmAnswer& a) { write_object<cost_members>(out, a.cost); }}};

/// Written behind answer_members.
constexpr Member<Answered> further_members[] = {
    {"achievable", object_of<achievable_members>,
     "fraction of the machine's rates that the best kernels reach, without the stack's terms; 1 if unknown",
     [](JsonOut& out, const Answered& w) { write_object<achievable_members>(out, w); }},
    {"measured", objects_of<measured_members>, "measured points beside what was predicted of them",
     [](JsonOut& out, const Answered& w) { write_objects<measured_members>(out, w.a.measured); }},
    {"changes", objects_of<change_members>, "what would help, best first",
     [](JsonOut& out, const Answered& w) { write_objects<change_members>(out, w.a.changes); }},
    {"bound", schema::name, "what bounds most of the phase's predicted time",
     [](JsonOut& out, const Answered& w) {
       write_name(out, w.a.bound_by ? bound_text(w.a.bound_by, w.scenario.machine, w.a.machines) : std::string());
     }},
    {"finding", schema::text, "the answer in a sentence or two", [](JsonOut& out, const Answered& w) { out.value(w.a.finding); }}};

}  // namespace

std::vector<std::pair<std::string, std::string>> summary_members(const LlmAnswer& a, const Scenario& scenario) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const auto& table, const auto& of) {
    for (const auto& m : table) out.emplace_back(m.name, json_text([&](JsonOut& json) { m.write(json, of); }));
  };
  add(answer_members, a);
  add(further_members, Answered{a, scenario});
  return out;
}

void add_llm_members(ObjectSchema& summary) { summary.with(answer_members, true).with(further_members, true); }

}  // namespace roofline
