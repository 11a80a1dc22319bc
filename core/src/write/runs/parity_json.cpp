#include "write/runs/parity_json.hpp"

#include "analysis/finding_json.hpp"
#include "base/sort_stably.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

std::vector<ParityRow> longest(const std::vector<ParityRow>& rows, std::size_t limit) {
  std::vector<ParityRow> out = rows;
  if (out.size() <= limit) return out;
  const auto time = [](const ParityRow& row) { return row.measured_s > 0 ? row.measured_s : row.predicted_s; };
  sort_stably(out, [&](const ParityRow& a, const ParityRow& b) { return time(a) > time(b); });
  out.resize(limit);
  sort_stably(out, [](const ParityRow& a, const ParityRow& b) { return a.op < b.op; });
  return out;
}

constexpr Member<Agreement> agreement_members[] = {{"ops", schema::count, "operations with both", field<&Agreement::ops>},
                                                   {"mape", schema::number, "mean absolute error, a fraction", field<&Agreement::mape>},
                                                   {"within_band", schema::number, "a fraction", field<&Agreement::within>}};

struct Row {
  const Workload& w;
  const ParityRow& row;
};
constexpr Member<Row> name_members[] = {
    {"index", schema::count, "", [](JsonOut& out, const Row& r) { out.count(r.row.op); }},
    {"name", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.w.name_of(r.row.op)); }},
    {"type", schema::text, "", [](JsonOut& out, const Row& r) { out.value(r.w.class_of(r.row.op).type); }}};

/// Written behind name_members.
constexpr Member<ParityRow> row_members[] = {
    {"format", schema::name, "", [](JsonOut& out, const ParityRow& r) { write_format(out, r.format); }},
    {"predicted_time_s", schema::number, "s", field<&ParityRow::predicted_s>},
    {"typical_time_s", schema::number, "s", field<&ParityRow::typical_s>},
    {"stated_time_s", schema::number, "the source's own prediction, s", field<&ParityRow::stated_s>},
    {"time_s", schema::number, "s", field<&ParityRow::measured_s>},
    {"error", schema::number, "predicted / measured - 1", field<&ParityRow::error>},
    {"typical_error", schema::number, "", field<&ParityRow::typical_error>},
    {"stated_error", schema::number, "", field<&ParityRow::stated_error>},
    {"efficiency", schema::number, "", field<&ParityRow::efficiency>},
    {"baseline", schema::index, "the operation of the same shape in the baseline's format",
     [](JsonOut& out, const ParityRow& r) {
       if (r.baseline == ParityRow::none) return out.null();
       out.count(r.baseline);
     }},
    {"speedup_predicted", schema::number, "", field<&ParityRow::speedup_predicted>},
    {"speedup_measured", schema::number, "", field<&ParityRow::speedup_measured>}};
std::string rows_schema() { return list_of(ObjectSchema().with(name_members).with(row_members).text()); }

struct Document {
  const Plan& plan;
  const Parity& parity;
  std::size_t limit;
};
constexpr Member<Document> members[] = {
    {"baseline", schema::name, "format that speed-ups are over",
     [](JsonOut& out, const Document& d) { write_format(out, d.parity.baseline); }},
    {"formats", schema::names, "that occur",
     [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const FormatId format : d.parity.formats) write_format(out, format);
       out.end_array();
     }},
    {"band", schema::number, "a fraction", [](JsonOut& out, const Document&) { out.value(Parity::band); }},
    {"rows", schema::count, "operations with a bound or a time", [](JsonOut& out, const Document& d) { out.count(d.parity.rows.size()); }},
    {"finding", finding_schema, "what it says, in parts",
     [](JsonOut& out, const Document& d) { write_finding_value(out, parity_finding(d.plan, d.parity)); }},
    {"predicted", object_of<agreement_members>, "the bounds",
     [](JsonOut& out, const Document& d) { write_object<agreement_members>(out, d.parity.predicted); }},
    {"typical", object_of<agreement_members>, "the typical times",
     [](JsonOut& out, const Document& d) { write_object<agreement_members>(out, d.parity.typical); }},
    {"stated", object_of<agreement_members>, "the source's own predictions",
     [](JsonOut& out, const Document& d) { write_object<agreement_members>(out, d.parity.stated); }},
    {"ops", rows_schema, "in the source's order", [](JsonOut& out, const Document& d) {
       out.begin_array();
       for (const ParityRow& row : longest(d.parity.rows, d.limit)) {
         out.object([&] {
           write_members<name_members>(out, Row{d.plan.workload(), row});
           write_members<row_members>(out, row);
         });
         out.flush_if_full();
       }
       out.end_array();
     }}};

}  // namespace

void write_parity(JsonOut& out, const Plan& plan, const Parity& parity, std::size_t limit) {
  write_object<members>(out, Document{plan, parity, limit});
}

ObjectSchema parity_schema() { return ObjectSchema().with(members); }

void write_fit(JsonOut& out, const Plan& plan, const Fit& fit) {
  const Workload& w = plan.workload();
  out.begin_object();
  out.member("compute", fit.compute);
  out.member("bandwidth", fit.bandwidth);
  out.member("launch_s", fit.launch_s);
  out.member("rms", fit.rms);
  out.member("bound_rms", fit.bound_rms);
  out.member_count("compute_rows", fit.compute_rows);
  out.member_count("memory_rows", fit.memory_rows);
  out.member_count("above_roof", fit.above_roof);
  out.key("machine");
  out.raw(machine_json(calibrated(plan.scenario().machine, fit, w.source), true));
  out.key("ops");
  out.begin_array();
  constexpr std::size_t most = 2000;  // enough to look at; the fit is of all
  for (std::size_t i = 0; i < fit.rows.size() && i < most; ++i) {
    const FitRow& row = fit.rows[i];
    out.begin_object();
    out.member_count("index", row.op);
    out.member("name", w.name_of(row.op));
    out.member("limit", row.compute ? "compute" : "memory");
    out.member("time_s", row.measured_s);
    out.member("fitted_time_s", row.fitted_s);
    out.member("residual", row.residual);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

}  // namespace roofline
