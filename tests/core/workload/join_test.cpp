// Times and work of the same layers, in two files.
#include <roofline/workload/join.hpp>

#include "json.hpp"
#include "rows.hpp"
#include "session.hpp"
#include "workload/layer_nodes.hpp"

using namespace roofline;

namespace {

Workload times(const std::string& rows) {
  ReadOptions options;
  options.source_name = "times.csv";
  return open("name,time_us\n" + rows, options);
}

Workload work() {
  ReadOptions options;
  options.source_name = "work.json";
  return open(R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "b", "m": 8, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "a", "m": 16, "n": 3, "k": 4, "data_type": "FP16"}])",
              options);
}

}  // namespace

TEST_CASE("join: by name, equal names in their order, in either order of files", "[join]") {
  const Workload t = times("a,5\nb,7\na,9\n");
  REQUIRE(complete_each_other(t, work()));
  for (const bool swapped : {false, true}) {
    const Result<Workload> w = swapped ? join(work(), t) : join(t, work());
    REQUIRE(w);
    REQUIRE(w->size() == 3);
    CHECK_THAT(w->time_s[0], WithinRel(5e-6, 1e-12));
    CHECK_THAT(w->time_s[1], WithinRel(7e-6, 1e-12));
    CHECK_THAT(w->time_s[2], WithinRel(9e-6, 1e-12));
    CHECK(w->matrix_flops[2] == 2.0 * 16 * 3 * 4);
    CHECK(w->diagnostics[0].message == "3 of 3 operations of work.json have their times from times.csv, by name");
    CHECK(w->source == "work.json + times.csv");
  }
}

TEST_CASE("join: what is left over on either side stays, and is said", "[join]") {
  const Result<Workload> w = join(times("b,7\na,5\nother,3\n"), work());
  REQUIRE(w);
  REQUIRE(w->size() == 4);
  CHECK(!known(w->time_s[2]));  // the second a
  const std::size_t other = row_named(*w, "other");
  CHECK_THAT(w->time_s[other], WithinRel(3e-6, 1e-12));
  CHECK(w->class_of(other).time_only);
  CHECK(says(*w, "1 of work.json has no time in times.csv: a"));
  CHECK(says(*w, "1 of times.csv has no work in work.json: other"));
}

TEST_CASE("join: work counts as often as its time was taken", "[join]") {
  const Workload t = open("name,calls,total_us,flag\na,10,50,x\nb,1,7,x\n");
  REQUIRE(t.count_of(0) == 10);
  const Result<Workload> w = join(t, work());
  REQUIRE(w);
  CHECK(w->count_of(0) == 10);
  CHECK(w->matrix_flops[0] == 10 * 2.0 * 2 * 3 * 4);
  CHECK_THAT(w->time_s[0], WithinRel(50e-6, 1e-12));
  CHECK(w->count_of(1) == 1);
}

TEST_CASE("join: the operations of a run keep their own times", "[join]") {
  Workload t = times("a,5\nb,7\na,9\nother,3\n");
  t.self_time_s = {4e-6, 7e-6, 9e-6, 3e-6};  // what is left out of a's 5 us is another's
  const Result<Workload> w = join(t, work());
  REQUIRE(w);
  REQUIRE(w->self_time_s.size() == 4);
  CHECK_THAT(w->self_time_s[0], WithinRel(4e-6, 1e-12));
  CHECK_THAT(w->self_time_s[1], WithinRel(7e-6, 1e-12));
  CHECK_THAT(w->self_time_s[row_named(*w, "other")], WithinRel(3e-6, 1e-12));
}

TEST_CASE("join: a time without work is of no step", "[join]") {
  const Workload w = open(R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "step": "first"}])");
  const Result<Workload> both = join(times("a,5\nb,7\n"), w);
  REQUIRE(both);
  REQUIRE(both->size() == 2);
  CHECK(both->steps[both->step[0]] == "first");
  CHECK(both->steps[both->step[1]] == "");
}

TEST_CASE("join: two runs and other models are not joined", "[join]") {
  const Workload t = times("a,5\nb,7\na,9\n");
  CHECK(!complete_each_other(t, t));
  CHECK(!complete_each_other(work(), work()));
  Workload network;  // none of whose nodes could be counted
  network.source_format = SourceFormat::network;
  CHECK(!complete_each_other(t, network));
  CHECK(join(t, t).error().message.find("two runs are compared") != std::string::npos);
  CHECK(join(times("x,5\ny,6\nb,7\n"), work()).error().message.find("1 of 3 names are in both files") == 0);
}

TEST_CASE("join: a second file that completes the first is joined, not compared", "[join]") {
  Session session;
  open_in(session, "name,time_us\na,5\nb,7\na,9\n", "times.csv");
  session.keep(true);
  const Json answer = Json::parse(open_in(session, R"([{"type": "gemm", "name": "a", "m": 2, "n": 3, "k": 4, "data_type": "FP16"},
{"type": "gemm", "name": "b", "m": 8, "n": 3, "k": 4, "data_type": "FP16"}])",
                                          "work.json"));
  CHECK(answer["opened"]["before"].is_null());
  CHECK(answer["opened"]["ops"] == 3);
  // Two runs are still compared.
  session.keep(true);
  const Json again = Json::parse(open_in(session, "name,time_us,flops\na,5,7\n", "run.csv"));
  CHECK(again["opened"]["before"] == "work.json + times.csv");
}

TEST_CASE("join: the nodes in the names that engines give to layers", "[join]") {
  using Nodes = std::vector<std::string>;
  CHECK(nodes_in("Conv_0 + Add_6 + PWN(Relu_7)") == Nodes{"Conv_0", "Add_6", "Relu_7"});
  CHECK(nodes_in("PWN(PWN(PWN(a), b), c)") == Nodes{"a", "b", "c"});
  CHECK(nodes_in("q || k || v") == Nodes{"q", "k", "v"});
  CHECK(nodes_in("Reformatting CopyNode for Input Tensor 0 to Conv_0 + Relu_1").empty());
  CHECK(nodes_in("Conv:/model.0/conv/Conv") == Nodes{"/model.0/conv/Conv"});
  CHECK(nodes_in("[act1, act2]:7") == Nodes{"act1", "act2"});
  CHECK(nodes_in("text_token_embed") == Nodes{"text_token_embed"});
  for (const char* whole : {"onnx::MatMul_12", "Identity:0", "Conv:", "a.b:c", ":c", "/m/Conv:out"}) CHECK(nodes_in(whole) == Nodes{whole});
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "PWN(";
  CHECK(nodes_in(deep + "a" + std::string(100000, ')')).size() == 1);
}

TEST_CASE("join: a node's name without what ONNX Runtime adds", "[join]") {
  CHECK(original_node("fused conv1") == "conv1");
  CHECK(original_node("fused conv1_token_12") == "conv1");
  CHECK(original_node("/mlp/fc1/MatMul/MatMulAddFusion") == "/mlp/fc1/MatMul");
  CHECK(original_node("/norm/Mul_1/LayerNormFusion/") == "/norm/Mul_1");
  CHECK(original_node("conv2_nchwc") == "conv2");
  CHECK(original_node("conv2_nhwc_token_0") == "conv2");
  CHECK(original_node("conv2_quant") == "conv2");
  for (const char* whole : {"text_token_embed", "a_token_", "a_token_1b", "conv"}) CHECK(original_node(whole) == whole);
}

TEST_CASE("join: an operator's name without what ONNX Runtime adds", "[join]") {
  for (const char* type : {"Conv", "FusedConv", "NhwcFusedConv", "QLinearConv_nhwc", "ConvInteger"}) CHECK(original_type(type) == "Conv");
  CHECK(original_type("MatMulIntegerToFloat") == "MatMul");
  CHECK(original_type("DynamicQuantizeMatMul") == "MatMul");
  for (const char* whole : {"DynamicQuantizeLinear", "QuantizeLinear", "Fused", "Fused_1", "Integer", ""})
    CHECK(original_type(whole) == whole);
}

TEST_CASE("join: the ends of a region of nodes", "[join]") {
  using Nodes = std::vector<std::string>;
  CHECK(region_in("{ForeignNode[a...b]}").first == Nodes{"a"});
  CHECK(region_in("{ForeignNode[a...b]}").last == Nodes{"b"});
  CHECK(region_in("{ForeignNode[a + (Unnamed Layer* 5) [Shuffle].../out/Add]}").first == Nodes{"a", "(Unnamed Layer* 5) [Shuffle]"});
  CHECK(region_in("{ForeignNode[a]}").last == Nodes{"a"});
  for (const char* other : {"a", "{ForeignNode[]", "{ForeignNode[", "ForeignNode[a...b]", ""}) CHECK(region_in(other).first.empty());
}

namespace {

Workload network(const std::string& operations) {
  ReadOptions options;
  options.source_name = "net.onnx";
  return open(R"({"network": {"format": "ONNX"}, "commands": [)" + operations + "]}", options);
}

constexpr const char* merged_network = R"({"type": "gemm", "name": "c1", "m": 2, "n": 3, "k": 4, "merged": "a1 + r1"},
{"type": "gemm", "name": "c2", "m": 8, "n": 3, "k": 4},
{"type": "relu", "name": "r2", "input_shape": [8, 4]})";

}  // namespace

TEST_CASE("join: a layer is the operation that any of its nodes is merged into", "[join]") {
  const Result<Workload> w =
      join(network(merged_network), times("a1,5\nr1,2\nc2 + r2,7\nReformatting CopyNode for Input Tensor 0 to c2,1\n"));
  REQUIRE(w);
  REQUIRE(w->size() == 4);
  CHECK_THAT(w->time_s[0], WithinRel(7e-6, 1e-12));  // a1 and r1: two layers that are one operation
  CHECK_THAT(w->time_s[1], WithinRel(7e-6, 1e-12));
  CHECK(!known(w->time_s[2]));
  CHECK(w->diagnostics[0].message == "2 of 3 operations of net.onnx have their times from times.csv, by name");
  CHECK(says(*w, "1 of net.onnx has run within the layer of another in times.csv: r2"));
  CHECK(says(*w, "1 of times.csv has no node in net.onnx: Reformatting CopyNode for Input Tensor 0 to c2"));
}

TEST_CASE("join: a node that is named as an engine would name another is found first", "[join]") {
  const Result<Workload> w = join(network(R"({"type": "gemm", "name": "c", "m": 2, "n": 3, "k": 4},
{"type": "gemm", "name": "c_nhwc", "m": 8, "n": 3, "k": 4},
{"type": "gemm", "name": "d", "m": 8, "n": 3, "k": 4, "merged": "Type:e + text_token_7"})"),
                                  times("c_nhwc,7\nfused c,5\nType:e,1\ntext_token_7,2\n"));
  REQUIRE(w);
  REQUIRE(w->size() == 3);
  CHECK_THAT(w->time_s[0], WithinRel(5e-6, 1e-12));
  CHECK_THAT(w->time_s[1], WithinRel(7e-6, 1e-12));
  CHECK_THAT(w->time_s[2], WithinRel(3e-6, 1e-12));
}

TEST_CASE("join: a region is one time for the operations from its first node to its last", "[join]") {
  const char* chain = R"({"type": "relu", "name": "a", "input_shape": [8, 4]}, {"type": "relu", "name": "b", "input_shape": [8, 4]},
{"type": "gemm", "name": "c", "m": 8, "n": 3, "k": 4, "merged": "d"}, {"type": "relu", "name": "e", "input_shape": [8, 4]},
{"type": "relu", "name": "f", "input_shape": [8, 4]})";
  const Result<Workload> w = join(network(chain), times("a,1\n{ForeignNode[b...d]},9\ne,2\n{ForeignNode[x...y]},4\n"));
  REQUIRE(w);
  REQUIRE(w->size() == 7);
  CHECK_THAT(w->time_s[0], WithinRel(1e-6, 1e-12));
  CHECK(!known(w->time_s[1]));
  CHECK(!known(w->time_s[2]));
  CHECK_THAT(w->time_s[row_named(*w, "{ForeignNode[b...d]}")], WithinRel(9e-6, 1e-12));
  CHECK(says(*w, "2 of 5 operations of net.onnx have their times from times.csv, by name"));
  CHECK(says(*w, "1 of net.onnx has no time in times.csv: f"));
  CHECK(says(*w, "2 of net.onnx have run within the layer of another in times.csv: b, c"));
  CHECK(says(*w, "1 of times.csv has one time for all operations from its first node to its last: {ForeignNode[b...d]}"));
  CHECK(says(*w, "1 of times.csv has no node in net.onnx: {ForeignNode[x...y]}"));
  // A network that runs as one region is joined, too.
  const Result<Workload> several = join(network(chain), times("a,1\n{ForeignNode[b + c + (Unnamed Layer* 5) [Shuffle]...d]},9\ne,2\n"));
  REQUIRE(several);
  CHECK_FALSE(known(several->time_s[row_named(*several, "c")]));  // the region's time is not one node's
  CHECK(join(network(chain), times("{ForeignNode[a...f]},9\nReformatting CopyNode for Input Tensor 0,4\n")));
}

TEST_CASE("join: of equal names each layer takes one operation, and a layer without a time takes none away", "[join]") {
  const char* twins = R"({"type": "relu", "name": "r", "input_shape": [8, 4]}, {"type": "relu", "name": "r", "input_shape": [8, 4]})";
  const Result<Workload> equal = join(network(twins), times("r,3\nr,4\n"));
  REQUIRE(equal);
  REQUIRE(equal->size() == 2);
  CHECK_THAT(equal->time_s[0], WithinRel(3e-6, 1e-12));
  CHECK_THAT(equal->time_s[1], WithinRel(4e-6, 1e-12));
  for (const char* rows : {"a1,5\nr1,\nc2,7\n", "r1,\na1,5\nc2,7\n"}) {
    const Result<Workload> w = join(network(merged_network), times(rows));
    REQUIRE(w);
    CHECK_THAT(w->time_s[0], WithinRel(5e-6, 1e-12));
  }
}

TEST_CASE("join: an OpenVINO layer is found by the layers that it was made of", "[join]") {
  const char* graph = R"(<net name="n" version="10"><layers>
<layer id="0" name="r1" type="Convolution"><data execOrder="0" execTimeMcs="5" originalLayersNames="c1,a1,r1" runtimePrecision="FP32"/></layer>
<layer id="1" name="c2_out" type="FullyConnected"><data execOrder="1" execTimeMcs="9" originalLayersNames="c2" runtimePrecision="FP32"/></layer>
</layers></net>)";
  const Result<Workload> w = join(network(merged_network), open(graph));
  REQUIRE(w);
  REQUIRE(w->size() == 3);
  CHECK_THAT(w->time_s[0], WithinRel(5e-6, 1e-12));
  CHECK_THAT(w->time_s[1], WithinRel(9e-6, 1e-12));
  CHECK(w->engine == ToolChain::openvino);
}

TEST_CASE("join: the engine of a run, by its file and by ONNX Runtime's provider", "[join]") {
  const auto event = [](const char* provider) {
    return std::string(R"([{"cat": "Session", "name": "model_run", "ts": 0, "dur": 9},
{"cat": "Node", "name": "c1_kernel_time", "ts": 1, "dur": 5, "args": {"op_name": "Gemm", "provider": ")") +
           provider + "\"}}]";
  };
  CHECK(engine_of(open(event("CPUExecutionProvider"))) == ToolChain::onnxruntime_cpu);
  CHECK(engine_of(open(event("CUDAExecutionProvider"))) == ToolChain::onnxruntime_cuda);
  CHECK(engine_of(open(event("TensorrtExecutionProvider"))) == ToolChain::tensorrt);
  CHECK(engine_of(open(file("tests/data/eval_perf.txt"))) == ToolChain::rknn);
  CHECK(engine_of(open(file("tests/data/tensorrt_profile.json"))) == ToolChain::tensorrt);
  CHECK(engine_of(times("a,5\n")) == ToolChain::none);
}
