// "fusion": neighbouring operations as if one kernel did them.
//   {"ops": [3, 4, 5], "records": ["{...}", ...]} -> "roofline-fusion/1". `records`: each operation's raw text, "" where there is none;
//   needed only of a source whose records the core does not keep.
#include <roofline/write/fusion.hpp>

#include "session/questions/questions.hpp"

namespace roofline {

Result<Answer> ask_fusion(const QuestionContext& of, const Json& request) {
  const Workload& w = of.plan().workload();
  const Json &ops = member(request, "ops"), &records = member(request, "records");
  std::vector<std::uint32_t> rows;
  std::vector<OperationTensors> tensors;
  if (!ops.is_array()) return fail("expected a list of indexes", "ops");
  for (const Json& op : ops) {
    const double row = number_of(op);
    if (!(row >= 0 && row < static_cast<double>(w.size()))) return fail("expected indexes of operations, found " + compact(op), "ops");
    const std::size_t i = rows.size();
    rows.push_back(static_cast<std::uint32_t>(row));
    const std::string given = records.is_array() && i < records.size() ? text_of(records[i]) : std::string();
    tensors.push_back(tensors_of(w.own_records ? w.record_of(rows[i]) : std::string_view(given), of.keys, of.registry));
  }
  const Result<Fusion> fusion = fuse(of.plan(), rows, tensors);
  if (!fusion) return Unexpected(fusion.error());
  Answer answer;
  write_fusion_json(of.plan(), *fusion, [&](std::string_view piece) { answer.json += piece; });
  return answer;
}

}  // namespace roofline
