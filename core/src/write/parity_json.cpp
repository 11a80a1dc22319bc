#include "write/parity_json.hpp"

#include <algorithm>

#include "analysis/finding_json.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

void write_agreement(JsonOut& out, const char* name, const Agreement& a) {
  out.key(name);
  out.begin_object();
  out.member_count("ops", a.ops);
  out.member("mape", a.mape);
  out.member("within_band", a.within);
  out.end_object();
}

std::vector<ParityRow> longest(const std::vector<ParityRow>& rows, std::size_t limit) {
  std::vector<ParityRow> out = rows;
  if (out.size() <= limit) return out;
  const auto time = [](const ParityRow& row) { return row.measured_s > 0 ? row.measured_s : row.predicted_s; };
  std::stable_sort(out.begin(), out.end(), [&](const ParityRow& a, const ParityRow& b) { return time(a) > time(b); });
  out.resize(limit);
  std::sort(out.begin(), out.end(), [](const ParityRow& a, const ParityRow& b) { return a.op < b.op; });
  return out;
}

}  // namespace

void write_parity(JsonOut& out, const Plan& plan, const Parity& parity, std::size_t limit) {
  const Workload& w = plan.workload();
  out.begin_object();
  out.key("baseline");
  write_format(out, parity.baseline);
  out.key("formats");
  out.begin_array();
  for (const FormatId format : parity.formats) write_format(out, format);
  out.end_array();
  out.member("band", Parity::band);
  out.member_count("rows", parity.rows.size());
  write_finding(out, parity_finding(plan, parity));
  write_agreement(out, "predicted", parity.predicted);
  write_agreement(out, "typical", parity.typical);
  write_agreement(out, "stated", parity.stated);
  out.key("ops");
  out.begin_array();
  for (const ParityRow& row : longest(parity.rows, limit)) {
    out.begin_object();
    out.member_count("index", row.op);
    out.member("name", w.name_of(row.op));
    out.member("type", w.class_of(row.op).type);
    out.key("format");
    write_format(out, row.format);
    out.member("predicted_time_s", row.predicted_s);
    out.member("typical_time_s", row.typical_s);
    out.member("stated_time_s", row.stated_s);
    out.member("time_s", row.measured_s);
    out.member("error", row.error);
    out.member("typical_error", row.typical_error);
    out.member("stated_error", row.stated_error);
    out.member("efficiency", row.efficiency);
    out.key("baseline");
    if (row.baseline == ParityRow::none)
      out.null();
    else
      out.count(row.baseline);
    out.member("speedup_predicted", row.speedup_predicted);
    out.member("speedup_measured", row.speedup_measured);
    out.end_object();
    out.breathe();
  }
  out.end_array();
  out.end_object();
}

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
