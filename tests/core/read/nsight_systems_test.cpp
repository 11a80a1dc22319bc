// What nsys stats prints: summaries and traces of a GPU's kernels and copies.
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string kernels =
    "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
    "60.0,6000000,60,100000.0,100000.0,90000,110000,500.0,gemm\n";
const std::string calls =
    "Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
    "60.0,7000000,60,100000.0,100000.0,90000,110000,500.0,\"cuda \"\"Launch\n";
const std::string copy_times =
    "Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation\n"
    "40.0,4000000,10,400000.0,400000.0,1,1,1,[CUDA memcpy Host-to-Device]\n"
    "10.0,1000000,4,250000.0,250000.0,1,1,1,[CUDA memcpy Device-to-Device]\n";
const std::string copy_sizes =
    "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
    "1024.000,10,102.400,102.400,102.400,102.400,0.000,[CUDA memcpy Host-to-Device]\n"
    "8.000,4,2.000,2.000,2.000,2.000,0.000,[CUDA memcpy Device-to-Device]\n";

}  // namespace

TEST_CASE("nsight: Nsight Systems' summary of kernels") {
  const Workload w = open(
      "Generating SQLite file a.sqlite from a.nsys-rep\nProcessing [a.sqlite] with [cuda_gpu_kern_sum.py]...\n\n"
      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
      "75.0,3000,3,1000.0,900.0,800,1300,264.6,\"void gemm<float>(int, int)\"\n"
      "25.0,1000,1,1000.0,1000.0,1000,1000,0.0,copy(float *)\n"
      "0.0,none,1,0,0,0,0,0.0,broken\n"
      "0.0,500,1,short\n"
      "10.0,500,1,500.0,500.0,500,500,0.0,last\n"
      "Processing [a.sqlite] with [cuda_gpu_mem_size_sum.py]...\n"
      "Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation\n"
      "5.0,2,2.5,2.5,1.0,4.0,1.5,[CUDA memcpy Host-to-Device]\n");
  CHECK(w.source_format == SourceFormat::nsight_systems);
  REQUIRE(w.size() == 3);
  CHECK(w.name_of(0) == "gemm");
  CHECK(w.name_of(2) == "last");
  CHECK(w.time_s[0] == Approx(3000e-9));
  CHECK(w.count_of(0) == 3);
  CHECK(w.classes[w.op_class[0]].time_only);
  CHECK(w.measures[0].values[0] == Approx(800e-9));
  CHECK(w.measures[1].values[0] == Approx(900e-9));
  CHECK(w.measures[2].values[0] == Approx(1300e-9));
  CHECK(w.measures[3].values[0] == Approx(264.6e-9));
  CHECK(says(w, "expected numbers in \"Total Time\" and \"Instances\" of broken"));
  CHECK(says(w, "copies missing from cuda_gpu_mem_time_sum are left out"));
  CHECK(w.diagnostics.size() == 5);  // two rows, the sizes, their unit, and that the rest is time only
  CHECK(refusal_of("Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n1,2,3,4,5,6,7,8,cudaMalloc\n")
            .find("expected cuda_gpu_kern_sum or cuda_gpu_trace") != std::string::npos);
}

TEST_CASE("nsight: Nsight Systems' trace of the GPU") {
  const std::string header =
      "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput "
      "(MB/s),SrcMemKd,"
      "DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";
  const std::string device = "NVIDIA A100-SXM4-80GB (0),1,,7,";
  const Workload w =
      open(header + "100,500,1,64,1,1,256,1,1,32,0.000,0.000,,,,," + device + "k(int)\n700,700,2,64,1,1,256,1,1,32,0.000,0.000,,,,," +
           device + "k(int)\n1500,300,3,32,1,1,256,1,1,32,0.000,0.000,,,,," + device + "k(int)\n" +
           "2000,1000,4,,,,,,,,,,4.000,4000.000,Device,Device," + device + "[CUDA memcpy Device-to-Device]\n");
  REQUIRE(w.size() == 3);
  CHECK(w.count_of(0) == 2);
  CHECK(w.time_s[0] == Approx(1200e-9));
  CHECK(w.categories[0].word(0) == "(64, 1, 1)");
  CHECK(w.given_bytes[2] == Approx(2 * 4e6));
  CHECK(w.machine_json == "\"a100-80gb-sxm\"");

  // In other units; one that is not known is left out.
  for (const auto& [unit, size] : {std::pair("B", "4194304"), std::pair("KiB", "4096"), std::pair("MiB", "4"), std::pair("pages", "4")}) {
    std::string in_unit = header;
    in_unit.replace(in_unit.find("Bytes (MB)"), 10, "Bytes (" + std::string(unit) + ")");
    const Workload copy =
        open(in_unit + "2000,1000,4,,,,,,,,,," + size + ",4000.000,Device,Device," + device + "[CUDA memcpy Device-to-Device]\n");
    INFO(unit);
    REQUIRE(copy.size() == 1);
    if (std::string(unit) == "pages") {
      CHECK(copy.class_of(0).time_only);
      CHECK(says(copy, "names no unit of bytes"));
    } else {
      CHECK(copy.given_bytes[0] == Approx(2 * 4194304.0));
      CHECK(!says(copy, "powers of 1000"));
    }
  }

  // Over a link the device memory's bandwidth bounds no copy.
  for (const char* over : {"Host-to-Device", "Device-to-Host", "Peer-to-Peer"}) {
    const Workload copied = open(header + "2000,1000,4,,,,,,,,,,4.000,4000.000,Pageable,Device," + device + "[CUDA memcpy " + over + "]\n");
    REQUIRE(copied.size() == 1);
    CHECK(copied.class_of(0).time_only);
    CHECK(says(copied, "the rate of their link is not known"));
  }
}

TEST_CASE("nsight: of several reports of nsys stats the kernels' and the copies' are read, in any order") {
  for (const std::string& text :
       {calls + "\n" + kernels + "\n" + copy_times + "\n" + copy_sizes,
        "Processing [r.sqlite] with [cuda_gpu_mem_size_sum.py]...\n" + copy_sizes +
            "\nProcessing [r.sqlite] with [cuda_gpu_mem_time_sum.py]...\n" + copy_times + "\n" + calls + kernels}) {
    const Workload w = open(text);
    REQUIRE(w.size() == 3);
    const std::size_t gemm = row_named(w, "gemm"), in = row_named(w, "[CUDA memcpy Host-to-Device]"),
                      within = row_named(w, "[CUDA memcpy Device-to-Device]");
    CHECK_THAT(w.time_s[gemm], WithinRel(6e-3, 1e-12));
    CHECK(w.count_of(gemm) == 60);
    CHECK_THAT(w.time_s[in], WithinRel(4e-3, 1e-12));
    CHECK(w.count_of(in) == 10);
    CHECK(w.class_of(in).time_only);
    CHECK_THAT(w.given_bytes[within], WithinRel(2 * 8e6, 1e-12));  // read and written
    CHECK(says(w, "report left out: only cuda_gpu_kern_sum"));
    CHECK(says(w, "the rate of their link is not known"));
  }
  const Workload twice = open(kernels + "\n" + kernels);
  CHECK(twice.size() == 1);
  CHECK(twice.count_of(0) == 60);
  CHECK(says(twice, "report left out: only cuda_gpu_kern_sum"));
}

TEST_CASE("nsight: sizes of copies alone are no profile of kernels") {
  CHECK(refusal_of(copy_sizes).find("expected cuda_gpu_kern_sum or cuda_gpu_trace") != std::string::npos);
}

TEST_CASE("nsight: a report of nsys stats in JSON with a record on each line") {
  const Workload w =
      open(R"x([{"Time (%)":60.0,"Total Time (ns)":6000000,"Instances":60,"Avg (ns)":100000.0,"StdDev (ns)":500.0,"Name":"gemm"},)x"
           "\n"
           R"x({"Time (%)":40.0,"Total Time (ns)":4000000,"Instances":40,"Avg (ns)":100000.0,"StdDev (ns)":500.0,"Name":"relu"}])x");
  REQUIRE(w.size() == 2);
  CHECK(w.count_of(row_named(w, "relu")) == 40);
  CHECK_THAT(w.time_s[row_named(w, "gemm")], WithinRel(6e-3, 1e-12));
}
