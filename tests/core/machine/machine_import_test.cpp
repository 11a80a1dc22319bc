#include <roofline/machine/machine_import.hpp>
#include <roofline/session/detect.hpp>

#include "support.hpp"

using namespace roofline;

namespace {

/// The shape of ERT's output; figures of its published Edison run.
constexpr const char* ert = R"({
  "empirical": {
    "gbytes": {"data": [["L1", 1723.23], ["L2", 1075.56], ["L3", 669.08], ["DRAM", 83.0]], "metadata": {}},
    "gflops": {"data": [["GFLOPs", 355.79]]},
    "metadata": {"ERT_VERSION": "1.1.0", "HOSTNAME": "edison"}},
  "spec": {"gbytes": {"data": [["DRAM", 102.4]]}, "gflops": {"data": []}}})";

constexpr const char* clpeak = R"(<?xml version="1.0" encoding="utf-8"?>
<!-- two runs -->
<clpeak format_version="2" clpeak_version="2.0">
  <run backend="Metal" device="GPU &amp; Co" driver='1'>
    <prop name="GPU cores" value="16"/>
    <category name="fp_compute">
      <test name="single_precision_compute" unit="gflops"><metric name="float">4000.5</metric><metric name="float2">4823.0264</metric></test>
      <test name="half_precision_compute" unit="gflops"><metric name="half">4900</metric></test>
      <test name="coopmat_fp16" unit="tflops"><metric name="coopmat_fp16">12.5</metric></test>
      <test name="coopmat_fp8_e4m3" unit="tflops"><metric name="coopmat_fp8_e4m3" status="unsupported"/></test>
      <test name="gemm" unit="tflops"><metric name="fp32">4.1</metric><metric name="int8_k32">164.83</metric></test>
      <test name="attention-matrix" unit="tflops"><metric name="bf16">99</metric></test>
    </category>
    <category name="bandwidth">
      <test name="global_memory_bandwidth" unit="gbps"><metric name="float">179.3186</metric><metric name="float2">184.0016</metric></test>
      <test name="local_memory_bandwidth" unit="gbps"><metric name="float">2938.1179</metric></test>
      <test name="texture_sample_rate" unit="gtexels"><metric name="rgba8">114</metric></test>
    </category>
    <category name="latency">
      <test name="kernel_launch_latency" unit="us"><metric name="dispatch">5.4111</metric><metric name="roundtrip">187</metric></test>
    </category>
  </run>
  <run backend="CPU" device="CPU"/>
</clpeak>)";

std::string refusal(std::string text) {
  const auto machine = import_machine(text);
  return machine ? "no error" : machine.error().text();
}

std::string with(std::string text, const std::string& old, const std::string& now) {
  text.replace(text.find(old), old.size(), now);
  return text;
}

}  // namespace

TEST_CASE("machine import: ERT's roofline.json") {
  CHECK(detect(ert) == FileKind::machine);
  const auto m = import_machine(ert);
  REQUIRE(m);
  CHECK(m->id == "ert-edison");
  CHECK(m->peak(Unit::vector, format("fp64")) == 355.79e9);
  CHECK(m->peak(Unit::matrix, format("fp64")) == 355.79e9);
  REQUIRE(m->memories.size() == 4);
  const std::vector<std::pair<std::string, double>> expected = {{"DRAM", 83e9}, {"L3", 669.08e9}, {"L2", 1075.56e9}, {"L1", 1723.23e9}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(m->memories[i].name == expected[i].first);
    CHECK(m->memories[i].bandwidth.value == Approx(expected[i].second).epsilon(1e-15));
    CHECK(m->memories[i].bandwidth.basis == "measured");
    CHECK(m->memories[i].bandwidth.source == "Empirical Roofline Tool 1.1.0");
  }
  CHECK(m->memories[0].bandwidth.note == "Specified: 102.4 GB/s.");
  CHECK(import_machine(with(ert, "GFLOPs", "FP32 GFLOPs"))->peak(Unit::vector, format("fp32")) == 355.79e9);
}

TEST_CASE("machine import: ERT's sum") {
  // The shape of the file in each of ERT's result folders; figures of one of its published runs.
  const std::string sum =
      "    21.84 GFLOPs\n\n  2830.16 Weight\n\n   349.39 L1\n   200.17 L2\n    34.88 DRAM\n\nMETA_DATA\nERT_VERSION  1.1.0\n"
      "OPENMP_THREADS 2\nHOSTNAME  ('box', [], ['127.0.1.1'])\nFLOPS          1\n";
  for (const std::string& text : {sum, with(sum, "\n\n", "\r\n\r\n")}) {
    CHECK(detect(text) == FileKind::machine);
    const auto m = import_machine(text);
    REQUIRE(m);
    CHECK(m->id == "ert-box");
    CHECK(m->peak(Unit::vector, format("fp64")) == 21.84e9);
    CHECK(m->peak(Unit::matrix, format("fp64")) == 21.84e9);
    REQUIRE(m->memories.size() == 3);
    CHECK(m->memories[0].name == "DRAM");
    CHECK(m->memories[0].bandwidth.value == 34.88e9);
    CHECK(m->memories[2].name == "L1");
    CHECK(m->memories[2].bandwidth.source == "Empirical Roofline Tool 1.1.0");
    CHECK(parse_machine(machine_json(*m, true)));
  }
  CHECK(refusal(with(sum, "349.39 L1", "fast L1")).find("line 5, column 1: expected a number and a name in an ERT sum file") == 0);
  CHECK(refusal(with(sum, "349.39 L1", "0 L1")).find("line 5") == 0);
  CHECK(refusal("1 GFLOPs\n\nMETA_DATA\n").find("has no line with a bandwidth") == 0);
  CHECK(detect("1,2\n3,4\n") != FileKind::machine);
}

TEST_CASE("machine import: clpeak 1 has a device per platform, and tests without metrics") {
  const char* text = R"(<?xml version="1.0" encoding="utf-8"?>
<clpeak os="Linux x64">
  <platform name="Portable Computing Language">
    <device name="pthread-AMD EPYC" driver_version="3.1" compute_units="2">
      <global_memory_bandwidth unit="gbps"><float>2.8</float><float16>6.1</float16></global_memory_bandwidth>
      <single_precision_compute unit="gflops"><float>0.45</float><float16>8.75</float16></single_precision_compute>
      <kernel_launch_latency unit="us">16.75</kernel_launch_latency>
    </device>
  </platform>
</clpeak>)";
  CHECK(detect(text) == FileKind::machine);
  const auto m = import_machine(text);
  INFO(refusal(text));
  REQUIRE(m);
  CHECK(m->name == "pthread-AMD EPYC, measured by clpeak");
  CHECK(m->memories.at(0).bandwidth.value == Approx(6.1e9));
  CHECK(m->peak(Unit::vector, *Formats::catalogue().find("fp32")) == Approx(8.75e9));
  CHECK(m->launch_s.value == Approx(16.75e-6));
  CHECK(m->launch_s.source == "clpeak 1, OpenCL: kernel_launch_latency, dispatch");
}

TEST_CASE("machine import: clpeak's XML, each test in its own unit") {
  CHECK(detect(clpeak) == FileKind::machine);
  const auto m = import_machine(clpeak);
  INFO(refusal(clpeak));
  REQUIRE(m);
  CHECK(m->name == "GPU & Co, measured by clpeak");
  CHECK(m->peak(Unit::vector, format("fp32")) == Approx(4823.0264e9));
  CHECK(m->peak(Unit::matrix, format("fp32")) == Approx(4823.0264e9));  // faster than its matrix product
  CHECK(m->peak(Unit::matrix, format("fp16")) == 12.5e12);
  CHECK(m->peak(Unit::vector, format("fp16")) == 4900e9);
  CHECK(m->peak(Unit::matrix, format("int8")) == Approx(164.83e12));
  CHECK(m->peak(Unit::matrix, format("fp8_e4m3")) != m->peak(Unit::matrix, format("fp8_e4m3")));
  CHECK(m->peak(Unit::matrix, format("bf16")) != m->peak(Unit::matrix, format("bf16")));
  CHECK(m->memories[0].name == "DRAM");
  CHECK(m->memories[0].bandwidth.value == Approx(184.0016e9));
  CHECK(m->memories[1].bandwidth.value == Approx(2938.1179e9));
  CHECK(m->launch_s.value == Approx(5.4111e-6));
  CHECK(m->launch_s.source == "clpeak 2.0, Metal: kernel_launch_latency, dispatch");
  CHECK(m->notes == std::vector<std::string>{"The file holds 2 runs; the figures are the first one's (Metal)."});
}

TEST_CASE("machine import: an imported machine can be written and read back") {
  for (const char* text : {ert, clpeak}) {
    const auto m = import_machine(text);
    REQUIRE(m);
    const auto again = parse_machine(machine_json(*m, true));
    REQUIRE(again);
    CHECK(*again == *m);
  }
}

TEST_CASE("machine import: the error of a wrong file says where, and what was expected") {
  CHECK(refusal(with(ert, "[\"L2\", 1075.56]", "[\"L2\", -1]")).find("empirical.gbytes.data[1]: expected [name, GB/s]") == 0);
  CHECK(refusal(with(ert, "\"gflops\": {\"data\": [[\"GFLOPs\", 355.79]]}", "\"gflops\": {}"))
            .find("empirical.gflops.data: missing; expected [[name, GFLOP/s]]") == 0);
  CHECK(refusal(with(clpeak, "4000.5", "fast")) == "test \"single_precision_compute\", metric \"float\" is \"fast\"; expected a number");
  CHECK(refusal(with(clpeak, "</category>", "</categories>")) == "line 13, column 17: not valid XML: expected </category>");
  CHECK(refusal(with(clpeak, "<clpeak ", "<other ")).find("not valid XML: expected </other>") != std::string::npos);
  CHECK(refusal("<clpeak></clpeak>") == "no <run>; expected one for each device measured");
  CHECK(refusal("<clpeak><run device=\"x\"/></clpeak>").find("no global_memory_bandwidth") == 0);
  CHECK(refusal("<html></html>") == "the root element is <html>; expected <clpeak>, as clpeak writes it");
  CHECK(refusal("<clpeak a=b>").find("line 1, column 11: not valid XML: expected a quoted value of the attribute a") == 0);
  CHECK(refusal(std::string(clpeak).substr(0, 500)).find("not valid XML") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<a>";
  CHECK(refusal(deep).find("at most 64 levels") != std::string::npos);
  CHECK(refusal("{").find("not valid JSON") != std::string::npos);
}

TEST_CASE("import: a log of nccl-tests is the machine that it names, with the link as measured", "[import]") {
  const std::string head =
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 16\n#   Rank  0 Pid 1 on host device  0 [0x00] A100-SXM4-40GB\n"
      "#       size         count    type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
  const std::string rows =
      "           8             2   float     sum      -1    30.0    0.10    0.20      0    31.0    0.10    0.15      0\n"
      "  8589934592    2147483648   float     sum      -1   63896  134.44  235.25      0   63959  134.30  235.50      0\n";
  CHECK(detect(head + rows) == FileKind::machine);
  const Result<Machine> machine = import_machine(head + rows);
  REQUIRE(machine);
  CHECK(machine->links[0].bandwidth.value == 235.5e9);
  CHECK(machine->links[0].bandwidth.basis == "measured");
  CHECK(machine->name == "NVIDIA A100 40GB SXM, NVLink measured: 236 GB/s");
  CHECK(machine->notes.back() == "The log's largest busbw, 236 GB/s, is 79% of the 300 GB/s that the data sheet states for NVLink.");
  CHECK(machine->matrix == Machines::presets().find("a100-40gb-sxm")->matrix);
  CHECK_FALSE(import_machine(head));
  CHECK(import_machine("# nThread 1\n# busbw\n" + rows).error().message.find("--set bandwidths.NVLink=235.5") != std::string::npos);
}

TEST_CASE("import: STREAM's log is a machine with a bandwidth and no peaks", "[import]") {
  const auto bandwidth = [](std::string_view log) {
    CHECK(detect(log) == FileKind::machine);
    const Result<Machine> machine = import_machine(log);
    REQUIRE(machine);
    CHECK(machine->matrix.empty());
    return machine->memories[0].bandwidth.value;
  };
  CHECK(bandwidth("STREAM version $Revision: 5.10 $\nFunction    Best Rate MB/s  Avg time\nCopy:          342008.3     0.018755\n"
                  "Triad:         344000.5     0.018713\n") == 344000.5e6);
  CHECK(bandwidth("BabelStream\nFunction    MBytes/sec  Min (sec)\nCopy        812345.6    0.00066\nDot  9 9\n") == 812345.6e6);
  CHECK(
      bandwidth("STREAM Benchmark\nBuffer size(bytes): 4294967296\nSTREAM_COPY_double_gpu_0_buffer_4294967296_block_128    6711.67 81.93\n"
                "STREAM_COPY_double_gpu_1_buffer_4294967296_block_128    9000.00 81.93\n") == 6711.67e9);
  CHECK_FALSE(import_machine("STREAM version $Revision: 5.10 $\nnothing\n"));
  // Only what the header calls mebibytes is in powers of 1024.
  CHECK(bandwidth("BabelStream\nVersion: 5.0\nFunction    MiBytes/sec Min (sec)\nTriad       1000.0      0.00066\n") == 1000.0 * 0x1p20);
  CHECK(bandwidth("function,num_times,n_elements,sizeof,max_mbytes_per_sec,min_runtime\nCopy,100,33554432,8,812345.5,0.001\n") ==
        812345.5e6);
  CHECK(bandwidth("function,num_times,n_elements,sizeof,max_mibytes_per_sec,min_runtime\r\nCopy,100,33554432,8,1000,0.001\r\n") ==
        1000.0 * 0x1p20);
  const std::string twice = "STREAM version $Revision: 5.10 $\nFunction    Best Rate MB/s\nTriad:  3000.0  0.1\n";
  REQUIRE(import_machine(twice + twice));
  CHECK(import_machine(twice + twice)->notes[1].find("2 runs") != std::string::npos);
}

TEST_CASE("import: what is no number is no bandwidth", "[import]") {
  for (const char* text : {"inf", "nan", "infinity", "1e400", "-5", "12x", "0x10"}) {
    INFO(text);
    const std::string words(text);
    CHECK_FALSE(import_machine("STREAM version $Revision: 5.10 $\nFunction    Best Rate MB/s\nTriad:  " + words + "  0.1\n"));
    CHECK_FALSE(import_machine("STREAM Benchmark\nSTREAM_COPY_double_gpu_0_buffer_1_block_128 " + words + " 81.93\n"));
    CHECK_FALSE(
        import_machine("# nThread 1\n# busbw\n#   Rank  0 Pid 1 on host device  0 [0x00] A100-SXM4-40GB\n  8 2 float sum -1 30.0 0.10 " +
                       words + " 0 31.0 0.10 " + words + " 0\n"));
  }
}

TEST_CASE("import: nccl-tests over hosts or devices that differ measures no machine's link", "[import]") {
  const std::string row = "  8589934592 2147483648 float sum -1 63896 134.44 235.25 0 63959 134.30 235.50 0\n";
  const auto refusal_of = [&](const std::string& ranks) {
    const Result<Machine> machine = import_machine("# nThread 1\n" + ranks + "# busbw\n" + row);
    REQUIRE(!machine);
    return machine.error().message;
  };
  const std::string first = "#   Rank  0 Pid 1 on node-a device  0 [0x00] A100-SXM4-40GB\n";
  CHECK(refusal_of(first + "#   Rank  1 Pid 1 on node-b device  0 [0x00] A100-SXM4-40GB\n").find("on several hosts") != std::string::npos);
  CHECK(refusal_of(first + "#   Rank  1 Pid 1 on node-a device  1 [0x01] NVIDIA H100 80GB HBM3\n").find("different devices") !=
        std::string::npos);
}
