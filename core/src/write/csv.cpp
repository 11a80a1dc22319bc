#include <roofline/write/write.hpp>

#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "write/op_json.hpp"

namespace roofline {

void write_csv(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  const auto& resources = plan.resources();
  CsvRow row;
  for (const char* name :
       {"index", "name", "type", "category", "symbol", "step", "count", "weight_format", "activation_format", "output_format", "kv_format",
        "compute_format", "flops", "macs", "bytes", "derived_bytes", "hw_bytes", "intensity"})
    row.add_plain(name);
  for (const Category& category : w.categories) row.add(category.name);
  for (const Measure& measure : w.measures) row.add(measure.name + " (" + measure.unit + ')');
  for (const Channel& channel : w.channels) row.add("intensity " + channel.name);
  for (std::size_t i = 1; i < resources.size(); ++i) row.add("bytes " + resources[i].name);
  for (const Resource& r : resources) row.add("min_time_s " + r.name);
  for (const Resource& r : resources) row.add("utilization " + r.name);
  for (const char* name : {"bound_by",         "bound_unit",         "attainable_flops",
                           "predicted_time_s", "typical_time_s",     "fused_time_s",
                           "time_s",           "self_time_s",        "lost_time_s",
                           "achieved_flops",   "achieved_bandwidth", "efficiency",
                           "status",           "whatif_bytes",       "whatif_predicted_time_s",
                           "whatif_bound_by",  "speedup_optimistic", "speedup_pessimistic",
                           "above_roof",       "limited_by",         "speedup_low",
                           "speedup_high"})
    row.add_plain(name);
  std::string out = row.take();

  for (const std::uint32_t op : selected_ops(ops, options)) {
    const OpClass& op_class = w.class_of(op);
    const OpAnalysis a = plan.analyze(op);
    const OpWhatIf then = plan.what_if(op);
    row.add(static_cast<double>(op));
    row.add(w.name_of(op));
    row.add(op_class.type);
    row.add(op_class.category);
    row.add_plain(to_string(op_class.symbol));
    row.add(w.step.empty() ? std::string() : w.steps[w.step[op]]);
    row.add(w.count_of(op));
    for (const FormatId f : {op_class.weight, op_class.activation, op_class.output, op_class.kv, op_class.invalid ? no_format : a.compute})
      row.add_plain(Formats::id_of(f));
    for (const double v : {a.flops, a.flops / 2, a.bytes, a.derived_bytes, a.hw_bytes, a.intensity}) row.add(v);
    for (const Category& category : w.categories) row.add(category.word(op));
    for (const Measure& measure : w.measures) row.add(measure.values[op]);
    for (const Channel& channel : w.channels) row.add(channel.bytes[op] > 0 ? a.flops / channel.bytes[op] : unknown);
    for (std::size_t i = 1; i < resources.size(); ++i) row.add(a.work[i]);
    for (std::size_t i = 0; i < resources.size(); ++i) row.add(a.min_time_s[i]);
    for (std::size_t i = 0; i < resources.size(); ++i) row.add(a.min_time_s[i] / a.time_s);
    row.add(resource_name(plan, a.bound_by));
    row.add_plain(a.bound_by != 0 ? "" : a.bound_unit == Unit::matrix ? "matrix" : "vector");
    for (const double v : {a.attainable_flops, a.predicted_time_s, a.typical_time_s, a.typical.fused_time_s, a.time_s, a.self_time_s,
                           a.lost_time_s, a.achieved_flops, a.achieved_bandwidth, a.efficiency})
      row.add(v);
    row.add_plain(to_string(a.status));
    row.add(then.bytes);
    row.add(then.predicted_time_s);
    row.add(resource_name(plan, then.bound_by));
    row.add(then.speedup_optimistic);
    row.add(then.speedup_pessimistic);
    row.add_plain(a.above_roof() ? "true" : "false");
    row.add_plain(to_string(a.limit));
    row.add(then.speedup.low);
    row.add(then.speedup.high);
    out += row.take();
    if (out.size() > (1u << 18)) {
      sink(out);
      out.clear();
    }
  }
  sink(out);
}

}  // namespace roofline
