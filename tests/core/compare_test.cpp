// Two runs: matching, changes, totals. Figures: worked by hand on a machine of 100 FLOP/s and 10 B/s.
#include <cmath>
#include <roofline/write/compare.hpp>

#include "json.hpp"
#include "support.hpp"

namespace roofline {
namespace {

const char* header = "name,type,M,N,K,dtype,time_us\n";

struct Runs {
  Workload before, after;
  Scenario scenario = on(simple_machine("m", "M", 1e12, 1e11));
  Plan a, b;
  Comparison c;
  Runs(const std::string& x, const std::string& y)
      : before(open(header + x)), after(open(header + y)), a(before, scenario), b(after, scenario), c(compare(a, b)) {}
};

TEST_CASE("Changes are sorted by time saved, and totals add up", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\nthree,gemm,64,64,64,f16,5\ngone,gemm,8,8,8,f16,2\n",
               "three,gemm,64,64,64,f16,7\ntwo,gemm,64,64,64,f16,10\none,gemm,64,64,64,f16,9\nnew,gemm,8,8,8,f16,4\n");
  REQUIRE(r.c.ops.size() == 5);
  CHECK(r.c.totals.matched == 3);
  CHECK(r.c.totals.appeared == 1);
  CHECK(r.c.totals.vanished == 1);
  CHECK_FALSE(r.c.predicted);
  const auto& o = r.c.ops;
  CHECK((o[0].a == 1 && o[0].b == 1));
  CHECK_THAT(o[0].time_saved_s, WithinRel(20e-6, 1e-12));
  CHECK_THAT(o[0].time_ratio, WithinRel(1.0 / 3, 1e-12));
  CHECK((o[1].a == 3 && o[1].b == no_op));  // what vanished saves its 2 us
  CHECK_THAT(o[1].time_saved_s, WithinRel(2e-6, 1e-12));
  CHECK((o[2].a == 0 && o[2].b == 2));
  CHECK((o[3].a == 2 && o[3].b == 0));
  CHECK_THAT(o[3].time_ratio, WithinRel(1.4, 1e-12));
  CHECK((o[4].a == no_op && o[4].b == 3));
  CHECK(std::isnan(o[4].time_ratio));
  CHECK_THAT(r.c.totals.time_a_s, WithinRel(47e-6, 1e-12));
  CHECK_THAT(r.c.totals.time_b_s, WithinRel(30e-6, 1e-12));
  CHECK_THAT(r.c.totals.matched_time_a_s, WithinRel(45e-6, 1e-12));
  CHECK_THAT(r.c.totals.matched_time_b_s, WithinRel(26e-6, 1e-12));
  // 2 * 64^3 FLOPs at 1 TFLOP/s take 0.524288 us, and 3 * 64^2 * 2 bytes at 100 GB/s take 0.24576 us.
  CHECK_THAT(o[0].efficiency_change, WithinRel(0.524288 / 10 - 0.524288 / 30, 1e-9));
  CHECK(headline(r.c.totals, r.c.predicted) ==
        "1.57 times as fast: 30 µs instead of 47 µs. 23 µs saved, 6 µs lost. 3 operations in both runs, 1 appeared, 1 vanished.");
}

TEST_CASE("Equal operations are matched in order, changed shapes by name", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,1\nk,gemm,64,64,64,f16,2\nk,gemm,32,32,32,f16,3\n",
               "k,gemm,32,32,32,f16,4\nk,gemm,64,64,64,f16,5\nk,gemm,64,64,64,f16,6\n");
  REQUIRE(r.c.totals.matched == 3);
  for (const OpChange& o : r.c.ops) {
    if (o.a == 0) CHECK(o.b == 1);
    if (o.a == 1) CHECK(o.b == 2);
    if (o.a == 2) CHECK(o.b == 0);
  }
  const Runs grown("k,gemm,64,64,64,f16,1\n", "k,gemm,128,64,64,f16,1\n");
  CHECK(grown.c.totals.matched == 1);
  const Runs other("k,gemm,64,64,64,f16,1\n", "k,bmm,64,64,64,f16,1\n");
  CHECK(other.c.totals.matched == 0);
}

TEST_CASE("Without times the bounds are compared", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,\n", "k,gemm,64,64,64,f32,9\n");
  CHECK(r.c.predicted);
  CHECK_THAT(r.c.ops[0].time_a_s, WithinRel(0.524288e-6, 1e-9));
  CHECK_THAT(r.c.ops[0].time_b_s, WithinRel(0.524288e-6, 1e-9));  // 49,152 bytes at 100 GB/s take less
}

TEST_CASE("Rates alone: the ratio of the rates", "[compare]") {
  const Workload before = open(R"([{"name":"k","tflops":2,"arithmeticIntensity":4}])"),
                 after = open(R"([{"name":"k","tflops":3,"arithmeticIntensity":4}])");
  const Scenario s = on(simple_machine("m", "M", 1e13, 1e12));
  const Comparison c = compare(Plan(before, s), Plan(after, s));
  CHECK_THAT(c.ops[0].time_ratio, WithinRel(2.0 / 3, 1e-12));
  CHECK(std::isnan(c.ops[0].time_saved_s));
}

TEST_CASE("Two machines", "[compare]") {
  const Workload w = open(std::string(header) + "k,gemm,64,64,64,f16,10\n");
  const Scenario slow = on(simple_machine("s", "S", 1e12, 1e11)), fast = on(simple_machine("f", "F", 2e12, 1e12));
  const Comparison c = compare(Plan(w, slow), Plan(w, fast));
  CHECK_THAT(c.ops[0].efficiency_change, WithinRel(-0.0524288 / 2, 1e-9));
}

TEST_CASE("A filter leaves a pair where either side is let through, and totals of both", "[compare]") {
  Runs r("one,gemm,64,64,64,f16,10\ntwo,gemm,64,64,64,f16,30\ngone,gemm,8,8,8,f16,2\nlost,gemm,4,4,4,f16,1\n",
         "two,gemm,64,64,64,f16,10\none,gemm,64,64,64,f16,12\nnew,gemm,8,8,8,f16,4\n");
  CHECK_FALSE(r.c.all);
  const auto only = [](const Plan& plan, RowMask rows) {
    RowSelection found;
    found.found = std::move(rows);
    return OpSet(plan, std::make_shared<RowSelection>(std::move(found)));
  };
  r.c = compare(only(r.a, {0, 1, 1, 0}), only(r.b, {0, 0, 1}));
  REQUIRE(r.c.ops.size() == 3);
  CHECK((r.c.ops[0].a == 1 && r.c.ops[0].b == 0));  // let through before, not after
  CHECK((r.c.ops[1].a == 2 && r.c.ops[1].b == no_op));
  CHECK((r.c.ops[2].a == no_op && r.c.ops[2].b == 2));
  CHECK((r.c.totals.matched == 1 && r.c.totals.vanished == 1 && r.c.totals.appeared == 1));
  CHECK_THAT(r.c.totals.time_a_s, WithinRel(32e-6, 1e-12));
  CHECK_THAT(r.c.totals.time_b_s, WithinRel(14e-6, 1e-12));
  CHECK_THAT(r.c.totals.saved_s, WithinRel(22e-6, 1e-12));
  CHECK_THAT(r.c.totals.lost_s, WithinRel(4e-6, 1e-12));
  REQUIRE(r.c.all);
  CHECK(r.c.all->matched == 2);
  CHECK_THAT(r.c.all->time_a_s, WithinRel(43e-6, 1e-12));
}

TEST_CASE("Words of a selection may be of either run", "[compare]") {
  const Runs r("k,gemm,64,64,64,f16,1\nold,bmm,8,8,8,f16,2\n", "k,gemm,64,64,64,f16,1\n");
  OpFilter selection;
  selection.category_or_type = {"bmm"};
  const auto rows = select(r.a, r.b, selection);
  REQUIRE(rows);
  CHECK(rows->first.mask() == RowMask{0, 1});
  CHECK(rows->second.mask() == RowMask{0});
  selection.category_or_type = {"conv"};
  CHECK(select(r.a, r.b, selection).error().path == "category");
  CHECK(select(r.a, r.b, selection).error().message.find("no category is called \"conv\": expected one of ") == 0);
}

TEST_CASE("The device memory of one run means that of the other", "[compare]") {
  const Workload w = open(std::string(header) + "k,gemm,8,8,8,f16,1\nm,gemm,512,512,512,f16,1000\n");  // bound by memory, by compute
  Machine one = simple_machine("s", "S", 1e12, 1e11), two = one, split = one;
  one.memories[0].name = "HBM";
  two.memories[0].name = "GDDR6";
  split.memories[0].name = "VMEM";
  split.memories[0].bandwidth.value = unknown;
  split.memories[0].read_bandwidth.value = split.memories[0].write_bandwidth.value = 1e11;
  const Scenario on_one = on(one), on_two = on(two), on_split = on(split);
  const Plan a(w, on_one), b(w, on_two), c(w, on_split);
  const auto rows = [&](const Plan& x, const Plan& y, const char* word) {
    OpFilter selection;
    selection.bounds = {word};
    const auto [of_x, of_y] = *select(x, y, selection);
    return std::pair(of_x.mask(), of_y.mask());
  };
  CHECK(rows(a, b, "GDDR6") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, b, "HBM") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, c, "HBM") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(a, c, "VMEM Read") == std::pair(RowMask{1, 0}, RowMask{1, 0}));
  CHECK(rows(c, c, "VMEM Write") == std::pair(RowMask{0, 0}, RowMask{0, 0}));  // what it has itself means that alone
  CHECK(rows(a, b, "compute") == std::pair(RowMask{0, 1}, RowMask{0, 1}));
}

std::string written(const Runs& r, decltype(&write_compare_json) write) {
  std::string out;
  write(r.a, r.b, r.c, {}, [&](std::string_view piece) { out += piece; });
  return out;
}

TEST_CASE("The documents of a comparison", "[compare]") {
  const Runs r("one,gemm,64,64,64,f16,10\ngone,gemm,8,8,8,f16,2\n", "one,gemm,64,64,64,f16,5\n");
  const Json json = Json::parse(written(r, write_compare_json));
  CHECK(json["schema"] == "roofline-compare/1");
  CHECK(json["a"]["summary"]["ops"] == 2);
  CHECK(json["ops"][0]["name"] == "one");
  CHECK(json["ops"][0]["a"] == 0);
  CHECK(json["ops"][0]["time_ratio"] == 0.5);
  CHECK(json["ops"][1]["b"].is_null());
  CHECK(json["ops"][1]["change"] == "vanished");
  CHECK(json["ops"][1]["time_ratio"].is_null());
  CHECK(json["summary"]["vanished"] == 1);
  CHECK(json["all"] == json["summary"]);

  const std::string csv = written(r, write_compare_csv);
  CHECK(csv.find("name,type,change,a,b,time_a_s,") == 0);
  CHECK(csv.find("\r\none,gemm,matched,0,0,") != std::string::npos);
  CHECK(csv.find(",0.5,") != std::string::npos);
  CHECK(csv.find("\r\ngone,gemm,vanished,1,,") != std::string::npos);
  CHECK(written(r, write_compare_table).find("one   gemm  matched") != std::string::npos);
}

}  // namespace
}  // namespace roofline
