#include <roofline/base/text.hpp>
#include <roofline/write/fusion.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "base/schemas.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

struct PartOf {
  const Plan& plan;
  const Fusion::Part& part;
};
constexpr Member<PartOf> part_members[] = {
    {"index", schema::count, "of the operation", [](JsonOut& out, const PartOf& p) { out.count(p.part.op); }},
    {"name", schema::text, "", [](JsonOut& out, const PartOf& p) { out.value(p.plan.workload().name_of(p.part.op)); }},
    {"type", schema::text, "", [](JsonOut& out, const PartOf& p) { out.value(p.plan.workload().class_of(p.part.op).type); }},
    {"count", schema::number, "occurrences", [](JsonOut& out, const PartOf& p) { out.value(p.plan.workload().count_of(p.part.op)); }},
    {"flops", schema::number, "", [](JsonOut& out, const PartOf& p) { out.value(p.part.alone.flops); }},
    {"bytes", schema::number, "of the device memory", [](JsonOut& out, const PartOf& p) { out.value(p.part.alone.bytes); }},
    {"fused_bytes", schema::number, "without what passes between the operations",
     [](JsonOut& out, const PartOf& p) { out.value(p.part.fused_bytes); }},
    {"predicted_time_s", schema::number, "its bound, s", [](JsonOut& out, const PartOf& p) { out.value(p.part.alone.predicted_time_s); }},
    {"bound_by", schema::name, "", [](JsonOut& out, const PartOf& p) { write_resource(out, p.plan, p.part.alone.bound_by); }},
    {"time_s", schema::number, "measured, s", [](JsonOut& out, const PartOf& p) { out.value(p.part.alone.self_time_s); }}};

constexpr Member<Passed> passed_members[] = {
    {"from", schema::count, "index of the operation that writes it", field<&Passed::from>},
    {"to", schema::count, "and of the one that reads it", field<&Passed::to>},
    {"match", schema::choice<TensorMatch>, "how it is known that the same tensor is read", field<&Passed::match>},
    {"tensor", schema::name, "the shape that is written", [](JsonOut& out, const Passed& p) { write_name(out, p.tensor); }},
    {"read_as", schema::name, "the operand and shape that is read", [](JsonOut& out, const Passed& p) { write_name(out, p.read_as); }},
    {"elements", schema::number, "of the tensor", field<&Passed::elements>},
    {"occurrences", schema::number, "times that the tensor is passed", field<&Passed::occurrences>},
    {"written_bytes", schema::number, "that fusing saves, by the shapes; null: not known", field<&Passed::written_bytes>},
    {"read_bytes", schema::number, "of reads that fusing saves; null: not known", field<&Passed::read_bytes>}};

struct ResourceOf {
  const Resource& resource;
  const FusedResource& use;
};
constexpr Member<ResourceOf> resource_members[] = {
    {"name", schema::text, "", [](JsonOut& out, const ResourceOf& r) { out.value(r.resource.name); }},
    {"kind", schema::choice<ResourceKind>, "", [](JsonOut& out, const ResourceOf& r) { out.value(to_string(r.resource.kind)); }},
    {"work", schema::number, "FLOPs or bytes of all operations; null: not known of some",
     [](JsonOut& out, const ResourceOf& r) { out.value(r.use.work); }},
    {"fused_work", schema::number, "of one kernel", [](JsonOut& out, const ResourceOf& r) { out.value(r.use.fused_work); }},
    {"time_s", schema::number, "that work at its rate, s", [](JsonOut& out, const ResourceOf& r) { out.value(r.use.time_s); }},
    {"fused_time_s", schema::number, "of one kernel, s", [](JsonOut& out, const ResourceOf& r) { out.value(r.use.fused_time_s); }}};

struct Document {
  const Plan& plan;
  const Fusion& f;
};
constexpr Member<Document> members[] = {
    document_id<Document>("roofline-fusion/1"),
    {"source", schema::text, "", [](JsonOut& out, const Document& d) { out.value(d.plan.workload().source); }},
    {"machine", schema::text, "its name", [](JsonOut& out, const Document& d) { out.value(d.plan.scenario().machine.name); }},
    {"headline", schema::text, "what it would save, in a sentence or two",
     [](JsonOut& out, const Document& d) { out.value(d.f.finding.text()); }},
    {"flops", schema::number, "", [](JsonOut& out, const Document& d) { out.value(d.f.flops); }},
    {"bytes", schema::number, "of the device memory, one operation after the other",
     [](JsonOut& out, const Document& d) { out.value(d.f.bytes); }},
    {"fused_bytes", schema::number, "of one kernel", [](JsonOut& out, const Document& d) { out.value(d.f.fused_bytes); }},
    {"saved_bytes", schema::number, "bytes - fused_bytes", [](JsonOut& out, const Document& d) { out.value(d.f.saved_bytes()); }},
    {"predicted_time_s", schema::number, "the operations' bounds, added up, s",
     [](JsonOut& out, const Document& d) { out.value(d.f.parts_s); }},
    {"overlapped_time_s", schema::number, "the bound of one kernel that moves all the same, s",
     [](JsonOut& out, const Document& d) { out.value(d.f.overlap_s); }},
    {"fused_time_s", schema::number, "the bound of one kernel without the traffic between them, s",
     [](JsonOut& out, const Document& d) { out.value(d.f.fused_s); }},
    {"speedup", schema::number, "predicted_time_s / fused_time_s", [](JsonOut& out, const Document& d) { out.value(d.f.speedup()); }},
    {"bound_by", schema::name, "what limits one kernel",
     [](JsonOut& out, const Document& d) { write_resource(out, d.plan, d.f.bound_by); }},
    {"launch_s", schema::number, "launching each operation, s; no part of the bounds",
     [](JsonOut& out, const Document& d) { out.value(d.f.launch_s); }},
    {"fused_launch_s", schema::number, "launching one kernel as often, s",
     [](JsonOut& out, const Document& d) { out.value(d.f.fused_launch_s); }},
    {"time_s", schema::number, "measured, of all of them; null: not known of some",
     [](JsonOut& out, const Document& d) { out.value(d.f.time_s); }},
    {"fused_time_optimistic_s", schema::number, "what of it would be left at today's efficiency",
     [](JsonOut& out, const Document& d) { out.value(d.f.fused_time_s.low); }},
    {"fused_time_pessimistic_s", schema::number, "and where what is above the bound stays",
     [](JsonOut& out, const Document& d) { out.value(d.f.fused_time_s.high); }},
    {"resources", R"("type":"array","items":{"$ref":"#/$defs/resource"})", "",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (std::size_t r = 0; r < d.f.resources.size(); ++r)
         write_object<resource_members>(out, ResourceOf{d.plan.resources()[r], d.f.resources[r]});
       out.end_array();
     }},
    {"ops", R"("type":"array","items":{"$ref":"#/$defs/part"})", "in the order of the file",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const Fusion::Part& part : d.f.parts) write_object<part_members>(out, PartOf{d.plan, part});
       out.end_array();
     }},
    {"between", R"("type":"array","items":{"$ref":"#/$defs/passed"})", "what passes from each operation to the next",
     [](JsonOut& out, const Document& d) { write_objects<passed_members>(out, d.f.between); }},
    {"remarks", schema::texts, "what was assumed, and what is not known",
     [](JsonOut& out, const Document& d) { write_value(out, d.f.remarks); }}};

std::string passes(const Passed& p) {
  if (p.match == TensorMatch::unknown) return "not known";
  if (p.match == TensorMatch::none) return "nothing";
  const std::string tensor = p.tensor.empty() ? number(p.elements) + " elements" : p.tensor;
  return tensor + (p.read_as.empty() ? "" : " as " + p.read_as) + ", " + with_unit(p.bytes(), "B");
}

}  // namespace

void write_fusion_json(const Plan& plan, const Fusion& fusion, const Sink& sink) {
  JsonOut out(sink);
  out.object([&] {
    write_members<members>(out, Document{plan, fusion});
    write_finding(out, fusion.finding);
  });
}

void write_fusion_table(const Plan& plan, const Fusion& f, const Sink& sink) {
  const auto resource = [&](std::uint8_t r) { return resource_name(plan, r, "unknown"); };
  std::vector<std::vector<std::string>> rows{{"", "operation", "bytes", "as one kernel", "least time", "bound by", "time", "passes on"}};
  for (std::size_t i = 0; i < f.parts.size(); ++i) {
    const Fusion::Part& p = f.parts[i];
    rows.push_back({std::to_string(p.op), printable(plan.workload().name_of(p.op)), with_unit(p.alone.bytes, "B"),
                    with_unit(p.fused_bytes, "B"), seconds(p.alone.predicted_time_s), resource(p.alone.bound_by),
                    known(p.alone.self_time_s) ? seconds(p.alone.self_time_s) : "", i < f.between.size() ? passes(f.between[i]) : ""});
  }
  rows.push_back({"", "together", with_unit(f.bytes, "B"), with_unit(f.fused_bytes, "B"), seconds(f.parts_s), "",
                  known(f.time_s) ? seconds(f.time_s) : "", ""});
  rows.push_back({"", "as one kernel", "", "", seconds(f.fused_s), resource(f.bound_by), "", ""});
  sink(align(rows, "rlrrrlrl"));
  sink("\n" + printable(f.finding.text()) + "\n");
  for (const Finding::Part& part : f.finding.parts)
    if (part.from) sink("  " + part.text + " = " + printable(part.from->formula) + "\n");
  for (const std::string& remark : f.remarks) sink(printable(remark) + "\n");
}

ObjectSchema fusion_schema() { return ObjectSchema().with(members); }
ObjectSchema fusion_part_schema() { return ObjectSchema().with(part_members); }
ObjectSchema fusion_passed_schema() { return ObjectSchema().with(passed_members); }
ObjectSchema fusion_resource_schema() { return ObjectSchema().with(resource_members); }

}  // namespace roofline
