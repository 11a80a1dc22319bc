// Times and work of the same layers, in two files.
#include <roofline/workload/join.hpp>

#include "json.hpp"
#include "rows.hpp"
#include "session.hpp"

using namespace roofline;

namespace {

Workload times(const std::string& rows) {
  ReadOptions options;
  options.source_name = "times.csv";
  return open("name,time_us\n" + rows, options);
}

Workload work() {
  ReadOptions options;
  options.source_name = "work.json";
  return open(R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "b", "m": 8, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "a", "m": 16, "n": 3, "k": 4, "data_type": "FP16"}])",
              options);
}

}  // namespace

TEST_CASE("join: by name, equal names in their order, in either order of files", "[join]") {
  const Workload t = times("a,5\nb,7\na,9\n");
  REQUIRE(complete_each_other(t, work()));
  for (const bool swapped : {false, true}) {
    const Result<Workload> w = swapped ? join(work(), t) : join(t, work());
    REQUIRE(w);
    REQUIRE(w->size() == 3);
    CHECK_THAT(w->time_s[0], WithinRel(5e-6, 1e-12));
    CHECK_THAT(w->time_s[1], WithinRel(7e-6, 1e-12));
    CHECK_THAT(w->time_s[2], WithinRel(9e-6, 1e-12));
    CHECK(w->matrix_flops[2] == 2.0 * 16 * 3 * 4);
    CHECK(w->diagnostics[0].message == "3 of 3 operations of work.json have their times from times.csv, by name");
    CHECK(w->source == "work.json + times.csv");
  }
}

TEST_CASE("join: what is left over on either side stays, and is said", "[join]") {
  const Result<Workload> w = join(times("b,7\na,5\nother,3\n"), work());
  REQUIRE(w);
  REQUIRE(w->size() == 4);
  CHECK(!known(w->time_s[2]));  // the second a
  const std::size_t other = row_named(*w, "other");
  CHECK_THAT(w->time_s[other], WithinRel(3e-6, 1e-12));
  CHECK(w->class_of(other).time_only);
  CHECK(says(*w, "1 of work.json has no time in times.csv: a"));
  CHECK(says(*w, "1 of times.csv has no work in work.json: other"));
}

TEST_CASE("join: work counts as often as its time was taken", "[join]") {
  const Workload t = open("name,calls,total_us,flag\na,10,50,x\nb,1,7,x\n");
  REQUIRE(t.count_of(0) == 10);
  const Result<Workload> w = join(t, work());
  REQUIRE(w);
  CHECK(w->count_of(0) == 10);
  CHECK(w->matrix_flops[0] == 10 * 2.0 * 2 * 3 * 4);
  CHECK_THAT(w->time_s[0], WithinRel(50e-6, 1e-12));
  CHECK(w->count_of(1) == 1);
}

TEST_CASE("join: a time without work is of no step", "[join]") {
  const Workload w = open(R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "step": "first"}])");
  const Result<Workload> both = join(times("a,5\nb,7\n"), w);
  REQUIRE(both);
  REQUIRE(both->size() == 2);
  CHECK(both->steps[both->step[0]] == "first");
  CHECK(both->steps[both->step[1]] == "");
}

TEST_CASE("join: two runs and other models are not joined", "[join]") {
  const Workload t = times("a,5\nb,7\na,9\n");
  CHECK(!complete_each_other(t, t));
  CHECK(!complete_each_other(work(), work()));
  CHECK(join(t, t).error().message.find("two runs are compared") != std::string::npos);
  CHECK(join(times("x,5\ny,6\nb,7\n"), work()).error().message.find("1 of 3 names are in both files") == 0);
}

TEST_CASE("join: a second file that completes the first is joined, not compared", "[join]") {
  Session session;
  open_in(session, "name,time_us\na,5\nb,7\na,9\n", "times.csv");
  session.keep(true);
  const Json answer = Json::parse(open_in(session, R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "b", "m": 8, "n": 3, "k": 4, "data_type": "FP16"}])",
                                          "work.json"));
  CHECK(answer["opened"]["before"].is_null());
  CHECK(answer["opened"]["ops"] == 3);
  // Two runs are still compared.
  session.keep(true);
  const Json again = Json::parse(open_in(session, "name,time_us,flops\na,5,7\n", "run.csv"));
  CHECK(again["opened"]["before"] == "work.json + times.csv");
}
