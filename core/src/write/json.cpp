// An analysis as "roofline-analysis/1".
#include <roofline/analysis/finding.hpp>
#include <roofline/analysis/parity.hpp>
#include <roofline/base/text.hpp>
#include <roofline/frame/headline.hpp>
#include <roofline/write/write.hpp>

#include "analysis/steps.hpp"
#include "base/schemas.hpp"
#include "write/op_json.hpp"
#include "write/runs/parity_json.hpp"
#include "write/scenario_json.hpp"
#include "write/summary_json.hpp"

namespace roofline {
namespace {

struct Document {
  const OpSet& ops;
  const WriteOptions& options;
  std::vector<CategoryTotal> categories = category_totals(ops);
  std::vector<StepTotals> steps = step_totals(ops);
  [[nodiscard]] const Plan& plan() const { return ops.plan(); }
  [[nodiscard]] const Workload& workload() const { return ops.workload(); }
};

constexpr Member<Document> finding_members[] = {
    {"roofline", schema::text, "what matters", [](JsonOut& out, const Document& d) { out.value(headline(d.ops).text()); }},
    {"categories", schema::text, "where the time goes",
     [](JsonOut& out, const Document& d) { out.value(categories_finding(d.ops, d.categories).text()); }},
    {"steps", schema::text, "how steps differ",
     [](JsonOut& out, const Document& d) { out.value(steps_finding(d.plan(), d.steps, d.categories).text()); }}};

constexpr Member<Document> members[] = {
    document_id<Document>("roofline-analysis/1"),
    {"source", schema::text, "what was analysed: a file's name, an operator, a model",
     [](JsonOut& out, const Document& d) { out.value(d.workload().source); }},
    {"machine", R"("$ref":"#/$defs/machine")", "in the plain form that --machine reads back",
     [](JsonOut& out, const Document& d) { write_machine(out, d.plan().scenario().machine, d.plan().scenario().basis); }},
    {"scenario", R"("$ref":"#/$defs/scenario")", "thresholds, overheads and the what-if",
     [](JsonOut& out, const Document& d) { write_scenario(out, d.plan()); }},
    {"ops", R"("type":"array","items":{"$ref":"#/$defs/op"})", "in the source's order; with --top N those that lose most",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const std::uint32_t op : selected_ops(d.ops, d.options)) {
         write_op(out, d.plan(), op, d.plan().analyze(op));
         out.flush_if_full();
       }
       out.end_array();
     }},
    {"summary", R"("$ref":"#/$defs/document_summary")", "totals over all operations, --top or not",
     [](JsonOut& out, const Document& d) { write_document_summary(out, d.ops, d.options.summary); }},
    {"findings", R"("$ref":"#/$defs/findings")", "sentences; empty where there is nothing to say",
     [](JsonOut& out, const Document& d) { write_object<finding_members>(out, d); }},
    {"comparison", R"("anyOf":[{"$ref":"#/$defs/comparison"},{"type":"null"}])", "of an operator in several formats, else null",
     [](JsonOut& out, const Document& d) {
       if (d.options.comparison.empty()) return out.null();
       out.raw(d.options.comparison);
     }},
    {"parity", R"("anyOf":[{"$ref":"#/$defs/parity"},{"type":"null"}])", "of a results table, else null",
     [](JsonOut& out, const Document& d) {
       if (!is_results(d.workload())) return out.null();
       write_parity(out, d.plan(), compare_with_measured(d.ops));
     }},
    {"steps", R"("type":"array","items":{"$ref":"#/$defs/step"})", "for each step, in order",
     [](JsonOut& out, const Document& d) { write_steps(out, d.plan(), d.steps); }},
    {"diagnostics", R"("type":"array","items":{"$ref":"#/$defs/diagnostic"})", "what is wrong with records, and with the whole",
     [](JsonOut& out, const Document& d) {
       const Workload& w = d.workload();
       out.begin_array();
       write_diagnostics(out, w, 0, w.diagnostics.size());
       if (w.hidden_diagnostics > 0)
         write_diagnostic(out, {Severity::info, with_commas(w.hidden_diagnostics) + " more diagnostics are not listed"});
       out.end_array();
     }}};

}  // namespace

void write_json(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  JsonOut out(sink);
  write_object<members>(out, Document{ops, options});
}

void write_op_lines(const OpSet& ops, std::uint64_t first, const Sink& sink) {
  JsonOut out(sink);
  for (const std::uint32_t op : ops.listed()) {
    write_op(out, ops.plan(), op, ops.plan().analyze(op), first);
    out.next_line();
    out.flush_if_full();
  }
}

std::string summary_json(const OpSet& ops, const WriteOptions& options) {
  return json_text([&](JsonOut& out) { write_document_summary(out, ops, options.summary); });
}

ObjectSchema analysis_schema() { return ObjectSchema().with(members); }
ObjectSchema findings_schema() { return ObjectSchema().with(finding_members); }

}  // namespace roofline
