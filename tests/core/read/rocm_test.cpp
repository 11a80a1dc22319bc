// Files of AMD's profilers: rocprof-compute's counters and ceilings, rocprofv3's trace and counters. Figures worked by hand.
#include <roofline/machine/machine_import.hpp>
#include <roofline/machine/words.hpp>

#include "rows.hpp"

using namespace roofline;

namespace {

/// A table of one kernel with these counters.
std::string pmc_perf(const std::vector<std::pair<std::string, std::string>>& counters) {
  std::string header = "Dispatch_ID,Kernel_Name,GPU_ID,Start_Timestamp,End_Timestamp", row = "0,\"gemm(float*, int)\",2,1000,3000";
  for (const auto& [name, value] : counters) header += ',' + name, row += ',' + value;
  return header + '\n' + row + '\n';
}

const std::vector<std::pair<std::string, std::string>> instructions = {
    {"SQ_INSTS_VALU_ADD_F16", "1"},          {"SQ_INSTS_VALU_MUL_F16", "2"},        {"SQ_INSTS_VALU_FMA_F16", "3"},
    {"SQ_INSTS_VALU_TRANS_F16", "4"},        {"SQ_INSTS_VALU_ADD_F32", "10"},       {"SQ_INSTS_VALU_MUL_F32", "20"},
    {"SQ_INSTS_VALU_FMA_F32", "30"},         {"SQ_INSTS_VALU_TRANS_F32", "40"},     {"SQ_INSTS_VALU_ADD_F64", "0"},
    {"SQ_INSTS_VALU_MUL_F64", "0"},          {"SQ_INSTS_VALU_FMA_F64", "0"},        {"SQ_INSTS_VALU_TRANS_F64", "0"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F16", "1000"}, {"SQ_INSTS_VALU_MFMA_MOPS_BF16", "0"}, {"SQ_INSTS_VALU_MFMA_MOPS_F32", "0"},
    {"SQ_INSTS_VALU_MFMA_MOPS_F64", "0"}};

auto with(std::vector<std::pair<std::string, std::string>> counters, const std::vector<std::pair<std::string, std::string>>& more) {
  counters.insert(counters.end(), more.begin(), more.end());
  return counters;
}

double channel(const Workload& w, std::string_view name) {
  for (const Channel& c : w.channels)
    if (c.name == name) return c.bytes[0];
  FAIL("no memory " << name);
  return 0;
}

const std::string& trace() {
  static const std::string text = file("tests/data/kernel_trace.csv");
  return text;
}

}  // namespace

TEST_CASE("rocprof-compute: FLOPs and bytes of every memory, of an MI200", "[rocm]") {
  const Workload w = open(pmc_perf(with(instructions, {{"SQ_LDS_IDX_ACTIVE", "500"},
                                                       {"SQ_LDS_BANK_CONFLICT", "100"},
                                                       {"TCP_TOTAL_CACHE_ACCESSES_sum", "70"},
                                                       {"TCP_TCC_READ_REQ_sum", "1"},
                                                       {"TCP_TCC_WRITE_REQ_sum", "2"},
                                                       {"TCP_TCC_ATOMIC_WITH_RET_REQ_sum", "3"},
                                                       {"TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", "4"},
                                                       {"TCC_EA_RDREQ_sum", "10"},
                                                       {"TCC_EA_RDREQ_32B_sum", "4"},
                                                       {"TCC_EA_WRREQ_sum", "8"},
                                                       {"TCC_EA_WRREQ_64B_sum", "5"}})));
  CHECK(w.source_format == SourceFormat::rocprof_compute);
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "gemm(float*, int)");
  CHECK_THAT(w.time_s[0], WithinRel(2e-6, 1e-12));
  CHECK(w.matrix_flops[0] == 512 * 1000);
  CHECK(w.vector_flops[0] == 64 * (1 + 2 + 2 * 3 + 4) + 64 * (10 + 20 + 2 * 30 + 40));
  CHECK(w.bytes[0] == 4 * 32 + 6 * 64 + 5 * 64 + 3 * 32);
  CHECK(channel(w, "L2") == 64 * (1 + 2 + 3 + 4));
  CHECK(channel(w, "L1") == 64 * 70);
  CHECK(channel(w, "LDS") == (500 - 100) * 4 * 32);
  CHECK(w.class_of(0).measured_bytes);
  CHECK(w.class_of(0).activation == format("fp16"));
  CHECK(w.machine_words.at(0) == "gfx90a");
  CHECK(says(w, "1 of 1 kernel compute in several formats"));
}

TEST_CASE("rocprof-compute: requests of 128 bytes, of an MI300", "[rocm]") {
  const Workload w = open(pmc_perf(with(instructions, {{"TCC_EA0_RDREQ_sum", "65767"},
                                                       {"TCC_EA0_RDREQ_32B_sum", "0"},
                                                       {"TCC_BUBBLE_sum", "65536"},
                                                       {"TCC_EA0_WRREQ_sum", "131072"},
                                                       {"TCC_EA0_WRREQ_64B_sum", "131072"}})));
  CHECK(w.bytes[0] == 65536 * 128 + (65767 - 65536) * 64 + 131072 * 64);
  CHECK(w.channels.empty());  // not counted is not zero
  CHECK(w.machine_words.at(0) == "gfx942");
}

TEST_CASE("rocprof-compute: what was not counted is not known", "[rocm]") {
  const Workload w = open(pmc_perf({{"SQ_WAVES", "5"},
                                    {"TCC_EA_RDREQ_sum", "10"},
                                    {"TCC_EA_RDREQ_32B_sum", "0"},
                                    {"TCC_EA_WRREQ_sum", "0"},
                                    {"TCC_EA_WRREQ_64B_sum", "0"}}));
  CHECK(!known(w.matrix_flops[0]));
  CHECK(w.bytes[0] == 640);
  CHECK(says(w, "1 of 1 kernel without the counters of FLOPs"));
  const Workload nothing = open(pmc_perf({{"SQ_WAVES", "5"}, {"TCC_HIT_sum", "x"}}));
  CHECK(nothing.class_of(0).time_only);
  CHECK(says(nothing, "time only"));
}

TEST_CASE("rocprof-compute: roofline.csv is a machine", "[rocm]") {
  const Result<Machine> m = import_machine(
      "device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,L2BwLow,L2BwHigh,FP32Flops,FP32FlopsLow,FP32FlopsHigh,MFMABF16Flops,MFMABF16FlopsLow,"
      "MFMABF16FlopsHigh,MFMAF16Flops,MFMAF16FlopsLow,MFMAF16FlopsHigh,MFMAI8Ops,MFMAFI8OpsLow,MFMAI8OpsHigh\n"
      "0,1388.7948,1,2,5016.1738,1,2,20942.453,1,2,80000,1,2,164932.06,1,2,166413.58,1,2\n1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1\n");
  REQUIRE(m);
  REQUIRE(m->memories.size() == 2);
  CHECK(m->memories[0].name == "HBM");
  CHECK_THAT(m->memories[0].bandwidth.value, WithinRel(1388.7948e9, 1e-12));
  CHECK(m->memories[0].bandwidth.basis == "measured");
  const auto rate = [&](const std::vector<Peak>& peaks, const char* id) {
    for (const Peak& p : peaks)
      if (p.format == format(id)) return p.flops.value;
    return 0.0;
  };
  CHECK_THAT(rate(m->matrix, "fp16"), WithinRel(164932.06e9, 1e-12));
  CHECK_THAT(rate(m->matrix, "int8"), WithinRel(166413.58e9, 1e-12));
  CHECK_THAT(rate(m->vector, "fp32"), WithinRel(20942.453e9, 1e-12));
  CHECK_THAT(rate(m->matrix, "fp32"), WithinRel(20942.453e9, 1e-12));  // no matrix unit was faster
  REQUIRE(m->notes.size() == 2);                                       // a second GPU; BF16 at half of FP16

  CHECK(import_machine("device,HBMBw,L2Bw,\n").error().message.find("has a header and no GPU") == 0);
  CHECK(import_machine("device,HBMBw,L2Bw,FP32Flops\n0,fast,2,3\n").error().text() ==
        "line 2, column 1: HBMBw is \"fast\": expected a number of GB/s");
  CHECK(import_machine("device,HBMBw,L2Bw,x\n0,1,2,3\n").error().message.find("has no FLOP/s") == 0);
}

TEST_CASE("rocprofv3: dispatches by kernel and grid", "[rocm]") {
  const Workload w = open(trace());
  CHECK(w.source_format == SourceFormat::rocprofv3);
  REQUIRE(w.size() == 2);
  const std::size_t large = row_named(w, "add<float>(int, int) [1024x1024x1]");
  CHECK(w.count_of(large) == 2);
  CHECK_THAT(w.time_s[large], WithinRel((48744 + 100895) * 1e-9, 1e-9));
  CHECK_THAT(w.time_s[row_named(w, "add<float>(int, int) [64x1x1]")], WithinRel(100e-9, 1e-9));
  CHECK(w.class_of(large).time_only);
  CHECK(says(w, "kernels ran on 2 agents"));
  check_in_pieces(trace());
}

TEST_CASE("rocprofv2: its kernel trace as CSV", "[rocm]") {
  const Workload w = open(
      "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Kernel_Name,Start_Timestamp,End_Timestamp\n"
      "1,2,1,7,7,1048576,256,0,\"add(float*, float*)\",1000,11000\n2,2,1,7,7,64,64,0,gemm,21000,61000\n");
  REQUIRE(w.size() == 2);
  CHECK_THAT(w.time_s[row_named(w, "add(float*, float*) [1048576]")], WithinRel(10e-6, 1e-9));
  CHECK_THAT(w.time_s[row_named(w, "gemm [64]")], WithinRel(40e-6, 1e-9));
}

TEST_CASE("rocprofv3: counters of dispatches are added up", "[rocm]") {
  std::string text = "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Grid_Size\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n";
  for (const char* dispatch : {"1", "2"})
    for (const auto& [name, value] :
         with(instructions,
              {{"TCC_EA_RDREQ_sum", "10"}, {"TCC_EA_RDREQ_32B_sum", "4"}, {"TCC_EA_WRREQ_sum", "8"}, {"TCC_EA_WRREQ_64B_sum", "5"}}))
      text += std::string(dispatch) + ',' + dispatch + ",1,64,k," + name + ',' + value + '\n';
  const Workload w = open(text);
  REQUIRE(w.size() == 1);
  CHECK(w.count_of(0) == 2);
  CHECK(w.matrix_flops[0] == 2 * 512 * 1000);
  CHECK(w.bytes[0] == 2 * (4 * 32 + 6 * 64 + 5 * 64 + 3 * 32));
  CHECK(says(w, "no kernel has a time"));
  const auto mops =
      std::find_if(w.measures.begin(), w.measures.end(), [](const Measure& m) { return m.name == "SQ_INSTS_VALU_MFMA_MOPS_F16"; });
  REQUIRE(mops != w.measures.end());
  CHECK(mops->values[0] == 2000);
}

TEST_CASE("rocprofv3: malformed files say what is wrong", "[rocm]") {
  CHECK(refusal_of("Kernel_Name,Dispatch_Id,Kernel_Id\nk,1,1\n").find("expected the columns Start_Timestamp and End_Timestamp") !=
        std::string::npos);
  std::string text = trace();
  text.replace(text.find("8819330200116308"), 16, "later");
  const Workload w = open(text);
  CHECK(w.size() == 2);
  CHECK(says(w, "Start_Timestamp and End_Timestamp: expected nanoseconds"));
  CHECK(w.diagnostics[0].line + w.diagnostics[1].line + w.diagnostics[2].line == 2);
}

TEST_CASE("rocprofv3: the files of several passes, one after the other, are of one kernel", "[rocm]") {
  const std::string header = "Dispatch_Id,Agent_Id,Grid_Size,Kernel_Name,Counter_Name,Counter_Value\n";
  const Workload w = open(header + "1,4,64,k,TCC_EA0_RDREQ_sum,100\n1,4,64,k,TCC_EA0_RDREQ_32B_sum,20\n1,4,64,k,TCC_BUBBLE_sum,10\n" +
                          header + "1,4,64,k,TCC_EA0_WRREQ_sum,50\n1,4,64,k,TCC_EA0_WRREQ_64B_sum,40\n");
  REQUIRE(w.size() == 1);
  CHECK(w.count_of(0) == 1);
  CHECK(w.bytes[0] == 10 * 128 + 20 * 32 + 70 * 64 + 40 * 64 + 10 * 32);
  CHECK_FALSE(says(w, "agents"));
  CHECK_FALSE(says(w, "expected a number"));
  CHECK(w.machine_words.at(0) == "gfx942");  // by its counters
}

TEST_CASE("machine words: matrix instructions of AMD are those of Instincts", "[rocm]") {
  const auto matched = [](const char* id) { return match(*Machines::presets().find(id), "mfma"); };
  CHECK(matched("mi300x") == WordMatch::vendor);
  CHECK(matched("mi250x-gcd") == WordMatch::vendor);
  CHECK(matched("rx-7900-xtx") == WordMatch::none);
  CHECK(matched("h100-sxm") == WordMatch::none);
}
