// Exported programs of PyTorch: both archives, symbolic sizes, modules, bodies, quantisation, and what is refused.
#include <tuple>

#include "base/zip/inflate.hpp"
#include "network/length_expression.hpp"
#include "network/torch/module_path.hpp"
#include "networks.hpp"
#include "zip.hpp"

using namespace roofline;

namespace {

/// The program's parts as JSON, piece by piece.
std::string meta(const std::string& sizes, int dtype = 7) {
  return R"({"dtype":)" + std::to_string(dtype) + R"(,"sizes":[)" + sizes + "]}";
}
std::string whole(int n) { return R"({"as_int":)" + std::to_string(n) + "}"; }
std::string symbol(const std::string& text, int hint) {
  return R"({"as_expr":{"expr_str":")" + text + R"(","hint":{"as_int":)" + std::to_string(hint) + "}}}";
}
std::string tensor(const std::string& name) { return R"({"as_tensor":{"name":")" + name + R"("}})"; }
std::string argument(const std::string& name, const std::string& value) { return R"({"name":")" + name + R"(","arg":)" + value + "}"; }
std::string node(const std::string& target, const std::string& inputs, const std::string& outputs, const std::string& module = "") {
  return R"({"target":")" + target + R"(","inputs":[)" + inputs + R"(],"outputs":[)" + outputs + R"(],"metadata":{"nn_module_stack":")" +
         module + R"("}})";
}
std::string graph(const std::string& inputs, const std::string& outputs, const std::string& tensors, const std::string& nodes) {
  return R"({"inputs":[)" + inputs + R"(],"outputs":[)" + outputs + R"(],"nodes":[)" + nodes + R"(],"tensor_values":{)" + tensors +
         R"(},"sym_int_values":{"n":)" + symbol("s0", 2) + "}}";
}
std::string program(const std::string& graph, const std::string& specs, int major = 8) {
  return R"({"graph_module":{"graph":)" + graph + R"(,"signature":{"input_specs":[)" + specs +
         R"(]}},"range_constraints":{"s0":{"min_val":1,"max_val":16}},"schema_version":{"major":)" + std::to_string(major) +
         R"(,"minor":2},"torch_version":"2.9.0"})";
}
std::string parameter(const std::string& name, const std::string& as) {
  return R"({"parameter":{"arg":{"name":")" + name + R"("},"parameter_name":")" + as + R"("}})";
}

const std::string user_input = R"({"user_input":{"arg":{"as_tensor":{"name":"x"}}}})";

/// A convolution of [s0, 3, 8, 8] to four channels by a window of three in steps of two, a ReLU, and a layer of ten outputs.
std::string small_network(int major = 8) {
  const std::string image = symbol("s0", 2) + "," + whole(4) + "," + whole(4) + "," + whole(4);
  const std::string tensors = R"("w":)" + meta(whole(4) + "," + whole(3) + "," + whole(3) + "," + whole(3)) + R"(,"b":)" + meta(whole(4)) +
                              R"(,"l":)" + meta(whole(10) + "," + whole(64)) + R"(,"k":)" + meta(whole(10), 5) + R"(,"x":)" +
                              meta(symbol("s0", 2) + "," + whole(3) + "," + whole(8) + "," + whole(8)) + R"(,"c":)" + meta(image) +
                              R"(,"r":)" + meta(image) + R"(,"f":)" + meta(symbol("s0", 2) + "," + whole(64)) + R"(,"y":)" +
                              meta(symbol("s0", 2) + "," + whole(10)) + R"(,"z":)" + meta(symbol("s0", 2) + "," + whole(10));
  const std::string nodes =
      node("torch.ops.aten.conv2d.default",
           argument("input", tensor("x")) + "," + argument("weight", tensor("w")) + "," + argument("bias", tensor("b")) + "," +
               argument("stride", R"({"as_ints":[2,2]})") + "," + argument("padding", R"({"as_ints":[1]})"),
           tensor("c"), "L__self__,,M;L__s___conv,L['s'].blocks[0].conv,torch.nn.Conv2d") +
      "," + node("torch.ops.aten.relu_.default", argument("self", tensor("c")), tensor("r")) + "," +
      node("torch.ops.aten.view.default",
           argument("self", tensor("r")) + "," + argument("size", R"({"as_sym_ints":[{"as_name":"n"},{"as_int":64}]})"), tensor("f")) +
      "," + node("torch.ops.aten.linear.default", argument("input", tensor("f")) + "," + argument("weight", tensor("l")), tensor("y")) +
      "," + node("torch.ops.mine.special.default", argument("self", tensor("y")), tensor("z"));
  return program(
      graph(tensor("w") + "," + tensor("b") + "," + tensor("l") + "," + tensor("k") + "," + tensor("x"), tensor("z"), tensors, nodes),
      parameter("w", "conv.weight") + "," + parameter("b", "conv.bias") + "," + parameter("l", "head.weight") + "," +
          R"({"buffer":{"arg":{"name":"k"},"buffer_name":"steps","persistent":true}})" + "," + user_input,
      major);
}

std::string before_2_8(const std::string& json) { return zip_archive({{"serialized_exported_program.json", json}, {"version", "8.2"}}); }
std::string since_2_8(const std::string& json, const std::string& config = "") {
  std::vector<ZipEntry> members = {{"net/archive_format", "pt2"}, {"net/models/model.json", json}};
  if (!config.empty()) members.push_back({"net/data/weights/model_weights_config.json", config});
  return zip_archive(members);
}

Json commands(const std::string& archive, const DimensionValues& given = {}, ToolChain tool_chain = ToolChain::none) {
  const Result<std::string> text = commands_of("net.pt2", archive, given, tool_chain);
  INFO((text ? std::string() : text.error().text()));
  REQUIRE(text);
  return Json::parse(*text);
}

std::string fault(const std::string& archive) {
  const Result<std::string> text = commands_of("net.pt2", archive);
  return text ? "" : text.error().text();
}

/// The multiply-adds of a commands.json's main graph.
double macs(const Json& document) {
  const Workload w = open(document.dump());
  CHECK(w.diagnostics.empty());
  double flops = 0;
  for (std::size_t i = 0; i < w.matrix_flops.size(); ++i)
    if (w.step.empty() || w.steps[w.step[i]].empty()) flops += known_or(w.matrix_flops[i], 0);
  return flops / 2;
}

const Json& command(const Json& document, const std::string& name) {
  for (const Json& c : document["commands"])
    if (c["name"] == name) return c;
  FAIL("no command " + name);
  return document;
}

double length_of(const std::string& text, const std::vector<double>& lengths) { return LengthExpression(text).at(lengths); }

}  // namespace

TEST_CASE("torch.export: both archives have the same network", "[network][torch]") {
  for (const std::string& archive : {before_2_8(small_network()), since_2_8(small_network())}) {
    const Json document = commands(archive, {{"s0", "3"}});
    const Json& facts = document["network"];
    CHECK(facts["format"] == "torch.export");
    CHECK(facts["producer"] == "PyTorch 2.9.0");
    CHECK(facts["dimensions"] == Json::parse(R"([{"name":"s0","value":3.0,"assumed":false,"place":"x[0]","least":1.0,"greatest":16.0}])"));
    CHECK(macs(document) == 3 * (4 * 4 * 4 * 27 + 64 * 10));  // by hand: each output of the convolution has 3x3x3 products
    CHECK(facts["parameters"] == 4 * 27 + 4 + 640);           // a buffer is no parameter, but takes memory
    CHECK(facts["weights_bytes"] == 4 * (4 * 27 + 4 + 640) + 8 * 10);
    CHECK(facts["peak_activation_bytes"] == 3 * 4 * (3 * 64 + 64));  // the image, and what the convolution makes of it
    CHECK(facts["peak_at"] == "c");
    CHECK(facts["not_counted"] == Json::parse(R"([{"type":"mine.special","nodes":1,"share":0.2,"reason":"no rule for this operator"}])"));
    CHECK(command(document, "c")["module"] == "blocks.0.conv");
    CHECK(command(document, "c")["stride"] == std::vector<double>{2, 2});
    CHECK(command(document, "c")["padding"] == std::vector<std::vector<double>>{{1, 1}, {1, 1}});
    CHECK(document["commands"].size() == 3);  // a view moves nothing
    CHECK(commands(archive, {}, ToolChain::all)["commands"].size() == 2);
  }
}

namespace {

/// Where node_weights() has the weight "head.weight" of the small network.
std::uint64_t place_of_head(const std::string& archive) {
  const BytesAtHand source(archive);
  const auto network = open_network("net.pt2", source);
  REQUIRE(network);
  const auto weights = node_weights(**network, {});
  REQUIRE(weights);
  for (const NodeWeights& w : *weights)
    if (w.tensor == "head.weight") return w.data;
  FAIL("no head.weight");
  return 0;
}

std::string pickled(const std::string& text) { return 'X' + little(text.size(), 4) + text; }

/// A state_dict of one tensor as torch.save pickles it: from the third element of storage 0 on.
std::string state_dict(const std::string& strides) {
  return "\x80\x02}(" + pickled("head.weight") + "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled("storage") + "ctorch\nFloatStorage\n" +
         pickled("0") + pickled("cpu") + "M" + little(642, 2) + "tQK\x02K\x0aK\x40\x86" + strides + "\x86\x89tRu.";
}

}  // namespace

TEST_CASE("torch.export: weights are found in the archive", "[network][torch]") {
  const std::string bytes = "the elements" + std::string(2568, 'w');
  const auto config = [](const char* strides) {
    return R"({"config":{"head.weight":{"path_name":"weight_0","use_pickle":false,"tensor_meta":{"sizes":[{"as_int":10},{"as_int":64}],)"
           R"("strides":)" +
           std::string(strides) + R"(,"storage_offset":{"as_int":3}}}}})";
  };
  const auto since = [&](const char* strides, int method = 0) {
    return zip_archive({{"net/archive_format", "pt2"},
                        {"net/models/model.json", small_network()},
                        {"net/data/weights/model_weights_config.json", config(strides)},
                        {"net/data/weights/weight_0", bytes, method}});
  };
  const char* const in_order = R"([{"as_int":64},{"as_int":1}])";
  CHECK(place_of_head(since(in_order)) == since(in_order).find(bytes) + 3 * 4);
  CHECK(place_of_head(since(R"([{"as_int":1},{"as_int":10}])")) == 0);  // transposed
  CHECK(place_of_head(since(in_order, 8)) == 0);                        // compressed

  const auto before = [&](const std::string& pickle, const std::string& order = "little") {
    return zip_archive({{"serialized_exported_program.json", small_network()},
                        {"serialized_state_dict.pt",
                         zip_archive({{"archive/data.pkl", pickle}, {"archive/byteorder", order}, {"archive/data/0", bytes}})}});
  };
  const std::string rows = "K\x40K\x01", whole = before(state_dict(rows));
  CHECK(place_of_head(whole) == whole.find(bytes) + 2 * 4);
  CHECK(place_of_head(before(state_dict("K\x01K\x0a"))) == 0);
  CHECK(place_of_head(before(state_dict(rows), "big")) == 0);
  for (std::size_t size = 0; size < state_dict(rows).size(); ++size)  // cut off anywhere
    CHECK(place_of_head(before(state_dict(rows).substr(0, size))) == 0);
  CHECK(place_of_head(before("\x80\x02}" + std::string(100, '\x85') + '.')) == 0);  // tuples within tuples
}

TEST_CASE("torch.export: a length that nobody sets is the one of the file's example", "[network][torch]") {
  const Json facts = commands(before_2_8(small_network()))["network"];
  CHECK(facts["dimensions"][0]["value"] == 2);
  CHECK(facts["dimensions"][0]["assumed"] == true);
}

TEST_CASE("torch.export: lengths outside of the file's limits are refused", "[network][torch]") {
  const std::string archive = before_2_8(small_network());
  const BytesAtHand source(archive);
  const auto network = open_network("net.pt2", source);
  REQUIRE(network);
  const auto set = set_dimensions(**network, {{"s0", "17"}});
  REQUIRE_FALSE(set);
  CHECK_THAT(set.error().message, ContainsSubstring("the dimension s0: expected a whole number of at least 1 and at most 16"));
}

TEST_CASE("torch.export: weights that are stored once count once", "[network][torch]") {
  const std::string config =
      R"({"config":{"conv.weight":{"path_name":"weight_0"},"conv.bias":{"path_name":"weight_1"},"head.weight":{"path_name":"weight_1"}}})";
  const Json facts = commands(since_2_8(small_network(), config))["network"];
  CHECK(facts["parameters"] == 4 * 27 + 4);
}

TEST_CASE("torch.export: a newer schema is read by its fields, and said", "[network][torch]") {
  const Json facts = commands(before_2_8(small_network(9)))["network"];
  REQUIRE(facts["notes"].size() == 1);
  CHECK_THAT(facts["notes"][0].get<std::string>(), ContainsSubstring("version 9"));
}

TEST_CASE("torch.export: branches are listed apart, graphs that run once are not", "[network][torch]") {
  const std::string two = whole(2) + "," + whole(4), square = whole(4) + "," + whole(4);
  const std::string body_tensors = R"("a":)" + meta(two) + R"(,"m":)" + meta(square) + R"(,"o":)" + meta(two);
  const std::string body =
      graph(tensor("a") + "," + tensor("m"), tensor("o"), body_tensors,
            node("torch.ops.aten.linear.default", argument("input", tensor("a")) + "," + argument("weight", tensor("m")), tensor("o")));
  const std::string as_graph = R"({"as_graph":{"name":"inner","graph":)" + body + "}}",
                    operands = R"({"as_tensors":[{"name":"x"},{"name":"w"}]})";
  const std::string tensors = R"("x":)" + meta(two) + R"(,"w":)" + meta(square) + R"(,"p":)" + meta("", 12) + R"(,"y":)" + meta(two);
  const auto with = [&](const std::string& call) {
    return before_2_8(program(graph(tensor("w") + "," + tensor("x") + "," + tensor("p"), tensor("y"), tensors, call),
                              parameter("w", "w") + "," + user_input + R"(,{"user_input":{"arg":{"as_tensor":{"name":"p"}}}})"));
  };
  const Json branches = commands(
      with(node("torch.ops.higher_order.cond",
                argument("", tensor("p")) + "," + argument("", as_graph) + "," + argument("", as_graph) + "," + argument("", operands),
                tensor("y"))));
  CHECK(macs(branches) == 0);
  REQUIRE(branches["commands"].size() == 2);
  CHECK(branches["commands"][0]["step"] == "body of y");
  CHECK(branches["network"]["not_counted"][0]["type"] == "higher_order.cond");

  const Json once =
      commands(with(node("torch.ops.higher_order.wrap_with_set_grad_enabled",
                         argument("", R"({"as_bool":false})") + "," + argument("", as_graph) + "," + argument("", operands), tensor("y"))));
  CHECK(macs(once) == 2 * 4 * 4);
  CHECK(once["network"]["not_counted"].empty());
  CHECK(once["network"]["nodes"] == 1);
}

TEST_CASE("torch.export: a layer between quantised tensors computes with integers", "[network][torch]") {
  const std::string eight = whole(8) + "," + whole(8);
  std::string tensors;
  for (const char* name : {"x", "d", "y", "e", "v"}) tensors += std::string("\"") + name + "\":" + meta(eight) + ",";
  for (const char* name : {"q", "w", "p"}) tensors += std::string("\"") + name + "\":" + meta(eight, 2) + ",";
  tensors.pop_back();
  const auto call = [](const char* what, const char* from, const char* to) {
    return node(std::string("torch.ops.quantized_decomposed.") + what + "_per_tensor.default",
                argument("input", tensor(from)) + "," + argument("quant_min", R"({"as_int":-127})") + "," +
                    argument("quant_max", R"({"as_int":127})"),
                tensor(to)) +
           ",";
  };
  const std::string linear =
      node("torch.ops.aten.linear.default", argument("input", tensor("d")) + "," + argument("weight", tensor("v")), tensor("y")) + ",";
  std::string nodes = call("quantize", "x", "q") + call("dequantize", "q", "d") + call("dequantize", "w", "v") + linear +
                      call("quantize", "y", "p") + call("dequantize", "p", "e");
  nodes.pop_back();
  const std::string weight = parameter("w", "w") + "," + user_input;
  const Json document = commands(before_2_8(program(graph(tensor("w") + "," + tensor("x"), tensor("e"), tensors, nodes), weight)));
  CHECK(command(document, "y")["data_type"] == "int8");
  CHECK(document["commands"].size() == 3);  // the input becomes integers, and the result floating again
  CHECK(document["network"]["weights_bytes"] == 64);

  // Where the result stays floating, the product writes floats.
  std::string floating = call("quantize", "x", "q") + call("dequantize", "q", "d") + call("dequantize", "w", "v") + linear;
  floating.pop_back();
  const Json widened = commands(before_2_8(program(graph(tensor("w") + "," + tensor("x"), tensor("y"), tensors, floating), weight)));
  CHECK(command(widened, "y")["data_type"] == "int8");
  CHECK(command(widened, "y")["output_type"] == "fp32");
}

TEST_CASE("torch.export: tensors between quantised ones are looked at once, however often they are read", "[network][torch]") {
  // Eight times, a tensor is joined to itself 39 times and cut to its length again: 40^8 ways lead from the input to the result.
  constexpr int times = 8, copies = 40;
  std::string tensors, nodes;
  for (const char* name : {"x", "t0", "e"}) tensors += std::string("\"") + name + "\":" + meta(whole(8)) + ",";
  for (const char* name : {"q", "p"}) tensors += std::string("\"") + name + "\":" + meta(whole(8), 2) + ",";
  const auto call = [](const std::string& what, const std::string& from, const std::string& to) {
    return node("torch.ops.quantized_decomposed." + what + "_per_tensor.default",
                argument("input", tensor(from)) + "," + argument("quant_min", R"({"as_int":-127})") + "," +
                    argument("quant_max", R"({"as_int":127})"),
                tensor(to)) +
           ",";
  };
  nodes = call("quantize", "x", "q") + call("dequantize", "q", "t0");
  for (int i = 0; i < times; ++i) {
    const std::string from = "t" + std::to_string(i), joined = "j" + std::to_string(i), to = "t" + std::to_string(i + 1);
    std::string list;
    for (int copy = 0; copy < copies; ++copy) list += std::string(list.empty() ? "" : ",") + R"({"name":")" + from + R"("})";
    nodes += node("torch.ops.aten.cat.default", argument("tensors", R"({"as_tensors":[)" + list + "]}"), tensor(joined)) + "," +
             node("torch.ops.aten.slice.Tensor", argument("self", tensor(joined)), tensor(to)) + ",";
    tensors += "\"" + joined + "\":" + meta(whole(8 * copies)) + ",\"" + to + "\":" + meta(whole(8)) + ",";
  }
  nodes += call("quantize", "t" + std::to_string(times), "p") + call("dequantize", "p", "e");
  nodes.pop_back(), tensors.pop_back();
  const Json document = commands(before_2_8(program(graph(tensor("x"), tensor("e"), tensors, nodes), user_input)));
  // All of it moves integers: only the input is made integers, and the result floating again.
  CHECK(document["commands"].size() == times + 2);
  for (int i = 0; i < times; ++i) CHECK(command(document, "j" + std::to_string(i))["data_type"] == "int8");
}

namespace {

struct Operand {
  const char* argument;
  std::vector<int> shape;
  int type = 7;
  bool weight = false;
};

/// A program of one call. Lists of one tensor: arguments named "indices". `sizes`: of what it writes.
Workload one_call(const std::string& target, const std::vector<Operand>& operands, const std::string& sizes, int type = 7,
                  const std::string& more = "") {
  const auto lengths = [](const std::vector<int>& shape) {
    std::string out;
    for (const int n : shape) out += (out.empty() ? "" : ",") + whole(n);
    return out;
  };
  std::string inputs, tensors, arguments, specs;
  for (const Operand& o : operands) {
    const std::string name = std::string("t_") + o.argument;
    inputs += tensor(name) + ",";
    tensors += "\"" + name + "\":" + meta(lengths(o.shape), o.type) + ",";
    arguments +=
        argument(o.argument, std::string(o.argument) == "indices" ? R"({"as_tensors":[{"name":")" + name + R"("}]})" : tensor(name)) + ",";
    specs += (o.weight ? parameter(name, name) : R"({"user_input":{"arg":)" + tensor(name) + "}}") + ",";
  }
  inputs.pop_back(), specs.pop_back();
  arguments += more;
  if (more.empty()) arguments.pop_back();
  const std::string call = node("torch.ops.aten." + target + ".default", arguments, tensor("y"));
  const Workload out =
      operations_of("net.pt2", before_2_8(program(graph(inputs, tensor("y"), tensors + R"("y":)" + meta(sizes, type), call), specs)));
  REQUIRE(out.size() == 1);
  return out;
}

}  // namespace

TEST_CASE("torch.export: a wide scalar does not widen the tensor beside it, and complex numbers are pairs", "[network][torch]") {
  constexpr int complex64 = 10, bf16 = 13;
  const Workload scaled =
      one_call("mul", {{"self", {1, 128, 768}, bf16}, {"other", {}}}, whole(1) + "," + whole(128) + "," + whole(768), bf16);
  CHECK(scaled.bytes[0] == 2 * (2 * 128 * 768 + 1));
  // Llama's rotary embedding: 8 bytes for each number, in FP32.
  const Workload rotated = one_call("mul", {{"self", {1, 128, 32, 64}, complex64}, {"other", {1, 128, 1, 64}, complex64}},
                                    whole(1) + "," + whole(128) + "," + whole(32) + "," + whole(64), complex64);
  CHECK(rotated.bytes[0] == 8 * (2 * 128 * 32 * 64 + 128 * 64));
  CHECK(Formats::catalogue()[rotated.class_of(0).activation].id == "fp32");
}

TEST_CASE("torch.export: a matrix that is added to a product is read, a bias is part of the layer", "[network][torch]") {
  const std::string eight_by_four = whole(8) + "," + whole(4);
  const auto addmm = [&](const std::vector<int>& added) {
    return one_call("addmm", {{"self", added}, {"mat1", {8, 16}}, {"mat2", {16, 4}, 7, true}}, eight_by_four).bytes[0];
  };
  const double product = 4 * (8 * 16 + 16 * 4 + 8 * 4);
  CHECK(addmm({8, 4}) == product + 4 * 8 * 4);
  CHECK(addmm({4}) == product + 4 * 4);
  // addbmm adds the products of all batches up: its result is one matrix.
  const Workload sum = one_call("addbmm", {{"self", {8, 16}}, {"batch1", {10, 8, 4}}, {"batch2", {10, 4, 16}}}, whole(8) + "," + whole(16));
  CHECK(sum.matrix_flops[0] == 2 * 10 * 8 * 4 * 16);
  CHECK(sum.bytes[0] == 4 * (10 * 8 * 4 + 10 * 4 * 16 + 2 * 8 * 16));
  CHECK(one_call("addmv", {{"self", {6}}, {"mat", {6, 5}}, {"vec", {5}, 7, true}}, whole(6)).bytes[0] == 4 * (6 * 5 + 5 + 6 + 6));
  CHECK(one_call("inner", {{"self", {3, 5}}, {"other", {7, 5}}}, whole(3) + "," + whole(7)).matrix_flops[0] == 2 * 3 * 7 * 5);
  CHECK(one_call("layer_norm", {{"input", {4, 8}}}, whole(4) + "," + whole(8), 7, argument("normalized_shape", R"({"as_ints":[8]})"))
            .bytes[0] == 4 * 2 * 32);  // without a scale
}

TEST_CASE("torch.export: groups of a product share the rows of the first operand or the columns of the second", "[network][torch]") {
  const auto grouped = [](const std::vector<int>& a, const std::vector<int>& b, const std::string& sizes) {
    return one_call("_grouped_mm", {{"self", a}, {"mat2", b}, {"offs", {3}, 4}}, sizes);
  };
  const Workload rows = grouped({10, 8}, {3, 8, 6}, whole(10) + "," + whole(6));
  CHECK(rows.matrix_flops[0] == 2 * 10 * 8 * 6);
  CHECK(rows.bytes[0] == 4 * (10 * 8 + 3 * 8 * 6 + 10 * 6));
  const Workload columns = grouped({3, 4, 8}, {8, 6}, whole(4) + "," + whole(6));
  CHECK(columns.matrix_flops[0] == 2 * 4 * 6 * 8);
  CHECK(columns.bytes[0] == 4 * (3 * 4 * 8 + 8 * 6 + 4 * 6));
  const Workload inner = grouped({4, 8}, {8, 6}, whole(3) + "," + whole(4) + "," + whole(6));
  CHECK(inner.matrix_flops[0] == 2 * 4 * 8 * 6);
  const Workload batch = grouped({3, 4, 8}, {3, 8, 6}, whole(3) + "," + whole(4) + "," + whole(6));
  CHECK(batch.matrix_flops[0] == 2 * 3 * 4 * 8 * 6);
}

TEST_CASE("torch.export: an einsum without an arrow keeps the dimensions of its dots", "[network][torch]") {
  const auto sizes = [](int rows, int columns) { return whole(2) + "," + whole(4) + "," + whole(rows) + "," + whole(columns); };
  const std::string tensors = R"("x":)" + meta(sizes(6, 3)) + R"(,"b":)" + meta(sizes(3, 5)) + R"(,"y":)" + meta(sizes(6, 5));
  const std::string specs = user_input + R"(,{"user_input":{"arg":{"as_tensor":{"name":"b"}}}})";
  for (const char* equation : {"...ij,...jk", "...Zj,...jk", "...ij,...jk->...ik"}) {
    INFO(equation);
    const std::string call = node("torch.ops.aten.einsum.default",
                                  argument("equation", R"({"as_string":")" + std::string(equation) + R"("})") + "," +
                                      argument("tensors", R"({"as_tensors":[{"name":"x"},{"name":"b"}]})"),
                                  tensor("y"));
    const Workload w =
        operations_of("net.pt2", before_2_8(program(graph(tensor("x") + "," + tensor("b"), tensor("y"), tensors, call), specs)));
    CHECK(w.matrix_flops[0] == 2 * (2 * 4 * 6 * 3 * 5));
    CHECK(w.bytes[0] == 4 * (2 * 4) * (6 * 3 + 3 * 5 + 6 * 5));
  }
}

TEST_CASE("torch.export: a weight for each channel, products of all pairs, distances", "[network][torch]") {
  const Workload prelu =
      one_call("prelu", {{"self", {2, 16, 8, 8}}, {"weight", {16}}}, whole(2) + "," + whole(16) + "," + whole(8) + "," + whole(8));
  CHECK(prelu.bytes[0] == 4 * (2 * 2 * 16 * 64 + 16));
  CHECK(one_call("outer", {{"self", {5}}, {"vec2", {7}}}, whole(5) + "," + whole(7)).bytes[0] == 4 * (5 + 7 + 35));
  CHECK(one_call("kron", {{"self", {2, 3}}, {"other", {4, 5}}}, whole(8) + "," + whole(15)).bytes[0] == 4 * (6 + 20 + 120));
  const Workload distances = one_call("cdist", {{"x1", {10, 3}}, {"x2", {20, 3}}}, whole(10) + "," + whole(20));
  CHECK(distances.bytes[0] == 4 * (30 + 60 + 200));
  CHECK(distances.vector_flops[0] == 3 * 10 * 20 * 3);  // a difference, its square, a sum
}

TEST_CASE("torch.export: softsign is a magnitude, a sum and a division for each element", "[network][torch]") {
  CHECK(one_call("softsign", {{"self", {4, 8}}}, whole(4) + "," + whole(8)).vector_flops[0] == 3 * 4 * 8);
}

TEST_CASE("torch.export: padding reads its input, a one-hot its indices, a mask no more than itself and its choice", "[network][torch]") {
  const auto image = [](int width) { return whole(1) + "," + whole(64) + "," + whole(1) + "," + whole(width); };
  CHECK(one_call("constant_pad_nd", {{"self", {1, 64, 1, 8}}}, image(16)).bytes[0] == 4 * 64 * (8 + 16));
  CHECK(one_call("reflection_pad1d", {{"self", {1, 64, 8}}}, whole(1) + "," + whole(64) + "," + whole(16)).bytes[0] == 4 * 64 * (8 + 16));
  CHECK(one_call("constant_pad_nd", {{"self", {1, 64, 1, 16}}}, image(8)).bytes[0] == 4 * 64 * (8 + 8));  // negative padding crops
  CHECK(one_call("one_hot", {{"self", {128}, 5}}, whole(128) + "," + whole(32000), 5).bytes[0] == 8 * (128 + 128.0 * 32000));
  // x[mask]: at most a row for each of the mask's 1,024 elements of a byte.
  CHECK(
      one_call("index", {{"self", {8, 128, 768}}, {"indices", {8, 128}, 12}}, R"({"as_expr":{"expr_str":"u0"}},)" + whole(768)).bytes[0] ==
      2 * 4 * 1024 * 768 + 1024);
}

TEST_CASE("torch.export: a length that the data decide bounds those that follow from it", "[network][torch]") {
  const auto open_length = [](const char* name) { return R"({"as_expr":{"expr_str":")" + std::string(name) + R"("}})"; };
  const std::string rows = whole(8) + "," + whole(128), found = open_length("u1") + "," + whole(1);
  const std::string tensors = R"("x":)" + meta(rows) + R"(,"m":)" + meta(rows, 12) + R"(,"a":)" + meta(open_length("u0")) + R"(,"b":)" +
                              meta(found, 5) + R"(,"c":)" + meta(found, 5);
  const std::string nodes =
      node("torch.ops.aten.index.Tensor", argument("self", tensor("x")) + "," + argument("indices", R"({"as_tensors":[{"name":"m"}]})"),
           tensor("a")) +
      "," + node("torch.ops.aten.nonzero.default", argument("self", tensor("a")), tensor("b")) + "," +
      node("torch.ops.aten.abs.default", argument("self", tensor("b")), tensor("c"));
  const std::string archive = before_2_8(program(graph(tensor("x") + "," + tensor("m"), tensor("c"), tensors, nodes),
                                                 user_input + R"(,{"user_input":{"arg":{"as_tensor":{"name":"m"}}}})"));
  const Workload w = operations_of("net.pt2", archive);
  REQUIRE(w.size() == 3);
  CHECK(w.bytes[2] == 8 * 2 * 1024);  // at most one for each of the mask's 8 x 128
}

TEST_CASE("torch.export: what is refused, and why", "[network][torch]") {
  const std::string archive = before_2_8(small_network());
  CHECK_THAT(fault(archive.substr(0, archive.size() - 30)), ContainsSubstring("is a ZIP archive that is not whole"));
  CHECK_THAT(fault("PK"), ContainsSubstring("not whole"));
  CHECK_THAT(fault(zip_archive({{"x/data.pkl", "x"}, {"x/code/__torch__/M.py", "x"}})), ContainsSubstring("is a TorchScript archive"));
  CHECK_THAT(fault(zip_archive({{"x/data.pkl", "x"}, {"x/data/0", "x"}})), ContainsSubstring("is a checkpoint of torch.save"));
  CHECK_THAT(fault(zip_archive({{"m/archive_format", "pt2"}, {"m/data/aotinductor/m/k.so", "x"}})),
             ContainsSubstring("is compiled by AOTInductor"));
  CHECK_THAT(fault(zip_archive({{"notes.txt", "x"}})),
             ContainsSubstring("without an exported program: expected what torch.export.save writes"));
  CHECK_THAT(fault(before_2_8("{\"graph_module\": ")), ContainsSubstring("serialized_exported_program.json: not valid JSON"));
  CHECK_THAT(fault(before_2_8("{}")), ContainsSubstring("graph_module.graph: serialized_exported_program.json: expected the graph"));
  CHECK_THAT(fault(zip_archive({{"serialized_exported_program.json", "{}", 12}})), ContainsSubstring("is compressed by ZIP's method 12"));
  CHECK_THAT(fault(zip_archive({{"serialized_exported_program.json", "\x07", 8, 100}})),
             ContainsSubstring("cannot be unpacked: a block is of no known kind"));
  const std::string reads_nothing = node("torch.ops.aten.relu.default", argument("self", tensor("gone")), tensor("x"));
  CHECK_THAT(
      fault(before_2_8(program(graph(tensor("x"), tensor("x"), R"("x":)" + meta(whole(1)), reads_nothing), user_input))),
      ContainsSubstring("graph_module.graph.nodes[0].inputs[0]") && ContainsSubstring("the tensor \"gone\" is not in tensor_values"));
  // A length within 100,000 objects: what reads it would recurse as deep.
  std::string nested = "1";
  for (int level = 0; level < 100'000; ++level) nested = R"({"as_int":)" + std::move(nested);
  nested.append(100'000, '}');
  CHECK_THAT(fault(before_2_8(program(graph(tensor("x"), tensor("x"), R"("x":)" + meta(nested), ""), user_input))),
             ContainsSubstring("nested deeper than 256 levels"));
  // Bare Infinity is Python's, not JSON's; in a text it stays.
  std::string json = small_network();
  json.insert(1, R"("mask": [-Infinity, NaN, "Infinity"], )");
  CHECK(fault(before_2_8(json)).empty());
  // Cut anywhere, it is refused.
  for (std::size_t size = 0; size < archive.size(); size += 97) CHECK_FALSE(fault(archive.substr(0, size)).empty());
}

TEST_CASE("torch.export: expressions of lengths, short and long", "[network][torch]") {
  CHECK(length_of("s0", {7}) == 7);
  CHECK(length_of("Symbol('s1', positive=True, integer=True)", {7}) == 7);
  CHECK(LengthExpression("Symbol('s1', positive=True, integer=True)").names() == std::vector<std::string>{"s1"});
  CHECK(length_of("Mul(Integer(32), Symbol('s1', positive=True, integer=True))", {7}) == 224);
  CHECK(length_of("Add(Mul(Integer(-1), Symbol('s0', integer=True)), Integer(10))", {7}) == 3);
  CHECK(length_of("FloorDiv(Mul(Integer(4), Pow(Symbol('s3', positive=True, integer=True), Integer(2))), Symbol('s3', positive=True, "
                  "integer=True))",
                  {5}) == 20);
  CHECK(length_of("Max(1, u0)", {0}) == 1);
  CHECK(length_of("Min(s0, s1, 4)", {9, 5}) == 4);
  CHECK(length_of("(s0//2) + 1", {7}) == 4);
  CHECK(length_of("2*s0**2", {3}) == 18);
  CHECK(length_of("ceiling(s0/3)", {7}) == 3);
  CHECK(length_of("Mod(s0, 4)", {7}) == 3);
  CHECK(length_of("ModularIndexing(s0, 2, 3)", {9}) == 1);
  CHECK(length_of("Mul(Rational(1, 49), Symbol('s0'))", {49}) == 1);
  CHECK(length_of("past_seq_len+seq_len", {3, 4}) == 7);
  CHECK_FALSE(known(length_of("s0 - 9", {7})));
  CHECK_FALSE(known(length_of("s0/2", {7})));
}

TEST_CASE("torch.export: a module's path, in the ways that PyTorch writes it", "[network][torch]") {
  using torch_export::module_path;
  CHECK(module_path("L__self__,,__main__.Net") == "");
  CHECK(module_path("L__self__,,__main__.Net;L__s___blocks_0_qkv,L['s'].blocks[0].qkv,torch.nn.modules.linear.Linear") == "blocks.0.qkv");
  CHECK(module_path("L__self__,,Net;L__self___layers_1,L['self']._modules['layers']._modules['1'],Block") == "layers.1");
  CHECK(module_path("L__self__,,Net;x,getattr(L['self'].layers, '2').up,Linear") == "layers.2.up");
  CHECK(module_path(",,Net;blocks.0,blocks.0@1,Block") == "blocks.0");
  CHECK(module_path("_empty_nn_module_stack_from_metadata_hook,_empty_nn_module_stack_from_metadata_hook,_empty_nn_module_stack_from_"
                    "metadata_hook") == "");
}

TEST_CASE("inflate: each kind of block, as zlib writes it", "[network]") {
  const auto bytes = [](std::string_view hex) {
    std::string out;
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) out += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
    return out;
  };
  const std::string fixed = bytes("2bcacf4fcbc9cc4b2d42a3b900");
  CHECK(inflate(fixed, 25) == "rooflinerooflineroofline\n");
  CHECK(inflate(bytes("010f00f0ff73746f726564206173206974206973"), 15) == "stored as it is");
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "line " + std::to_string(i) + " of a text that repeats\n";
  CHECK(
      inflate(
          bytes("85d3b10dc2401044d19c2ab60476068c29e78243205918d91bb87c4401fc8b7ff634b3bcde3dceb13ea245f5a3a29ead62eb9fde6a3f2dbf9a5885d558"
                "2f5"
                "8af5827ac37ac33d63b6b0cb0582b992bd92b192c592c992cd92c192d594daca6c1c6584dac265613ab89d5c46a6235b19a59cdace6c13559cdac6656"
                "33ab99d5cc6afeabf605"),
          lines.size()) == lines);
  CHECK_THAT(inflate(fixed, 24).error().message, ContainsSubstring("to more"));
  CHECK_THAT(inflate(fixed, 26).error().message, ContainsSubstring("to less"));
  for (std::size_t size = 0; size + 1 < fixed.size(); ++size) CHECK_FALSE(inflate(fixed.substr(0, size), 25));
  CHECK_FALSE(inflate(bytes("4b04020000"), 9));  // copies from before its start
}
