// Which files are tables of kernels, which of their rows are operations, and what columns of FLOPs, bytes and rates mean whose headers
// could mean something else.
#include <algorithm>

#include "rows.hpp"

using namespace roofline;

namespace {

/// Of all occurrences; NaN: not stated.
double bytes_of(const Workload& w, std::size_t row) { return w.given_bytes.empty() ? unknown : w.given_bytes[row]; }

/// The bytes of a row that states FLOPs, a time and `cell` under `header`.
double bytes_in(const std::string& header, const std::string& cell) {
  return bytes_of(open("name,time_us,flops," + header + "\na,100,1000," + cell + "\n"), 0);
}

}  // namespace

TEST_CASE("kernel tables: operators with a rate, a batch count or a format for each operand are kernels", "[kernels]") {
  const Workload batched = open("op,batch_count,M,N,K,dtype,time_us,TFLOPS\ngemm,16,256,256,64,fp16,20,6.711\n");
  CHECK(batched.source_format == SourceFormat::kernels);
  CHECK(flops_of(batched, 0) == 2. * 16 * 256 * 256 * 64);
  CHECK(says(batched, "check passed: \"TFLOPS\" matches FLOPs over time"));
  const Workload operands = open("op,M,N,K,A Type,B Type,D Type,time_us\ngemm,1024,1024,1024,fp8_e4m3,fp8_e4m3,bf16,20\n");
  CHECK(operands.class_of(0).activation == format("fp8_e4m3"));
  CHECK(operands.class_of(0).weight == format("fp8_e4m3"));
  CHECK(operands.class_of(0).output == format("bf16"));
  // 1.0 ms at 100 TFLOP/s.
  const Workload rates = open("op,batch_size,seq_len,hidden,dtype,time_ms,tflops\nattention,8,1024,4096,fp16,1.0,100\n");
  CHECK_THAT(flops_of(rates, 0), WithinRel(1e11, 1e-9));
  // The rate proves that the batch does not multiply: 2 x 128 x 128 x 64 FLOPs in 20 us are 0.1049 TFLOP/s.
  CHECK(flops_of(open("op,M,N,K,batch,dtype,time_us,tflops\ngemm,128,128,64,16,fp16,20,0.1049\n"), 0) == 2. * 128 * 128 * 64);
  CHECK(open("Operator,Shape,Latency(us),TOPS,BW(GB/s)\nconv1,1x3x224x224,120,1.9,40\n").source_format == SourceFormat::kernels);
  const Workload total =
      open("op,M,N,K,dtype,Time (ms),TFLOPS\nqkv,4096,4096,4096,fp16,0.2,687.2\nmlp,4096,4096,4096,fp16,0.2,687.2\nTotal,,,,,0.4,\n");
  CHECK(total.size() == 2);
}

TEST_CASE("kernel tables: operators with shapes and times alone are results, also beside a rate", "[kernels]") {
  for (const char* table : {"operator,shape,format,measured_us\ngemm,64x64x64,fp16,5\n", "op,m,n,k,dtype,time_us\ngemm,64,64,64,fp16,5\n",
                            "op,m,n,k,batch,format,output_type,flops,bytes,median_us\ngemm,64,64,64,1,fp16,fp16,524288,24576,5\n",
                            "operator,shape,format,measured_us,TFLOPS\ngemm,64x64x64,fp16,5,0.1\n"}) {
    INFO(table);
    const Workload w = open(table);
    CHECK(w.source_format == SourceFormat::results);
    CHECK(flops_of(w, 0) == 2. * 64 * 64 * 64);
  }
}

TEST_CASE("kernel tables: an object's list of records is one, whatever they call their amounts", "[kernels]") {
  const std::string record = R"({"name": "softmax", "bytes": 134217728, "flops": 335544320, "time_us": 95.2})";
  for (const char* member : {"results", "data", "kernels", "benchmarks", "rows"}) {
    const Workload w = open("{\"device\": \"x\", \"" + std::string(member) + "\": [" + record + "]}");
    CHECK(w.source_format == SourceFormat::kernels);
    CHECK(flops_of(w, 0) == 335544320);
    CHECK(w.given_bytes[0] == 134217728);
    CHECK_THAT(w.time_s[0], WithinRel(95.2e-6, 1e-9));
  }
  const Workload times = open(R"({"results": [{"name": "a", "time_us": 3}, {"name": "b", "time_us": 4}]})");
  REQUIRE(times.size() == 2);
  CHECK(times.class_of(1).time_only);
  CHECK(open("{\"ops\": [" + record + "]}").source_format == SourceFormat::commands);
  CHECK(open("[" + record + "]").source_format == SourceFormat::commands);
  CHECK(refusal_of(R"({"results": [{"name": "a", "colour": "red"}]})").find("an object without operations") != std::string::npos);
}

TEST_CASE("kernel tables: of an object's lists the one with work or times is read", "[kernels]") {
  const Workload w = open(R"({"context": {"caches": [{"type": "Data", "level": 1, "size": 32768}]},
                              "benchmarks": [{"name": "a", "tflops": 2, "time_us": 20.5}, {"name": "b", "tflops": 3, "time_us": 60}]})");
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(1) == "b");
  CHECK_THAT(flops_of(w, 1), WithinRel(3e12 * 60e-6, 1e-9));
}

TEST_CASE("kernel tables: a record on each line", "[kernels]") {
  const std::string lines =
      "{\"name\":\"a\",\"M\":1024,\"N\":1024,\"K\":1024,\"dtype\":\"bf16\",\"tflops\":107.4,\"time_us\":20}\n"
      "{\"name\":\"b\",\"M\":2048,\"N\":2048,\"K\":2048,\"dtype\":\"bf16\",\"tflops\":286.3,\"time_us\":60,\"extra\":{\"x\":1}}\n";
  const Workload w = open(lines);
  CHECK(w.source_format == SourceFormat::kernels);
  REQUIRE(w.size() == 2);
  CHECK(w.name_of(1) == "b");
  CHECK(flops_of(w, 1) == 2. * 2048 * 2048 * 2048);
  CHECK(w.class_of(1).activation == format("bf16"));
  CHECK_THAT(w.time_s[1], WithinRel(60e-6, 1e-9));
  check_in_pieces(lines);
  // Operations stay operations.
  const std::string operation = "{\"type\":\"relu\",\"input_shape\":[3],\"time_us\":1}\n";
  CHECK(open(operation + operation).source_format == SourceFormat::commands);
}

TEST_CASE("kernel tables: comments, sentences and what did not run are no operations", "[kernels]") {
  const Workload comment = open("name,M,N,K,time_us\na,64,64,64,20\n# second batch\nb,64,64,64,60\n");
  REQUIRE(comment.size() == 2);
  CHECK(comment.name_of(1) == "b");
  CHECK_FALSE(says(comment, "second batch"));
  const Workload sentence = open("| name | flops | time_us |\n|---|---|---|\n| a | 1000 | 10 |\n\nNotes: all runs with clock locked.\n");
  REQUIRE(sentence.size() == 1);
  CHECK(says(sentence, "1 line of text is left out (first: \"Notes: all runs with clock locked.\")"));
  for (const char* word : {"not_run", "not_supported", "skipped", "OPTIMIZED_OUT", "Not Run"}) {
    const Workload w = open("name,disposition,flops,time_us\na,passed,1000,10\nb," + std::string(word) + ",1000,0\nc,incorrect,1000,10\n");
    REQUIRE(w.size() == 2);
    CHECK(w.name_of(1) == "c");
    CHECK(says(w, "1 row is marked \"" + std::string(word) + "\" in the column \"disposition\" and left out"));
    CHECK(says(w, "1 row is marked \"incorrect\""));
  }
  const Workload openvino = open(
      "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)\nconv1;EXECUTED;Convolution;jit_avx512_I8;0.120;0.120\n"
      "relu1;OPTIMIZED_OUT;ReLU;undef;0.000;0.000\nTotal;;;;0.120;0.120\n");
  CHECK(openvino.size() == 1);
}

TEST_CASE("table amounts: totals beside a count are of all occurrences", "[tables]") {
  for (const char* header : {"Total FLOPs,Total Bytes", "flops_sum,bytes_total", "FLOPs (all calls),Bytes (all calls)"}) {
    INFO(header);
    const Workload w = open("kernel,Calls,Total Time (ms)," + std::string(header) + "\nk,10,1.0,500000000,10000000\n");
    CHECK(w.count_of(0) == 10);
    CHECK(flops_of(w, 0) == 5e8);
    CHECK(bytes_of(w, 0) == 1e7);
    CHECK_THAT(flops_of(w, 0) / w.time_s[0], WithinRel(500e9, 1e-9));
  }
  const Workload prefixed = open("kernel,Calls,avg_time_us,Total GFLOP,Total GB\nk,10,100,0.5,0.01\n");
  CHECK(flops_of(prefixed, 0) == 5e8);
  CHECK(bytes_of(prefixed, 0) == 1e7);
  CHECK(says(prefixed, "\"Total GFLOP\" is taken as totals over \"Calls\": no other column tells"));
  CHECK(flops_of(open("kernel,Calls,Total Time (ms),Total MACs\nk,10,1.0,500\n"), 0) == 1000);
  // Transfers as Nsight Systems sums them: 10 of 102.4 MB.
  CHECK(bytes_of(open("Total (MB),Count,Avg (MB),Operation\n1024.0,10,102.4,copy\n"), 0) == 1024e6);
  // The rate proves that these are of one occurrence; without the word they are, too.
  CHECK(flops_of(open("kernel,calls,time_us,total_flops,GFLOP/s\na,10,100,1e6,10\nb,20,100,2e6,20\n"), 0) == 1e7);
  CHECK(flops_of(open("kernel,Calls,Total Time (ms),FLOPs\nk,10,1.0,500\n"), 0) == 5000);
}

TEST_CASE("table amounts: bytes in parts are summed", "[tables]") {
  const Workload copies =
      open("name,dtype,time_us,bytes_read,bytes_written\ncopy,fp16,10,4000000,4000000\nfill,fp16,10,0,5\nx,fp16,10,,5\n");
  CHECK(bytes_of(copies, 0) == 8e6);
  CHECK(bytes_of(copies, 1) == 5);
  CHECK(!known(bytes_of(copies, 2)));  // what was read is not known, so neither is the sum
  CHECK(says(copies, "the bytes are the sum of \"bytes_read\" and \"bytes_written\""));
  CHECK(bytes_in("input_bytes,weight_bytes,output_bytes", "4000,500000,8000") == 512000);
  CHECK(bytes_in("input_bytes,output_bytes", "4000,8000") == 12000);
  CHECK(bytes_in("DRAM Read (MB),DRAM Write (MB),L2 Read (MB)", "4,1,20") == 5e6);
  CHECK(bytes_in("bytes_in,bytes_out", "3,4") == 7);
  // All of it goes before its parts, and a preposition is none.
  CHECK(bytes_in("dram_read_bytes,dram_write_bytes,dram_bytes", "4,1,6") == 6);
  CHECK(bytes_in("read and write bytes", "6") == 6);
  CHECK(bytes_in("Data moved in MB", "6") == 6e6);
}

TEST_CASE("table amounts: a part of the bytes is not the traffic", "[tables]") {
  for (const char* header : {"weight_bytes", "bytes_read", "Output Bytes"}) {
    INFO(header);
    const Workload w = open("name,M,N,K,dtype,time_us," + std::string(header) + "\na,64,64,64,fp16,10,8192\n");
    CHECK((w.given_bytes.empty() || !known(w.given_bytes[0])));  // they follow from the shape
    CHECK(says(w, '"' + std::string(header) + "\" is only a part of the bytes and not used"));
  }
}

TEST_CASE("table amounts: bytes and bandwidths of other memories, and what is allocated, are no traffic", "[tables]") {
  for (const char* header :
       {"L2 Bandwidth (GB/s)", "Shared Mem BW (GB/s)", "Peak BW (GB/s)", "LDS bytes", "workspace (bytes)", "smem_bytes",
        "Shared Memory (KB)", "GPU Memory (MB)", "l2_bytes", "cache_bytes", "allocated bytes", "L2 Throughput (GB/s)"}) {
    INFO(header);
    CHECK(!known(bytes_in(header, "900")));
    CHECK(bytes_in(std::string(header) + ",DRAM Bandwidth (GB/s)", "900,400") == Approx(4e7));
  }
  CHECK(bytes_in("Peak BW (GB/s),Achieved BW (GB/s)", "2000,900") == Approx(9e7));
  CHECK(bytes_in("DRAM traffic (MB)", "3") == 3e6);
  CHECK(bytes_in("GPU memory read (MB),GPU memory write (MB)", "3,4") == 7e6);
  // Beside a shape "memory" and "size" are what is allocated; without one they may be the traffic.
  for (const char* header : {"memory (MB)", "size_mb"}) {
    INFO(header);
    CHECK(bytes_in(header, "3") == 3e6);
    const Workload w = open("name,M,N,K,dtype,time_us," + std::string(header) + "\na,64,64,64,fp16,10,300\n");
    CHECK((w.given_bytes.empty() || !known(w.given_bytes[0])));
  }
}

TEST_CASE("table amounts: peaks are no measured rates, and achieved ones go first", "[tables]") {
  for (const char* peak : {"Theoretical TFLOPS", "Roofline TFLOPS", "Peak TFLOPS", "TFLOPS"}) {
    INFO(peak);
    const Workload w = open("kernel,dtype,time_us," + std::string(peak) + ",Achieved TFLOPS\nk,fp16,100,312,21.47\n");
    CHECK_THAT(flops_of(w, 0), WithinRel(2.147e9, 1e-9));
  }
}

TEST_CASE("table amounts: a baseline's rate beside a rate per second is no amount", "[tables]") {
  const Workload w = open("name,dtype,GFLOP/s,time_ms,cublas_tflops\na,fp16,1500,0.25,100\nb,fp16,2500,1.25,110\n");
  CHECK_THAT(flops_of(w, 0), WithinRel(3.75e8, 1e-9));
  CHECK_THAT(flops_of(w, 1), WithinRel(3.125e9, 1e-9));
  CHECK(says(w, "\"cublas_tflops\" is another rate and not used"));
  // An amount that the rate confirms in one row stays.
  const Workload amounts = open("name,dtype,GFLOP/s,time_ms,GFLOPS\na,fp16,1500,0.25,0.375\nb,fp16,2500,1.25,9\n");
  CHECK(flops_of(amounts, 1) == 9e9);
}

TEST_CASE("table amounts: the types of scales and indices are no operands'", "[tables]") {
  for (const char* other : {"scale_dtype", "index_dtype", "bias dtype", "zero_point_dtype", "scale_type", "kv_dtype"}) {
    INFO(other);
    const Workload w = open("name,M,N,K," + std::string(other) + ",dtype,time_us\na,64,64,64,fp32,fp8_e4m3,20\n");
    CHECK(w.classes[w.op_class[0]].activation == format("fp8_e4m3"));
  }
}
