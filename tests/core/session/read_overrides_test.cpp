// What a session takes a file for: times and layers of one run are joined, unless one of them is to be alone; a model stands beside a
// trace.
#include <nlohmann/json.hpp>

#include "session.hpp"
#include "step_trace.hpp"

using namespace roofline;
using nlohmann::json;

namespace {

std::string times() { return file("tests/data/tensorrt_profile.json"); }
std::string layers() { return file("tests/data/tensorrt_layers.json"); }

json opened_in(Session& session, const std::string& bytes, const std::string& name) {
  const json answer = json::parse(open_in(session, bytes, name));
  INFO(answer.dump());
  REQUIRE(answer.contains("opened"));
  return answer["opened"];
}

}  // namespace

TEST_CASE("taken as: times and layers are joined, in either order", "[session]") {
  for (const bool times_first : {true, false}) {
    Session session;
    const json first = opened_in(session, times_first ? times() : layers(), "first.json");
    CHECK(first["joined"] == false);
    CHECK(first["lacking"] == (times_first ? "work" : "times"));
    const json both = opened_in(session, times_first ? layers() : times(), "second.json");
    CHECK(both["joined"] == true);
    CHECK(both["lacking"] == "");
    CHECK(both["source"] == (times_first ? "second.json + first.json" : "first.json + second.json"));
    CHECK(both["before"].is_null());
  }
}

TEST_CASE("taken as: a file alone", "[session]") {
  Session session;
  opened_in(session, times(), "times.json");
  REQUIRE(session.take_as(R"({"alone": true})") == "{}");
  CHECK(opened_in(session, layers(), "layers.json")["joined"] == false);
  CHECK(opened_in(session, times(), "times.json")["joined"] == true);  // the next one as its content says
}

TEST_CASE("taken as: two runs that each lack the same are not joined", "[session]") {
  Session session;
  opened_in(session, times(), "a.json");
  session.keep(true);
  const json second = opened_in(session, times(), "b.json");
  CHECK(second["joined"] == false);
  CHECK(second["before"] == "a.json");
}

TEST_CASE("taken as: a trace's model", "[session]") {
  const std::string trace = step_trace(decode);
  Session session;
  const json kernels = opened_in(session, trace, "trace.json");
  CHECK(kernels["asks_for_model"] == json{{"context", false}});
  REQUIRE(session.take_as(R"({"model": {"model": "llama-3-8b"}})") == "{}");
  REQUIRE(json::parse(open_in(session, trace, "trace.json")).contains("error"));  // it has more layers
  CHECK(json::parse(session.frame().json)["all"]["ops"] == kernels["ops"]);       // what was open stays
  REQUIRE(session.take_as(R"({"model": {"model": )" + small_config() + "}}") == "{}");
  const json placed = opened_in(session, trace, "trace.json");
  CHECK(placed["asks_for_model"].is_null());
  CHECK(session.index_of("down_proj") >= 0);
  CHECK(json::parse(session.take_as(R"({"model": {"model": "no-such"}})"))["error"]["path"] == "model");
  CHECK(json::parse(session.take_as("[")).contains("error"));
}

TEST_CASE("taken as: steps that leave the context open ask for it", "[session]") {
  Session session;
  CHECK(opened_in(session, step_trace("step[DECODE bs=2]"), "trace.json")["asks_for_model"] == json{{"context", true}});
}
