// What a link carries instead of a file: read back, every figure is the file's own.
#include <roofline/write/operation_rows.hpp>

#include "json.hpp"
#include "session.hpp"

using namespace roofline;

namespace {

std::string rows_of(const Workload& w, std::size_t most = 10000) {
  std::string text;
  write_operation_rows(w, most, [&](std::string_view piece) { text += piece; });
  return text;
}

/// All that the analysis says of a workload: every operation, every step, the summary.
std::string figures(const Workload& w, const Scenario& scenario) {
  std::string text;
  write_json(Plan(w, scenario), {}, [&](std::string_view piece) { text += piece; });
  Json document = Json::parse(text);
  document.erase("diagnostics");  // they name lines of the file
  return document.dump(1);
}

double total(const Workload& w, const std::vector<double> Workload::* column) {
  double sum = 0;
  for (const double v : w.*column) sum += known(v) ? v : 0;
  return sum;
}

}  // namespace

TEST_CASE("operation rows: figures are those of the file", "[operation_rows]") {
  Scenario h100 = Scenario::standard();
  h100.use(*Machines::presets().find("h100-sxm"));
  for (const char* name :
       {"pytorch_trace.json", "collectives_trace.json", "kernel_trace.csv", "nsight_systems.csv", "nsight_compute.csv", "kernels.ncu-rep",
        "operations.xplane.pb", "op_summary.csv", "onnxruntime_profile.json", "openvino_exec_graph.xml", "tensorrt_layers.json",
        "tensorrt_profile.json", "mixed.json", "faults.json", "measured.csv"}) {
    INFO(name);
    const Workload w = open(file(std::string("tests/data/") + name)), back = open(rows_of(w));
    CHECK(back.size() == w.size());
    CHECK(back.source_format == w.source_format);
    CHECK(back.diagnostics.empty());
    for (const Scenario& scenario : {Scenario::standard(), h100}) CHECK(figures(back, scenario) == figures(w, scenario));
    CHECK(Json::parse(rows_of(back)) == Json::parse(rows_of(w)));
  }
}

TEST_CASE("operation rows: sizes, unknown work and lone times stay", "[operation_rows]") {
  const Workload w = open(R"([
    {"type": "gemm", "name": "a", "data_type": "fp16", "m": 100, "n": 200, "k": 300, "time_ns": 100000, "count": 3, "step": "prefill"},
    {"type": "mine", "name": "b", "flops": 5, "time_ns": 7, "step": "decode"},
    {"type": "mine", "name": "c", "bytes": 5, "step": 2}])");
  const std::string text = rows_of(w);
  CHECK(text.find("input_") == std::string::npos);
  const Workload back = open(text);
  REQUIRE(back.size() == 3);
  CHECK(back.sizes_of(0) == OpSizes{100, 200, 300, 1});
  CHECK(back.count_of(0) == 3);
  CHECK(back.steps == w.steps);
  CHECK(back.step == w.step);
  CHECK_FALSE(known(back.activation[1]));
  CHECK(Json::parse(text)["whole"] == true);
}

TEST_CASE("operation rows: beyond the limit, sums stay", "[operation_rows]") {
  std::string ops;
  for (int i = 1; i <= 40; ++i)
    ops += std::string(i > 1 ? "," : "") + R"({"type": "gemm", "data_type": "fp16", "m": 64, "n": 64, "k": )" + std::to_string(1 + i % 20) +
           R"(, "time_ns": )" + std::to_string(1000 * (1 + i % 20)) + '}';
  const Workload w = open('[' + ops + ']');
  const std::string merged = rows_of(w, 30), short_ = rows_of(w, 5);
  CHECK(open(merged).size() == 20);  // two of each size
  CHECK(Json::parse(merged)["whole"] == true);
  const Workload few = open(short_);
  CHECK(Json::parse(short_)["whole"] == false);
  REQUIRE(few.size() == 6);
  CHECK(few.name_of(5) == "other gemm");
  CHECK(few.count_of(5) == 30);
  for (const auto column : {&Workload::matrix_flops, &Workload::activation, &Workload::weight, &Workload::output})
    CHECK(total(few, column) == total(w, column));
  CHECK(total(few, &Workload::time_s) == Approx(total(w, &Workload::time_s)));
}

TEST_CASE("operation rows: what is wrong says where", "[operation_rows]") {
  const auto refusal = [](const std::string& rest) {
    const Result<Workload> read_back = read(R"({"schema": "roofline-operations/1", )" + rest, {});
    return read_back ? std::string("read without an error") : read_back.error().text();
  };
  CHECK(refusal(R"("rows": 3})") == "rows: expected an array");
  CHECK(refusal(R"("rows": [3]})") == "rows[0]: expected an object");
  CHECK(refusal(R"("rows": [{"type": "x", "count": 1}, {"type": "x", "count": 0}]})") ==
        "rows[1].count: expected a number from 0 to 8e270");
  CHECK(refusal(R"("rows": [{"type": "x", "count": 1, "sizes": {"m": -1}}]})") == "rows[0].sizes: expected a number from 0 to 8e270");
  CHECK(refusal(R"("channels": [{"name": "L2"}], "rows": [{"type": "x", "count": 1, "channel_bytes": [-1]}]})") ==
        "rows[0].channel_bytes: expected a number of at least 0");
  CHECK(refusal(R"("device_time": {"devices": 1, "span_s": 1, "busy_s": 2}, "rows": []})") ==
        "device_time: expected devices, span_s and busy_s, which is no longer than the span");
  CHECK(refusal(R"("rows": [)").find("not JSON") != std::string::npos);
  const DeviceTime time = open(R"({"schema": "roofline-operations/1", "rows": [],
    "device_time": {"devices": 1, "span_s": 8, "busy_s": 2, "launches": 20, "gaps": 12, "longest_gap_s": 1}})")
                              .device_time;
  CHECK(time.launch_bound());
  CHECK(time.gaps == 12);
  // Views of some rows only are views of none.
  CHECK(open(R"({"schema": "roofline-operations/1", "rows": [{"type": "x", "count": 1}, {"type": "x", "count": 1, "views": 7}]})")
            .views.empty());
}
