// "scenario": the settings in force, as documents have them: {} -> `scenario` of "roofline-analysis/1".
#include "base/json_out.hpp"
#include "session/questions/questions.hpp"
#include "write/scenario_json.hpp"

namespace roofline {

Result<Answer> ask_scenario(const QuestionContext& of, const Json& /*request*/) {
  return Answer{json_text([&](JsonOut& out) { write_scenario(out, of.plan()); }), {}};
}

}  // namespace roofline
