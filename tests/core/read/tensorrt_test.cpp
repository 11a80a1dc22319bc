// trtexec's profile and layer list. Figures worked by hand.
#include "read/operations/formulas.hpp"
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& profile() {
  static const std::string text = file("tests/data/tensorrt_profile.json");
  return text;
}

const std::string& layers() {
  static const std::string text = file("tests/data/tensorrt_layers.json");
  return text;
}

}  // namespace

TEST_CASE("tensorrt: a profile alone is times, averaged over its runs", "[tensorrt]") {
  const Workload w = open(profile());
  CHECK(w.source_format == SourceFormat::tensorrt);
  REQUIRE(w.size() == 4);
  CHECK(w.time_s[row_named(w, "conv")] == 0.12e-3);
  CHECK(!known(w.time_s[row_named(w, "nothing")]));  // 0 is below what is resolved
  CHECK(w.class_of(0).time_only);
  CHECK(says(w, "times are averages of 100 runs"));
  CHECK(w.machine_words == std::vector<std::string>{"tensorrt"});
}

TEST_CASE("tensorrt: a layer list alone is work", "[tensorrt]") {
  const Workload w = open(layers());
  REQUIRE(w.size() == 4);
  const std::size_t conv = row_named(w, "conv"), copy = row_named(w, "reformat"), pool = row_named(w, "pool");
  CHECK(w.matrix_flops[conv] == 2.0 * 2 * 16 * 4 * 4 * 3 * 3 * 3);
  CHECK(w.weight[conv] == 432 + 16);
  // Its image, and the tensor that the fused addition reads, which is of two bytes each.
  CHECK(w.bytes[conv] == 448 + 2 * 3 * 8 * 8 + 2 * (2 * 16 * 4 * 4) + 2 * (2 * 16 * 4 * 4));
  CHECK(w.class_of(conv).type == "Convolution");
  CHECK(w.class_of(conv).weight == format("int8"));
  CHECK(w.class_of(conv).activation == format("int8"));
  CHECK(w.class_of(conv).output == format("fp16"));
  CHECK(flops_of(w, copy) == 0);
  CHECK(w.bytes[copy] == 2 * 3 * 8 * 8 * (4 + 1));
  CHECK(w.vector_flops[pool] == 2 * 16 * 2 * 2 * 4);
  CHECK(w.bytes[row_named(w, "nothing")] == 0);
  CHECK(says(w, "1 of 4 layers (NoOp) have no work"));
  CHECK(w.record_of(conv).find(R"("kernel_size":[3,3])") != std::string::npos);
}

TEST_CASE("tensorrt: products whose weights are part of the layer", "[tensorrt]") {
  const auto gemm = [](const std::string& outputs) {
    return open(
        R"({"Layers": [{"Name": "qkv", "LayerType": "gemm", "Inputs": [{"Dimensions": [2,7,64], "Format/Datatype": "Half"}], "Outputs": [)" +
        outputs + R"(]}], "Bindings": []})");
  };
  const std::string narrow = R"({"Dimensions": [2,7,32], "Format/Datatype": "Half"})";
  CHECK(gemm(narrow).matrix_flops[0] == 2.0 * 14 * 64 * 32);
  const Workload three = gemm(narrow + ',' + narrow + ',' + narrow);
  CHECK(three.matrix_flops[0] == 3 * 2.0 * 14 * 64 * 32);
  CHECK(three.output[0] == 3.0 * 14 * 32);
  CHECK(three.weight[0] == 3.0 * 64 * 32);
  CHECK(!known(gemm(narrow + R"(,{"Dimensions": [3,7,32], "Format/Datatype": "Half"})").matrix_flops[0]));
}

TEST_CASE("tensorrt: a layer's record shows how its work was derived", "[tensorrt]") {
  const Workload w = open(layers());
  const DerivationText text = derivation_of(w.record_of(row_named(w, "conv")), Keys(), Registry());
  REQUIRE(!text.formulas.empty());
  CHECK(text.formulas[0].with_numbers == "2 * N * P * Co * (Ci / g) * K = 2 * 2 * 16 * 16 * (3 / 1) * 9 = 27648");
}

TEST_CASE("tensorrt: malformed exports say what is wrong", "[tensorrt]") {
  CHECK(refusal_of(R"({"Layers": ["conv1", "conv2"], "Bindings": []})").find("--profilingVerbosity=detailed") != std::string::npos);
  CHECK(refusal_of(R"({"Layers": 7, "Bindings": []})") ==
        "Layers: a number: expected a layer list of trtexec: "
        R"({"Layers": [{"Name": ..., "LayerType": ..., "Inputs": [...]}, ...]})");
  CHECK(refusal_of(profile().substr(0, profile().size() - 40)).find("line 5") != std::string::npos);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');  // what reads values recurses
  CHECK(refusal_of(R"({"Layers": [{"Name": "a", "LayerType": "Reformat", "Inputs": [], "Outputs": [], "x": )" + deep +
                   R"(}], "Bindings": []})")
            .find("nested deeper than 256 levels: expected a layer list of trtexec") != std::string::npos);
  const Workload w = open(R"([{"count": 2}, {"name": "a", "averageMs": 1, "percentage": 1}, {"name": "b", "averageMs": "x"}, 7])");
  CHECK(w.size() == 1);
  CHECK(says(w, "2 items without a name or a time"));
  // A layer that contradicts its output has bytes and no FLOPs.
  std::string wrong = layers();
  wrong.replace(wrong.find("\"Stride\": [2,2]"), 15, "\"Stride\": [1,1]");
  const Workload contradicts = open(wrong);
  CHECK(!known(contradicts.matrix_flops[row_named(contradicts, "conv")]));
  CHECK(contradicts.bytes[row_named(contradicts, "conv")] > 0);
  CHECK(says(contradicts, "1 of 4 layers (Convolution) do not say all that their operators need"));
}
