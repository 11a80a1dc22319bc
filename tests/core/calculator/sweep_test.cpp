// Sweeps and machines side by side: the same numbers as one operation at a time, and crossings to the whole number.
#include <algorithm>
#include <cmath>
#include <roofline/base/text.hpp>
#include <roofline/calculator/machines.hpp>
#include <roofline/calculator/sweep.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

Calculation gemm(const std::vector<std::string>& parameters, const std::vector<std::string>& formats) {
  auto made = parse_calculation("gemm", parameters, formats);
  REQUIRE(made);
  return std::move(*made);
}

SweepAxis axis(const char* text) {
  const auto made = parse_sweep_axis(text);
  INFO((made ? std::string() : made.error().text()));
  REQUIRE(made);
  return *made;
}

Scenario preset(const char* id) {
  Scenario s;
  REQUIRE(set(s, "machine", id));
  return s;
}

}  // namespace

TEST_CASE("sweep: the values of an axis", "[sweep]") {
  CHECK(values_of(axis("m=1..1024:11")) == std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024});
  CHECK(values_of(axis("m=10..50:linear:5")) == std::vector<double>{10, 20, 30, 40, 50});
  CHECK(values_of(axis("m=1..4:100")) == std::vector<double>{1, 2, 3, 4});  // points that coincide are one
  CHECK(axis("m,n,k=64..4096").keys == std::vector<std::string>{"m", "n", "k"});
  CHECK(axis("m=1..4096").points == 64);
  for (const char* wrong : {"m", "m=4", "=1..4", "m=4..1", "m=0..4", "m=1..4:cubic", "m=1..4:1", "m=1..x"}) {
    INFO(wrong);
    CHECK_FALSE(parse_sweep_axis(wrong));
  }
  CHECK(parse_sweep_axis("m=4").error().text() == "m=4: expected a range such as m=1..4096, or m,n,k=64..4096:linear:32");
}

TEST_CASE("sweep: each point is the operation on its own", "[sweep]") {
  const Scenario s = preset(GENERATE("h100-sxm", "mi300x", "rk3588-npu"));
  const Calculation base = gemm({"m=1", "n=512", "k=4096", "batch=2", "weight_type=fp16"}, {"fp16", "int8:fp8"});
  const auto swept = sweep(base, axis("m=1..4096:9"), axis("batch=1..4:linear:4"), s);
  REQUIRE(swept);
  REQUIRE(swept->x.size() == 9);
  REQUIRE(swept->y.size() == 4);
  CHECK(swept->refused == 0);
  for (std::size_t i = 0; i < 36; ++i) {
    const auto one = [&](const char* key, double v) { return key + std::to_string(static_cast<int>(v)); };
    const auto w = workload_of(
        gemm({one("m=", swept->x[i % 9]), "n=512", "k=4096", one("batch=", swept->y[i / 9]), "weight_type=fp16"}, {"fp16", "int8:fp8"}));
    REQUIRE(w);
    const Plan plan(*w, s);
    for (std::size_t f = 0; f < 2; ++f) {
      const OpAnalysis a = plan.analyze(f);
      CHECK(swept->flops[i] == a.flops);
      CHECK(same(swept->series[f].predicted_s[i], a.fully_known_bound_s()));
      CHECK(swept->series[f].bound[i] == (a.partly_known ? no_resource : a.bound_by));
      CHECK(same(swept->series[f].typical_s[i], a.typical_time_s));
    }
  }
}

TEST_CASE("sweep: crossings into compute-bound, to the whole number", "[sweep]") {
  const Scenario s = preset("a100-80gb-sxm");
  const auto swept = sweep(gemm({"n=4096", "k=4096"}, {"fp16", "int8", "int4:fp16"}), axis("m=1..8192"), std::nullopt, s);
  REQUIRE(swept);
  REQUIRE(swept->crossings.size() == 3);
  // 2 m n k / peak >= (m k + n k w + m n) bytes / bandwidth, solved for m.
  const double n = 4096, bandwidth = 2039e9;
  struct Expected {
    double peak, weight, rest;
  };
  const Expected expected[] = {{312e12, 2, 2}, {624e12, 1, 1}, {312e12, 0.5, 2}};
  for (std::size_t f = 0; f < 3; ++f) {
    const auto& [peak, weight, rest] = expected[f];
    CHECK(swept->crossings[f].format == f);
    CHECK(swept->crossings[f].at == std::ceil(weight * n * n / (2 * n * n * bandwidth / peak - 2 * n * rest)));
    CHECK(swept->resources[swept->crossings[f].to] == "compute");
    CHECK(swept->resources[swept->crossings[f].from] == "HBM");
  }
  CHECK(swept->crossings[0].at == 166);
  CHECK(swept->series[0].typical_s.size() == swept->x.size());
}

TEST_CASE("sweep: the finding names the numbers that the chart marks", "[sweep]") {
  Session session;
  const auto finding_of = [&](const std::string& formats) {
    const std::string base = R"({"type": "gemm", "parameters": {"m": 1, "n": 4096, "k": 4096}, "formats": [)" + formats + "]}";
    REQUIRE(Json::parse(session.build("operator", base)).contains("opened"));
    session.configure(R"({"machine": "gb200"})");
    const Json json = Json::parse(
        session.ask("sweep", R"({"operator": )" + base + R"(, "axes": [{"keys": ["m"], "from": 1, "to": 65536, "points": 256}]})").json);
    std::string text;
    for (const Json& part : json["finding"]) text += text_of(part["text"]);
    std::vector<double> said, marked;
    for (std::size_t at = 0; (at = text.find("m = ", at)) != std::string::npos;) {
      std::string digits;
      for (at += 4; std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == ','; ++at)
        if (text[at] != ',') digits += text[at];
      said.push_back(std::stod(digits));
    }
    const auto mark = [&](const char* list, const char* key, std::size_t first) {
      for (std::size_t i = first; i < json[list].size(); ++i) marked.push_back(number_of(json[list][i][key]));
    };
    if (json["formats"].size() == 1)
      mark("crossings", "at", 0);
    else
      mark("typical_leads", "from", 1), mark("leads", "from", 1);
    INFO(text);
    CHECK(said == marked);
    CHECK(!marked.empty());
    return marked;
  };
  finding_of(R"("fp16")");
  finding_of(R"("fp16", "int8", "int4:fp16")");
  CHECK(finding_of(R"("fp16", "fp8_e4m3", "int4:fp16")").back() > 100);
}

TEST_CASE("sweep: where one format overtakes another does not depend on the points", "[sweep]") {
  Scenario s = preset("h100-sxm");
  s.machine.memories[0].bandwidth.value = 400e9;  // they meet where a step of m changes the time by less than 0.1%
  const Calculation products = gemm({"n=4096", "k=4096"}, {"fp8_e4m3", "int4:fp16"});
  const auto each = sweep(products, axis("m=1..4096:linear:4096"), std::nullopt, s),
             few = sweep(products, axis("m=1..4096:24"), std::nullopt, s);
  REQUIRE(each);
  REQUIRE(few);
  REQUIRE(each->leads.size() == 2);
  REQUIRE(few->leads.size() == 2);
  CHECK(few->leads[1].from == each->leads[1].from);
  CHECK(few->leads[1].formats == std::vector<std::size_t>{0});
  const auto last = static_cast<std::size_t>(each->leads[1].from) - 2;                                  // of the points, which begin at 1
  CHECK(each->series[0].predicted_s[last] == Approx(each->series[1].predicted_s[last]).epsilon(1e-3));  // a tie that is no lead
}

TEST_CASE("sweep: several parameters at once, lengths of shapes, refused points", "[sweep]") {
  const Scenario s = preset("t4");
  const auto cubes = sweep(gemm({"m=1", "n=1", "k=1"}, {"fp16"}), axis("m,n,k=64..256:3"), std::nullopt, s);
  REQUIRE(cubes);
  CHECK(cubes->flops == std::vector<double>{2.0 * 64 * 64 * 64, 2.0 * 128 * 128 * 128, 2.0 * 256 * 256 * 256});

  const auto conv = parse_calculation("conv", {"input_shape=1,64,56,56", "output_channels=64", "kernel_size=3", "groups=4"}, {});
  REQUIRE(conv);
  const auto batches = sweep(*conv, axis("input_shape.0=1..4:linear:4"), std::nullopt, s);
  REQUIRE(batches);
  CHECK(batches->flops[3] == 4 * batches->flops[0]);
  const auto channels = sweep(*conv, axis("output_channels=1..4:linear:4"), std::nullopt, s);
  REQUIRE(channels);
  CHECK(channels->refused == 3);  // 4 groups divide only 4
  CHECK(std::isnan(channels->flops[0]));
  CHECK(std::isnan(channels->series[0].predicted_s[0]));
  CHECK(channels->series[0].bound[0] == no_resource);
  CHECK(channels->flops[3] > 0);

  const auto error = [&](const char* text) {
    const auto result = sweep(*conv, axis(text), std::nullopt, s);
    return result ? std::string() : result.error().text();
  };
  CHECK(error("m=1..4") == "m: is no parameter of conv");
  CHECK(error("input_shape=1..4") == "input_shape: is no number, and no length of a shape: expected a key such as m or input_shape.2");
  CHECK(error("input_shape.7=1..4").find("input_shape.7: is no number") == 0);
  CHECK(error("output_channels=1..3:linear:3").find("groups: is 4: expected a divisor") == 0);  // no point is left
}

TEST_CASE("sweep: as a question", "[sweep][session]") {
  Session session;
  const std::string base = R"({"type": "gemm", "parameters": {"m": 1, "n": 4096, "k": 4096}, "formats": ["fp16", "int8"]})";
  REQUIRE(Json::parse(session.build("operator", base)).contains("opened"));
  session.configure(R"({"machine": "a100-80gb-sxm"})");
  const Answer one =
      session.ask("sweep", R"({"operator": )" + base + R"(, "axes": [{"keys": ["m"], "from": 1, "to": 8192, "points": 64}]})");
  const Json json = Json::parse(one.json);
  CHECK(number_of(json["crossings"][0]["at"]) == 166);
  REQUIRE(one.columns.size() == 1 + 2 * 5);
  CHECK(one.columns[0].first == "flops");
  CHECK(one.columns[0].second.size() == json["axes"][0].size());
  const Answer two = session.ask("sweep", R"({"operator": )" + base + R"(, "axes": [{"keys": ["m"], "from": 1, "to": 8192, "points": 32},
                                            {"keys": ["k"], "from": 64, "to": 4096, "points": 16}]})");
  CHECK(two.columns[1].first == "predicted0");
  CHECK(two.columns[1].second.size() == Json::parse(two.json)["axes"][0].size() * 16);
  CHECK(session.ask("sweep", R"({"operator": )" + base + R"(, "axes": []})").json.find("axes") != std::string::npos);
  CHECK(session.ask("sweep", "{}").json.find("error") != std::string::npos);

  const Json formats = Json::parse(session.ask("formats", R"({"baseline": 0})").json);
  CHECK(number_of(formats["rows"][1]["speedup"]) == 2);
  const Json machines = Json::parse(session.ask("machines", R"({"op": 0, "machines": ["h100-sxm"]})").json);
  REQUIRE(machines["rows"].size() == 2);
  CHECK(number_of(machines["rows"][1]["speedup"]) == Approx(3350.0 / 2039));
  CHECK(session.ask("machines", R"({"machines": ["h1000"]})").json.find("unknown machine") != std::string::npos);
  const auto& presets = Machines::presets().all();  // example machines, without a vendor, are not compared
  const auto products = std::count_if(presets.begin(), presets.end(), [](const Machine& m) { return !m.vendor.empty(); });
  CHECK(Json::parse(session.ask("machines", "{}").json)["rows"].size() == 1 + static_cast<std::size_t>(products));
}

TEST_CASE("sweep: round lengths", "[sweep]") {
  CHECK(values_of(axis("m=1..40:round")) ==
        std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40});
  CHECK(values_of(axis("m=1000..1100:linear:round")) == std::vector<double>{1024, 1100});  // the ends stay within the range
}

TEST_CASE("sweep: two ranges as a table for each format", "[sweep]") {
  const Calculation base = gemm({"m=1", "n=4096", "k=4096"}, {"fp16", "int8"});
  const auto x = axis("m=1..4096:40"), y = axis("k=64..4096:3");
  const auto swept = sweep(base, x, y, preset("a100-80gb-sxm"));
  REQUIRE(swept);
  const std::string time = sweep_table(base, x, y, *swept), rate = sweep_table(base, x, y, *swept, SweepCell::rate),
                    bound = sweep_table(base, x, y, *swept, SweepCell::bound);
  CHECK(time.find("\nfp16\n") != std::string::npos);
  CHECK(time.find("\nint8\n") != std::string::npos);
  CHECK(time.find("k \\ m") != std::string::npos);
  CHECK(time.find("the predicted time, c: bound by compute, H: bound by HBM; 10 x 3 of ") != std::string::npos);
  // The last cell: 4096 cubed at 624 TOP/s.
  CHECK(time.find("220 µs c\n") != std::string::npos);
  CHECK(rate.find("624 TFLOP/s c\n") != std::string::npos);
  CHECK(bound.find(" compute\n") != std::string::npos);
  CHECK(bound.find(" HBM ") != std::string::npos);
  CHECK(bound.find("µs") == std::string::npos);
  // One row of A takes the time of the weights, half in INT8; 4096 of them take that of the arithmetic, half in INT8: it wins everywhere.
  CHECK(sweep_finding(base, x, *swept).text() == "INT8 wins everywhere.");
  const std::string fastest = sweep_table(base, x, y, *swept, SweepCell::fastest);
  CHECK(fastest.find("4096  int8") != std::string::npos);
  CHECK(fastest.find("fp16  ") == std::string::npos);
  CHECK(fastest.find("the fastest format by the estimates; 10 x 3 of ") != std::string::npos);
  CHECK(find_sweep_cell("colour").error().text() == "is \"colour\": expected time, rate, bound or fastest");
}

TEST_CASE("sweep: the fastest format over two parameters is that of each row's own sweep", "[sweep]") {
  const Scenario machine = preset("a100-80gb-sxm");
  const auto x = axis("m=1..256:32"), y = axis("k=512..8192:5");
  const Calculation base = gemm({"m=1", "n=4096", "k=4096"}, {"fp16", "int8", "int4:fp16"});
  const auto map = sweep(base, x, y, machine);
  REQUIRE(map);
  const FastestFormats& fastest = map->fastest;
  REQUIRE(fastest.at.size() == map->x.size() * map->y.size());
  std::vector<std::size_t> wins(3);
  for (std::size_t line = 0; line < map->y.size(); ++line) {
    const auto row = sweep(gemm({"m=1", "n=4096", "k=" + std::to_string(static_cast<int>(map->y[line]))}, {"fp16", "int8", "int4:fp16"}), x,
                           std::nullopt, machine);
    REQUIRE(row);
    for (std::size_t i = 0; i < map->x.size(); ++i) {
      const std::vector<std::size_t>& here = fastest.sets.at(fastest.at[line * map->x.size() + i]);
      REQUIRE(here.size() == 1);
      ++wins[here[0]];
      for (const Sweep::Series& format : row->series) CHECK(row->series[here[0]].typical_s[i] <= format.typical_s[i]);
    }
  }
  CHECK(wins[0] == 0);
  CHECK(wins[1] > 0);
  CHECK(wins[2] > 0);
  const auto share = [&](std::size_t points) { return percent(static_cast<double>(points) / static_cast<double>(fastest.at.size())); };
  const bool int8_first = wins[1] > wins[2];
  CHECK(sweep_finding(base, x, *map).text() ==
        (int8_first ? "INT8 wins at " + share(wins[1]) + " of the points; INT4 weights win at " + share(wins[2]) + "."
                    : "INT4 weights win at " + share(wins[2]) + " of the points; INT8 wins at " + share(wins[1]) + "."));
}

TEST_CASE("sweep: formats that tie on a map are named", "[sweep]") {
  // Compute bounds these products, in INT8 and FP8 at one rate.
  const Calculation products = gemm({"n=8192"}, {"fp16", "int8", "fp8_e4m3"});
  const auto x = axis("m=4096..8192:round"), y = axis("k=4096..8192:round");
  const auto map = sweep(products, x, y, preset("l40s"));
  REQUIRE(map);
  CHECK(sweep_finding(products, x, *map).text() == "INT8 and FP8 E4M3 tie for the fastest everywhere.");
  CHECK(sweep_table(products, x, y, *map, SweepCell::fastest).find("int8 = fp8_e4m3  int8 = fp8_e4m3") != std::string::npos);
  const Calculation own = gemm({"n=8192"}, {"fp16", "int8"});
  const auto one_rate = sweep(own, x, y, preset("npu-32t50"));
  REQUIRE(one_rate);
  CHECK(sweep_finding(own, x, *one_rate).text() ==
        "FP16 and INT8 tie for the fastest everywhere. This machine computes every format at the same rate: narrower formats save only "
        "bytes.");
}

TEST_CASE("sweep: two ranges of one parameter are refused", "[sweep]") {
  const Calculation product = gemm({"m=1", "n=64", "k=64"}, {"fp16"});
  for (const char* second : {"m=100..200", "m,k=1..4"}) {
    const auto refused = sweep(product, axis("m=1..64"), axis(second), Scenario::standard());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("varies what the first range varies") != std::string::npos);
  }
}

TEST_CASE("machines: one's own beside the presets, as a question", "[machines][session]") {
  Session session;
  REQUIRE(Json::parse(session.build("operator", R"({"type": "gemm", "parameters": {"m": 1, "n": 4096, "k": 4096}, "formats": ["fp16"]})"))
              .contains("opened"));
  session.configure(R"({"machine": "t4"})");
  const std::string own =
      R"({"id": "mine", "name": "Mine", "peaks": {"matrix": 1e14, "vector": 1e12}, "memories": [{"name": "DRAM", "bandwidth": 640e9}]})";
  const Json rows = Json::parse(session.ask("machines", R"({"machines": ["l4"], "own": [)" + own + "]}").json)["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[1]["name"] == "Mine");
  CHECK(number_of(rows[1]["speedup"]) == Approx(2));
  CHECK(rows[2]["id"] == "l4");
  CHECK(session.ask("machines", R"({"machines": [], "own": [{"id": "x"}]})").json.find("error") != std::string::npos);
}

TEST_CASE("machines: speed-ups over one row", "[machines]") {
  const auto w = workload_of(gemm({"m=1", "n=4096", "k=4096"}, {"fp16", "int8"}));
  REQUIRE(w);
  const Machine* t4 = Machines::presets().find("t4");
  const Json json = Json::parse(machines_text(*w, preset("t4"), {t4}, "json", 0));
  CHECK(json["baseline_format"] == "fp16");
  CHECK(number_of(json["rows"][0]["speedup"]) == 1);
  CHECK(number_of(json["rows"][1]["speedup"]) == Approx(2));
  CHECK(Json::parse(machines_text(*w, preset("t4"), {t4}, "json"))["baseline_format"].is_null());
  CHECK(machines_text(*w, preset("t4"), {t4}, "table", 0).find("speed-ups refer to fp16 on NVIDIA T4") != std::string::npos);
}

TEST_CASE("machines: without a rate for one unit's work there is no figure, as an operation is partly known", "[machines]") {
  Machine integers = *Machines::presets().find("h100-sxm");
  const auto keep = [](std::vector<Peak>& peaks, const char* id) {
    std::erase_if(peaks, [&](const Peak& p) { return p.format != format(id); });
  };
  keep(integers.matrix, "int8");
  keep(integers.vector, "int8");
  const auto softmax = [](const char* type) {
    const auto made = parse_calculation("softmax", {"input_shape=4096,4096"}, {type});
    INFO((made ? std::string() : made.error().text()));
    REQUIRE(made);
    auto w = workload_of(*made);
    REQUIRE(w);
    w->time_s = {1};
    return std::move(*w);
  };
  const Scenario here = preset("h100-sxm");
  Scenario there = here;
  there.use(integers);
  const Workload floating = softmax("fp16");
  const Plan plan(floating, there);
  CHECK(plan.lacks_rate(0));
  CHECK(plan.analyze(0).partly_known);
  const Plan full(floating, here);
  CHECK_FALSE(full.lacks_rate(0));
  CHECK_FALSE(full.analyze(0).partly_known);
  const auto rows = compare_machines(full, {&integers});
  CHECK(std::isnan(rows[0].predicted_s));
  CHECK(std::isnan(rows[0].typical_s));
  const MachineMatrix matrix = machine_matrix(OpSet(full), {&here.machine, &integers}, {format("fp16"), format("int8")});
  CHECK(known(matrix.predicted_s[0]));
  CHECK(std::isnan(matrix.predicted_s[2]));  // FP16 where only INT8 has a rate: the memory's time alone would be there
}

TEST_CASE("machines: the peak is of the format that computes most", "[machines]") {
  const Workload w = open(R"([{"type": "GEMM", "data_type": "FP32", "m": 64, "n": 64, "k": 64},
                              {"type": "GEMM", "data_type": "FP16", "m": 4096, "n": 4096, "k": 4096}])");
  const Scenario s = preset("h100-sxm");
  const auto rows = compare_machines(Plan(w, s), {&s.machine});
  CHECK(rows[0].compute == format("fp16"));
  CHECK(rows[0].peak == s.machine.peak(Unit::matrix, format("fp16")));
}

TEST_CASE("machines: one operation on each", "[machines]") {
  const auto w = workload_of(gemm({"m=1", "n=4096", "k=4096"}, {"int8"}));
  REQUIRE(w);
  const Machine* npu = Machines::presets().find("npu-32t50");
  const Machine* v100 = Machines::presets().find("v100-sxm2");
  const Scenario s = preset("npu-32t50");
  const auto rows = compare_machines(Plan(*w, s), {npu, v100});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].speedup == 1);
  CHECK(rows[0].ridge == 640);
  CHECK(rows[0].predicted_s == w->bytes[0] / 50e9);
  CHECK(rows[1].speedup == Approx(900.0 / 50));
  CHECK(rows[1].bound_by == "HBM");
  CHECK(rows[1].typical_s > rows[1].predicted_s);
}

TEST_CASE("sweep: the attainable rate is that of the unit that takes longer", "[sweep]") {
  const Scenario s = preset("h100-sxm");
  const auto made = parse_calculation("attention", {"heads=32", "head_dim=64", "query_length=2048"}, {"fp16"});
  REQUIRE(made);
  const auto swept = sweep(*made, axis("query_length=2048..8192:2"), std::nullopt, s);
  REQUIRE(swept);
  const double peak = s.machine.peak(Unit::matrix, format("fp16"));
  const Sweep::Series& fp16 = swept->series[0];
  CHECK(fp16.unit_flops[1] / fp16.predicted_s[1] == Approx(peak).epsilon(1e-12));  // compute-bound; the softmax is on the vector unit
  CHECK(fp16.unit_flops[1] < swept->flops[1]);
  CHECK(sweep_csv(*made, axis("query_length=2048..8192:2"), std::nullopt, *swept).find("989400000000000,") != std::string::npos);
}

TEST_CASE("sweep: rates count a multiply-add as the scenario does", "[sweep]") {
  Scenario s = preset("h100-sxm");
  REQUIRE(set(s, "ops_per_mac", "1"));
  const Calculation base = gemm({"m=4096", "n=4096", "k=4096"}, {"fp16"});
  const SweepAxis m = axis("m=4096..8192:2"), n = axis("n=4096..8192:2");
  const auto swept = sweep(base, m, n, s);
  REQUIRE(swept);
  CHECK(sweep_table(base, m, n, *swept, SweepCell::rate).find("495 TMAC/s") != std::string::npos);
  const auto w = workload_of(base);
  REQUIRE(w);
  const std::string table = machines_text(*w, s, {Machines::presets().find("h100-sxm")}, "table", std::nullopt);
  CHECK(table.find("495 TMAC/s") != std::string::npos);
  CHECK(table.find(" 148 ") != std::string::npos);
}
