// TFLite models as networks: figures of real files, operators by the schema, and files that are damaged or hostile.
#include "network/networks.hpp"
#include "network/tflite_file.hpp"

using namespace roofline;
using namespace roofline::tflite_file;

namespace {

ReadNetwork opened(const std::string& bytes) { return read_network("model.tflite", bytes); }

/// One operator; tensors whose buffer is not 0 are constants. The inputs come first, the output last.
std::string one(std::int32_t code, std::vector<Tensor> tensors, Fields options = {}, bool second = false,
                std::vector<std::string> buffers = {"", "w"}) {
  Graph graph;
  Op op{code, {}, {}, std::move(options), second, {}};
  for (std::size_t i = 0; i + 1 < tensors.size(); ++i)
    op.inputs.push_back(tensors[i].shape == std::vector<std::int32_t>{-1} ? -1 : static_cast<std::int32_t>(i));
  for (Tensor& t : tensors)
    if (t.shape == std::vector<std::int32_t>{-1}) t.shape = {};
  op.outputs = {static_cast<std::int32_t>(tensors.size() - 1)};
  graph.tensors = std::move(tensors);
  graph.operators = {op};
  graph.inputs = {0};
  graph.outputs = op.outputs;
  return model({graph}, buffers);
}
const Tensor left_out{"", {-1}};
Tensor x(std::vector<std::int32_t> shape, std::int8_t type = fp32) { return {"x", std::move(shape), type}; }
Tensor w(std::vector<std::int32_t> shape, std::int8_t type = fp32) { return {"w", std::move(shape), type, 1}; }
Tensor y(std::vector<std::int32_t> shape, std::int8_t type = fp32) { return {"y", std::move(shape), type}; }

std::string refusal(std::string_view bytes) {
  const Result<std::string> text = commands_of("model.tflite", bytes);
  REQUIRE_FALSE(text);
  return text.error().text();
}

std::string reason(const ReadNetwork& network) {
  return network.facts["not_counted"].empty() ? "" : text_of(network.facts["not_counted"][0]["reason"]);
}

}  // namespace

TEST_CASE("real TFLite models come to the figures that were counted independently", "[network][tflite]") {
  const Json facts = sample_facts();
  if (facts.is_null()) {
    WARN("skipped: no ../shared/samples");
    return;
  }
  std::size_t files = 0;
  for (const auto& [path, fact] : facts.items()) {
    if (!path.starts_with("tflite/")) continue;
    INFO(path);
    const ReadNetwork network = opened(file(network_samples + path));
    CHECK(network.matrix_macs == fact["macs"].get<double>());
    CHECK(network.faults == 0);
    CHECK(network.facts["weights_bytes"] == fact["weights_bytes"]);
    CHECK(network.facts["parameters"] == fact["weights_elements"]);
    CHECK(network.facts["peak_activation_bytes"] == fact["peak_activation_bytes"]);
    CHECK(network.facts["nodes"] == fact["ops_subgraph0"]);
    CHECK(text_of(member(network.facts, "producer")) == text_of(fact["description"]));
    ++files;
  }
  CHECK(files > 0);
}

TEST_CASE("tflite: convolutions by the layouts of their weights", "[network][tflite]") {
  const Fields same_stride_2 = {{0, number(std::int8_t{0})}, {1, number(2)}, {2, number(2)}};
  // MACs: elements of the output times what each is summed over.
  CHECK(opened(one(3, {x({1, 9, 9, 4}), w({8, 3, 3, 4}), y({1, 5, 5, 8})}, same_stride_2)).matrix_macs == 5 * 5 * 8 * 9 * 4);
  CHECK(opened(one(3, {x({1, 9, 9, 4}), w({8, 3, 3, 2}), y({1, 5, 5, 8})}, same_stride_2)).matrix_macs == 5 * 5 * 8 * 9 * 2);
  CHECK(opened(one(4, {x({1, 9, 9, 4}), w({1, 3, 3, 8}), y({1, 5, 5, 8})}, same_stride_2)).matrix_macs == 5 * 5 * 8 * 9);
  const Fields dilated = {{0, number(std::int8_t{1})}, {1, number(1)}, {2, number(1)}, {4, number(2)}, {5, number(2)}};
  CHECK(opened(one(3, {x({1, 9, 9, 4}), w({8, 3, 3, 4}), y({1, 5, 5, 8})}, dilated)).matrix_macs == 5 * 5 * 8 * 9 * 4);
  CHECK(opened(one(132, {x({1, 4, 9, 9, 2}), w({3, 3, 3, 2, 5}), y({1, 2, 7, 7, 5})}, {{0, number(std::int8_t{1})}})).matrix_macs ==
        2 * 49 * 5 * 27 * 2);
  const Tensor shape{"shape", {4}, int32, 2};
  CHECK(opened(one(67, {shape, w({16, 4, 4, 32}), x({1, 1, 40, 32}), y({1, 4, 82, 16})},
                   {{0, number(std::int8_t{1})}, {1, number(2)}, {2, number(2)}}, false, {"", "w", std::string(16, '\1')}))
            .matrix_macs == 40 * 32 * 16 * 16);
  CHECK(opened(one(141, {shape, w({2, 2, 2, 6, 3}), x({1, 3, 3, 3, 3}), y({1, 4, 4, 4, 6})}, {}, false, {"", "w", std::string(16, '\1')}))
            .matrix_macs == 27 * 3 * 6 * 8);
  // Weights that are not of the image's rank.
  CHECK(reason(opened(one(3, {x({1, 9, 9, 4}), w({8, 3}), y({1, 5, 5, 8})}))) ==
        "the shapes of its tensors are not as the operator has them");
}

TEST_CASE("tflite: products, and what quantised ones compute in", "[network][tflite]") {
  CHECK(opened(one(9, {x({2, 3, 4}), w({10, 12}), left_out, y({2, 10})})).matrix_macs == 2 * 12 * 10);
  CHECK(opened(one(9, {x({6, 12}), {"a", {10, 12}}, y({6, 10})}, {}, false)).matrix_macs == 6 * 12 * 10);
  CHECK(opened(
            one(126, {x({2, 4, 5, 3}), {"b", {2, 4, 6, 5}}, y({2, 4, 3, 6})}, {{0, number(std::uint8_t{1})}, {1, number(std::uint8_t{1})}}))
            .matrix_macs == 8 * 3 * 5 * 6);

  const ReadNetwork quantised = opened(one(9, {x({1, 12}, int8), w({10, 12}, int8), {"b", {10}, int32, 2}, y({1, 10}, int8)}, {}, false,
                                           {"", std::string(120, 'w'), std::string(40, 'b')}));
  const Json layer = quantised.command("y");
  CHECK(layer["type"] == "linear");
  CHECK(layer["data_type"] == "int8");
  CHECK(layer["bias"] == true);
  CHECK(quantised.facts["weights_bytes"] == 160);
  CHECK(quantised.facts["parameters"] == 130);
  CHECK(quantised.facts["peak_activation_bytes"] == 22);

  // Weights alone in 4 bits, with a scale for each block of 32.
  Tensor packed = w({10, 64}, int4);
  packed.more = {{4, table({{4, number(std::uint8_t{2})}, {5, table({{2, number(32)}})}})}};
  const Json weight_only = opened(one(9, {x({1, 64}), packed, y({1, 10})}, {}, false, {"", std::string(320, 'w')})).command("y");
  CHECK(weight_only["data_type"] == "fp32");
  CHECK(weight_only["weight_type"] == "int4_g32");
}

TEST_CASE("tflite: weights that are only dequantised keep their format, and that takes no time", "[network][tflite]") {
  Graph graph;
  graph.tensors = {x({1, 12}), w({10, 12}, fp16), {"wide", {10, 12}}, y({1, 10})};
  graph.operators = {{6, {1}, {2}}, {9, {0, 2, -1}, {3}}};
  graph.inputs = {0}, graph.outputs = {3};
  const ReadNetwork network = opened(model({graph}, {"", std::string(240, 'w')}));
  CHECK(network.commands.size() == 1);
  CHECK(network.command("y")["weight_type"] == "fp16");
  CHECK(network.facts["weights_bytes"] == 240);
  CHECK(network.facts["peak_activation_bytes"] == 4 * (12 + 10));  // what is widened is no activation
}

TEST_CASE("tflite: operands count once each, however they broadcast, and segments are read in full", "[network][tflite]") {
  const auto alone = [](const std::string& bytes) { return operations_of("model.tflite", bytes); };
  const Workload both = alone(one(0, {x({1, 64, 1, 32}), {"b", {1, 1, 64, 32}}, y({1, 64, 64, 32})}));
  CHECK(both.bytes[0] == 4 * (2 * 64 * 32 + 64 * 64 * 32));
  // Open lengths are stored as 1: then both operands are as large as what is written.
  CHECK(alone(one(0, {x({1, 1}), {"b", {1, 1}}, y({1, 8})})).bytes[0] == 4 * 3 * 8);
  for (const std::int32_t code : {125, 153, 154, 155, 157}) {
    INFO(code);
    CHECK(alone(one(code, {x({1000, 64}), {"ids", {1000}, int32}, y({10, 64})})).bytes[0] == 4 * (1000 * 64 + 1000 + 10 * 64));
  }
}

TEST_CASE("tflite: recurrent layers multiply by their weights in every step", "[network][tflite]") {
  // Batch 2, 7 steps of 5 inputs, 6 cells, a projection to 4: the state has the projection's length.
  std::vector<Tensor> lstm = {x({2, 7, 5})};
  for (int gate = 0; gate < 4; ++gate)
    lstm.push_back(gate == 0 ? left_out : w({6, 5}));  // no input gate: it is coupled with the forget gate
  for (int gate = 0; gate < 4; ++gate) lstm.push_back(gate == 0 ? left_out : w({6, 4}));
  for (int i = 9; i < 16; ++i) lstm.push_back(left_out);
  lstm.push_back(w({4, 6}));
  lstm.push_back(y({2, 7, 4}));
  CHECK(opened(one(44, lstm)).matrix_macs == 2 * 7 * (3 * 6 * 5 + 3 * 6 * 4 + 4 * 6));
  // The gates' own outputs and the state stay in the layer: it reads its input and weights, and writes what its cells hold.
  const Workload layer = operations_of("model.tflite", one(44, lstm));
  CHECK(layer.bytes[0] == 4 * (2 * 7 * 5 + 3 * 6 * 5 + 3 * 6 + 2 * 7 * 6));
  CHECK(layer.bytes[1] == 4 * 3 * 6 * 4);

  std::vector<Tensor> both = {x({2, 7, 5})};
  for (int i = 1; i < 35; ++i)
    both.push_back((i >= 1 && i <= 4) || (i >= 18 && i <= 21)   ? w({6, 5})
                   : (i >= 5 && i <= 8) || (i >= 22 && i <= 25) ? w({6, 6})
                                                                : left_out);
  both.push_back(y({2, 7, 6}));
  CHECK(opened(one(52, both)).matrix_macs == 2 * 2 * 7 * 4 * (6 * 5 + 6 * 6));

  // The basic kind of one step has everything in one matrix.
  CHECK(opened(one(16, {x({2, 5}), {"state", {2, 6}}, w({24, 11}), w({24}), {"cell", {2, 6}}, y({2, 6})}, {{3, number(std::int8_t{1})}}))
            .matrix_macs == 2 * 24 * 11);
  CHECK(opened(one(35, {x({2, 7, 5}), w({6, 5}), w({6, 6}), w({6}), {"state", {2, 6}}, y({2, 7, 6})})).matrix_macs ==
        2 * 7 * (6 * 5 + 6 * 6));
  CHECK(opened(
            one(46, {x({2, 7, 5}), w({6, 5}), w({6, 6}), w({6}), {"h", {2, 6}}, w({3, 5}), w({3, 3}), w({3}), {"g", {2, 3}}, y({2, 7, 6})}))
            .matrix_macs == 2 * 7 * (6 * 5 + 6 * 6 + 3 * 5 + 3 * 3));
  CHECK(opened(one(27, {x({2, 16}), w({12, 16}), w({12, 9}), w({12}), {"state", {2, 108}}, y({2, 12})})).matrix_macs ==
        2 * (12 * 16 + 12 * 9));
}

TEST_CASE("tflite: StableHLO's operators name their dimensions", "[network][tflite]") {
  const Fields dot = {{0, longs({0})}, {1, longs({1})}, {2, longs({2})}, {3, longs({0})}};
  CHECK(opened(one(197, {x({4, 6, 8}), {"b", {8, 4, 5}}, y({4, 6, 5})}, dot, true)).matrix_macs == 4 * 6 * 8 * 5);
  const auto numbers = [](std::int64_t at) { return number(at); };
  Fields convolution = {{0, longs({2, 2})},  {3, longs({1, 1})}, {5, numbers(0)},     {6, numbers(3)},  {7, longs({1, 2})},
                        {8, numbers(2)},     {9, numbers(3)},    {10, longs({0, 1})}, {11, numbers(0)}, {12, numbers(3)},
                        {13, longs({1, 2})}, {14, numbers(1)},   {15, numbers(1)}};
  CHECK(opened(one(171, {x({1, 8, 8, 3}), w({2, 2, 3, 16}), y({1, 4, 4, 16})}, convolution, true)).matrix_macs == 16 * 16 * 4 * 3);
  // An input that is spread out is a transposed convolution: its own elements count.
  convolution[0] = {0, longs({1, 1})};
  convolution.emplace_back(2, longs({2, 2}));
  CHECK(opened(one(171, {x({1, 4, 4, 3}), w({2, 2, 3, 16}), y({1, 8, 8, 16})}, convolution, true)).matrix_macs == 16 * 3 * 16 * 4);
  CHECK(reason(opened(one(197, {x({4, 6}), {"b", {8, 4}}, y({6, 8})}, {{2, longs({9})}, {3, longs({1})}}, true))) ==
        "its dimensions are not those of its tensors");
  const ReadNetwork window =
      opened(one(198, {x({1, 8, 8, 3}), w({}), y({1, 4, 4, 3})}, {{0, longs({1, 2, 2, 1})}, {1, longs({1, 2, 2, 1})}}, true));
  CHECK(window.command("y")["type"] == "pool");
  CHECK(window.faults == 0);
}

TEST_CASE("tflite: composites are attention by their names, else their bodies are apart", "[network][tflite]") {
  Graph main, body;
  main.tensors = {{"q", {1, 5, 8, 16}}, {"k", {1, 9, 2, 16}}, {"v", {1, 9, 2, 16}}, y({1, 5, 8, 16})};
  main.operators = {{206, {0, 1, 2}, {3}, {{0, text("odml.scaled_dot_product_attention")}, {1, number(1)}}, true}};
  main.inputs = {0, 1, 2}, main.outputs = {3};
  body.tensors = {x({4, 12}), w({10, 12}), {"z", {4, 10}}};
  body.operators = {{9, {0, 1, -1}, {2}}};
  body.inputs = {0}, body.outputs = {2};
  const ReadNetwork attention = opened(model({main, body}, {"", "w"}));
  CHECK(attention.matrix_macs == 8 * 5 * 9 * (16 + 16));
  CHECK(attention.command("y")["kv_heads"] == 2);
  CHECK(attention.commands.size() == 1);
  CHECK(attention.facts["not_counted"].empty());

  main.operators[0].options[0] = {0, text("my.block")};
  const ReadNetwork apart = opened(model({main, body}, {"", "w"}));
  CHECK(apart.matrix_macs == 0);
  CHECK(apart.facts["not_counted"][0]["type"] == "my.block");
  CHECK(reason(apart) == "its body is listed apart, once for each run of it");
  CHECK(apart.command("z")["step"] == "body of y");
}

TEST_CASE("tflite: loops, branches and further signatures are apart from the main graph", "[network][tflite]") {
  const auto product = [](const std::string& name, std::int32_t rows) {
    Graph graph;
    graph.tensors = {x({rows, 12}), w({10, 12}), {name, {rows, 10}}};
    graph.operators = {{9, {0, 1, -1}, {2}}};
    graph.inputs = {0}, graph.outputs = {2};
    return graph;
  };
  Graph main = product("main", 1);
  main.operators.push_back({119, {2}, {2}, {{0, number(1)}, {1, number(2)}}});
  const FieldValue signatures =
      tables({{{2, text("decode")}, {4, number(std::uint32_t{0})}}, {{2, text("prefill_64")}, {4, number(std::uint32_t{3})}}});
  const ReadNetwork network = opened(
      model({main, product("condition", 2), product("inside", 3), product("prefill", 64)}, {"", std::string(480, 'w')}, {{7, signatures}}));
  CHECK(network.matrix_macs == 120);
  CHECK(network.command("condition")["step"] == "body of main");
  CHECK(network.command("inside")["step"] == "body of main");
  CHECK(network.command("prefill")["step"] == "body of the signature prefill_64");
  CHECK(network.facts["weights_bytes"] == 480);  // the same buffer in all
  CHECK(network.facts["notes"].size() == 1);

  // A body that runs itself is listed once.
  main.operators[1].options = {{0, number(0)}, {1, number(0)}};
  CHECK(opened(model({main}, {"", "w"})).matrix_macs == 120);
  main.operators[1].options = {{0, number(1)}, {1, number(7)}};
  CHECK(refusal(model({main, product("condition", 2)}, {"", "w"})).find("an operator runs subgraph 7: expected 0 to 1") !=
        std::string::npos);
}

TEST_CASE("tflite: what is compiled or custom is not counted, and says so", "[network][tflite]") {
  Graph graph;
  graph.tensors = {x({1, 8}, int8), {"scratch", {100}, uint8}, y({1, 2}, int8)};
  graph.operators = {{32, {0, 1}, {2}, {}, false, "ethos-u"}};
  graph.inputs = {0}, graph.outputs = {2};
  const ReadNetwork compiled = opened(model({graph}));
  CHECK(compiled.commands.empty());
  CHECK(reason(compiled) == "compiled: its work is not in the file");
  CHECK(compiled.facts["peak_activation_bytes"] == 110);  // scratch memory, which nothing makes, is there
  graph.operators[0].custom = "edgetpu-custom-op";
  CHECK(reason(opened(model({graph}))) == "compiled: its work is not in the file");
  graph.operators[0].custom = "TFLite_Detection_PostProcess";
  CHECK(reason(opened(model({graph}))) == "no rule for this operator");
  graph.operators[0] = {250, {0, 1}, {2}};
  const ReadNetwork newer = opened(model({graph}));
  CHECK(newer.facts["not_counted"][0]["type"] == "operator 250");
}

TEST_CASE("tflite: lengths that are left open are stored as 1, and the network says so", "[network][tflite]") {
  Tensor open = x({1, 1, 1, 3});
  open.more = {{7, ints({-1, -1, -1, 3})}};
  const ReadNetwork network =
      opened(one(3, {open, w({16, 3, 3, 3}), y({1, 1, 1, 16})}, {{0, number(std::int8_t{1})}, {1, number(1)}, {2, number(1)}}));
  CHECK(network.matrix_macs == 432);
  CHECK(network.faults == 0);
  REQUIRE(network.facts["notes"].size() == 1);
  CHECK(text_of(network.facts["notes"][0]).find("its shapes are placeholders") != std::string::npos);
  open.more = {{7, ints({-1, 1, 1, 3})}};  // the batch alone
  CHECK(opened(one(3, {open, w({16, 3, 3, 3}), y({1, 1, 1, 16})})).facts["notes"].empty());
}

TEST_CASE("tflite: buffers are counted once, wherever they are", "[network][tflite]") {
  Graph graph;
  graph.tensors = {x({1, 12}),
                   w({10, 12}),
                   w({10, 12}),
                   {"a", {1, 10}},
                   {"b", {1, 10}},
                   {"state", {3}, fp32, 0, {{5, number(std::uint8_t{1})}}},
                   {"outside", {10, 12}, fp32, 0, {{10, number(std::uint32_t{77})}}}};
  graph.operators = {{9, {0, 1, -1}, {3}}, {9, {0, 2, -1}, {4}}};
  graph.inputs = {0}, graph.outputs = {3, 4};
  const FieldValue external = tables({{{0, number(std::uint32_t{77})}, {3, number(std::uint64_t{480})}}});
  const ReadNetwork network = opened(model({graph}, {"", std::string(480, 'w')}, {{9, external}}));
  CHECK(network.facts["weights_bytes"] == 960);
  CHECK(network.facts["parameters"] == 240);
  CHECK(network.facts["peak_activation_bytes"] == 48 + 40 + 40 + 12);  // the state is always there

  // Behind the FlatBuffer, for files beyond 2 GB.
  Fields root = model_fields({graph}, {"", ""}, {});
  for (auto& [slot, value] : root)
    if (slot == 4) value = tables({{}, {{1, number(std::uint64_t{2000})}, {2, number(std::uint64_t{480})}}});
  std::string behind = file_of(root);
  REQUIRE(behind.size() < 2000);
  CHECK(refusal(behind).find("a buffer's 480 bytes are at byte 2,000: expected them within the file") != std::string::npos);
  behind.resize(2480);
  CHECK(opened(behind).facts["weights_bytes"] == 480);
}

TEST_CASE("tflite: damaged and hostile files are refused, with the place", "[network][tflite]") {
  const std::string whole = one(3, {x({1, 9, 9, 4}), w({8, 3, 3, 4}), y({1, 5, 5, 8})}, {{1, number(2)}, {2, number(2)}});
  REQUIRE(commands_of("model.tflite", whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    INFO(size);
    const Result<std::string> cut = commands_of("model.tflite", std::string_view(whole).substr(0, size));
    // Nothing refers to what only fills up the end.
    if (!cut) CHECK_FALSE(cut.error().message.empty());
    if (size + 8 < whole.size() / 2) CHECK_FALSE(cut);
  }
  CHECK(refusal("nothing of the kind") == "the file does not begin as a TFLite model does: expected TFL3 from byte 4 on");
  CHECK(refusal(std::string("\xFF\xFF\0\0TFL3", 8)) ==
        "byte 0: the offset of the model is 65,535: expected from 1 to 8, within the file: it is cut off or damaged");
  CHECK(refusal(std::string("\0\0\0\0TFL3", 8)) ==
        "byte 0: the offset of the model is 0: expected from 1 to 8, within the file: it is cut off or damaged");
  CHECK(refusal(std::string("\x08\0\0\0TFL3\xFF\xFF\xFF\x7F", 12))
            .find("the vtable of the model is at byte -2147483639: expected one, within the file: it is cut off or damaged") !=
        std::string::npos);
  CHECK(refusal(file_of({{0, number(std::uint32_t{1})}})) ==
        "version 1 of the TFLite schema: expected 3, as converters write it since 2017");
  CHECK(refusal(file_of({{0, number(std::uint32_t{3})}})) == "a TFLite model without subgraphs: expected at least one");

  FieldValue endless = ints({1});
  endless.count = 0x7FFFFFFF;
  Fields root = model_fields({{}}, {""});
  root.emplace_back(7, endless);
  CHECK(refusal(file_of(root)).find("2,147,483,647 elements, for which the file is too short") != std::string::npos);

  Graph graph;
  graph.tensors = {x({1, 8}), y({1, 8})};
  graph.operators = {{19, {0}, {1}}};
  graph.inputs = {0}, graph.outputs = {1};
  graph.operators[0].inputs = {2};
  CHECK(refusal(model({graph})).find("an operator's inputs name tensor 2: expected -1, for one that is left out, or 0 to 1") !=
        std::string::npos);
  graph.operators[0].inputs = {-2};
  CHECK(refusal(model({graph})).find("name tensor -2") != std::string::npos);
  graph.operators[0] = {19, {0}, {-1}};
  CHECK(refusal(model({graph})).find("an operator's outputs name tensor -1: expected 0 to 1") != std::string::npos);
  graph.operators[0] = {19, {0}, {1}};
  graph.tensors[0].shape = {1, -8};
  CHECK(refusal(model({graph})).find("a tensor with a length of -8: expected 0 or more") != std::string::npos);
  graph.tensors[0] = {"x", {1, 8}, fp32, 9};
  CHECK(refusal(model({graph})).find("a tensor's buffer is number 9: expected fewer than 1") != std::string::npos);
  graph.tensors[0] = {"x", {1, 8}, 60};
  CHECK(refusal(model({graph})).find("a tensor of type 60: expected 0 to 22") != std::string::npos);
  graph.tensors[0] = x({1, 8});
  graph.operators[0].inputs = {-1};
  CHECK(opened(model({graph})).faults == 0);  // an input that is left out is no fault of the file's form
}

TEST_CASE("tflite: weights are not read", "[network][tflite]") {
  class Counting final : public ByteSource {
   public:
    explicit Counting(std::string bytes) : bytes_(std::move(bytes)) {}
    [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
    mutable std::uint64_t read_bytes = 0;

   protected:
    bool fill(std::uint64_t offset, char* to, std::size_t bytes) const override {
      read_bytes += bytes;
      return std::string_view(bytes_).copy(to, bytes, static_cast<std::size_t>(offset)) == bytes;
    }

   private:
    std::string bytes_;
  };
  const Counting source(one(9, {x({1, 1000}), w({2000, 1000}), y({1, 2000})}, {}, false, {"", std::string(8'000'000, 'w')}));
  REQUIRE(open_network("model.tflite", source));
  CHECK(source.read_bytes < 100'000);
}
