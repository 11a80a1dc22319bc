// Tools that print tables for people. Texts of our own, in the form that each tool's source prints; figures worked by hand.
#include "read/text/lines.hpp"
#include "rows.hpp"

using namespace roofline;

namespace {

std::string tool_of(const Workload& w) {
  for (const auto& [name, text] : w.properties)
    if (name == "Tool") return text;
  return {};
}

double total(const Workload& w) {
  double sum = 0;
  for (const double t : w.time_s) sum += t;
  return sum;
}

}  // namespace

TEST_CASE("tools: TFLite's benchmark_model, its layers once, of a delegate its own", "[tools]") {
  const std::string csv =
      "Inference timings in us: Init: 1, Inference (avg): 30\n"
      "============================== Run Order ==============================\n"
      "node type, start, first, avg_ms, %, cdf%, mem KB, times called, name\n"
      "CONV_2D, 0.000, 1.2, 1.5, 75%, 75%, 0, 1, [a, b]:0\n"
      "SOFTMAX, 1.500, 0.5, 0.5, 25%, 100%, 0, 1, [c]:1\n"
      "============================== Top by Computation Time ==============================\n"
      "CONV_2D, 0.000, 1.2, 1.5, 75%, 75%, 0, 1, [a, b]:0\n";
  const Workload w = open(csv);
  REQUIRE(w.size() == 2);
  CHECK(tool_of(w) == "TFLite benchmark_model");
  CHECK(w.name_of(0) == "[a, b]:0");
  CHECK_THAT(total(w), WithinRel(2e-3, 1e-12));
  const Workload tabs = open(
      "===== Run Order =====\n\t[node type]\t[start]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]\n"
      "\tTfLiteQnnDelegate\t0.0\t9.0\t9.0\t100%\t100%\t0\t1\t[x]:0\nDelegate internal:\n===== Run Order =====\n"
      "\tConv2d\t0.0\t4.0\t4.0\t50%\t50%\t0\t1\t[y]:0\n");
  REQUIRE(tabs.size() == 1);
  CHECK(tabs.name_of(0) == "[y]:0");
  CHECK_THAT(total(tabs), WithinRel(4e-3, 1e-12));
}

TEST_CASE("tools: benchmark_model in all its forms, without what the model's preparation took", "[tools]") {
  const std::string order = "============================== Run Order ==============================\n";
  const std::string tabs = "\t [node type]\t [first]\t [avg ms]\t [%]\t [cdf%]\t [mem KB]\t[times called]\t[Name]\n";
  const std::string layers =
      "\t CONV_2D\t 9.0\t 1.5\t 75.0%\t 75.0%\t 0.0\t 1\t[a, b]:0\n\t SOFTMAX\t 9.0\t 0.5\t 25.0%\t 100.0%\t 0.0\t 1\t[c]:1\n";
  const std::string preparation = "Profiling Info for Benchmark Initialization:\n" + order + tabs +
                                  "\t AllocateTensors\t 80.0\t 80.0\t 100%\t 100%\t 0.0\t 1\tAllocateTensors/0\n";
  const std::string runs = "Operator-wise Profiling Info for Regular Benchmark Runs:\n" + order + tabs + layers +
                           "============================== Top by Computation Time ==============================\n" + tabs + layers;
  const std::string commas = order +
                             "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
                             "CONV_2D, 9.0, 1.5, 75%, 75%, 0, 1, [a\t b]:0\nSOFTMAX, 9.0, 0.5, 25%, 100%, 0, 1, [c]:1\n";
  const std::string blanks = order +
                             "   [node type]   [first]   [avg ms]   [%]  [cdf%]  [mem KB] [times called] [Name]\n"
                             "   CONV_2D  9.000  1.500  75.000%  75.000%  0.000  1 [a, b]:0\n   SOFTMAX 9.0 0.5 25.0% 100.0% 0.0 1 [c]:1\n";
  std::string logged;
  const std::string both = preparation + runs;
  for (const std::string_view line : lines_of(both)) logged += "11-20 10:00:00.123  1234  5678 I tflite  : " + std::string(line) + "\r\n";
  for (const std::string& text : {runs, preparation + runs, commas, blanks, logged}) {
    INFO(text);
    const Workload w = open(text);
    REQUIRE(w.size() == 2);
    CHECK(w.class_of(0).type == "CONV_2D");
    CHECK(w.name_of(1) == "[c]:1");
    CHECK_THAT(total(w), WithinRel(2e-3, 1e-12));
  }
}

TEST_CASE("tools: logs with colours and times before their lines, or with several tables", "[tools]") {
  const std::string plain =
      "[01/01/2025-00:00:00] [I] === Profile (100 iterations ) ===\n"
      "[01/01/2025-00:00:00] [I]    Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %\n"
      "[01/01/2025-00:00:00] [I]   conv1 + relu1   150.00   1.5   1.4   75.0\n[01/01/2025-00:00:00] [I]   fc   50.00   0.5   0.5   25.0\n"
      "[01/01/2025-00:00:00] [I]   Total   200.00   2.0   1.9   100.0\n&&&& PASSED TensorRT.trtexec\n";
  const std::string rknn = "Layer ID    Name    Time(us)\n0    tensor.transpose_0    72\n44    convolution.relu_2    363\n";
  for (const auto& [text, us] : {std::pair(plain, 2000.0), std::pair(rknn, 435.0)})
    for (const char* stamp :
         {"", "\x1b[32m", "2025-11-20T10:00:00.123456789Z ", "2025-11-20 10:00:00,123 ", "\x1b[1;31m2025-11-20T10:00:00+01:00 "}) {
      std::string log;
      for (const std::string_view line : lines_of(text)) log += stamp + std::string(line) + "\x1b[0m\n";
      INFO(log);
      const Workload w = open(log);
      REQUIRE(w.size() == 2);
      CHECK_THAT(total(w), WithinRel(us * 1e-6, 1e-9));
      CHECK(!says(w, "tables of this tool"));
    }
  CHECK(says(open(plain + plain), "the file has 2 tables of this tool: their rows are added up"));
  // Two tables of key_averages, each with columns of its own width.
  const auto averages = [](const std::string& wide) {
    const std::string dashes = "--------" + wide + "  ------------  ------------  ------------\n";
    return dashes + "    Name" + std::string(wide.size(), ' ') + "    Self CPU %      Self CPU    # of Calls\n" + dashes + "aten::mm" +
           std::string(wide.size(), ' ') + "        90.00%       1.000ms             2\n" + dashes;
  };
  const Workload two = open(averages("") + averages("--------------"));
  REQUIRE(two.size() == 2);
  CHECK_THAT(total(two), WithinRel(2e-3, 1e-9));
  CHECK(says(two, "2 tables of this tool"));
}

TEST_CASE("tools: layers of ncnn, with the work of dense ones", "[tools]") {
  const auto run = [](const std::string& time) {
    return "Convolution              conv1                             " + time +
           "ms    | [224, 224,   3 *1] -> [112, 112,   8 *4]     kernel: 3 x 3     stride: 2 x 2\n"
           "ConvolutionDepthWise     dw1                               1.00ms    | [112, 112,   8 *4] -> [112, 112,   8 *4]     kernel: 3 "
           "x 3     stride: 1 x 1\n"
           "InnerProduct             fc                                0.50ms    | [128 *4] -> [250 *4]\n"
           "Softmax                  prob                              0.25ms    |\n";
  };
  const Workload w = open(run("2.00") + run("4.00"));
  REQUIRE(w.size() == 4);
  CHECK(w.class_of(0).type == "Convolution");
  CHECK_THAT(w.time_s[0], WithinRel(3e-3, 1e-9));
  CHECK(flops_of(w, 0) == 2.0 * 112 * 112 * 32 * 3 * 9);
  CHECK(flops_of(w, 2) == 2.0 * 512 * 1000);
  CHECK(w.class_of(1).time_only);
  // A product of 197 rows: 197 x 768 x 3072 multiplications.
  const Workload rows = open(run("2.00") + "InnerProduct  mlp  0.50ms  | [768, 197 *1] -> [3072, 197 *1]\n");
  CHECK(flops_of(rows, row_named(rows, "mlp")) == 2.0 * 197 * 768 * 3072);
  CHECK_THAT(w.time_s[3], WithinRel(0.25e-3, 1e-9));
}

TEST_CASE("tools: Qualcomm's profiles, cycles at the clock that a run's cycles and microseconds make", "[tools]") {
  const Workload viewer = open(
      "Execute Stats (Average):\n    Accelerator (execute) time: 100 us\n    Accelerator (execute) time (cycles): 50000 cycles\n"
      "        conv:OpId_2 (cycles) : 30000 cycles\n        relu:OpId_3 (cycles) : 10000 cycles\n");
  REQUIRE(viewer.size() == 2);
  CHECK(viewer.name_of(0) == "conv");
  CHECK_THAT(viewer.time_s[0], WithinRel(60e-6, 1e-9));
  // As the viewer of QNN 2.25 prints it: the backend before each event, and the slowest and fastest run as well.
  const Workload named = open(
      "Init Stats:\n    NetRun:  90000 us\nExecute Stats (Average):\n    Backend (Accelerator (execute) time (cycles)): 4000000 cycles\n"
      "    Backend (Accelerator (execute) time): 4000 us\n        Input OpId_2 (cycles): 100000 cycles\n"
      "        conv:OpId_21 (cycles): 3900000 cycles\nExecute Stats (Min):\n"
      "    Backend (Accelerator (execute) time (cycles)): 3000000 cycles\n        conv:OpId_21 (cycles): 2900000 cycles\n");
  REQUIRE(named.size() == 2);
  CHECK_THAT(total(named), WithinRel(4e-3, 1e-9));
  const std::string head = "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n";
  const std::string nodes = "UNKNOWN,NODE,20000,CYCLES,BACKEND,SUB-EVENT,a,b:OpId_17 (cycles)\n";
  const Workload csv = open(head + "UNKNOWN,BACKEND,50000,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles)\n" +
                            "UNKNOWN,BACKEND,50,US,BACKEND,ROOT,Accelerator (execute) time\n" + nodes);
  REQUIRE(csv.size() == 1);
  CHECK(csv.name_of(0) == "a,b");
  CHECK_THAT(csv.time_s[0], WithinRel(20e-6, 1e-9));
  // 17 cycles a microsecond are no clock: waiting is in them.
  CHECK(refusal_of(head + "UNKNOWN,BACKEND,29239,CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles)\n" +
                   "UNKNOWN,BACKEND,1734,US,BACKEND,ROOT,Accelerator (execute) time\n" + nodes)
            .find("counts cycles") != std::string::npos);
  const Workload snpe = open("Average SNPE Statistics:\nForward Propagate Time: 26 us\nLayer Times:\n0: 14 us : CPU\n1: 12 us : DSP\n");
  REQUIRE(snpe.size() == 2);
  CHECK(snpe.class_of(1).type == "DSP");
  CHECK_THAT(total(snpe), WithinRel(26e-6, 1e-12));
  const Workload hub = open(
      R"({"execution_summary": {"estimated_inference_time": 900}, "execution_detail": [{"name": "c", "type": "CONV", "compute_unit": "NPU", "execution_time": 300}, {"name": "d", "execution_time": 0}]})");
  REQUIRE(hub.size() == 1);
  CHECK_THAT(hub.time_s[0], WithinRel(300e-6, 1e-12));
}

TEST_CASE("tools: AI Hub's perf.yaml, a row for each device and runtime", "[tools]") {
  const Workload w = open(
      "precisions:\n  w8a8:\n    components:\n      Net:\n        performance_metrics:\n          Phone 1:\n            tflite:\n"
      "              job_status: Passed\n              inference_time_milliseconds: 2.5\n              estimated_peak_memory_range_mb:\n"
      "                min: 0\n              primary_compute_unit: NPU\n            onnx:\n              primary_compute_unit: CPU\n");
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "Net w8a8, tflite on Phone 1");
  CHECK_THAT(w.time_s[0], WithinRel(2.5e-3, 1e-12));
  CHECK(says(w, "each row is the whole network on another device"));
}

TEST_CASE("tools: QNN's JSON, of the viewer and of its analysis of HTP", "[tools]") {
  const Workload viewer =
      open(R"j({"header": {"artifact_type": "QNN_PROFILE"}, "messages": [{"method": "BACKEND_EXECUTE", "profilingEvents": [)j"
           R"j({"identifier": "Accelerator (execute) time", "unit": "MICROSEC", "value": 100},)j"
           R"j({"identifier": "Accelerator (execute) time (cycles)", "unit": "CYCLES", "value": 50000, "sub-events": [)j"
           R"j({"identifier": "conv:OpId_2 (cycles)", "unit": "CYCLES", "value": 30000}]}]}]})j");
  REQUIRE(viewer.size() == 1);
  CHECK(viewer.name_of(0) == "conv");
  CHECK_THAT(viewer.time_s[0], WithinRel(60e-6, 1e-9));
  // 100,000 cycles in 100 us are 1 GHz; the longest path, not the sum over threads, is the time.
  const Workload htp = open(
      R"({"data": {"htp_overall_summary": {"data": [{"time_us": 100, "timeline_cycles": 100000}]}, "qnn_op_instances_nodes": {"data": [)"
      R"({"qnn_op": "conv", "qnn_op_type": "Conv2d", "cycles": 16000, "num_dominant_path_cycles_htp_0": 4000, "dram_read": 500, "dram_write": 100}]}}})");
  REQUIRE(htp.size() == 1);
  CHECK_THAT(htp.time_s[0], WithinRel(4e-6, 1e-9));
  CHECK(htp.given_bytes[0] == 600);
}

TEST_CASE("tools: Vela's summary is its network, whatever traffic on the chip it states", "[tools]") {
  const Workload w = open(
      "12\n"  // not below a header: no row
      "experiment,network,accelerator_configuration,core_clock,inference_time,sram_total_bytes,nn_macs\n"
      "default,person_detect,Ethos_U85_256,1000000000.0,0.000181758,1000000,7077252\n");
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "person_detect");
  CHECK_THAT(w.time_s[0], WithinRel(181.758e-6, 1e-12));
  CHECK(flops_of(w, 0) == 2.0 * 7077252);
  CHECK(w.given_bytes.empty());
}

TEST_CASE("tools: RKNN's toolkit 1, OpenVINO's counters without their sum, Hailo's benchmark", "[tools]") {
  const Workload rknn = open(
      "====\n    Performance\n====\nLayer ID    Name                  Time(us)\n0           tensor.transpose_0    72\n"
      "44          convolution.relu_2    363\nTotal Time(us): 435\nFPS(800MHz): 2298\n");
  REQUIRE(rknn.size() == 2);
  CHECK_THAT(total(rknn), WithinRel(435e-6, 1e-9));
  // Two inferences: a layer has the mean of both.
  const std::string block = "conv1;EXECUTED;Convolution;brgconv_avx512_amx_I8;";
  const Workload openvino =
      open("layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n" + block +
           "0.120;0.120;\nrelu1;NOT_RUN;Relu;undef;0.000;0.000;\nTotal;;;;0.120;0.120;\n\n" +
           "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms);\n" + block + "0.140;0.140;\nTotal;;;;0.140;0.140;\n");
  REQUIRE(openvino.size() == 1);
  CHECK_THAT(openvino.time_s[0], WithinRel(0.13e-3, 1e-9));
  CHECK(openvino.class_of(0).activation == format("int8"));
  const Workload hailo = open(
      "FPS     (hw_only)                 = 1250\n        (streaming)               = 1200\nLatency (hw)                      = 2.9 ms\n");
  REQUIRE(hailo.size() == 1);
  CHECK_THAT(hailo.time_s[0], WithinRel(0.8e-3, 1e-12));
}

TEST_CASE("tools: key_averages of a GPU, whose header is a letter wider than its columns", "[tools]") {
  const auto line = [](std::initializer_list<const char*> cells) {  // each 12 wide, two blanks between them, as PyTorch formats them
    std::string out;
    for (const std::string cell : cells) out += std::string(cell.size() < 12 ? 12 - cell.size() : 0, ' ') + cell + "  ";
    return out + '\n';
  };
  const char* const rule = "------------";
  const std::string dashes = line({rule, rule, rule, rule, rule});
  const Workload w = open(dashes + line({"Name", "Self CPU %", "Self CUDA", "CUDA time avg", "# of Calls"}) + dashes +
                          line({"aten::addmm", "1.00%", "8.000ms", "400.000us", "20"}) +
                          line({"aten::relu", "0.50%", "2.000ms", "100.000us", "20"}) + dashes + "Self CUDA time total: 10.000ms\n");
  REQUIRE(w.size() == 2);
  CHECK(w.count_of(0) == 20);
  CHECK_THAT(total(w), WithinRel(10e-3, 1e-9));
}

TEST_CASE("tools: key_averages of torch.profiler, kernels counted once", "[tools]") {
  const std::string dashes =
      "--------------  ------------  ------------  ------------  ------------  ------------  ------------  --------------------\n";
  const Workload device =
      open(dashes +
           "          Name    Self CPU %     CPU total     Self CUDA    CUDA total    # of Calls  Total MFLOPs          Input Shapes\n" +
           dashes +
           "      aten::mm        10.00%     500.000us       2.000ms       2.000ms             4        40.000  [[64, 32], [32, 16]]\n"
           "  aten::linear         1.00%     900.000us       0.000us       2.000ms             4            --                    []\n"
           "  sgemm_128x64         0.00%       0.000us       2.000ms       2.000ms             4            --                    []\n" +
           dashes + "Self CPU time total: 1.4ms\nSelf CUDA time total: 2.000ms\n");
  REQUIRE(device.size() == 1);
  CHECK(device.name_of(0) == "aten::mm");
  CHECK_THAT(total(device), WithinRel(2e-3, 1e-9));
  CHECK(flops_of(device, 0) == 40e6);
  const Workload host =
      open(dashes +
           "          Name    Self CPU %      Self CPU     CPU total  CPU time avg       CPU Mem    # of Calls          Input Shapes\n" +
           dashes +
           "      aten::mm        90.00%       1.800ms       1.900ms     950.000us       8.00 Kb             2  [[64, 32], [32, 16]]\n" +
           dashes);
  REQUIRE(host.size() == 1);
  CHECK_THAT(total(host), WithinRel(1.8e-3, 1e-9));
}

TEST_CASE("tools: timelines of devices in Chrome's format, waits and the host left out", "[tools]") {
  const auto process = [](int pid, const std::string& name) {
    return R"({"ph": "M", "name": "process_name", "pid": )" + std::to_string(pid) + R"(, "args": {"name": ")" + name + R"("}})";
  };
  const auto thread = [](int pid, int tid, const std::string& name) {
    return R"({"ph": "M", "name": "thread_name", "pid": )" + std::to_string(pid) + R"(, "tid": )" + std::to_string(tid) +
           R"(, "args": {"name": ")" + name + R"("}})";
  };
  const auto ran = [](int pid, int tid, const std::string& name, const std::string& ts, const std::string& dur,
                      const std::string& args = "{}") {
    return R"({"ph": "X", "name": ")" + name + R"(", "pid": )" + std::to_string(pid) + R"(, "tid": )" + std::to_string(tid) +
           R"(, "ts": )" + ts + R"(, "dur": )" + dur + R"(, "args": )" + args + "}";
  };
  // Ascend's is a bare list, with times in quotes.
  const Workload ascend =
      open("[" + ran(6, 3, "MatMulV2", "\"1000.25\"", "12.5", R"({"Task Type": "AI_CORE"})") + "," +
           ran(6, 3, "EVENT_WAIT", "\"1020\"", "5", R"({"Task Type": "EVENT_WAIT"})") + "," + ran(1, 3, "aten::mm", "\"900\"", "99") + "," +
           process(6, "Ascend Hardware") + "," + process(1, "Python") + "]");
  REQUIRE(ascend.size() == 1);
  CHECK(ascend.class_of(0).type == "AI_CORE");
  CHECK_THAT(total(ascend), WithinRel(12.5e-6, 1e-9));
  CHECK(tool_of(ascend) == "Ascend trace_view");
  CHECK(says(ascend, "1 event of waiting left out"));
  const Workload jax = open(R"({"traceEvents": [)" + process(1, "/device:GPU:0") + "," + thread(1, 14, "Stream #14(Compute)") + "," +
                            thread(1, 2, "XLA Modules") + "," + ran(1, 14, "fusion_3", "1", "20") + "," +
                            ran(1, 14, "fusion_3", "30", "22") + "," + ran(1, 2, "jit_f", "1", "60") + "]}");
  REQUIRE(jax.size() == 1);
  CHECK(jax.count_of(0) == 2);
  CHECK_THAT(total(jax), WithinRel(42e-6, 1e-9));
  CHECK_THAT(jax.device_time.span_s, WithinRel(51e-6, 1e-9));
  CHECK_THAT(jax.device_time.busy_s, WithinRel(42e-6, 1e-9));
  CHECK(jax.launches.op == std::vector<std::uint32_t>{0, 0});
  CHECK_THAT(jax.launches.begin_s[1], WithinRel(29e-6, 1e-9));
  CHECK_THAT(jax.launches.length_s[1], WithinRel(22e-6f, 1e-6f));
  CHECK(says(jax, "device time: 42 µs in 1 stream, within 51 µs: busy 42 µs (82%), idle 9 µs"));
  // A loop's event holds those of its operations: 100 us, of which 60 are theirs.
  const Workload tpu =
      open(R"({"traceEvents": [)" + process(3, "/device:TPU:0") + "," + thread(3, 3, "XLA Ops") + "," + ran(3, 3, "while.1", "0", "100") +
           "," + ran(3, 3, "fusion.2", "0", "30") + "," + ran(3, 3, "fusion.2", "50", "30") + "," + ran(3, 3, "copy.3", "100", "5") + "]}");
  CHECK_THAT(tpu.time_s[row_named(tpu, "while.1")], WithinRel(40e-6, 1e-9));
  CHECK_THAT(tpu.time_s[row_named(tpu, "fusion.2")], WithinRel(60e-6, 1e-9));
  CHECK_THAT(total(tpu), WithinRel(105e-6, 1e-9));
  CHECK(says(tpu, "device time: 105 µs in 1 stream, within 105 µs: busy 105 µs"));
  CHECK(tpu.launches.empty());  // events lie within others
  // A loop ends with its last operation: 0.7 + 0.1 is less than 0.75 + 0.05 in doubles. The next one begins where it ends.
  const Workload ends =
      open(R"({"traceEvents": [)" + process(3, "/device:TPU:0") + "," + thread(3, 3, "XLA Ops") + "," + ran(3, 3, "while.1", "0.7", "0.1") +
           "," + ran(3, 3, "fusion.2", "0.75", "0.05") + "," + ran(3, 3, "copy.3", "0.8", "0.0005") + "]}");
  CHECK_THAT(ends.time_s[row_named(ends, "while.1")], WithinRel(50e-9, 1e-9));
  CHECK_THAT(total(ends), WithinRel(100.5e-9, 1e-9));
  const std::string rocprof = R"({"traceEvents": [{},)" + process(2, "0 CPU HIP API") + "," + process(6, "6 GPU0") + "," +
                              ran(2, 1, "hipLaunchKernel", "\"100\"", "\"4\"") + "," + ran(6, 0, "gemm", "\"110\"", "\"20\"") + "]}";
  CHECK_THAT(total(open(rocprof)), WithinRel(20e-6, 1e-9));
  check_in_pieces(rocprof);
  const std::string timeline = R"({"traceEvents": [)" + process(0, "/device:GPU:0/stream:all Compute") + "," +
                               process(1, "/device:GPU:0/stream:7 Compute") + "," + process(2, "/job:x/device:CPU:0 Compute") + "," +
                               ran(0, 0, "MatMul", "10", "40") + "," + ran(1, 0, "MatMul", "10", "40") + "," +
                               ran(2, 0, "MatMul", "1", "5") + "]}";
  CHECK_THAT(total(open(timeline)), WithinRel(40e-6, 1e-9));
  CHECK_THAT(total(open(R"({"traceEvents": [)" + process(5, "GPU 0") + "," + ran(5, 7, "k", "1", "4") + "]}")), WithinRel(4e-6, 1e-9));
  CHECK(refusal_of(R"({"traceEvents": [)" + process(2, "Renderer") + "," + ran(2, 1, "paint", "1", "4") + "]}")
            .find("no process of a known device (its processes are \"Renderer\")") != std::string::npos);
}

TEST_CASE("tools: ST Edge AI, TI, Vitis AI and Hailo", "[tools]") {
  const Workload report = open(
      "ST Edge AI Core v2.0.0\nm_id  layer (type,original)  oshape  param/size  macc  connected to  |  c_size  c_macc  c_type\n"
      "1  conv2d_1 (Conv2D, CONV_2D)  [b:1,h:48,w:32,c:32]  320/416  442,400  input_0 | conv2d_oi8[1]\n");
  REQUIRE(report.size() == 1);
  CHECK(report.name_of(0) == "conv2d_1");
  CHECK(flops_of(report, 0) == 2.0 * 442400);
  CHECK(report.class_of(0).activation == format("int8"));
  // A node's further layers have no number; before version 7 the table had other columns. Sums as the reports state them.
  const Workload nodes = open(
      "ST Edge AI Core v1.0.0\ninput 1/1          :   'in', f32(1x72), 288 Bytes\n"
      "m_id   layer (type,original)       oshape      param/size   macc   connected to   | c_size   c_macc           c_type\n"
      "0      in (Input, )                [b:1,c:72]                                     |\n"
      "6      dense_dense (Dense, Dense)  [b:1,c:3]   219/876      219    in             |          +45(+20.5%)      Dense_[1, 2]\n"
      "       dense (Nonlinearity, Dense) [b:1,c:3]                45     dense_dense    |          -45(-100.0%)\n"
      "                                                                   bias_const     | -512(-100.0%)\n"
      "model/c-model: macc=264/264 weights=876/876\n0  3  conv2d (Conv2D)  3,176  smul_f32_f32\n");
  REQUIRE(nodes.size() == 3);
  CHECK(flops_of(nodes, 1) + flops_of(nodes, 2) == 2.0 * 264);
  CHECK(nodes.name_of(2) == "dense");
  CHECK(nodes.class_of(1).activation == format("fp32"));
  const Workload older = open(
      "Neural Network Tools for STM32 v1.4.0\ninput : input [27648 items, ai_i8, scale=0.1]\n"
      "id  layer (type)         output shape      param #     connected to             macc           rom\n"
      "0   input (Input)        (96, 96, 3)\n    conv2d_0 (Conv2D)    (48, 48, 8)       224         input                    "
      "534,536        248 (i)\n    nl_0 (Nonlinearity)  (48, 48, 8)                   conv2d_0\nm p=210850 macc=534536 rom=1\n");
  REQUIRE(older.size() == 3);
  CHECK(flops_of(older, 1) == 2.0 * 534536);
  CHECK(older.class_of(1).activation == format("int8"));
  const Workload profile = open(
      "ST.AI Profiling results v2.0\nc_id  m_id  type  dur (ms)  %  cumul  name\n0  1  epoch (SW)  1.5  75.0%  75.0%  first\n"
      "1  2  epoch  0.5  25.0%  100.0%  second\nn/a  n/a  Inter-nodal  0.1  0%  0%\n");
  REQUIRE(profile.size() == 2);
  CHECK_THAT(total(profile), WithinRel(2e-3, 1e-12));
  const Workload tidl = open(
      "Network Cycles 6294\n   Layer,   Layer Cycles,kernelOnlyCycles, coreLoopCycles,LayerSetupCycles,dmaPipeupCycles, dmaPipeDownCycles, "
      "PrefetchCycles,copyKerCoeffCycles\n     1,  81811,  48850,  49277,  7779,  1, 1, 1, 1\n");
  REQUIRE(tidl.size() == 1);
  CHECK_THAT(tidl.time_s[0], WithinRel(81.811e-6, 1e-9));
  const Workload perfsim = open(
      " lyrNum , LyrType, procTime(us),inVol(KB),outVol(KB),wtVol(KB), srcMem-IN,dstMem-OUT, srcMem-WT\n"
      "1,Conv,10,4,2,1,DDR,MSMC,DDR\n");
  REQUIRE(perfsim.size() == 1);
  CHECK(perfsim.given_bytes[0] == 5 * 1024);
  const Workload vitis = open(
      "DPU Summary:\nDPU Id | Bat | DPU SubGraph | WL | SW_RT | HW_RT | Effic | LdWB | LdFM | StFM | AvgBw\n"
      "DPUCZDX8G_1 | 1 | subgraph_a | 2 | 3.0 | 2.5 | 80 | 4 | 2 | 1 | 2800\n");
  REQUIRE(vitis.size() == 1);
  CHECK(flops_of(vitis, 0) == 2e9);
  CHECK_THAT(vitis.time_s[0], WithinRel(2.5e-3, 1e-12));
  CHECK(vitis.given_bytes[0] == 7e6);
  const Workload hailo = open("net_name,fps,hw_only_fps,num_of_frames\nresnet,1000,1250,5000\n");
  REQUIRE(hailo.size() == 1);
  CHECK_THAT(hailo.time_s[0], WithinRel(0.8e-3, 1e-12));
}

TEST_CASE("tools: profilers of GPUs that print their tables", "[tools]") {
  const Workload nvprof = open(
      "==1== NVPROF is profiling process 1\n==1== Profiling result:\n"
      "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
      " GPU activities:   75.00%  3.0000ms         2  1.5000ms  1.4ms  1.6ms  void a<int, 2>(float*)\n"
      "                   25.00%  1.0000ms         4  250.00us  200us  300us  [CUDA memcpy HtoD]\n"
      "      API calls:   90.00%  9.0000ms         1  9.0000ms  9ms  9ms  cudaMalloc\n");
  REQUIRE(nvprof.size() == 2);
  CHECK(nvprof.name_of(0) == "void a<int, 2>(float*)");
  CHECK_THAT(total(nvprof), WithinRel(4e-3, 1e-12));
  const Workload unitrace = open(
      "=== Device Timing Summary ===\n\n== L0 Backend ==\n\n   Kernel,   Calls,  Time (ns), Time (%), Average (ns)\n"
      "   \"a, b\",  2, 5000, 100, 2500\n\n=== Kernel Properties ===\n\n  Kernel, Compiled\n  \"a, b\", JIT\n");
  REQUIRE(unitrace.size() == 1);
  CHECK(unitrace.name_of(0) == "a, b");
  CHECK_THAT(total(unitrace), WithinRel(5e-6, 1e-12));
  const Workload trtexec = open(
      "[01/01/2025-00:00:00] [I] Model: net.onnx\n[01/01/2025-00:00:00] [I] === Profile (100 iterations ) ===\n"
      "[01/01/2025-00:00:00] [I]    Layer   Time (ms)   Avg. Time (ms)   Median Time (ms)   Time %\n"
      "[01/01/2025-00:00:00] [I]   conv1 + relu1   150.00   1.5   1.4   75.0\n[01/01/2025-00:00:00] [I]   fc   50.00   0.5   0.5   25.0\n"
      "[01/01/2025-00:00:00] [I]   Total   200.00   2.0   1.9   100.0\n&&&& PASSED TensorRT.trtexec\n");
  REQUIRE(trtexec.size() == 2);
  CHECK(trtexec.name_of(0) == "conv1 + relu1");
  CHECK_THAT(total(trtexec), WithinRel(2e-3, 1e-12));
}

TEST_CASE("tools: nvprof with --csv, and its trace of the GPU", "[tools]") {
  const Workload csv = open(
      "==1== Profiling result:\n\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n,%,us,,us,us,us,\n"
      "\"GPU activities\",75.0,3000.0,2,1500.0,1400.0,1600.0,\"void a<int, 2>(float*)\"\n"
      "\"API calls\",90.0,9000.0,1,9000.0,9000,9000,\"cudaMalloc\"\n");
  REQUIRE(csv.size() == 1);
  CHECK(csv.name_of(0) == "void a<int, 2>(float*)");
  CHECK_THAT(total(csv), WithinRel(3e-3, 1e-12));
  const Workload trace = open(
      "==1== Profiling result:\n\"Start\",\"Duration\",\"Grid X\",\"Size\",\"Device\",\"Name\"\ns,us,,MB,,\n"
      "0.5,10.0,,4.0,\"V100 (0)\",\"[CUDA memcpy HtoD]\"\n0.6,20.0,32,,\"V100 (0)\",\"k(int, int)\"\n");
  REQUIRE(trace.size() == 2);
  CHECK_THAT(total(trace), WithinRel(30e-6, 1e-12));
  const Workload people = open(
      "==1== Profiling result:\n   Start  Duration  Grid Size  Size  Device  Name\n"
      "349.33ms  1.2500us          -    4B  V100   [CUDA memcpy HtoD]\n350.33ms  2.5000us   (1 1 1)     -  V100    k(int, int)\n");
  REQUIRE(people.size() == 2);
  CHECK_THAT(total(people), WithinRel(3.75e-6, 1e-12));
  CHECK(refusal_of("==1== Profiling result:\n==1== Metric result:\n\"Device\",\"Kernel\",\"Metric Name\"\n\"V100 (0)\",\"k\",\"ipc\"\n")
            .find("expected the summary of GPU activities") != std::string::npos);
}

TEST_CASE("tools: llama-bench's Markdown, with the work of a dense model alone", "[tools]") {
  const Workload w = open(
      "| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | ---: | ---: | ---: |\n"
      "| llama 7B Q4_0 | 3.00 GiB | 6.00 B | Metal | 99 | tg128 | 50.00 ± 0.1 |\n"
      "| x 20B MXFP4 MoE | 11.00 GiB | 20.00 B | Metal | 99 | pp512 | 100.00 ± 0.1 |\n");
  REQUIRE(w.size() == 2);
  CHECK(flops_of(w, 0) == 12e9);
  CHECK(w.given_bytes[0] == 3 * 0x1p30);
  CHECK_THAT(w.time_s[0], WithinRel(0.02, 1e-12));
  CHECK(w.class_of(1).time_only);
}

TEST_CASE("tools: a table of llama-batched-bench between those of llama-bench is none of its tests", "[tools]") {
  const std::string head = "| model | size | params | backend | test | t/s |\n| --- | ---: | ---: | --- | ---: | ---: |\n";
  const std::string row = "| llama 7B Q4_0 | 3.00 GiB | 6.00 B | Metal | tg128 | 50.00 ± 0.1 |\n";
  const Workload w =
      open(head + row + "\n|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |\n|-------|--------|------|--------|------|----|\n" +
           "|   512 |     32 |    1 |    544 |    0.186 |  2748.06 |\n\n" + head + row);
  REQUIRE(w.size() == 2);
  CHECK_THAT(total(w), WithinRel(0.04, 1e-12));
  const Workload csv = open(
      "build_commit,model_type,n_prompt,n_gen,avg_ns,avg_ts\n\"8cf\",\"qwen2 7B\",\"512\",\"0\",\"51200000\",\"10000\"\n"
      "\"8cf\",\"qwen2 7B\",\"0\",\"128\",\"1280000000\",\"100\"\n");
  REQUIRE(csv.size() == 2);
  CHECK(csv.name_of(1) == "qwen2 7B, tg128");
  CHECK_THAT(csv.time_s[0], WithinRel(1e-4, 1e-12));
  CHECK_THAT(csv.time_s[1], WithinRel(1e-2, 1e-12));
}

TEST_CASE("tools: trtexec's profile in the columns of each version", "[tools]") {
  const std::string begin = "&&&& RUNNING TensorRT.trtexec\n[I] === Profile (10 iterations ) ===\n";
  for (const char* table :
       {"[I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer\n[I]  15.0   1.5   1.4   75.0   conv1 + relu1\n"
        "[I]  5.0   0.5   0.5   25.0   fc\n[I]  20.0   2.0   1.9   100.0   Total\n",
        "[I]    Layer   Time (ms)   Avg. Time (ms)   Time %\n[I]   conv1 + relu1   15.0   1.5   75.0\n[I]   fc   5.0   0.5   25.0\n"
        "[I]   Total   20.0   2.0   100.0\n"}) {
    const Workload w = open(begin + table);
    INFO(table);
    REQUIRE(w.size() == 2);
    CHECK(w.name_of(0) == "conv1 + relu1");
    CHECK_THAT(total(w), WithinRel(2e-3, 1e-12));
  }
  // A part of a log, without the line that names trtexec.
  const Workload part = open(
      "[01/02/2026-10:00:00] [I] === Profile (10 iterations ) ===\n[01/02/2026-10:00:00] [I]  Time(ms)  Avg.(ms)  Time(%)  Layer\n"
      "[01/02/2026-10:00:00] [I]  15.0  1.5  100.0  fc\n");
  REQUIRE(part.size() == 1);
  CHECK_THAT(part.time_s[0], WithinRel(1.5e-3, 1e-12));
}

TEST_CASE("tools: what is known and not read names the tool and the export that works", "[tools]") {
  CHECK(refusal_of("LayerID, Avg IFMAP SRAM BW,\n0, 1.5,\n").find("COMPUTE_REPORT.csv") != std::string::npos);
  CHECK(refusal_of("-----\nSTREAM version $Revision: 5.10 $\nFunction    Best Rate MB/s\nCopy: 3.0\n").find("--machine") !=
        std::string::npos);
  CHECK(refusal_of(R"({"rocprofiler-sdk-tool": [{"buffer_records": {}}]})").find("rocprofv3 --kernel-trace --output-format csv") !=
        std::string::npos);
  CHECK(refusal_of(R"({"schema": "1.1.1-chakra.0.0.4", "nodes": [{"id": 1, "name": "aten::mm"}]})").find("export_chrome_trace") !=
        std::string::npos);
  CHECK(refusal_of("--> Evaluate\nTotal Time(us): 17219\nFPS: 58.08\n").find("perf_debug=True") != std::string::npos);
  CHECK(refusal_of("ID,Total %,Bound,OP Code,Device,Device Time,Op-to-Op Gap\n2,10,DRAM,Matmul,0,205,3\n").find("ops_perf_results*.csv") !=
        std::string::npos);
  CHECK(refusal_of("snippet Execute Stats OpId_ without any\n").find("QNN profile viewer without rows") != std::string::npos);
}

TEST_CASE("tools: columns of implementations are asked for once, then compared", "[tools]") {
  const std::string table = "M,N,K,cuBLAS,Triton\n256,256,256,1.5,1.25\n512,512,512,3.5,4.5\n";
  CHECK(refusal_of(table).find("\"cuBLAS\" and \"Triton\": the table, as of Triton's perf_report, does not say in which unit they are") !=
        std::string::npos);
  ReadOptions options;
  options.columns = {{"cuBLAS", "TFLOP/s"}, {"Triton", "TFLOP/s"}};
  const Workload w = open(table, options);
  REQUIRE(w.size() == 4);
  CHECK(w.name_of(0) == "cuBLAS 256x256x256");
  CHECK(w.name_of(3) == "Triton 512x512x512");
  CHECK_THAT(w.time_s[3], WithinRel(2 * 512.0 * 512 * 512 / 4.5e12, 1e-9));
  CHECK(std::any_of(w.categories.begin(), w.categories.end(), [](const Category& c) { return c.name == "provider"; }));
  // The index of pandas before them; units in the headers, as newer versions write them; and a size alone.
  CHECK(
      refusal_of(",M,N,K,cuBLAS,Triton\n0,256.0,256.0,256.0,2.0,2.5\n1,512.0,512.0,512.0,10.0,12.0\n").find("\"cuBLAS\" and \"Triton\"") !=
      std::string::npos);
  CHECK(refusal_of("N,Triton,Torch\n256.0,500.1,450.2\n").find("--column \"Torch=TFLOP/s\"") != std::string::npos);
  const Workload stated = open(",M,N,K,cuBLAS (TFLOPS),Triton (TFLOPS)\n0,256.0,256.0,256.0,1.5,2.5\n");
  REQUIRE(stated.size() == 2);
  CHECK_THAT(stated.time_s[1], WithinRel(2 * 256.0 * 256 * 256 / 2.5e12, 1e-9));
  CHECK(open("size,Triton (GB/s),Torch (GB/s)\n4096.0,12.0,12.5\n").size() == 2);
  options.columns[1].first = "absent";
  CHECK_FALSE(read(table, options));
}

TEST_CASE("tools: networks in other tools' formats are named, with an export that opens", "[tools]") {
  const auto says = [](const std::string& file, const std::string& words) { return refusal_of(file).find(words) != std::string::npos; };
  CHECK(says("7767517\n3 3\nInput data 0 1 data 0=224\nConvolution conv1 1 1 data c1 0=64 1=3\n", "ncnn's .param"));
  CHECK(says("name: \"x\"\nlayer {\n name: \"conv1\"\n type: \"Convolution\"\n}\n", "Caffe's .prototxt"));
  CHECK(says(R"({"class_name":"Sequential","config":{"layers":[]},"keras_version":"2.4.0","backend":"tensorflow"})", "Keras's JSON"));
  CHECK(says("[net]\nwidth=416\nheight=416\n[convolutional]\nfilters=32\n", "Darknet's .cfg"));
  CHECK(says("version 1.0;\ngraph net(x) -> (y) {\n x = external(shape=[1,3,8,8]);\n}\n", "NNEF's graph: export it as ONNX"));
  CHECK(says("module @m {\n  func.func @main(%a: tensor<8x16xf32>) -> tensor<8x4xf32> {\n", "MLIR's text"));
  // A table with these words in a comment is a table.
  for (const std::string comment : {"harness version 2, graph mode, external power", "of func.func main, whose input is a tensor<8xf32>",
                                    R"(members "class_name" and "config" of a model of keras)"}) {
    INFO(comment);
    CHECK(open("# " + comment + "\nname,time_us,flops,bytes\na,10,1000000,20000\n").size() == 1);
  }
  CHECK(says("HloModule m\n\nENTRY main {\n  p0 = f32[8,16] parameter(0)\n}\n", "XLA's HLO text"));
}
