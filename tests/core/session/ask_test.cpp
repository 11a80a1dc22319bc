// What views beyond the chart ask: filters by words, heat map, distribution, the first operations, the comparison.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <roofline/analysis/op_set.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

namespace roofline {
namespace {

// The benchmark viewer's eight kernels.
const std::string kernels =
    "name,arithmeticIntensity,tflops,batch,dtype,model\n"
    "A,2.5,100,32,f32,modelX\nB,1.8,80,64,f16,modelY\nC,3.2,120,32,f32,modelX\nD,2.1,90,64,f16,modelY\n"
    "E,2.8,110,32,f32,modelZ\nF,1.5,70,64,f16,modelX\nG,3.5,130,32,f32,modelY\nH,2.3,95,64,f16,modelZ\n";

Json load(Session& session, const std::string& bytes, const char* name = "k.csv") { return Json::parse(open_in(session, bytes, name)); }

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

TEST_CASE("A question for more than there may be gets as much as there may be", "[ask]") {
  Session session;
  load(session, kernels);
  const auto bins = [&](const char* request) { return Json::parse(session.ask("distribution", request).json)["edges"].size() - 1; };
  CHECK(bins("{}") == 40);
  CHECK(bins(R"({"bins": null})") == 40);
  CHECK(bins(R"({"bins": -1})") == 40);
  CHECK(bins(R"({"bins": 7})") == 7);
  CHECK(bins(R"({"bins": 1000})") == 500);
  CHECK(Json::parse(session.ask("heatmap", R"({"columns": "colour"})").json)["error"]["path"] == "columns");
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

TEST_CASE("Times that contradict the machine give no limit", "[ask]") {
  Session session;
  load(session, R"([{"type":"x","name":"a","flops":1e12,"bytes":1000000,"time_ns":10000},
                    {"type":"y","name":"b","flops":1000,"bytes":1000000,"time_ns":40000}])",
       "ops.json");  // a would need 31 ms on npu-32t50
  REQUIRE(session.view("{}") == "{}");
  static_cast<void>(session.frame());
  const Answer steps = session.ask("steps", "{}");
  CHECK(column(steps, "limit") == std::vector<float>{255, 255});
  const Json range = Json::parse(steps.json)["range"];
  CHECK(range["time_by_limit"].size() == 1);
  CHECK_THAT(number_of(range["time_by_limit"]["none"]), WithinRel(50e-6, 1e-12));
  const Json categories = Json::parse(session.ask("categories", "{}").json);
  CHECK(categories["categories"][0]["time_by_bound"].size() == 1);
}

TEST_CASE("A step's efficiency is that of its operations with both a time and a bound", "[ask]") {
  Session session;
  // On npu-32t50: a is bound by DRAM, 20 us of its 40 us; the work of b and c is not known.
  load(session,
       R"([{"type":"x","name":"a","flops":1000,"bytes":1000000,"time_ns":40000,"step":"one"},
           {"type":"y","name":"b","time_ns":60000,"step":"one"},
           {"type":"y","name":"c","time_ns":60000,"step":"two"}])",
       "ops.json");
  REQUIRE(session.view("{}") == "{}");
  static_cast<void>(session.frame());
  const Json steps = Json::parse(session.ask("steps", "{}").json)["steps"];
  CHECK_THAT(number_of(steps[0]["efficiency"]), WithinRel(0.5, 1e-12));
  CHECK(steps[1]["efficiency"].is_null());
}

TEST_CASE("Time by category and by step follows every filter", "[ask]") {
  Session session;
  // On npu-32t50: a and c are bound by DRAM (20 us for 1 MB), b by compute (3.2e9 FLOPs at 32 TFLOP/s: 100 us), all at half of it or worse.
  load(session,
       R"([{"type":"x","name":"a","flops":1000,"bytes":1000000,"time_ns":40000,"step":"one"},
           {"type":"y","name":"b","flops":3.2e9,"bytes":1000,"time_ns":110000,"step":"one"},
           {"type":"x","name":"c","flops":1000,"bytes":1000000,"time_ns":400000,"step":"two"}])",
       "ops.json");
  const auto look = [&](const char* view) {
    REQUIRE(session.view(view) == "{}");
    static_cast<void>(session.frame());
  };
  const auto categories = [&] {
    std::string out;
    const Json json = Json::parse(session.ask("categories", "{}").json);
    for (const Json& c : json["categories"]) out += text_of(c["name"]) + dump(c["ops"]) + ' ';
    return out;
  };
  const auto steps = [&] {
    std::string out;
    const Json json = Json::parse(session.ask("steps", "{}").json);
    for (const Json& s : json["steps"]) out += text_of(s["name"]) + dump(s["ops"]) + ' ';
    return out;
  };
  look("{}");
  CHECK(categories() == "other3 ");
  CHECK(steps() == "one2 two1 ");
  const Answer over_time = session.ask("steps", "{}");
  const Json limited = Json::parse(over_time.json);
  CHECK(limited["limits"] == Json({"compute", "DRAM", "neither"}));
  CHECK(column(over_time, "limit") == std::vector<float>{1, 0, 2});  // c is at 5% of its roof
  CHECK_THAT(number_of(limited["steps"][0]["time_by_limit"]["DRAM"]), WithinRel(40e-6, 1e-12));
  CHECK_THAT(number_of(limited["steps"][1]["time_by_limit"]["neither"]), WithinRel(400e-6, 1e-12));
  CHECK_THAT(number_of(limited["steps"][1]["time_by_bound"]["DRAM"]), WithinRel(400e-6, 1e-12));
  CHECK(limited["untimed"] == 0);

  const Answer part = session.ask("steps", R"({"from": 20e-6, "to": 140e-6})");  // half of a, 100 of the 110 us of b
  const Json in_range = Json::parse(part.json)["range"];
  CHECK(in_range["ops"] == 2);
  CHECK_THAT(number_of(in_range["time_by_limit"]["DRAM"]), WithinRel(20e-6, 1e-12));
  CHECK_THAT(number_of(in_range["time_by_limit"]["compute"]), WithinRel(100e-6, 1e-12));
  CHECK(column(part, "op") == std::vector<float>{0, 1});
  CHECK(column(part, "class") == std::vector<float>{0, 1});
  CHECK(column(over_time, "step") == std::vector<float>{0, 0, 1});

  look(R"({"sort": "limited_by", "descending": false})");
  std::string order;
  const Json frame = Json::parse(session.frame().json);
  for (const Json& row : frame["table"]["rows"]) order += text_of(row["name"]);
  CHECK(order == "bac");  // compute, DRAM, neither
  look(R"({"statuses": ["compute-bound"]})");
  CHECK(categories() == "other1 ");
  CHECK(steps() == "one1 ");
  look(R"({"bounds": ["DRAM"]})");
  CHECK(categories() == "other2 ");
  CHECK(column(session.ask("steps", "{}"), "op") == std::vector<float>{0, 2});
  CHECK(Json::parse(session.ask("distribution", R"({"metric": "time"})").json)["known"] == 2);
  CHECK(column(session.ask("heatmap", R"({"rows": "type", "columns": "type", "metric": "ops"})"), "value") == std::vector<float>{2});
  look(R"({"steps": ["two"]})");
  CHECK(categories() == "other1 ");
  look(R"({"search": "b"})");
  CHECK(steps() == "one1 ");

  load(session,
       R"([{"type":"x","name":"a","flops":1000,"bytes":1000000,"time_ns":40000},
           {"type":"x","name":"b","flops":1000,"bytes":1000000}])",
       "half.json");
  look("{}");
  const Answer half = session.ask("steps", "{}");
  CHECK(Json::parse(half.json)["untimed"] == 1);
  CHECK_THAT(number_of(Json::parse(half.json)["time_s"]), WithinRel(40e-6, 1e-12));
  CHECK(column(half, "op") == std::vector<float>{0});

  load(session, kernels);
  look(R"({"where": {"model": ["modelX"]}})");
  CHECK(categories() == "kernel3 ");
}

TEST_CASE("Unsupported formats: neither computed nor dequantised by the machine, or by the what-if's", "[ask]") {
  Session session;
  REQUIRE(load(session, file("presets/samples/resnet-50-synthetic.json"), "resnet-50.json").contains("opened"));
  const auto lists = [&](const char* operands, const char* format) {
    const Json answer = Json::parse(session.ask("unsupported_formats", "{}").json);
    const Json& ids = answer[operands];
    return std::find(ids.begin(), ids.end(), Json(format)) != ids.end();
  };
  // One rate for every format does not cover formats whose groups share a scale.
  CHECK(lists("activations", "mxfp4"));
  CHECK(lists("weights", "mxfp4"));
  CHECK_FALSE(lists("activations", "fp8_e4m3"));
  CHECK_FALSE(lists("weights", "int4_g128"));
  CHECK(lists("activations", "int4_g128"));
  REQUIRE(session.configure(R"({"whatif": {"machine": "b200-sxm"}})") == "{}");
  CHECK_FALSE(lists("activations", "mxfp4"));
  CHECK(lists("activations", "int4"));
  // By format, such a cell counts as computed in another.
  REQUIRE(session.configure("{}") == "{}");
  const Answer matrix = session.ask("machine_formats", R"({"machines": [], "formats": ["int8", "mxfp6_e2m3"]})");
  CHECK(column(matrix, "fallback") == std::vector<float>{0, 1});
}

TEST_CASE("Machines by format: those of vendors, in formats of 4 bits or more", "[ask]") {
  Session session;
  REQUIRE(load(session, file("presets/samples/resnet-50-synthetic.json"), "resnet-50.json").contains("opened"));
  const Json json = Json::parse(session.ask("machine_formats", "{}").json);
  std::string formats, machines;
  for (const Json& format : json["formats"]) formats += ' ' + text_of(format) + ' ';
  for (const Json& machine : json["machines"]) machines += ' ' + text_of(machine["id"]) + ' ';
  for (const char* few_bits : {"int1", "int2", "iq1_s"}) CHECK(formats.find(' ' + std::string(few_bits) + ' ') == std::string::npos);
  for (const char* usual : {"int4", "int8", "fp8_e4m3", "nvfp4", "fp16"})
    CHECK(formats.find(' ' + std::string(usual) + ' ') != std::string::npos);
  REQUIRE(json["finding"].size() > 0);
  const std::string finding = text_of(json["finding"][0]["text"]);
  CHECK(finding.find("FP4") == std::string::npos);  // 18 dB
  CHECK(finding.find("By the bounds, ") == 0);
  CHECK(finding.find(" is the fastest that keeps 30 dB: ") != std::string::npos);
  CHECK(json["sqnr_db"].size() == json["formats"].size());
  CHECK(machines.find(" npu-32t50 ") == 0);  // the machine in force, though it is an example
  CHECK(machines.find(" custom ") == std::string::npos);
  CHECK(machines.find(" h100-sxm ") != std::string::npos);
}

TEST_CASE("Precision and machines are of the operations that the summary is of", "[ask]") {
  // A profile, where it is easiest to forget: rows that are totals over others, self time within total time, infeed, filters.
  Session session;
  const std::string text = file("presets/samples/training-profile-synthetic.json");
  REQUIRE(load(session, text, "profile.json").contains("opened"));
  const Json own = Json::parse(session.machine());
  const auto summary = [&](const Json& settings) {
    REQUIRE(session.configure(settings.dump()) == "{}");
    return Json::parse(session.frame().json)["shown"];
  };
  const auto same = [](const Json& found, const Json& expected) {
    REQUIRE(expected.is_number());
    CHECK_THAT(number_of(found), WithinRel(expected.get<double>(), 1e-12));
  };
  double before = 0;
  for (const char* view : {"{}", R"({"infeed": false})", R"({"level": "program"})", R"({"categories": ["convolution fusion"]})",
                           R"({"search": "fusion.1", "level": "operations"})", R"({"bounds": ["HBM"]})"}) {
    INFO(view);
    REQUIRE(session.view(view) == "{}");
    const double predicted = number_of(summary({{"machine", own}})["predicted_time_s"]);
    CHECK(predicted != before);
    before = predicted;
    const Json formats = Json::parse(session.ask("precision", R"({"sample": "gaussian"})").json)["formats"];
    const Json machines = Json::parse(session.ask("machines", R"({"machines": ["h100-sxm", "tpu-v5e"]})").json)["rows"];
    same(machines[0]["predicted_time_s"], predicted);
    const bool by_result = std::string(view).find("bounds") != std::string::npos;  // another machine or format changes what bounds
    for (const Json& row : formats) {
      if (by_result || (row["id"] != "int8" && row["id"] != "fp8_e4m3" && row["id"] != "int4_g128")) continue;
      INFO(row["id"]);
      const Json whatif = summary({{"machine", own}, {"whatif", row["whatif"]}})["whatif"];
      same(row["predicted_time_s"], whatif["predicted_time_s"]);
      same(row["speedup_optimistic"], whatif["speedup_optimistic"]);
      if (number_of(whatif["time_optimistic_s"]) > 0) same(row["speedup_pessimistic"], whatif["speedup_pessimistic"]);
    }
    for (const Json& row : machines) {
      if (by_result || row["id"] == own["id"]) continue;
      INFO(row["id"]);
      const Json there = summary({{"machine", row["id"]}});
      same(row["predicted_time_s"], there["predicted_time_s"]);
    }
  }
  // The typical time is a total over the same rows.
  REQUIRE(session.view("{}") == "{}");
  const Json there = Json::parse(session.ask("machines", R"({"machines": ["h100-sxm"]})").json)["rows"][1];
  const Workload profile = open(text);
  const Scenario scenario = on(*Machines::presets().find("h100-sxm"));
  const Summary expected = summarize(Plan(profile, scenario));
  same(there["predicted_time_s"], expected.predicted_time_s);
  same(there["typical_time_s"], expected.typical_time_s);
}

TEST_CASE("Machines for one operation are compared with what was measured of it", "[ask]") {
  Session session;
  REQUIRE(load(session, R"([{"type": "copy", "name": "a", "flops": 1e9, "bytes": 1e9, "time_ns": 1000000},
                            {"type": "copy", "name": "b", "flops": 1e9, "bytes": 1e9, "time_ns": 90000000}])")
              .contains("opened"));
  REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const auto finding = [&](const std::string& request) {
    std::string text;
    const Json answer = Json::parse(session.ask("machines", request).json);
    for (const Json& part : answer["finding"]) text += text_of(part["text"]);
    return text;
  };
  const std::string one = finding(R"({"op": 0, "machines": ["b200-sxm"]})"), all = finding(R"({"machines": ["b200-sxm"]})");
  CHECK(one.find(", measured 1 ms)") != std::string::npos);
  CHECK(all.find(", measured 91 ms)") != std::string::npos);

  // 1 GB in 1 ms refutes 50 GB/s; in 90 ms it does not.
  REQUIRE(session.configure("{}") == "{}");
  const Json first = Json::parse(session.ask("machines", R"({"op": 0, "machines": ["b200-sxm"]})").json),
             second = Json::parse(session.ask("machines", R"({"op": 1, "machines": ["b200-sxm"]})").json);
  CHECK((first["contradicted"] == true && first["measured_s"] == 1e-3));
  CHECK((second["contradicted"] == false && second["measured_s"] == 90e-3));
  CHECK(finding(R"({"op": 0, "machines": ["b200-sxm"]})").find(" as fast as the measured 1 ms") != std::string::npos);
}

TEST_CASE("A machine without a rate for the format has no figures", "[ask]") {
  Session session;
  REQUIRE(load(session, R"([{"type": "gemm", "name": "a", "m": 4096, "n": 4096, "k": 4096, "data_type": "FP16"},
                            {"type": "gemm", "name": "b", "m": 4096, "n": 4096, "k": 4096, "data_type": "INT8"}])")
              .contains("opened"));
  REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json npu = Json::parse(session.ask("machines", R"({"machines": ["ethos-u55-32"]})").json)["rows"][1];
  CHECK(npu["id"] == "ethos-u55-32");
  CHECK((npu["bound"].is_null() && npu["estimate"].is_null() && npu["bound_by"] == ""));
  const Json alone = Json::parse(session.ask("machines", R"({"op": 1, "machines": ["ethos-u55-32"]})").json)["rows"][1];
  CHECK(number_of(alone["bound"]) > 1);  // 137 G operations at 32 G/s
}

TEST_CASE("Machines are asked a few at a time, and the finding is of all", "[ask]") {
  Session session;
  REQUIRE(load(session, file("presets/samples/resnet-50-synthetic.json")).contains("opened"));
  REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const auto asked = [&](const std::string& request) { return Json::parse(session.ask("machines", request).json); };
  const Json all = asked("{}");
  const auto total = static_cast<std::size_t>(number_of(all["total"]));
  REQUIRE(all["rows"].size() == total);
  const auto& presets = Machines::presets().all();  // example machines, without a vendor, are not compared
  CHECK(total ==
        1 + static_cast<std::size_t>(std::count_if(presets.begin(), presets.end(), [](const Machine& m) { return !m.vendor.empty(); })));
  CHECK(all["unit"] == "s");
  Json rows = Json::array();
  for (std::size_t first = 0; first < total; first += 7)
    for (const auto part = asked(R"({"first": )" + std::to_string(first) + R"(, "count": 7})"); const Json& row : part["rows"])
      rows.push_back(row);
  CHECK(rows == all["rows"]);
  CHECK(asked(R"({"found": )" + dump(rows) + R"(, "unit": "s"})")["finding"] == all["finding"]);

  std::string text, fastest;
  for (const Json& part : all["finding"]) text += text_of(part["text"]);
  double least = unknown;
  for (const Json& row : rows) {
    if (row["fits"] == false || row["assumed"] == true || !(number_of(row["estimate"]) < known_or(least, 1e9))) continue;
    least = number_of(row["estimate"]);
    fastest = text_of(row["name"]);
  }
  INFO(text);
  CHECK(text.starts_with("100% of the time is limited by neither compute nor memory: another machine may not make it faster. " + fastest +
                         " is the fastest"));
  CHECK(text.find(" as fast as NVIDIA H100 SXM (estimate 651 µs, measured 13.3 ms). ") != std::string::npos);
  std::string of_formats;
  const Json formats = Json::parse(session.ask("precision", R"({"sample": "gaussian"})").json);
  for (const Json& part : formats["finding"]) of_formats += text_of(part["text"]);
  CHECK(of_formats.starts_with("100% of the time is limited by neither compute nor memory: expect the low end of each range. At 30 dB"));
  const Json of_all = Json::parse(session.ask("precision", R"({"front": )" + dump(formats["formats"]) + "}").json);
  CHECK(of_all["finding"] == formats["finding"]);
  const Json& tpu = *std::find_if(rows.begin(), rows.end(), [](const Json& row) { return row["id"] == "tpu-v7"; });
  CHECK(number_of(tpu["estimate"]) < least);  // without launches: not beside those with them
  CHECK(tpu["launch_known"] == false);
  CHECK(text.find(text_of(tpu["name"])) == std::string::npos);
  CHECK(dump(all["finding"]).find("no data-centre machine has a known price") != std::string::npos);
  for (const Json& row : rows) CHECK((row["estimate"].is_null() || number_of(row["estimate"]) >= 0.999 * number_of(row["bound"])));
}

TEST_CASE("Machines for a language model: as many as it takes, and the same verdict of fit as the model's own", "[ask]") {
  Session session;
  const auto request_of = [](int batch) {
    return R"({"model": "llama-3.1-70b", "phase": "decode", "context": 8192, "weights": "fp16", "batch": )" + std::to_string(batch) + "}";
  };
  const std::string request = request_of(12);
  const std::string built = session.build("model", request);
  INFO(built);
  REQUIRE(Json::parse(built).contains("opened"));
  REQUIRE(session.configure(R"({"machine": "h100-sxm"})") == "{}");
  const Json answer = Json::parse(session.ask("machines", R"({"request": )" + request + "}").json);
  CHECK(answer["unit"] == "tokens/s");
  const auto row_of = [&](const std::string& id) {
    for (const Json& row : answer["rows"])
      if (row["id"] == id) return row;
    return Json();
  };
  const Json h100 = row_of("h100-sxm"), mi300x = row_of("mi300x"), jetson = row_of("jetson-nano");
  CHECK(h100["fits"] == false);  // 141 GB of weights on 85.5 GB
  CHECK(h100["machines"] == 4);  // and 32 GB of cache: two have 171 GB
  CHECK(mi300x["fits"] == true);
  CHECK(mi300x["machines"] == 1);
  CHECK((jetson["machines"].is_null() && jetson["estimate"].is_null()));
  CHECK(number_of(h100["estimate"]) < number_of(h100["bound"]));
  CHECK(number_of(h100["joules"]) == Approx(700 * 4 / number_of(h100["estimate"])));
  std::string text;
  for (const Json& part : answer["finding"]) text += text_of(part["text"]);
  INFO(text);
  std::string fastest, guessed;  // of those measured, and of the others; by what each machine of a group does
  double best = 0, best_guess = 0;
  for (const Json& row : answer["rows"]) {
    const double machines = number_of(row["machines"]), rate = number_of(row["estimate"]) / machines;
    if (machines > 8) CHECK((row["id"] == "gb200" || row["id"] == "gb300" || text_of(row["id"]).starts_with("tpu-")));  // linked as one
    const std::string name = (machines > 1 ? std::to_string(static_cast<int>(machines)) + " x " : "") + text_of(row["name"]);
    if (row["assumed"] == true && row["launch_known"] == true && rate > best_guess) best_guess = rate, guessed = name;
    if (row["assumed"] == false && rate > best) best = rate, fastest = name;
  }
  CHECK(text.starts_with(fastest + " is the fastest that fits: "));
  CHECK((text.find(" " + guessed + ", without a known benchmark, may ") != std::string::npos) == (best_guess > best));
  CHECK(text.find(" is the cheapest: ") != std::string::npos);
  REQUIRE(session.configure(R"({"machine": "mi300x"})") == "{}");
  const Json there = Json::parse(session.ask("model", R"({"request": )" + request + "}").json);
  CHECK(there["fits"] == mi300x["fits"]);
  CHECK(there["typical_tokens_per_s"] == mi300x["estimate"]);
  // 141.11 GB of weights, 42.95 GB of cache and 1.5 GB of activations leave just under 10% of 206.16 GB free, so two machines are listed.
  const Json batch_16 = Json::parse(session.ask("machines", R"({"machines": [], "request": )" + request_of(16) + "}").json)["rows"][0];
  CHECK(batch_16["fits"] == true);
  CHECK(batch_16["machines"] == 2);
  CHECK(batch_16["fit"] == "fits");
}

TEST_CASE("Formats that the machine lacks are listed, and not recommended", "[ask]") {
  Session session;
  REQUIRE(load(session, R"([{"type": "linear", "name": "up", "data_type": "FP16", "m": 1, "n": 4096, "k": 4096},
                            {"type": "relu", "name": "act", "data_type": "FP16", "input_shape": [4096]}])")
              .contains("opened"));
  REQUIRE(session.configure(R"({"machine": "a100-80gb-sxm"})") == "{}");
  const Json answer = Json::parse(session.ask("precision", "{}").json);
  bool any = false;
  for (const Json& row : answer["formats"]) {
    if (row["id"] != "mxfp6_e3m2") continue;
    any = true;
    CHECK((row["support"] == "lacks" && row["pareto"] == false));
  }
  CHECK(any);
  const auto said = [&](const char* request) {
    std::string text;
    const Json precision = Json::parse(session.ask("precision", request).json);
    for (const Json& part : precision["finding"]) text += text_of(part["text"]);
    return text;
  };
  CHECK(said(R"({"threshold_db": 30})").starts_with("At 30 dB or more, the fastest is INT8 in all operands: "));
  CHECK(said(R"({"threshold_db": 30})").find(" Faster, but less accurate: INT4 in all operands, ") != std::string::npos);
  CHECK(said(R"({"threshold_db": 30, "roles": "weights_activations"})")
            .starts_with("At 30 dB or more, the fastest is INT8 weights and activations: "));
  CHECK(said(R"({"op": 1})") == "No format is advised: act has no weights.");

  // Another machine gains, too, but not by its formats.
  REQUIRE(session.configure(R"({"machine": "a100-80gb-sxm", "whatif": {"machine": "b200-sxm"}})") == "{}");
  CHECK(Json::parse(session.ask("precision", "{}").json)["formats"] == answer["formats"]);
  CHECK(said("{}").ends_with(" The what-if's other changes are ignored."));
}

TEST_CASE("Formats by layer are those of one phase: prefill and decode read the same weights", "[ask]") {
  Session session;
  const auto open_phase = [&](const std::string& phase) {
    static_cast<void>(session.build("model", R"({"model": "llama-3-8b", "prompt": 512, "generate": 64, "phase": ")" + phase + "\"}"));
  };
  open_phase("generate");
  CHECK(session.ask("precision_layers", "{}").json.find("Choose one phase, prefill or decode") != std::string::npos);
  open_phase("decode");
  CHECK(Json::parse(session.ask("precision_layers", "{}").json)["total"] > 3);
}

TEST_CASE("The table sorts by words, by what bounds, and by a source's own columns", "[ask]") {
  Session session;
  load(session, kernels);
  const auto order = [&](const char* sort, bool descending) {
    REQUIRE(session.view(std::string("{\"sort\": \"") + sort + "\", \"descending\": " + (descending ? "true" : "false") + "}") == "{}");
    std::string out;
    const Json frame = Json::parse(session.frame().json);
    for (const Json& row : frame["table"]["rows"]) out += text_of(row["name"]);
    return out;
  };
  CHECK(order("label:model", false) == "ACFBDGEH");
  CHECK(order("label:dtype", true) == "ACEGBDFH");  // equals stay in the source's order
  CHECK(order("label:no such column", false) == "ABCDEFGH");
  // The same shape in 10, 5 and 20 us; what is not known goes last.
  load(session, "name,M,N,K,dtype,time_us\na,64,64,64,f16,10\nb,64,64,64,f16,5\nn,64,64,64,f16,\nc,64,64,64,f16,20\n");
  CHECK(order("compute_utilization", true) == "bacn");
  CHECK(order("memory_utilization", false) == "cabn");
}

/// The operations of the comparison under a view, in its order.
static std::string names_of_changes(Session& session, const char* view) {
  REQUIRE(session.view(view) == "{}");
  std::string out;
  const Json json = Json::parse(session.ask("compare", "{}").json);
  for (const Json& o : json["ops"]) out += text_of(o["name"]) + ' ';
  return out;
}

TEST_CASE("Changes sort, follow the filters, and are a file", "[ask]") {
  Session session;
  load(session, "name,M,N,K,dtype,time_us\nb,64,64,64,f16,10\na,64,64,64,f16,8\ngone,8,8,8,f16,1\n", "before.csv");
  session.keep(true);
  load(session, "name,M,N,K,dtype,time_us\nb,64,64,64,f16,2\na,64,64,64,f16,4\nnew,4,4,4,f16,1\n", "after.csv");
  REQUIRE(session.view("{}") == "{}");
  const auto ask = [&] { return Json::parse(session.ask("compare", "{}").json); };
  const auto names = [&](const char* view) { return names_of_changes(session, view); };
  CHECK(names("{}") == "b a gone new ");  // 8, 4, 1, -1 us saved: by size
  CHECK(names(R"({"compare_sort": "saved"})") == "b a gone new ");
  CHECK(names(R"({"compare_sort": "change", "compare_descending": false})") == "new gone a b ");
  CHECK(names(R"({"compare_sort": "saved", "compare_descending": false})") == "new gone a b ");
  CHECK(names(R"({"compare_sort": "name", "compare_descending": false})") == "a b gone new ");
  CHECK(names(R"({"compare_sort": "speedup"})") == "b a gone new ");  // 5 and 2 times; none of what is in one run only
  CHECK(names(R"({"compare_sort": "after"})") == "a b new gone ");
  CHECK(names(R"({"compare_sort": "after", "compare_descending": false})") == "new b a gone ");
  REQUIRE(session.view(R"({"compare_sort": "colour"})") == "{}");
  CHECK(text_of(ask()["error"]["message"]).find("changes cannot be sorted by \"colour\"") == 0);
  REQUIRE(session.view("{}") == "{}");

  // The run before on another machine: its bound changes, its times do not.
  const auto machine = [&] { return text_of(Json::parse(session.ask("compare", "{}").json)["a"]["machine"]); };
  const Json own = Json::parse(session.ask("compare", "{}").json);
  REQUIRE(session.view(R"({"before_machine": "t4"})") == "{}");
  const Json other = Json::parse(session.ask("compare", "{}").json);
  CHECK(machine().find("T4") != std::string::npos);
  CHECK(other["b"]["machine"] == own["b"]["machine"]);
  CHECK(other["ops"][0]["time_a_s"] == own["ops"][0]["time_a_s"]);
  CHECK(other["ops"][0]["efficiency_a"] != own["ops"][0]["efficiency_a"]);
  REQUIRE(session.view(R"({"before_machine": "no such"})") == "{}");
  CHECK_FALSE(text_of(Json::parse(session.ask("compare", "{}").json)["error"]["message"]).empty());
  REQUIRE(session.view("{}") == "{}");

  std::string csv;
  REQUIRE(session.write("compare.csv", [&](std::string_view piece) { csv += piece; }));
  CHECK(csv.find("name,type,change,a,b,time_a_s") == 0);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
}

TEST_CASE("Filters apply to both runs of a comparison", "[ask]") {
  Session session;
  const std::string header = "name,type,M,N,K,dtype,model,time_us\n";
  // At 1 TFLOP/s and 100 GB/s, 64^3 in fp16 take 0.52 us by compute, 64 x 64 x 1 0.17 us by memory.
  load(session,
       header + "both,gemm,64,64,64,f16,x,10\nwas_x,gemm,64,64,64,f16,x,4\ngone,gemm,8,8,8,f16,x,3\nold_word,gemm,8,8,8,f16,old,2\n" +
           "old_type,bmm,8,8,8,f16,y,1\n",
       "before.csv");
  session.keep(true);
  const Json opened =
      load(session, header + "both,gemm,64,64,64,f16,x,5\nwas_x,gemm,64,64,64,f16,y,1\nnew,gemm,4,4,4,f16,y,1\n", "after.csv");
  const auto ask = [&] { return Json::parse(session.ask("compare", "{}").json); };
  const auto names = [&](const char* view) { return names_of_changes(session, view); };
  CHECK(names("{}") == "both was_x gone old_word old_type new ");  // 5, 3, 3, 2, 1, -1 us saved
  CHECK(ask()["filtered"] == false);
  CHECK(ask()["summary"] == ask()["all"]);
  // What vanished is there; a pair stays where either side does.
  CHECK(names(R"({"where": {"model": ["x"]}})") == "both was_x gone ");
  const Json x = ask();
  CHECK(x["filtered"] == true);
  CHECK(x["total"] == 3);
  CHECK_THAT(number_of(x["summary"]["time_a_s"]), WithinRel(17e-6, 1e-12));
  CHECK_THAT(number_of(x["summary"]["time_b_s"]), WithinRel(6e-6, 1e-12));
  CHECK(x["summary"]["vanished"] == 1);
  CHECK(x["summary"]["appeared"] == 0);
  CHECK_THAT(number_of(x["all"]["time_a_s"]), WithinRel(20e-6, 1e-12));
  CHECK_THAT(number_of(x["all"]["time_b_s"]), WithinRel(7e-6, 1e-12));
  CHECK(x["all"]["vanished"] == 3);
  CHECK(text_of(x["summary"]["headline"]).find("11 µs saved (65%); operations in both runs saved 8 µs. 2 faster, 0 slower; 1 vanished.") ==
        0);
  CHECK(names(R"({"where": {"model": ["y"]}})") == "was_x old_type new ");
  CHECK(names(R"({"where": {"model": ["old"]}})") == "old_word ");
  CHECK(names(R"({"types": ["bmm"]})") == "old_type ");
  CHECK(names(R"({"search": "O"})") == "both gone old_word old_type ");
  CHECK(names(R"({"search": "nothing has this"})").empty());
  CHECK(ask()["summary"]["time_a_s"].is_null());
  CHECK(names(R"({"grouped": true, "types": ["bmm"]})") == "old_type ");
  CHECK(names(R"({"where": {"no column": ["x"]}})") == "both was_x gone old_word old_type new ");
  // The lists to choose from have the words of both runs.
  const auto counted = [&](const Json& list, const char* key, const char* word) {
    for (const Json& item : list)
      if (item[key] == word) return number_of(item["ops"]);
    return unknown;
  };
  CHECK(counted(opened["opened"]["kinds"], "type", "gemm") == 3);
  CHECK(counted(opened["opened"]["kinds"], "type", "bmm") == 0);
  const auto& columns = opened["opened"]["columns"];
  REQUIRE(columns.size() >= 1);
  for (const Json& c : columns)
    if (c["name"] == "model") CHECK(c["words"] == Json({"x", "y", "old"}));
  // The file of changes: the same, in the view's order.
  REQUIRE(session.view(R"({"where": {"model": ["x"]}, "compare_sort": "name"})") == "{}");
  std::string csv;
  REQUIRE(session.write("compare.csv", [&](std::string_view piece) { csv += piece; }));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
  CHECK(csv.find("\r\nwas_x,") < csv.find("\r\ngone,"));
  CHECK(csv.find("\r\ngone,") < csv.find("\r\nboth,"));
}

TEST_CASE("A status or a bound filters each run by its own", "[ask]") {
  Session session;
  const std::string header = "name,M,N,K,dtype,time_us\n";
  REQUIRE(session.configure(R"({"peak_tops": 1, "mem_bw": 100})") == "{}");
  // 2 x 64^3 operations take 0.52 us, their bytes 0.25 us: 80% of 0.65 us is compute-bound, 5% of 10 us inefficient.
  load(session, header + "better,64,64,64,f16,10\nworse,64,64,64,f16,0.65\nsame,64,64,64,f16,0.65\ngone,64,64,64,f16,0.66\n", "before.csv");
  session.keep(true);
  load(session, header + "better,64,64,64,f16,0.65\nworse,64,64,64,f16,10\nsame,64,64,64,f16,0.65\n", "after.csv");
  const auto names = [&](const char* view) {
    REQUIRE(session.view(view) == "{}");
    std::string out;
    const Json json = Json::parse(session.ask("compare", "{}").json);
    for (const Json& o : json["ops"]) out += text_of(o["name"]) + ' ';
    return out;
  };
  CHECK(names(R"({"statuses": ["compute-bound"]})") == "better worse gone same ");
  CHECK(names(R"({"statuses": ["compute-inefficient"]})") == "better worse ");
  CHECK(names(R"({"statuses": ["memory-bound"]})").empty());
  CHECK(names(R"({"bounds": ["compute"]})") == "better worse gone same ");
  CHECK(names(R"({"bounds": ["none"]})").empty());
  CHECK(names(R"({"bounds": ["DRAM"]})").empty());
  CHECK(names(R"({"before_machine": "t4", "bounds": ["DRAM"]})") == "better worse gone same ");  // its 82 ns of GDDR6
  CHECK(names(R"({"before_machine": "t4", "bounds": ["compute"]})") == "better worse same ");    // the later side of them
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
  CHECK(json["ops"][0]["verdict"] == "faster");
  CHECK(json["summary"]["vanished"] == 1);
  CHECK(json["finding"][0] == Json{{"text", "6 µs"}, {"formula", "11 µs before - 5 µs after"}});
  CHECK(Json::parse(session.ask("compare", R"({"unchanged": false})").json)["total"] == 2);  // both changed
  CHECK(column(answer, "b") == std::vector<float>{0});
  CHECK_THAT(column(answer, "attained_b")[0] / column(answer, "attained_a")[0], WithinRel(2.0, 1e-6));

  // What opens next replaces the later run only.
  CHECK(load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,2\n", "third.csv")["opened"]["before"] == "before.csv");
  session.forget();
  CHECK(load(session, "name,M,N,K,dtype,time_us\nk,64,64,64,f16,2\n")["opened"]["before"].is_null());
}

TEST_CASE("A comparison's arrow ends at the operation's point on the chart", "[ask]") {
  Session session;
  const auto transposed_in = [](const char* time_ns) {
    return std::string(R"([{"type": "transpose", "name": "t", "data_type": "FP16", "input_shape": [64, 64], "time_ns": )") + time_ns + "}]";
  };
  load(session, transposed_in("8000"), "before.json");
  session.keep(true);
  load(session, transposed_in("4000"), "after.json");
  const Answer answer = session.ask("compare", "{}");
  const double bytes = 2 * 64 * 64 * 2.0;  // without FLOPs, a point shows the bandwidth
  CHECK_THAT(column(answer, "attained_a")[0], WithinRel(bytes / 8e-6, 1e-6));
  CHECK_THAT(column(answer, "attained_b")[0], WithinRel(bytes / 4e-6, 1e-6));
  CHECK(column(answer, "intensity_b")[0] == 0);
}

TEST_CASE("The settings in force are those of the document", "[ask]") {
  Session session;
  load(session, kernels);
  REQUIRE(session.configure(R"({"machine": "a100-80gb-sxm", "overhead": {"overlap": 50}})") == "{}");
  std::string document;
  REQUIRE(session.write("json", [&](std::string_view piece) { document += piece; }));
  const Json answer = Json::parse(session.ask("scenario", "{}").json);
  CHECK(answer == Json::parse(document)["scenario"]);
  CHECK(answer["overhead"]["launch_s"].is_number());
}

TEST_CASE("Launches over time have gaps in which the device idles", "[ask]") {
  const auto kernel = [](const std::string& name, const std::string& begin, const std::string& time) {
    return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":7,"ts":)" + begin + R"(,"dur":)" + time +
           R"(,"args":{"device":0,"stream":7,"correlation":)" + begin + "}}";
  };
  Session session;
  open_in(session,
          R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":"NVIDIA A100-SXM4-80GB"}],"traceEvents":[)" +
              kernel("gather", "1000", "10") + "," + kernel("gather", "1030", "20") + "," + kernel("scatter", "1090", "10") + "]}",
          "gaps.json");
  const Answer all = session.ask("steps", "{}");
  const Json json = Json::parse(all.json);
  CHECK(json["launched"] == true);
  CHECK(json["repeated"] == false);
  CHECK_THAT(number_of(json["time_s"]), WithinRel(100e-6, 1e-6));
  CHECK(json["range"]["ops"] == 3);
  CHECK_THAT(number_of(json["range"]["busy_s"]), WithinRel(40e-6, 1e-6));
  CHECK(column(all, "op") == std::vector<float>{0, 0, 1});
  CHECK_THAT(column(all, "start")[2], WithinRel(90e-6f, 1e-5f));
  CHECK_THAT(column(all, "length")[1], WithinRel(20e-6f, 1e-5f));
  std::string sentence;
  for (const Json& part : json["finding"]) sentence += text_of(part["text"]);
  CHECK(sentence.starts_with("The device is idle for 60% of the 100 µs, in 2 gaps, the longest of 40 µs before scatter. "));
  const Json part = Json::parse(session.ask("steps", R"({"from": 40e-6, "to": 95e-6})").json)["range"];
  CHECK(part["ops"] == 2);
  CHECK_THAT(number_of(part["busy_s"]), WithinRel(15e-6, 1e-6));  // 10 of the second, 5 of the third
  REQUIRE(session.view(R"({"search": "scatter"})").find("error") == std::string::npos);
  static_cast<void>(session.frame());
  CHECK(column(session.ask("steps", "{}"), "op") == std::vector<float>{1});
}

TEST_CASE("ask: rates alone take no time in the run", "[ask]") {
  Session session;
  open_in(session, "name,tflops,flop_per_byte\na,100,2.5\nb,50,3\n", "rates.csv");
  const Json steps = Json::parse(session.ask("steps", "{}").json);
  CHECK(number_of(steps["time_s"]) == 0);
  CHECK(number_of(steps["untimed"]) == 2);
}

}  // namespace
}  // namespace roofline
