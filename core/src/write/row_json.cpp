// One row of the page's table.
#include <roofline/analysis/selection.hpp>
#include <roofline/frame/style.hpp>

#include "analysis/wording.hpp"
#include "write/op_json.hpp"
#include "write/row_figures.hpp"

namespace roofline {
namespace {

constexpr RowFigure figures[] = {
    {"flops", "", [](const AnalysedRow& r) { return r.today.flops; }},
    {"bytes", "", [](const AnalysedRow& r) { return r.today.bytes; }},
    {"intensity", "FLOP/B", [](const AnalysedRow& r) { return r.today.intensity; }},
    {"time_s", "", [](const AnalysedRow& r) { return r.today.time_s; }},
    {"predicted_time_s", "", [](const AnalysedRow& r) { return r.today.predicted_time_s; }},
    {"typical_time_s", "the estimate: with overheads", [](const AnalysedRow& r) { return r.today.typical_time_s; }},
    {"self_time_s", "", [](const AnalysedRow& r) { return r.today.self_time_s; }},
    {"lost_time_s", "", [](const AnalysedRow& r) { return r.today.partly_known ? unknown : r.today.lost_time_s; }},
    {"efficiency", "", [](const AnalysedRow& r) { return r.today.partly_known ? unknown : r.today.efficiency; }},
    {"compute_utilization", "", [](const AnalysedRow& r) { return compute_utilization(r.today); }},
    {"memory_utilization", "of the memory used most", [](const AnalysedRow& r) { return memory_utilization(r.plan, r.today); }},
    {"achieved_flops", "FLOP/s", [](const AnalysedRow& r) { return r.today.achieved_flops; }},
    {"achieved_bandwidth", "B/s", [](const AnalysedRow& r) { return r.today.achieved_bandwidth; }},
    {"attainable_flops", "FLOP/s", [](const AnalysedRow& r) { return r.today.attainable_flops; }},
    {"speedup_low", "of the what-if; of the estimate where no time is known", [](const AnalysedRow& r) { return r.then.speedup.low; }},
    {"speedup_high", "", [](const AnalysedRow& r) { return r.then.speedup.high; }},
};

}  // namespace

std::span<const RowFigure> row_figures() { return figures; }

void write_names(JsonOut& out, const Workload& w, std::size_t op) {
  out.member("name", w.name_of(op));
  if (const std::string shorter = short_name(w, op); shorter != w.name_of(op)) out.member("short_name", shorter);
}

void write_row(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, const ProfileRank* ranks) {
  const Workload& w = plan.workload();
  const OpClass& op_class = w.class_of(op);
  const OpWhatIf then = plan.what_if(op);
  out.begin_object();
  out.member_count("index", op);
  write_names(out, w, op);
  out.member("type", op_class.type);
  out.member("symbol", to_string(op_class.symbol));
  if (const std::string sizes = product_sizes(w, op); !sizes.empty()) out.member("product", sizes);
  out.member("category", op_class.category);
  out.key("step");
  if (w.step.empty())
    out.null();
  else
    out.value(w.steps[w.step[op]]);
  out.member("count", w.count_of(op));
  if (has_words(w)) {
    out.key("labels");
    write_labels(out, w, op);
    out.key("measures");
    write_measures(out, w, op);
  }
  out.key("formats");
  write_formats(out, plan, op, a.compute);
  out.member("status", to_string(a.status));
  out.member("above_roof", a.above_roof());
  out.member("partly_known", a.partly_known);
  out.member("near_bound", near_bound(a.status, a.limit));
  out.member("limited_by", to_string(a.limit));
  out.key("bound_by");
  write_resource(out, plan, a.bound_by);
  for (const RowFigure& figure : figures) out.member(figure.name, figure.value({plan, a, then}));
  out.object("bandwidths", [&] {
    for (std::size_t i = 1; i < plan.resources().size(); ++i)
      if (plan.resources()[i].kind == ResourceKind::memory) out.member(plan.resources()[i].name, a.work[i] / a.time_s);
    for (std::size_t c = 0; c < w.channels.size(); ++c)
      if (!w.channels[c].link && !plan.resource_of(c)) out.member(w.channels[c].name, w.channels[c].bytes[op] / a.time_s);
  });
  if (ranks) {
    const bool listed = ranks->rank[op] > 0;
    out.key("rank");
    if (listed)
      out.count(ranks->rank[op]);
    else
      out.null();
    out.member("time_share", a.time_s / ranks->whole_s);
    out.member("self_time_share", listed ? a.self_time_s / ranks->whole_s : unknown);
    out.member("cumulative_share", listed ? ranks->cumulative_s[op] / ranks->whole_s : unknown);
  }
  out.end_object();
}

}  // namespace roofline
