// A split between a card and its host as JSON and as a sentence.
#include <roofline/base/text.hpp>
#include <roofline/llm/offload.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

struct Document {
  const LlmRequest& request;
  const Scenario& card;
  const Scenario& host;
  const OffloadSplit& split;
  const OffloadSplit& best;
};

/// One side, with what it does in a decode step and in a prefill.
struct Side {
  const OffloadMemory& memory;
  const OffloadWork &decode, &prefill;
  double activations;
};

constexpr Member<Side> side_members[] = {
    {"weights_bytes", schema::number, "B", [](JsonOut& out, const Side& s) { out.value(s.memory.weights); }},
    {"cache_bytes", schema::number, "of all sequences, with recurrent state, B",
     [](JsonOut& out, const Side& s) { out.value(s.memory.cache); }},
    {"activation_bytes", schema::number, "B", field<&Side::activations>},
    {"traffic_bytes", schema::number, "of its memory, in a decode step, B",
     [](JsonOut& out, const Side& s) { out.value(s.decode.traffic); }},
    {"decode_s", schema::number, "bound: of a decode step, s", [](JsonOut& out, const Side& s) { out.value(s.decode.bound_s); }},
    {"typical_decode_s", schema::number, "estimate, s", [](JsonOut& out, const Side& s) { out.value(s.decode.typical_s); }},
    {"prefill_s", schema::number, "bound: of the prompt, s", [](JsonOut& out, const Side& s) { out.value(s.prefill.bound_s); }},
    {"typical_prefill_s", schema::number, "estimate, s", [](JsonOut& out, const Side& s) { out.value(s.prefill.typical_s); }}};

constexpr Member<OffloadSplit> link_members[] = {
    {"decode_bytes", schema::number, "both directions, in a decode step, B", field<&OffloadSplit::decode, &OffloadPass::link_bytes>},
    {"decode_s", schema::number, "s; null: the card states no link", field<&OffloadSplit::decode, &OffloadPass::link_s>},
    {"prefill_bytes", schema::number, "of the prompt, with weights that the card takes from the host, B",
     field<&OffloadSplit::prefill, &OffloadPass::link_bytes>},
    {"prefill_s", schema::number, "s", field<&OffloadSplit::prefill, &OffloadPass::link_s>}};

constexpr Member<OffloadSplit> best_members[] = {
    {"gpu_layers", schema::number, "", field<&OffloadSplit::offload, &Offload::gpu_layers>},
    {"tpot_s", schema::number, "bound, s", field<&OffloadSplit::decode, &OffloadPass::bound_s>},
    {"typical_tpot_s", schema::number, "estimate, s", field<&OffloadSplit::decode, &OffloadPass::typical_s>},
    {"fits", schema::maybe, "null: the capacity of the card is not known", field<&OffloadSplit::fits>}};

constexpr Member<Document> offload_members[] = {
    {"host", schema::text, "the host's machine", [](JsonOut& out, const Document& d) { out.value(d.host.machine.name); }},
    {"gpu_layers", schema::number, "the LM head, and layers from the last one back, on the card",
     [](JsonOut& out, const Document& d) { out.value(d.split.offload.gpu_layers); }},
    {"experts_on_host", schema::flag, "", [](JsonOut& out, const Document& d) { out.value(d.split.offload.experts_on_host); }},
    {"fits", schema::maybe, "in memory; null: the capacity of the card is not known",
     [](JsonOut& out, const Document& d) { write_value(out, d.split.fits); }},
    {"barely_fits", schema::flag, "in memory, with less than the request's reserve free",
     [](JsonOut& out, const Document& d) { out.value(d.split.barely_fits); }},
    {"tpot_s", schema::number, "bound: time per token of this split, s",
     [](JsonOut& out, const Document& d) { out.value(d.split.decode.bound_s()); }},
    {"typical_tpot_s", schema::number, "estimate, s", [](JsonOut& out, const Document& d) { out.value(d.split.decode.typical_s()); }},
    {"ttft_s", schema::number, "bound: time to first token, s",
     [](JsonOut& out, const Document& d) { out.value(d.split.prefill.bound_s()); }},
    {"typical_ttft_s", schema::number, "estimate, s", [](JsonOut& out, const Document& d) { out.value(d.split.prefill.typical_s()); }},
    {"card", object_of<side_members>, "its part",
     [](JsonOut& out, const Document& d) {
       write_object<side_members>(out, Side{d.split.card, d.split.decode.card, d.split.prefill.card, d.split.activations});
     }},
    {"host_part", object_of<side_members>, "the host's part",
     [](JsonOut& out, const Document& d) {
       write_object<side_members>(out, Side{d.split.host, d.split.decode.host, d.split.prefill.host, 0});
     }},
    {"link", object_of<link_members>, "between the two", [](JsonOut& out, const Document& d) { write_object<link_members>(out, d.split); }},
    {"best", object_of<best_members>, "the split with the least estimated time per token of those that fit",
     [](JsonOut& out, const Document& d) { write_object<best_members>(out, d.best); }},
    {"finding", schema::text, "the speed of this split in a sentence",
     [](JsonOut& out, const Document& d) { out.value(offload_finding(d.request, d.card, d.host, d.split)); }}};

}  // namespace

std::string offload_finding(const LlmRequest& request, const Scenario& card, const Scenario& host, const OffloadSplit& split) {
  const auto tokens_per_s = [&](double step_s) { return number(request.batch / step_s); };
  const double layers = request.setup.model.layers + 1;
  std::string text = "With " + number(split.offload.gpu_layers) + " of " + number(layers) + " layers on " + card.machine.name;
  const bool others = split.offload.gpu_layers < layers, experts = split.offload.experts_on_host;
  if (others || experts)
    text +=
        std::string(others ? ", the others" : ", the experts") + (others && experts ? " and the experts on " : " on ") + host.machine.name;
  return text + ": " +
         (split.fits == std::optional<bool>(false) ? "the split does not fit; "
          : split.barely_fits                      ? "the split barely fits; "
                                                   : "") +
         tokens_per_s(split.decode.typical_s()) + " tokens/s, bound " + tokens_per_s(split.decode.bound_s()) + ".";
}

std::string offload_json(const LlmRequest& request, const Scenario& card, const Scenario& host, const OffloadSplit& split,
                         const OffloadSplit& best) {
  return json_text([&](JsonOut& out) { write_object<offload_members>(out, Document{request, card, host, split, best}); });
}

void add_offload_member(ObjectSchema& summary) {
  summary.add("offload", object_of<offload_members>(), "with --host: the model split between the card and its host", false);
}

}  // namespace roofline
