// Which files are tables of kernels, and which of their rows are operations.
#include <algorithm>

#include "rows.hpp"

using namespace roofline;

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
