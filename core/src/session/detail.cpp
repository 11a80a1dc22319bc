// One operation with everything that is known of it: figures, diagnosis, derivation, raw record.
#include <roofline/analysis/explain.hpp>
#include <roofline/session/session.hpp>

#include "llm/formulas.hpp"
#include "read/operations/formulas.hpp"
#include "session/failed.hpp"
#include "session/frame_cache.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

void write_derivation(JsonOut& out, const DerivationText& derivation) {
  out.array("formulas", [&] {
    for (const FormulaText& f : derivation.formulas)
      out.object([&] {
        out.member("quantity", f.quantity);
        out.member("expression", f.expression);
        out.member("with_numbers", f.with_numbers);
      });
  });
  out.list("notes", derivation.notes);
}

/// Of an operation, in the source's text; length 0: there is none.
SourceRange source_record(const Workload& w, std::size_t op) {
  return op < w.record.size() && !w.own_records ? w.record[op] : SourceRange();
}

void write_suggestion(JsonOut& out, const Suggestion& s) {
  out.object([&] {
    out.member("change", s.change);
    out.object("whatif", [&] {
      const auto format = [&](const char* name, const std::optional<FormatId>& f) {
        if (!f) return;
        out.key(name);
        write_format(out, *f);
      };
      format("weight", s.whatif.weight);
      format("activation", s.whatif.activation);
      format("output", s.whatif.output);
      format("kv", s.whatif.kv);
      if (s.whatif.machine) out.member("machine", s.whatif.machine->id);
      if (s.whatif.batch_scale != 1) out.member("batch_scale", s.whatif.batch_scale);
    });
    out.member("bytes_factor", s.bytes_factor);
    out.member("predicted_time_s", s.predicted_time_s);
    out.member("low", s.low);
    out.member("high", s.high);
    out.member("typical_speedup", s.typical_speedup);
    out.member("at_roof", s.at_roof);
    out.member("coarse_cache", s.coarse_cache);
  });
}

void write_record(JsonOut& out, const SourceRange& record) {
  if (record.length == 0) return out.null();
  out.object([&] {
    out.member("offset", static_cast<double>(record.offset));  // a file may be larger than what size_t counts
    out.member_count("length", record.length);
  });
}

/// `batch` products of m x k by k x n; null: no matrix product, or its sizes are not known.
void write_product(JsonOut& out, const Workload& w, std::size_t op) {
  const OpSizes sizes = w.sizes_of(op);
  const double all = sizes.m * sizes.n * sizes.k * sizes.batch;  // NaN where one is
  if (w.class_of(op).family != OpFamily::matrix_product || !(all > 0)) return out.null();
  out.object([&] {
    out.member("m", sizes.m);
    out.member("n", sizes.n);
    out.member("k", sizes.k);
    out.member("batch", sizes.batch);
  });
}

}  // namespace

std::string Session::record(std::size_t op) const {
  return json_text([&](JsonOut& out) { write_record(out, source_record(shown(), op)); });
}

std::string Session::detail(std::size_t op, std::string_view record) {
  const Workload& w = shown();
  if (op >= w.size()) return failed({"no operation has the index " + std::to_string(op), 0, 0, {}});
  const bool own = w.own_records && op < w.record.size() && w.record[op].length > 0;  // the reader wrote it itself
  if (own) record = std::string_view(w.text).substr(w.record[op].offset, w.record[op].length);
  const Plan plan(w, scenario_);
  const auto& members = frames_->members(subject());
  const OpAnalysis a = plan.analyze(op);
  const Diagnosis d = diagnose(plan, op, a, frames_->machine_mismatch(subject(), plan));
  return json_text([&](JsonOut& out) {
    out.object([&] {
      out.key("op");
      write_op(out, plan, op, a);
      out.key("row");
      write_row(out, plan, op, a);
      out.member("verdict", d.verdict);
      out.member("lever", d.lever);
      out.member("number", d.number);
      out.member("evidence", d.evidence);
      out.list("remarks", d.remarks);
      out.array("suggestions", [&] {
        for (const Suggestion& s : d.suggestions) write_suggestion(out, s);
      });
      write_derivation(out, !model_request_ ? derivation_of(record, *keys_, *registry_)
                                            : llm_derivation(*model_request_, scenario_, members.empty() ? op : members[op].at(0)));
      out.key("product");
      write_product(out, w, op);
      out.key("record");
      write_record(out, source_record(w, op));
      out.key("text");
      own ? out.value(record) : out.null();
      out.array("members", [&] {
        if (!members.empty())
          for (std::size_t i = 0; i < members[op].size() && i < 100; ++i) out.count(members[op][i]);
      });
    });
  });
}

}  // namespace roofline
