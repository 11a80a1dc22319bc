// Operators of ONNX Runtime, and Einsum: their shapes and their work, in figures worked out by hand.
#include <numeric>

#include "network/networks.hpp"
#include "network/onnx_file.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

constexpr const char* microsoft = "com.microsoft";

double total(const std::vector<double>& column) { return std::accumulate(column.begin(), column.end(), 0.0); }

Json shape(const char* text) { return Json::parse(text); }

/// A SkipLayerNormalization of [2, 5, 8] with the given inputs behind x and the skip, and the given outputs.
std::string skip_norm(const char* type, const std::vector<std::string>& more_inputs, const std::vector<std::string>& outputs,
                      const Dims& skip = {2, 5, 8}) {
  Graph g;
  g.inputs = {value("x", fp32, {2, 5, 8}), value("skip", fp32, skip)};
  std::vector<std::string> inputs{"x", "skip"};
  for (const std::string& input : more_inputs) {
    if (!input.empty()) g.constants.push_back(tensor(input, fp32, {8}));
    inputs.push_back(input);
  }
  g.nodes = {node(type, inputs, outputs, {}, microsoft)};
  return model(g);
}

}  // namespace

TEST_CASE("onnx: quantised operators with channels last have them last in what they read and write", "[network]") {
  Graph g;
  g.inputs = {value("x", uint8, {1, 6, 8, 3})};
  g.constants = {tensor("s", fp32, {}), tensor("z", uint8, {}, 1), tensor("w1", int8, {4, 3, 3, 3}, 1),
                 tensor("w2", int8, {5, 4, 1, 1}, 1)};
  const Message last = number("channels_last", 1);
  g.nodes = {
      node("QLinearConv", {"x", "s", "z", "w1", "s", "z", "s", "z"}, {"c1"},
           {last, ints("kernel_shape", {3, 3}), ints("pads", {1, 1, 1, 1}), ints("strides", {2, 2})}, microsoft),
      node("QLinearConv", {"c1", "s", "z", "w2", "s", "z", "s", "z"}, {"c2"}, {last, ints("kernel_shape", {1, 1})}, microsoft),
      node("NhwcMaxPool", {"c2"}, {"p"}, {ints("kernel_shape", {2, 2})}, microsoft),
      node("QLinearAveragePool", {"p", "s", "z", "s", "z"}, {"a"}, {last, ints("kernel_shape", {1, 2})}, microsoft),
      node("QLinearGlobalAveragePool", {"a", "s", "z", "s", "z"}, {"m"}, {last}, microsoft),
      node("QLinearSigmoid", {"m", "s", "z", "s", "z"}, {"y"}, {}, microsoft),
  };
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.faults == 0);
  CHECK(network.facts["not_counted"].empty());
  // 6 rows in steps of 2 with 1 of padding are 3, 8 columns are 4.
  CHECK(network.command("c1")["input_shape"] == shape("[1,3,6,8]"));
  CHECK(network.command("c2")["input_shape"] == shape("[1,4,3,4]"));
  CHECK(network.command("p")["input_shape"] == shape("[1,5,3,4]"));
  CHECK(network.command("a")["input_shape"] == shape("[1,5,2,3]"));
  CHECK(network.command("m")["input_shape"] == shape("[1,5,2,2]"));
  CHECK(network.command("y")["output_shape"] == shape("[1,1,1,5]"));
  CHECK(network.matrix_macs == 3 * 4 * 4 * (3 * 3 * 3) + 3 * 4 * 5 * 4);

  const Workload work = operations_of("m.onnx", model(g));
  REQUIRE(work.size() == 6);
  CHECK(work.bytes[0] == 6 * 8 * 3 + 4 * 27 + 3 * 4 * 4);
  CHECK(work.bytes[2] == 3 * 4 * 5 + 2 * 3 * 5);
  CHECK(work.bytes[3] == 2 * 3 * 5 + 2 * 2 * 5);
  CHECK(work.bytes[4] == 2 * 2 * 5 + 5);
}

TEST_CASE("onnx: an average pool of integers has its channels in front unless it says otherwise", "[network]") {
  Graph g;
  g.inputs = {value("x", uint8, {1, 3, 6, 8})};
  g.constants = {tensor("s", fp32, {}), tensor("z", uint8, {}, 1)};
  g.nodes = {
      node("QLinearAveragePool", {"x", "s", "z", "s", "z"}, {"y"}, {ints("kernel_shape", {2, 2}), ints("strides", {2, 2})}, microsoft)};
  const Workload work = operations_of("m.onnx", model(g));
  REQUIRE(work.size() == 1);
  CHECK(work.bytes[0] == 3 * 6 * 8 + 3 * 3 * 4);
}

TEST_CASE("onnx: an Einsum without an arrow keeps the dimensions of its dots in front", "[network]") {
  const auto read = [](const char* equation, const std::vector<Dims>& shapes) {
    Graph g;
    std::vector<std::string> inputs;
    for (const Dims& dims : shapes) {
      inputs.push_back("x" + std::to_string(inputs.size()));
      g.inputs.push_back(value(inputs.back(), fp32, dims));
    }
    g.nodes = {node("Einsum", inputs, {"e"}, {word("equation", equation)}), node("Relu", {"e"}, {"y"})};
    return read_network("m.onnx", model(g));
  };
  for (const char* equation : {"...ij,...jk", "... i j, ...jk -> ...ik", "...Aj,...jk"}) {
    INFO(equation);
    const ReadNetwork network = read(equation, {{2, 4, 6, 3}, {2, 4, 3, 5}});
    CHECK(network.faults == 0);
    CHECK(network.command("y")["output_shape"] == shape("[2,4,6,5]"));
    CHECK(network.matrix_macs == 2 * 4 * 6 * 3 * 5);
  }
  // One operand has fewer dimensions than the other: they are the last ones.
  CHECK(read("...ij,...jk", {{2, 4, 6, 3}, {3, 5}}).command("y")["output_shape"] == shape("[2,4,6,5]"));
  CHECK(read("...ij,...jk->...ik", {{4, 6, 3}, {2, 4, 3, 5}}).command("y")["output_shape"] == shape("[2,4,6,5]"));
  CHECK(read("...ij,jk", {{2, 4, 6, 3}, {3, 5}}).command("y")["output_shape"] == shape("[2,4,6,5]"));
  // The letters that occur once are in alphabetical order: this transposes.
  CHECK(read("...ba", {{2, 4, 6, 3}}).command("y")["output_shape"] == shape("[2,4,3,6]"));
  CHECK(read("ji,jk", {{6, 3}, {6, 5}}).command("y")["output_shape"] == shape("[3,5]"));

  Graph g;
  g.inputs = {value("a", fp32, {2, 4, 6, 3}), value("b", fp32, {2, 4, 3, 5})};
  g.nodes = {node("Einsum", {"a", "b"}, {"y"}, {word("equation", "...ij,...jk")})};
  CHECK(operations_of("m.onnx", model(g)).bytes[0] == 4 * (2 * 4) * (6 * 3 + 3 * 5 + 6 * 5));
}

TEST_CASE("onnx: an Einsum whose dots stand for more dimensions than there are letters is not counted", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, Dims(32, 1))};
  g.nodes = {node("Einsum", {"x"}, {"y"}, {word("equation", "...")})};
  g.outputs = {value("y", fp32, Dims(32, 1))};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.commands.empty());
  CHECK(network.facts["not_counted"].size() == 1);
}

TEST_CASE("onnx: a norm of a sum is one kernel, which keeps the sum unless it is an output", "[network]") {
  constexpr double elements = 2 * 5 * 8;
  const Workload plain = operations_of("m.onnx", skip_norm("SkipLayerNormalization", {"gamma", "beta"}, {"y"}));
  REQUIRE(plain.size() == 1);
  CHECK(plain.bytes[0] == 4 * (3 * elements + 2 * 8));
  CHECK(plain.vector_flops[0] == (7 + 1) * elements);

  const Workload with_sum = operations_of("m.onnx", skip_norm("SkipLayerNormalization", {"gamma", "beta"}, {"y", "", "", "sum"}));
  REQUIRE(with_sum.size() == 1);
  CHECK(with_sum.bytes[0] == 4 * (4 * elements + 2 * 8));

  const Workload with_bias = operations_of("m.onnx", skip_norm("SkipLayerNormalization", {"gamma", "beta", "bias"}, {"y"}));
  CHECK(with_bias.bytes[0] == 4 * (3 * elements + 3 * 8));
  CHECK(with_bias.vector_flops[0] == (7 + 2) * elements);

  const Workload simplified = operations_of("m.onnx", skip_norm("SkipSimplifiedLayerNormalization", {"gamma"}, {"y"}));
  CHECK(simplified.bytes[0] == 4 * (3 * elements + 8));
  CHECK(simplified.vector_flops[0] == (4 + 1) * elements);

  // The skip may be the same for the whole batch.
  const Workload broadcast = operations_of("m.onnx", skip_norm("SkipLayerNormalization", {"gamma", "beta"}, {"y"}, {1, 5, 8}));
  CHECK(broadcast.bytes[0] == 4 * (2 * elements + 5 * 8 + 2 * 8));
}

TEST_CASE("onnx: a norm of a sum that is merged into a product still writes the sum", "[network]") {
  Graph g;
  g.inputs = {value("in", fp32, {4, 8}), value("skip", fp32, {4, 8})};
  g.constants = {tensor("w", fp32, {8, 8}), tensor("gamma", fp32, {8}), tensor("beta", fp32, {8})};
  g.nodes = {node("MatMul", {"in", "w"}, {"x"}),
             node("SkipLayerNormalization", {"x", "skip", "gamma", "beta"}, {"y", "", "", "sum"}, {}, microsoft)};
  g.outputs = {value("y", fp32, {4, 8}), value("sum", fp32, {4, 8})};
  const Workload apart = open(*commands_of("m.onnx", model(g))), merged = open(*commands_of("m.onnx", model(g), {}, ToolChain::all));
  REQUIRE(apart.size() == 2);
  REQUIRE(merged.size() == 1);
  CHECK(total(apart.vector_flops) == (7 + 1) * 32);
  CHECK(total(merged.vector_flops) == total(apart.vector_flops));
  CHECK(total(apart.bytes) == 4 * ((32 + 64 + 32) + (2 * 32 + 2 * 8 + 2 * 32)));
  CHECK(total(apart.bytes) - total(merged.bytes) == 2 * 32 * 4);  // x is neither written nor read
}

TEST_CASE("onnx: a convolution with a residual input reads it and adds it", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 2, 4, 4}), value("z", fp32, {1, 3, 4, 4})};
  g.constants = {tensor("w", fp32, {3, 2, 1, 1}), tensor("b", fp32, {3})};
  g.nodes = {node("FusedConv", {"x", "w", "b", "z"}, {"c"}, {}, microsoft), node("Relu", {"c"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 3, 4, 4})};
  const Workload work = operations_of("m.onnx", model(g));
  REQUIRE(work.size() == 2);
  CHECK(work.bytes[0] == 4 * (2 * 16 + 3 * 2 + 3 + 3 * 16 + 3 * 16));
  CHECK(work.vector_flops[0] == 3 * 16);
  CHECK(work.matrix_flops[0] == 2 * 16 * 3 * 2);
  // The FLOPs of what is merged into it are added to those of the sum.
  const Workload merged = open(*commands_of("m.onnx", model(g), {}, ToolChain::all));
  REQUIRE(merged.size() == 1);
  CHECK(merged.vector_flops[0] == 2 * 3 * 16);
  CHECK(merged.bytes[0] == work.bytes[0]);

  g.nodes[0] = node("FusedConv", {"x", "w", "b"}, {"c"}, {}, microsoft);
  CHECK(operations_of("m.onnx", model(g)).bytes[0] == 4 * (2 * 16 + 3 * 2 + 3 + 3 * 16));
}

TEST_CASE("onnx: recurrent layers write their state, not their gates, and read two biases", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {7, 2, 5})};
  g.constants = {tensor("w", fp32, {1, 24, 5}), tensor("r", fp32, {1, 24, 6}), tensor("b", fp32, {1, 48})};
  g.nodes = {node("LSTM", {"x", "w", "r", "b"}, {"y", "last"}, {number("hidden_size", 6)})};
  g.outputs = {value("y", fp32, {7, 1, 2, 6})};
  const Workload work = operations_of("m.onnx", model(g));
  CHECK(work.matrix_flops[0] == 2 * 7 * 2 * 24 * (5 + 6));
  CHECK(work.bytes[0] == 4 * (7 * 2 * 5 + 24 * (5 + 6) + 48 + 7 * 2 * 6));
  g.nodes = {node("LSTM", {"x", "w", "r", "b"}, {"", "last"}, {number("hidden_size", 6)})};  // the last state alone
  g.outputs = {value("last", fp32, {1, 2, 6})};
  CHECK(operations_of("m.onnx", model(g)).bytes[0] == 4 * (7 * 2 * 5 + 24 * (5 + 6) + 48 + 2 * 6));
}

TEST_CASE("onnx: a search for boxes reads all boxes and scores", "[network]") {
  Graph g;
  g.inputs = {value("boxes", fp32, {1, 100, 4}), value("scores", fp32, {1, 80, 100})};
  g.nodes = {node("NonMaxSuppression", {"boxes", "scores"}, {"found"})};
  g.outputs = {value("found", 7, {})};
  const Workload work = operations_of("m.onnx", model(g), {{"found", "800"}});
  CHECK(work.bytes[0] == 4 * (400 + 8000) + 800 * 3 * 8);
}
