#include <roofline/write/folding.hpp>

#include "write/network/folding_schema.hpp"

namespace roofline {
namespace {

constexpr Member<Summary> total_members[] = {
    {"ops", schema::count, "operations", [](JsonOut& out, const Summary& s) { out.count(s.ops); }},
    {"flops", schema::number, "sum of what is known, FLOP", [](JsonOut& out, const Summary& s) { out.value(s.flops); }},
    {"bytes", schema::number, "sum of what is known, B", [](JsonOut& out, const Summary& s) { out.value(s.bytes); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s", [](JsonOut& out, const Summary& s) { out.value(s.predicted_time_s); }},
    {"typical_time_s", schema::number, "estimate, s", [](JsonOut& out, const Summary& s) { out.value(s.typical_time_s); }}};

struct Folding {
  const Summary& with;
  const Summary& without;
};
constexpr Member<Folding> members[] = {
    {"with", object_of<total_members>, "element-wise operations, norms and quantisation merged into the operation before them",
     [](JsonOut& out, const Folding& f) { write_object(out, total_members, f.with); }},
    {"without", object_of<total_members>, "the same operations, not merged",
     [](JsonOut& out, const Folding& f) { write_object(out, total_members, f.without); }}};

}  // namespace

std::string folding_json(const Summary& with, const Summary& without) {
  return json_text([&](JsonOut& out) { write_object(out, members, Folding{with, without}); });
}

void add_folding_member(ObjectSchema& summary) {
  summary.add("folding", object_of<members>(), "of a network's file: its totals with --fold and without", false);
}

}  // namespace roofline
