// One row of the page's table.
#include <roofline/analysis/selection.hpp>

#include "write/op_json.hpp"

namespace roofline {

void write_row(JsonOut& out, const Plan& plan, std::size_t op, const OpAnalysis& a, const ProfileRank* ranks) {
  const Workload& w = plan.workload();
  const OpClass& kind = w.class_of(op);
  const OpWhatIf then = plan.what_if(op);
  out.begin_object();
  out.member_count("index", op);
  out.member("name", w.name_of(op));
  out.member("type", kind.type);
  out.member("symbol", to_string(kind.symbol));
  out.member("category", kind.category);
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
  out.member("limited_by", to_string(a.limit));
  out.key("bound_by");
  write_resource(out, plan, a.bound_by);
  out.member("flops", a.flops);
  out.member("bytes", a.bytes);
  out.member("intensity", a.intensity);
  out.member("time_s", a.time_s);
  out.member("predicted_time_s", a.predicted_time_s);
  out.member("self_time_s", a.self_time_s);
  out.member("lost_time_s", a.partly_known ? unknown : a.lost_time_s);
  out.member("efficiency", a.partly_known ? unknown : a.efficiency);
  out.member("compute_utilization", compute_utilization(a));
  out.member("memory_utilization", memory_utilization(plan, a));
  out.member("achieved_flops", a.achieved_flops);
  out.member("achieved_bandwidth", a.achieved_bandwidth);
  out.member("attainable_flops", a.attainable_flops);
  out.member("speedup_low", then.speedup.low);
  out.member("speedup_high", then.speedup.high);
  out.key("bandwidths");
  out.begin_object();
  for (std::size_t i = 1; i < plan.resources().size(); ++i)
    if (plan.resources()[i].kind == ResourceKind::memory) out.member(plan.resources()[i].name, a.work[i] / a.time_s);
  for (std::size_t c = 0; c < w.channels.size(); ++c)
    if (!w.channels[c].link && !plan.resource_of(c)) out.member(w.channels[c].name, w.channels[c].bytes[op] / a.time_s);
  out.end_object();
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
