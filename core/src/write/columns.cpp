#include <roofline/write/columns.hpp>

#include "base/json_out.hpp"
#include "write/op_json.hpp"

namespace roofline {

Columns columns_of(const OpSet& ops) {
  const Plan& plan = ops.plan();
  const Workload& w = plan.workload();
  Columns out;
  for (const std::uint32_t op : selected_ops(ops, {})) {
    const OpAnalysis a = plan.analyze(op);
    out.index.push_back(op);
    out.count.push_back(w.count_of(op));
    out.flops.push_back(a.flops);
    out.bytes.push_back(a.bytes);
    out.intensity.push_back(a.intensity);
    out.predicted_time_s.push_back(a.predicted_time_s);
    out.typical_time_s.push_back(a.typical_time_s);
    out.time_s.push_back(a.time_s);
    out.self_time_s.push_back(a.self_time_s);
    out.lost_time_s.push_back(a.lost_time_s);
    out.achieved_flops.push_back(a.achieved_flops);
    out.achieved_bandwidth.push_back(a.achieved_bandwidth);
    out.attainable_flops.push_back(a.attainable_flops);
    out.efficiency.push_back(a.efficiency);
    out.status.push_back(static_cast<std::uint8_t>(a.status));
    out.bound_by.push_back(a.bound_by);
    out.name.emplace_back(w.name_of(op));
    out.type.push_back(w.class_of(op).type);
  }
  return out;
}

std::string column_words_json(const Columns& columns, const Plan& plan) {
  std::vector<std::string> resources;
  for (const Resource& resource : plan.resources()) resources.push_back(resource.name);
  return json_text([&](JsonOut& out) {
    out.object([&] {
      out.list("statuses", names_of<Status>);
      out.list("resources", resources);
      out.list("name", columns.name);
      out.list("type", columns.type);
    });
  });
}

}  // namespace roofline
