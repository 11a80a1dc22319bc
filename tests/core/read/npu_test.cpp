// Tables of NPU tools: Vela, Tenstorrent and simulators that count cycles. Small files of our own; figures worked by hand.
#include "rows.hpp"

using namespace roofline;

namespace {

// 131,072 MACs in 1,024 cycles at 50%: 256 a cycle. 64,000 in 1,000 at 25%.
const std::string vela =
    "TFLite_operator,NNG Operator,SRAM Usage,Peak%,Op Cycles,Network%,NPU,SRAM AC,DRAM AC,OnFlash AC,OffFlash AC,MAC Count,Network%,Util%,"
    "Name\n"
    "CONV_2D,Conv2DBias,4096,50.0,1024.0,50.6,1024.0,300.0,0.0,0.0,0.0,131072,67.2,50.0,net/conv\n"
    "MAX_POOL_2D,MaxPool,4096,50.0,1000.0,49.4,900.0,1000.0,0.0,0.0,0.0,64000,32.8,25.0,net/pool\n";

ReadOptions with(std::string header, std::string as) {
  ReadOptions options;
  options.columns = {{std::move(header), std::move(as)}};
  return options;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

/// The same table with its columns the other way round.
std::string reversed(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    std::string line;
    for (std::size_t from = at; from <= end;) {
      const std::size_t comma = std::min(text.find(',', from), end);
      line = text.substr(from, comma - from) + (line.empty() ? "" : "," + line);
      from = comma + 1;
    }
    out += line + '\n';
    at = end + 1;
  }
  return out;
}

void check_vela(const Workload& w, double hz) {
  REQUIRE(w.size() == 2);
  const std::size_t conv = row_named(w, "net/conv"), pool = row_named(w, "net/pool");
  CHECK_THAT(w.time_s[conv], WithinRel(1024 / hz, 1e-12));
  CHECK_THAT(w.time_s[pool], WithinRel(1000 / hz, 1e-12));
  CHECK(flops_of(w, conv) == 2.0 * 131072);
  CHECK(w.class_of(conv).activation == format("int8"));
  CHECK(w.class_of(conv).type == "CONV_2D");
}

}  // namespace

TEST_CASE("vela: cycles at the clock of the NPU that MACs over cycles and utilisation prove", "[npu]") {
  const Workload w = open(vela);
  check_vela(w, 500e6);
  CHECK(w.simulated_by == "Vela");
  CHECK(says(w, "times were simulated by Vela, not measured"));
  CHECK(w.machine_json == "\"ethos-u55-256\"");
  CHECK(says(w, "256 a cycle: taken for Arm Ethos-U55-256 (Arm Ethos-U65-256 would fit too), at its 500 MHz"));
  CHECK(says(w, "INT8 is taken"));
  check_vela(open(reversed(vela)), 500e6);
  // Underscores, two columns called Network.
  check_vela(open(replaced(replaced(vela, "%", ""), "Op Cycles", "Op_cycles")), 500e6);
}

TEST_CASE("vela: what has a DRAM is a U65 at 1 GHz", "[npu]") {
  const Workload w = open(replaced(vela, ",300.0,0.0,", ",300.0,20.0,"));
  check_vela(w, 1e9);
  CHECK(w.machine_json == "\"ethos-u65-256\"");
}

TEST_CASE("vela: a clock that is stated scales the machine with the times", "[npu]") {
  const Workload w = open(vela, with("Op Cycles", "cycles at 250 MHz"));
  check_vela(w, 250e6);
  const Result<Machine> machine = parse_machine(w.machine_json);
  REQUIRE(machine);
  CHECK_THAT(machine->peak(Unit::matrix, format("int8")), WithinRel(128e9, 1e-12));
  CHECK_THAT(machine->memories[0].bandwidth.value, WithinRel(2e9, 1e-12));
}

TEST_CASE("vela: an NPU of no preset leaves the clock open, and it is asked for", "[npu]") {
  CHECK(refusal_of(replaced(vela, ",50.0,net", ",37.0,net")).find("counts cycles, and nothing tells their clock") != std::string::npos);
}

TEST_CASE("cycles: a table that counts them asks for the clock, and takes it in MHz or GHz", "[npu]") {
  const std::string table = "Layer,Runtime (Cycles),Num MACs\nconv1,2000,64000\nconv2,1000,32000\n";
  CHECK(
      refusal_of(table).find("\"Runtime (Cycles)\" counts cycles, and nothing tells their clock: expected it with --column, as in --column "
                             "\"Runtime (Cycles)=cycles at 1 GHz\"") != std::string::npos);
  CHECK_THAT(open(table, with("Runtime (Cycles)", "cycles at 1 GHz")).time_s[0], WithinRel(2e-6, 1e-12));
  CHECK_THAT(open(table, with("Runtime (Cycles)", "cycles at 1.25 GHz")).time_s[0], WithinRel(1.6e-6, 1e-12));
  CHECK_THAT(open(table, with("Runtime (Cycles)", "cycles at 800 MHz")).time_s[1], WithinRel(1.25e-6, 1e-12));
  // A time in seconds goes before it; a rate per cycle, and stalled cycles, are no time.
  const Workload timed = open("name,total cycles,time_us,macs\na,2000,7,64000\n");
  CHECK_THAT(timed.time_s[0], WithinRel(7e-6, 1e-12));
  CHECK(!known(open("name,stall cycles,MACs/cycle,macs\na,2000,7,64000\n").time_s.empty() ? unknown : 1));
}

TEST_CASE("tenstorrent: shapes, formats and memories of operands", "[npu]") {
  const std::string header =
      "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,DEVICE KERNEL DURATION [ns],"
      "INPUT_0_W_PAD[LOGICAL],INPUT_0_Z_PAD[LOGICAL],INPUT_0_Y_PAD[LOGICAL],INPUT_0_X_PAD[LOGICAL],INPUT_0_LAYOUT,INPUT_0_DATATYPE,"
      "INPUT_0_MEMORY,INPUT_1_W_PAD[LOGICAL],INPUT_1_Z_PAD[LOGICAL],INPUT_1_Y_PAD[LOGICAL],INPUT_1_X_PAD[LOGICAL],INPUT_1_LAYOUT,"
      "INPUT_1_DATATYPE,INPUT_1_MEMORY,OUTPUT_0_W_PAD[LOGICAL],OUTPUT_0_Z_PAD[LOGICAL],OUTPUT_0_Y_PAD[LOGICAL],OUTPUT_0_X_PAD[LOGICAL],"
      "OUTPUT_0_LAYOUT,OUTPUT_0_DATATYPE,OUTPUT_0_MEMORY,TENSIX DM 0 MAX KERNEL SIZE [B],PM IDEAL [ns]\n";
  const std::string in = "1[1],1[1],64[64],128[128],TILE,BFLOAT16,DEV_1_DRAM_INTERLEAVED,",
                    weight8 = "1[1],1[1],128[128],256[256],TILE,BFLOAT8_B,", out = "1[1],1[1],64[64],256[256],TILE,BFLOAT16,";
  const std::string rows =
      "start,signpost,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n"
      "MatmulDeviceOperation,tt_dnn_device,1024,0,wormhole_b0,{},HiFi4,20,4000," +
      in + weight8 + "DEV_1_DRAM_INTERLEAVED," + out + "DEV_1_L1_INTERLEAVED,1068,3000\n" +
      "OptimizedConvNew,tt_dnn_device,2048,0,wormhole_b0,{},HiFi4,20,9000," + replaced(in, "DRAM", "L1") + weight8 +
      "DEV_1_L1_BLOCK_SHARDED," + out + "DEV_1_L1_INTERLEAVED,1068,3000\n";
  const Workload w = open(header + rows);
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "Matmul 1x1x64x256");
  CHECK(w.matrix_flops[0] == 2.0 * 64 * 128 * 256);
  CHECK_THAT(w.time_s[0], WithinRel(4e-6, 1e-12));
  // The result stays in L1; 1,088 bytes hold 1,024 numbers in BFLOAT8_B.
  CHECK(w.given_bytes[0] == 2.0 * 64 * 128 + 128 * 256 * 1088.0 / 1024);
  CHECK(w.matrix_flops[1] == 2.0 * 64 * 256 * 128);  // rows of patches x weights
  CHECK(w.given_bytes[1] == 0);
  CHECK(w.machine_words == std::vector<std::string>{"tenstorrent", "wormhole"});
  CHECK(says(w, "1 row without a kernel's time left out"));
  check_in_pieces(header + rows);
}
