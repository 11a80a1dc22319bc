// Fusion as tool chains do it: which nodes each merges, and what is left of the work and the traffic.
#include <numeric>
#include <roofline/frame/headline.hpp>
#include <roofline/network/fusion.hpp>
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
  const auto said = [](const Workload& w) {
    const Scenario s = Scenario::standard();
    const Plan plan(w, s);
    return headline(plan).text();
  };
  CHECK(said(apart).find(" unfused ops") != std::string::npos);
  CHECK(said(merged).find("unfused") == std::string::npos);
  const ReadNetwork facts = read_network("m.onnx", block, {}, ToolChain::all);
  CHECK(facts.facts["tool_chain"] == "all");
  CHECK(facts.facts["folded"] == true);
  CHECK(facts.facts["folded_nodes"] == 5);
  CHECK(facts.command("c1")["merged"] == "m + r");
  CHECK(facts.command("c2")["merged"] == "a + y + s");
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
    const bool npu = Stacks::presets()[Stacks::presets().usual(machine, StackUse::operations)].id.starts_with("npu");
    INFO(machine.id);
    CHECK((!npu || machine.tool_chain != ToolChain::none));
  }
  CHECK(Machines::presets().find("ethos-u55-256")->tool_chain == ToolChain::vela);
  CHECK(Machines::presets().find("rk3588-npu")->tool_chain == ToolChain::rknn);
  CHECK(Machines::presets().find("h100-sxm")->tool_chain == ToolChain::none);
  CHECK(chosen_tool_chain("", ToolChain::vela) == ToolChain::vela);
  CHECK(chosen_tool_chain("usual", ToolChain::none) == ToolChain::all);
  CHECK(chosen_tool_chain("tensorrt", ToolChain::vela) == ToolChain::tensorrt);
  CHECK(chosen_tool_chain("", ToolChain::vela, ToolChain::tensorrt) == ToolChain::tensorrt);
  CHECK(chosen_tool_chain("rknn", ToolChain::vela, ToolChain::tensorrt) == ToolChain::rknn);
  CHECK(chosen_tool_chain("", ToolChain::openvino_npu, ToolChain::openvino) == ToolChain::openvino_npu);
  CHECK_FALSE(chosen_tool_chain("magic", ToolChain::none));
}

namespace {

/// x times a weight, then the nodes, whose result is y.
std::string behind_a_product(const std::vector<Message>& nodes, const std::vector<std::string>& more_outputs = {}) {
  Graph g;
  g.inputs = {value("in", fp32, {4, 8})};
  g.constants = {tensor("w", fp32, {8, 8}), tensor("c", fp32, {1}), tensor("row", fp32, {8}), integers("last", {-1})};
  g.nodes = {node("MatMul", {"in", "w"}, {"x"})};
  g.nodes.insert(g.nodes.end(), nodes.begin(), nodes.end());
  g.outputs = {value("y", fp32, {4, 8})};
  for (const std::string& name : more_outputs) g.outputs.push_back(value(name, fp32, {4, 8}));
  return model(g);
}

std::vector<Message> gelu_nodes() {
  return {node("Div", {"x", "c"}, {"d"}), node("Erf", {"d"}, {"e"}), node("Add", {"e", "c"}, {"a"}), node("Mul", {"x", "a"}, {"m"}),
          node("Mul", {"m", "c"}, {"y"})};
}

}  // namespace

TEST_CASE("functions that exporters write as several nodes are one operation where the tool chain recognises them", "[network]") {
  const std::string gelu = behind_a_product(gelu_nodes());
  CHECK(operations(gelu, ToolChain::none) == "x d e a m y");
  CHECK(operations(gelu, ToolChain::all) == "x");
  CHECK(operations(gelu, ToolChain::onnxruntime_cpu) == "x d");
  CHECK(operations(gelu, ToolChain::tensorrt) == "x d");
  CHECK(operations(gelu, ToolChain::openvino) == "x d");
  CHECK(operations(gelu, ToolChain::inductor) == "x d");
  CHECK(operations(gelu, ToolChain::xnnpack) == "x d e a m y");

  const std::string silu = behind_a_product({node("Sigmoid", {"x"}, {"s"}), node("Mul", {"x", "s"}, {"y"})});
  CHECK(operations(silu, ToolChain::all) == "x");
  CHECK(operations(silu, ToolChain::rknn) == "x s");
  CHECK(operations(silu, ToolChain::onnxruntime_cpu) == "x s y");

  const std::string hard_swish = behind_a_product({node("Add", {"x", "c"}, {"a"}), node("Clip", {"a", "c", "c"}, {"r"}),
                                                   node("Mul", {"x", "r"}, {"m"}), node("Div", {"m", "c"}, {"y"})});
  CHECK(operations(hard_swish, ToolChain::openvino) == "x a");
  CHECK(operations(hard_swish, ToolChain::onnxruntime_cpu) == "x a r m y");

  const std::string norm = behind_a_product({node("ReduceMean", {"x"}, {"u"}, {ints("axes", {-1})}), node("Sub", {"x", "u"}, {"s"}),
                                             node("Pow", {"s", "c"}, {"p"}), node("ReduceMean", {"p"}, {"v"}, {ints("axes", {-1})}),
                                             node("Add", {"v", "c"}, {"e"}), node("Sqrt", {"e"}, {"q"}), node("Div", {"s", "q"}, {"n"}),
                                             node("Mul", {"n", "row"}, {"g"}), node("Add", {"g", "row"}, {"y"})});
  CHECK(operations(norm, ToolChain::onnxruntime_cuda) == "x u");  // with scale and shift
  CHECK(operations(norm, ToolChain::openvino) == "x u g y");
  CHECK(operations(norm, ToolChain::all) == "x");

  const std::string softmax =
      behind_a_product({node("ReduceMax", {"x"}, {"t"}, {ints("axes", {-1})}), node("Sub", {"x", "t"}, {"s"}), node("Exp", {"s"}, {"e"}),
                        node("ReduceSum", {"e", "last"}, {"u"}), node("Div", {"e", "u"}, {"y"})});
  CHECK(operations(softmax, ToolChain::openvino) == "x t");
  CHECK(operations(softmax, ToolChain::onnxruntime_cpu) == "x t s e u y");
}

TEST_CASE("a function is recognised in the ways that exporters write it", "[network]") {
  const auto merged = [](const std::vector<Message>& nodes, ToolChain by) { return operations(behind_a_product(nodes), by); };
  const Message half = node("Mul", {"x", "c"}, {"h"}), scaled = node("Div", {"x", "c"}, {"d"}), erf = node("Erf", {"d"}, {"e"}),
                one = node("Add", {"c", "e"}, {"a"});
  CHECK(merged({half, scaled, erf, one, node("Mul", {"h", "a"}, {"y"})}, ToolChain::onnxruntime_cpu) == "x h");
  CHECK(merged({scaled, erf, one, node("Mul", {"a", "c"}, {"m"}), node("Mul", {"m", "x"}, {"y"})}, ToolChain::onnxruntime_cpu) == "x d");
  CHECK(merged(
            {node("Pow", {"x", "c"}, {"p"}), node("Mul", {"p", "c"}, {"q"}), node("Add", {"x", "q"}, {"a"}), node("Mul", {"a", "c"}, {"b"}),
             node("Tanh", {"b"}, {"t"}), node("Add", {"t", "c"}, {"u"}), half, node("Mul", {"h", "u"}, {"y"})},
            ToolChain::onnxruntime_cpu) == "x p");
  CHECK(merged({node("Mul", {"x", "c"}, {"d"}), node("Sigmoid", {"d"}, {"s"}), node("Mul", {"s", "x"}, {"y"})},
               ToolChain::onnxruntime_cpu) == "x d");
  const std::vector<Message> mean_of_squares{node("Pow", {"x", "c"}, {"p"}), node("ReduceMean", {"p"}, {"v"}, {ints("axes", {-1})}),
                                             node("Add", {"v", "c"}, {"e"}), node("Sqrt", {"e"}, {"q"})};
  const auto rms_norm = [&](const std::vector<Message>& last) {
    std::vector<Message> nodes = mean_of_squares;
    nodes.insert(nodes.end(), last.begin(), last.end());
    return merged(nodes, ToolChain::onnxruntime_cuda);
  };
  CHECK(rms_norm({node("Div", {"x", "q"}, {"y"})}) == "x p");
  CHECK(rms_norm({node("Div", {"c", "q"}, {"r"}), node("Mul", {"x", "r"}, {"y"})}) == "x p");
  CHECK(rms_norm({node("Reciprocal", {"q"}, {"r"}), node("Mul", {"x", "r"}, {"y"})}) == "x p");
}

TEST_CASE("functions of the same operators differ in which node reads which", "[network]") {
  const auto merged = [](const std::vector<Message>& nodes, ToolChain by) { return operations(behind_a_product(nodes), by); };
  const std::vector<std::int64_t> last{-1};
  const auto mean = [&](const char* from, const char* to) { return node("ReduceMean", {from}, {to}, {ints("axes", last)}); };

  // SiLU and then a scale, or a scale and then SiLU: not the approximation of GELU.
  const std::vector<Message> silu_scaled{node("Sigmoid", {"x"}, {"s"}), node("Mul", {"x", "s"}, {"m"}), node("Mul", {"m", "c"}, {"y"})};
  CHECK(merged(silu_scaled, ToolChain::onnxruntime_cpu) == "x s m y");
  CHECK(merged(silu_scaled, ToolChain::rknn) == "x s y");
  const std::vector<Message> scaled_silu{node("Mul", {"x", "c"}, {"u"}), node("Sigmoid", {"u"}, {"s"}), node("Mul", {"u", "s"}, {"y"})};
  CHECK(merged(scaled_silu, ToolChain::onnxruntime_cpu) == "x u s y");
  CHECK(merged(scaled_silu, ToolChain::rknn) == "x u s");
  // A gate times a constant: not SiLU.
  CHECK(merged({node("Sigmoid", {"x"}, {"s"}), node("Mul", {"s", "c"}, {"y"})}, ToolChain::rknn) == "x s y");
  CHECK(merged({node("HardSigmoid", {"x"}, {"s"}), node("Mul", {"s", "c"}, {"y"})}, ToolChain::rknn) == "x s y");
  // Clamped before the sum: not the hard SiLU.
  CHECK(merged({node("Clip", {"x", "c", "c"}, {"r"}), node("Add", {"r", "c"}, {"a"}), node("Mul", {"x", "a"}, {"m"}),
                node("Div", {"m", "c"}, {"y"})},
               ToolChain::rknn) == "x r a m y");
  // erf after the sum: not GELU.
  CHECK(merged({node("Div", {"x", "c"}, {"d"}), node("Add", {"d", "c"}, {"a"}), node("Erf", {"a"}, {"e"}), node("Mul", {"x", "e"}, {"m"}),
                node("Mul", {"m", "c"}, {"y"})},
               ToolChain::onnxruntime_cpu) == "x d a e m y");
  // By the deviation, but not of it: no norm. Likewise the mean of roots.
  CHECK(merged({mean("x", "u"), node("Sub", {"x", "u"}, {"s"}), node("Pow", {"s", "c"}, {"p"}), mean("p", "v"),
                node("Add", {"v", "c"}, {"e"}), node("Sqrt", {"e"}, {"q"}), node("Div", {"x", "q"}, {"y"})},
               ToolChain::onnxruntime_cuda) == "x u s p v e q y");
  CHECK(merged({node("Pow", {"x", "c"}, {"p"}), node("Add", {"p", "c"}, {"e"}), node("Sqrt", {"e"}, {"q"}), mean("q", "v"),
                node("Div", {"x", "v"}, {"y"})},
               ToolChain::onnxruntime_cuda) == "x p e q v y");
  CHECK(merged({node("Pow", {"c", "x"}, {"p"}), mean("p", "v"), node("Add", {"v", "c"}, {"e"}), node("Sqrt", {"e"}, {"q"}),
                node("Div", {"x", "q"}, {"y"})},
               ToolChain::onnxruntime_cuda) == "x p v e q y");
  // By the sum of x instead of the exponentials': no softmax.
  CHECK(merged({node("ReduceMax", {"x"}, {"t"}, {ints("axes", last)}), node("Sub", {"x", "t"}, {"s"}), node("Exp", {"s"}, {"e"}),
                node("ReduceSum", {"x", "last"}, {"u"}), node("Div", {"e", "u"}, {"y"})},
               ToolChain::openvino) == "x t s e u y");
}

TEST_CASE("a long chain of products of tensors with themselves is no function", "[network]") {
  std::vector<Message> nodes;
  std::string from = "x";
  for (int i = 0; i < 2000; ++i) {
    const std::string to = i < 1999 ? "m" + std::to_string(i) : "y";
    nodes.push_back(node("Mul", {from, from}, {to}));
    from = to;
  }
  CHECK(read_network("m.onnx", behind_a_product(nodes), {}, ToolChain::all).commands.size() == 1);
}

TEST_CASE("a function between whose nodes something else reads stays apart", "[network]") {
  const std::string gelu = behind_a_product(gelu_nodes(), {"e"});
  CHECK(operations(gelu, ToolChain::onnxruntime_cpu) == "x d e a m y");
}

TEST_CASE("a function reads its input once, and keeps the work of its nodes", "[network]") {
  const std::string gelu = behind_a_product(gelu_nodes());
  const Workload apart = open(*commands_of("m.onnx", gelu)), merged = open(*commands_of("m.onnx", gelu, {}, ToolChain::openvino));
  CHECK(total(apart.vector_flops) == total(merged.vector_flops));
  REQUIRE(merged.size() == 2);
  CHECK(merged.bytes[1] == (32 + 32 + 1) * 4);  // x, y and the constant
}

TEST_CASE("a residual sum and its activation follow a convolution, one after the other", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 4, 8, 8})};
  g.constants = {tensor("w", fp32, {4, 4, 1, 1})};
  g.nodes = {node("Conv", {"x", "w"}, {"c"}), node("Add", {"c", "x"}, {"a"}), node("Relu", {"a"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 4, 8, 8})};
  for (const ToolChain by : {ToolChain::tensorrt, ToolChain::openvino, ToolChain::all}) CHECK(operations(model(g), by) == "c");
  CHECK(operations(model(g), ToolChain::vela) == "c a");
}
