#include <roofline/network/fusion.hpp>
#include <roofline/write/folding.hpp>

#include "base/schemas.hpp"

namespace roofline {
namespace {

constexpr Member<Summary> total_members[] = {
    {"ops", schema::count, "operations", field<&Summary::ops>},
    {"flops", schema::number, "sum of what is known, FLOP", field<&Summary::flops>},
    {"bytes", schema::number, "sum of what is known, B", field<&Summary::bytes>},
    {"predicted_time_s", schema::number, "sum of the bounds, s", field<&Summary::predicted_time_s>},
    {"typical_time_s", schema::number, "estimate, s", field<&Summary::typical_time_s>}};

struct Folding {
  ToolChain tool_chain;
  const Summary& with;
  const Summary& without;
};
constexpr Member<Folding> folding_members[] = {
    {"tool_chain", schema::text, "the tool chain whose rules merge them, a value of --fold=TOOLCHAIN", field<&Folding::tool_chain>},
    {"title", schema::text, "its name", [](JsonOut& out, const Folding& f) { out.value(title_of(f.tool_chain)); }},
    {"sources", schema::text, "where the rules are stated",
     [](JsonOut& out, const Folding& f) { out.value(fusion_sources(f.tool_chain)); }},
    {"with", object_of<total_members>, "element-wise operations, norms and quantisation merged into the operation before them",
     [](JsonOut& out, const Folding& f) { write_object<total_members>(out, f.with); }},
    {"without", object_of<total_members>, "the same operations, not merged",
     [](JsonOut& out, const Folding& f) { write_object<total_members>(out, f.without); }}};

}  // namespace

std::string folding_json(ToolChain tool_chain, const Summary& with, const Summary& without) {
  return json_text([&](JsonOut& out) { write_object<folding_members>(out, Folding{tool_chain, with, without}); });
}

void add_folding_member(ObjectSchema& summary) {
  summary.add("folding", object_of<folding_members>(),
              "of a network's file: its totals with operations merged as a compiler does and without", false);
}

}  // namespace roofline
