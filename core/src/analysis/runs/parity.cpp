#include <algorithm>
#include <map>
#include <roofline/analysis/parity.hpp>
#include <tuple>

namespace roofline {
namespace {

/// Type and work of one occurrence: what operations of the same shape share in any format.
using ShapeKey = std::tuple<std::string, double, double, double, double, double, double>;

ShapeKey shape_of(const Workload& w, std::size_t op) {
  const double count = w.count_of(op);
  const auto at = [&](const std::vector<double>& column) { return column.empty() ? 0 : column[op] / count; };
  return {
      normalised(w.class_of(op).type), at(w.matrix_flops), at(w.vector_flops), at(w.weight), at(w.activation), at(w.output), at(w.kv_read)};
}

FormatId format_of(const OpClass& op_class) { return op_class.weight != no_format ? op_class.weight : op_class.activation; }

FormatId default_baseline(const std::vector<FormatId>& formats) {
  for (const char* id : {"fp16", "bf16", "fp32"}) {
    const FormatId format = Formats::catalogue().find(id).value_or(no_format);
    if (std::find(formats.begin(), formats.end(), format) != formats.end()) return format;
  }
  return formats.empty() ? no_format : formats[0];
}

Agreement agreement(const std::vector<ParityRow>& rows, double ParityRow::* error) {
  Agreement a;
  double sum = 0;
  std::size_t within = 0;
  for (const ParityRow& row : rows) {
    if (!known(row.*error)) continue;
    const double size = row.*error < 0 ? -(row.*error) : row.*error;
    ++a.ops;
    sum += size;
    if (size <= Parity::band) ++within;
  }
  if (a.ops == 0) return a;
  a.mape = sum / static_cast<double>(a.ops);
  a.within = static_cast<double>(within) / static_cast<double>(a.ops);
  return a;
}

}  // namespace

Parity compare_with_measured(const OpSet& ops, std::optional<FormatId> baseline) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  Parity out;
  for (const std::uint32_t op : ops.listed()) {
    const OpAnalysis a = plan.analyze(op);
    if (!(a.predicted_time_s > 0) && !(a.time_s > 0)) continue;
    ParityRow row;
    row.op = op;
    row.format = format_of(w.class_of(op));
    row.predicted_s = a.predicted_time_s;
    row.typical_s = a.typical_time_s;
    row.measured_s = a.time_s;
    row.stated_s = w.stated_time_s.empty() ? unknown : w.stated_time_s[op];
    row.error = row.predicted_s / row.measured_s - 1;
    row.typical_error = row.typical_s / row.measured_s - 1;
    row.stated_error = row.stated_s / row.measured_s - 1;
    row.efficiency = a.efficiency;
    if (row.format != no_format && std::find(out.formats.begin(), out.formats.end(), row.format) == out.formats.end())
      out.formats.push_back(row.format);
    out.rows.push_back(row);
  }

  out.baseline = baseline.value_or(default_baseline(out.formats));
  std::map<ShapeKey, std::size_t> of_shape;  // the first row in the baseline format
  for (std::size_t i = 0; i < out.rows.size(); ++i)
    if (out.rows[i].format == out.baseline) of_shape.emplace(shape_of(w, out.rows[i].op), i);
  for (ParityRow& row : out.rows) {
    const auto found = of_shape.find(shape_of(w, row.op));
    if (found == of_shape.end()) continue;
    const ParityRow& base = out.rows[found->second];
    const double occurrences = w.count_of(row.op) / w.count_of(base.op);
    row.baseline = base.op;
    row.speedup_predicted = base.predicted_s * occurrences / row.predicted_s;
    row.speedup_measured = base.measured_s * occurrences / row.measured_s;
  }

  out.predicted = agreement(out.rows, &ParityRow::error);
  out.typical = agreement(out.rows, &ParityRow::typical_error);
  out.stated = agreement(out.rows, &ParityRow::stated_error);
  return out;
}

}  // namespace roofline
