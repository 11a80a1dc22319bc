// Tables of kernels: what each tool's columns mean, units, faults. Figures: worked by hand from the rows, as each test says.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <roofline/frame/frame.hpp>
#include <roofline/write/write.hpp>

#include "read/table/columns/column_meaning.hpp"
#include "read/text/lines.hpp"
#include "rows.hpp"
#include "support.hpp"

namespace roofline {
namespace {

OpAnalysis first(const Workload& w, std::size_t op = 0) {
  const Scenario scenario = on(*Machines::presets().find("a100-80gb-sxm"));
  return Plan(w, scenario).analyze(op);
}

std::string refusal(std::string_view text) {
  const auto w = read(text, {});
  REQUIRE(!w);
  return w.error().text();
}

const Diagnostic* fault_of(const Workload& w, std::uint32_t op) {
  for (const Diagnostic& d : w.diagnostics)
    if (d.op == op) return &d;
  return nullptr;
}

bool said(const Workload& w, std::string_view message) {
  for (const Diagnostic& d : w.diagnostics)
    if (d.message == message) return true;
  return false;
}

// The benchmark viewer's own data, first and second form.
const std::string rates_table = R"([
{"name":"Kernel A","arithmeticIntensity":2.5,"tflops":100,"batch":32,"dtype":"f32","model":"modelX"},
{"name":"Kernel B","arithmeticIntensity":1.8,"tflops":80,"batch":64,"dtype":"f16","model":"modelY"},
{"name":"Kernel C","arithmeticIntensity":3.2,"tflops":120,"batch":32,"dtype":"f32","model":"modelX"},
{"name":"Kernel D","arithmeticIntensity":2.1,"tflops":90,"batch":64,"dtype":"f16","model":"modelY"},
{"name":"Kernel E","arithmeticIntensity":2.8,"tflops":110,"batch":32,"dtype":"f32","model":"modelZ"},
{"name":"Kernel F","arithmeticIntensity":1.5,"tflops":70,"batch":64,"dtype":"f16","model":"modelX"},
{"name":"Kernel G","arithmeticIntensity":3.5,"tflops":130,"batch":32,"dtype":"f32","model":"modelY"},
{"name":"Kernel H","arithmeticIntensity":2.3,"tflops":95,"batch":64,"dtype":"f16","model":"modelZ"}])";

TEST_CASE("Headers by their words", "[kernels]") {
  struct Case {
    const char* header;
    ColumnRole role;
    double scale;
  };
  const Case cases[] = {
      {"mean_microseconds", ColumnRole::time, 1e-6},
      {"Kernel Time (µs)_mean", ColumnRole::time, 1e-6},
      {"Kernel Time (µs)_sum", ColumnRole::time_sum, 1e-6},
      {"Kernel Time (µs)_std", ColumnRole::none, 0},
      {"avg_ms", ColumnRole::time, 1e-3},
      {"time_ns", ColumnRole::time, 1e-9},
      {"latency [s]", ColumnRole::time, 1},
      {"Runtime", ColumnRole::time, 0},
      {"tflops", ColumnRole::flops, 1e12},  // a rate, unless another column is one: maybe_rate
      {"TFLOPS/s_mean", ColumnRole::rate, 1e12},
      {"Performance (GFLOP/s)", ColumnRole::rate, 1e9},
      {"Flops", ColumnRole::flops, 1},
      {"gflop", ColumnRole::flops, 1e9},
      {"GB/s", ColumnRole::bandwidth, 1e9},
      {"Bandwidth (GiB/s)", ColumnRole::bandwidth, 0x1p30},
      {"TB/s_mean", ColumnRole::bandwidth, 1e12},
      {"gbps", ColumnRole::bandwidth, 1e9},
      {"Bytes", ColumnRole::bytes, 1},
      {"Data Moved (MB)_first", ColumnRole::bytes, 1e6},
      {"dram_bytes", ColumnRole::bytes, 1},
      {"arithmetic_intensity", ColumnRole::intensity, 1},
      {"arithmeticIntensity", ColumnRole::intensity, 1},
      {"FLOPS/Byte_first", ColumnRole::intensity, 1},
      {"param: M", ColumnRole::m, 1},
      {"k", ColumnRole::k, 1},
      {"B", ColumnRole::batch, 1},
      {"batch", ColumnRole::batch, 1},
      {"batch_count", ColumnRole::batch, 1},
      {"dtype", ColumnRole::format, 0},
      {"input_dtype", ColumnRole::format, 0},
      {"output_dtype", ColumnRole::output_format, 0},
      {"param: dtype_A_B", ColumnRole::format, 0},
      {"OperationKind", ColumnRole::type, 0},
      {"kernel_type", ColumnRole::type, 0},
      {"gemm_kind", ColumnRole::none, 0},
      {"Operation", ColumnRole::name, 0},
      {"Kernel Name", ColumnRole::name, 0},
      {"name_count", ColumnRole::count, 1},
      {"operation_count", ColumnRole::count, 1},
      {"Kernel duration (µs)_count", ColumnRole::count, 1},
      {"Kernel duration (µs)_sum", ColumnRole::time_sum, 1e-6},
      {"total_direct_kernel_time_mean", ColumnRole::time, 1e-6},
      {"thread_count", ColumnRole::none, 0},
      {"A Type", ColumnRole::format, 0},
      {"B Type", ColumnRole::weight_format, 0},
      {"D Type", ColumnRole::output_format, 0},
      {"Compute Spec", ColumnRole::format, 0},
      {"Transpose A", ColumnRole::none, 0},
      {"Input Dims_first", ColumnRole::dims, 0},
      {"Input type", ColumnRole::dim_types, 0},
      {"Concrete Inputs", ColumnRole::dim_values, 0},
      {"Unique Name", ColumnRole::name, 0},
      {"Disposition", ColumnRole::success, 0},
      {"vmfb_hash", ColumnRole::none, 0},
      {"GMACs/s", ColumnRole::rate, 2e9},
      {"FLOP/B", ColumnRole::intensity, 1},
      {"B/s", ColumnRole::bandwidth, 1},
      {"TOPS", ColumnRole::flops, 1e12},
      {"batch size", ColumnRole::batch, 1},
      // No unit is a part of a word, or a bare "op" or "b".
      {"top_k", ColumnRole::none, 0},
      {"pop_size", ColumnRole::none, 0},
      {"mop", ColumnRole::none, 0},
      {"ops", ColumnRole::none, 0},
      {"tb_size", ColumnRole::none, 0},
      {"mb_size", ColumnRole::none, 0},
      {"Data (B)", ColumnRole::none, 0},
      {"ai_model", ColumnRole::none, 0},
      // Differences, shares and ratios are no amounts; nor are sizes of code.
      {"Kernel Time (µs)_mean__mi300_diff", ColumnRole::none, 0},
      {"time_us_delta", ColumnRole::none, 0},
      {"time_ratio (ms)", ColumnRole::none, 0},
      {"speedup_ms", ColumnRole::none, 0},
      {"TFLOPS/s_mean__pct", ColumnRole::none, 0},
      {"time share us", ColumnRole::none, 0},
      {"kernel size (bytes)", ColumnRole::none, 0},
      {"code_size_kb", ColumnRole::none, 0},
      {"Throughput (MACs/Cycle)", ColumnRole::none, 0},
      {"Throughput Per Energy (GMACs/s*J)", ColumnRole::none, 0},
      {"data(bytes)/shard", ColumnRole::none, 0},
      // Nor are the bytes of a link traffic of the memory.
      {"data_exchanged_during_collective_op (Gb)", ColumnRole::none, 0},
      {"Bus BW (Gbps)", ColumnRole::none, 0},
      {"Dur (secs)", ColumnRole::time, 1},
      {"index", ColumnRole::none, 0},
      {"peak_tflops", ColumnRole::none, 0},
      {"", ColumnRole::none, 0},
  };
  for (const Case& c : cases) {
    INFO(c.header);
    CHECK(static_cast<int>(meaning_of(c.header).role) == static_cast<int>(c.role));
    if (c.role != ColumnRole::none && c.scale > 0) CHECK(meaning_of(c.header).scale == c.scale);
  }
  CHECK(meaning_of("median_ms").rank > meaning_of("avg_ms").rank);
  CHECK(meaning_of("min_ms").rank > meaning_of("median_ms").rank);
  CHECK(meaning_of("D Type").rank < meaning_of("C Type").rank);
  CHECK(meaning_of("mean_duration_us").rank > meaning_of("Kernel Time (µs)_mean").rank);  // a host's time, perhaps
}

TEST_CASE("Rates without sizes: ratios only", "[kernels]") {
  const Workload w = open(rates_table);
  REQUIRE(w.size() == 8);
  CHECK(w.source_format == SourceFormat::kernels);
  CHECK(w.name_of(0) == "Kernel A");
  CHECK(w.class_of(0).rates_only);
  CHECK(w.class_of(1).activation == format("fp16"));
  const OpAnalysis a = first(w);
  CHECK(a.intensity == 2.5);
  CHECK_THAT(a.achieved_flops, WithinRel(100e12, 1e-12));
  CHECK(std::isnan(a.flops));
  CHECK(std::isnan(a.time_s));

  REQUIRE(w.categories.size() == 3);
  CHECK(w.categories[0].name == "batch");
  CHECK(w.categories[0].values == std::vector<std::string>{"32", "64"});
  CHECK(w.categories[1].values == std::vector<std::string>{"f32", "f16"});
  CHECK(w.categories[2].values == std::vector<std::string>{"modelX", "modelY", "modelZ"});
  CHECK(w.categories[2].value == std::vector<std::uint32_t>{0, 1, 0, 1, 2, 0, 1, 2});
}

TEST_CASE("Shapes give work, and a batch beside them is a label", "[kernels]") {
  const Workload w = open("name,M,N,K,tflops,batch,dtype,model\nA,1024,1024,1024,100,32,f32,X\nH,1024,2048,4096,95,64,f16,Z\n");
  const OpAnalysis a = first(w);
  CHECK(a.flops == 2.0 * 1024 * 1024 * 1024);
  CHECK_THAT(a.intensity, WithinRel(170.6666667, 1e-9));  // 2 * 1024 / (3 * 4)
  CHECK_THAT(a.time_s, WithinRel(2.0 * 1024 * 1024 * 1024 / 100e12, 1e-12));
  CHECK_THAT(first(w, 1).intensity, WithinRel(585.142857, 1e-9));  // 2 MNK / ((MK + KN + MN) * 2)
  CHECK(w.class_of(0).type == "gemm");
}

TEST_CASE("iree-kernel-benchmark", "[kernels]") {
  const Workload gemm = open(
      "index,tag,name,vmfb_hash,M,N,K,dtype,tA,tB,mean_microseconds,arithmetic_intensity,tflops,ok\n"
      "0,llama,gemm_32000_1_5120_f16_f32_tA,fbb5,32000,1,5120,f16,T,N,2490.0,0.9998,0.1316,True\n"
      "1,llama,gemm_0,abcd,16,16,16,f16,N,N,,,,False\n");
  const OpAnalysis a = first(gemm);
  CHECK(a.flops == 2.0 * 32000 * 5120);
  CHECK_THAT(a.achieved_flops, WithinRel(0.131599e12, 1e-5));  // 2 * 32000 * 1 * 5120 / 2490 us; the file's own 0.1316 is rounded
  CHECK_THAT(a.intensity, WithinRel(0.9998, 1e-4));
  CHECK(first(gemm, 1).status == Status::predicted);
  CHECK(gemm.diagnostics.back().message == "1 row is marked \"False\" in the column \"ok\": its tool does not vouch for them");

  const Workload conv = open(
      "index,tag,name,B,H,W,C,P,Q,F,S,input_dtype,output_dtype,mean_microseconds,arithmetic_intensity,tflops,ok\n"
      "0,sweep,conv_2d,1,112,112,64,7,7,3,2,f32,f32,247.0,17.19,0.9556,True\n");
  const OpAnalysis c = first(conv);
  CHECK(c.flops == 2.0 * 112 * 112 * 64 * 7 * 7 * 3);
  CHECK_THAT(c.achieved_flops, WithinRel(0.9556e12, 1e-4));
  CHECK_THAT(c.intensity, WithinRel(17.19, 1e-12));
  CHECK(conv.class_of(0).type == "conv");
}

TEST_CASE("CUTLASS profiler: its milliseconds and formats", "[kernels]") {
  const Workload w = open(
      "Problem,Provider,OperationKind,Operation,Disposition,Status,gemm_kind,m,n,k,A,B,C,alpha,beta,batch_count,op_class,Bytes,Flops,Flops/"
      "Byte,"
      "Runtime,GB/s,GFLOPs\n"
      "1,CUTLASS,gemm,cutlass_sgemm_nn,passed,success,universal,16384,16384,16384,f32:column,f32:column,f32:column,1,0,1,simt,3221225472,"
      "8796629893120,2730,481.022,6.23672,18287.4\n"
      "1,CUTLASS,gemm,cutlass_hgemm,incorrect,success,universal,16384,16384,16384,f16:column,f16:row,f32:column,1,0,1,tensorop,2147483648,"
      "8796629893120,4096,34.1575,58.5523,257531\n");
  const OpAnalysis a = first(w);
  CHECK(a.flops == 8796629893120);
  CHECK(a.bytes == 3221225472);
  CHECK_THAT(a.time_s, WithinRel(0.481022, 1e-12));
  CHECK_THAT(a.achieved_flops, WithinRel(18287.4e9, 1e-5));
  CHECK_THAT(a.achieved_bandwidth, WithinRel(6.69663e9, 1e-5));  // 6.23672 GiB/s
  CHECK_THAT(a.intensity, WithinRel(2730.8333, 1e-6));
  CHECK(w.class_of(1).activation == format("fp16"));
  CHECK(w.class_of(1).output == format("fp32"));
  CHECK(w.class_of(0).symbol == Symbol::circle);
  CHECK(said(w,
             "check passed: \"GFLOPs\" matches FLOPs over time, \"GB/s\" matches bytes over time, \"Flops/Byte\" matches "
             "FLOPs over bytes"));
  CHECK(said(w, "\"Runtime\" is taken as ms: so \"GFLOPs\" and \"GB/s\" have it"));
  CHECK(said(w, "\"GB/s\" is taken as in powers of 1024: so \"Runtime\" has it"));
  CHECK(w.diagnostics.back().message == "1 row is marked \"incorrect\" in the column \"Disposition\": its tool does not vouch for them");
}

TEST_CASE("TraceLens: amounts beside rates, MiB, sums over calls", "[kernels]") {
  const Workload w = open(
      "name,param: B,param: M,param: N,param: K,param: dtype_A_B,GFLOPS_first,Data Moved "
      "(MB)_first,FLOPS/Byte_first,TB/s_mean,TFLOPS/s_mean,"
      "Kernel Time (µs)_mean,Kernel Time (µs)_std,Kernel Time (µs)_sum,name_count\n"
      "aten::mm,1,8944,2816,1024,\"('c10::BFloat16', 'c10::BFloat16')\",51.581550592,71.0078125,692.7688414567059,0.8814855312346527,"
      "610.6657102342793,84.4844258626302,1.1997,4055.25244140625,48\n");
  const OpAnalysis a = first(w);
  CHECK(w.count_of(0) == 48);
  CHECK_THAT(a.flops, WithinRel(48 * 2.0 * 8944 * 2816 * 1024, 1e-12));
  CHECK_THAT(a.bytes, WithinRel(48 * 71.0078125 * 1048576, 1e-12));
  CHECK_THAT(a.intensity, WithinRel(692.7688414567059, 1e-9));
  CHECK_THAT(a.time_s, WithinRel(4055.25244140625e-6, 1e-12));
  CHECK_THAT(a.achieved_flops, WithinRel(610.6657e12, 1e-3));  // the file's mean of rates is not the rate of the mean
  CHECK(w.class_of(0).activation == format("bf16"));
}

TEST_CASE("Any other table by its synonyms", "[kernels]") {
  // 2 * 512^3 FLOPs in 1.5 ms; the mean, not the minimum
  Workload w = open("backend,m,n,k,warmup,iters,avg_ms,median_ms,min_ms,gflops,checksum\ncpu,512,512,512,3,10,1.5,1.4,1.25,178.956,0.25\n");
  CHECK_THAT(first(w).time_s, WithinRel(1.5e-3, 1e-12));
  CHECK(first(w).flops == 268435456);

  w = open("kernel;time_us;bytes;gflop\nreduce;12,5;1000000;0,002\n");
  CHECK_THAT(first(w).time_s, WithinRel(12.5e-6, 1e-12));
  CHECK(first(w).flops == 2e6);
  CHECK(first(w).intensity == 2);

  w = open("kernel\ttime_us\tdram_bytes\ncopy\t10\t2000000\n");
  CHECK(first(w).flops == 0);
  CHECK(first(w).hw_bytes == 2e6);
  CHECK_THAT(first(w).achieved_bandwidth, WithinRel(2e11, 1e-12));

  // A batch that the rate confirms multiplies: 2 * 8 * 64^3 FLOPs in 10 us are 0.4194304 TFLOP/s.
  w = open("name,batch,M,N,K,time_us,tflops\nbmm,8,64,64,64,10,0.4194304\n");
  CHECK(first(w).flops == 2.0 * 8 * 64 * 64 * 64);

  // Records within records, in an object.
  const std::string nested =
      R"({"tool": "x", "results": [{"name": "a", "problem": {"M": 64, "N": 32, "K": 16, "dtype": "fp16"}, "time_us": 2}]})";
  w = open(nested);
  CHECK(first(w).flops == 2.0 * 64 * 32 * 16);
  CHECK(nested.substr(w.record[0].offset, 12) == "{\"name\": \"a\"");
}

TEST_CASE("UTF-16, byte order marks, quotes", "[kernels]") {
  const std::string plain = "name,time_us,gflops\n\"a \"\"b\"\"\",2,3\n";
  std::string wide = "\xff\xfe";
  for (const char c : plain) wide += c, wide += '\0';
  CHECK(first(open(wide)).achieved_flops == 3e9);
  CHECK(open(wide).name_of(0) == "a \"b\"");
  CHECK(first(open("\xef\xbb\xbf" + plain)).achieved_flops == 3e9);
}

TEST_CASE("What is wrong with a table is said", "[kernels]") {
  CHECK(refusal("name,color\na,red\n") ==
        "line 1: this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), "
        "a rate "
        "(gflops, "
        "tflops), bytes (bytes, bandwidth GB/s) or intensity (FLOP/byte); nor is there a time; the columns are: name, color");
  CHECK(refusal("Dear Ada,\nthe accelerator arrived today, and works.\n") ==
        "line 1: this text is of no format that Roofline reads, and no table of numbers; expected JSON, or a row per operation "
        "or kernel");
  CHECK(refusal("What limits each op, and what a change would buy\n12,13\n").find("no table of numbers") != std::string::npos);
  CHECK(refusal("color,width\nred,42\n").find("; the columns are: color, width") != std::string::npos);
  CHECK(refusal("name,M,N,K,time\na,1,2,3,4\n") ==
        "line 1: the column \"time\" names no unit of time: expected ns, us, ms or s in its header, such as time_us");
  CHECK(refusal("kernel,baseline_us,optimized_us,speedup,diff_us\na,100,50,2,-50\n") ==
        "line 1: no column is called a time; choose the one to use: --column "
        "\"baseline_us=time_us\" or --column \"optimized_us=time_us\"");
  CHECK(says(open("kernel,baseline_us,optimized_us,gflop\na,100,50,2\nb,70,60,1\n"),
             "no column is called a time, so the operations have none; to use one: --column \"baseline_us=time_us\" or --column "));
  CHECK(refusal("M,N,K,baseline_us,optimized_us\n64,64,64,1.5,1.2\n").find("--column \"baseline_us=time_us\"") != std::string::npos);
  CHECK(refusal("name,M,N,K,time (fortnights)\na,1,2,3,4\n").find("\"time (fortnights)\" names no unit") != std::string::npos);
  CHECK(refusal("name,gflops\n\"a,1\nb,2\n") == "line 2, column 1: a quote that is never closed: expected '\"'");
}

TEST_CASE("JSON records without a rate are a table still, and lack what its CSV would", "[kernels]") {
  const std::string lacks =
      "this table cannot be placed on a roofline: no column gives FLOPs (flops, macs, or the shape M, N, K), a rate (gflops, tflops), "
      "bytes "
      "(bytes, bandwidth GB/s) or intensity (FLOP/byte); ";
  const std::string records =
      refusal(R"([{"name":"A","batch":32,"dtype":"f32","model":"x"},{"name":"B","batch":64,"dtype":"f16","model":"y"}])");
  CHECK(records == "line 1: " + lacks + "nor is there a time; the columns are: name, batch, dtype, model");
  CHECK(records == refusal("name,batch,dtype,model\nA,32,f32,x\nB,64,f16,y\n"));
  const Workload alone = open(R"([{"name":"A","time_us":3,"model":"x"}])");
  CHECK(alone.source_format == SourceFormat::kernels);
  CHECK(first(alone).status == Status::time_only);
  CHECK_THAT(first(alone).time_s, WithinRel(3e-6, 1e-12));
  // M, N and K are enough, with or without a time.
  const Workload shapes = open(R"([{"name":"A","dtype":"f16","M":64,"N":32,"K":16}])");
  CHECK(shapes.source_format == SourceFormat::kernels);
  CHECK(first(shapes).flops == 2. * 64 * 32 * 16);
  CHECK(std::isnan(first(shapes).time_s));
  const Workload timed = open(R"([{"kernel":"A","dtype":"f16","flops":1e9,"bytes":1e6,"time_us":12}])");
  CHECK(timed.source_format == SourceFormat::kernels);
  CHECK_THAT(first(timed).time_s, WithinRel(12e-6, 1e-12));
  // What is a list of operations stays one, faults and all.
  for (const char* operations :
       {R"([{"type":"ID_MM","name":"A","dtype":"fp16","M":64,"N":32,"K":16}])",
        R"([{"op_type":"relu","dtype":"fp16","batch":3,"input_shape":[3]}])", R"([{"name":"A","data_type":"INT8","batch":4}])",
        R"([{"name":"A","dtype":"fp16","input_shape":[1,2]}])", R"([{"name":"A","dtype":"fp16","flops":1e9,"bytes":1e6}])",
        R"([{"name":"A","dtype":"fp16","flops":1e9,"bytes":1e6,"time_ns":3}])", R"([{"name":"A","flops":1e9,"bytes":1e6,"time_us":3}])",
        R"([{"name":"A","flops":1e9,"bytes":1e6,"duration_ms":3,"step":"s"}])", R"([{"name":"A","colour":"red"}])", R"([{"name":"A"}])",
        R"([{"dtype":"fp16"},{"type":"relu","input_shape":[3]}])"}) {
    INFO(operations);
    CHECK(open(operations).source_format == SourceFormat::commands);
  }
}

TEST_CASE("What was predicted is never taken for measured", "[kernels]") {
  const Workload w = open(
      "name,flops,bytes,predicted_time_s,typical_time_s,lost_time_s,time_s,attainable_flops,theoretical_bandwidth_GBs\n"
      "a,2e9,1e6,1e-4,2e-4,9e-4,1e-3,1e12,2039\n"
      "b,4e9,1e6,2e-4,4e-4,8e-4,1e-3,2e12,2039\n");
  CHECK(first(w).time_s == 1e-3);
  CHECK(first(w).achieved_flops == Approx(2e12));
  for (const Diagnostic& d : w.diagnostics) CHECK(d.severity != Severity::warning);
  // Without a time that was measured there is none.
  CHECK(first(open("name,flops,bytes,expected_time_us\na,2e9,1e6,100\n")).status == Status::predicted);
}

TEST_CASE("The analysis as CSV opens again with its times, work and formats", "[kernels]") {
  const Workload before = open(R"([{"type":"ID_MM","name":"a","input_mat1":[64,512],"input_mat2":[512,128],"data_type":"INT8",)"
                               R"("weight_type":"INT4","time_ns":90000}])");
  const Scenario scenario = on(*Machines::presets().find("a100-80gb-sxm"));
  std::string csv;
  const Plan plan(before, scenario);
  write_csv(OpSet(plan), {}, [&csv](std::string_view piece) { csv += piece; });
  const OpAnalysis a = first(before), b = first(open(csv));
  CHECK(b.time_s == a.time_s);
  CHECK(b.flops == a.flops);
  CHECK(b.bytes == a.bytes);
  CHECK(b.compute == a.compute);
}

TEST_CASE("A cell that cannot be read costs no row that the others place", "[kernels]") {
  const Workload w = open(
      "name,M,N,K,dtype,time_us\n"
      "a,64,64,64,f16,10\n"
      "b,64,64,64,f16,fast\n"
      "c,64,64\n"
      "d,64,64,64,f16,10,9,9\n"
      "e,64,64,64,f17,10\n"
      "f,64,64,64,f16,-1\n"
      "g,64,x,64,f16,10\n");
  REQUIRE(w.size() == 7);
  CHECK_FALSE(w.class_of(0).invalid);
  REQUIRE(fault_of(w, 1));
  CHECK(fault_of(w, 1)->message == "time_us: expected a number, found \"fast\": the cell is not used");
  CHECK(fault_of(w, 1)->severity == Severity::warning);
  CHECK(fault_of(w, 1)->line == 3);
  CHECK(fault_of(w, 1)->column == 16);
  CHECK(first(w, 1).status == Status::predicted);
  REQUIRE(fault_of(w, 2));
  CHECK(fault_of(w, 2)->message == "the row has 3 fields: expected 6, as the header has");
  CHECK(w.class_of(2).invalid);
  REQUIRE(fault_of(w, 3));
  CHECK(fault_of(w, 3)->severity == Severity::warning);
  CHECK_FALSE(w.class_of(3).invalid);
  REQUIRE(fault_of(w, 4));
  CHECK(fault_of(w, 4)->message.find("unknown number format \"f17\"") == 0);
  CHECK(w.class_of(4).invalid);
  REQUIRE(fault_of(w, 5));
  CHECK(fault_of(w, 5)->message == "time_us: expected a number from 0 to 2^63, found \"-1\": the cell is not used");
  CHECK(first(w, 5).status == Status::predicted);
  CHECK(w.class_of(6).invalid);  // neither a shape nor anything else: its time alone is not what the row meant to say
  CHECK(first(w, 6).status == Status::unknown);

  const Workload twice = open("name,gflops,gflops,time_us\na,1,2,3\n");
  CHECK(twice.diagnostics[0].message == "two columns are called \"gflops\": the first is used");
  CHECK(first(twice).achieved_flops == 1e9);

  const Workload empty = open("name,gflops,time_us\n");
  CHECK(empty.size() == 0);
  CHECK(empty.diagnostics.back().message == "the table has a header and no rows");
}

TEST_CASE("kernels: a time below 1 ps is not used", "[kernels]") {
  const Workload w = open("name,M,N,K,dtype,time_s\na,64,64,64,f16,1e-309\nb,64,64,64,f16,1e-12\n");
  REQUIRE(fault_of(w, 0));
  CHECK(fault_of(w, 0)->message == "time_s: expected a time of at least 1 ps, found \"1e-309\": the cell is not used");
  CHECK((fault_of(w, 0)->line == 2 && fault_of(w, 0)->column == 16));
  CHECK(first(w, 0).status == Status::predicted);
  CHECK_FALSE(fault_of(w, 1));
}

TEST_CASE("A profiler's lists of arguments", "[kernels]") {
  const std::string header = "name,Input Dims,Input type,Concrete Inputs,calls,gpu_time_us\n";
  const auto flops = [&](const char* row) { return first(open(header + row)).flops; };
  // 2 M N K, called twice; tuples and lists alike.
  CHECK(flops("aten::addmm,\"((8,), (4, 16), (16, 8), (), ())\",\"('c10::Half', 'c10::Half', 'c10::Half', 'Scalar', 'Scalar')\",,2,5\n") ==
        2 * 2. * 4 * 8 * 16);
  CHECK(flops("aten::mm,\"[[4, 16], [16, 8]]\",,,1,5\n") == 2. * 4 * 8 * 16);
  // 14 x 14 positions: stride 16 from the fourth argument, or from the fourth of another order.
  const double patches = 2. * 4 * 768 * 14 * 14 * 3 * 16 * 16;
  CHECK(
      flops(
          "aten::convolution,\"((4, 3, 224, 224), (768, 3, 16, 16), (768,), (), (), (), (), (), ())\",\"('c10::BFloat16', 'c10::BFloat16', "
          "'c10::BFloat16', 'ScalarList', 'ScalarList', 'ScalarList', 'Scalar', 'ScalarList', 'Scalar')\",\"('', '', '', '[16, 16]', "
          "'[0, 0]', '[1, 1]', 'False', '[0, 0]', '1')\",1,5\n") == patches);
  CHECK(flops("aten::cudnn_convolution,\"((4, 3, 224, 224), (768, 3, 16, 16), (), (), (), ())\",\"('c10::BFloat16', 'c10::BFloat16', "
              "'ScalarList', 'ScalarList', 'ScalarList', 'Scalar')\",\"('', '', '[0, 0]', '[16, 16]', '[1, 1]', '1')\",1,5\n") == patches);
  // Without its stride nothing is guessed; nor of an operator whose arguments are not known.
  for (const char* row : {"aten::convolution,\"((4, 3, 224, 224), (768, 3, 16, 16))\",,,1,5\n", "my::op,\"((4, 3), (3, 7))\",,,1,5\n"})
    CHECK(first(open(header + row)).status == Status::time_only);
  // Concatenation: a list of tensors, read and written once, in the tensors' format.
  const Workload cat = open(header + "aten::cat,\"(((4, 1, 768), (4, 196, 768)), ())\",\"('TensorList', 'Scalar')\",\"('', '1')\",1,5\n");
  CHECK(first(cat).bytes == 2. * 4 * 197 * 768 * 4);  // FP32 is assumed, and said
  CHECK(said(cat, "no column names a number format: FP32 is assumed"));
}

TEST_CASE("The format of rows that name none can be stated", "[kernels]") {
  ReadOptions options;
  options.assumed_format = format("fp16");
  const std::string table = "name,M,N,K,time_us\ngemm,64,64,64,10\n";
  const Workload stated = open(table, options);
  CHECK(first(stated).bytes == 3. * 64 * 64 * 2);
  CHECK(said(stated, "no column names a number format: FP16 is assumed"));
  CHECK(first(open(table)).bytes == 3. * 64 * 64 * 4);
  CHECK(first(open(R"([{"type": "linear", "m": 4, "n": 8, "k": 16}])", options)).bytes == 2. * (4 * 16 + 16 * 8 + 4 * 8));
}

TEST_CASE("Columns of few values become categories", "[kernels]") {
  std::string text = "name,stage,tile,time_us,gflops\n";
  for (int i = 0; i < 600; ++i)
    text += "k" + std::to_string(i) + ',' +
            (i % 3 == 0   ? ""
             : i % 3 == 1 ? "load"
                          : "store") +
            ',' + std::to_string(16 << (i % 4)) + ',' + std::to_string(i) + ".5,1\n";
  const Workload w = open(text);
  REQUIRE(w.categories.size() == 2);  // neither names nor figures
  CHECK(w.categories[0].name == "stage");
  CHECK(w.categories[0].value[0] == Category::none);
  CHECK(w.categories[0].value[1] == 0);
  CHECK(w.categories[1].values == std::vector<std::string>{"16", "32", "64", "128"});
}

TEST_CASE("No quantity is made of a header that only looks like a unit", "[kernels]") {
  const Workload moe = open("name,E,top_k,time_us\nmoe,128,8,100\n");
  CHECK(first(moe).status == Status::time_only);
  CHECK(std::isnan(first(moe).flops));
  CHECK(said(moe, "\"top_k\" is ignored, but its name suggests work: check that the FLOPs include it, or say what the column is"));
  CHECK(said(moe, "columns that are not used: \"E\" and \"top_k\""));
  CHECK(first(open("name,pop_size,time_us\na,300,100\n")).status == Status::time_only);
  CHECK(std::isnan(first(open("name,tb_size,time_us\na,256,100\n")).bytes));
}

TEST_CASE("A batch size beside M, N and K multiplies the work, unless the rest contradicts it", "[kernels]") {
  const double once = 2. * 64 * 32 * 16;
  for (const char* header : {"batch size", "batch_size", "Batch Size", "batch_count"}) {
    INFO(header);
    CHECK(first(open("name," + std::string(header) + ",M,N,K,time_us\na,8,64,32,16,10\nb,4,64,32,16,10\n")).flops == 8 * once);
  }
  const Workload label = open("name,batch size,M,N,K,time_us,gflops\na,8,64,32,16,10,6.5536\nb,4,64,32,16,10,6.5536\n");
  CHECK(first(label).flops == once);
  CHECK(said(label, "\"batch size\" does not multiply the work: so \"gflops\" has it"));
  CHECK(said(open("name,batch,M,N,K,time_us\na,8,64,32,16,10\n"), "\"batch\" does not multiply the work: no other column tells"));
}

TEST_CASE("Numbers of rows and points in time are neither counts nor durations", "[kernels]") {
  const Workload numbered = open("name,call count,time_us\na,1024,1\nb,2048,2\nc,3072,3\nd,4096,4\n");
  CHECK(numbered.count_of(1) == 1);
  CHECK(first(numbered, 1).time_s == Approx(2e-6));
  CHECK(said(numbered, "\"call count\" numbers the rows: it is not used as their count"));
  // Three rows, in any order, that hardly differ; few large ones at equal steps.
  for (const char* ids : {"7340033 7340036 7340034", "5242880 5242881 5242882", "1024 2048 3072"}) {
    std::string rows = "kernel,invocation_count,time_us\n";
    for (const std::string& id : words_of(ids)) rows += "k" + id + "," + id + ",5\n";
    INFO(rows);
    CHECK(open(rows).count_of(2) == 1);
  }
  CHECK(open("name,calls,time_us\na,100,5\nb,100,5\n").count_of(1) == 100);
  // A count that the times prove stays one.
  CHECK(open("name,calls,time_us,total_time_us\na,1,5,5\nb,2,5,10\nc,3,5,15\nd,4,5,20\n").count_of(3) == 4);
  const Workload stamped = open("name,time_us,min_us\na,1753000000000000,5\nb,1753000000000009,6\n");
  CHECK(first(stamped).time_s == Approx(5e-6));
  CHECK(said(stamped, "\"time_us\" holds points in time: it is not used as a duration"));
  const Workload beyond = open("name,flops,time_us\na,1e9,10\nb,1e9,1e400\nc,1e9,12\n");
  CHECK(first(beyond).time_s == Approx(10e-6));
  CHECK_FALSE(said(beyond, "points in time"));
}

TEST_CASE("Words in place of numbers are counted by column, empty cells are not", "[kernels]") {
  const Workload words = open("name,flops,bytes,time_us\na,NaN,1e6,1\nb,n/a,1e6,2\nc,,1e6,3\nd,1e9,1e6,4\n");
  CHECK(said(words, "\"flops\": no number in 2 rows (first: \"NaN\"); taken as not known"));
  CHECK_FALSE(said(words, "\"bytes\": no number"));
}

TEST_CASE("A table of eight times as many columns takes about eight times as long", "[kernels]") {
  const auto table = [](int columns) {
    std::string header = "name,time_us,flops", row = "k,1,1e9";
    for (int i = 0; i < columns; ++i) {
      header += ",metric_" + std::to_string(i) + "_ms";
      row += ',' + std::to_string(i);
    }
    return header + '\n' + row + '\n';
  };
  const auto fastest = [&](int columns) {
    const std::string text = table(columns);
    double least = 1e9;
    for (int run = 0; run < 3; ++run) {
      const auto start = std::chrono::steady_clock::now();
      REQUIRE(open(text).size() == 1);
      least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
  };
  CHECK(fastest(2400) < 30 * fastest(300));  // 64, were every column held against every other
}

bool tells(const Workload& w, std::string_view part) {
  return std::any_of(w.diagnostics.begin(), w.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.message.find(part) != std::string::npos; });
}

TEST_CASE("kernels: the name of a kernel tells its format where no column does", "[kernels]") {
  const Workload w = open(
      "name,M,N,K,time_us\nampere_s1688gemm_128x64,512,512,512,10\nampere_sgemm_64x64,512,512,512,10\n"
      "turing_fp16_s1688gemm_fp16,512,512,512,10\nCijk_Ailk_Bljk_BBS_BH_MT,512,512,512,10\nimma_i8816gemm,512,512,512,10\nplain,512,512,"
      "512,10\n");
  constexpr std::array formats = {"tf32", "fp32", "fp16", "bf16", "int8", "fp32"};
  for (std::size_t i = 0; i < formats.size(); ++i) CHECK(w.class_of(i).activation == format(formats[i]));
  CHECK(said(w, "no column names a number format: FP32 is assumed"));
}

TEST_CASE("kernels: bandwidth times time proves the formats, and the bandwidth's unit", "[kernels]") {
  std::string table = "M,N,K,us,bw,name\n";
  for (const double m : {64.0, 512.0, 4096.0, 8192.0}) {
    const double bytes = m * 2048 + 2048 * 1024 + 2 * m * 1024;  // eight bits in, sixteen out
    table += std::to_string(static_cast<int>(m)) + ",1024,2048,20," + std::to_string(bytes / 20e-6 / 1e9) + ",g\n";
  }
  const Workload w = open(table);
  CHECK(w.class_of(0).activation == format("fp8_e4m3"));
  CHECK(w.class_of(0).output == format("bf16"));
  CHECK(tells(w, "\"bw\" times \"us\" is the bytes of FP8 E4M3 operands and BF16 results"));
  // One that fits nothing proves nothing, and is not used.
  const Workload none = open("M,N,K,us,bw,name\n64,1024,2048,20,7.7,g\n512,1024,2048,20,1.3,g\n");
  CHECK(none.class_of(0).activation == format("fp32"));
  CHECK(tells(none, "the column \"bw\" names no unit of a bandwidth and is not used"));
}

TEST_CASE("kernels: commas that nobody quoted belong to the name", "[kernels]") {
  const Workload w = open("\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\"\nvoid a<int, b<3, 4> >(c, d),2,500,250\nplain,1,100,100\n");
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(0) == "void a<int, b<3, 4> >(c, d)");
  CHECK(w.time_s[0] == Approx(500e-9));
}

TEST_CASE("kernels: without a column of names the text that differs most is the name, and two runs in one table are told", "[kernels]") {
  const Workload w = open("Network,Which one,time_us,flops\nnet,conv1,1,5\nnet,conv2,2,5\nnet,conv3,3,5\n");
  CHECK(w.name_of(2) == "conv3");
  const Workload runs = open("name,a::time_us,b::time_us,a::time_us_diff,flops\nx,2,5,3,7\n");
  CHECK(runs.time_s[0] == Approx(2e-6));
  CHECK(tells(runs, "two runs stand side by side, \"a\" and \"b\": \"a\" is read"));
  // Rates that agree with the first run's time do not outweigh what is said.
  ReadOptions second;
  second.columns = {{"b::time_us_mean", "time_us"}};
  const Workload said = open(
      "name,calls,a::time_us_mean,a::time_us_sum,a::TFLOPS/s,b::time_us_mean,b::time_us_sum,b::TFLOPS/s,flops\n"
      "x,4,2,8,2,5,20,0.8,4e6\ny,4,4,16,1,8,32,0.5,4e6\n",
      second);
  CHECK(said.time_s[0] / said.count_of(0) == Approx(5e-6));
  CHECK(said.time_s[1] / said.count_of(1) == Approx(8e-6));
}

}  // namespace
}  // namespace roofline
