// Columns of FLOPs, bytes and rates whose headers could mean something else: totals, parts, other memories, peaks, baselines.
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
