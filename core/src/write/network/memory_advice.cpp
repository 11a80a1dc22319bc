#include <roofline/write/memory_advice.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

using Merge = MemoryAdvice::Merge;
constexpr Member<Merge> merge_members[] = {
    {"change", schema::text, "in words", field<&Merge::text>},
    {"node", schema::text, "the node that becomes part of another", field<&Merge::node>},
    {"into", schema::text, "that other node", field<&Merge::into>},
    {"tensor_bytes", schema::number, "of the tensor between them, which is never held in full", field<&Merge::tensor_bytes>},
    {"bytes", schema::number, "activations alive while they run", field<&Merge::bytes>},
    {"peak_bytes", schema::number, "of the whole network", field<&Merge::peak_bytes>},
    {"by_tool_chain", schema::flag, "the chosen tool chain merges them", field<&Merge::by_tool_chain>}};

using Tiling = MemoryAdvice::Tiling;
constexpr Member<Tiling> tiling_members[] = {
    {"change", schema::text, "in words", field<&Tiling::text>},
    {"first", schema::text, "the first node that runs in stripes", field<&Tiling::first>},
    {"last", schema::text, "the last one", field<&Tiling::last>},
    {"nodes", schema::count, "from the first to the last", field<&Tiling::nodes>},
    {"tiles", schema::count, "stripes of the last node's output", field<&Tiling::tiles>},
    {"rows", schema::number, "of its output in a stripe", field<&Tiling::rows>},
    {"bytes", schema::number, "activations alive while these nodes run", field<&Tiling::bytes>},
    {"recomputed", schema::number, "share of these nodes' multiply-adds that are computed again", field<&Tiling::recomputed>}};

using Streaming = MemoryAdvice::Streaming;
constexpr Member<Streaming> streaming_members[] = {{"change", schema::text, "in words", field<&Streaming::text>},
                                                   {"node", schema::text, "at the remaining peak", field<&Streaming::node>},
                                                   {"tiles", schema::count, "stripes of its output", field<&Streaming::tiles>},
                                                   {"rows", schema::number, "of the output in a stripe", field<&Streaming::rows>},
                                                   {"bytes", schema::number, "on chip", field<&Streaming::bytes>}};

template <const auto& table, class Of>
void write_maybe(JsonOut& out, const std::optional<Of>& of) {
  if (of)
    write_object<table>(out, *of);
  else
    out.null();
}

using Advice = MemoryAdvice;
constexpr Member<Advice> advice_members[] = {
    {"memory", schema::text, "the on-chip memory", field<&Advice::memory, &OnChipMemory::name>},
    {"capacity", schema::number, "its bytes; null: not known", field<&Advice::memory, &OnChipMemory::capacity>},
    {"peak_bytes", schema::number, "peak_activation_bytes: each node alone", field<&Advice::peak_bytes>},
    {"peak_at", schema::text, "the node at that peak", field<&Advice::peak_at>},
    {"merged_peak_bytes", schema::number, "with every merge of the tool chain, and integers between quantised layers",
     field<&Advice::merged_peak_bytes>},
    {"merge", object_or_null<merge_members>, "the one with the lowest peak after it; null: none lowers it, or the peak fits, merged or not",
     [](JsonOut& out, const Advice& a) { write_maybe<merge_members>(out, a.merge); }},
    {"tilings", objects_of<tiling_members>, "for the peak, then for the next peak",
     [](JsonOut& out, const Advice& a) { write_objects<tiling_members>(out, a.tilings); }},
    {"tiled_peak_bytes", schema::number, "with all of these tilings; null: the peak fits, merged or not, or the memory is not known",
     field<&Advice::tiled_peak_bytes>},
    {"streaming", object_or_null<streaming_members>, "with input and output in the device memory, if the tilings do not suffice",
     [](JsonOut& out, const Advice& a) { write_maybe<streaming_members>(out, a.streaming); }},
    {"finding", schema::text, "in words", field<&Advice::finding>}};

}  // namespace

std::string memory_advice_json(const MemoryAdvice& advice) {
  return json_text([&](JsonOut& out) { write_object<advice_members>(out, advice); });
}

void add_memory_advice_member(ObjectSchema& summary) {
  summary.add("activation_memory", object_of<advice_members>(),
              "of a network's file, on NPUs or with --on-chip: proposals that fit its activations on chip", false);
}

}  // namespace roofline
