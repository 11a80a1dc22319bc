// "listed": the first operations in the table's order, their figures as columns, for charts with a mark per operation.
//   {"limit": 10000} -> {"names": [...], "total": 123456}; op, intensity, achieved, attainable, efficiency, time, predicted, lost, limit
//   (index into the resources; their number: neither compute nor memory; 255: not known), status per operation

#include "analysis/own_time.hpp"
#include "base/json_out.hpp"
#include "session/questions/questions.hpp"

namespace roofline {
namespace {

constexpr std::size_t most = 20000;

}  // namespace

Result<Answer> ask_listed(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  FrameRequest wanted = of.view;
  wanted.top = 0;
  wanted.offset = 0;
  wanted.rows = count_in(request, "limit", most, most);
  const Frame frame = make_frame(of.ops, wanted);

  enum Column : std::size_t { op, intensity, achieved, attainable, efficiency, time, predicted, lost, limited_by, status, count };
  constexpr std::array names = {"op", "intensity", "achieved", "attainable", "efficiency", "time", "predicted", "lost", "limit", "status"};
  static_assert(names.size() == count);
  Answer answer;
  for (const char* name : names) {
    answer.columns.emplace_back(name, std::vector<float>());
    answer.columns.back().second.reserve(frame.rows.size());
  }
  const auto put = [&](Column column, double value) { answer.columns[column].second.push_back(static_cast<float>(value)); };
  answer.json = json_text([&](JsonOut& out) {
    out.begin_object();
    out.member_count("total", frame.shown.ops);
    out.key("names");
    out.begin_array();
    for (const std::uint32_t i : frame.rows) {
      const OpAnalysis a = plan.analyze(i);
      out.value(plan.workload().name_of(i));
      put(op, i);
      put(intensity, a.intensity);
      put(achieved, a.achieved_flops);
      put(attainable, a.attainable_flops);
      put(efficiency, a.partly_known ? unknown : a.efficiency);
      put(time, a.time_s);
      put(predicted, a.predicted_time_s);
      put(lost, a.partly_known ? unknown : a.lost_time_s);
      put(limited_by, static_cast<double>(limit_index(plan, a.limit, a.bound_by)));
      put(status, static_cast<double>(a.status));
    }
    out.end_array();
    out.end_object();
  });
  return answer;
}

}  // namespace roofline
