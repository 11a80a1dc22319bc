// trtexec's profile and layer list. Figures worked by hand.
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string profile = R"([{"count": 100},
{"name": "reformat", "timeMs": 8, "averageMs": 0.08, "medianMs": 0.07, "percentage": 40},
{"name": "conv", "timeMs": 12, "averageMs": 0.12, "medianMs": 0.11, "percentage": 60},
{"name": "pool", "timeMs": 3, "averageMs": 0.03, "medianMs": 0.03, "percentage": 60},
{"name": "nothing", "timeMs": 0, "averageMs": 0, "medianMs": 0, "percentage": 0}])";

const std::string layers = R"({"Layers": [
{"Name": "reformat", "LayerType": "Reformat", "ParameterType": "Reformat",
 "Inputs": [{"Name": "x", "Dimensions": [2,3,8,8], "Format/Datatype": "Row major linear FP32"}],
 "Outputs": [{"Name": "y", "Dimensions": [2,3,8,8], "Format/Datatype": "Four wide channel vectorized row major Int8 format"}]},
{"Name": "conv", "LayerType": "CaskConvolution", "ParameterType": "Convolution",
 "Inputs": [{"Name": "y", "Dimensions": [2,3,8,8], "Format/Datatype": "Four wide channel vectorized row major Int8 format"},
            {"Name": "skip", "Dimensions": [2,16,4,4], "Format/Datatype": "Row major linear FP16 format"}],
 "Outputs": [{"Name": "z", "Dimensions": [2,16,4,4], "Format/Datatype": "Row major linear FP16 format"}],
 "Kernel": [3,3], "Stride": [2,2], "PrePadding": [1,1], "PostPadding": [1,1], "Dilation": [1,1], "Groups": 1, "OutMaps": 16,
 "Weights": {"Type": "Int8", "Count": 432}, "Bias": {"Type": "Float", "Count": 16}},
{"Name": "pool", "LayerType": "TiledPooling", "ParameterType": "Pooling", "PoolingType": "MAX", "WindowSize": [2,2], "Stride": [2,2],
 "PrePadding": [0,0], "PostPadding": [0,0],
 "Inputs": [{"Name": "z", "Dimensions": [2,16,4,4], "Format/Datatype": "Row major linear FP16 format"}],
 "Outputs": [{"Name": "p", "Dimensions": [2,16,2,2], "Format/Datatype": "Row major linear FP16 format"}]},
{"Name": "nothing", "LayerType": "NoOp",
 "Inputs": [{"Name": "p", "Dimensions": [2,16,2,2], "Format/Datatype": "Row major linear FP16 format"}],
 "Outputs": [{"Name": "q", "Dimensions": [2,64], "Format/Datatype": "Row major linear FP16 format"}]}], "Bindings": ["x", "q"]})";

}  // namespace

TEST_CASE("tensorrt: a profile alone is times, averaged over its runs", "[tensorrt]") {
  const Workload w = open(profile);
  CHECK(w.source_format == "TensorRT");
  REQUIRE(w.size() == 4);
  CHECK(w.time_s[row_named(w, "conv")] == 0.12e-3);
  CHECK(!known(w.time_s[row_named(w, "nothing")]));  // 0 is below what is resolved
  CHECK(w.class_of(0).time_only);
  CHECK(says(w, "times are averages of 100 runs"));
  CHECK(w.machine_words == std::vector<std::string>{"tensorrt"});
}

TEST_CASE("tensorrt: a layer list alone is work", "[tensorrt]") {
  const Workload w = open(layers);
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
  CHECK(says(w, "1 of 4 layers (NoOp) do nothing"));
  CHECK(w.record_of(conv).find(R"("kernel_size":[3,3])") != std::string::npos);
}

TEST_CASE("tensorrt: malformed exports say what is wrong", "[tensorrt]") {
  CHECK(refusal_of(R"({"Layers": ["conv1", "conv2"], "Bindings": []})").find("--profilingVerbosity=detailed") != std::string::npos);
  CHECK(refusal_of(R"({"Layers": 7, "Bindings": []})") ==
        "Layers: a number: expected a layer list of trtexec: "
        R"({"Layers": [{"Name": ..., "LayerType": ..., "Inputs": [...]}, ...]})");
  CHECK(refusal_of(profile.substr(0, profile.size() - 40)).find("line 5") != std::string::npos);
  const Workload w = open(R"([{"count": 2}, {"name": "a", "averageMs": 1, "percentage": 1}, {"name": "b", "averageMs": "x"}, 7])");
  CHECK(w.size() == 1);
  CHECK(says(w, "2 items without a name or a time"));
  // A layer that contradicts its output has bytes and no FLOPs.
  std::string wrong = layers;
  wrong.replace(wrong.find("\"Stride\": [2,2]"), 15, "\"Stride\": [1,1]");
  const Workload contradicts = open(wrong);
  CHECK(!known(contradicts.matrix_flops[row_named(contradicts, "conv")]));
  CHECK(contradicts.bytes[row_named(contradicts, "conv")] > 0);
  CHECK(says(contradicts, "1 of 4 layers (Convolution) do not say all that their operators need"));
}
