// What runs add up to: written, merged, and read back as operations.
#include <roofline/write/summary.hpp>

#include "json.hpp"
#include "rows.hpp"
#include "session.hpp"

using namespace roofline;

namespace {

constexpr const char* machine =
    R"({"id": "m", "name": "M", "peaks": {"matrix": {"fp16": 1e12}, "vector": {"fp16": 1e11}}, "memories": [{"name": "HBM", "bandwidth": 1e9, "capacity": 1e9}], "links": []})";

/// One product with 2e6 FLOP and 6e4 B: at least 60 us.
std::string run(const char* times) {
  std::string ops;
  for (const std::string_view all = times; const char* time : {"100000", "50000", "70000"})
    if (all.find(time) != std::string_view::npos)
      ops += std::string(ops.empty() ? "" : ",") +
             R"({"type": "gemm", "name": "a", "data_type": "fp16", "m": 100, "n": 100, "k": 100, "time_ns": )" + time + '}';
  return std::string(R"({"machine": )") + machine + R"(, "ops": [)" + ops + "]}";
}

RunSummary summary_of(const std::string& text) {
  const Workload w = open(text);
  const Result<Machine> m = parse_machine(w.machine_json);
  REQUIRE(m);
  const Scenario scenario = on(*m);
  RunSummary summary;
  REQUIRE(summary.add(Plan(w, scenario)));
  summary.end_run();
  return summary;
}

std::string written(const RunSummary& summary) {
  std::string text;
  summary.write([&](std::string_view piece) { text += piece; });
  return text;
}

std::string merged(const std::vector<std::string>& documents) {
  RunSummary summary;
  for (const std::string& text : documents) {
    const Result<std::size_t> taken = summary.add_documents(text, true);
    INFO((taken ? std::string() : taken.error().text()));
    REQUIRE(taken);
  }
  return written(summary);
}

std::string refusal(const std::string& document) {
  RunSummary summary;
  const Result<std::size_t> taken = summary.add_documents(document, true);
  REQUIRE(!taken);
  return taken.error().text();
}

}  // namespace

TEST_CASE("summary: rows are operations again, with the machine", "[summary]") {
  const std::string fleet = merged({written(summary_of(run("100000 50000"))), written(summary_of(run("70000")))});
  const Workload w = open(fleet);
  CHECK(w.source_format == SourceFormat::summary);
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "a");
  CHECK(w.class_of(0).type == "gemm");
  CHECK(w.class_of(0).weight == format("fp16"));
  CHECK(w.matrix_flops[0] == 6e6);
  CHECK(w.weight[0] == 3e4);
  CHECK(w.class_of(0).family == OpFamily::matrix_product);
  CHECK(w.sizes_of(0) == OpSizes{100, 100, 100, 1});
  CHECK(w.count_of(0) == 3);
  CHECK(w.time_s[0] == 220e-6);
  CHECK(!known(w.given_bytes.empty() ? unknown : w.given_bytes[0]));
  CHECK(says(w, "what 2 runs add up to: 3 records in 1 row"));
  const Result<Machine> m = parse_machine(w.machine_json);
  REQUIRE(m);
  CHECK(m->memories[0].bandwidth.value == 1e9);
  const Scenario scenario = on(*m);
  CHECK(Plan(w, scenario).analyze(0).predicted_time_s == Approx(180e-6));
}

TEST_CASE("summary: what one run loses is not hidden by another above the roof", "[summary]") {
  const Workload w = open(merged({written(summary_of(run("100000 50000 70000")))}));
  REQUIRE(w.measures.size() == 2);
  CHECK(w.measures[0].values[0] == 3);
  CHECK(w.measures[1].values[0] == Approx(50e-6));  // 40 us and 10 us; of 50 us there are 10 us above the roof
}

TEST_CASE("summary: the page opens it, the operation that loses most first", "[summary]") {
  const auto op = [](const char* name, int m, const char* time) {
    return R"({"type": "gemm", "name": ")" + std::string(name) + R"(", "data_type": "fp16", "m": )" + std::to_string(m) +
           R"(, "n": 100, "k": 100, "count": 100000000, "time_ns": )" + time + '}';
  };
  const std::string night =
      std::string(R"({"machine": )") + machine + R"(, "ops": [)" + op("little", 100, "61000") + ", " + op("much", 200, "200000") + "]}";
  const std::string one = written(summary_of(night));
  Session session;
  CHECK(open_in(session, merged({one, one}), "fleet.json").find("\"error\"") == std::string::npos);
  const Json frame = Json::parse(session.frame().json, nullptr, false);
  REQUIRE(frame["table"]["rows"].size() == 2);
  const Json& worst = frame["table"]["rows"][0];
  CHECK(text_of(worst["name"]) == "much");
  CHECK(number_of(worst["lost_time_s"]) == Approx(2 * 1e8 * (200e-6 - 100e-6)));  // 2.8 hours of each night
}

TEST_CASE("summary: pieces of a text, and what is left of them", "[summary]") {
  const std::string one = written(summary_of(run("100000"))), two = one + one;
  RunSummary summary;
  const Result<std::size_t> taken = summary.add_documents(std::string_view(two).substr(0, one.size() + 10), false);
  REQUIRE(taken);
  CHECK(*taken == one.size());
  REQUIRE(summary.add_documents(std::string_view(two).substr(*taken), true));
  CHECK(written(summary) == merged({one, one}));
  check_in_pieces(two);
}

TEST_CASE("summary: what is wrong is said", "[summary]") {
  const std::string good = written(summary_of(run("100000")));
  const auto with = [&](std::string_view part, std::string_view other) {
    std::string text = good;
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), other);
  };
  CHECK(refusal(with("\"weight\":\"fp16\"", "\"weight\":\"fp17\"")) ==
        "rows[0].formats.weight: unknown format \"fp17\": did you mean fp16?");
  CHECK(refusal(with("summary/1", "summary/9")) == "expected \"schema\": \"roofline-summary/1\", found \"roofline-summary/9\"");
  CHECK(refusal(with("\"rows\":[", "\"rows\":[7,")) == "rows[0]: expected an object");
  CHECK(refusal(with("\"machine\":{", "\"machine\":{\"deep\":" + std::string(5000, '[') + std::string(5000, ']') + ',')) ==
        "expected a machine and its settings");
  CHECK(refusal(with("\"count\":1", "\"count\":0")) == "rows[0].count: expected a number from 0 to 8e270");
  CHECK(refusal(with("\"time_s\":0.0001,\"count\"", "\"time_s\":-1,\"count\"")) == "rows[0].time_s: expected a number from 0 to 8e270");
  CHECK(refusal("[1]").find("expected \"schema\"") == 0);
}
