#include <algorithm>
#include <roofline/base/text.hpp>
#include <roofline/serving/frontier.hpp>

#include "base/joined.hpp"
#include "llm/member_reader.hpp"
#include "machine/json.hpp"
#include "serving/frontier_json.hpp"
#include "serving/pools.hpp"
#include "serving/request_json.hpp"

namespace roofline {
namespace {

/// What a frontier adds to a model's request; users and layouts are searched.
constexpr const char* frontier_keys[] = {"machines", "gpus",          "tpot_max",         "ttft_max",
                                         "weights",  "disaggregated", "prefill_machines", "price"};
constexpr const char* searched_keys[] = {"rate", "requests", "tp", "ep", "pp", "dp", "attention_dp", "batch", "context"};

}  // namespace

ServingRequest request_on(const FrontierRequest& asked, std::size_t weights, const Scenario& scenario) {
  const Machine& machine = scenario.machine;
  ServingRequest out = asked.formats[weights];
  use_engine_formats(out, scenario);
  if (const HourlyPrice* price = machine.hourly_price(asked.price)) out.llm.cost.usd_per_hour = price->usd.value;
  for (const auto& [id, usd] : asked.usd_per_hour)
    if (id == machine.id) out.llm.cost.usd_per_hour = usd;
  return out;
}

Result<FrontierRequest> parse_frontier_request(std::string_view text, const Scenario& base) {
  const Result<Json> json =
      parse_json(text, R"(a request such as {"model": "llama-3.1-70b", "machines": ["h100-sxm"], "prompt": 8000, "generate": 1000})");
  return json ? frontier_request_from(*json, base) : Unexpected(json.error());
}

Result<FrontierRequest> frontier_request_from(const Json& json, const Scenario& base) {
  if (!json.is_object()) return fail(std::string("expected an object, found ") + kind_of(json));
  for (const char* key : searched_keys)
    if (json.contains(key)) return fail("is searched; `roofline llm --phase serving` takes one", key);
  FrontierRequest out;
  MemberReader in(json);
  if (text_of(member(json, "gpus")) != "any") out.gpus = in.whole("gpus", unknown);
  out.tpot_max = in.positive("tpot_max", "seconds", unknown);
  out.ttft_max = in.positive("ttft_max", "seconds", unknown);
  out.concurrency = in.whole("concurrency", unknown);
  out.disaggregated = in.flag("disaggregated", false);
  out.price = text_of(member(json, "price"));
  if (in.error) return Unexpected(*in.error);
  const Json& each = member(json, "usd_per_hour");  // one for all machines is a key of the model's request
  if (each.is_object())
    for (const auto& [id, usd] : each.items()) {
      if (!(number_of(usd) > 0)) return fail("expected US dollars per hour, found " + shown(usd), "usd_per_hour." + id);
      out.usd_per_hour.emplace_back(id, number_of(usd));
    }

  const Json& prefill = member(json, "prefill_machines");
  if (!prefill.is_null() && !prefill.is_array()) return fail("expected machines such as [\"h100-sxm\", \"b200-sxm\"]", "prefill_machines");
  if (!prefill.is_null() && !out.disaggregated) return fail("expected disaggregated, too", "prefill_machines");
  for (std::size_t i = 0; i < prefill.size(); ++i) {
    Result<Machine> machine = machine_from_id_or_object(prefill[i], "prefill_machines[" + std::to_string(i) + "]");
    if (!machine) return Unexpected(machine.error());
    out.prefill_machines.push_back(std::move(*machine));
  }

  const Json& machines = member(json, "machines");
  if (!machines.is_array() || machines.empty()) return fail("expected machines such as [\"h100-sxm\", \"b200-sxm\"]", "machines");
  for (std::size_t i = 0; i < machines.size(); ++i) {
    Result<Machine> machine = machine_from_id_or_object(machines[i], "machines[" + std::to_string(i) + "]");
    if (!machine) return Unexpected(machine.error());
    out.machines.push_back(base);
    out.machines.back().use(std::move(*machine));
    use_engine_stack(out.machines.back());
  }

  std::vector<std::string> ids;
  for (const Scenario& scenario : out.machines) ids.push_back(scenario.machine.id);
  for (const Machine& machine : out.prefill_machines) ids.push_back(machine.id);
  for (const auto& [id, usd] : out.usd_per_hour)
    if (std::find(ids.begin(), ids.end(), id) == ids.end())
      return fail("expected the id of a machine that is searched: " + joined(ids, ", "), "usd_per_hour." + id);

  Json weights = member(json, "weights");
  if (weights.is_null()) weights = Json::array({"published"});
  if (!weights.is_array()) weights = Json::array({weights});
  for (const Json& format : weights) {
    Json request = json;
    for (const char* key : frontier_keys) request.erase(key);
    if (each.is_object()) request.erase("usd_per_hour");
    request["weights"] = format;
    request["concurrency"] = 1;
    Result<ServingRequest> parsed = serving_request_from(request);
    if (!parsed) return Unexpected(parsed.error());
    out.formats.push_back(std::move(*parsed));
    out.weights.push_back(text_of(format));
  }
  return out;
}

}  // namespace roofline
