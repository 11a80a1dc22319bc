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

TEST_CASE("onnx: integers of any rank are followed", "[network]") {
  // As torch.onnx writes F.pad: [left, right, top, bottom] and zeros in rows, turned about, as the padding of an image.
  Graph pad;
  pad.inputs = {value("x", fp32, {1, 3, 8, 8})};
  pad.constants = {integers("given", {1, 2, 3, 4}), integers("four", {4}),  integers("pairs", {-1, 2}),
                   integers("flat", {-1}),          integers("from", {-1}), integers("to", {-5}),
                   integers("rows", {0}),           integers("back", {-1}), tensor("w", fp32, {5, 3, 3, 3})};
  pad.nodes = {node("ConstantOfShape", {"four"}, {"none"}, {Message().text(1, "value").message(5, integers("", {0})).integer(20, 4)}),
               node("Concat", {"given", "none"}, {"all"}, {number("axis", 0)}),
               node("Reshape", {"all", "pairs"}, {"matrix"}),
               node("Slice", {"matrix", "from", "to", "rows", "back"}, {"turned"}),
               node("Transpose", {"turned"}, {"columns"}, {ints("perm", {1, 0})}),
               node("Reshape", {"columns", "flat"}, {"pads"}),
               node("Pad", {"x", "pads"}, {"padded"}),
               node("Conv", {"padded", "w"}, {"y"})};
  const ReadNetwork padded = read_network("m.onnx", model(pad));
  CHECK(padded.facts["not_counted"].empty());
  CHECK(padded.matrix_macs == 5 * 13 * 9 * 27);  // 8 + 3 + 4 rows of 8 + 1 + 2 columns, less two each

  // Each result is the shape that an input of [4, 1] is expanded to.
  const auto elements = [](const std::vector<Message>& nodes, const std::vector<Message>& constants) {
    Graph g;
    g.inputs = {value("x", fp32, {4, 1})};
    g.constants = constants;
    g.nodes = nodes;
    g.nodes.push_back(node("Expand", {"x", "shape"}, {"e"}));
    g.nodes.push_back(node("Relu", {"e"}, {"y"}));
    const Json shape = read_network("m.onnx", model(g)).command("y")["output_shape"];
    return shape.is_null() ? std::string() : shape.dump();
  };
  const Message table =
      Message().integer(1, 2).integer(1, 2).integer(2, int64).text(8, "t").integer(7, 4).integer(7, 3).integer(7, 4).integer(7, 5);
  const std::vector<Message> two = {table, integers("one", {1}), integers("zero", {0})};
  CHECK(elements({node("Gather", {"t", "zero"}, {"row"}), node("Flatten", {"row"}, {"f"}, {number("axis", 0)}),
                  node("Squeeze", {"f", "zero"}, {"shape"})},
                 two) == "[4,3]");
  CHECK(elements({node("ReduceMax", {"t", "zero"}, {"shape"}, {number("keepdims", 0)})}, two) == "[4,5]");
  CHECK(elements({node("CumSum", {"t", "one"}, {"c"}), node("Gather", {"c", "zero"}, {"r"}), node("Squeeze", {"r", "zero"}, {"shape"})},
                 two) == "[4,7]");
  const Message places = Message().integer(1, 1).integer(1, 1).integer(2, int64).text(8, "p").integer(7, 1);
  CHECK(elements({node("ScatterND", {"s", "p", "n"}, {"shape"})}, {integers("s", {4, 9}), places, integers("n", {6})}) == "[4,6]");
  CHECK(elements({node("Tile", {"n", "twice"}, {"shape"})}, {integers("n", {4}), integers("twice", {2})}) == "[4,4]");
  CHECK(elements({node("Clip", {"s", "", "most"}, {"shape"})},
                 {integers("s", {4, 9}), Message().integer(2, int64).text(8, "most").integer(7, 5)}) == "[4,5]");
  const auto cast = [](int type, std::string bytes) { return Message().integer(1, 2).integer(2, type).text(8, "c").text(9, bytes); };
  const std::vector<Message> to_int64 = {node("Cast", {"c"}, {"shape"}, {number("to", int64)})};
  CHECK(elements(to_int64, {cast(uint8, "\x04\xc8")}) == "[4,200]");
  CHECK(elements(to_int64, {cast(fp16, std::string("\x00\x44\x80\x45", 4))}) == "[4,5]");  // 4 and 5.5
}

TEST_CASE("onnx: past the end of a constant table lengths are those asked for, and shapes that differ are not counted", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {"batch", 1, "seq", 16})};
  g.constants = {tensor("mask", uint8, {1, 1, 8, 8}, 1), tensor("w", fp32, {16, 4}), integers("zero", {0}), integers("second", {2}),
                 integers("third", {3})};
  g.nodes = {node("Shape", {"x"}, {"lengths"}),
             node("Gather", {"lengths", "second"}, {"end"}),
             node("Slice", {"mask", "zero", "end", "second"}, {"rows"}),
             node("Slice", {"rows", "zero", "end", "third"}, {"square"}),
             node("Transpose", {"x"}, {"xt"}, {ints("perm", {0, 1, 3, 2})}),
             node("MatMul", {"x", "xt"}, {"scores"}),
             node("Where", {"square", "scores", "scores"}, {"kept"}),
             node("MatMul", {"kept", "x"}, {"values"})};
  for (const double tokens : {7.0, 8.0, 9.0, 100.0}) {
    const ReadNetwork network = read_network("m.onnx", model(g), {{"seq", std::to_string(static_cast<int>(tokens))}});
    CHECK(network.matrix_macs == 2 * tokens * tokens * 16);
    CHECK(network.facts["not_counted"].empty());
    CHECK(network.facts["notes"].size() == (tokens > 8 ? 1 : 0));
  }
  g.nodes = {node("Add", {"a", "b"}, {"y"}), node("MatMul", {"a", "c"}, {"z"})};
  g.inputs = {value("a", fp32, {2, 3}), value("b", fp32, {2, 4}), value("c", fp32, {4, 5})};
  const Json missed = read_network("m.onnx", model(g)).facts;
  REQUIRE(missed["not_counted"].size() == 2);
  CHECK(missed["not_counted"][0]["reason"] == "its operands do not broadcast to one shape");
  CHECK(missed["not_counted"][1]["type"] == "MatMul");  // 3 columns, 4 rows
  CHECK(missed["matrix_macs"].is_null());
}

TEST_CASE("onnx: further products of ONNX Runtime and ONNX", "[network]") {
  const auto macs = [](const Message& one, const std::vector<Message>& inputs, const std::vector<Message>& constants) {
    Graph g;
    g.inputs = inputs;
    g.constants = constants;
    g.nodes = {one};
    const ReadNetwork network = read_network("m.onnx", model(g));
    CHECK(network.facts["not_counted"].empty());
    CHECK(network.faults == 0);
    CHECK(network.facts["matrix_macs"] == network.matrix_macs);
    return network.matrix_macs;
  };
  CHECK(macs(node("Einsum", {"a", "b", "c"}, {"y"}, {word("equation", "ij,jk,kl->il")}),
             {value("a", fp32, {3, 4}), value("b", fp32, {4, 5}), value("c", fp32, {5, 6})}, {}) == 3 * 4 * 5 * 6);
  // 14 tokens of sequences of at most 8: queries by keys, and by values.
  CHECK(macs(node("PackedMultiHeadAttention", {"q", "k", "v", "", "offsets", "starts"}, {"y"}, {number("num_heads", 4)}, microsoft),
             {value("q", fp32, {14, 64}), value("k", fp32, {14, 64}), value("v", fp32, {14, 64}), value("offsets", 6, {2, 8}),
              value("starts", 6, {3})},
             {}) == 2 * 14 * 8 * 64);
  for (const char* type : {"NhwcFusedConv", "NhwcConv"})
    CHECK(macs(node(type, {"x", "w"}, {"y"}, {ints("pads", {1, 1, 1, 1})}, microsoft), {value("x", fp32, {1, 8, 8, 4})},
               {tensor("w", fp32, {6, 3, 3, 4})}) == 64 * 6 * 36);
  CHECK(macs(node("DeformConv", {"x", "w", "o"}, {"y"}, {ints("pads", {1, 1, 1, 1})}),
             {value("x", fp32, {1, 4, 8, 8}), value("o", fp32, {1, 18, 8, 8})}, {tensor("w", fp32, {6, 4, 3, 3})}) == 64 * 6 * 36);
  CHECK(macs(node("DynamicQuantizeLSTM", {"x", "w", "r"}, {"y"}, {number("hidden_size", 10)}, microsoft), {value("x", fp32, {5, 2, 6})},
             {tensor("w", uint8, {1, 6, 40}, 1), tensor("r", uint8, {1, 10, 40}, 1)}) == 5 * 2 * 40 * 16);
}
