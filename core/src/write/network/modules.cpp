#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/write/modules.hpp>

#include "analysis/wording.hpp"
#include "base/members.hpp"
#include "base/schemas.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

struct ModuleOf {
  const Plan& plan;
  const ModuleSums& m;
};
constexpr Member<ModuleOf> module_members[] = {
    {"path", schema::text, "* for the index of equal modules; empty: the whole",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.path); }},
    {"indices", schema::texts, "for each *: \"0-11\"", [](JsonOut& out, const ModuleOf& o) { write_list(out, o.m.indices); }},
    {"name", schema::text, "with indices, below the module listed above", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.name); }},
    {"body", schema::text, "of the body of a node, for one run of it; empty: of the main graph",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.body); }},
    {"depth", schema::count, "modules listed above that it is part of", [](JsonOut& out, const ModuleOf& o) { out.count(o.m.depth); }},
    {"count", schema::count, "equal modules; all that follows is of one", [](JsonOut& out, const ModuleOf& o) { out.count(o.m.count); }},
    {"ops", schema::count, "operations", [](JsonOut& out, const ModuleOf& o) { out.count(o.m.ops); }},
    {"nodes", schema::count, "of the network's file", [](JsonOut& out, const ModuleOf& o) { out.count(o.m.nodes); }},
    {"not_counted", schema::count, "of these, nodes whose work is not known",
     [](JsonOut& out, const ModuleOf& o) { out.count(o.m.not_counted); }},
    {"matrix_macs", schema::number, "multiply-adds of products and convolutions",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.matrix_macs); }},
    {"flops", schema::number, "sum of what is known, FLOP", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.flops); }},
    {"bytes", schema::number, "of the device memory, sum of what is known", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.bytes); }},
    {"parameters", schema::number, "elements of its weights; null: not a network",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.parameters); }},
    {"weights_bytes", schema::number, "as in the file; null: not a network",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.weights_bytes); }},
    {"read_bytes", schema::number, "activations that its operations read",
     [](JsonOut& out, const ModuleOf& o) { out.value(o.m.read_bytes); }},
    {"written_bytes", schema::number, "activations that they write", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.written_bytes); }},
    {"predicted_time_s", schema::number, "sum of the bounds, s", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.predicted_time_s); }},
    {"typical_time_s", schema::number, "sum of the estimates, s", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.typical_time_s); }},
    {"time_s", schema::number, "measured, the mean of equal modules, s", [](JsonOut& out, const ModuleOf& o) { out.value(o.m.time_s); }},
    {"bound_by", schema::name, "the resource that bounds most predicted time",
     [](JsonOut& out, const ModuleOf& o) { write_resource(out, o.plan, o.m.bound_by); }}};

struct List {
  const Plan& plan;
  const std::vector<ModuleSums>& modules;
};
constexpr Member<List> list_members[] = {
    {"finding", schema::text, "which takes most; empty: there are no modules",
     [](JsonOut& out, const List& l) { out.value(modules_finding(l.modules)); }},
    {"modules", objects_of<module_members>, "the whole first, each module before those in it", [](JsonOut& out, const List& l) {
       std::vector<ModuleOf> all;
       for (const ModuleSums& m : l.modules) all.push_back({l.plan, m});
       write_objects(out, module_members, all);
     }}};

std::string or_dash(double value, std::string (*text)(double)) { return std::isnan(value) ? "-" : text(value); }
std::string with_prefix(double value) { return std::isnan(value) ? "-" : with_unit(value, ""); }
std::string in_bytes(double value) { return std::isnan(value) ? "-" : with_unit(value, "B"); }

}  // namespace

void add_modules_member(ObjectSchema& summary) {
  summary.add("by_module", object_of<list_members>(), "with --modules: sums by module, equal ones once", false);
}

std::string modules_json(const Plan& plan, const std::vector<ModuleSums>& modules) {
  return json_text([&](JsonOut& out) { write_object(out, list_members, List{plan, modules}); });
}

std::string modules_table(const Plan& plan, const std::vector<ModuleSums>& modules, std::size_t most) {
  const bool timed = std::any_of(modules.begin(), modules.end(), [](const ModuleSums& m) { return known(m.time_s); });
  std::vector<std::vector<std::string>> rows = {
      {"module", "count", "ops", "MAC", "FLOP", "parameters", "weights", "read", "written", "bound", "bound by", "estimate"}};
  if (timed) rows[0].emplace_back("measured");
  for (const ModuleSums& m : modules) {
    if (rows.size() > most) break;
    rows.push_back({std::string(2 * m.depth, ' ') + (m.depth == 0 && m.body.empty() ? "all" : printable(m.name)), with_commas(m.count),
                    with_commas(m.ops), with_prefix(m.matrix_macs), with_prefix(m.flops), with_prefix(m.parameters),
                    in_bytes(m.weights_bytes), in_bytes(m.read_bytes), in_bytes(m.written_bytes), seconds(m.predicted_time_s),
                    printable(resource_name(plan, m.bound_by, "-")), seconds(m.typical_time_s)});
    if (timed) rows.back().push_back(or_dash(m.time_s, seconds));
  }
  const std::string finding = modules_finding(modules);
  std::string out = finding + (finding.empty() ? "" : "\n\n") + align(rows, timed ? "lrrrrrrrrrlrr" : "lrrrrrrrrrlr");
  if (modules.size() > most) out += "and " + with_commas(modules.size() - most) + " more: -o json has them\n";
  return out;
}

}  // namespace roofline
