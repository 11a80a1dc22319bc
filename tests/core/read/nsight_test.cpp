// Profiles of NVIDIA's tools: what counters make of FLOPs, bytes and time; runs that are passes over one program; and what is wrong with a
// file.
#include <algorithm>
#include <roofline/analysis/explain.hpp>
#include <roofline/frame/headline.hpp>

#include "session.hpp"
#include "support.hpp"

using namespace roofline;

namespace {

const std::string ids =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",)";
const std::string details_header = ids + R"("Section Name","Metric Name","Metric Unit","Metric Value")" + "\n";

struct Metric {
  std::string name, unit, value;
};

std::string launch_columns(int id, const std::string& kernel, int process = 1, const std::string& capability = "8.0") {
  return '"' + std::to_string(id) + "\",\"" + std::to_string(process) + R"(","app","host",")" + kernel +
         R"x(","1","7","(256, 1, 1)","(64, 1, 1)","0",")x" + capability + "\",";
}

/// The rows of one launch on the details page.
std::string details(int id, const std::string& kernel, const std::vector<Metric>& metrics, int process = 1,
                    const std::string& capability = "8.0") {
  std::string out;
  for (const Metric& m : metrics)
    out += launch_columns(id, kernel, process, capability) + R"("Command line profiler metrics",")" + m.name + "\",\"" + m.unit + "\",\"" +
           m.value + "\"\n";
  return out;
}

std::string sass(const std::string& op) { return "sm__sass_thread_inst_executed_op_" + op + "_pred_on.sum"; }

const std::vector<Metric> counted = {{"gpu__time_duration.sum", "usecond", "12.50"},
                                     {"dram__bytes.sum", "Mbyte", "2.00"},
                                     {"lts__t_sectors.sum", "sector", "100,000"},
                                     {"l1tex__t_bytes.sum", "Kbyte", "8,000.00"},
                                     {sass("fadd"), "inst", "1,000"},
                                     {sass("fmul"), "inst", "2,000"},
                                     {sass("ffma"), "inst", "30,000"}};

bool says(const Workload& w, const std::string& words) {
  return std::any_of(w.diagnostics.begin(), w.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(words) != std::string::npos; });
}

std::string refusal(std::string_view bytes) {
  const Result<Workload> workload = read(bytes, {});
  return workload ? "opened" : workload.error().text();
}

void check_counted(const Workload& w) {
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "add");
  CHECK(w.vector_flops[0] == 1000 + 2000 + 2 * 30000);
  CHECK(w.given_bytes[0] == 2e6);
  CHECK(w.time_s[0] == Approx(12.5e-6));
  REQUIRE(w.channels.size() == 2);
  CHECK(w.channels[0].name == "L2");
  CHECK(w.channels[0].bytes[0] == 100000 * 32);
  CHECK(w.channels[1].name == "L1");
  CHECK(w.channels[1].bytes[0] == 8e6);
  CHECK(w.classes[w.op_class[0]].activation == format("fp32"));
  CHECK(w.categories[1].word(0) == "(64, 1, 1)");
  CHECK(w.categories[2].word(0) == "(256, 1, 1)");
}

}  // namespace

TEST_CASE("nsight: the details page") {
  const Workload w = open("==PROF== Connected to process 1\nn=5, \"unbalanced\n" + details_header + details(0, "add(float *)", counted) +
                          "==PROF== Disconnected\n");
  CHECK(w.source_format == SourceFormat::nsight_compute_csv);
  check_counted(w);
  CHECK(says(w, "FLOPs are those of FP32; not counted: FP64 and FP16"));
  CHECK(std::find(w.machine_words.begin(), w.machine_words.end(), "sm_80") != w.machine_words.end());
}

TEST_CASE("nsight: the raw page, with its row of units") {
  std::string header = ids.substr(0, ids.size() - 1), units = "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\"",
              row = launch_columns(0, "add(float *)");
  row.pop_back();
  for (const Metric& m : counted) header += ",\"" + m.name + '"', units += ",\"" + m.unit + '"', row += ",\"" + m.value + '"';
  const std::string more = ",\"device__attribute_display_name\"", named = ",\"NVIDIA A100-SXM4-80GB\"";
  const Workload w = open(header + more + "\n" + units + ",\"\"\n" + row + named + "\n");
  check_counted(w);
  CHECK(w.machine_json == "\"a100-80gb-sxm\"");
  const Workload bare = open(header + "\n" + units + "\n" + row + "\n");  // from a machine that tells no attributes
  check_counted(bare);
  CHECK(bare.machine_json.empty());
}

TEST_CASE("nsight: time by the clock, work by rates") {
  const std::vector<Metric> rates = {{"sm__cycles_elapsed.avg", "cycle", "2,000,000"},
                                     {"sm__cycles_elapsed.avg.per_second", "cycle/nsecond", "1.00"},
                                     {"dram__bytes.sum.per_second", "Gbyte/second", "500.00"},
                                     {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum.per_cycle_elapsed", "inst/cycle", "3.00"},
                                     {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum.per_cycle_elapsed", "inst/cycle", "1.00"},
                                     {"derived__smsp__sass_thread_inst_executed_op_dfma_pred_on_x2", "inst", "8.00"}};
  const Workload w = open(details_header + details(0, "k", rates));
  CHECK(w.time_s[0] == Approx(2e-3));
  CHECK(w.given_bytes[0] == Approx(1e9));
  CHECK(w.vector_flops[0] == Approx((3 + 1 + 8) * 2e6));
  CHECK(w.classes[w.op_class[0]].activation == format("fp64"));
  CHECK(says(w, "the time of 1 of 1 launch is of a pass that counted instructions"));
}

TEST_CASE("nsight: the default sections have bytes by the DRAM's share of its peak, or the time by both") {
  // 256 bits x 2 transfers x 5 GHz are 320 GB/s; half of that over 10 us is 1.6 MB.
  const std::string header = ids +
                             R"("dram__throughput.avg.pct_of_peak_sustained_elapsed","sm__throughput.avg.pct_of_peak_sustained_elapsed",)"
                             R"("dram__cycles_elapsed.avg.per_second","device__attribute_global_memory_bus_width",)";
  const auto raw = [&](const std::string& column, const std::string& unit, const std::string& value, const std::string& bits) {
    return header + '"' + column + "\"\n" + R"("","","","","","","","","","","","%","%","cycle/nsecond","",")" + unit + "\"\n" +
           launch_columns(0, "add") + R"("50.00","12.50","5.00",")" + bits + "\",\"" + value + "\"\n";
  };
  const Workload timed = open(raw("gpu__time_duration.sum", "usecond", "10.00", "256"));
  REQUIRE(timed.size() == 1);
  CHECK_THAT(timed.given_bytes[0], WithinRel(1.6e6, 1e-12));
  CHECK(says(timed, "the DRAM's share of its peak"));
  REQUIRE(timed.measures.size() == 2);
  CHECK(timed.measures[0].name == "SM share of peak");
  CHECK_THAT(timed.measures[0].values[0], WithinRel(0.125, 1e-12));
  CHECK_THAT(timed.measures[1].values[0], WithinRel(0.5, 1e-12));
  const Workload counted_bytes = open(raw("dram__bytes.sum", "Mbyte", "1.60", "256"));
  REQUIRE(counted_bytes.size() == 1);
  CHECK_THAT(counted_bytes.time_s[0], WithinRel(10e-6, 1e-12));
  const Workload no_width = open(raw("gpu__time_duration.sum", "usecond", "10.00", ""));
  CHECK(no_width.class_of(0).time_only);
  CHECK(says(no_width, "lacks the bus width"));
}

TEST_CASE("nsight: the page for people, by the names of the details page") {
  const std::string page =
      "==PROF== Profiling \"add\" - 0: 0%....50%....100% - 8 passes\n==PROF== Disconnected from process 1\n[1] app@127.0.0.1\n"
      "  void add<float>(int, float *) (64, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0\n"
      "    Section: GPU Speed Of Light Throughput\n"
      "    ----------------------- ----------- ------------\n    Metric Name             Metric Unit Metric Value\n"
      "    ----------------------- ----------- ------------\n    Elapsed Cycles                cycle       12,345\n"
      "    Memory Throughput                 %        85.00\n    Duration                         us        12.50\n"
      "    Compute (SM) Throughput           %        25.00\n    ----------------------- ----------- ------------\n\n"
      "    INF   This workload uses 85.0% of the memory's performance.\n\n    Section: Memory Workload Analysis\n"
      "    ----------------- ------------ ------------\n    Memory Throughput Gbyte/second       160.00\n"
      "    ----------------- ------------ ------------\n\n"
      "  copy(int), 2021-Apr-19 12:00:00, Context 1, Stream 7\n    Section: GPU Speed Of Light\n"
      "    ----------------- ------------ ------------\n    Duration               usecond         3.20\n"
      "    ----------------- ------------ ------------\n";
  const Workload w = open(page);
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "add");
  CHECK_THAT(w.time_s[0], WithinRel(12.5e-6, 1e-12));
  CHECK_THAT(w.given_bytes[0], WithinRel(160e9 * 12.5e-6, 1e-12));
  CHECK(w.categories[1].word(0) == "(64, 1, 1)");
  CHECK(w.categories[2].word(0) == "(256, 1, 1)");
  CHECK(w.name_of(1) == "copy");
  CHECK_THAT(w.time_s[1], WithinRel(3.2e-6, 1e-12));
  std::string odd = page;
  odd.replace(odd.find("copy(int)"), 9, "copy)x(1");
  CHECK(open(odd).size() == 2);  // no parenthesis opens what ")x(" closes
}

TEST_CASE("nsight: kernels of equal short names keep what tells them apart") {
  const Workload w = open(details_header + details(0, "void at::vec<4, Add>(int)", {{"gpu__time_duration.sum", "usecond", "1.00"}}) +
                          details(1, "void at::vec<4, Mul>(int)", {{"gpu__time_duration.sum", "usecond", "2.00"}}));
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "at::vec<4, Add>(int)");
  CHECK(w.name_of(1) == "at::vec<4, Mul>(int)");
}

TEST_CASE("nsight: a kernel of an anonymous namespace has its own name") {
  const auto name = [](const char* kernel) {
    return std::string(open(details_header + details(0, kernel, {{"gpu__time_duration.sum", "usecond", "1.00"}})).name_of(0));
  };
  CHECK(name("<unnamed>::saxpy(float, int)") == "saxpy");
  CHECK(name("unnamed>::saxpy(float, int)") == "saxpy");  // as some versions write it
  CHECK(name("void <unnamed>::saxpy<float>(int)") == "saxpy");
}

TEST_CASE("nsight: tensor cores are counted by what says how much, once") {
  std::vector<Metric> metrics = {{"gpu__time_duration.sum", "ns", "1000"},
                                 {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", "", "4,000"},
                                 {"sm__ops_path_tensor_src_fp16_dst_fp16.sum", "", "1,000"},
                                 {"sm__ops_path_tensor_op_hmma_src_fp16_dst_fp32_sparsity_off.sum", "", "4,000"},
                                 {"sm__ops_path_tensor_src_int8.sum", "", "100"}};
  const Workload w = open(details_header + details(0, "gemm", metrics));
  CHECK(w.matrix_flops[0] == 5100);
  CHECK(w.classes[w.op_class[0]].activation == format("fp16"));
  CHECK(says(w, "FLOPs are those of the tensor cores"));

  SECTION("busy, and nothing says how much: not known, not zero") {
    metrics = {{"gpu__time_duration.sum", "ns", "1000"},
               {"dram__bytes.sum", "byte", "640"},
               {sass("fadd"), "inst", "1"},
               {sass("fmul"), "inst", "1"},
               {sass("ffma"), "inst", "1"},
               {"sm__inst_executed_pipe_tensor.sum", "inst", "70"}};
    const Workload busy = open(details_header + details(0, "gemm", metrics));
    CHECK(!known(busy.matrix_flops[0]));
    CHECK(busy.given_bytes[0] == 640);
    CHECK(says(busy, "the tensor cores worked in 1 of 1 launch, and no metric says how many FLOPs"));
    // No verdict and no advice, but what to collect.
    const Scenario a100 = on(*Machines::presets().find("a100-80gb-sxm"));
    const Plan plan(busy, a100);
    const Diagnosis d = diagnose(plan, 0);
    const std::string command =
        "`ncu --set roofline --metrics \"regex:sm__ops_path_tensor_src_.*\" --clock-control none -o profile ./app`.";
    CHECK(d.verdict == "What limits it is unknown: the FLOPs are not counted. To count them: " + command);
    CHECK(d.suggestions.empty());
    CHECK(plan.analyze(0).limit == Limit::unknown);
    CHECK(headline(OpSet(plan)).text() ==
          "What limits 100% of the time is unknown: the FLOPs of 1 op are not counted. To count them: " + command);
    CHECK(std::string(status_text(plan.analyze(0))) == "partly known");
    const Workload volta = open(details_header + details(0, "gemm", metrics, 1, "7.0"));
    CHECK(volta.matrix_flops[0] == 70 * 512);
  }
}

TEST_CASE("nsight: some of a precision's instructions are not all of its FLOPs") {
  const Workload w = open(details_header + details(0, "k", {{"gpu__time_duration.sum", "ns", "1000"}, {sass("ffma"), "inst", "500"}}));
  CHECK(w.classes[w.op_class[0]].time_only);
  CHECK(says(w, "no metric counts FLOPs"));
}

TEST_CASE("nsight: passes over one program become one, with the time that no counting slowed") {
  const auto flops = [](int id, const std::string& kernel) {
    return details(id, kernel,
                   {{"sm__cycles_elapsed.avg", "cycle", "139000"},
                    {"sm__cycles_elapsed.avg.per_second", "cycle/second", "1e9"},
                    {sass("dadd"), "inst", "1"},
                    {sass("dmul"), "inst", "2"},
                    {sass("dfma"), "inst", "3"}},
                   10);
  };
  const auto bytes = [](int id, const std::string& kernel) {
    return details(id, kernel,
                   {{"sm__cycles_elapsed.avg", "cycle", "1000"},
                    {"sm__cycles_elapsed.avg.per_second", "cycle/second", "1e9"},
                    {"dram__bytes.sum", "byte", "800"}},
                   20);
  };
  const Workload w =
      open(details_header + flops(0, "a") + flops(1, "b") + "==PROF== Disconnected\n" + details_header + bytes(0, "a") + bytes(1, "b"));
  REQUIRE(w.size() == 2);
  CHECK(w.vector_flops[1] == 1 + 2 + 6);
  CHECK(w.given_bytes[1] == 800);
  CHECK(w.time_s[1] == Approx(1e-6));
  CHECK(says(w, "two runs of the same 2 kernels count different things"));
  CHECK(!says(w, "counted instructions, which can"));

  const Workload others = open(details_header + flops(0, "a") + bytes(0, "b"));  // other kernels: two programs
  CHECK(others.size() == 2);
  const Workload ranks =
      open(details_header + details(0, "a", counted, 1) + details(0, "a", counted, 2));  // the same was counted: two processes
  CHECK(ranks.size() == 2);
}

TEST_CASE("nsight: repeated launches stay apart, in their order") {
  std::string text = details_header;
  for (int id = 0; id < 3; ++id) text += details(id, "step(int)", {{"gpu__time_duration.sum", "ns", std::to_string(1000 + id)}});
  const Workload w = open(text);
  REQUIRE(w.size() == 3);
  CHECK(w.time_s[2] == Approx(1002e-9));
  CHECK(w.shape_hash[0] == w.shape_hash[2]);
}

TEST_CASE("nsight: decimal commas") {
  const Workload w =
      open(details_header + details(0, "k", {{"gpu__time_duration.sum", "ns", "117.344"}, {"dram__bytes.sum", "Mbyte", "65,77"}}));
  CHECK(w.time_s[0] == Approx(117344e-9));
  CHECK(w.given_bytes[0] == Approx(65.77e6));
  CHECK(says(w, "numbers are read with decimal commas"));
  const Workload alone = open(details_header + details(0, "k", {{"gpu__time_duration.sum", "ns", "117.344"}}));
  CHECK(alone.time_s[0] == Approx(117344e-9));
  CHECK(says(alone, "three digits for a fraction"));
}

TEST_CASE("nsight: a report's two kernels, and the caches that its peaks make of the machine") {
  const Workload w = open(file("tests/data/kernels.ncu-rep"));
  CHECK(w.source_format == SourceFormat::nsight_compute_report);
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "add");
  CHECK(w.vector_flops[0] == 603e6);
  CHECK(w.given_bytes[0] == 100e6);
  CHECK(w.channels[0].bytes[0] == 150e6);
  CHECK(w.channels[1].bytes[0] == 400e6);
  CHECK(w.time_s[0] == Approx(1e-4));
  CHECK(w.matrix_flops[1] == 2e9);
  CHECK(w.given_bytes[1] == Approx(4e11 * 50e-6));
  CHECK(w.classes[w.op_class[1]].activation == format("bf16"));
  const Result<Machine> machine = parse_machine(w.machine_json);
  REQUIRE(machine);
  CHECK(machine->id == "a100-80gb-sxm");
  REQUIRE(machine->memories.size() == 3);
  CHECK(machine->memories[1].bandwidth.value == 5120 * 1e9);
  CHECK(machine->memories[2].bandwidth.value == 13824 * 1.25e9);
  CHECK(says(w, "the kernels ran at up to 1.06 GHz of the device's 1.41 GHz"));
}

TEST_CASE("nsight: a report that is cut anywhere is refused, or says what of it is read") {
  const std::string whole = file("tests/data/kernels.ncu-rep");
  std::size_t opened = 0, refused = 0;
  for (std::size_t size = 5; size < whole.size(); ++size) {
    const Result<Workload> w = read(whole.substr(0, size), {});
    if (!w) {
      ++refused;
      CHECK(w.error().message.find("expected") != std::string::npos);
      continue;
    }
    ++opened;
    CHECK((w->size() == 2 || says(*w, "the report ends in the middle of a part: expected the whole file; the kernel before it is read") ||
           w->size() == 1));
  }
  CHECK(refused > 500);
  CHECK(opened > 100);
}

TEST_CASE("nsight: a device that no preset describes is worked out from its attributes") {
  std::string header = ids.substr(0, ids.size() - 1), units = "\"\"", row = launch_columns(0, "k(int)", 1, "8.6");
  for (std::size_t i = 1; i < 11; ++i) units += ",\"\"";
  row.pop_back();
  const std::vector<Metric> attributes = {{"device__attribute_display_name", "", "NVIDIA GeForce Test 1"},
                                          {"device__attribute_compute_capability_major", "", "8"},
                                          {"device__attribute_compute_capability_minor", "", "6"},
                                          {"device__attribute_multiprocessor_count", "", "10"},
                                          {"device__attribute_clock_rate", "", "2,000,000"},
                                          {"device__attribute_memory_clock_rate", "", "5,000,000"},
                                          {"device__attribute_global_memory_bus_width", "", "128"},
                                          {"device__attribute_total_memory", "byte", "8,000,000,000"},
                                          {"gpu__time_duration.sum", "ns", "1,000"}};
  for (const Metric& m : attributes) header += ",\"" + m.name + '"', units += ",\"" + m.unit + '"', row += ",\"" + m.value + '"';
  const Workload w = open(header + "\n" + units + "\n" + row + "\n");
  const Result<Machine> machine = parse_machine(w.machine_json);
  REQUIRE(machine);
  CHECK(machine->name == "NVIDIA GeForce Test 1");
  CHECK(machine->id == "nvidia-geforce-test-1");
  CHECK(machine->architecture == "sm_86");
  CHECK(machine->peak(Unit::vector, format("fp32")) == 10 * 128 * 2 * 2e9);
  CHECK(machine->memories[0].bandwidth.value == 2 * 5e9 * 128 / 8);
  CHECK(machine->memories[0].capacity.value == 8e9);
}

TEST_CASE("nsight: the page's session opens a binary report as it opens text") {
  const std::string bytes = file("tests/data/kernels.ncu-rep");
  Session session;
  bytes.copy(session.begin(bytes.size(), "report"), bytes.size());
  CHECK(session.prepare().find(R"("kind": "operations")") != std::string::npos);
  CHECK(open_in(session, bytes, "report").find(R"("format": "Nsight Compute report")") != std::string::npos);
}

TEST_CASE("nsight: what is wrong with a file is said") {
  using namespace std::string_literals;
  CHECK(
      refusal("==PROF== Connected to process 7\n==ERROR== The user does not have permission to access NVIDIA GPU Performance Counters\n") ==
      "Nsight Compute measured nothing: The user does not have permission to access NVIDIA GPU Performance Counters");
  CHECK(refusal("==ERROR==\r\n==ERROR== no\r\n==ERROR==") == "Nsight Compute measured nothing: no");
  CHECK(refusal("==PROF== Connected to process 7\n==PROF== Disconnected from process 7\n").find("has no table: expected what ncu --csv") !=
        std::string::npos);
  CHECK(refusal(details_header).find("profiled no kernel") != std::string::npos);
  CHECK(refusal(details_header + details(0, "k", {{"sm__warps_active.avg", "warp", "3"}})).find("none of Nsight Compute's metrics here") ==
        0);
  CHECK(refusal("NVR\0"s).find("byte 4: the report ends in the middle of a part") == 0);
  CHECK(refusal("NVR\0\xff\xff\xff\xff"s).find("a part of 4294967295 bytes") != std::string::npos);
  CHECK(refusal("NVR\0\x01\0\0\0\x0b"s).find("a damaged header") != std::string::npos);
  CHECK(refusal("\x7f\x45LF\0\0\0\0"s).find("an executable") != std::string::npos);  // no format's mark: as before
  const Workload w =
      open(details_header + details(0, "k", {{"gpu__time_duration.sum", "fortnight", "3"}, {"dram__bytes.sum", "byte", "5"}}) +
           "a line of the program\n");
  CHECK(says(w, "gpu__time_duration.sum: unit \"fortnight\" is not one of this metric's"));
  CHECK(says(w, "1 line within the table is not part of it"));
}

TEST_CASE("nsight: a table of the program's own is no profile of kernels") {
  const Workload w = open("name,M,N,K,dtype,time_us\na,8,8,8,fp16,5\n");
  CHECK(w.source_format == SourceFormat::kernels);
}

TEST_CASE("nsight: a program that prints its device's name and figures before the table states the machine", "[nsight]") {
  const std::string table = details_header + details(0, "add", counted, 1, "12.0");
  const auto machine = [&](const std::string& printed) {
    const Workload w = open(printed + table);
    return w.machine_json.empty() ? Json() : Json::parse(w.machine_json);
  };
  CHECK(machine("device: NVIDIA GeForce RTX 5070 (sm_120), 48 SMs, 2.625 GHz\n  theoretical: 32.26 TFLOP/s, 672.0 GB/s\n") == "rtx-5070");

  // A card without a preset: 20 multiprocessors x 128 x 2 x 2.572 GHz are the 13.17 TFLOP/s that the program prints.
  const Json other = machine("device: NVIDIA GeForce RTX 5050 (sm_120), 20 SMs, 2.572 GHz\r\n  theoretical: 13.17 TFLOP/s, 320.0 GB/s\r\n");
  REQUIRE(other.is_object());
  CHECK(other["name"] == "NVIDIA GeForce RTX 5050");
  CHECK(other["peaks"]["vector"]["fp32"]["value"].get<double>() == Approx(13.17e12).epsilon(0.001));
  CHECK(other["memories"][0]["bandwidth"]["value"] == 320e9);

  // Without the bandwidth no machine is built, and no related card is guessed.
  CHECK(machine("device: NVIDIA GeForce RTX 5050 (sm_120), 20 SMs, 2.572 GHz\n") == Json());
  Session session;
  const Json opened =
      Json::parse(open_in(session, "device: NVIDIA GeForce RTX 5050 (sm_120), 20 SMs, 2.572 GHz\n" + table, "x.csv"))["opened"];
  CHECK(opened["guessed_machine"] == Json());
  CHECK(opened["stated_machine"] == Json());
  CHECK(machine("device: 0\ntheoretical: none\n") == Json());
}
