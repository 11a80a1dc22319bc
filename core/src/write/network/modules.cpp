#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/write/modules.hpp>

#include "analysis/wording.hpp"
#include "base/members.hpp"
#include "base/schemas.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

constexpr Member<ModuleSums> module_members[] = {
    {"path", schema::text, "* for the index of equal modules; empty: the whole", field<&ModuleSums::path>},
    {"indices", schema::texts, "for each *: \"0-11\"", field<&ModuleSums::indices>},
    {"name", schema::text, "with indices, below the module listed above", field<&ModuleSums::name>},
    {"body", schema::text, "of the body of a node, for one run of it; empty: of the main graph", field<&ModuleSums::body>},
    {"depth", schema::count, "modules listed above that it is part of", field<&ModuleSums::depth>},
    {"count", schema::count, "equal modules; all that follows is of one", field<&ModuleSums::count>},
    {"ops", schema::count, "operations", field<&ModuleSums::ops>},
    {"nodes", schema::count, "of the network's file", field<&ModuleSums::nodes>},
    {"not_counted", schema::count, "of these, nodes whose work is not known", field<&ModuleSums::not_counted>},
    {"matrix_macs", schema::number, "multiply-adds of products and convolutions", field<&ModuleSums::matrix_macs>},
    {"flops", schema::number, "sum of what is known, FLOP", field<&ModuleSums::flops>},
    {"bytes", schema::number, "of the device memory, sum of what is known", field<&ModuleSums::bytes>},
    {"parameters", schema::number, "elements of its weights; null: not a network", field<&ModuleSums::parameters>},
    {"weights_bytes", schema::number, "as in the file; null: not a network", field<&ModuleSums::weights_bytes>},
    {"read_bytes", schema::number, "activations that its operations read", field<&ModuleSums::read_bytes>},
    {"written_bytes", schema::number, "activations that they write", field<&ModuleSums::written_bytes>},
    {"predicted_time_s", schema::number, "sum of the bounds, s", field<&ModuleSums::predicted_time_s>},
    {"typical_time_s", schema::number, "sum of the estimates, s", field<&ModuleSums::typical_time_s>},
    {"time_s", schema::number, "measured, the mean of equal modules, s", field<&ModuleSums::time_s>}};

struct ModuleOf {
  const Plan& plan;
  const ModuleSums& m;
};
/// Written behind module_members.
constexpr Member<ModuleOf> bound_members[] = {{"bound_by", schema::name, "the resource that bounds most predicted time",
                                               [](JsonOut& out, const ModuleOf& o) { write_resource(out, o.plan, o.m.bound_by); }}};
std::string modules_schema() { return list_of(ObjectSchema().with(module_members).with(bound_members).text()); }

struct List {
  const Plan& plan;
  const std::vector<ModuleSums>& modules;
};
constexpr Member<List> list_members[] = {
    {"finding", schema::text, "which takes most; empty: there are no modules",
     [](JsonOut& out, const List& l) { out.value(modules_finding(l.modules)); }},
    {"modules", modules_schema, "the whole first, each module before those in it", [](JsonOut& out, const List& l) {
       out.begin_array();
       for (const ModuleSums& m : l.modules)
         out.object([&] {
           write_members<module_members>(out, m);
           write_members<bound_members>(out, ModuleOf{l.plan, m});
         });
       out.end_array();
     }}};

}  // namespace

void add_modules_member(ObjectSchema& summary) {
  summary.add("by_module", object_of<list_members>(), "with --modules: sums by module, equal ones once", false);
}

std::string modules_json(const Plan& plan, const std::vector<ModuleSums>& modules) {
  return json_text([&](JsonOut& out) { write_object<list_members>(out, List{plan, modules}); });
}

std::string modules_table(const Plan& plan, const std::vector<ModuleSums>& modules, std::size_t most) {
  const bool timed = std::any_of(modules.begin(), modules.end(), [](const ModuleSums& m) { return known(m.time_s); });
  std::vector<std::vector<std::string>> rows = {
      {"module", "count", "ops", "MAC", "FLOP", "parameters", "weights", "read", "written", "bound", "bound by", "estimate"}};
  if (timed) rows[0].emplace_back("measured");
  for (const ModuleSums& m : modules) {
    if (rows.size() > most) break;
    rows.push_back({std::string(2 * m.depth, ' ') + (m.depth == 0 && m.body.empty() ? "all" : printable(m.name)), with_commas(m.count),
                    with_commas(m.ops), or_dash(m.matrix_macs, ""), or_dash(m.flops, ""), or_dash(m.parameters, ""),
                    or_dash(m.weights_bytes, "B"), or_dash(m.read_bytes, "B"), or_dash(m.written_bytes, "B"), seconds(m.predicted_time_s),
                    printable(resource_name(plan, m.bound_by, "-")), seconds(m.typical_time_s)});
    if (timed) rows.back().push_back(or_dash(m.time_s, seconds));
  }
  const std::string finding = modules_finding(modules);
  std::string out = finding + (finding.empty() ? "" : "\n\n") + align(rows, timed ? "lrrrrrrrrrlrr" : "lrrrrrrrrrlr");
  if (modules.size() > most) out += "and " + with_commas(modules.size() - most) + " more: -o json has them\n";
  return out;
}

}  // namespace roofline
