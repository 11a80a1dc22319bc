// Sums by module: equal ones once, with their count.
#include <cmath>
#include <roofline/analysis/modules.hpp>
#include <roofline/write/modules.hpp>

#include "json.hpp"
#include "network/module_names.hpp"
#include "network/networks.hpp"
#include "network/onnx_file.hpp"

using namespace roofline;
using namespace roofline::onnx_file;

namespace {

const Scenario& scenario() {
  static const Scenario on_machine = on(round_machine());
  return on_machine;
}

std::vector<ModuleSums> modules_of(const Workload& workload) { return sum_by_module(Plan(workload, scenario())); }

/// "layers.0-3 x4" for each line but the first.
std::vector<std::string> lines(const std::vector<ModuleSums>& modules) {
  std::vector<std::string> out;
  for (const ModuleSums& m : modules)
    if (m.depth > 0) out.push_back(m.path_with_indices() + " x" + std::to_string(m.count));
  return out;
}

const ModuleSums& of(const std::vector<ModuleSums>& modules, std::string_view path) {
  for (const ModuleSums& m : modules)
    if (m.path_with_indices() == path) return m;
  INFO(path);
  FAIL("there is no such module");
  return modules.front();
}

std::string linear(const std::string& module, int n, int k) {
  return R"({"type": "linear", "data_type": "fp16", "input_shape": [4, )" + std::to_string(k) + R"(], "weight_shape": [)" +
         std::to_string(n) + ", " + std::to_string(k) + R"(], "name": ")" + module + R"(", "module": ")" + module + "\"}";
}

std::string list(const std::vector<std::string>& commands) {
  std::string out = "[";
  for (const std::string& c : commands) out += (out.size() > 1 ? "," : "") + c;
  return out + "]";
}

}  // namespace

TEST_CASE("modules: equal layers are one line with their count, and its sums are those of one", "[modules]") {
  std::vector<std::string> commands = {linear("embed", 16, 8)};
  for (int layer = 0; layer < 12; ++layer) {
    const std::string at = "model.layers." + std::to_string(layer);
    commands.push_back(linear(at + ".attn.q", 16, 16));
    commands.push_back(linear(at + ".attn.o", 16, 16));
    commands.push_back(linear(at + ".mlp", layer == 7 ? 64 : 32, 16));
  }
  const std::vector<ModuleSums> modules = modules_of(open(list(commands)));
  CHECK(lines(modules) == std::vector<std::string>{"embed x1", "model.layers x1", "model.layers.0-6, 8-11 x11",
                                                   "model.layers.0-6, 8-11.attn x11", "model.layers.0-6, 8-11.attn.q x11",
                                                   "model.layers.0-6, 8-11.attn.o x11", "model.layers.0-6, 8-11.mlp x11",
                                                   "model.layers.7 x1", "model.layers.7.attn x1", "model.layers.7.attn.q x1",
                                                   "model.layers.7.attn.o x1", "model.layers.7.mlp x1"});
  const ModuleSums& one = of(modules, "model.layers.0-6, 8-11");
  CHECK(one.path == "model.layers.*");
  CHECK(one.indices == std::vector<std::string>{"0-6, 8-11"});
  CHECK(one.ops == 3);
  CHECK(one.matrix_macs == 4 * (16 * 16 + 16 * 16 + 32 * 16));
  CHECK(one.flops == 2 * one.matrix_macs);
  CHECK(one.read_bytes == 2 * 4 * 3 * 16);
  CHECK(one.written_bytes == 2 * 4 * (16 + 16 + 32));
  CHECK(std::isnan(one.parameters));  // commands alone do not tell
  const ModuleSums& whole = modules.front();
  CHECK(whole.matrix_macs == 4 * 16 * 8 + 11 * one.matrix_macs + of(modules, "model.layers.7").matrix_macs);
  const Workload workload = open(list(commands));
  const Summary summary = summarize(Plan(workload, scenario()));
  CHECK_THAT(whole.predicted_time_s, WithinRel(summary.predicted_time_s, 1e-12));
  CHECK_THAT(whole.typical_time_s, WithinRel(summary.typical_time_s, 1e-12));
  CHECK(whole.flops == summary.flops);
  CHECK(modules_finding(modules).find("model.layers.0-6, 8-11, 11 equal modules, take ") == 0);
}

TEST_CASE("modules: indices within names, and within each other", "[modules]") {
  std::vector<std::string> commands;
  for (int stage = 0; stage < 2; ++stage)
    for (int block = 0; block < 3; ++block)
      commands.push_back(linear("stages." + std::to_string(stage) + ".blocks." + std::to_string(block), 8, 8));
  for (const int block : {3, 4, 6}) commands.push_back(linear("block_" + std::to_string(block) + "_expand", 8, 16));
  commands.push_back(linear("conv1", 8, 8));
  commands.push_back(linear("conv2", 8, 8));  // a name, not an index
  const std::vector<ModuleSums> modules = modules_of(open(list(commands)));
  CHECK(lines(modules) == std::vector<std::string>{"stages.0-1.blocks.0-2 x6", "block_3-4, 6_expand x3", "conv1 x1", "conv2 x1"});
  CHECK(of(modules, "stages.0-1.blocks.0-2").path == "stages.*.blocks.*");
}

TEST_CASE("modules: measured times are the mean of equal modules", "[modules]") {
  std::vector<std::string> commands;
  for (int layer = 0; layer < 4; ++layer) {
    std::string one = linear("layers." + std::to_string(layer), 8, 8);
    one.pop_back();
    commands.push_back(one + ", \"time_us\": " + std::to_string(10 * (layer + 1)) + "}");
  }
  const std::vector<ModuleSums> modules = modules_of(open(list(commands)));
  REQUIRE(lines(modules) == std::vector<std::string>{"layers.0-3 x4"});
  CHECK_THAT(modules[1].time_s, WithinRel(25e-6, 1e-12));
  CHECK_THAT(modules[0].time_s, WithinRel(100e-6, 1e-12));
}

TEST_CASE("modules: weights of a network belong to the module that reads them, once", "[modules]") {
  Graph g;
  g.inputs = {value("x", fp32, {4, 8})};
  g.constants = {tensor("w0", int8, {8, 8}, 1), tensor("w1", int8, {8, 8}, 1), tensor("s", fp32, {1}), tensor("shared", fp32, {8, 8}),
                 tensor("unread", fp32, {5})};
  const auto named = [](Message m, std::string_view name) { return m.text(3, name); };  // the last name counts
  std::string from = "x";
  for (int layer = 0; layer < 2; ++layer) {
    const std::string n = std::to_string(layer);
    g.nodes.push_back(node("DequantizeLinear", {"w" + n, "s"}, {"d" + n}));
    g.nodes.push_back(named(node("MatMul", {from, "d" + n}, {"a" + n}), "/layers." + n + "/own/MatMul"));
    g.nodes.push_back(named(node("MatMul", {"a" + n, "shared"}, {"b" + n}), "/layers." + n + "/tied/MatMul"));
    g.nodes.push_back(named(node("NoSuchOperator", {"b" + n}, {"c" + n}), "/layers." + n + "/odd/Op"));
    from = "b" + n;
  }
  g.outputs = {value("b1", fp32, {4, 8})};
  const Result<std::string> text = commands_of("model.onnx", model(g));
  REQUIRE(text);
  const std::vector<ModuleSums> modules = modules_of(open(*text));
  // What both layers read belongs to neither.
  const ModuleSums& layer = of(modules, "layers.0-1");
  CHECK(layer.count == 2);
  CHECK(layer.parameters == 64);
  CHECK(layer.weights_bytes == 64);
  CHECK(layer.not_counted == 1);
  CHECK(of(modules, "layers").weights_bytes == 2 * 64 + 4 + 4 * 64);
  CHECK(modules.front().weights_bytes == 64 + 64 + 4 + 4 * 64 + 4 * 5);
  CHECK(modules.front().weights_bytes == Json::parse(*text)["network"]["weights_bytes"]);
  CHECK(modules.front().not_counted == 2);
}

TEST_CASE("modules: where nodes do not tell theirs, the names of their weights do", "[modules][network]") {
  Graph g;
  g.inputs = {value("x", fp32, {4, 8})};
  g.constants = {tensor("ones.weight", fp32, {8})};
  std::string from = "x";
  for (int layer = 0; layer < 3; ++layer) {
    const std::string n = std::to_string(layer), at = "encoder.layer." + n + ".dense";
    g.constants.push_back(tensor(at + ".weight", fp32, {8, 8}));
    g.constants.push_back(tensor(at + ".bias", fp32, {8}));
    g.nodes.push_back(node("Transpose", {at + ".weight"}, {"t" + n}));
    g.nodes.push_back(node("MatMul", {from, "t" + n}, {"m" + n}));
    g.nodes.push_back(node("Add", {"m" + n, at + ".bias"}, {"b" + n}));
    g.nodes.push_back(node("Mul", {"b" + n, "ones.weight"}, {"o" + n}));  // an exporter keeps equal weights once: their name tells nothing
    from = "o" + n;
  }
  g.outputs = {value("o2", fp32, {4, 8})};
  const Result<std::string> text = commands_of("model.onnx", model(g));
  REQUIRE(text);
  const std::vector<ModuleSums> modules = modules_of(open(*text));
  REQUIRE(lines(modules) == std::vector<std::string>{"encoder.layer.0-2.dense x3"});
  CHECK(modules[1].ops == 2);
  CHECK(modules[1].matrix_macs == 4 * 8 * 8);
  CHECK(modules[1].parameters == 64 + 8);
  CHECK(modules[0].parameters == 3 * (64 + 8) + 8);
}

TEST_CASE("modules: the layers of an encoder that PyTorch exported come to their closed form", "[modules][network]") {
  for (const char* name : {"encoder_dynamic.onnx", "encoder_dynamic.pt2"}) {
    const std::string path = std::string(network_samples) + "torch/" + name;
    if (!std::filesystem::exists(path)) {
      WARN("no ../shared/samples");
      return;
    }
    INFO(name);
    const bool onnx = path.ends_with("onnx");
    constexpr double batch = 4, tokens = 64, channels = 32;
    const Result<std::string> text = commands_of(name, file(path), {{onnx ? "batch" : "s0", "4"}, {onnx ? "seq" : "s1", "64"}});
    REQUIRE(text);
    const std::vector<ModuleSums> modules = modules_of(open(*text));
    const ModuleSums& block = of(modules, "blocks.0-1");
    CHECK(block.count == 2);
    // Queries, keys and values, the output's projection, an MLP of twice the channels; scores and values of all pairs of tokens.
    CHECK(block.matrix_macs == batch * tokens * (3 + 1 + 2 * 2) * channels * channels + 2 * batch * tokens * tokens * channels);
    const Json facts = Json::parse(*text)["network"];
    CHECK(modules.front().weights_bytes == facts["weights_bytes"]);
    CHECK(modules.front().parameters == facts["parameters"]);
  }
}

TEST_CASE("modules: bodies are apart, and a file without modules has its sums alone", "[modules]") {
  const Workload plain = open(R"([{"type": "linear", "data_type": "fp16", "input_shape": [4, 8], "weight_shape": [8, 8]}])");
  const std::vector<ModuleSums> alone = modules_of(plain);
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].matrix_macs == 4 * 8 * 8);
  CHECK(modules_finding(alone).empty());
  Graph inner, g;
  inner.nodes = {node("MatMul", {"x", "w"}, {"y_body"})};
  inner.outputs = {value("y_body", fp32, {4, 8})};
  g.inputs = {value("x", fp32, {4, 8}), value("c", 9, {})};
  g.constants = {tensor("w", fp32, {8, 8})};
  g.nodes = {node("If", {"c"}, {"y"}, {body("then_branch", inner.message()), body("else_branch", inner.message())}),
             node("Relu", {"y"}, {"z"})};
  g.outputs = {value("z", fp32, {4, 8})};
  const Result<std::string> text = commands_of("model.onnx", model(g));
  REQUIRE(text);
  const std::vector<ModuleSums> modules = modules_of(open(*text));
  REQUIRE(modules.size() == 2);
  CHECK(modules[0].matrix_macs == 0);
  CHECK(modules[1].body == "body of y");
  CHECK(modules[1].matrix_macs == 2 * 4 * 8 * 8);
  const Workload workload = open(*text);
  CHECK(modules_table(Plan(workload, scenario()), modules, 10).find("\nbody of y ") != std::string::npos);
}

TEST_CASE("modules: what another tool writes in their place does no harm", "[modules]") {
  const std::string text = R"({"network": {"modules": [{"module": 5, "nodes": 1e300, "not_counted": -3}, 7, {"module": "a", "nodes": "x"}]},
    "commands": [)" + linear("a", 8, 8) +
                           "]}";
  const std::vector<ModuleSums> modules = modules_of(open(text));
  CHECK(modules.front().ops == 1);
  CHECK(modules.front().nodes == 1e9);
  CHECK(modules.front().not_counted == 0);
}

TEST_CASE("modules: endless paths are cut, and do not exhaust the stack", "[modules]") {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a.";
  const std::vector<ModuleSums> modules =
      modules_of(open(list({linear(deep + "0", 8, 8), linear(deep + "1", 8, 8), linear("....", 8, 8)})));
  CHECK(modules.front().ops == 3);
  CHECK(modules.size() < 100);
}

TEST_CASE("modules: names of other converters tell modules", "[modules]") {
  CHECK(module_in("__module.encoder.layer.3.query/aten::linear/MatMul") == "encoder.layer.3.query");
  CHECK(module_in("__module.head") == "head");
  CHECK(module_in("/layers.3/attention/MatMul") == "layers.3.attention");
  CHECK(module_in("MatMul_12").empty());
}
