// The rows of an operator side by side: {"baseline": row} -> {"baseline", "rows": [...]}, one element per format.
#include <roofline/calculator/calculator.hpp>

#include "analysis/finding_json.hpp"
#include "analysis/wording.hpp"
#include "calculator/speedups_json.hpp"
#include "session/questions/questions.hpp"
#include "write/op_json.hpp"

namespace roofline {

Result<Answer> ask_formats(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const Workload& w = plan.workload();
  constexpr std::size_t most = 1000;
  if (w.size() > most) return fail("has " + std::to_string(w.size()) + " operations: expected at most 1000 to compare");
  const double wanted = number_of(member(request, "baseline"));
  const auto baseline = wanted >= 0 && wanted < static_cast<double>(w.size()) ? static_cast<std::uint32_t>(wanted) : 0;
  const std::vector<FormatComparison> compared = compare_formats(plan, baseline);
  return Answer{json_text([&](JsonOut& out) {
                  out.begin_object();
                  write_finding(out, formats_finding(plan, compared, baseline));
                  out.member_count("baseline", baseline);
                  out.key("rows");
                  out.begin_array();
                  for (const FormatComparison& c : compared) {
                    const OpAnalysis a = plan.analyze(c.op);
                    out.begin_object();
                    out.member_count("index", c.op);
                    out.member("name", w.name_of(c.op));
                    out.key("formats");
                    write_formats(out, plan, c.op, a.compute);
                    out.member("fallback", a.compute_fallback);
                    out.member("flops", a.flops);
                    out.member("bytes", a.bytes);
                    out.member("intensity", a.intensity);
                    out.member("bound_by", resource_name(plan, a.bound_by));
                    out.member("predicted_time_s", a.predicted_time_s);
                    out.member("compute_time_s", a.min_time_s[0]);
                    out.member("typical_time_s", a.typical_time_s);
                    out.key("typical");
                    write_typical(out, plan, a.typical);
                    write_members<speedup_members>(out, c);
                    out.end_object();
                  }
                  out.end_array();
                  out.end_object();
                }),
                {}};
}

}  // namespace roofline
