// Profiles of Ascend NPUs. Figures worked by hand; tests/data/op_summary.csv is written from the documented format.
#include "read/layers/tiled_shape.hpp"
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& op_summary() {
  static const std::string text = file("tests/data/op_summary.csv");
  return text;
}

const std::string kernel_details =
    "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Input Shapes,Input Data Types,Input Formats,Output Shapes,Output Data "
    "Types,Output Formats\n"
    R"(1,MatMul1,MatMul,AI_CORE,1,100,"""4096,12288;4608,12288""",FLOAT16;FLOAT16,FORMAT_ND;FORMAT_ND,"""4096,4608""",FLOAT16,FORMAT_ND)"
    "\n"
    R"(2,Less1,Less,AI_VECTOR_CORE,200,10,"""4,1024;""",FLOAT;FLOAT,FORMAT_ND;FORMAT_ND,"""4,1024""",BOOL,FORMAT_ND)"
    "\n"
    R"(2,Sum1,ReduceSumD,AI_VECTOR_CORE,300,10,"""1024,4,64""",FLOAT,FORMAT_ND,"""1024,4""",FLOAT,FORMAT_ND)"
    "\n"
    R"(2,Gather1,GatherV2,AI_VECTOR_CORE,400,10,"""6400,128;4,16;1""",FLOAT16;INT32;INT64,FORMAT_ND;FORMAT_ND;FORMAT_ND,"""4,16,128""",FLOAT16,FORMAT_ND)"
    "\n"
    R"(2,Adam1,ApplyAdamW,AI_VECTOR_CORE,500,10,"""100;100;""",FLOAT;FLOAT;FLOAT,ND;ND;ND,"""100;100""",FLOAT;FLOAT,ND;ND)"
    "\n";

}  // namespace

TEST_CASE("ascend: tiled shapes are made logical", "[ascend]") {
  using Shape = std::vector<double>;
  CHECK(logical_shape({320, 48, 16, 16}, "FRACTAL_NZ") == Shape{768, 5120});
  CHECK(logical_shape({8, 2, 3, 16, 16}, "FORMAT_FRACTAL_NZ") == Shape{8, 48, 32});
  CHECK(logical_shape({1, 4, 56, 28, 16}, "NC1HWC0") == Shape{1, 64, 56, 28});
  CHECK(logical_shape({1, 3, 4, 56, 28, 16}, "NDC1HWC0") == Shape{1, 64, 3, 56, 28});
  CHECK(logical_shape({1, 56, 28, 64}, "NHWC") == Shape{1, 64, 56, 28});
  CHECK(logical_shape({7, 7, 3, 64}, "HWCN") == Shape{64, 3, 7, 7});
  CHECK(logical_shape({136, 5120}, "ND") == Shape{136, 5120});
  CHECK(!logical_shape({36, 4, 16, 16}, "FRACTAL_Z"));
}

TEST_CASE("ascend: op_summary, tiles and all", "[ascend]") {
  const Workload w = open(op_summary());
  CHECK(w.source_format == SourceFormat::ascend);
  REQUIRE(w.size() == 5);  // the wait is no work
  const std::size_t product = row_named(w, "MatMul_1"), conv = row_named(w, "Conv_2"), gelu = row_named(w, "Gelu_3");
  CHECK_THAT(w.time_s[product], WithinRel(42.5e-6, 1e-12));
  CHECK(w.matrix_flops[product] == 2.0 * 136 * 768 * 5120);
  CHECK(w.bytes[product] == 2.0 * (136 * 5120 + 768 * 5120 + 136 * 768));
  CHECK(w.class_of(product).activation == format("bf16"));
  CHECK(w.matrix_flops[conv] == 2.0 * 64 * 64 * 9 * 56 * 56);
  CHECK(w.weight[conv] == 64.0 * 64 * 9);
  CHECK(w.bytes[gelu] == 2.0 * 2 * 136 * 768);
  CHECK(w.class_of(row_named(w, "Custom_4")).time_only);
  CHECK(w.class_of(row_named(w, "hcom_allReduce__1_0")).category == "communication");
  // What the hardware counted.
  REQUIRE(w.measures.size() == 1);
  CHECK(w.measures[0].values[product] == w.matrix_flops[product]);
  CHECK(w.measures[0].values[conv] == w.matrix_flops[conv]);
  CHECK(says(w, "1 row of waiting (1 ms) left out"));
  CHECK(says(w, "shapes of 2 kernels are tiled"));
  CHECK(says(w, "2 of 5 kernels (MyKernel, hcom_allReduce_) state no shapes"));
}

TEST_CASE("ascend: kernel_details, scalars, reductions and look-ups", "[ascend]") {
  const Workload w = open(kernel_details);
  REQUIRE(w.size() == 5);
  CHECK(w.matrix_flops[row_named(w, "MatMul1")] == 2.0 * 4096 * 4608 * 12288);
  CHECK(w.steps == std::vector<std::string>{"1", "2"});
  const std::size_t less = row_named(w, "Less1"), sum = row_named(w, "Sum1"), gather = row_named(w, "Gather1");
  CHECK(w.bytes[less] == 4.0 * (4 * 1024 + 1) + 1.0 * 4 * 1024);
  CHECK(w.vector_flops[sum] == 1024 * 4 * 64);
  CHECK(w.bytes[sum] == 4.0 * (1024 * 4 * 64 + 1024 * 4));
  CHECK(w.output[gather] == 4 * 16 * 128);
  CHECK(flops_of(w, gather) == 0);
  // No operator: bytes of its operands, a scalar among them.
  const std::size_t adam = row_named(w, "Adam1");
  CHECK(!known(w.matrix_flops[adam]));
  CHECK(w.bytes[adam] == 4.0 * (100 + 100 + 1 + 100 + 100));
  check_in_pieces(kernel_details);
}

TEST_CASE("ascend: malformed profiles say what is wrong", "[ascend]") {
  CHECK(refusal_of("Name,Accelerator Core,Duration(us)\na,AI_CORE,1\n").find("expected the columns Op Name, OP Type") != std::string::npos);
  std::string text = kernel_details;
  text.replace(text.find(",1,100,"), 7, ",1,soon,");
  const Workload w = open(text);
  CHECK(w.size() == 5);
  CHECK(!known(w.time_s[0]));
  CHECK(says(w, "Duration(us): expected microseconds, found \"soon\""));
  REQUIRE(!w.diagnostics.empty());
  const Workload bare = open("Name,Type,Accelerator Core,Duration(us)\na,MatMul,AI_CORE,1\n");
  CHECK(bare.class_of(0).time_only);
  CHECK(says(bare, "the profile has no shapes"));
  // Shapes that cannot be read are none.
  std::string odd = kernel_details;
  odd.replace(odd.find("4096,12288;"), 11, "4096,x;");
  CHECK(open(odd).class_of(0).time_only);
}

TEST_CASE("ascend: a header that is repeated is no row", "[ascend]") {
  const Workload w = open(kernel_details + kernel_details);
  CHECK(w.size() == 2 * open(kernel_details).size());
}
