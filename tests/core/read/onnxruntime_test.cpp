// Profiles of ONNX Runtime. tests/data/onnxruntime_profile.json has three runs and no end. Figures worked by hand.
#include "rows.hpp"

using namespace roofline;

namespace {

const std::string& profile() {
  static const std::string text = file("tests/data/onnxruntime_profile.json");
  return text;
}

}  // namespace

TEST_CASE("onnxruntime: nodes, their work and their time per run without the first", "[onnxruntime]") {
  const Workload w = open(profile());
  CHECK(w.source_format == SourceFormat::onnxruntime);
  REQUIRE(w.size() == 3);  // what a Loop does is listed on its own
  const std::size_t conv = row_named(w, "conv1"), gemm = row_named(w, "fc"), quantised = row_named(w, "qconv");
  CHECK_THAT(w.time_s[conv], WithinRel(320e-6, 1e-12));
  CHECK_THAT(w.time_s[gemm], WithinRel(60e-6, 1e-12));
  CHECK(w.matrix_flops[conv] == 2.0 * 112 * 112 * 64 * 3 * 49);  // the stride follows from the shapes
  CHECK(w.bytes[conv] == 602112 + 37888 + 3211264);              // as the profile says, too
  CHECK(w.matrix_flops[gemm] == 2.0 * 2048 * 1000);
  CHECK(w.bytes[gemm] == 8192 + 8196000 + 4000);
  CHECK(w.matrix_flops[quantised] == 2.0 * 64 * 56 * 56 * 9);
  CHECK(w.class_of(quantised).weight == format("int8"));
  REQUIRE(w.categories.size() == 1);
  CHECK(w.categories[0].word(conv) == "CPUExecutionProvider");
  CHECK(says(w, "the first of 3 runs is left out as warm-up: it took 2.1 ms, the others 500 µs"));
  CHECK(says(w, "the profile's list has no end"));
  CHECK(says(w, "3 events of Loop, If and Scan left out"));
  check_in_pieces(profile());
}

TEST_CASE("onnxruntime: without shapes the stated sizes are the bytes", "[onnxruntime]") {
  const Workload w = open(R"([{"cat" : "Session","dur" :9,"ts" :4,"ph" : "X","name" :"session_initialization","args" : {}},
{"cat" : "Node","dur" :4068,"ts" :902583,"ph" : "X","name" :"q_kernel_time","args" : {"output_size" : "150528","parameter_size" : "5","activation_size" : "602112","provider" : "CPUExecutionProvider","op_name" : "QuantizeLinear"}}
])");
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "q");
  CHECK_THAT(w.time_s[0], WithinRel(4068e-6, 1e-12));
  CHECK(w.bytes[0] == 150528 + 5 + 602112);
  CHECK(!known(w.matrix_flops[0]));
  CHECK(!says(w, "no end"));
}

TEST_CASE("onnxruntime: an event that is nested too deeply is left out, the others count", "[onnxruntime]") {
  const auto node = [](const std::string& name, const std::string& shapes) {
    return R"({"cat" : "Node","dur" :40,"ts" :90,"ph" : "X","name" :")" + name +
           R"(_kernel_time","args" : {"op_name" : "Relu", "input_type_shape" : )" + shapes +
           R"(, "activation_size" : "4", "parameter_size" : "0", "output_size" : "4"}})";
  };
  const Workload w =
      open(R"([{"cat" : "Session","dur" :9,"ts" :4,"ph" : "X","name" :"session_initialization","args" : {}},)" +
           node("deep", std::string(100'000, '[') + std::string(100'000, ']')) + "," + node("flat", R"([{"float":[1]}])") + "]");
  REQUIRE(w.size() == 1);
  CHECK(w.name_of(0) == "flat");
  CHECK(says(w, "1 event not JSON"));
}

TEST_CASE("onnxruntime: a provider tells whose machine it was", "[onnxruntime]") {
  std::string text = profile();
  text.replace(text.find("CPUExecutionProvider"), 20, "CUDAExecutionProvider");
  CHECK(open(text).machine_words == std::vector<std::string>{"cudnn"});
  CHECK(open(profile()).machine_words == std::vector<std::string>{"cpu"});
}

TEST_CASE("onnxruntime: malformed profiles say what is wrong", "[onnxruntime]") {
  const std::string start = R"([{"cat": "Session", "name": "session_initialization", "ts": 1, "dur": 2},)";
  CHECK(refusal_of(start + R"({"cat": "Node", "name": "a_kernel_)").find("truncated after 1 event: expected the end of an event") !=
        std::string::npos);
  CHECK(refusal_of(start + "7]").find("expected an event: '{', found '7'") != std::string::npos);
  const Workload w =
      open(start + R"({"cat": "Node", "name": "a_kernel_time", "ts": oops}, {"cat": "Node", "name": "b_kernel_time", "ts": 1}])");
  CHECK(w.size() == 0);
  CHECK(says(w, "2 events not JSON, or without a time"));
  CHECK(says(w, "the profile has no nodes"));
}

TEST_CASE("onnxruntime: on a GPU a node's time is that of its kernels", "[onnxruntime]") {
  const std::string start = R"([{"cat": "Session", "name": "session_initialization", "ts": 0, "dur": 9})";
  const auto node = [](const std::string& name, const std::string& type, const std::string& provider) {
    return R"(, {"cat": "Node", "name": ")" + name + R"(_kernel_time", "ts": 20, "dur": 30, "args": {"op_name": ")" + type +
           R"(", "provider": ")" + provider + R"("}})";
  };
  const auto kernel = [](const std::string& args) {
    return R"(, {"cat": "Kernel", "name": "k", "ts": 60, "dur": 350, "args": {)" + args + "}}";
  };
  const Workload w = open(start + node("mm", "MatMul", "CUDAExecutionProvider") + kernel(R"("op_name": "MatMul")") +
                          node("view", "Reshape", "CUDAExecutionProvider") + node("host", "Cast", "CPUExecutionProvider") +
                          kernel(R"("op_name": "MatMul", "parent_name": "mm_kernel_time")") + kernel(R"("op_name": "Loop")") + "]");
  REQUIRE(w.size() == 3);
  CHECK_THAT(w.time_s[row_named(w, "mm")], WithinRel(700e-6, 1e-12));  // two kernels, not 30 us of launches
  CHECK(!known(w.time_s[row_named(w, "view")]));
  CHECK_THAT(w.time_s[row_named(w, "host")], WithinRel(30e-6, 1e-12));
  CHECK(says(w, "lists no kernels of 1 node of an asynchronous provider"));
  CHECK(says(w, "1 kernel left out: no node that launched it was found"));
  const Workload launches = open(start + node("mm", "MatMul", "ROCMExecutionProvider") + "]");
  CHECK(launches.time_s.empty());
  CHECK(says(launches, "launch times and are left out; a build of ONNX Runtime with --enable_cuda_profiling"));
}
