// Fusion as tool chains do it: which nodes each merges, and what is left of the work and the traffic.
#include <numeric>
#include <set>

#include "network/networks.hpp"
#include "network/onnx_file.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

/// c1, times a constant, relu, c2, plus the relu, relu, sigmoid.
std::string residual_block() {
  Graph g;
  g.inputs = {value("x", fp32, {1, 4, 8, 8})};
  g.constants = {tensor("w1", fp32, {4, 4, 3, 3}), tensor("w2", fp32, {4, 4, 3, 3}), tensor("k", fp32, {1, 4, 1, 1})};
  g.nodes = {node("Conv", {"x", "w1"}, {"c1"}, {ints("pads", {1, 1, 1, 1})}),
             node("Mul", {"c1", "k"}, {"m"}),
             node("Relu", {"m"}, {"r"}),
             node("Conv", {"r", "w2"}, {"c2"}, {ints("pads", {1, 1, 1, 1})}),
             node("Add", {"r", "c2"}, {"a"}),
             node("Relu", {"a"}, {"y"}),
             node("Sigmoid", {"y"}, {"s"})};
  g.outputs = {value("s", fp32, {1, 4, 8, 8})};
  return model(g);
}

std::string operations(const std::string& bytes, ToolChain by) {
  std::string out;
  for (const Json& command : read_network("m.onnx", bytes, {}, by).commands)
    out += (out.empty() ? "" : " ") + command["name"].get<std::string>();
  return out;
}

double total(const std::vector<double>& column) { return std::accumulate(column.begin(), column.end(), 0.0); }

}  // namespace

TEST_CASE("each tool chain merges as its sources state", "[network]") {
  const std::string block = residual_block();
  CHECK(operations(block, ToolChain::none) == "c1 m r c2 a y s");
  CHECK(operations(block, ToolChain::all) == "c1 c2");
  CHECK(operations(block, ToolChain::onnxruntime_cpu) == "c1 c2 a y s");
  CHECK(operations(block, ToolChain::onnxruntime_cuda) == "c1 r c2 a y s");
  CHECK(operations(block, ToolChain::tensorrt) == "c1 c2 s");
  CHECK(operations(block, ToolChain::openvino) == "c1 c2");
  CHECK(operations(block, ToolChain::openvino_npu) == "c1 m r c2 a s");
  CHECK(operations(block, ToolChain::xnnpack) == "c1 m c2 a s");
  CHECK(operations(block, ToolChain::vela) == "c1 m c2 a s");
  CHECK(operations(block, ToolChain::rknn) == "c1 m r c2 a y s");
  CHECK(operations(block, ToolChain::qnn) == "c1 m r c2 a y s");
  CHECK(operations(block, ToolChain::inductor) == "c1 m c2 a");
}

TEST_CASE("an activation is merged only if the tool chain's sources name it", "[network]") {
  const auto merged = [](const char* activation, ToolChain by) {
    Graph g;
    g.inputs = {value("x", fp32, {1, 4, 8, 8})};
    g.constants = {tensor("w", fp32, {4, 4, 1, 1}), tensor("slope", fp32, {4, 1, 1})};
    std::vector<std::string> inputs{"c"};
    if (activation == std::string("PRelu")) inputs.push_back("slope");
    g.nodes = {node("Conv", {"x", "w"}, {"c"}), node(activation, inputs, {"y"})};
    g.outputs = {value("y", fp32, {1, 4, 8, 8})};
    return operations(model(g), by) == "c";
  };
  const auto merging = [&](const char* activation) {
    std::set<std::string> out;
    for (const ToolChain by : {ToolChain::all, ToolChain::onnxruntime_cpu, ToolChain::openvino, ToolChain::rknn, ToolChain::qnn})
      if (merged(activation, by)) out.insert(to_string(by));
    return out;
  };
  using Names = std::set<std::string>;
  CHECK(merging("Relu") == Names{"all", "onnxruntime-cpu", "openvino", "rknn", "qnn"});
  CHECK(merging("LeakyRelu") == Names{"all", "onnxruntime-cpu", "openvino", "qnn"});
  CHECK(merging("PRelu") == Names{"all", "openvino"});
  CHECK(merging("Elu") == Names{"all", "openvino"});
  CHECK(merging("Sigmoid") == Names{"all", "onnxruntime-cpu", "openvino", "rknn"});
  CHECK(merging("Tanh") == Names{"all", "onnxruntime-cpu"});
  CHECK(merging("HardSigmoid") == Names{"all"});
  CHECK(merging("HardSwish") == Names{"all", "rknn"});
  CHECK(merging("Mish") == Names{"all"});
}

TEST_CASE("merging loses no work, and the traffic of the tensors between", "[network]") {
  const std::string block = residual_block();
  const Workload apart = open(*commands_of("m.onnx", block)), merged = open(*commands_of("m.onnx", block, {}, ToolChain::all));
  CHECK(total(apart.vector_flops) == total(merged.vector_flops));
  CHECK(total(apart.matrix_flops) == total(merged.matrix_flops));
  // c1, m, c2, a and y are neither written nor read again.
  CHECK(total(apart.bytes) - total(merged.bytes) == 5 * 2 * 256 * 4);
  const ReadNetwork facts = read_network("m.onnx", block, {}, ToolChain::all);
  CHECK(facts.facts["tool_chain"] == "all");
  CHECK(facts.facts["folded"] == true);
  CHECK(facts.facts["folded_nodes"] == 5);
  CHECK(facts.facts["nodes"] == 7);
  CHECK(facts.facts["peak_activation_bytes"] == read_network("m.onnx", block).facts["peak_activation_bytes"]);
}

TEST_CASE("an operation whose output is larger than the tensor it would be merged over stays apart", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 4, 8, 8})};
  g.nodes = {node("Relu", {"x"}, {"r"}), node("GlobalAveragePool", {"r"}, {"p"}), node("Sigmoid", {"p"}, {"s"}),
             node("Mul", {"r", "s"}, {"y"})};
  CHECK(operations(model(g), ToolChain::all) == "r p y");
}

TEST_CASE("a merged operation writes in the format of the last one", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {2, 8})};
  g.constants = {tensor("w", fp32, {8, 16})};
  g.nodes = {node("MatMul", {"x", "w"}, {"m"}), node("Relu", {"m"}, {"r"}), node("Cast", {"r"}, {"y"}, {number("to", fp16)})};
  const ReadNetwork merged = read_network("m.onnx", model(g), {}, ToolChain::all);
  REQUIRE(merged.commands.size() == 1);
  CHECK(merged.commands[0]["output_type"] == "fp16");
  CHECK(total(open(*commands_of("m.onnx", model(g), {}, ToolChain::all)).bytes) == 4 * (16 + 128) + 2 * 32);
}

TEST_CASE("every tool chain has a title and sources, every NPU a tool chain", "[network]") {
  for (std::size_t i = 0; i < names_of<ToolChain>.size(); ++i) {
    const auto by = static_cast<ToolChain>(i);
    INFO(to_string(by));
    CHECK_FALSE(title_of(by).empty());
    CHECK(fusion_sources(by).empty() == (by == ToolChain::none));
  }
  for (const Machine& machine : Machines::presets().all()) {
    const bool npu = Stacks::presets()[Stacks::presets().usual(machine, false)].id.starts_with("npu");
    INFO(machine.id);
    CHECK((!npu || usual_tool_chain(machine) != ToolChain::none));
  }
  CHECK(usual_tool_chain(*Machines::presets().find("ethos-u55-256")) == ToolChain::vela);
  CHECK(usual_tool_chain(*Machines::presets().find("rk3588-npu")) == ToolChain::rknn);
  CHECK(usual_tool_chain(*Machines::presets().find("h100-sxm")) == ToolChain::none);
  CHECK(chosen_tool_chain("", ToolChain::vela) == ToolChain::vela);
  CHECK(chosen_tool_chain("usual", ToolChain::none) == ToolChain::all);
  CHECK(chosen_tool_chain("tensorrt", ToolChain::vela) == ToolChain::tensorrt);
  CHECK_FALSE(chosen_tool_chain("magic", ToolChain::none));
}
