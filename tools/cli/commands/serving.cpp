// roofline llm MODEL --phase serving: where a deployment settles under its users' load.
#include "commands/serving.hpp"

#include <roofline/serving/operating_point.hpp>
#include <string>

#include "options/model.hpp"
#include "options/output.hpp"

namespace roofline::cli {

int serving(const nlohmann::ordered_json& request, Scenario scenario, const std::string& form) {
  use_engine_stack(scenario);
  const auto refused = [](const Error& error) { return report(option_of(error.path) + error.message, wrong_command_line); };
  Result<ServingRequest> parsed = parse_serving_request(request.dump());
  if (!parsed) return refused(parsed.error());
  use_engine_formats(*parsed, scenario);
  const Result<ServingPoint> point = operating_point(*parsed, scenario);
  if (!point) return refused(point.error());
  if (form == "json") return print(serving_json(*point, *parsed, scenario) + "\n");
  if (form == "table") return print(serving_table(*point, *parsed, scenario));
  return report("--phase serving: expected -o table or json", wrong_command_line);
}

}  // namespace roofline::cli
