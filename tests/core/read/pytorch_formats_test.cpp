// PyTorch's traces: the number formats of operands and results, and the shapes of calls whose result differs from their operand.
#include "read/operations/arguments.hpp"
#include "rows.hpp"

using namespace roofline;
using Catch::Matchers::WithinRel;

namespace {

/// A trace of one operator that launches one kernel.
Workload call(const std::string& name, const std::string& dims, const std::string& types, const std::string& values) {
  return open(R"({"schemaVersion": 1, "deviceProperties": [], "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": ")" + name +
              R"(", "tid": 1, "ts": 0, "dur": 50, "args": {"External id": 1, "Input Dims": )" + dims + R"(, "Input type": )" + types +
              R"(, "Concrete Inputs": )" + values + R"(}}, {"ph": "X", "cat": "kernel", "name": "k", "tid": 7, "ts": 20, "dur": 60, )" +
              R"("args": {"External id": 1}}]})");
}

double bytes_of(Workload w) {
  REQUIRE(w.size() == 1);
  REQUIRE_FALSE(w.class_of(0).time_only);
  w.fill_bytes();
  return w.bytes[0];
}

constexpr double square = 4096.0 * 4096;

}  // namespace

TEST_CASE("pytorch: a copy reads its source's format and writes its destination's", "[pytorch]") {
  const std::string dims = "[[4096, 4096], [4096, 4096], []]", values = R"(["", "", "False"])";
  const Workload narrowed = call("aten::copy_", dims, R"(["c10::BFloat16", "float", "Scalar"])", values);
  CHECK(narrowed.class_of(0).activation == format("fp32"));
  CHECK(narrowed.class_of(0).output == format("bf16"));
  CHECK(bytes_of(narrowed) == square * (4 + 2));
  CHECK(bytes_of(call("aten::copy_", dims, R"(["float", "c10::BFloat16", "Scalar"])", values)) == square * (2 + 4));
  CHECK(bytes_of(call("aten::copy_", dims, R"(["float", "float", "Scalar"])", values)) == square * (4 + 4));
}

TEST_CASE("pytorch: a copy writes its destination's shape, however small its source is", "[pytorch]") {
  const char* const types = R"(["float", "float", "Scalar"])";
  const char* const values = R"(["", "", "False"])";
  CHECK(bytes_of(call("aten::copy_", "[[4096, 4096], [4096], []]", types, values)) == (square + 4096) * 4);
  CHECK(bytes_of(call("aten::copy_", "[[4096, 4096], [], []]", types, values)) == (square + 1) * 4);
  // A source that does not broadcast is no copy that could have run.
  CHECK(call("aten::copy_", "[[4096, 4096], [4095], []]", types, values).class_of(0).time_only);
}

TEST_CASE("pytorch: results in another format than the operands", "[pytorch]") {
  // A comparison writes a byte for each element.
  CHECK(bytes_of(call("aten::gt", "[[4096, 4096], []]", R"(["float", "Scalar"])", R"(["", "0"])")) == square * (4 + 1) + 4);
  // An integer product writes INT32.
  const char* const matrices = "[[4096, 4096], [4096, 4096]]";
  const Workload integers = call("aten::_int_mm", matrices, R"(["signed char", "signed char"])", R"(["", ""])");
  CHECK(integers.class_of(0).output == format("int32"));
  CHECK(bytes_of(integers) == square * (1 + 1 + 4));

  // _scaled_mm(a, b, scale_a, scale_b, bias, scale_result, out_dtype): 15 is bfloat16. Up to PyTorch 2.4 the bias and out_dtype are first.
  const auto scaled = [](const char* types, const char* values) {
    return call("aten::_scaled_mm", "[[4096, 4096], [4096, 4096], [], [], [], [], [], []]", types, values);
  };
  const Workload bf16 = scaled(R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])",
                               R"(["", "", "", "", "", "", "15", "False"])");
  CHECK(bf16.class_of(0).activation == format("fp8_e4m3"));
  CHECK(bf16.class_of(0).output == format("bf16"));
  CHECK_THAT(bytes_of(bf16), WithinRel(square * (1 + 1 + 2), 1e-6));  // and the scales
  const Workload earlier = scaled(R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "", "Scalar", "float", "float", "", "Scalar"])",
                                  R"(["", "", "", "5", "", "", "", "False"])");
  CHECK(earlier.class_of(0).output == format("fp16"));
  const Workload unstated = scaled(R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "", "Scalar"])",
                                   R"(["", "", "", "", "", "", "", "False"])");
  CHECK(unstated.class_of(0).output == format("fp8_e4m3"));  // PyTorch's default: that of a
  // A type that is not catalogued is assumed, and the file's reader says so.
  const Workload unknown_type = scaled(R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn", "float", "float", "", "", "Scalar", "Scalar"])",
                                       R"(["", "", "", "", "", "", "44", "False"])");
  CHECK(says(unknown_type, "for 1 row without a number format"));

  // A sum in FP32 of BF16, as dtype states: 6 is float32.
  const Workload sum = call("aten::sum", "[[4096, 4096], [], [], []]", R"(["c10::BFloat16", "ScalarList", "Scalar", "Scalar"])",
                            R"(["", "[-1]", "False", "6"])");
  CHECK(bytes_of(sum) == square * 2 + 4096 * 4);
}

TEST_CASE("pytorch: element-wise operands of several formats give the one they promote to", "[pytorch]") {
  const auto formats = [](const char* name, const char* dims, const char* types) {
    const Workload w = call(name, dims, types, R"(["", "", ""])");
    REQUIRE(w.size() == 1);
    return std::string(Formats::catalogue()[w.class_of(0).activation].id) + " to " +
           std::string(Formats::catalogue()[w.class_of(0).output].id);
  };
  // The weight of an RMS norm, then its input.
  CHECK(formats("aten::mul", "[[4096], [512, 4096]]", R"(["c10::BFloat16", "float"])") == "fp32 to fp32");
  // A tensor without dimensions does not widen the result.
  CHECK(formats("aten::mul", "[[], [512, 4096]]", R"(["double", "c10::BFloat16"])") == "bf16 to bf16");
  CHECK(formats("aten::mul", "[[512, 4096], []]", R"(["long int", "float"])") == "int64 to fp32");
  // In place, the result has the format of the first operand.
  CHECK(formats("aten::add_", "[[512], [512, 1], []]", R"(["c10::BFloat16", "float", "Scalar"])") == "bf16 to bf16");
  // The condition of a selection is a byte for each element.
  CHECK(formats("aten::where", "[[512], [512], [512]]", R"(["bool", "c10::Half", "c10::Half"])") == "fp16 to fp16");
  CHECK(formats("aten::where", "[[512], [512], [512]]", R"(["bool", "long int", "long int"])") == "int64 to int64");
  CHECK(formats("aten::where", "[[512], [], []]", R"(["bool", "float", "float"])") == "int8 to fp32");
}

TEST_CASE("pytorch: max and min of one tensor are reductions, over the dimension that they state", "[pytorch]") {
  const Workload whole = call("aten::max", "[[4096, 4096]]", R"(["float"])", R"([""])");
  CHECK(bytes_of(whole) == (square + 1) * 4);
  CHECK(whole.class_of(0).family == OpFamily::reduction);
  // Each column or row gives one number: 67 MB are read, 4096 values written.
  const auto along = [](const char* name) {
    return call(name, "[[4096, 4096], [], []]", R"(["float", "Scalar", "Scalar"])", R"(["", "-1", "False"])");
  };
  for (const char* const name : {"aten::max", "aten::min", "aten::prod"}) {
    const Workload w = along(name);
    CHECK(bytes_of(w) == (square + 4096) * 4);
    CHECK(w.output[0] == 4096);
    CHECK(w.vector_flops[0] == square);
  }
  CHECK(bytes_of(along("aten::argmax")) == square * 4 + 4096 * 8);  // indices are INT64
  CHECK(bytes_of(along("aten::any")) == square * 4 + 4096);
  // Of two tensors they are element-wise.
  const Workload larger = call("aten::max", "[[4096, 4096], [4096, 4096]]", R"(["float", "float"])", R"(["", ""])");
  CHECK(larger.class_of(0).family == OpFamily::elementwise);
  CHECK(bytes_of(larger) == square * 3 * 4);
  // prod(x, dtype): the number is no dimension, 6 is float32.
  CHECK(bytes_of(call("aten::prod", "[[8, 4], []]", R"(["float", "Scalar"])", R"(["", "6"])")) == (8 * 4 + 1) * 4);

  // As a table of operators lists the arguments, with types and without.
  const Operator& max = *find_operator("aten::max");
  for (const char* const types : {"('float', 'Scalar', 'Scalar')", ""}) {
    const auto work = work_of_call(max, "aten::max", {"((64, 32), (), ())", types, "('', '0', 'False')"});
    REQUIRE(work);
    CHECK(work->activation == 64 * 32);
    CHECK(work->output == 32);
  }
}

TEST_CASE("pytorch: packed sequences of attention are a batch where their lengths are equal", "[pytorch]") {
  const auto packed = [](const char* longest) {
    const std::string n = longest;
    return call("aten::_flash_attention_forward", "[[8192, 32, 128], [8192, 32, 128], [8192, 32, 128], [9], [9], [], [], [], [], []]",
                R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "int", "int", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar"])",
                R"(["", "", "", "", "", ")" + n + R"(", ")" + n + R"(", "0.", "False", "False"])");
  };
  // 8 sequences of 1024: two products of 1024 x 1024 x 128 in each of 32 heads, not of 8192 x 8192.
  const Workload equal = packed("1024");
  CHECK(equal.matrix_flops[0] == 8.0 * 32 * 2 * 2 * 1024 * 1024 * 128);
  CHECK(bytes_of(equal) == 4.0 * 8192 * 32 * 128 * 2);
  // The longest of 8 has 2048: how long the others are is not in the file.
  const Workload several = packed("2048");
  REQUIRE(several.size() == 1);
  CHECK(several.class_of(0).time_only);
  CHECK(says(several, "belong to operators whose arguments do not say what is done"));
}

TEST_CASE("pytorch: element-wise operands are read each in its own format", "[pytorch]") {
  const char* const two = "[[4096, 4096], [4096, 4096]]";
  CHECK(bytes_of(call("aten::mul", two, R"(["c10::Half", "float"])", R"(["", ""])")) == square * (2 + 4 + 4));
  const char* const three = "[[4096, 4096], [4096, 4096], [4096, 4096]]";
  CHECK(bytes_of(call("aten::where", three, R"(["bool", "c10::Half", "c10::Half"])", R"(["", "", ""])")) == square * (1 + 2 + 2 + 2));
  // A number of Python's is listed as a double without dimensions.
  CHECK(bytes_of(call("aten::mul", "[[4096, 4096], []]", R"(["float", "double"])", R"(["", ""])")) == square * (4 + 4) + 4);
}

TEST_CASE("pytorch: complex operands have no work of real ones", "[pytorch]") {
  const Workload w = call("aten::mm", "[[128, 64], [64, 256]]", R"(["c10::complex<float>", "c10::complex<float>"])", R"(["", ""])");
  REQUIRE(w.size() == 1);
  CHECK(w.class_of(0).time_only);
  CHECK(says(w, "1 of 1 kernels have complex operands"));
}
