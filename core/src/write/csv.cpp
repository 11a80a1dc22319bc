#include <roofline/write/write.hpp>

#include "analysis/ratios.hpp"
#include "analysis/wording.hpp"
#include "base/csv_row.hpp"
#include "write/op_json.hpp"

namespace roofline {
namespace {

/// An operation that is being written.
struct Row {
  const Plan& plan;
  std::size_t op;
  const Workload& w = plan.workload();
  const OpClass& op_class = w.class_of(op);
  OpAnalysis a = plan.analyze(op);
  OpWhatIf whatif = plan.what_if(op);
};

constexpr CsvColumn<Row> columns[] = {
    {"index", [](CsvRow& row, const Row& r) { row.add(static_cast<double>(r.op)); }},
    {"name", [](CsvRow& row, const Row& r) { row.add(r.w.name_of(r.op)); }},
    {"type", [](CsvRow& row, const Row& r) { row.add(r.op_class.type); }},
    {"category", [](CsvRow& row, const Row& r) { row.add(r.op_class.category); }},
    {"symbol", [](CsvRow& row, const Row& r) { row.add_plain(to_string(r.op_class.symbol)); }},
    {"step", [](CsvRow& row, const Row& r) { row.add(r.w.step.empty() ? std::string() : r.w.steps[r.w.step[r.op]]); }},
    {"count", [](CsvRow& row, const Row& r) { row.add(r.w.count_of(r.op)); }},
    {"weight_format", [](CsvRow& row, const Row& r) { row.add_plain(Formats::id_of(r.op_class.weight)); }},
    {"activation_format", [](CsvRow& row, const Row& r) { row.add_plain(Formats::id_of(r.op_class.activation)); }},
    {"output_format", [](CsvRow& row, const Row& r) { row.add_plain(Formats::id_of(r.op_class.output)); }},
    {"kv_format", [](CsvRow& row, const Row& r) { row.add_plain(Formats::id_of(r.op_class.kv)); }},
    {"compute_format", [](CsvRow& row, const Row& r) { row.add_plain(Formats::id_of(r.op_class.invalid ? no_format : r.a.compute)); }},
    {"flops", [](CsvRow& row, const Row& r) { row.add(r.a.flops); }},
    {"macs", [](CsvRow& row, const Row& r) { row.add(r.a.flops / 2); }},
    {"bytes", [](CsvRow& row, const Row& r) { row.add(r.a.bytes); }},
    {"derived_bytes", [](CsvRow& row, const Row& r) { row.add(r.a.derived_bytes); }},
    {"hw_bytes", [](CsvRow& row, const Row& r) { row.add(r.a.hw_bytes); }},
    {"intensity", [](CsvRow& row, const Row& r) { row.add(r.a.intensity); }}};

/// Written after the columns of the workload and of the resources.
constexpr CsvColumn<Row> last_columns[] = {
    {"bound_by", [](CsvRow& row, const Row& r) { row.add(resource_name(r.plan, r.a.bound_by)); }},
    {"bound_unit",
     [](CsvRow& row, const Row& r) {
       row.add_plain(r.a.bound_by != 0 ? "" : r.a.bound_unit == Unit::matrix ? "matrix" : "vector");
     }},
    {"attainable_flops", [](CsvRow& row, const Row& r) { row.add(r.a.attainable_flops); }},
    {"predicted_time_s", [](CsvRow& row, const Row& r) { row.add(r.a.predicted_time_s); }},
    {"typical_time_s", [](CsvRow& row, const Row& r) { row.add(r.a.typical_time_s); }},
    {"fused_time_s", [](CsvRow& row, const Row& r) { row.add(r.a.typical.fused_time_s); }},
    {"time_s", [](CsvRow& row, const Row& r) { row.add(r.a.time_s); }},
    {"self_time_s", [](CsvRow& row, const Row& r) { row.add(r.a.self_time_s); }},
    {"lost_time_s", [](CsvRow& row, const Row& r) { row.add(r.a.lost_time_s); }},
    {"achieved_flops", [](CsvRow& row, const Row& r) { row.add(r.a.achieved_flops); }},
    {"achieved_bandwidth", [](CsvRow& row, const Row& r) { row.add(r.a.achieved_bandwidth); }},
    {"efficiency", [](CsvRow& row, const Row& r) { row.add(r.a.efficiency); }},
    {"status", [](CsvRow& row, const Row& r) { row.add_plain(to_string(r.a.status)); }},
    {"whatif_bytes", [](CsvRow& row, const Row& r) { row.add(r.whatif.bytes); }},
    {"whatif_predicted_time_s", [](CsvRow& row, const Row& r) { row.add(r.whatif.predicted_time_s); }},
    {"whatif_bound_by", [](CsvRow& row, const Row& r) { row.add(resource_name(r.plan, r.whatif.bound_by)); }},
    {"speedup_optimistic", [](CsvRow& row, const Row& r) { row.add(r.whatif.speedup_optimistic); }},
    {"speedup_pessimistic", [](CsvRow& row, const Row& r) { row.add(r.whatif.speedup_pessimistic); }},
    {"above_roof", [](CsvRow& row, const Row& r) { row.add_plain(r.a.above_roof() ? "true" : "false"); }},
    {"limited_by", [](CsvRow& row, const Row& r) { row.add_plain(to_string(r.a.limit)); }},
    {"speedup_low", [](CsvRow& row, const Row& r) { row.add(r.whatif.speedup.low); }},
    {"speedup_high", [](CsvRow& row, const Row& r) { row.add(r.whatif.speedup.high); }}};

}  // namespace

void write_csv(const OpSet& ops, const WriteOptions& options, const Sink& sink) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  const auto& resources = plan.resources();
  CsvRow row;
  add_header(row, columns);
  for (const Category& category : w.categories) row.add(category.name);
  for (const Measure& measure : w.measures) row.add(measure.name + " (" + measure.unit + ')');
  for (const Channel& channel : w.channels) row.add("intensity " + channel.name);
  for (std::size_t i = 1; i < resources.size(); ++i) row.add("bytes " + resources[i].name);
  for (const Resource& r : resources) row.add("min_time_s " + r.name);
  for (const Resource& r : resources) row.add("utilization " + r.name);
  add_header(row, last_columns);
  std::string out = row.take();

  for (const std::uint32_t op : selected_ops(ops, options)) {
    const Row written{plan, op};
    const OpAnalysis& a = written.a;
    add_cells(row, columns, written);
    for (const Category& category : w.categories) row.add(category.word(op));
    for (const Measure& measure : w.measures) row.add(measure.values[op]);
    for (const Channel& channel : w.channels) row.add(intensity_of(a.flops, channel.bytes[op]));
    for (std::size_t i = 1; i < resources.size(); ++i) row.add(a.work[i]);
    for (std::size_t i = 0; i < resources.size(); ++i) row.add(a.min_time_s[i]);
    for (std::size_t i = 0; i < resources.size(); ++i) row.add(a.min_time_s[i] / a.time_s);
    add_cells(row, last_columns, written);
    out += row.take();
    if (out.size() > (1u << 18)) {
      sink(out);
      out.clear();
    }
  }
  sink(out);
}

}  // namespace roofline
