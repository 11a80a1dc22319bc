// What views beyond the chart ask: filters by words, heat map, distribution, the first operations, the comparison.
#include <cmath>
#include <cstring>
#include <roofline/session.hpp>

#include "json.hpp"
#include "support.hpp"

namespace roofline {
namespace {

// The benchmark viewer's eight kernels.
const std::string kernels =
    "name,arithmeticIntensity,tflops,batch,dtype,model\n"
    "A,2.5,100,32,f32,modelX\nB,1.8,80,64,f16,modelY\nC,3.2,120,32,f32,modelX\nD,2.1,90,64,f16,modelY\n"
    "E,2.8,110,32,f32,modelZ\nF,1.5,70,64,f16,modelX\nG,3.5,130,32,f32,modelY\nH,2.3,95,64,f16,modelZ\n";

Json load(Session& session, const std::string& bytes, const char* name = "k.csv") {
  std::memcpy(session.begin(bytes.size(), name), bytes.data(), bytes.size());
  const Json prepared = Json::parse(session.prepare());
  REQUIRE_FALSE(prepared.contains("error"));
  return Json::parse(session.step(static_cast<std::size_t>(1) << 30));
}

std::string shown(Session& session, const std::string& where) {
  REQUIRE(session.view("{\"sort\": \"name\", \"descending\": false, \"where\": " + where + "}") == "{}");
  std::string out;
  const Json frame = Json::parse(session.frame().json);
  for (const Json& row : frame["table"]["rows"]) out += text_of(row["name"]);
  return out;
}

const std::vector<float>& column(const Answer& answer, std::string_view name) {
  for (const auto& [key, values] : answer.columns)
    if (key == name) return values;
  FAIL("no column");
  return answer.columns[0].second;
}

TEST_CASE("Filters by columns of words", "[ask]") {
  Session session;
  const Json opened = load(session, kernels);
  CHECK(opened["opened"]["columns"][0] == Json({{"name", "batch"}, {"words", {"32", "64"}}, {"ops", {4, 4}}}));
  CHECK(shown(session, "{}") == "ABCDEFGH");
  CHECK(shown(session, R"({"batch": ["32"]})") == "ACEG");
  CHECK(shown(session, R"({"dtype": ["f16"]})") == "BDFH");
  CHECK(shown(session, R"({"model": ["modelX"]})") == "ACF");
  CHECK(shown(session, R"({"batch": ["32"], "model": ["modelX"]})") == "AC");
  CHECK(shown(session, R"({"batch": ["32"], "dtype": ["f16"]})").empty());
  CHECK(shown(session, R"({"model": ["modelX", "modelZ"]})") == "ACEFH");
  CHECK(shown(session, R"({"no such column": ["x"]})") == "ABCDEFGH");
  CHECK(shown(session, R"({"batch": []})").empty());
}

TEST_CASE("Heat map of two columns", "[ask]") {
  Session session;
  load(session, kernels);
  const Answer answer = session.ask("heatmap", R"({"rows": "dtype", "columns": "model", "metric": "achieved"})");
  const Json json = Json::parse(answer.json);
  CHECK(json["rows"]["words"] == Json({"f32", "f16"}));
  CHECK(json["columns"]["words"] == Json({"modelX", "modelY", "modelZ"}));
  // Means of rates: A and C, G, E; F, B and D, H.
  CHECK(column(answer, "value") == std::vector<float>{110e12f, 130e12f, 110e12f, 70e12f, 85e12f, 95e12f});
  CHECK(column(answer, "ops") == std::vector<float>{2, 1, 1, 1, 2, 1});
  CHECK(json["high"] == 130e12);
  CHECK(json["choices"][0] == "batch");

  // It follows the filters: what they leave out has no row of its own.
  REQUIRE(session.view(R"({"where": {"dtype": ["f16"], "batch": ["64"]}})") == "{}");
  const Answer filtered = session.ask("heatmap", R"({"rows": "dtype", "columns": "model", "metric": "ops"})");
  CHECK(column(filtered, "value") == std::vector<float>{1, 2, 1});
  REQUIRE(session.view(R"({"where": {"dtype": ["f16"], "batch": ["32"]}})") == "{}");
  const Answer none = session.ask("heatmap", R"({"rows": "dtype", "columns": "model"})");
  CHECK(column(none, "value").empty());
  CHECK(Json::parse(none.json)["low"].is_null());

  CHECK(text_of(Json::parse(session.ask("heatmap", R"({"rows": "colour"})").json)["error"]["message"])
            .find("no column is called \"colour\": expected one of batch, dtype, model, type") == 0);
  CHECK(text_of(Json::parse(session.ask("heatmap", R"({"metric": "speed"})").json)["error"]["message"])
            .find("no metric is called \"speed\"") == 0);
}

TEST_CASE("A cell's rate is work over time, its efficiency bound over time", "[ask]") {
  Session session;
  // 2 MFLOP in 1 us and in 3 us: 1 TFLOP/s together, not the mean of 2 and 0.667. On npu-32t50 1 MB takes 20 us at 50 GB/s.
  load(session, "name,kind,flops,bytes,time_us\na,x,2000000,1000000,40\nb,x,2000000,1000000,120\n");
  const auto cell = [&](const char* metric) {
    return column(session.ask("heatmap", std::string(R"({"rows": "type", "columns": "type", "metric": ")") + metric + "\"}"), "value")[0];
  };
  CHECK_THAT(cell("achieved"), WithinRel(4e6 / 160e-6, 1e-6));
  CHECK_THAT(cell("time"), WithinRel(160e-6, 1e-6));
  CHECK_THAT(cell("intensity"), WithinRel(2.0, 1e-6));
  CHECK_THAT(cell("bandwidth"), WithinRel(2e6 / 160e-6, 1e-6));
  CHECK_THAT(cell("efficiency"), WithinRel(40.0 / 160, 1e-6));
  CHECK(cell("ops") == 2);
}

TEST_CASE("Distribution", "[ask]") {
  Session session;
  load(session, kernels);
  const Answer answer = session.ask("distribution", R"({"metric": "intensity", "bins": 2})");
  const Json json = Json::parse(answer.json);
  CHECK(json["known"] == 8);
  CHECK(number_of(json["least"]) == 1.5);
  CHECK(number_of(json["most"]) == 3.5);
  CHECK_THAT(number_of(json["median"]), WithinRel(2.3, 1e-6));
  CHECK_THAT(number_of(json["edges"][1]), WithinRel(std::sqrt(1.5 * 3.5), 1e-6));  // 2.29: B, D, F are below
  CHECK(column(answer, "ops") == std::vector<float>{3, 5});
}

TEST_CASE("The first operations in the table's order", "[ask]") {
  Session session;
  load(session, kernels);
  REQUIRE(session.view(R"({"sort": "achieved", "descending": true, "where": {"dtype": ["f32"]}})") == "{}");
  static_cast<void>(session.frame());
  const Answer answer = session.ask("listed", R"({"limit": 3})");
  const Json json = Json::parse(answer.json);
  CHECK(json["total"] == 4);
  CHECK(json["names"] == Json({"G", "C", "E"}));
  CHECK(column(answer, "op") == std::vector<float>{6, 2, 4});
  CHECK(column(answer, "achieved") == std::vector<float>{130e12f, 120e12f, 110e12f});
  CHECK(column(answer, "intensity")[0] == 3.5f);
}

TEST_CASE("A run is kept and compared with the next", "[ask]") {
  Session session;
  load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,10\ngone,8,8,8,f16,1\n", "before.csv");
  CHECK(text_of(Json::parse(session.ask("compare", "{}").json)["error"]["message"]) == "no run is kept to compare with");
  session.keep(true);
  const Json opened = load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,5\n", "after.csv");
  CHECK(opened["opened"]["before"] == "before.csv");
  const Answer answer = session.ask("compare", R"({"rows": 1})");
  const Json json = Json::parse(answer.json);
  CHECK(json["a"]["source"] == "before.csv");
  CHECK(json["total"] == 2);
  CHECK(json["ops"].size() == 1);
  CHECK(json["ops"][0]["time_ratio"] == 0.5);
  CHECK(json["summary"]["vanished"] == 1);
  CHECK(column(answer, "b") == std::vector<float>{0});
  CHECK_THAT(column(answer, "attained_b")[0] / column(answer, "attained_a")[0], WithinRel(2.0, 1e-6));

  // What opens next replaces the later run only.
  CHECK(load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,2\n", "third.csv")["opened"]["before"] == "before.csv");
  session.forget();
  CHECK(load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,2\n")["opened"]["before"].is_null());
}

}  // namespace
}  // namespace roofline
