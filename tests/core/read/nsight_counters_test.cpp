// What Nsight Compute's counters make of FLOPs where it states them as rates, for pairs of numbers or for several formats together.
#include "rows.hpp"

using namespace roofline;

namespace {

struct Column {
  std::string metric, unit, value;
};
using Columns = std::vector<Column>;

/// The raw page of one launch of "gemm".
std::string raw_page(const Columns& columns, const std::string& capability = "9.0") {
  std::string header = R"("ID","Kernel Name","CC")", units = R"("","","")", row = R"("0","gemm",")" + capability + '"';
  for (const Column& c : columns) header += ",\"" + c.metric + '"', units += ",\"" + c.unit + '"', row += ",\"" + c.value + '"';
  return header + '\n' + units + '\n' + row + '\n';
}

Columns operator+(Columns a, const Columns& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Column sass(const std::string& op, const std::string& per_cycle) {
  return {"smsp__sass_thread_inst_executed_op_" + op + "_pred_on.sum.per_cycle_elapsed", "inst/cycle", per_cycle};
}

// 150,000 cycles: 33 MFLOP in FP32.
const Columns timed = {{"gpu__time_duration.sum", "us", "100.00"}, {"dram__bytes.sum", "Mbyte", "100.00"}};
const Columns clock_rate = {{"sm__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.50"}};
const Columns fp32 = {sass("fadd", "10.00"), sass("fmul", "10.00"), sass("ffma", "100.00")};
const std::string bf16 = "sm__ops_path_tensor_src_bf16_dst_fp32.sum";

}  // namespace

TEST_CASE("nsight: FLOPs of the tensor cores as sums, with a unit, per second and per cycle") {
  const Column all[] = {{bf16, "", "30,000,000,000"},
                        {bf16, "Gop", "30.00"},
                        {bf16 + ".per_second", "1/ns", "300,000.00"},
                        {bf16 + ".per_cycle_elapsed", "", "200,000.00"},
                        {bf16 + ".per_cycle_elapsed", "1/cycle", "200,000.00"}};
  for (const Column& column : all) {
    INFO(column.metric << ' ' << column.unit);
    const Workload w = open(raw_page(timed + clock_rate + fp32 + Columns{column}));
    REQUIRE(w.size() == 1);
    CHECK_THAT(w.matrix_flops[0], WithinRel(3e10, 1e-12));
    CHECK_THAT(w.vector_flops[0], WithinRel(33e6, 1e-12));
    CHECK(w.class_of(0).activation == format("bf16"));
    CHECK(!says(w, "no metric is about the tensor cores"));
  }
}

TEST_CASE("nsight: instructions of Volta's tensor cores per cycle and partition") {
  const Column column = {"smsp__inst_executed_pipe_tensor.sum.per_cycle_elapsed", "inst/cycle", "100"};
  const Workload w = open(raw_page(timed + clock_rate + fp32 + Columns{column}, "7.0"));
  CHECK_THAT(w.matrix_flops[0], WithinRel(100 * 512 * 150000.0, 1e-12));
}

TEST_CASE("nsight: a metric of the tensor cores that counts no FLOPs leaves them unknown, not zero") {
  const Workload w = open(raw_page(timed + clock_rate + fp32 + Columns{{"sm__ops_path_tensor_src_bf16_dst_fp32.avg", "", "5"}}));
  CHECK(!known(w.matrix_flops[0]));
  CHECK(says(w, "the tensor cores worked in 1 of 1 launch"));
  CHECK(!says(w, "no metric is about the tensor cores"));
}

TEST_CASE("nsight: rates without the clock are FLOPs that are not known, which is said") {
  const Workload w = open(raw_page(timed + fp32));
  CHECK(!known(w.matrix_flops[0]));
  CHECK(says(w, "FLOPs of 1 of 1 launch are per cycle and the clock is missing: collect sm__cycles_elapsed.avg.per_second"));
  CHECK(!says(w, "no metric counts FLOPs"));
  const Workload tensor = open(raw_page(timed + Columns{{bf16 + ".per_cycle_elapsed", "", "5"}}));
  CHECK(!known(tensor.matrix_flops[0]));
  CHECK(says(tensor, "the clock is missing"));
  CHECK(!says(tensor, "no metric says how many FLOPs"));
  const Workload idle = open(raw_page(timed + Columns{{bf16 + ".per_cycle_elapsed", "", "0"}}));
  CHECK(!says(idle, "the clock is missing"));
}

TEST_CASE("nsight: FP16 instructions as the roofline section states them") {
  const auto derived = [](const std::string& op, const std::string& value) {
    return Column{"derived__smsp__sass_thread_inst_executed_op_" + op, "inst/cycle", value};
  };
  const Workload w =
      open(raw_page(timed + clock_rate +
                    Columns{derived("hadd_pred_on_x2", "20"), derived("hmul_pred_on_x2", "20"), derived("hfma_pred_on_x4", "40,000")}));
  CHECK_THAT(w.vector_flops[0], WithinRel((10 + 10 + 2 * 10000) * 150000.0, 1e-12));
  CHECK(w.class_of(0).activation == format("fp16"));
}

TEST_CASE("nsight: Blackwell's FP32 instructions on pairs of numbers") {
  const Workload w =
      open(raw_page(timed + clock_rate + fp32 + Columns{sass("fadd2", "1.00"), sass("fmul2", "2.00"), sass("ffma2", "1,000.00")}));
  CHECK_THAT(w.vector_flops[0], WithinRel((220 + 2 + 4 + 4 * 1000) * 150000.0, 1e-12));
}

TEST_CASE("nsight: work in several formats together is compared with the slowest, and counted once") {
  const std::string path = "sm__ops_path_tensor_src_";
  const Workload w = open(raw_page(
      timed + clock_rate +
      Columns{{path + "fp4_fp6_fp8_dst_fp32.sum", "", "300,000"}, {path + "fp4_dst_fp32.sum", "", "0"}, {path + "fp8.sum", "", "0"}}));
  CHECK(w.matrix_flops[0] == 300000);
  CHECK(w.class_of(0).activation == format("fp8_e4m3"));
  CHECK(says(w, "in several formats (fp4_fp6_fp8): compared with the FP8 E4M3 peak, the slowest of them"));
  const Workload both =
      open(raw_page(timed + Columns{{path + "bf16_dst_fp32.sum", "", "30,000"}, {path + "fp16_bf16_tf32_dst_fp32.sum", "", "30,000"}}));
  CHECK(both.matrix_flops[0] == 30000);
  CHECK(both.class_of(0).activation == format("bf16"));
}

TEST_CASE("nsight: decimal commas with blanks between groups") {
  for (const char* blank : {" ", "\u00a0", "\u202f"}) {
    const std::string time = "1" + std::string(blank) + "234,50", bytes = "98" + std::string(blank) + "765,432";
    const Workload w = open(raw_page({{"gpu__time_duration.sum", "us", time}, {"dram__bytes.sum", "Kbyte", bytes}}));
    CHECK_THAT(w.time_s[0], WithinRel(1234.5e-6, 1e-12));
    CHECK_THAT(w.given_bytes[0], WithinRel(98765432.0, 1e-12));
  }
}

TEST_CASE("nsight: of a launch, the first 256 metrics of the tensor cores count") {
  Columns tensor;
  for (int i = 0; i < 40000; ++i) tensor.push_back({"sm__ops_path_tensor_src_f" + std::to_string(i) + ".sum", "", "5"});
  CHECK(open(raw_page(timed + tensor)).matrix_flops[0] == 256 * 5);
}
