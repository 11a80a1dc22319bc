#include <roofline/analysis/parity.hpp>
#include <roofline/session/detect.hpp>
#include <roofline/session/session.hpp>

#include "json.hpp"
#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

/// 60 GB/s and 2.7 TFLOP/s in FP16, 5.5 TOP/s in INT8, no INT4: the published example's own figures.
Machine orin() {
  Machine m;
  m.id = m.name = "orin";
  m.matrix = {peak("fp16", 2.7e12), peak("int8", 5.5e12)};
  m.vector = {peak("fp32", 1.3e12)};
  m.memories.push_back({"DRAM", {60e9, "", "", ""}, {}, {}, {}});
  return m;
}

constexpr const char* table =
    "operator,shape,format,predicted_us,measured_us\n"
    "GEMV,4K,FP16,280,265\n"
    "GEMV,4K,INT8,145,139\n"
    "GEMV,4K,INT4,78,\n";

/// What the whole input is refused for.
std::string refusal(const std::string& text) {
  const auto workload = read(text, {});
  return workload ? "no error" : workload.error().text();
}

}  // namespace

TEST_CASE("results table: rows are operations with the formula's bytes and the measured times") {
  const Workload w = open(table);
  REQUIRE(w.size() == 3);
  CHECK(is_results(w));
  CHECK(w.name_of(0) == "GEMV 1x4096x4096 FP16");
  CHECK(w.bytes == std::vector<double>{33570816, 16785408, 8392704});  // the example's golden bytes
  CHECK(w.matrix_flops == std::vector<double>(3, 33554432));
  CHECK(w.time_s[0] == 265e-6);
  CHECK(w.time_s[2] != w.time_s[2]);
  CHECK(w.stated_time_s == std::vector<double>{280e-6, 145e-6, 78e-6});
  CHECK(w.diagnostics.empty());
}

TEST_CASE("parity: the published example, whose prediction column its own formula does not give") {
  const Workload w = open(table);
  const Scenario scenario = on(orin());
  const Parity p = compare_with_measured(Plan(w, scenario));
  REQUIRE(p.rows.size() == 3);
  CHECK(p.baseline == format("fp16"));
  CHECK(p.rows[0].predicted_s * 1e6 == Approx(559.5136).epsilon(1e-12));
  CHECK(p.rows[1].predicted_s * 1e6 == Approx(279.7568).epsilon(1e-12));
  CHECK(p.rows[2].predicted_s * 1e6 == Approx(139.8784).epsilon(1e-12));
  CHECK(p.rows[0].error == Approx(559.5136 / 265 - 1));
  CHECK(p.rows[0].efficiency == Approx(559.5136 / 265));
  CHECK(p.rows[1].speedup_predicted == Approx(2).epsilon(1e-12));
  CHECK(p.rows[1].speedup_measured == Approx(265.0 / 139));
  CHECK(p.rows[2].speedup_predicted == Approx(4).epsilon(1e-12));
  CHECK(p.rows[2].speedup_measured != p.rows[2].speedup_measured);
  CHECK(p.predicted.ops == 2);
  CHECK(p.predicted.mape == Approx((559.5136 / 265 - 1 + 279.7568 / 139 - 1) / 2));
  CHECK(p.predicted.within == 0);
  CHECK(p.stated.mape == Approx((280.0 / 265 - 1 + 145.0 / 139 - 1) / 2));  // 5.66% and 4.32%: one within the band
  CHECK(p.stated.within == 0.5);

  const Parity by_int8 = compare_with_measured(Plan(w, scenario), format("int8"));
  CHECK(by_int8.rows[0].baseline == 1);
  CHECK(by_int8.rows[0].speedup_measured == Approx(139.0 / 265));
}

TEST_CASE("parity: operations match by type and shape only") {
  const Workload w = open(
      "op,m,n,k,dtype,time_ms\n"
      "gemm,512,1024,256,fp16,1\n"
      "gemm,1024,512,256,int8,0.5\n"    // as much work, another shape
      "linear,512,1024,256,int8,0.5\n"  // the same work, another type
      "gemm,512,1024,256,int8,0.25\n");
  const Scenario scenario = on(orin());
  const Parity p = compare_with_measured(Plan(w, scenario));
  REQUIRE(p.rows.size() == 4);
  CHECK(p.rows[1].baseline == ParityRow::none);
  CHECK(p.rows[2].baseline == ParityRow::none);
  CHECK(p.rows[3].baseline == 0);
  CHECK(p.rows[3].speedup_measured == 4);
}

TEST_CASE("results table: the same in CSV dialects and JSON") {
  const Workload expected = open(table);
  const auto check = [&](const std::string& text) {
    INFO(text);
    const Workload w = open(text);
    CHECK(w.size() == 3);
    CHECK(is_results(w));
    CHECK(w.bytes == expected.bytes);
    CHECK(w.time_s[1] == Approx(139e-6).epsilon(1e-15));
  };
  check(
      "# measured by hand\nOperator;Shape;Format;Measured "
      "[ms]\nGEMV;4096x4096;FP16;0,265\nGEMV;4096x4096;INT8;0,139\nGEMV;4096x4096;INT4;\n");
  check(
      "op\tm\tn\tk\tdtype\tlatency_"
      "ns\r\ngemv\t1\t4096\t4096\tfp16\t265000\r\ngemv\t1\t4096\t4096\tint8\t139000\r\ngemv\t1\t4096\t4096\tint4\t\r\n");
  check(R"([{"operator": "gemv", "shape": [4096, 4096], "format": "fp16", "measured_s": 265e-6},
            {"operator": "gemv", "shape": {"m": 1, "n": 4096, "k": 4096}, "format": "int8", "measured_s": 139e-6},
            {"operator": "gemv", "shape": "1x4096x4096", "format": "int4", "measured_s": null}])");
  check(R"({"note": "{[", "machine": "t4", "results": [{"operator": "gemv", "shape": 4096, "format": "fp16", "measured": "265 us"},
            {"operator": "gemv", "shape": "4K", "format": "int8", "measured": "0.139ms"}, {"operator": "gemv", "shape": "4K", "format": "int4"}]})");
}

TEST_CASE("results table: of several times the one that says measured, the machine the rows name, what is not used") {
  const Workload w = open(
      "operator,shape,format,time_ms,measured_us,min_us,machine\n"
      "gemm,128,fp16,9,100,50,h100-sxm\n"
      "gemm,128x256x512,fp16,9,100,50,t4\n");
  CHECK(w.time_s == std::vector<double>{100e-6, 100e-6});
  CHECK(w.matrix_flops == std::vector<double>{2.0 * 128 * 128 * 128, 2.0 * 128 * 256 * 512});
  CHECK(w.machine_json == "\"h100-sxm\"");
  REQUIRE(w.diagnostics.size() == 2);
  CHECK(w.diagnostics[0].message == "the table names 2 machines: all rows are judged by one, \"h100-sxm\"");
  CHECK(w.diagnostics[1].message == "columns that are not used: time_ms, min_us");
}

TEST_CASE("results table: shapes of other operators, and any key of commands.json as a column") {
  const Workload w = open(
      "operator,shape,heads,head_dim,query_length,context,format,measured_us\n"
      "softmax,8x128,,,,,fp16,3\n"
      "attention,,32,128,2048,2048,fp16,500\n");
  CHECK(w.diagnostics.empty());
  CHECK(w.output[0] == 1024);
  CHECK(w.matrix_flops[1] == 68719476736);  // 4 h s^2 d, the example's golden case
}

TEST_CASE("results table: a name under the header of a type, beside M, N and K, and a table without shapes") {
  const Workload w = open("op,M,N,K,dtype,time_ms,delta_ms\nmm1,1024,1024,1024,fp16,0.5,0.1\nmm2,2048,2048,2048,fp16,3,0.2\n");
  CHECK(w.name_of(1) == "mm2");
  CHECK(w.matrix_flops == std::vector<double>{2.0 * 1024 * 1024 * 1024, 2.0 * 2048 * 2048 * 2048});
  REQUIRE(!w.diagnostics.empty());
  CHECK(w.diagnostics[0].message == "2 rows name no known operation: counted as matrix products of m, n and k");
  CHECK(open("operator,format,measured_us\ngemv,fp16,7\n").class_of(0).time_only);  // a time alone, without shapes
  const Workload statistic =
      open("OP Type,Core Type,Count,Total Time(us),Avg Time(us)\nMatMulV2,AI_CORE,10,500,50\nAdd,AI_VECTOR_CORE,5,125,25\n");
  CHECK(!is_results(statistic));
  CHECK(statistic.time_s[0] == Approx(500e-6));
}

TEST_CASE("results table: faults say which row, where, and what was expected") {
  const Workload w = open(
      "# one\n"
      "operator,shape,format,measured_us\n"
      "gemv,4096,fp17,1\n"
      "gemv,4 by 4,fp16,1\n"
      "gemx,4096,fp16,1\n"
      "\n"
      "gemv,4096,fp16,soon\n"
      "gemv,4096,fp16,7\n");
  REQUIRE(w.size() == 5);
  REQUIRE(w.diagnostics.size() == 4);
  const std::vector<std::size_t> lines = {3, 4, 5, 7};
  const std::vector<std::string> starts = {"unknown data_type \"fp17\"", "field \"m", "unknown type \"gemx\"",
                                           "field \"time_ns\": expected a number"};
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(w.diagnostics[i].message);
    CHECK(w.diagnostics[i].op == i);
    CHECK(w.diagnostics[i].line == lines[i]);
    CHECK(w.diagnostics[i].message.substr(0, starts[i].size()) == starts[i]);
  }
  CHECK(refusal("operator,shape,format,measured\ngemv,4096,fp16,7\n") ==
        "line 1, column 1: the column \"measured\" has no unit: expected one in its name, such as measured_us (ns, us, ms or s), or behind "
        "each number");
  CHECK(refusal("operator,shape,measured_us\ngemv,\"4096,1\n").find("line 2") == 0);
  CHECK(refusal(R"({"results": [{"operator": "gemv", "shape": 8, "measured_us": 1}, )").find("not valid JSON") != std::string::npos);
}

TEST_CASE("results table: commas between x group digits, and are refused elsewhere") {
  const Workload w = open(
      "operator,shape,format,measured_us\n"
      "gemm,\"2,048x4096x16,384\",fp16,900\n"
      "gemm,\"[64, 32, 16]\",fp16,900\n"
      "gemm,\"64x32,16\",fp16,900\n");
  REQUIRE(w.size() == 3);
  CHECK(w.matrix_flops[0] == 2.0 * 2048 * 4096 * 16384);
  CHECK(w.matrix_flops[1] == 2.0 * 64 * 32 * 16);
  REQUIRE(w.diagnostics.size() == 1);
  CHECK(w.diagnostics[0].op == 2);
  CHECK(w.diagnostics[0].message.find("field \"m") == 0);
}

TEST_CASE("results table: files of other kinds are left alone") {
  CHECK(detect(R"([{"type": "gemv", "n": 4, "k": 4, "time_ns": 3}])") == FileKind::operations);
  CHECK(!is_results(open(R"([{"type": "gemv", "n": 4, "k": 4, "time_ns": 3}])")));
  CHECK(!is_results(open(R"({"ops": [{"type": "gemv", "n": 4, "k": 4}], "results": 3})")));
  CHECK(detect(R"({"machine": "t4", "results": [{"operator": "gemv", "shape": 4, "measured_us": 3}]})") == FileKind::operations);
  CHECK(detect(R"({"machine": "t4", "results": 3})") == FileKind::config);
}

TEST_CASE("parity: the page's question, and a row's own record") {
  Session session;
  const std::string text = table;
  REQUIRE(Json::parse(open_in(session, text, "orin.csv")).contains("opened"));
  const Json answer = Json::parse(session.ask("parity", R"({"baseline": "int8"})").json);
  CHECK(answer["baseline"] == "int8");
  CHECK(answer["formats"] == Json({"fp16", "int8", "int4"}));
  CHECK(answer["ops"][0]["speedup_measured"].get<double>() == Approx(139.0 / 265));
  CHECK(Json::parse(session.ask("parity", R"({"baseline": "int9"})").json)["error"]["path"] == "baseline");
  CHECK(Json::parse(session.ask("fit", "{}").json)["error"]["message"].get<std::string>().find("at least three") != std::string::npos);
  const Json detail = Json::parse(session.detail(0, ""));
  CHECK(detail["record"].is_null());
  CHECK(Json::parse(detail["text"].get<std::string>())["k"] == 4096);
  CHECK(detail["formulas"][0]["with_numbers"].get<std::string>().find("33554432") != std::string::npos);
}
