// "parity": predicted against measured. Request: {"baseline": "fp16"} (absent: chosen). Answer: docs/formats/formats.md, `parity`; at most
// the 2,000 longest operations. "fit": what the machine reaches by these measurements. Request: {}.
#include "session/questions/questions.hpp"
#include "write/runs/parity_json.hpp"

namespace roofline {

Result<Answer> ask_parity(const QuestionContext& of, const Json& request) {
  const Plan& plan = of.plan();
  const std::string name = text_of(member(request, "baseline"));
  std::optional<FormatId> baseline;
  if (!name.empty()) {
    baseline = Formats::catalogue().find(name);
    if (!baseline) return fail(Formats::catalogue().unknown_name_message(name), "baseline");
  }
  constexpr std::size_t most = 2000;
  return Answer{json_text([&](JsonOut& out) { write_parity(out, plan, compare_with_measured(of.ops, baseline), most); }), {}};
}

Result<Answer> ask_fit(const QuestionContext& of, const Json&) {
  const Plan& plan = of.plan();
  const Result<Fit> found = fit(of.ops);
  if (!found) return Unexpected(found.error());
  return Answer{json_text([&](JsonOut& out) { write_fit(out, plan, *found); }), {}};
}

}  // namespace roofline
