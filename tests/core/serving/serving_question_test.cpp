// What the page asks about serving.
#include <algorithm>
#include <roofline/serving/frontier.hpp>

#include "json.hpp"
#include "session/questions/serving/serving_answers.hpp"
#include "support.hpp"

using namespace roofline;

TEST_CASE("a question about serving is answered with a deployment's operating point", "[serving]") {
  const std::string_view settings = R"({"machine": "h200-sxm"})";
  const Answer a = answer_serving("serving", settings, R"({"model": "llama-3.1-70b", "weights": "fp8_e4m3", "tp": 4, "prompt": 8000,
    "generate": 1000, "concurrency": 64})");
  const Json json = Json::parse(a.json);
  CHECK(json["schema"] == "roofline-serving/1");
  CHECK(json["summary"]["estimate"]["stack"] == "vllm");
  CHECK(json["summary"]["typical_tpot_s"] > json["summary"]["tpot_s"]);
  const Json refused = Json::parse(answer_serving("serving", settings, R"({"model": "llama-3.1-70b", "tp": 4, "rate": 1e6})").json);
  CHECK(refused["error"]["path"] == "rate");
}

TEST_CASE("a question about a frontier is answered with its points as columns", "[serving]") {
  const Answer a = answer_serving("frontier", "{}", R"({"model": "llama-3.1-70b", "machines": ["h100-sxm", "b200-sxm"], "gpus": 8,
    "weights": ["fp8_e4m3"], "prompt": 8000, "generate": 1000})");
  const Json json = Json::parse(a.json);
  REQUIRE(json["machines"].size() == 2);
  CHECK(!json["machines"][0].contains("points"));
  const auto column = [&](const std::string& name) {
    for (const auto& [key, values] : a.columns)
      if (key == name) return values;
    return std::vector<float>();
  };
  const std::vector<float> speed = column("tokens_per_s_per_user1"), flags = column("flags1");
  REQUIRE(speed.size() > 100);
  REQUIRE(speed.size() == flags.size());
  CHECK(column("tp1").size() == speed.size());
  const std::vector<float> each = column("tokens_per_s_per_machine1");
  const float best = *std::max_element(each.begin(), each.end());
  CHECK(best == Approx(json["machines"][1]["picks"][0]["best"]["tokens_per_s_per_machine"].get<double>()));
  CHECK(Json::parse(answer_serving("frontier", "{}", R"({"model": "llama-3.1-70b", "machines": []})").json)["error"]["path"] == "machines");
}
