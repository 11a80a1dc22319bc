// ONNX models as networks: figures of real files, shapes, quantisation, and files that are damaged or hostile.
#include <numeric>
#include <roofline/frame/headline.hpp>
#include <roofline/workload/join.hpp>

#include "network/networks.hpp"
#include "network/onnx_file.hpp"
#include "network/record_text.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

std::string conv_and_relu() {
  Graph g;
  g.inputs = {value("x", fp32, {"batch", 3, 8, 8})};
  g.constants = {tensor("w", fp32, {4, 3, 3, 3}), tensor("b", fp32, {4})};
  g.nodes = {node("Conv", {"x", "w", "b"}, {"c"}, {ints("pads", {1, 1, 1, 1})}), node("Relu", {"c"}, {"y"})};
  g.outputs = {value("y", fp32, {"batch", 4, 8, 8})};
  return model(g);
}

Error error_of(std::string_view bytes, const DimensionValues& given = {}) {
  const Result<std::string> text = commands_of("model.onnx", bytes, given);
  REQUIRE_FALSE(text);
  return text.error();
}

/// A file of any size, of which most is never there: counts what is read.
class HollowFile final : public ByteSource {
 public:
  HollowFile(std::string start, std::string end, std::uint64_t size) : start_(std::move(start)), end_(std::move(end)), size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  mutable std::uint64_t read_bytes = 0;

 protected:
  bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
    read_bytes += bytes;
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::uint64_t at = offset + i;
      to[i] = at < start_.size()          ? start_[static_cast<std::size_t>(at)]
              : at >= size_ - end_.size() ? end_[static_cast<std::size_t>(at - (size_ - end_.size()))]
                                          : '\0';
    }
    return true;
  }

 private:
  std::string start_, end_;
  std::uint64_t size_;
};

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

}  // namespace

TEST_CASE("real ONNX models come to the figures that were counted independently", "[network]") {
  const Json facts = sample_facts();
  if (facts.is_null()) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  std::size_t cases = 0;
  for (const auto& [path, fact] : facts.items()) {
    if (!path.starts_with("onnx/") || !fact.contains("cases")) continue;
    const std::string bytes = file(network_samples + path);
    for (const Json& one : fact["cases"]) {
      DimensionValues given;
      for (const auto& [name, length] : one["dims"].items()) given.emplace_back(name, length.dump());
      INFO(path << ' ' << one["dims"].dump());
      if (one["macs"].is_null()) continue;
      const ReadNetwork network = read_network(path, bytes, given);
      CHECK(network.matrix_macs == one["macs"].get<double>());
      CHECK(network.facts["matrix_macs"] == one["macs"]);
      CHECK(network.faults == 0);
      CHECK(network.facts["not_counted"].empty());
      // A sparse weight takes the bytes of its values and their places, which the other count leaves out.
      if (path.find("sparse") == std::string::npos) CHECK(network.facts["weights_bytes"] == fact["initializer_bytes"]);
      if (one.contains("peak_activation_bytes") && path.find("sparse") == std::string::npos)
        CHECK(network.facts["peak_activation_bytes"] == one["peak_activation_bytes"]);
      ++cases;
    }
  }
  CHECK(cases > 30);
}

TEST_CASE("weights that a node fills with one value are not those of the file", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 3, 8, 8})};
  g.constants = {integers("shape", {4, 3, 3, 3})};
  g.nodes = {node("ConstantOfShape", {"shape"}, {"w"}), node("Conv", {"x", "w"}, {"y"})};
  g.outputs = {value("y", fp32, {1, 4, 6, 6})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.facts["generated_bytes"] == 4 * 4 * 27);
  CHECK(network.facts["weights_bytes"] == 4 * 8);  // the shape
  CHECK(read_network("m.onnx", conv_and_relu()).facts["generated_bytes"] == 0);
}

TEST_CASE("published counts of well-known ONNX networks come out", "[network]") {
  const std::string folder = "../shared/samples/onnx/";
  if (!std::filesystem::exists(folder)) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  // Of the convolutions and products: torchvision's counts for ResNet-50 and SqueezeNet 1.1, ONNX's own files for the others.
  const std::pair<const char*, double> published[] = {{"light_resnet50.onnx", 4089184256},
                                                      {"light_squeezenet.onnx", 349151936},
                                                      {"light_shufflenet.onnx", 124664528},
                                                      {"light_inception_v2.onnx", 2018851840}};
  for (const auto& [name, macs] : published) {
    INFO(name);
    CHECK(read_network(name, file(folder + name)).matrix_macs == macs);
  }
  // They have no weights: nodes fill them, but 28 of the batch norms' of 64 values. ResNet-50 has 25,557,032 parameters, and the means and
  // variances of its batch norms.
  const double generated = read_network("light_resnet50.onnx", file(folder + "light_resnet50.onnx")).facts["generated_bytes"].get<double>();
  CHECK(generated == 4 * (25557032 + 53120 - 28 * 64));
}

TEST_CASE("an open dimension follows what it is set to", "[network]") {
  const ReadNetwork one = read_network("m.onnx", conv_and_relu());
  // 4 x 8 x 8 outputs of 3 x 3 x 3 each.
  CHECK(one.matrix_macs == 4 * 64 * 27);
  CHECK(one.facts["dimensions"][0]["name"] == "batch");
  CHECK(one.facts["dimensions"][0]["assumed"] == true);
  CHECK(one.facts["weights_bytes"] == 4 * (4 * 27 + 4));
  CHECK(one.facts["parameters"] == 4 * 27 + 4);
  // The input and the convolution's output, then that and the result.
  CHECK(one.facts["peak_activation_bytes"] == 4 * (4 * 64 + 4 * 64));
  CHECK(one.facts["activation_bytes"] == Json::array({4 * (3 * 64 + 4 * 64), 4 * (4 * 64 + 4 * 64)}));
  const ReadNetwork eight = read_network("m.onnx", conv_and_relu(), {{"batch", "8"}});
  CHECK(eight.matrix_macs == 8 * one.matrix_macs);
  CHECK(eight.facts["weights_bytes"] == one.facts["weights_bytes"]);
  CHECK(eight.facts["dimensions"][0]["assumed"] == false);
}

TEST_CASE("a dimension that nobody has set is asked for, and never taken for 1", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {"batch", "unk__17", 64})};
  g.constants = {tensor("w", fp32, {64, 32})};
  g.nodes = {node("MatMul", {"x", "w"}, {"y"})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.commands.empty());
  CHECK(network.facts["dimensions"][1]["value"].is_null());
  CHECK(network.facts["peak_activation_bytes"].is_null());
  REQUIRE(network.facts["not_counted"].size() == 1);
  CHECK(network.facts["not_counted"][0]["type"] == "MatMul");
  CHECK(network.facts["matrix_macs"].is_null());
  CHECK(network.facts["weights_bytes"] == 4 * 64 * 32);
  CHECK(read_network("m.onnx", model(g), {{"unk__17", "5"}}).matrix_macs == 5 * 64 * 32);
  g.nodes.push_back(node("MatMul", {"v", "w"}, {"z"}));
  g.inputs.push_back(value("v", fp32, {2, 64}));
  CHECK(read_network("m.onnx", model(g)).facts["matrix_macs"] == 2 * 64 * 32);  // of the product whose sizes are known
}

TEST_CASE("the first dimension of an input is offered as a batch of 1, and marked", "[network]") {
  // The names of tf2onnx, PaddlePaddle, ORTModule and PyTorch; "-1" is no length, and no name either.
  for (const char* name : {"unk__123", "DynamicDimension.0", "inputs_token_type_ids_dim0", "s77", "-1", ""}) {
    INFO(name);
    Graph g;
    g.inputs = {value("x", fp32, {name, 64}), value("v", fp32, {"audio_len"})};
    g.constants = {tensor("w", fp32, {64, 32})};
    g.nodes = {node("MatMul", {"x", "w"}, {"y"})};
    const Json facts = read_network("m.onnx", model(g)).facts;
    CHECK(facts["matrix_macs"] == 64 * 32);
    CHECK(facts["dimensions"][0]["value"] == 1);
    CHECK(facts["dimensions"][0]["assumed"] == true);
    CHECK(facts["dimensions"][1]["value"].is_null());
    const std::string called = std::string_view(name) == "-1" || *name == '\0' ? "x.0" : name;
    CHECK(read_network("m.onnx", model(g), {{called, "5"}}).matrix_macs == 5 * 64 * 32);
  }
}

TEST_CASE("usual lengths follow from names, with a past one new token", "[network]") {
  const auto taken = [](const std::vector<std::string>& names) {
    Graph g;
    for (const std::string& name : names) g.inputs.push_back(value(name, fp32, {name}));
    Json out = Json::object();
    const Json facts = read_network("m.onnx", model(g)).facts;
    for (const Json& d : facts["dimensions"]) out[d["name"].get<std::string>()] = d["value"];
    return out;
  };
  CHECK(taken({"batch_size", "max_seq_len_in_batch", "width", "s0"}) ==
        Json::parse(R"({"batch_size":1,"max_seq_len_in_batch":128,"width":224,"s0":null})"));
  CHECK(taken({"N", "sequence_length", "past_sequence_length"}) ==
        Json::parse(R"({"N":1,"sequence_length":1,"past_sequence_length":127})"));
}

TEST_CASE("dimensions may be expressions of others, and follow one another", "[network]") {
  Graph g;
  g.inputs = {value("q", fp32, {"batch", 2, "seq_len", 4}), value("k", fp32, {"batch", 2, 4, "past_seq_len + seq_len"}),
              value("m", fp32, {"other_batch", 2, "seq_len", "past_seq_len_plus_seq_len"})};
  g.nodes = {node("MatMul", {"q", "k"}, {"s"}), node("Add", {"s", "m"}, {"y"})};
  const ReadNetwork network =
      read_network("m.onnx", model(g), {{"batch", "3"}, {"seq_len", "5"}, {"past_seq_len", "7"}, {"other_batch", "batch"}});
  CHECK(network.matrix_macs == 3 * 2 * 5 * 12 * 4);
  CHECK(network.command("y")["inputs"] == Json::parse("[[3,2,5,12],[3,2,5,12]]"));
  CHECK(network.facts["dimensions"].size() == 4);
  // An expression sets what it leaves open, and must agree with what is set.
  const DimensionValues set = {{"batch", "3"}, {"seq_len", "5"}, {"other_batch", "batch"}, {"past_seq_len + seq_len", "12"}};
  CHECK(read_network("m.onnx", model(g), set).matrix_macs == 3 * 2 * 5 * 12 * 4);
  CHECK(error_of(model(g), {{"seq_len", "5"}, {"past_seq_len", "8"}, {"past_seq_len + seq_len", "12"}}).message ==
        "past_seq_len + seq_len is not 12 with past_seq_len = 8, seq_len = 5: set these dimensions");
}

TEST_CASE("an invalid length, and an unknown dimension, are refused with what was expected", "[network]") {
  CHECK(error_of(conv_and_relu(), {{"batch", "0"}}).message ==
        "the dimension batch: expected a whole number of at least 1, or another dimension's name, found \"0\"");
  CHECK(error_of(conv_and_relu(), {{"batch", "2.5"}}).message.find("found \"2.5\"") != std::string::npos);
  CHECK(error_of(conv_and_relu(), {{"batch", "1e300"}}).message.find("found \"1e300\"") != std::string::npos);
  CHECK(error_of(conv_and_relu(), {{"width", "8"}}).message == "there is no dimension \"width\": expected one of batch");
}

TEST_CASE("nodes need not be in order, and names may come from functions", "[network]") {
  // The function doubles and adds its attribute's tensor; its call stands before what feeds it.
  Message function;
  function.text(1, "Twice").text(4, "a").text(5, "r").text(6, "axis").text(10, "own");
  function.message(7, node("Concat", {"a", "a"}, {"both"}, {Message().text(1, "axis").text(21, "axis").integer(20, 2)}));
  function.message(7, node("Relu", {"both"}, {"r"}));
  Graph g;
  g.inputs = {value("x", fp32, {2, 3})};
  g.nodes = {node("Twice", {"n"}, {"y"}, {number("axis", 1)}, "own"), node("Neg", {"x"}, {"n"})};
  g.outputs = {value("y", fp32, {2, 6})};
  const ReadNetwork network = read_network("m.onnx", model(g.message(), 17, {function}));
  REQUIRE(network.commands.size() == 3);
  CHECK(network.commands[0]["name"] == "n");
  CHECK(network.commands[2]["output_shape"] == Json::parse("[2,6]"));
  CHECK(network.facts["nodes"] == 3);
}

TEST_CASE("shapes made of shapes are followed", "[network]") {
  // The rows of x: Shape, Gather, Unsqueeze, Concat, Reshape, as exporters write x.view(x.size(0), -1).
  Graph g;
  g.inputs = {value("x", fp32, {"batch", 3, 4})};
  g.constants = {integers("zero", {0}), integers("rest", {-1}), tensor("w", fp32, {12, 5})};
  g.nodes = {node("Shape", {"x"}, {"s"}),
             node("Gather", {"s", "zero"}, {"rows"}),
             node("Concat", {"rows", "rest"}, {"to"}, {number("axis", 0)}),
             node("Reshape", {"x", "to"}, {"flat"}),
             node("Gemm", {"flat", "w"}, {"y"}),
             node("Sqrt", {"s"}, {"unused"})};
  g.outputs = {value("y", fp32, {"batch", 5})};
  const ReadNetwork network = read_network("m.onnx", model(g), {{"batch", "6"}});
  CHECK(network.matrix_macs == 6 * 12 * 5);
  CHECK(network.commands.size() == 1);  // the rest is worked out before anything runs
}

TEST_CASE("quantised pairs make an operation one of integers", "[network]") {
  const auto quantised = [](bool output) {
    Graph g;
    g.inputs = {value("x", fp32, {1, 3, 8, 8})};
    g.constants = {tensor("w", int8, {4, 3, 3, 3}, 1), tensor("scale", fp32, {}), tensor("zero", uint8, {}, 1),
                   tensor("wzero", int8, {}, 1)};
    g.nodes = {node("QuantizeLinear", {"x", "scale", "zero"}, {"xq"}), node("DequantizeLinear", {"xq", "scale", "zero"}, {"xd"}),
               node("DequantizeLinear", {"w", "scale", "wzero"}, {"wd"}), node("Conv", {"xd", "wd"}, {"c"})};
    if (output) {
      g.nodes.push_back(node("Relu", {"c"}, {"r"}));
      g.nodes.push_back(node("QuantizeLinear", {"r", "scale", "zero"}, {"q"}));
      g.nodes.push_back(node("DequantizeLinear", {"q", "scale", "zero"}, {"y"}));
    } else {
      g.nodes.push_back(node("Exp", {"c"}, {"y"}));
    }
    g.outputs = {value("y", fp32, {1, 4, 6, 6})};
    return read_network("m.onnx", model(g));
  };
  const ReadNetwork all = quantised(true);
  CHECK(all.command("c")["data_type"] == "int8");
  CHECK_FALSE(all.command("c").contains("weight_type"));
  CHECK(all.command("r")["data_type"] == "int8");
  CHECK(all.command("xq")["type"] == "cast");  // what comes in is converted
  CHECK(all.command("xd").is_null());
  CHECK(all.command("q").is_null());
  CHECK(all.command("y")["type"] == "cast");
  // Where what follows needs floats, a product of integers writes floats.
  const ReadNetwork floats = quantised(false);
  CHECK(floats.command("c")["data_type"] == "int8");
  CHECK(floats.command("c")["output_type"] == "fp32");
  CHECK(floats.command("xd").is_null());
}

TEST_CASE("integers are found behind moves of dequantised weights, and before ReLU", "[network]") {
  Graph g;
  g.inputs = {value("x", fp16, {1, 64})};
  g.constants = {tensor("w", int8, {32, 64}, 1), tensor("scale", fp32, {})};
  g.nodes = {node("DequantizeLinear", {"w", "scale"}, {"wide"}),
             node("Transpose", {"wide"}, {"turned"}, {ints("perm", {1, 0})}),
             node("Cast", {"turned"}, {"half"}, {number("to", fp16)}),
             node("MatMul", {"x", "half"}, {"y"}),
             node("QuantizeLinear", {"x", "scale"}, {"q"}),
             node("DequantizeLinear", {"q", "scale"}, {"d"}),
             node("Relu", {"d"}, {"r"}),
             node("MatMul", {"r", "half"}, {"z"})};
  g.outputs = {value("y", fp16, {1, 32}), value("z", fp16, {1, 32})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.command("y")["data_type"] == "fp16");
  CHECK(network.command("y")["weight_type"] == "int8");
  CHECK(network.command("d").is_null());
  CHECK(network.command("r")["data_type"] == "int8");
  CHECK(network.command("z")["data_type"] == "int8");
}

TEST_CASE("a body and an operator without a rule read floats, which a dequantiser writes", "[network]") {
  const auto data_of = [](const Message& reader) {
    Graph g;
    g.inputs = {value("x", fp32, {8, 64}), value("flag", 9, {})};
    g.constants = {tensor("w", int8, {64, 64}, 1), tensor("scale", fp32, {})};
    g.nodes = {node("QuantizeLinear", {"x", "scale"}, {"q"}),
               node("DequantizeLinear", {"q", "scale"}, {"d"}),
               node("DequantizeLinear", {"w", "scale"}, {"wide"}),
               node("MatMul", {"d", "wide"}, {"y"}),
               reader,
               node("QuantizeLinear", {"r", "scale"}, {"rq"}),
               node("DequantizeLinear", {"rq", "scale"}, {"z"})};
    g.outputs = {value("y", fp32, {8, 64}), value("z", fp32, {8, 64})};
    g.inner = {value("r", fp32, {8, 64})};
    const ReadNetwork network = read_network("m.onnx", model(g));
    CHECK(network.command("y")["data_type"] == "int8");
    return network.command("d");
  };
  Graph branch;
  branch.nodes = {node("Relu", {"d"}, {"b"})};
  branch.outputs = {value("b", fp32, {8, 64})};
  CHECK(data_of(node("Relu", {"d"}, {"r"})).is_null());
  CHECK(data_of(node("If", {"flag"}, {"r"}, {body("then_branch", branch.message())}))["type"] == "cast");
  CHECK(data_of(node("Mystery", {"d"}, {"r"}, {}, "their.own"))["type"] == "cast");
}

TEST_CASE("a quantiser is never merged with a dequantiser of what it writes", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {8, 64})};
  g.constants = {tensor("scale", fp32, {})};
  g.nodes = {node("QuantizeLinear", {"x", "scale"}, {"q"}), node("DequantizeLinear", {"q", "scale"}, {"d"}), node("Exp", {"d"}, {"y"})};
  g.outputs = {value("y", fp32, {8, 64})};
  const ReadNetwork network = read_network("m.onnx", model(g), {}, ToolChain::all);
  CHECK(network.command("q")["output_type"] == "int8");
  CHECK(network.command("d")["data_type"] == "int8");
}

TEST_CASE("packed weights of any number of bits have their bytes, scales and zero points included", "[network]") {
  const auto bytes = [](int bits, int block, bool points) {
    Graph g;
    g.inputs = {value("x", fp16, {1, 256})};
    const int blocks = 256 / block;
    g.constants = {tensor("packed", uint8, {64, blocks, block * bits / 8}, 1), tensor("scales", fp16, {64 * blocks}, 2),
                   tensor("points", uint8, {64 * ((blocks * bits + 7) / 8)}, 1)};
    g.nodes = {node("MatMulNBits", {"x", "packed", "scales", points ? "points" : ""}, {"y"},
                    {number("N", 64), number("K", 256), number("bits", bits), number("block_size", block)}, "com.microsoft")};
    g.outputs = {value("y", fp16, {1, 64})};
    return operations_of("m.onnx", model(g)).bytes[0] - (256 + 64) * 2;
  };
  for (const int bits : {2, 3, 4, 5, 6, 8}) {
    INFO(bits);
    CHECK(bytes(bits, 32, false) == 64 * 256 * bits / 8 + 64 * 8 * 2);
    CHECK(bytes(bits, 32, true) == 64 * 256 * bits / 8 + 64 * 8 * 2 + 64 * bits);
  }
  CHECK(bytes(4, 16, false) == 64 * 256 / 2 + 64 * 16 * 2);
  CHECK(bytes(4, 128, true) == 64 * 256 / 2 + 64 * 2 * 2 + 64);
}

TEST_CASE("FP4 weights with a scale for each block are NVFP4 or MXFP4", "[network]") {
  constexpr int fp4 = 23;
  for (const auto& [block, format] : {std::pair(16, "nvfp4"), std::pair(32, "mxfp4")}) {
    Graph g;
    g.inputs = {value("x", fp16, {1, 64})};
    g.constants = {tensor("w", fp4, {64, 32}, 0.5), tensor("scales", fp16, {64 / block, 32}, 2)};
    g.nodes = {node("DequantizeLinear", {"w", "scales"}, {"wide"}, {number("axis", 0), number("block_size", block)}),
               node("MatMul", {"x", "wide"}, {"y"})};
    g.outputs = {value("y", fp16, {1, 32})};
    CHECK(read_network("m.onnx", model(g, 23)).command("y")["weight_type"] == format);
  }
}

TEST_CASE("onnxruntime's operators count their parts", "[network]") {
  Graph g;
  g.inputs = {value("x", fp16, {2, 6, 64}), value("past_k", fp16, {2, 2, 10, 8}), value("past_v", fp16, {2, 2, 10, 8}),
              value("lengths", 6, {2}), value("total", 6, {1})};
  g.constants = {tensor("packed", uint8, {128, 2, 16}, 1), tensor("scales", fp16, {256}, 2)};
  g.nodes = {
      node("MatMulNBits", {"x", "packed", "scales"}, {"qkv"},
           {number("N", 96), number("K", 64), number("bits", 4), number("block_size", 32), number("accuracy_level", 4)}, "com.microsoft"),
      node("GroupQueryAttention", {"qkv", "", "", "past_k", "past_v", "lengths", "total"}, {"a"},
           {number("num_heads", 8), number("kv_num_heads", 2)}, "com.microsoft")};
  const ReadNetwork network = read_network("m.onnx", model(g));
  const Json product = network.command("qkv"), attention = network.command("a");
  CHECK(product["data_type"] == "int8");
  CHECK(product["weight_type"] == "int4_g32");
  CHECK(attention["head_dim"] == 8);
  CHECK(attention["context"] == 16);
  CHECK(network.matrix_macs == 2 * 6 * 64 * 96 + 2 * 8 * 6 * 16 * (8 + 8));
}

TEST_CASE("quantised experts read the weights and scales of those that are needed", "[network]") {
  Graph g;
  g.inputs = {value("x", fp16, {6, 64}), value("router", fp16, {6, 4})};
  g.constants = {tensor("fc1", uint8, {4, 64, 32}, 1), tensor("s1", fp16, {4, 64}, 2), tensor("fc2", uint8, {4, 64, 16}, 1),
                 tensor("s2", fp16, {4, 64}, 2)};
  g.nodes = {node("QMoE", {"x", "router", "fc1", "s1", "", "fc2", "s2"}, {"y"}, {number("k", 2), number("expert_weight_bits", 4)},
                  "com.microsoft")};
  g.outputs = {value("y", fp16, {6, 64})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  const Json experts = network.command("y");
  CHECK(experts["macs"] == 6 * 2 * (64 * 64 + 64 * 32));  // two elements in a byte
  CHECK(experts["bytes"] == 4 * (64 * 32 + 64 * 16 + 2 * (64 + 64)) + 2 * 6 * 64 * 2);
}

TEST_CASE("padding reads its input and writes more, without a warning", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {2, 3})};
  g.constants = {integers("pads", {0, 1, 0, 1})};
  g.nodes = {node("Pad", {"x", "pads"}, {"y"})};
  g.outputs = {value("y", fp32, {2, 5})};
  const Result<std::string> text = commands_of("model.onnx", model(g));
  REQUIRE(text);
  const Workload workload = open(*text);
  REQUIRE(workload.size() == 1);
  CHECK(workload.bytes[0] == 4 * (6 + 10));
  CHECK(workload.diagnostics.empty());
}

TEST_CASE("searches and sums read all of their input, however little they write", "[network]") {
  const auto alone = [](const Message& of, const Dims& x, int type = fp32, const DimensionValues& given = {}) {
    Graph g;
    g.inputs = {value("x", type, x)};
    g.constants = {integers("k", {100}), integers("depth", {32000}), tensor("values", fp32, {2})};
    g.nodes = {of};
    const Workload out = operations_of("m.onnx", model(g), given);
    REQUIRE(out.size() == 1);
    return out;
  };
  // Values of 4 bytes and indices of 8.
  CHECK(alone(node("TopK", {"x", "k"}, {"v", "i"}), {1, 25200}).bytes[0] == 25200 * 4 + 100 * (4 + 8));
  CHECK(alone(node("NonZero", {"x"}, {"found"}), {5, 7}, fp32, {{"found", "3"}}).bytes[0] == 35 * 4 + 2 * 3 * 8);
  const Workload sum = alone(node("Einsum", {"x"}, {"y"}, {word("equation", "bij->bi")}), {8, 1024, 1024});
  CHECK(sum.vector_flops[0] == 8 * 1024 * 1024);
  CHECK(sum.bytes[0] == 4 * (8 * 1024 * 1024 + 8 * 1024));
  CHECK(alone(node("Einsum", {"x"}, {"y"}, {word("equation", "ij->ji")}), {8, 16}).bytes[0] == 4 * 2 * 8 * 16);
  CHECK(alone(node("OneHot", {"x", "depth", "values"}, {"y"}), {128}, int64).bytes[0] == 4 * (128 + 128.0 * 32000));
}

TEST_CASE("a sampled image is read with its grid, by 16 elements each where it is bicubic", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {1, 3, 32, 32}), value("grid", fp32, {1, 16, 16, 2})};
  g.nodes = {node("GridSample", {"x", "grid"}, {"y"}, {word("mode", "bicubic")})};
  const Workload sampled = operations_of("m.onnx", model(g));
  CHECK(sampled.vector_flops[0] == 16 * 3 * 16 * 16);
  CHECK(sampled.bytes[0] == 4 * (3 * 32 * 32 + 16 * 16 * 2 + 3 * 16 * 16));
  CHECK(RecordText("y").set("a", 2.0).set("b", 7.0).add("a", 3).members() == RecordText("y").set("a", 5.0).set("b", 7.0).members());
  CHECK(RecordText("y").add("a", 3).members() == RecordText("y").set("a", 3.0).members());
}

TEST_CASE("an image is resized along the dimensions that change, wherever they are", "[network]") {
  const auto bytes = [](const Dims& x, const std::vector<std::int64_t>& sizes) {
    Graph g;
    g.inputs = {value("x", fp32, x)};
    g.constants = {integers("sizes", sizes)};
    g.nodes = {node("Resize", {"x", "", "", "sizes"}, {"y"})};
    return operations_of("m.onnx", model(g)).bytes[0];
  };
  CHECK(bytes({1, 64, 32, 32}, {1, 64, 64, 64}) == 4 * (64 * 32 * 32 + 64 * 64 * 64));
  CHECK(bytes({1, 32, 32, 64}, {1, 64, 64, 64}) == 4 * (64 * 32 * 32 + 64 * 64 * 64));
  CHECK(bytes({3, 8, 8}, {3, 16, 16}) == 4 * (3 * 8 * 8 + 3 * 16 * 16));
}

TEST_CASE("an attention rotates its queries and new keys, whether they come packed or apart", "[network]") {
  const std::vector<Message> heads = {number("num_heads", 8), number("kv_num_heads", 2), number("do_rotary", 1)};
  Graph packed, apart;
  packed.inputs = {value("qkv", fp16, {2, 6, 96})};
  packed.nodes = {node("GroupQueryAttention", {"qkv", "", ""}, {"a"}, heads, "com.microsoft")};
  apart.inputs = {value("q", fp16, {2, 6, 64}), value("k", fp16, {2, 6, 16}), value("v", fp16, {2, 6, 16})};
  apart.nodes = {node("GroupQueryAttention", {"q", "k", "v"}, {"a"}, heads, "com.microsoft")};
  // Heads of 8: (8 + 2) x 8 elements for each token.
  for (const Graph& g : {packed, apart})
    CHECK(read_network("m.onnx", model(g)).command("a/rotation")["output_shape"] == Json::parse("[2,6,80]"));
}

TEST_CASE("norms without a scale read none", "[network]") {
  const auto alone = [](const char* type, const std::vector<std::string>& inputs) {
    Graph g;
    for (const std::string& input : inputs) g.inputs.push_back(value(input, fp32, {2, 3, 4, 4}));
    g.nodes = {node(type, inputs, {"y"})};
    return operations_of("m.onnx", model(g));
  };
  const Workload centred = alone("MeanVarianceNormalization", {"x"});
  CHECK(centred.vector_flops[0] == 4 * 96);
  for (const char* type : {"MeanVarianceNormalization", "LpNormalization", "LRN"}) {
    INFO(type);
    CHECK(alone(type, {"x"}).bytes[0] == 4 * 2 * 96);
  }
}

TEST_CASE("what is added to a product is read, and dynamic quantisation computes in INT8", "[network]") {
  Graph g;
  g.inputs = {value("a", fp32, {8, 16}), value("b", fp32, {16, 4}), value("c", fp32, {8, 4}), value("v", fp32, {4})};
  g.constants = {tensor("w", fp32, {16, 4}), tensor("q", int8, {16, 4}, 1), tensor("s", fp32, {1}), tensor("bias", fp32, {4})};
  g.nodes = {node("Gemm", {"a", "b", "c"}, {"all"}),
             node("Gemm", {"a", "b", "v"}, {"row"}),
             node("Gemm", {"a", "b"}, {"none"}),
             node("Gemm", {"a", "w", "c"}, {"layer"}),
             node("DynamicQuantizeMatMul", {"a", "q", "s", "", "bias"}, {"dynamic"}, {}, "com.microsoft"),
             node("DynamicQuantizeMatMul", {"a", "q", "s"}, {"bare"}, {}, "com.microsoft")};
  for (const char* name : {"all", "row", "none", "layer", "dynamic", "bare"}) g.outputs.push_back(value(name, fp32, {8, 4}));
  const Result<std::string> text = commands_of("model.onnx", model(g));
  REQUIRE(text);
  const Workload workload = open(*text);
  REQUIRE(workload.size() == 6);
  const auto bytes = [&](std::size_t op) { return workload.bytes[op]; };
  const double product = 4 * (8 * 16 + 16 * 4 + 8 * 4);
  CHECK(bytes(2) == product);
  CHECK(bytes(0) == product + 4 * 8 * 4);
  CHECK(bytes(1) == product + 4 * 4);
  CHECK(bytes(3) == product + 4 * 8 * 4);
  CHECK(Formats::catalogue()[workload.class_of(4).activation].id == "int8");
  CHECK(bytes(5) == 8 * 16 + 16 * 4 + 4 * 8 * 4);
  CHECK(bytes(4) > bytes(5));
}

TEST_CASE("bodies are listed apart, and what is not known says why", "[network]") {
  Graph branch;
  branch.nodes = {node("MatMul", {"x", "w"}, {"b"})};
  branch.outputs = {value("b", fp32, {})};
  Graph g;
  g.inputs = {value("flag", 9, {}), value("x", fp32, {4, 8})};
  g.constants = {tensor("w", fp32, {8, 16})};
  g.nodes = {node("If", {"flag"}, {"i"}, {body("then_branch", branch.message())}), node("Mystery", {"i"}, {"m"}, {}, "their.own"),
             node("EPContext", {"x"}, {"e"}, {}, "com.microsoft"), node("Relu", {"i"}, {"y"})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.command("i/b")["step"] == "body of i");
  CHECK(network.matrix_macs == 0);  // of the main graph
  CHECK(network.command("y")["output_shape"] == Json::parse("[4,16]"));
  CHECK(network.facts["nodes"] == 4);
  const Json reasons = network.facts["not_counted"];
  REQUIRE(reasons.size() == 3);
  CHECK(reasons[0]["reason"] == "compiled: its work is not in the file");
  CHECK(reasons[1]["type"] == "If");
  CHECK(reasons[2]["type"] == "their.own.Mystery");
  CHECK(reasons[2]["reason"] == "no rule for this operator");
  const Workload w = open(*commands_of("m.onnx", model(g)));
  CHECK(headline(Plan(w, Scenario::standard())).text().find("At least") == std::string::npos);
  CHECK(headline(Plan(w, Scenario::standard())).text().find(", each body once") != std::string::npos);
}

TEST_CASE("a scan stacks what its body makes along the axis that it names", "[network]") {
  Graph step;
  step.inputs = {value("e", fp32, {2, 3})};
  step.nodes = {node("Relu", {"e"}, {"o"})};
  step.outputs = {value("o", fp32, {2, 3})};
  Graph g;
  g.inputs = {value("x", fp32, {5, 2, 3})};
  const auto stacked = [&](std::int64_t axis) {
    g.nodes = {node("Scan", {"x"}, {"s"}, {number("num_scan_inputs", 1), ints("scan_output_axes", {axis}), body("body", step.message())}),
               node("Relu", {"s"}, {"y"})};
    return read_network("m.onnx", model(g)).command("y")["output_shape"];
  };
  CHECK(stacked(0) == Json::parse("[5,2,3]"));
  CHECK(stacked(1) == Json::parse("[2,5,3]"));
  CHECK(stacked(-1) == Json::parse("[2,3,5]"));
}

TEST_CASE("what the data decide is at most its bound, unless it is set", "[network]") {
  Graph g;
  g.inputs = {value("x", fp32, {5, 7})};
  g.nodes = {node("NonZero", {"x"}, {"found"}), node("Transpose", {"found"}, {"y"})};
  const auto read = [&](const DimensionValues& given) { return read_network("m.onnx", model(g), given).command("y")["output_shape"]; };
  CHECK(read({}) == Json::parse("[35,2]"));
  CHECK(read({{"found", "9"}}) == Json::parse("[9,2]"));
}

TEST_CASE("folding moves what follows into what feeds it, and loses no work but the traffic between", "[network]") {
  const ReadNetwork apart = read_network("m.onnx", conv_and_relu()), folded = read_network("m.onnx", conv_and_relu(), {}, ToolChain::all);
  CHECK(apart.commands.size() == 2);
  REQUIRE(folded.commands.size() == 1);
  CHECK(folded.matrix_macs == apart.matrix_macs);
  CHECK(folded.commands[0]["fused_flops"] == 256);
  CHECK(folded.commands[0]["fused_elements"] == 0);
  const Workload a = open(*commands_of("m.onnx", conv_and_relu())), b = open(*commands_of("m.onnx", conv_and_relu(), {}, ToolChain::all));
  const auto total = [](const std::vector<double>& column) {
    return column.empty() ? 0 : std::accumulate(column.begin(), column.end(), 0.0);
  };
  CHECK(total(a.vector_flops) == total(b.vector_flops));
  CHECK(total(a.bytes) - total(b.bytes) == 2 * 256 * 4);  // the tensor between is neither written nor read
}

TEST_CASE("nodes without names are called by their output, or by type and place as ONNX Runtime's profiles call them", "[network]") {
  const auto unnamed = [](const char* type, const char* input, const char* output) {
    return Message().text(1, input).text(2, output).text(4, type);
  };
  Graph g;
  g.inputs = {value("x", fp32, {2, 8})};
  g.nodes = {unnamed("Relu", "x", "hidden"), unnamed("Neg", "hidden", "17"), unnamed("Neg", "17", "18")};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.command("hidden")["type"] == "relu");
  CHECK(network.command("Neg_1")["type"] == "neg");
  CHECK(network.command("Neg_2")["type"] == "neg");
}

TEST_CASE("a profile of the same network puts its times on the nodes, by name", "[network]") {
  const Workload network = open(*commands_of("m.onnx", conv_and_relu()));
  const Workload profile = open(R"([
{"cat":"Session","pid":1,"tid":1,"dur":100,"ts":1,"ph":"X","name":"model_run","args":{}},
{"cat":"Node","pid":1,"tid":1,"dur":40,"ts":2,"ph":"X","name":"c_kernel_time","args":{"op_name":"Conv","provider":"CPUExecutionProvider","node_index":"0","input_type_shape":[{"float":[1,3,8,8]},{"float":[4,3,3,3]}],"output_type_shape":[{"float":[1,4,8,8]}]}},
{"cat":"Node","pid":1,"tid":1,"dur":7,"ts":50,"ph":"X","name":"reorder_kernel_time","args":{"op_name":"ReorderOutput","provider":"CPUExecutionProvider","node_index":"1","input_type_shape":[{"float":[1,4,8,8]}],"output_type_shape":[{"float":[1,4,8,8]}]}}
])");
  CHECK(complete_each_other(network, profile));
  const Result<Workload> both = join(network, profile);
  INFO((both ? std::string() : both.error().text()));
  REQUIRE(both);
  REQUIRE(both->size() == 3);
  CHECK(both->time_s[0] == Approx(40e-6));
  CHECK(both->matrix_flops[0] == 2 * 4 * 64 * 27);
  CHECK(!known(both->time_s[1]));  // the engine fused the activation
  CHECK(both->name_of(2) == "reorder");
  REQUIRE(both->diagnostics.size() >= 3);
  CHECK(both->diagnostics[0].message.find("1 of 2 operations") == 0);
  CHECK(both->diagnostics[1].message.find("y") != std::string::npos);
  CHECK(both->diagnostics[2].message.find("reorder") != std::string::npos);
}

TEST_CASE("nodes are matched by the layer names of tools", "[network]") {
  const Workload network = open(*commands_of("m.onnx", conv_and_relu()));
  for (const char* names : {"c|y", "Conv:c|Relu:y", "[c]:0|[y]:1", "[c, c_1]:0|[y]:1", "c + other|y"}) {
    INFO(names);
    const std::string both(names), first = both.substr(0, both.find('|')), second = both.substr(both.find('|') + 1);
    const Result<Workload> joined = join(network, open(R"([{"type":"CONV_2D","time_us":40,"name":")" + first +
                                                       R"("},{"type":"RELU","time_us":7,"name":")" + second + R"("}])"));
    REQUIRE(joined);
    REQUIRE(joined->size() == 2);
    CHECK(joined->time_s[0] == Approx(40e-6));
    CHECK(joined->time_s[1] == Approx(7e-6));
  }
}

TEST_CASE("weights are stepped over: a model of gigabytes opens by its heads", "[network]") {
  // A weight of 2 GB: the tensor's head, its bytes, then the rest of the graph.
  const std::uint64_t weight_bytes = std::uint64_t{1} << 31;
  Message head;
  head.integer(1, 1 << 15).integer(1, 1 << 14).integer(2, fp32).text(8, "w");
  const std::string raw = varint(9 << 3 | 2) + varint(weight_bytes);
  Graph g;
  g.inputs = {value("x", fp32, {1, 1 << 15})};
  g.nodes = {node("MatMul", {"x", "w"}, {"y"})};
  const std::string rest = g.message().bytes();
  const std::string tensor_field = varint(5 << 3 | 2) + varint(head.bytes().size() + raw.size() + weight_bytes);
  const std::uint64_t graph_bytes = tensor_field.size() + head.bytes().size() + raw.size() + weight_bytes + rest.size();
  const std::string start = Message().integer(1, 8).bytes() + varint(7 << 3 | 2) + varint(graph_bytes) + tensor_field + head.bytes() + raw;
  const HollowFile source(start, rest, start.size() + weight_bytes + rest.size());
  const auto network = open_network("big.onnx", source);
  INFO((network ? std::string() : network.error().message));
  REQUIRE(network);
  const auto text = network_commands(**network, {}, ToolChain::none);
  REQUIRE(text);
  CHECK(Json::parse(*text)["network"]["weights_bytes"] == weight_bytes);
  CHECK(source.read_bytes < (1 << 20));
}

TEST_CASE("damaged and hostile ONNX files are refused with what and where", "[network]") {
  const std::string whole = conv_and_relu();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto text = commands_of("m.onnx", std::string_view(whole).substr(0, size));
    if (!text) CHECK_FALSE(text.error().message.empty());
  }
  CHECK(error_of("this is no model").message.find("expected a field of a protocol buffer") != std::string::npos);
  CHECK(error_of(whole.substr(0, 60)).message.find("cut off or damaged") != std::string::npos);
  CHECK(error_of(Message().integer(1, 8).text(2, "x").bytes()).message ==
        "a protocol buffer without a graph: the file is cut off, damaged or not an ONNX model");

  Graph twice;
  twice.inputs = {value("x", fp32, {2})};
  twice.nodes = {node("Relu", {"x"}, {"y"}), node("Neg", {"x"}, {"y"})};
  CHECK(error_of(model(twice)).message ==
        "the tensor \"y\" is made twice: expected one node that makes it, and no weight or input of that name");

  Graph circle;
  circle.nodes = {node("Relu", {"b"}, {"a"}), node("Neg", {"a"}, {"b"})};
  CHECK(error_of(model(circle)).message.find("feed each other in a circle") != std::string::npos);

  Graph itself;
  itself.nodes = {node("Relu", {"a"}, {"a"})};
  CHECK(error_of(model(itself)).message.find("feed each other in a circle, \"a\" among them") != std::string::npos);

  Graph weights;
  weights.constants = {tensor("w", fp32, {2}), tensor("w", fp32, {2})};
  CHECK(error_of(model(weights)).message == "the weight \"w\" is in the file twice: expected one of that name");
  weights.constants = {tensor("w", fp32, {2, 2}, 2)};
  CHECK(error_of(model(weights)).message == "byte " + std::to_string(model(weights).find(std::string(8, '\0'))) +
                                                ": the tensor \"w\" has 8 bytes: expected 16 by its shape and type");
  weights.constants.clear();
  weights.inputs = {value("x", fp32, {-4})};
  CHECK(error_of(model(weights)).message.ends_with(": a length of -4: expected 0 or more, or -1"));
  weights.inputs = {value("x", fp32, {2})};
  weights.nodes = {node("Add", {"x", "lost"}, {"y"})};
  CHECK(read_network("m.onnx", model(weights)).facts["notes"][0] ==
        "nodes read \"lost\", which no node, input or weight of the file makes: their shapes are not known");

  Graph negative;
  negative.constants = {Message().integer(1, -4).integer(2, fp32).text(8, "w")};
  CHECK(error_of(model(negative)).message.find("a tensor with a length of -4: expected 0 or more") != std::string::npos);

  Message deep;
  for (int i = 0; i < 150; ++i) deep = Message().message(1, node("If", {}, {"i"}, {body("then_branch", deep)}));
  CHECK(error_of(model(deep)).message.find("nested more than 100 deep") != std::string::npos);

  // A function that calls itself.
  Message function;
  function.text(1, "F").text(4, "a").text(5, "r").text(10, "own").message(7, node("F", {"a"}, {"r"}, {}, "own"));
  Graph calls;
  calls.inputs = {value("x", fp32, {2})};
  calls.nodes = {node("F", {"x"}, {"y"}, {}, "own")};
  CHECK(error_of(model(calls.message(), 17, {function})).message.find("call themselves") != std::string::npos);
}

TEST_CASE("the path of external data is never opened", "[network]") {
  Graph g;
  Message outside;
  outside.integer(1, 3).integer(2, int64).text(8, "shape").message(13, Message().text(1, "location").text(2, "/etc/passwd")).integer(14, 1);
  g.inputs = {value("x", fp32, {2, 6})};
  g.constants = {outside};
  g.nodes = {node("Reshape", {"x", "shape"}, {"y"}), node("Relu", {"y"}, {"z"})};
  const ReadNetwork network = read_network("m.onnx", model(g));
  CHECK(network.facts["weights_bytes"] == 24);  // by its shape
  CHECK(network.commands.empty());              // how it is reshaped is in the other file
  CHECK(network.facts["not_counted"][0]["reason"] == "the shapes of its tensors are not known");
}

TEST_CASE("onnx: weights whose bytes the file does not hold are remarked", "[network]") {
  const auto notes = [](const Message& weight) {
    Graph g;
    g.inputs = {value("x", fp32, {1, 8})};
    g.constants = {weight};
    g.nodes = {node("MatMul", {"x", "w"}, {"y"})};
    g.outputs = {value("y", fp32, {1, 4})};
    return read_network("m.onnx", model(g)).facts["notes"];
  };
  const auto without_data = [] { return Message().integer(1, 8).integer(1, 4).integer(2, fp32).text(8, "w"); };
  CHECK(notes(tensor("w", fp32, {8, 4})).empty());
  CHECK(notes(without_data()) == Json::array({"1 weight is not in the file: 128 B by shape"}));
  CHECK(notes(without_data().integer(14, 1)) == Json::array({"1 weight is in other files, which are not opened: 128 B by shape"}));
}
